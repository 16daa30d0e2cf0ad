// SPDX-License-Identifier: GPL-2.0
/* torusctl route check arch kncube: check every path of every pair of nodes of a k-ary n-cube. */
#include <string.h>

#include <json-c/json.h>

#include "../../report/json.h"
#include "../../route/kncube/check.h"
#include "../../parse/integer.h"
#include "../../parse/shape.h"
#include "../../parse/parse.h"
#include "../../config/args.h"
#include "../print/output.h"
#include "cycle.h"
#include "kncube.h"
#include "../../config/diag.h"

#define KNCUBE		"kncube"
/* maximum number of nodes, because all paths of all pairs are followed */
#define NODES_MAX	1024u
#define NODE_TEXT	128	/* buffer size for the coordinates of a node */

enum { KEY_SHAPE, KEY_MESH, KEY_ROUTING, KEY_ESCAPE, KEY_VCS, KEYS };

static const char *const key_names[KEYS] = { "shape", "mesh", "routing", "escape", "vcs" };

/**
 * kncube_spec_meant - check whether the arguments begin with `arch kncube`
 */
bool kncube_spec_meant(const struct ctl_args *args)
{
	return args->at + 1 < args->count && !strcmp(args->words[args->at], "arch") &&
	       !strcmp(args->words[args->at + 1], KNCUBE);
}

static int take_words(struct ctl *ctl, struct ctl_args *args, const char **values)
{
	const char *word;
	unsigned int key;

	args->at += 2;
	while ((word = ctl_next(args))) {
		for (key = 0; key < KEYS && strcmp(word, key_names[key]); key++)
			;
		if (key == KEYS)
			return ctl_usage(ctl, "unknown key: %s", word);
		if (values[key])
			return ctl_usage(ctl, "%s: must not be given twice", word);
		values[key] = ctl_next(args);
		if (!values[key])
			return ctl_usage(ctl, "%s: its value is missing", word);
	}
	return values[KEY_SHAPE] ? CTL_OK : ctl_usage(ctl, "the shape is missing");
}

static int make_machine(struct ctl *ctl, const char **values, struct torus_geometry *g)
{
	struct parse_list shape;
	struct parse_error why;

	memset(g, 0, sizeof(*g));
	if (!parse_shape("shape", values[KEY_SHAPE], &shape, &why) ||
	    (values[KEY_MESH] && !parse_mesh(values[KEY_MESH], &g->mesh, &why)))
		return ctl_reject(ctl, "%s", why.text);
	if (g->mesh >> shape.count)
		return ctl_reject(ctl, "mesh %s: must be dimensions of the shape, which has %u",
				  values[KEY_MESH],
				  shape.count);
	g->ndims = shape.count;
	memcpy(g->dims, shape.numbers, shape.count * sizeof(*g->dims));
	if (!torus_geometry_init(g, NODES_MAX))
		return ctl_reject(ctl, "shape %s: must have at most %u nodes",
				  values[KEY_SHAPE], NODES_MAX);
	return CTL_OK;
}

/*
 * Return the index of @word in @names. If @word is NULL, return 0, the default. If @names does not
 * contain @word, return the index of the terminating NULL.
 */
static u32 find(const char *word, const char *const *names)
{
	u32 i = 0;

	for (; word && names[i] && strcmp(word, names[i]); i++)
		;
	return i;
}

static int make_vcs(struct ctl *ctl, const char **values, const struct kncube_check *check,
		    struct kncube_vcs *v)
{
	u32 routing = find(values[KEY_ROUTING], kncube_routing_names);
	u32 escape = find(values[KEY_ESCAPE], kncube_escape_names);
	u32 least, most = check->cdg.machine.vcs;
	struct parse_error why;
	u32 vcs;

	if (!kncube_routing_names[routing])
		return ctl_reject(ctl, "routing %s: must be dor, adaptive or valiant",
				  values[KEY_ROUTING]);
	if (!kncube_escape_names[escape])
		return ctl_reject(ctl, "escape %s: must be bubble or dateline",
				  values[KEY_ESCAPE]);
	least = kncube_vcs_least(routing, escape);
	if (least > most)
		return ctl_reject(ctl,
				  "routing %s, escape %s: %u VCs must be at most %u with %u "
				  "dimensions",
				  kncube_routing_names[routing], kncube_escape_names[escape], least,
				  most, check->cdg.machine.dirs / 2);
	vcs = least;
	if (values[KEY_VCS] && !parse_u32("vcs", values[KEY_VCS], least, most, &vcs, &why))
		return ctl_reject(ctl, "%s", why.text);
	kncube_vcs_init(v, routing, escape, vcs);
	return CTL_OK;
}

static struct json_object *node_json(const struct torus_geometry *g, u32 node)
{
	struct json_object *one = json_object_new_object();
	char text[NODE_TEXT];

	report_add_u64(one, "node", node);
	report_add_text(one, "coords", torus_geometry_text(g, node, text, sizeof(text)));
	return one;
}

static void print(struct ctl *ctl, const struct torus_geometry *g, const char **values,
		  const struct kncube_check *check)
{
	struct json_object *doc = json_object_new_object();

	report_add_text(doc, "arch", KNCUBE);
	report_add_text(doc, "shape", values[KEY_SHAPE]);
	report_add_u64(doc, "pairs", check->pairs);
	report_add_u64(doc, "stands", check->stands);
	route_cycle_json(ctl, doc, &check->cdg, g, node_json);
	output_answer(ctl, doc, "{pairs} pairs, {stands} places where a packet may stand\n"
		      ROUTE_CIRCLE_FORM);
}

/**
 * route_kncube_check - run torusctl route check arch kncube shape S [KEY VALUE]..
 * @args: the machine
 *
 * Return: CTL_OK if no deadlock is possible, CTL_FAILED if a deadlock is possible; CTL_USAGE or
 * CTL_FAILED after an error message.
 */
int route_kncube_check(struct ctl *ctl, struct ctl_args *args)
{
	const char *values[KEYS] = { NULL };
	struct torus_geometry g;
	struct kncube_check check;
	struct kncube_vcs vcs;
	int status = take_words(ctl, args, values);

	if (!status)
		status = make_machine(ctl, values, &g);
	if (status)
		return status;
	if (kncube_check_init(&check, &g)) {
		kncube_check_free(&check);
		ctl_error(ctl, "out of memory");
		return CTL_FAILED;
	}
	status = make_vcs(ctl, values, &check, &vcs);
	if (!status) {
		kncube_check_run(&check, &g, &vcs);
		print(ctl, &g, values, &check);
		status = check.cdg.ncycles ? CTL_FAILED : CTL_OK;
	}
	kncube_check_free(&check);
	return status;
}
