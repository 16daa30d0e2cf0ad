// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl route heat: map the VC balance of the links that leave each node, one map per direction.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../common/output_file.h"
#include "../../report/heatmap.h"
#include "../../config/extension.h"
#include "../print/output.h"
#include "heat.h"
#include "heat_load.h"
#include "table_heat.h"
#include "table_print.h"
#include "../../config/diag.h"
#include "../../config/tabled.h"
#include "../../route/xt/vc_balance.h"
#include "../../parse/shape.h"

/*
 * Compute the VC balance of a link. Return false if the link does not exist or has transmitted no
 * packets.
 */
static bool balance_of(const struct heat *heat, uint32_t node, uint32_t dir, double *balance)
{
	const uint64_t *load = heat->load[node][dir];

	if (!load[0] && !load[1])
		return false;
	*balance = xt_balance_link(load[0], load[1]);
	return true;
}

static struct json_object *grid_json(const struct heat *heat, uint32_t dir)
{
	const uint32_t *dims = heat->map->dims;
	struct json_object *planes = json_object_new_array();
	uint32_t x, y, z;
	double balance;

	for (x = 0; x < dims[0]; x++) {
		struct json_object *rows = json_object_new_array();

		for (y = 0; y < dims[1]; y++) {
			struct json_object *row = json_object_new_array();

			for (z = 0; z < dims[2]; z++) {
				bool busy = balance_of(heat, xt_node(heat->map, x, y, z), dir,
						       &balance);

				json_object_array_add(row, busy ?
						      json_object_new_double(balance) : NULL);
			}
			json_object_array_add(rows, row);
		}
		json_object_array_add(planes, rows);
	}
	return planes;
}

static void print_json(struct ctl *ctl, const struct route_spec *target,
		       const struct heat *heat)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *heats = json_object_new_object();
	char name[PARSE_DIR_MAX];
	uint32_t dir;

	table_machine_json(doc, target);
	if (target->xt.tables)
		table_lines_json(doc, target->xt.tables->dateline);
	for (dir = 0; dir < XT_DIRS; dir++)
		if (heat->map->dims[XT_DIM(dir)] > 1)
			json_object_object_add(heats, parse_dir_name(dir, name, sizeof(name)),
					       grid_json(heat, dir));
	json_object_object_add(doc, "heat", heats);
	output_json(ctl, doc);
}

static double map_value(const struct report_heat *of, uint32_t node, unsigned int dir)
{
	const struct heat *heat = of->arg;
	const uint32_t *dims = of->dims;
	double balance;

	node = xt_node(heat->map, node % dims[0], node / dims[0] % dims[1],
		       node / dims[0] / dims[1]);
	return balance_of(heat, node, dir, &balance) ? balance : NAN;
}

static int draw_file(struct ctl *ctl, const char *path, const struct report_heat *heat)
{
	FILE *out = torus_output_open(path);

	if (!out)
		return ctl_reject(ctl, "svg %s: %s", path, strerror(errno));
	report_heat_picture(out, heat, "VC balance by link",
			    "difference of the packets on both VCs, as a fraction of the "
			    "link's packets");
	if (torus_output_close(out, path))
		return CTL_OK;
	ctl_error(ctl, "svg %s: %s", path, strerror(errno));
	return CTL_FAILED;
}

/*
 * Compute the packets on each link. If the call requests it, read them from the file of a run or
 * from a fabric's counters. Otherwise compute them from tables.
 */
static int load_heat(struct ctl *ctl, const char *name, struct route_spec *target,
		     struct heat *heat)
{
	const char *from = target->values[ROUTE_KEY_FROM], *links = target->values[ROUTE_KEY_LINKS];
	int status;

	if (from && strcmp(from, "tables") && strcmp(from, "counters"))
		return ctl_reject(ctl, "from %s: must be tables or counters", from);
	if (links && target->values[ROUTE_KEY_TABLE])
		return ctl_reject(ctl, "links %s: must not be combined with table %s",
				  links, target->values[ROUTE_KEY_TABLE]);
	if (links)
		return heat_by_links(ctl, links, heat);
	if (from && !strcmp(from, "counters"))
		return heat_by_counters(ctl, name, heat);
	status = route_spec_tables(ctl, target);
	return status ? status : heat_by_tables(ctl, target->xt.tables, heat);
}

static int show(struct ctl *ctl, const struct route_spec *target, const struct heat *heat)
{
	const struct report_heat maps = {
		.ndims = XT_DIMS, .dims = heat->map->dims, .value = map_value, .arg = heat,
		.directions = true, .none = "idle",
	};
	int status = CTL_OK;

	if (target->values[ROUTE_KEY_SVG])
		status = draw_file(ctl, target->values[ROUTE_KEY_SVG], &maps);
	if (!status && ctl->json)
		print_json(ctl, target, heat);
	else if (!status && !target->values[ROUTE_KEY_SVG])
		report_heat_links(stdout, &maps, "VC balance, in tenths");
	return status;
}

/**
 * route_table_heat - run torusctl route heat FABRIC|arch ..
 * @args: the fabric or the machine, the source of the counts, and optionally a file for a picture
 *
 * Return: CTL_OK; CTL_FAILED or CTL_USAGE after an error message.
 */
int route_table_heat(struct ctl *ctl, struct ctl_args *args)
{
	bool fabric = !route_spec_meant(args);
	const char *name = args->at < args->count ? args->words[args->at] : NULL;
	unsigned int takes = ROUTE_TAKES(ROUTE_KEY_SVG);
	struct route_spec target;
	struct heat heat = { 0 };
	int status;

	takes |= fabric ? ROUTE_TAKES(ROUTE_KEY_FROM) :
			  ROUTE_TAKES_TABLE | ROUTE_TAKES(ROUTE_KEY_LINKS);
	status = route_spec_take(ctl, args, takes, 0, &target);
	if (!status && target.values[ROUTE_KEY_SVG] && !strcmp(target.values[ROUTE_KEY_SVG], "-"))
		status = ctl_reject(ctl,
				    "svg -: must be a file, because standard output is used for "
				    "the result");
	if (!status && target.values[ROUTE_KEY_SVG])
		status = output_extension(ctl, "svg", target.values[ROUTE_KEY_SVG], ".svg");
	if (!status) {
		heat.map = target.xt.map;
		heat.load = calloc(heat.map->nodes, sizeof(*heat.load));
		if (!heat.load) {
			ctl_error(ctl, "out of memory");
			status = CTL_FAILED;
		}
	}
	if (!status)
		status = load_heat(ctl, name, &target, &heat);
	if (!status)
		status = show(ctl, &target, &heat);
	free(heat.load);
	route_spec_free(&target);
	return status;
}
