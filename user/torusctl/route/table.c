// SPDX-License-Identifier: GPL-2.0
/* torusctl route compute, dump and explain for machines with routing tables. */
#include <stdio.h>
#include <stdlib.h>

#include "../../report/json.h"
#include "../../route/file/write.h"
#include "../print/output.h"
#include "table.h"
#include "table_print.h"
#include "../../config/diag.h"
#include "../../route/xt/explain.h"
#include "../../parse/shape.h"

static struct json_object *step_json(const struct route_spec *target, uint32_t node,
				     uint32_t dest)
{
	const struct xt_map *map = target->xt.map;
	uint8_t entry = xt_tables_look(target->xt.tables, node, XT_PROCESSOR, xt_nid(map, dest));
	struct json_object *one = json_object_new_object();
	char dir[PARSE_DIR_MAX];

	table_node_json(one, "dst", map, dest);
	report_add_text(one, "port", entry == XT_MISSING ? NULL :
			parse_dir_name(XT_ENTRY_PORT(entry), dir, sizeof(dir)));
	if (entry != XT_MISSING)
		report_add_u64(one, "vc", XT_ENTRY_VC(entry));
	return one;
}

/* Add statistics of the tables' computation to a record. */
static void add_made(const struct ctl *ctl, struct json_object *doc,
		     const struct route_spec *target)
{
	table_machine_json(doc, target);
	table_lines_json(doc, target->xt.tables->dateline);
	report_add_u64(doc, "pages", target->xt.tables->pages.count);
	report_add_u64(doc, "rows", target->xt.tables->rows.count);
	report_add_u64(doc, "memory_bytes", xt_tables_bytes(target->xt.tables));
	report_add_u64(doc, "goals", target->xt.made.goals);
	report_add_u64(doc, "searched", target->xt.made.searched);
	report_add_u64(doc, "unreached", target->xt.made.unreached);
	if (!ctl->json)
		report_add_u64(doc, "width", target->xt.tables->width);
}

static const char made_form[] =
	"xt {shape}: {nodes} nodes, {regions} regions of {planes} planes, policy {policy}, "
	"datelines {datelines}\n"
	"{pages} pages, {rows} rows of {width} pages, {memory_bytes%B}\n"
	"{goals} goals, {searched} by search, {unreached} entries without a path\n";

static const char entries_form[] =
	"{#entries}{dst_coords}{+port} {port} vc {vc}{:} missing{/}\n{/}";

/**
 * route_table_compute - run torusctl route compute FABRIC|arch ..
 * @args: the machine, and optionally a node whose entries are printed
 *
 * Return: CTL_OK if every entry of the tables has a path, otherwise CTL_FAILED; CTL_USAGE or
 * CTL_FAILED after an error message.
 */
int route_table_compute(struct ctl *ctl, struct ctl_args *args)
{
	struct route_spec target;
	struct json_object *doc, *list;
	uint32_t node = 0, dest;
	int status = route_spec_make(ctl, args, ROUTE_TAKES_MACHINE, 1, &target);

	if (!status && target.nplaces)
		status = route_spec_node(ctl, &target, target.places[0], &node);
	if (!status)
		status = route_spec_tables(ctl, &target);
	if (status) {
		route_spec_free(&target);
		return status;
	}
	doc = json_object_new_object();
	add_made(ctl, doc, &target);
	list = json_object_new_array();
	for (dest = 0; target.nplaces && dest < target.xt.map->nodes; dest++)
		if (dest != node)
			json_object_array_add(list, step_json(&target, node, dest));
	if (target.nplaces)
		json_object_object_add(doc, "entries", list);
	else
		json_object_put(list);
	output_answer(ctl, doc, target.nplaces ? entries_form : made_form);
	status = target.xt.made.unreached ? CTL_FAILED : CTL_OK;
	route_spec_free(&target);
	return status;
}

/**
 * route_table_dump - run torusctl route dump FABRIC|arch ..: write the tables as a file
 * @args: the machine
 *
 * Return: CTL_OK; CTL_FAILED or CTL_USAGE after an error message.
 */
int route_table_dump(struct ctl *ctl, struct ctl_args *args)
{
	struct route_spec target;
	int status = route_spec_take(ctl, args, ROUTE_TAKES_MACHINE, 0, &target);

	if (!status)
		status = route_spec_tables(ctl, &target);
	/* main() reports write errors of standard output */
	if (!status)
		xt_file_write(stdout, target.xt.tables);
	route_spec_free(&target);
	return status;
}

static void hop_json(struct json_object *list, const struct xt_map *map, const struct xt_hop *hop)
{
	struct json_object *one = json_object_new_object();
	char text[PARSE_DIR_MAX];

	table_node_json(one, "node", map, hop->node);
	json_object_object_add(one, "port", hop->port >= XT_PROCESSOR ? NULL :
			       json_object_new_string(parse_dir_name(hop->port, text,
								     sizeof(text))));
	report_add_u64(one, "vc", hop->vc);
	report_add_bool(one, "dateline", hop->crosses);
	if (hop->rule < XT_RULES)
		report_add_text(one, "rule", xt_rule_name(hop->rule));
	if (hop->avoids.node != XT_NONE) {
		struct json_object *cable = json_object_new_object();

		table_node_json(cable, "node", map, hop->avoids.node);
		report_add_text(cable, "dir", parse_dir_name(hop->avoids.dir, text, sizeof(text)));
		json_object_object_add(one, "avoids", cable);
	}
	json_object_array_add(list, one);
}

static const char explain_form[] =
	"{src_coords} -> {dst_coords}: {end} {?end=reached}in {hops} hops{:}at step {hops}{/}\n"
	"{#path}    {node_coords} {+port}{port} vc {vc}{:}no port{/}{+rule} {rule}{/}"
	"{>avoids}, {node_coords} {dir} is out{/}"
	"{?dateline}, across the dateline{/}\n{/}";

static int explain_print(struct ctl *ctl, struct route_spec *target, uint32_t src, uint32_t dst)
{
	const struct xt_map *map = target->xt.map;
	struct xt_hop *hops = malloc(((size_t)map->nodes * XT_PORTS + 2) * sizeof(*hops));
	struct json_object *doc, *list;
	struct xt_next_hops plan;
	int status = CTL_OK;
	uint32_t count, i;
	enum xt_end end;

	if (!hops || xt_next_hops_init(&plan, map)) {
		free(hops);
		ctl_error(ctl, "out of memory");
		return CTL_FAILED;
	}
	end = xt_explain(target->xt.tables, target->xt.has_route ? &target->xt.route : NULL, &plan,
			 src, dst, hops, &count);
	for (i = 0; i < count && !status; i++)
		status = route_spec_seen(ctl, target, &hops[i].node);
	if (!status)
		status = route_spec_seen(ctl, target, &dst);
	if (status) {
		xt_next_hops_free(&plan);
		free(hops);
		return status;
	}
	doc = json_object_new_object();
	list = json_object_new_array();
	table_node_json(doc, "src", map, src);
	table_node_json(doc, "dst", map, dst);
	report_add_text(doc, "end", xt_end_name(end));
	report_add_u64(doc, "hops", count);
	table_lines_json(doc, target->xt.tables->dateline);
	for (i = 0; i < count; i++)
		hop_json(list, map, &hops[i]);
	json_object_object_add(doc, "path", list);
	output_answer(ctl, doc, explain_form);
	xt_next_hops_free(&plan);
	free(hops);
	return end == XT_END_REACHED ? CTL_OK : CTL_FAILED;
}

/**
 * route_table_explain - run torusctl route explain FABRIC|arch .. SRC DST
 * @args: the machine and the pair
 *
 * Return: CTL_OK if the pair is reached, otherwise CTL_FAILED; CTL_USAGE or CTL_FAILED after an
 * error message.
 */
int route_table_explain(struct ctl *ctl, struct ctl_args *args)
{
	struct route_spec target;
	uint32_t src = 0, dst = 0;
	int status = route_spec_take(ctl, args, ROUTE_TAKES_TABLE, 2, &target);

	if (!status && target.nplaces < 2)
		status = ctl_usage(ctl, target.nplaces ? "the destination is missing" :
				   "source and destination are missing");
	if (!status)
		status = route_spec_node(ctl, &target, target.places[0], &src);
	if (!status)
		status = route_spec_node(ctl, &target, target.places[1], &dst);
	if (!status && src == dst)
		status = ctl_reject(ctl, "%s: source and destination must be different nodes",
				    target.places[1]);
	if (!status)
		status = route_spec_tables(ctl, &target);
	if (!status)
		status = explain_print(ctl, &target, src, dst);
	route_spec_free(&target);
	return status;
}
