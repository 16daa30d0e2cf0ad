// SPDX-License-Identifier: GPL-2.0
/* What routing tables and their checks look like, as text and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "routetable.h"

/**
 * table_node_text - a node's coordinates
 * @map: the machine
 * @node: the node
 * @text: room for it
 * @size: bytes of @text
 *
 * Return: @text.
 */
const char *table_node_text(const struct xt_map *map, uint32_t node, char *text, size_t size)
{
	snprintf(text, size, "%u,%u,%u", map->at[node][0], map->at[node][1], map->at[node][2]);
	return text;
}

/**
 * table_link_text - a link's node and direction
 * @map: the machine
 * @link: the link
 * @text: room for it
 * @size: bytes of @text
 *
 * Return: @text.
 */
const char *table_link_text(const struct xt_map *map, const struct xt_link *link, char *text,
			    size_t size)
{
	char node[TABLE_TEXT_MAX], dir[WORD_DIR_MAX];

	snprintf(text, size, "%s %s", table_node_text(map, link->node, node, sizeof(node)),
		 word_dir_name(link->dir, dir, sizeof(dir)));
	return text;
}

/**
 * table_lines_text - datelines as they are typed
 * @lines: by dimension: the coordinate, XT_NONE: none
 * @text: room for it
 * @size: bytes of @text
 *
 * Return: @text.
 */
const char *table_lines_text(const uint32_t *lines, char *text, size_t size)
{
	size_t used = 0;
	unsigned int dim;

	for (dim = 0; dim < XT_DIMS && used < size; dim++)
		if (lines[dim] == XT_NONE)
			used += snprintf(text + used, size - used, "%s-", dim ? "," : "");
		else
			used += snprintf(text + used, size - used, "%s%u", dim ? "," : "",
					 lines[dim]);
	return text;
}

/**
 * table_node_json - add a node to an object: its NID, and its coordinates
 * @doc: the object
 * @key: name of the NID; that of the coordinates is KEY_coords
 * @map: the machine
 * @node: the node
 */
void table_node_json(struct json_object *doc, const char *key, const struct xt_map *map,
		     uint32_t node)
{
	struct json_object *list = json_object_new_array();
	char name[TABLE_TEXT_MAX];
	unsigned int dim;

	for (dim = 0; dim < XT_DIMS; dim++)
		json_object_array_add(list, json_object_new_uint64(map->at[node][dim]));
	report_add_u64(doc, key, xt_nid(map, node));
	snprintf(name, sizeof(name), "%s_coords", key);
	json_object_object_add(doc, name, list);
}

/**
 * table_lines_json - add the datelines to an object; null stands for none
 * @doc: the object
 * @lines: by dimension: the coordinate, XT_NONE: none
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
 * table_machine_json - add what a machine is to an object
 * @doc: the object
 * @target: the machine
 */
void table_machine_json(struct json_object *doc, const struct route_target *target)
{
	const struct xt_map *map = target->xt.map;
	char shape[WORD_SHAPE_MAX];

	report_add_text(doc, "arch", XT_ARCH);
	report_add_text(doc, "shape", word_shape_text(XT_DIMS, map->dims, shape, sizeof(shape)));
	output_mesh(doc, "mesh", map->mesh);
	report_add_u64(doc, "nodes", map->nodes);
	report_add_u64(doc, "planes", map->planes);
	report_add_u64(doc, "regions", map->regions);
	if (!target->xt.has_route)
		return;
	report_add_text(doc, "policy", xt_policy_name(target->xt.route.policy));
	report_add_text(doc, "ties", target->xt.route.ties ? "split" : "plus");
}

/* Names of the counts in JSON, by enum xt_end; "reached" stands by itself. */
static const char *const end_keys[XT_ENDS] = {
	"reached", "loops", "turn_backs", "dateline_errors", "missing", "dead_cables",
	"wrong_nodes",
};

/**
 * table_ends_json - what became of all pairs
 * @sets: sets of cables that were looked at
 * @pairs: pairs
 * @ends: of them, by enum xt_end
 * @cycles: circles in which packets could wait, of a survey sets with one
 *
 * Return: the object.
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

/**
 * table_ends_text - the same for people
 * @pairs: pairs
 * @ends: of them, by enum xt_end
 * @cycles: sets in which packets could wait in a circle
 */
void table_ends_text(uint64_t pairs, const uint64_t *ends, uint64_t cycles)
{
	unsigned int end;

	printf("%" PRIu64 " pairs: %" PRIu64 " reached, %" PRIu64 " not", pairs,
	       ends[XT_END_REACHED], pairs - ends[XT_END_REACHED]);
	for (end = XT_END_LOOP; end < XT_ENDS; end++)
		if (ends[end])
			printf(", %s %" PRIu64, end_keys[end], ends[end]);
	printf("; channels that wait for each other: %s\n", cycles ? "A CIRCLE" : "no circle");
}

/* The rule that fails; of tables from a file what becomes of the packet. */
static const char *failure_rule(const struct xt_failure *failure)
{
	return failure->rule == XT_RULES ? xt_end_name(failure->end) :
	       xt_rule_name(failure->rule);
}

/**
 * table_failures_json - add pairs that are not reached to an object
 * @doc: the object
 * @map: the machine
 * @failures: the pairs
 * @sets: number of the set of each; NULL: there is one
 * @count: their number
 */
void table_failures_json(struct json_object *doc, const struct xt_map *map,
			 const struct xt_failure *failures, const uint64_t *sets, uint32_t count)
{
	struct json_object *list = json_object_new_array();
	uint32_t i;

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
 * table_failures_text - the same for people, the first ones
 * @map: the machine
 * @failures: the pairs
 * @count: their number
 */
void table_failures_text(const struct xt_map *map, const struct xt_failure *failures,
			 uint32_t count)
{
	char a[TABLE_TEXT_MAX], b[TABLE_TEXT_MAX];
	uint32_t i;

	for (i = 0; i < count && i < 8; i++)
		printf("not reached: %s -> %s: %s\n",
		       table_node_text(map, failures[i].src, a, sizeof(a)),
		       table_node_text(map, failures[i].dst, b, sizeof(b)),
		       failure_rule(&failures[i]));
	if (count > i)
		puts("..");
}

/**
 * table_path_json - a circle of waiting channels
 * @map: the machine
 * @path: the channels, each waits for the next
 * @count: their number
 *
 * Return: an array.
 */
struct json_object *table_path_json(const struct xt_map *map, const struct xt_channel *path,
				    uint32_t count)
{
	struct json_object *list = json_object_new_array();
	char dir[WORD_DIR_MAX];
	uint32_t i;

	for (i = 0; i < count; i++) {
		struct json_object *one = json_object_new_object();

		table_node_json(one, "node", map, path[i].node);
		report_add_text(one, "dir", word_dir_name(path[i].dir, dir, sizeof(dir)));
		report_add_u64(one, "vc", path[i].vc);
		json_object_array_add(list, one);
	}
	return list;
}

/**
 * table_path_text - the same for people
 * @map: the machine
 * @path: the channels, each waits for the next
 * @count: their number
 */
void table_path_text(const struct xt_map *map, const struct xt_channel *path, uint32_t count)
{
	char text[TABLE_TEXT_MAX];
	uint32_t i;

	for (i = 0; i < count; i++) {
		const struct xt_link link = { .node = path[i].node, .dir = path[i].dir };

		printf("%s%s vc %u", i ? ", " : "wait in a circle: ",
		       table_link_text(map, &link, text, sizeof(text)), path[i].vc);
	}
	if (count)
		putchar('\n');
}

/**
 * table_balance_json - add VC balance to an object; dimensions without links are left out
 * @doc: the object
 * @balance: by dimension
 */
void table_balance_json(struct json_object *doc, const struct xt_balance *balance)
{
	struct json_object *all = json_object_new_object();
	char name[WORD_DIM_MAX];
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
		json_object_object_add(all, word_dim_name(dim, name, sizeof(name)), one);
	}
	json_object_object_add(doc, "balance", all);
}

/**
 * table_balance_text - the same for people
 * @balance: by dimension
 */
void table_balance_text(const struct xt_balance *balance)
{
	char name[WORD_DIM_MAX];
	unsigned int dim, bin;

	for (dim = 0; dim < XT_DIMS; dim++) {
		if (!balance[dim].links)
			continue;
		printf("VC balance %s: mean %.1f %%, links to 0.25, 0.5, 0.75, 1:",
		       word_dim_name(dim, name, sizeof(name)),
		       100 * balance[dim].sum / (double)balance[dim].links);
		for (bin = 0; bin < XT_BINS; bin++)
			printf(" %" PRIu64, balance[dim].bins[bin]);
		putchar('\n');
	}
}
