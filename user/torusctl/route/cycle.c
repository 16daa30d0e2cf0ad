// SPDX-License-Identifier: GPL-2.0
/* Convert cycles of waiting channels, found by a check of routes, to a record. */
#include <json-c/json.h>

#include "../../report/json.h"
#include "../../report/report.h"
#include "../../parse/shape.h"
#include "../../parse/parse.h"
#include "cycle.h"

#define CIRCLES_SHOWN	8	/* maximum number of cycles that the text shows */

/**
 * route_cycle_json - add "cycles" and "cycle_paths" to a record
 * @doc: [in, out] the record; for text output, only the first cycles are added
 * @cdg: result of the check, with the cycles
 * @g: geometry of the machine
 * @node_json: function that converts a node to a record
 */
void route_cycle_json(const struct ctl *ctl, struct json_object *doc, const struct cdg *cdg,
		      const struct torus_geometry *g, route_node_json *node_json)
{
	u32 shown = route_cycle_more(ctl, doc, cdg->ncycles, CDG_CYCLES);
	struct json_object *paths = json_object_new_array(), *path, *one;
	const struct cdg_channel *channel;
	char dir[PARSE_DIR_MAX];
	u32 i, count;

	report_add_u64(doc, "cycles", cdg->ncycles);
	for (i = 0; i < shown; i++) {
		path = json_object_new_array();
		channel = cdg_cycle(cdg, i, &count);
		for (; count--; channel++) {
			one = node_json(g, channel->node);
			report_add_text(one, "dir", parse_dir_name(channel->dir, dir, sizeof(dir)));
			report_add_u64(one, "vc", channel->vc);
			json_object_array_add(path, one);
		}
		json_object_array_add(paths, path);
	}
	json_object_object_add(doc, "cycle_paths", paths);
}

/**
 * route_cycle_more - add to a record how many cycles the text omits
 * @doc: [in, out] the record
 * @found: number of cycles found
 * @most: maximum number of cycles that the check searches for
 *
 * Return: the number of cycles to show.
 */
u32 route_cycle_more(const struct ctl *ctl, struct json_object *doc, u32 found, u32 most)
{
	if (ctl->json || found <= CIRCLES_SHOWN)
		return found;
	report_add_bool(doc, "at_least", found == most);
	report_add_u64(doc, "more", found - CIRCLES_SHOWN);
	return CIRCLES_SHOWN;
}
