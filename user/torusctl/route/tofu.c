// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl route paths and explain for a Tofu machine: print the twelve paths between two nodes, or
 * the links of one path.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../report/json.h"
#include "../../route/tofu/check.h"
#include "../../route/tofu/names.h"
#include "../../route/tofu/survey.h"
#include "../../parse/integer.h"
#include "../../parse/shape.h"
#include "core/base/node_number.h"
#include "../print/output.h"
#include "tofu.h"
#include "../../config/diag.h"

#define TAKES	(TOFU_TAKES_MACHINE | TOFU_TAKES(TOFU_KEY_PATH) | TOFU_TAKES(TOFU_KEY_ORDER) | \
		 TOFU_TAKES(TOFU_KEY_FAULTY) | TOFU_TAKES(TOFU_KEY_UNITS))

/* A pair of nodes, and the dead nodes of the machine. */
struct tofu_pair {
	const struct torus_geometry *g;
	u32 from;
	u32 to;
	u32 order;
	u32 only;		/* number of the requested path; TORUS_NONE: all paths */
	u32 chosen;
	u8 *dead;
};

static int take_order(struct ctl *ctl, const char *word, struct tofu_pair *pair)
{
	u32 at[TOFU_AXES];

	torus_geometry_coords(pair->g, pair->from, at);
	pair->order = tofu_order_of(at);
	if (!word)
		return CTL_OK;
	for (pair->order = 0; pair->order < TOFU_ORDERS; pair->order++)
		if (!strcmp(word, tofu_order_name(pair->order)))
			return CTL_OK;
	return ctl_reject(ctl, "order %s: must be zfirst or zlast", word);
}

static int take_path(struct ctl *ctl, const char *word, struct tofu_pair *pair)
{
	struct parse_error why;

	pair->only = TORUS_NONE;
	if (!word)
		return CTL_OK;
	return parse_u32("path", word, 0, TOFU_PATHS - 1, &pair->only, &why) ? CTL_OK :
	       ctl_reject(ctl, "%s", why.text);
}

static int mark_dead(struct ctl *ctl, const struct tofu_spec *target, struct tofu_pair *pair)
{
	char text[TOFU_TEXT_MAX];
	unsigned int i;

	pair->dead = calloc(target->g.nodes, 1);
	if (!pair->dead) {
		ctl_error(ctl, "out of memory");
		return CTL_FAILED;
	}
	for (i = 0; i < target->nfaulty; i++)
		pair->dead[target->faulty[i]] = 1;
	for (i = 0; i < target->nunits; i++)
		tofu_unit_set(&target->g, target->units[i], pair->dead, true);
	for (i = 0; i < 2; i++) {
		u32 node = i ? pair->to : pair->from;

		if (pair->dead[node])
			return ctl_reject(ctl, "node %s: the node is dead",
					  tofu_node_text(&target->g, node, text, sizeof(text)));
	}
	pair->chosen = tofu_path_choose(pair->g, pair->dead, pair->from, pair->to, pair->order);
	return CTL_OK;
}

static int take_pair(struct ctl *ctl, struct ctl_args *args, struct tofu_spec *target,
		     struct tofu_pair *pair)
{
	int status = tofu_spec_parse(ctl, args, TAKES, 2, target);

	*pair = (struct tofu_pair){ .g = &target->g };
	if (status)
		return status;
	if (target->nplaces < 2)
		return ctl_usage(ctl, target->nplaces ? "the destination is missing" :
				 "source and destination are missing");
	status = tofu_spec_node(ctl, target, target->places[0], &pair->from);
	if (!status)
		status = tofu_spec_node(ctl, target, target->places[1], &pair->to);
	if (!status && pair->from == pair->to)
		status = ctl_reject(ctl, "%s: source and destination must be different nodes",
				    target->places[1]);
	if (!status)
		status = take_order(ctl, target->values[TOFU_KEY_ORDER], pair);
	if (!status)
		status = take_path(ctl, target->values[TOFU_KEY_PATH], pair);
	return status ? status : mark_dead(ctl, target, pair);
}

static void walk_begin(struct tofu_path_iter *walk, const struct tofu_pair *pair, u32 path)
{
	tofu_path_iter_init(walk, pair->g, pair->from, pair->to, path, pair->order);
}

/* Count the links in each phase of a path. */
static void phase_hops(const struct tofu_pair *pair, u32 path, u32 hops[TOFU_TO_NODE + 1])
{
	struct tofu_path_iter walk;

	memset(hops, 0, (TOFU_TO_NODE + 1) * sizeof(*hops));
	walk_begin(&walk, pair, path);
	while (tofu_path_iter_next(&walk))
		hops[walk.hop.phase]++;
}

static bool is_clean(const struct tofu_pair *pair, u32 path)
{
	return tofu_path_clean(pair->g, pair->dead, pair->from, pair->to, path, pair->order);
}

#define PATH_FORM \
	"path {path%2u} relay {relay.coords} hops {hops} ({#phases}{,} + {/}{.}{/})" \
	"{!clean} meets a dead node{/}{?is_chosen} chosen{/}\n"

static struct json_object *path_json(const struct ctl *ctl, const struct tofu_pair *pair, u32 path)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *phases = json_object_new_object();
	struct json_object *nodes = json_object_new_array();
	u32 hops[TOFU_TO_NODE + 1], phase;
	struct tofu_path_iter walk;

	phase_hops(pair, path, hops);
	for (phase = 0; phase <= TOFU_TO_NODE; phase++)
		report_add_u64(phases, tofu_phase_name(phase), hops[phase]);
	walk_begin(&walk, pair, path);
	do {
		u32 number = torus_node_number(pair->g, walk.node);

		json_object_array_add(nodes, json_object_new_uint64(number));
	} while (tofu_path_iter_next(&walk));
	report_add_u64(doc, "path", path);
	json_object_object_add(doc, "relay", tofu_node_json(pair->g,
							    tofu_relay(pair->g, pair->from, path)));
	json_object_object_add(doc, "phases", phases);
	report_add_u64(doc, "hops", walk.hops);
	report_add_bool(doc, "clean", is_clean(pair, path));
	json_object_object_add(doc, "nodes", nodes);
	if (!ctl->json)
		report_add_bool(doc, "is_chosen", path == pair->chosen);
	return doc;
}

static struct json_object *pair_json(const struct tofu_pair *pair)
{
	struct json_object *doc = json_object_new_object();

	tofu_machine_json(doc, pair->g);
	json_object_object_add(doc, "from", tofu_node_json(pair->g, pair->from));
	json_object_object_add(doc, "to", tofu_node_json(pair->g, pair->to));
	report_add_u64(doc, "distance", tofu_distance(pair->g, pair->from, pair->to));
	report_add_text(doc, "order", tofu_order_name(pair->order));
	report_add_u64(doc, "fixed", tofu_path_of(pair->g, TOFU_FIXED, pair->from, pair->to));
	report_add_u64(doc, "hash", tofu_path_of(pair->g, TOFU_HASH, pair->from, pair->to));
	json_object_object_add(doc, "chosen", pair->chosen == TORUS_NONE ? NULL :
			       json_object_new_uint64(pair->chosen));
	return doc;
}

static const char pair_form[] =
	"{from.coords} -> {to.coords}: distance {distance}, order {order}, fixed path {fixed}, "
	"by hash {hash}\n";

/**
 * route_paths - run torusctl route paths TARGET A B [path N]
 * @args: the machine, the pair and the dead nodes
 *
 * Return: CTL_OK if path N, or without N one of the paths, has no dead node, otherwise CTL_FAILED;
 * CTL_USAGE or CTL_FAILED after an error message.
 */
int route_paths(struct ctl *ctl, struct ctl_args *args)
{
	struct json_object *doc, *list;
	struct tofu_spec target;
	struct tofu_pair pair;
	u32 path;
	int status = take_pair(ctl, args, &target, &pair);

	if (status) {
		free(pair.dead);
		return status;
	}
	doc = pair_json(&pair);
	list = json_object_new_array();
	for (path = 0; path < TOFU_PATHS; path++)
		if (pair.only == TORUS_NONE || pair.only == path)
			json_object_array_add(list, path_json(ctl, &pair, path));
	json_object_object_add(doc, "paths", list);
	if (!ctl->json)
		report_print(stdout, doc, pair_form);
	output_answer(ctl, doc, "{#paths}" PATH_FORM "{/}");
	status = pair.only == TORUS_NONE ? pair.chosen != TORUS_NONE : is_clean(&pair, pair.only);
	free(pair.dead);
	return status ? CTL_OK : CTL_FAILED;
}

/* Convert one link of a path to a record with node, phase, direction and VC. */
static struct json_object *step_json(const struct tofu_pair *pair, u32 node,
				     const struct tofu_path_iter *walk)
{
	struct json_object *one = tofu_node_json(pair->g, node);
	char dir[PARSE_DIR_MAX];

	report_add_text(one, "phase", tofu_phase_name(walk->hop.phase));
	report_add_text(one, "dir", parse_dir_name(walk->hop.dir, dir, sizeof(dir)));
	report_add_u64(one, "vc", walk->hop.vc);
	report_add_bool(one, "dead", pair->dead[walk->node]);
	return one;
}

/**
 * route_tofu_explain - run torusctl route explain arch tofu .. A B [path N]
 * @args: the machine, the pair and the dead nodes
 *
 * Return: CTL_OK if path N, or without N one of the paths, has no dead node, otherwise CTL_FAILED;
 * CTL_USAGE or CTL_FAILED after an error message.
 */
int route_tofu_explain(struct ctl *ctl, struct ctl_args *args)
{
	struct json_object *doc, *list, *way;
	struct tofu_spec target;
	struct tofu_path_iter walk;
	struct tofu_pair pair;
	u32 path, node;
	bool clean;
	int status = take_pair(ctl, args, &target, &pair);

	if (status) {
		free(pair.dead);
		return status;
	}
	path = pair.only != TORUS_NONE ? pair.only : pair.chosen;
	if (path == TORUS_NONE)
		path = tofu_path_of(pair.g, TOFU_FIXED, pair.from, pair.to);
	clean = is_clean(&pair, path);
	doc = pair_json(&pair);
	way = path_json(ctl, &pair, path);
	if (!ctl->json) {
		report_print(stdout, doc, pair_form);
		report_print(stdout, way, PATH_FORM);
	}
	json_object_object_add(doc, "way", way);
	list = json_object_new_array();
	walk_begin(&walk, &pair, path);
	for (node = pair.from; tofu_path_iter_next(&walk); node = walk.node)
		json_object_array_add(list, step_json(&pair, node, &walk));
	json_object_object_add(doc, "steps", list);
	output_answer(ctl, doc, "{#steps}    {coords} {dir} vc {vc} to the {phase}"
		      "{?dead}: dead{/}\n{/}");
	free(pair.dead);
	return clean ? CTL_OK : CTL_FAILED;
}
