// SPDX-License-Identifier: GPL-2.0
/* Convert machines, datelines and the results of checks of routing tables to records. */
#include <stdio.h>
#include <string.h>

#include "../print/output.h"
#include "../../report/json.h"
#include "../../parse/shape.h"
#include "table_print.h"

#define FAILURES_SHOWN	8	/* maximum number of unreached pairs that the text shows */
#define KEY_MAX		32	/* buffer size for a JSON key */

/**
 * table_node_json - add the NID and the coordinates of a node to a record
 * @doc: [in, out] the record
 * @key: key of the NID; the coordinates have the key KEY_coords
 * @map: map of the machine
 * @node: the node
 */
void table_node_json(struct json_object *doc, const char *key, const struct xt_map *map,
		     uint32_t node)
{
	struct json_object *list = json_object_new_array();
	char name[KEY_MAX];
	unsigned int dim;

	for (dim = 0; dim < XT_DIMS; dim++)
		json_object_array_add(list, json_object_new_uint64(map->at[node][dim]));
	report_add_u64(doc, key, xt_nid(map, node));
	snprintf(name, sizeof(name), "%s_coords", key);
	json_object_object_add(doc, name, list);
}

/**
 * table_lines_json - add the coordinates of the datelines to a record
 * @doc: [in, out] the record
 * @lines: by dimension: coordinate of the dateline; XT_NONE becomes null
 */
void table_lines_json(struct json_object *doc, const uint32_t *lines)
{
	struct json_object *list = json_object_new_array();
	unsigned int dim;

	for (dim = 0; dim < XT_DIMS; dim++)
		json_object_array_add(list, lines[dim] == XT_NONE ? NULL :
				      json_object_new_uint64(lines[dim]));
	json_object_object_add(doc, "datelines", list);
}

/**
 * table_machine_json - add the description of a machine to a record
 * @doc: [in, out] the record
 * @target: the machine
 */
void table_machine_json(struct json_object *doc, const struct route_spec *target)
{
	const struct xt_map *map = target->xt.map;
	char shape[PARSE_SHAPE_MAX];

	report_add_text(doc, "arch", XT_ARCH);
	report_add_text(doc, "shape", parse_shape_text(XT_DIMS, map->dims, shape, sizeof(shape)));
	output_mesh(doc, "mesh", map->mesh);
	report_add_u64(doc, "nodes", map->nodes);
	report_add_u64(doc, "planes", map->planes);
	report_add_u64(doc, "regions", map->regions);
	if (!target->xt.has_route)
		return;
	report_add_text(doc, "policy", xt_policy_name(target->xt.route.policy));
	report_add_text(doc, "ties", target->xt.route.ties ? "split" : "plus");
}

#define END_KEY(end, key)	[end] = #key,

/* JSON keys for the numbers of unreached pairs, by enum xt_end. */
static const char *const end_keys[XT_ENDS] = { TABLE_EACH_UNREACHED(END_KEY) };

/**
 * table_ends_json - convert the results of a check of all pairs to a record
 * @sets: number of sets of cables for which the tables were checked
 * @pairs: number of pairs
 * @ends: by enum xt_end: number of pairs whose packets end in this way
 * @cycles: number of cycles of waiting channels. For a survey, number of sets of cables with such a
 *    cycle
 *
 * Return: the record.
 */
struct json_object *table_ends_json(uint64_t sets, uint64_t pairs, const uint64_t *ends,
				    uint64_t cycles)
{
	struct json_object *doc = json_object_new_object();
	unsigned int end;

	report_add_u64(doc, "sets", sets);
	report_add_u64(doc, "pairs", pairs);
	report_add_u64(doc, "reached", ends[XT_END_REACHED]);
	report_add_u64(doc, "unreached", pairs - ends[XT_END_REACHED]);
	report_add_u64(doc, "cycles", cycles);
	for (end = XT_END_LOOP; end < XT_ENDS; end++)
		report_add_u64(doc, end_keys[end], ends[end]);
	return doc;
}

/*
 * Return the rule that fails for a pair; the fate of the packet if no rule is known, as for tables
 * from a file or a fabric.
 */
static const char *failure_rule(const struct xt_failure *failure)
{
	return failure->rule == XT_RULES ? xt_end_name(failure->end) :
	       xt_rule_name(failure->rule);
}

/**
 * table_failures_json - add unreached pairs to a record
 * @doc: [in, out] the record; for text output, only the first pairs are added
 * @map: map of the machine
 * @failures: the pairs
 * @sets: by pair: number of the set of cables; NULL if there is only one set
 * @count: number of pairs
 */
void table_failures_json(const struct ctl *ctl, struct json_object *doc, const struct xt_map *map,
			 const struct xt_failure *failures, const uint64_t *sets, uint32_t count)
{
	struct json_object *list = json_object_new_array();
	uint32_t i;

	if (!ctl->json && count > FAILURES_SHOWN) {
		count = FAILURES_SHOWN;
		report_add_bool(doc, "more_failures", true);
	}
	for (i = 0; i < count; i++) {
		struct json_object *one = json_object_new_object();

		if (sets)
			report_add_u64(one, "set", sets[i]);
		table_node_json(one, "src", map, failures[i].src);
		table_node_json(one, "dst", map, failures[i].dst);
		report_add_text(one, "rule", failure_rule(&failures[i]));
		json_object_array_add(list, one);
	}
	json_object_object_add(doc, "failures", list);
}

/**
 * table_path_json - convert a cycle of waiting channels to a list
 * @map: map of the machine
 * @path: channels, each of which waits for the next
 * @count: number of channels
 *
 * Return: the list.
 */
struct json_object *table_path_json(const struct xt_map *map, const struct xt_channel *path,
				    uint32_t count)
{
	struct json_object *list = json_object_new_array();
	char dir[PARSE_DIR_MAX];
	uint32_t i;

	for (i = 0; i < count; i++) {
		struct json_object *one = json_object_new_object();

		table_node_json(one, "node", map, path[i].node);
		report_add_text(one, "dir", parse_dir_name(path[i].dir, dir, sizeof(dir)));
		report_add_u64(one, "vc", path[i].vc);
		json_object_array_add(list, one);
	}
	return list;
}

/**
 * table_balance_json - add the mean VC balance of dimensions to a record, for dimensions whose
 * links have packets
 * @doc: [in, out] the record
 * @balance: VC balance by dimension
 */
void table_balance_json(struct json_object *doc, const struct xt_balance *balance)
{
	struct json_object *all = json_object_new_object();
	char name[PARSE_DIM_MAX];
	unsigned int dim, bin;

	for (dim = 0; dim < XT_DIMS; dim++) {
		struct json_object *one, *bins;

		if (!balance[dim].links)
			continue;
		one = json_object_new_object();
		bins = json_object_new_array();
		report_add_double(one, "mean", balance[dim].sum / (double)balance[dim].links);
		for (bin = 0; bin < XT_BINS; bin++)
			json_object_array_add(bins,
					      json_object_new_uint64(balance[dim].bins[bin]));
		json_object_object_add(one, "bins", bins);
		json_object_object_add(all, parse_dim_name(dim, name, sizeof(name)), one);
	}
	json_object_object_add(doc, "balance", all);
}
