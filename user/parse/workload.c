// SPDX-License-Identifier: GPL-2.0
/* Parse the options of a workload, for `torusctl traffic` and `torus-sim run`. */
#include <stdint.h>
#include <string.h>

#include "../machine/machine.h"
#include "hotspot.h"
#include "integer.h"
#include "pattern.h"
#include "shape.h"
#include "parse.h"
#include "workload.h"

#define LOAD_MAX	2
#define PACING_MAX	2
#define WHOLE		(1ull << PARSE_LOAD_BITS)

/**
 * parse_workload_init - initialize a workload for which no options were parsed yet
 */
void parse_workload_init(struct parse_workload *load)
{
	memset(load, 0, sizeof(*load));
}

/**
 * parse_workload_size - set the packet size to the machine's default, if no size was given
 * @machine: description of the machine, or NULL
 */
void parse_workload_size(struct parse_workload *load, const struct torus_machine *machine)
{
	if (load->traffic.size_max || !machine)
		return;
	load->traffic.size_min = machine->packet_bytes;
	load->traffic.size_max = machine->packet_bytes;
}

/**
 * parse_workload_pattern - set the traffic pattern
 * @load: [in, out] the workload
 * @word: name of the pattern
 * @why: [out] reason for a rejection
 *
 * Return: false if there is no pattern with that name.
 */
bool parse_workload_pattern(struct parse_workload *load, const char *word, struct parse_error *why)
{
	if (!parse_pattern(word, &load->traffic.pattern, why))
		return false;
	load->pattern = word;
	return true;
}

static bool workload_arrivals(struct parse_workload *load, const char *word,
			      struct parse_error *why)
{
	load->traffic.arrivals = !strcmp(word, "bernoulli");
	if (load->traffic.arrivals || !strcmp(word, "poisson"))
		return true;
	return parse_fail(why, "arrivals %s: must be poisson or bernoulli", word);
}

/**
 * parse_workload_set - parse KEY=VALUE if it belongs to the workload
 * @load: [in, out] the workload
 * @key: KEY
 * @word: VALUE
 * @taken: [out] false if the key does not belong to the workload
 * @why: [out] reason for a rejection
 *
 * Return: false if the value is rejected. If the key is not one of the workload, @taken is false
 * and the function returns true.
 */
bool parse_workload_set(struct parse_workload *load, const char *key, const char *word,
			bool *taken, struct parse_error *why)
{
	*taken = true;
	if (!strcmp(key, "region")) {
		load->region_word = word;
		return parse_shape(key, word, &load->region, why);
	}
	if (!strcmp(key, "region_at") || !strcmp(key, "root_at")) {
		load->at_key = !strcmp(key, "root_at") ? "root_at" : "region_at";
		load->at_word = word;
		return parse_coords(key, word, &load->at, why);
	}
	if (!strcmp(key, "hot")) {
		load->hot_word = word;
		return true;
	}
	if (!strcmp(key, "share")) {
		load->has_share = true;
		return parse_fraction(key, word, PARSE_LOAD_BITS, 1, &load->traffic.share, why);
	}
	if (!strcmp(key, "pacing"))
		return parse_fraction(key, word, PARSE_LOAD_BITS, PACING_MAX,
				      &load->traffic.pacing, why);
	if (!strcmp(key, "class"))
		return parse_number(key, word, 0, UINT32_MAX, &load->traffic.packet_class, why);
	if (!strcmp(key, "burst"))
		return parse_number(key, word, 1, UINT32_MAX, &load->traffic.burst, why);
	if (!strcmp(key, "reply"))
		return parse_number(key, word, 1, UINT32_MAX, &load->traffic.reply, why);
	if (!strcmp(key, "outstanding"))
		return parse_number(key, word, 1, UINT32_MAX, &load->traffic.outstanding, why);
	if (!strcmp(key, "arrivals"))
		return workload_arrivals(load, word, why);
	*taken = false;
	return true;
}

/**
 * parse_workload_loop - check that the options select an open or a closed loop
 * @load: true if --load was given, for an open loop
 * @packets: true if --packets was given, for a closed loop
 * @cycles: true if --cycles was given
 * @warmup: true if --warmup was given
 * @why: [out] reason for a rejection
 *
 * Return: false if the options select neither or both loops, or contradict a closed loop.
 */
bool parse_workload_loop(bool load, bool packets, bool cycles, bool warmup, struct parse_error *why)
{
	if (load && packets)
		return parse_fail(why, "--load and --packets: must not be combined");
	if (!load && !packets)
		return parse_fail(why, "--load or --packets is missing");
	if (packets && (cycles || warmup))
		return parse_fail(why, "--packets: must not be combined with %s, it measures until "
				  "the last delivery",
				  cycles ? "--cycles" : "--warmup");
	return true;
}

static bool workload_dims(const char *key, const char *word, const struct parse_list *list,
			  unsigned int ndims, struct parse_error *why)
{
	return list->count == ndims ||
	       parse_fail(why, "--set %s %s: %u dimensions, but the fabric has %u", key, word,
			  list->count, ndims);
}

/**
 * parse_workload_finish - complete a workload once its fabric is known
 * @load: [in, out] the workload with all options; its member @traffic is completed
 * @machine: machine of the fabric, or NULL
 * @shape: shape of the fabric
 * @why: [out] reason for a rejection
 *
 * Return: false if an option is missing or does not fit the fabric or the pattern.
 */
bool parse_workload_finish(struct parse_workload *load, const struct torus_machine *machine,
			   const struct torus_machine_shape *shape, struct parse_error *why)
{
	struct torus_traffic *traffic = &load->traffic;
	bool region = traffic->pattern == TORUS_PATTERN_HOTREGION;
	bool spot = traffic->pattern == TORUS_PATTERN_HOTSPOT;
	bool fill = traffic->pattern == TORUS_PATTERN_LINEFILL ||
		    traffic->pattern == TORUS_PATTERN_PLANEFILL;

	if (load->at_word && !strcmp(load->at_key, "root_at") && !fill)
		return parse_fail(why, "--set root_at: pattern %s has no root", load->pattern);
	if (load->region_word && !workload_dims("region", load->region_word, &load->region,
						shape->ndims, why))
		return false;
	if (load->at_word && !workload_dims(load->at_key, load->at_word, &load->at, shape->ndims,
					    why))
		return false;
	if (!region && !spot)
		traffic->share = 0;
	else if (region && !load->region.count)
		return parse_fail(why, "--set region is missing: must be the lengths of the hot "
				  "region, like 2x2x2");
	else if (spot && !load->hot_word)
		return parse_fail(why, "--set hot is missing: must list the hot nodes, like "
				  "\"0,0,0 3,3,3\"");
	else if (!load->has_share)
		traffic->share = WHOLE;
	if (spot && !parse_hot(load->hot_word, machine, shape, traffic, why))
		return false;
	memcpy(traffic->region, load->region.numbers,
	       load->region.count * sizeof(traffic->region[0]));
	memcpy(traffic->region_at, load->at.numbers,
	       load->at.count * sizeof(traffic->region_at[0]));
	return true;
}

/**
 * parse_load - parse an offered load
 * @what: name of the value, for the error message
 * @word: a number such as "0.9"
 * @load: [out] the load in units of 2^-PARSE_LOAD_BITS
 * @why: [out] reason for a rejection
 *
 * Return: false unless the load is above 0 and at most 2.
 */
bool parse_load(const char *what, const char *word, __u64 *load, struct parse_error *why)
{
	__u64 value;

	if (!parse_fraction(what, word, PARSE_LOAD_BITS, LOAD_MAX, &value, why))
		return false;
	if (!value)
		return parse_fail(why, "%s %s: must be more than 0", what, word);
	*load = value;
	return true;
}
