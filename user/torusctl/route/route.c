// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl route: choose routes around dead nodes and links. The code in user/route chooses the
 * routes. The faults are those of the fabric: links that are down or parked, and links whose sender
 * is off or dead.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../netlink/link.h"
#include "../../report/json.h"
#include "../../route/adaptive_check.h"
#include "../../route/coverage.h"
#include "../../config/args.h"
#include "../../config/ctl.h"
#include "../print/output.h"
#include "../../config/node_addr.h"
#include "route.h"
#include "../../config/route_load.h"
#include "kncube.h"
#include "shapes.h"
#include "survey.h"
#include "table.h"
#include "table_check.h"
#include "table_heat.h"
#include "tofu.h"
#include "text.h"
#include "tofu_check.h"
#include "../../config/diag.h"
#include "../../config/tabled.h"
#include "../../config/target.h"
#include "hidden_nodes.h"
#include "../../parse/node.h"

#define BLAME_MAX	64	/* maximum number of faults in the result of an explanation */

/* Find the fabric of a call, and create a map with its shape and its dead nodes and links. */
static int route_map(struct ctl *ctl, struct target *target, struct torus_route_map **map)
{
	char why[TORUS_MACHINE_WHY_MAX];
	struct torus_nl_link *links;
	size_t count, i;
	int status = target_find(ctl, target), error;

	if (status)
		return status;
	if (torus_machine_demand(target->fabric.arch, TORUS_MACHINE_AVOID, why, sizeof(why))) {
		ctl_error(ctl, "fabric %s: %s", target->name, why);
		return CTL_FAILED;
	}
	for (i = 0; i < target->fabric.nparams; i++) {
		const struct torus_nl_param *param = &target->fabric.params[i];

		if (strcmp(param->key, "escape_order") || !strcmp(param->text, "dimension"))
			continue;
		ctl_error(ctl,
			  "%s: escape_order=%s: must be dimension, routes are computed only for "
			  "that order", target->name, param->text);
		return CTL_FAILED;
	}
	if (torus_nl_link_dump_changed(ctl->nl, target->name, &links, &count))
		return ctl_failed(ctl);
	error = torus_route_map_new(map, target->fabric.dims, target->fabric.ndims,
				    target->fabric.mesh);
	for (i = 0; i < count && !error; i++)
		if (torus_nl_link_dead(&links[i]))
			error = torus_route_kill_link(*map, links[i].node, links[i].dir);
	if (!error)
		error = torus_route_find_nodes(*map);
	free(links);
	if (!error)
		return CTL_OK;
	ctl_error(ctl, "%s: %s", target->name, strerror(-error));
	return CTL_FAILED;
}

/* Reject the call if the caller may not see all nodes, because a hidden node may be dead. */
static int route_all_seen(struct ctl *ctl, const struct target *target)
{
	struct place_list unseen;
	int status = hidden_nodes_find(ctl, &target->fabric, &unseen);

	if (!status && unseen.count)
		status = hidden_nodes_refuse(ctl, &target->fabric, unseen.numbers[0]);
	free(unseen.numbers);
	return status;
}

static int map_only(struct ctl *ctl, struct ctl_args *args, unsigned int form,
		    struct target *target, struct torus_route_map **map)
{
	int status = target_parse(ctl, args, form, target);

	if (!status)
		status = ctl_end(ctl, args);
	if (!status)
		status = route_map(ctl, target, map);
	return status ? status : route_all_seen(ctl, target);
}

static void compute_from(const struct ctl *ctl, struct torus_route_map *map, u32 from,
			 struct json_object *list)
{
	struct torus_route_choice choice;
	u32 to;

	for (to = 0; to < map->nodes; to++) {
		if (to == from || !torus_route_node_alive(map, to))
			continue;
		torus_route_choose(map, from, to, 0, NULL, &choice);
		report_item(list, route_choice_json(map, from, to, &choice), route_choice_form);
	}
}

/* Parse FABRIC [NODE] and print the routes. */
static int route_compute(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_route_map *map = NULL;
	struct json_object *list = NULL;
	char text[ROUTE_TEXT_MAX];
	struct target target;
	u32 from;
	int status;

	if (route_spec_tabled(ctl, args))
		return route_table_compute(ctl, args);
	status = map_only(ctl, args, TARGET_MAY_NODE, &target, &map);
	if (status) {
		torus_route_map_free(map);
		return status;
	}
	if (target.has_node && !torus_route_node_alive(map, target.node)) {
		ctl_error(ctl, "node %s is dead",
			  route_node_text(map, target.node, text, sizeof(text)));
		torus_route_map_free(map);
		return CTL_FAILED;
	}
	if (ctl->json)
		list = json_object_new_array();
	for (from = 0; from < map->nodes; from++)
		if (target.has_node ? from == target.node : torus_route_node_alive(map, from))
			compute_from(ctl, map, from, list);
	if (list)
		output_json(ctl, list);
	torus_route_map_free(map);
	return ctl_done(ctl);
}

static void add_blame(const struct torus_route_map *map, u32 from, u32 to, struct json_object *doc)
{
	struct json_object *list = json_object_new_array();
	struct torus_route_fault faults[BLAME_MAX];
	int count, i;

	count = torus_route_blame(map, from, to, 0, NULL, faults, BLAME_MAX);
	for (i = 0; i < count && i < BLAME_MAX; i++)
		json_object_array_add(list, route_fault_json(map, &faults[i]));
	json_object_object_add(doc, "blocked_by", list);
}

#define BLAME_FORM \
	"{?blocked_by}    in the way:{#blocked_by}{,},{/} " ROUTE_FAULT_FORM "{/}\n{/}"

/* Parse FABRIC, and check the routes of all pairs of nodes. */
static int route_check(struct ctl *ctl, struct ctl_args *args)
{
	struct route_counts counts = { .from = TORUS_ROUTE_NONE };
	struct torus_route_map *map = NULL;
	struct route_cdg depend;
	struct json_object *doc;
	struct target target;
	int status;

	if (tofu_spec_meant(args))
		return route_tofu_check(ctl, args);
	if (kncube_spec_meant(args))
		return route_kncube_check(ctl, args);
	if (route_spec_tabled(ctl, args))
		return route_table_check(ctl, args);
	status = map_only(ctl, args, TARGET_FABRIC, &target, &map);
	if (status) {
		torus_route_map_free(map);
		return status;
	}
	if (route_cdg_init(&depend, map)) {
		torus_route_map_free(map);
		ctl_error(ctl, "out of memory");
		return CTL_FAILED;
	}
	route_count_pairs(map, &depend, &counts);
	route_cdg_free(&depend);
	doc = json_object_new_object();
	report_add_text(doc, "fabric", target.name);
	report_add_u64(doc, "dead_nodes", map->ndead_nodes);
	report_add_u64(doc, "dead_links", map->ndead_links);
	survey_counts_json(&counts, doc);
	if (counts.blocked) {
		json_object_object_add(doc, "from", route_node_json(map, counts.from));
		json_object_object_add(doc, "to", route_node_json(map, counts.to));
		add_blame(map, counts.from, counts.to, doc);
	}
	output_answer(ctl, doc, "{fabric}: {dead_nodes} dead nodes, {dead_links} other dead links\n"
		      SURVEY_COUNTS_FORM
		      "{+from}not reached, e.g. {from.coords} -> {to.coords}\n{/}" BLAME_FORM);
	torus_route_map_free(map);
	ctl_done(ctl);
	return counts.blocked || counts.circles ? CTL_FAILED : CTL_OK;
}

/*
 * Add a list of the ways to a record: for each choice of hint bits, the fault that a packet meets.
 */
static void add_ways(const struct ctl *ctl, struct torus_route_map *map, u32 from,
		     u32 to, struct json_object *doc)
{
	struct route_path ways[ROUTE_PATHS_MAX];
	unsigned int n = route_path_list(map, from, to, ways), i;
	struct json_object *list = json_object_new_array(), *way;

	for (i = 0; i < n; i++) {
		struct torus_route_fault stuck = { 0 }, met = { 0 };
		char hints[ROUTE_TEXT_MAX];
		struct route_link path, box;
		bool clear = route_path_clear(map, &ways[i], &path);
		enum route_fate fate = route_dynamic(map, &ways[i], &box);

		if (!clear)
			met = (struct torus_route_fault){ .node = path.node, .dir = path.dir };
		if (fate != ROUTE_SAFE)
			stuck = (struct torus_route_fault){ .node = box.node, .dir = box.dir };
		way = json_object_new_object();
		json_object_object_add(way, "hints", route_hints_json(ways[i].hints));
		report_add_u64(way, "hops", ways[i].total);
		report_add_bool(way, "path_clear", clear);
		json_object_object_add(way, "path_dead", clear ? NULL :
				       route_fault_json(map, &met));
		report_add_text(way, "dynamic", route_fate_name(fate));
		json_object_object_add(way, "dynamic_dead", fate == ROUTE_SAFE ? NULL :
				       route_fault_json(map, &stuck));
		if (!ctl->json)
			report_add_text(way, "hints",
					route_hints_text(ways[i].hints, hints, sizeof(hints)));
		json_object_array_add(list, way);
	}
	json_object_object_add(doc, "ways", list);
}

#define WAYS_FORM \
	"{#ways}    {hints%-8s} hops {hops}: deterministic {>path_dead}meets dead " \
	ROUTE_FAULT_FORM "{:}clear{/}, dynamic {dynamic}{>dynamic_dead} at dead " \
	ROUTE_FAULT_FORM "{/}\n{/}"

static bool on_a_way(const struct torus_route_map *map, const struct route_path *ways,
		     unsigned int n, u32 node)
{
	u32 at[DIMS], done[DIMS];
	unsigned int i;

	route_coords(map, node, at);
	for (i = 0; i < n; i++)
		if (route_in_box(map, &ways[i], at, done))
			return true;
	return false;
}

/*
 * Reject the call if a packet may meet a node that the calling user may not see. If there is no
 * direct route, that may be any node.
 */
static int ways_seen(struct ctl *ctl, const struct target *target,
		     const struct torus_route_map *map, u32 to,
		     const struct torus_route_choice *choice)
{
	struct route_path ways[ROUTE_PATHS_MAX];
	unsigned int n = route_path_list(map, target->node, to, ways);
	bool direct = choice->kind == TORUS_ROUTE_PATH || choice->kind == TORUS_ROUTE_ADAPTIVE;
	struct place_list unseen;
	int status = hidden_nodes_find(ctl, &target->fabric, &unseen);
	size_t i;

	for (i = 0; i < unseen.count && !status; i++)
		if (!direct || on_a_way(map, ways, n, unseen.numbers[i]))
			status = hidden_nodes_refuse(ctl, &target->fabric, unseen.numbers[i]);
	free(unseen.numbers);
	return status;
}

/* Parse FABRIC SRC DST and print the route. */
static int route_explain(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_route_map *map = NULL;
	struct torus_route_choice choice;
	struct json_object *doc;
	struct parse_place place;
	struct parse_error why;
	struct target target;
	const char *word;
	u32 to;
	int status;

	if (tofu_spec_meant(args))
		return route_tofu_explain(ctl, args);
	if (route_spec_tabled(ctl, args))
		return route_table_explain(ctl, args);
	status = target_parse(ctl, args, TARGET_NODE, &target);
	if (status)
		return status;
	word = ctl_next(args);
	if (!word)
		return ctl_usage(ctl, "the destination is missing");
	if (!parse_place(word, false, &place, &why))
		return ctl_reject(ctl, "%s", why.text);
	status = ctl_end(ctl, args);
	if (!status)
		status = route_map(ctl, &target, &map);
	if (!status)
		status = place_number(ctl, &target.fabric, &place, &to);
	if (!status && to == target.node) {
		ctl_error(ctl, "%s: source and destination must be different nodes", word);
		status = CTL_FAILED;
	}
	if (!status) {
		torus_route_choose(map, target.node, to, 0, NULL, &choice);
		status = ways_seen(ctl, &target, map, to, &choice);
	}
	if (status) {
		torus_route_map_free(map);
		return status;
	}
	doc = route_choice_json(map, target.node, to, &choice);
	add_ways(ctl, map, target.node, to, doc);
	add_blame(map, target.node, to, doc);
	if (!ctl->json)
		report_print(stdout, doc, route_choice_form);
	output_answer(ctl, doc, WAYS_FORM BLAME_FORM);
	torus_route_map_free(map);
	ctl_done(ctl);
	return choice.kind ? CTL_OK : CTL_FAILED;
}

static int route_dump(struct ctl *ctl, struct ctl_args *args)
{
	return route_spec_tabled(ctl, args) ? route_table_dump(ctl, args) :
						route_refuse_fabric(ctl, args);
}

static int route_whatif(struct ctl *ctl, struct ctl_args *args)
{
	return route_spec_tabled(ctl, args) ? route_table_whatif(ctl, args) :
						route_refuse_fabric(ctl, args);
}

static int route_heat(struct ctl *ctl, struct ctl_args *args)
{
	return route_spec_tabled(ctl, args) ? route_table_heat(ctl, args) :
						route_refuse_fabric(ctl, args);
}

/* Run a survey. The arguments begin with a shape, with a fabric, or with `arch` and a machine. */
static int route_survey_any(struct ctl *ctl, struct ctl_args *args)
{
	if (tofu_spec_meant(args))
		return route_tofu_survey(ctl, args);
	return route_spec_tabled(ctl, args) ? route_table_survey(ctl, args) :
						route_survey(ctl, args);
}

/*
 * Run a command that exists only for Tofu. Its arguments describe a machine, which need not exist.
 */
static int tofu_only(struct ctl *ctl, struct ctl_args *args,
		     int (*run)(struct ctl *ctl, struct ctl_args *args))
{
	if (tofu_spec_meant(args))
		return run(ctl, args);
	return ctl_usage(ctl, "%s: must be a machine of Tofu: " TOFU_SPEC_USAGE,
			 args->at < args->count ? args->words[args->at] : "nothing");
}

static int route_paths_any(struct ctl *ctl, struct ctl_args *args)
{
	return tofu_only(ctl, args, route_paths);
}

static int route_channels_any(struct ctl *ctl, struct ctl_args *args)
{
	return tofu_only(ctl, args, route_channels);
}

static const struct ctl_command commands[] = {
	{ "compute", "FABRIC|TARGET [KEY VALUE].. [NODE]", route_compute },
	{ "check", "FABRIC|TARGET [table FILE]", route_check },
	{ "explain", "FABRIC|TARGET [table FILE] SRC DST", route_explain },
	{ "survey", "SHAPE [mesh DIMS] [faults N] [samples N] [seed N] [colinear yes|no] | "
	  "FABRIC|TARGET [cables N] [samples N] [seed N]", route_survey_any },
	{ "whatif", "FABRIC|TARGET broken LIST", route_whatif },
	{ "heat", "FABRIC [from tables|counters] [svg FILE] | TARGET [table|links FILE] [svg FILE]",
	  route_heat },
	{ "paths", "TOFU A B [path N] [order zfirst|zlast] [faulty NODES] [units NODES]",
	  route_paths_any },
	{ "shapes", "VIEW in XxYxZ [mesh DIMS] [faulty NODES] [at X,Y,Z] [ranks yes|no] "
	  "[svg FILE]", route_shapes },
	{ "channels", "TOFU [policy fixed|hash|roundrobin]", route_channels_any },
	{ "load", "FABRIC FILE [at TICK] [force]", route_load },
	{ "dump", "FABRIC|TARGET", route_dump },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_route = {
	.name = "route",
	.help = "routes around dead nodes and links, routing tables, deadlock checks",
	.details = "SRC, DST, NODE = coordinates like 1,2,3 or a number. For a FABRIC with\n"
		   "hint bits, faults are nodes in state dead, and links that are down, parked,\n"
		   "or whose sender is off. For a FABRIC with routing tables, check, explain,\n"
		   "heat and dump use the loaded tables. load replaces them in one tick; without\n"
		   "force, it rejects tables that lose packets or allow a deadlock. compute,\n"
		   "survey and whatif use the current cables: a cable is broken if a link is\n"
		   "down, parked, or its sender is off.\n"
		   "TARGET is a machine with routing tables, for which no fabric is needed:\n"
		   "    " ROUTE_SPEC_USAGE "\n"
		   "P = initial|v1|v2|v3|one; LIST = \"NODE DIR, NODE DIR\", cables both ways.\n"
		   "survey checks every set of N dead nodes of a SHAPE, or of N broken cables of\n"
		   "a TARGET; samples = number of random sets instead.\n"
		   "TOFU is a machine of XxYxZ groups of twelve nodes, without a fabric:\n"
		   "    " TOFU_SPEC_USAGE "\n"
		   "check [vcs one|two], explain A B [path N] and survey accept TOFU, too.\n"
		   "check also accepts a k-ary n-cube with finite buffers:\n"
		   "    " KNCUBE_SPEC_USAGE "\n"
		   "NODES = numbers or six coordinates each, separated by blanks or ;.\n",
	.commands = commands,
};
