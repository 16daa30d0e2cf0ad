// SPDX-License-Identifier: GPL-2.0
/*
 * The file of --write-config: the given options without those of the output, and the default of
 * each other option and key. With this file, --config repeats the run even if a later version has
 * other defaults.
 *
 * Options without a default value are omitted, unless they were given. So are threads and domains:
 * no result depends on them. Values of keys in which the points of a sweep differ are only in
 * "over" or "loads".
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "../../common/output_file.h"
#include "../../report/report.h"
#include "core/workload/broadcast_fill.h"
#include "core/run/params.h"
#include "config.h"
#include "../base/json.h"
#include "../base/output_file.h"
#include "sweep_axes.h"
#include "pin.h"
#include "../base/message.h"

#define PARSE_MAX	512

/**
 * struct pins - configuration that is completed with defaults
 * @options: options of the run, or of a sweep's first setting
 * @axes: keys in which points of a sweep differ, or NULL
 * @doc: the configuration
 * @set: the object "set" of @doc
 */
struct pins {
	const struct sim_run_config *options;
	const struct sim_axes *axes;
	struct json_object *doc;
	struct json_object *set;
};

static bool is_axis(const struct pins *pins, const char *key)
{
	u32 i;

	for (i = 0; pins->axes && i < pins->axes->count; i++)
		if (!strcmp(pins->axes->axis[i].key, key))
			return true;
	return false;
}

/*
 * Add the value of a key, unless an option sets the key or the points of the sweep differ in it.
 */
static void pin(const struct pins *pins, struct json_object *to, const char *key, const char *word)
{
	if (!json_object_object_get_ex(to, key, NULL) && !is_axis(pins, key))
		json_object_object_add(to, key, sim_config_value(word));
}

static void pin_number(const struct pins *pins, struct json_object *to, const char *key, u64 value)
{
	char word[24];

	snprintf(word, sizeof(word), "%llu", value);
	pin(pins, to, key, word);
}

/* Add the origin (0,0,..) as a node's coordinates. */
static void pin_origin(const struct pins *pins, const char *key)
{
	u32 ndims = pins->options->config.geo.ndims, i;
	char word[2 * TORUS_DIMS_MAX] = "";

	/* machines differ in the number of dimensions */
	if (is_axis(pins, "shape") || is_axis(pins, "arch"))
		return;
	for (i = 0; i < ndims; i++)
		strcat(word, i ? ",0" : "0");
	pin(pins, pins->set, key, word);
}

static void pin_traffic(const struct pins *pins)
{
	const struct torus_traffic *t = &pins->options->load.traffic;
	bool open = t->load;

	if (pins->options->config.arch->classes && !is_axis(pins, "arch"))
		pin(pins, pins->set, "class", "0");
	if (open)
		pin(pins, pins->set, "arrivals", "poisson");
	if (open && t->pattern != TORUS_PATTERN_TABLE)
		pin(pins, pins->set, "burst", "1");
	if (!open)
		pin(pins, pins->set, "pacing", "0");
	if (is_axis(pins, "pattern"))
		return;
	if (t->pattern == TORUS_PATTERN_HOTREGION || t->pattern == TORUS_PATTERN_HOTSPOT)
		pin(pins, pins->set, "share", "1");
	if (t->pattern == TORUS_PATTERN_HOTREGION)
		pin_origin(pins, "region_at");
	if (torus_fill_is((u32)t->pattern))
		pin_origin(pins, "root_at");
}

/*
 * Add parameters of the machine, and routing parameters if the machine has tables and no --table is
 * given.
 */
static void pin_machine(const struct pins *pins)
{
	const struct torus_config *config = &pins->options->config;
	char word[PARSE_MAX];
	u32 i;

	for (i = 0; i < torus_param_count(config->arch); i++) {
		const struct torus_param *param = torus_param_at(config->arch, i);

		if (param)
			pin(pins, pins->set, param->name,
			    torus_config_text(config, i, word, sizeof(word)));
	}
	if (!config->arch->routes_make || pins->options->tables.nfiles)
		return;
	for (i = 0; i < XT_KEYS; i++)
		if (xt_key_default(i))
			pin(pins, pins->set, xt_key_names[i], xt_key_default(i));
}

/*
 * Add the options of a window, and --limit if the run determines the length of its warm-up or
 * window.
 */
static void pin_window(const struct pins *pins)
{
	const struct sim_run_config *o = pins->options;

	if (!o->load.traffic.load)
		return;
	pin_number(pins, pins->doc, "cycles", o->window);
	if (!o->warmup_found)
		pin_number(pins, pins->doc, "warmup", o->load.traffic.warmup);
	if ((o->until > 0 || o->warmup_found) && !is_axis(pins, "cycles"))
		pin_number(pins, pins->doc, "limit", o->limit);
}

static void pin_sizes(const struct pins *pins)
{
	const struct torus_traffic *t = &pins->options->load.traffic;
	char word[32];

	if (t->size_min == t->size_max)
		snprintf(word, sizeof(word), "%u", t->size_min);
	else
		snprintf(word, sizeof(word), "%u:%u", t->size_min, t->size_max);
	pin(pins, pins->doc, "size", word);
}

/* Build the configuration with all values that the run uses. */
static struct json_object *pinned(const struct sim_cmdline *typed,
				  const struct sim_run_config *options, const struct sim_axes *axes)
{
	struct pins pins = { .options = options, .axes = axes };

	pins.doc = sim_config_json(typed, SIM_FOR_RUN | SIM_FOR_SWEEP);
	if (!json_object_object_get_ex(pins.doc, "set", &pins.set)) {
		pins.set = json_object_new_object();
		json_object_object_add(pins.doc, "set", pins.set);
	}
	pin(&pins, pins.doc, "mesh", "none");
	pin_number(&pins, pins.doc, "seed", options->config.seed);
	pin_window(&pins);
	pin_traffic(&pins);
	/*
	 * if the machine differs between points, do not add sizes and parameters, which depend on
	 * the machine
	 */
	if (is_axis(&pins, "arch"))
		return pins.doc;
	if (sim_rdma_requested(options))
		pin_number(&pins, pins.doc, "length", SIM_RDMA_LENGTH);
	else if (!options->timed)
		pin_sizes(&pins);
	pin_machine(&pins);
	return pins.doc;
}

/**
 * sim_pin_write - write the file of --write-config, if the option was given
 * @typed: the options
 * @options: parsed options; of a sweep, those of its first setting
 * @axes: keys in which points of a sweep differ, or NULL
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_pin_write(const struct sim_cmdline *typed, const struct sim_run_config *options,
		  const struct sim_axes *axes)
{
	FILE *out;

	if (!typed->write_config)
		return SIM_OK;
	if (sim_extension("--write-config", typed->write_config, ".json"))
		return SIM_USAGE;
	out = torus_output_open(typed->write_config);
	if (!out)
		return sim_reject("--write-config %s: %s", typed->write_config, strerror(errno));
	sim_json_write(out, pinned(typed, options, axes));
	if (!torus_output_close(out, typed->write_config))
		return sim_error("--write-config %s: %s", typed->write_config, strerror(errno));
	return SIM_OK;
}
