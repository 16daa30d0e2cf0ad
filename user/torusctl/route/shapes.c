// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl route shapes: find boxes of groups for a job's view, and rings that avoid faulty nodes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../report/json.h"
#include "../../route/tofu/view_shapes.h"
#include "../../parse/shape.h"
#include "core/base/node_number.h"
#include "../../config/args.h"
#include "../../config/extension.h"
#include "../print/output.h"
#include "shapes.h"
#include "shapes_draw.h"
#include "../../config/diag.h"

#define TAKES	(TOFU_TAKES(TOFU_KEY_IN) | TOFU_TAKES(TOFU_KEY_MESH) | \
		 TOFU_TAKES(TOFU_KEY_FAULTY) | TOFU_TAKES(TOFU_KEY_AT) | \
		 TOFU_TAKES(TOFU_KEY_RANKS) | TOFU_TAKES(TOFU_KEY_SVG))

/* Arguments of torusctl route shapes. */
struct shapes_args {
	struct tofu_spec target;
	struct parse_list view;
	u32 at[TOFU_GROUP_AXES];
	bool has_at;
	bool ranks;
	bool no_memory;		/* true if memory ran out during the search */
};

static int take_at(struct ctl *ctl, struct shapes_args *asked)
{
	const char *word = asked->target.values[TOFU_KEY_AT];
	const struct torus_geometry *g = &asked->target.g;
	struct parse_list at;
	struct parse_error why;
	char name[PARSE_DIM_MAX];
	u32 i;

	if (!word)
		return CTL_OK;
	if (!parse_coords("at", word, &at, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (at.count != TOFU_GROUP_AXES)
		return ctl_reject(ctl, "at %s: must be the x, y and z coordinates of a group",
				  word);
	for (i = 0; i < TOFU_GROUP_AXES; i++)
		if (at.numbers[i] >= g->dims[i])
			return ctl_reject(ctl, "at %s: %s is %u, must be 0 to %u", word,
					  parse_dim_name(i, name, sizeof(name)), at.numbers[i],
					  g->dims[i] - 1);
	memcpy(asked->at, at.numbers, sizeof(asked->at));
	asked->has_at = true;
	return CTL_OK;
}

static int take_asked(struct ctl *ctl, struct ctl_args *args, struct shapes_args *asked)
{
	const char *view = ctl_next(args), *ranks;
	struct parse_error why;
	int status;

	*asked = (struct shapes_args){ .has_at = false };
	if (!view)
		return ctl_usage(ctl, "the view is missing");
	if (!parse_shape("view", view, &asked->view, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (asked->view.count != TOFU_VIEW_AXES)
		return ctl_reject(ctl, "view %s: must have three axes", view);
	status = tofu_spec_parse(ctl, args, TAKES, 0, &asked->target);
	if (!status)
		status = take_at(ctl, asked);
	if (status)
		return status;
	ranks = asked->target.values[TOFU_KEY_RANKS];
	if (ranks && strcmp(ranks, "yes") && strcmp(ranks, "no"))
		return ctl_reject(ctl, "ranks %s: must be yes or no", ranks);
	asked->ranks = ranks && !strcmp(ranks, "yes");
	return CTL_OK;
}

/* Format a shape, such as "6x6x2x2x3x2". */
static const char *shape_text(const struct tofu_shape *shape, char *text, size_t size)
{
	snprintf(text, size, "%ux%ux%ux%ux%ux%u", shape->groups[0], shape->groups[1],
		 shape->groups[2], TOFU_A_LENGTH, TOFU_B_LENGTH, TOFU_C_LENGTH);
	return text;
}

/*
 * Place a view in a box of the given shape. Return the reason if the view cannot be placed,
 * otherwise NULL.
 */
static const char *place_shape(struct shapes_args *asked, const struct tofu_shape *shape,
			       struct tofu_view *view)
{
	const struct tofu_spec *target = &asked->target;
	u32 i;
	int error;

	memset(view, 0, sizeof(*view));
	if (!tofu_shape_fits(&target->g, shape))
		return "larger than the machine";
	for (i = 0; asked->has_at && i < TOFU_GROUP_AXES; i++)
		if (asked->at[i] >= tofu_shape_origins(&target->g, shape, i))
			return "reaches beyond the edge of the machine";
	error = tofu_view_place(view, &target->g, shape, target->faulty, target->nfaulty,
				asked->has_at ? asked->at : NULL);
	asked->no_memory |= error == -ENOMEM;
	return error ? "no ring avoids the faulty nodes" : NULL;
}

/* Make a list with the coordinates in the view and the node of each rank. */
static struct json_object *ranks_json(const struct torus_geometry *g, const struct tofu_view *view)
{
	struct json_object *list = json_object_new_array(), *one;
	u32 i;

	for (i = 0; i < view->ranks; i++) {
		const u32 at[] = { i % view->length[0], i / view->length[0] % view->length[1],
				   i / view->length[0] / view->length[1] };

		one = tofu_node_json(g, tofu_view_node(view, g, i));
		json_object_object_add(one, "view", tofu_list_json(at, TOFU_VIEW_AXES));
		json_object_array_add(list, one);
	}
	return list;
}

static struct json_object *ring_json(const struct tofu_view *view, u32 axis, bool json)
{
	const struct tofu_shape *shape = &view->shape;
	struct json_object *one = json_object_new_object();
	struct json_object *ring = json_object_new_array();
	char plane[4] = { "xyz"[shape->along[axis]], "abc"[shape->inside[axis] - TOFU_A] };
	const char text[] = { plane[0], ',', plane[1], '\0' };
	u32 i;

	report_add_text(one, "plane", json ? plane : text);
	report_add_u64(one, "length", view->length[axis]);
	for (i = 0; i < view->length[axis]; i++) {
		const u32 place[] = { view->ring[axis][i].along, view->ring[axis][i].inside };

		json_object_array_add(ring, tofu_list_json(place, 2));
	}
	json_object_object_add(one, "ring", ring);
	return one;
}

static struct json_object *view_json(const struct ctl *ctl, const struct shapes_args *asked,
				     const struct tofu_view *view)
{
	const struct torus_geometry *g = &asked->target.g;
	struct json_object *doc = json_object_new_object();
	struct json_object *axes = json_object_new_array();
	struct json_object *ranks;
	u64 links, bad;
	u32 i;

	links = tofu_view_links(view, g, asked->target.faulty, asked->target.nfaulty, &bad);
	json_object_object_add(doc, "at", tofu_list_json(view->at, TOFU_GROUP_AXES));
	json_object_object_add(doc, "view", tofu_list_json(view->length, TOFU_VIEW_AXES));
	report_add_bool(doc, "shorter", view->removed > 0);
	report_add_u64(doc, "ranks", view->ranks);
	report_add_u64(doc, "links", links);
	report_add_u64(doc, "links_bad", bad);
	for (i = 0; i < TOFU_VIEW_AXES; i++)
		json_object_array_add(axes, ring_json(view, i, ctl->json));
	json_object_object_add(doc, "axes", axes);
	if (asked->ranks && !ctl->json) {
		json_object_object_add(doc, "shown", ranks_json(g, view));
	} else if (asked->ranks) {
		ranks = json_object_new_array();
		for (i = 0; i < view->ranks; i++) {
			u32 number = torus_node_number(g, tofu_view_node(view, g, i));

			json_object_array_add(ranks, json_object_new_uint64(number));
		}
		json_object_object_add(doc, "node_of_rank", ranks);
	}
	return doc;
}

static const char shape_form[] =
	"{shape}{+reason}: {reason}\n{/}"
	"{>place} at {at}: view {#view}{,}x{/}{.}{/}{?shorter}, shorter{/}, {links} links"
	"{?links_bad} OF WHICH SOME ARE NOT THERE{/}\n"
	"{#axes}{!brief}    axis {@} in {plane}:{#ring} {.}{/}\n{/}{/}"
	"{#shown}    rank {@} view {view} node {node} at {coords}\n{/}{/}";

/*
 * Print one shape: the position of its box, or the reason why the view cannot be placed. If a
 * picture is requested, add a placed view to it in place of text.
 */
static void print_shape(struct ctl *ctl, struct shapes_args *asked, const struct tofu_shape *shape,
			struct shapes_picture *picture, struct json_object *list,
			u32 counts[2])
{
	struct json_object *one;
	struct tofu_view view;
	const char *why = place_shape(asked, shape, &view);
	char text[PARSE_SHAPE_MAX];

	shape_text(shape, text, sizeof(text));
	if (!why)
		counts[view.removed > 0]++;
	if (list || !picture) {
		one = json_object_new_object();
		report_add_text(one, "shape", text);
		json_object_object_add(one, "groups",
				       tofu_list_json(shape->groups, TOFU_GROUP_AXES));
		report_add_text(one, "reason", why);
		json_object_object_add(one, "place", why ? NULL : view_json(ctl, asked, &view));
		if (!list)
			report_add_bool(one, "brief", ctl->brief);
		report_item(list, one, shape_form);
	}
	if (!why && picture)
		shapes_picture_add(ctl, picture, text, &view);
	if (!why)
		tofu_view_free(&view);
}

static void print_end(struct ctl *ctl, const struct shapes_args *asked, const char *view, u32 count,
		      const char *why, const u32 counts[2], struct json_object *list)
{
	struct json_object *doc;

	if (list) {
		doc = json_object_new_object();
		tofu_machine_json(doc, &asked->target.g);
		report_add_text(doc, "view", view);
		report_add_u64(doc, "count", count);
		report_add_text(doc, "reason", *why ? why : NULL);
		report_add_u64(doc, "whole", counts[0]);
		report_add_u64(doc, "shorter", counts[1]);
		json_object_object_add(doc, "shapes", list);
		output_json(ctl, doc);
		return;
	}
	if (*why)
		ctl_error(ctl, "view %s: no shape of groups provides it: %s", view, why);
	else if (!counts[0])
		ctl_error(ctl, "view %s: no shape fits into the machine%s", view,
			  counts[1] ? "; shorter views fit" : "");
}

/**
 * route_shapes - run torusctl route shapes VIEW in XxYxZ ..
 * @args: the view, the machine and its faulty nodes
 *
 * Return: CTL_OK if the view can be placed; CTL_FAILED if it cannot be placed, or only with a
 * shorter axis; CTL_USAGE or CTL_FAILED after an error message.
 */
int route_shapes(struct ctl *ctl, struct ctl_args *args)
{
	struct tofu_shape shapes[TOFU_SHAPES_MAX];
	const char *view = args->at < args->count ? args->words[args->at] : NULL;
	struct shapes_picture picture = { .failed = false };
	struct json_object *list = NULL;
	char why[TOFU_WHY_MAX];
	u32 counts[2] = { 0, 0 }, count, i;
	struct shapes_args asked;
	const char *svg;
	int status = take_asked(ctl, args, &asked);

	if (status)
		return status;
	svg = asked.target.values[TOFU_KEY_SVG];
	if (svg && !strcmp(svg, "-"))
		return ctl_reject(ctl,
				  "svg -: must be a file, because the result goes to standard "
				  "output");
	if (svg && output_extension(ctl, "svg", svg, ".svg"))
		return CTL_USAGE;
	picture.path = svg;
	count = tofu_shapes_find(asked.view.numbers, shapes, why);
	if (ctl->json)
		list = json_object_new_array();
	for (i = 0; i < count; i++)
		print_shape(ctl, &asked, &shapes[i], svg ? &picture : NULL, list, counts);
	if (asked.no_memory) {
		shapes_picture_discard(&picture);
		json_object_put(list);
		ctl_error(ctl, "out of memory");
		return CTL_FAILED;
	}
	if (!shapes_picture_close(ctl, &picture))
		status = picture.failed ? CTL_USAGE : CTL_FAILED;
	print_end(ctl, &asked, view, count, why, counts, list);
	if (!status && !counts[0])
		status = CTL_FAILED;
	return status;
}
