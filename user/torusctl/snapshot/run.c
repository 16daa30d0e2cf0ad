// SPDX-License-Identifier: GPL-2.0
/*
 * Convert a fabric and its workload to the options of a run in a state file, and back. The options
 * are a JSON object, as `torus-sim run --config` reads it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../report/json.h"
#include "../../parse/integer.h"
#include "../../parse/pair_file.h"
#include "../../parse/pattern.h"
#include "../../parse/shape.h"
#include "../../parse/time.h"
#include "../../parse/parse.h"
#include "../../report/report.h"
#include "../../config/config.h"
#include "../../config/diag.h"
#include "state.h"
#include "../../parse/workload.h"
#include "run.h"

#define DIGITS_MAX	20	/* a fraction has fewer digits */
/* buffer size for the list of hot nodes as text */
#define TEXT_MAX	1024

/* ---------------------------------------------------------- fabric to options */

static void add_number(struct json_object *object, const char *key, __u64 number)
{
	char text[2 * DIGITS_MAX];

	snprintf(text, sizeof(text), "%llu", number);
	report_add_text(object, key, text);
}

/* Add a fraction with as few digits as are needed to read back the same value. */
static void add_fraction(struct json_object *object, const char *key, __u64 fraction)
{
	struct parse_error why;
	char text[2 * DIGITS_MAX];
	__u64 again;
	int digits;

	for (digits = 1; digits < DIGITS_MAX; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits,
			 parse_double(fraction, PARSE_LOAD_BITS));
		if (parse_fraction(key, text, PARSE_LOAD_BITS, ~0u, &again, &why) &&
		    again == fraction)
			break;
	}
	report_add_text(object, key, text);
}

static bool any(const uint32_t *numbers, unsigned int count)
{
	while (count && !numbers[count - 1])
		count--;
	return count;
}

static void add_coords(struct json_object *object, const char *key, const uint32_t *coords,
		       unsigned int count)
{
	char text[PARSE_COORDS_MAX] = "";
	size_t used = 0;
	unsigned int d;

	for (d = 0; d < count && used < sizeof(text); d++)
		used += snprintf(text + used, sizeof(text) - used, "%s%u", d ? "," : "", coords[d]);
	report_add_text(object, key, text);
}

/* Add the parameters of a workload that torus-sim's option --set sets. */
static void add_set(struct json_object *set, const struct torus_nl_fabric *fabric,
		    const struct torus_traffic *traffic)
{
	bool fill = traffic->pattern == TORUS_PATTERN_LINEFILL ||
		    traffic->pattern == TORUS_PATTERN_PLANEFILL;
	const struct {
		const char *key;
		__u64 number;
	} numbers[] = {
		{ "class", traffic->packet_class }, { "burst", traffic->burst },
		{ "reply", traffic->reply }, { "outstanding", traffic->outstanding },
	};
	char shape[PARSE_SHAPE_MAX], hot[TEXT_MAX];
	size_t used = 0;
	__u64 i;

	if (any(traffic->region, fabric->ndims))
		report_add_text(set, "region", parse_shape_text(fabric->ndims, traffic->region,
								shape, sizeof(shape)));
	if (any(traffic->region_at, fabric->ndims))
		add_coords(set, fill ? "root_at" : "region_at", traffic->region_at, fabric->ndims);
	for (i = 0; i < traffic->hots && i < TORUS_HOTS_MAX; i++)
		used += snprintf(hot + used, sizeof(hot) - used, "%s%u", i ? " " : "",
				 traffic->hot[i]);
	if (used)
		report_add_text(set, "hot", hot);
	if (traffic->pattern == TORUS_PATTERN_HOTREGION ||
	    traffic->pattern == TORUS_PATTERN_HOTSPOT)
		add_fraction(set, "share", traffic->share);
	if (traffic->arrivals)
		report_add_text(set, "arrivals", "bernoulli");
	if (traffic->pacing)
		add_fraction(set, "pacing", traffic->pacing);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (numbers[i].number)
			add_number(set, numbers[i].key, numbers[i].number);
}

static void add_traffic(struct json_object *doc, const struct torus_traffic *traffic)
{
	char size[2 * DIGITS_MAX];

	snprintf(size, sizeof(size), "%u:%u", traffic->size_min, traffic->size_max);
	report_add_text(doc, "pattern", parse_pattern_name(traffic->pattern));
	report_add_text(doc, "size", size);
	if (traffic->cycles) {
		add_fraction(doc, "load", traffic->load);
		add_number(doc, "cycles", traffic->cycles);
		add_number(doc, "warmup", traffic->warmup);
	} else {
		add_number(doc, "packets", traffic->packets);
	}
}

/* Convert the arguments of `fabric add`, without domains, to options. Add parameters to @set. */
static void add_words(struct json_object *doc, struct json_object *set, char *words)
{
	char *save = NULL, *key, *word;

	for (key = strtok_r(words, " ", &save); key; key = strtok_r(NULL, " ", &save)) {
		word = strtok_r(NULL, " ", &save);
		if (!word)
			return;
		if (!strcmp(key, "arch") || !strcmp(key, "shape") || !strcmp(key, "mesh") ||
		    !strcmp(key, "seed"))
			report_add_text(doc, key, word);
		else if (strcmp(key, "domains"))
			report_add_text(set, key, word);
	}
}

/*
 * Return a description of a property of the fabric or workload that options cannot describe; NULL
 * if there is none.
 */
static const char *lacks(const struct config *config, const struct torus_traffic *traffic)
{
	size_t i;

	if (traffic->pattern == TORUS_PATTERN_TABLE)
		return "its workload uses a list of pairs, and the name of its file is unknown";
	if (traffic->batches)
		return "its workload is measured in parts (a series)";
	for (i = 0; i < config->count; i++)
		if (config->lines[i].kind == CONFIG_ROUTE)
			return "its routing tables differ from those of a new fabric";
	return NULL;
}

/**
 * state_run_json - convert a fabric and its workload to options of torus-sim
 * @ctl: the call, connected
 * @fabric: the fabric
 * @traffic: its workload
 *
 * Faults are omitted, because the state contains the faults that are still scheduled.
 *
 * Return: the object, freed with json_object_put(); NULL after an error message.
 */
struct json_object *state_run_json(struct ctl *ctl, const struct torus_nl_fabric *fabric,
				   const struct torus_traffic *traffic)
{
	struct json_object *doc, *set;
	struct config config;
	const char *why;
	size_t i;

	if (config_read(ctl, fabric->name, &config))
		return NULL;
	why = lacks(&config, traffic);
	if (why) {
		ctl_error(ctl, "fabric %s: torus-sim cannot continue this state: %s", fabric->name,
			  why);
		config_free(&config);
		return NULL;
	}
	doc = json_object_new_object();
	set = json_object_new_object();
	for (i = 0; i < config.count; i++)
		if (config.lines[i].kind == CONFIG_FABRIC)
			add_words(doc, set, config.lines[i].tail);
	config_free(&config);
	add_traffic(doc, traffic);
	add_set(set, fabric, traffic);
	if (json_object_object_length(set))
		json_object_object_add(doc, "set", set);
	else
		json_object_put(set);
	return doc;
}

/* ---------------------------------------------------------- options to fabric */

/* Return a JSON value as text, for use as an argument. */
static const char *value_word(struct json_object *value)
{
	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) :
	       json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
}

static int take_set(struct ctl *ctl, struct json_object *pairs, struct state_run *run)
{
	int status = CTL_OK;
	char **pair;

	if (!json_object_is_type(pairs, json_type_object))
		return ctl_reject(ctl, "set %s: must be an object of keys and values",
				  value_word(pairs));
	json_object_object_foreach(pairs, key, value) {
		unsigned int i = xt_key_find(key);

		if (i < XT_KEYS) {
			run->words[i] = value_word(value);
			continue;
		}
		if (run->npairs == STATE_PAIRS_MAX)
			return ctl_reject(ctl, "set %s: must have at most %d keys",
					  key, STATE_PAIRS_MAX);
		pair = &run->pairs[run->npairs];
		if (asprintf(pair, "%s=%s", key, value_word(value)) < 0)
			return ctl_reject(ctl, "set %s: out of memory", key);
		run->npairs++;
		status = traffic_args_option(ctl, &run->traffic, "--set", *pair);
		if (status)
			break;
	}
	return status;
}

static int take_table(struct ctl *ctl, struct json_object *value, struct state_run *run)
{
	struct state_table *table = &run->tables[run->ntables];
	struct json_object *file = value, *at = NULL;
	struct parse_error why;

	if (run->ntables == STATE_TABLES_MAX)
		return ctl_reject(ctl, "table %s: there must be at most %d tables",
				  value_word(value), STATE_TABLES_MAX);
	if (json_object_is_type(value, json_type_object)) {
		json_object_object_get_ex(value, "at", &at);
		if (!json_object_object_get_ex(value, "file", &file))
			return ctl_reject(ctl, "table %s: its file is missing", value_word(value));
	}
	run->ntables++;
	table->file = value_word(file);
	if (at && !parse_time("at", value_word(at), &table->at, &why))
		return ctl_reject(ctl, "table %s: %s", table->file, why.text);
	return CTL_OK;
}

static int take_tables(struct ctl *ctl, struct json_object *list, struct state_run *run)
{
	int status = CTL_OK;
	size_t i;

	if (!json_object_is_type(list, json_type_array))
		return ctl_reject(ctl, "table %s: must be a list", value_word(list));
	for (i = 0; i < json_object_array_length(list) && !status; i++)
		status = take_table(ctl, json_object_array_get_idx(list, i), run);
	return status;
}

static bool is_in(const char *key, const char *const *list)
{
	while (*list && strcmp(key, *list))
		list++;
	return *list;
}

static int run_take_key(struct ctl *ctl, const char *key, struct json_object *value,
			struct state_run *run)
{
	static const char *const fabric[] = { "arch", "shape", "mesh", "seed", NULL };
	static const char *const load[] = {
		"pattern", "load", "packets", "size", "cycles", "warmup", NULL
	};
	/*
	 * skip faults, because the state contains them; skip keys that divide a run among threads,
	 * because results do not depend on them
	 */
	static const char *const passed[] = { "fault", "threads", "domains", "apart", NULL };
	const char *word = value_word(value);
	char option[16];

	if (is_in(key, passed))
		return CTL_OK;
	if (!strcmp(key, "set"))
		return take_set(ctl, value, run);
	if (!strcmp(key, "table"))
		return take_tables(ctl, value, run);
	if (is_in(key, fabric))
		return fabric_args_word(ctl, &run->fabric, key, word);
	if (!is_in(key, load) || !strcmp(word, "auto"))
		return ctl_reject(ctl, "%s %s: the module cannot measure this, only torus-sim can",
				  key,
				  word);
	snprintf(option, sizeof(option), "--%s", key);
	return traffic_args_option(ctl, &run->traffic, option, word);
}

/**
 * state_run_take - parse the options in a state file
 * @doc: the options; must stay valid as long as @run
 * @run: [out] the parsed options; freed with state_run_free(), even after an error
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int state_run_take(struct ctl *ctl, struct json_object *doc, struct state_run *run)
{
	int status = CTL_OK;

	*run = (struct state_run){ .ntables = 0 };
	parse_workload_init(&run->traffic.load);
	if (!json_object_is_type(doc, json_type_object))
		return ctl_reject(ctl, "the options in the file must be a JSON object");
	json_object_object_foreach(doc, key, value) {
		status = run_take_key(ctl, key, value, run);
		if (status)
			return status;
	}
	memcpy(run->fabric.params, run->traffic.params,
	       run->traffic.nparams * sizeof(run->traffic.params[0]));
	run->fabric.spec.nparams = run->traffic.nparams;
	return traffic_args_check(ctl, &run->traffic);
}

/**
 * state_run_free - free parsed options
 */
void state_run_free(struct state_run *run)
{
	while (run->npairs)
		free(run->pairs[--run->npairs]);
	parse_pairs_free(&run->traffic.pairs);
}
