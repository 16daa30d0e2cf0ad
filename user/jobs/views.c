// SPDX-License-Identifier: GPL-2.0
/*
 * The views that jobs ask for: all whose shortest box is compact enough and fits the machine.
 *
 * Users ask for tori that are not too long: no side of the view is more than four times another.
 */
#include <errno.h>
#include <stdlib.h>

#include "../common/array.h"
#include "jobs.h"
#include "views.h"
#include "../route/tofu/view_shapes.h"

#define SLIM		4u	/* the longest side of a view, in shortest ones */
#define SIDE_MIN	2u

/**
 * jobs_shapes_name() - where a job may go, in a word
 * @shapes: it
 *
 * Return: the word.
 */
const char *jobs_shapes_name(enum jobs_shapes shapes)
{
	static const char *const names[JOBS_SHAPES] = { "many", "one", "off" };

	return names[shapes];
}

/**
 * jobs_order_name() - who may start, in a word
 * @order: it
 *
 * Return: the word.
 */
const char *jobs_order_name(enum jobs_order order)
{
	static const char *const names[JOBS_ORDERS] = { "backfill", "fcfs" };

	return names[order];
}

static u32 surface(const u32 *box)
{
	return box[0] * box[1] + box[1] * box[2] + box[0] * box[2];
}

/* The most compact box first; of those alike the order of tofu_shapes_find(), long in x. */
static void add_box(struct jobs_kind *kind, const u32 *box)
{
	u32 i = kind->count++, j;

	for (j = 0; j < i; j++)
		if (!memcmp(kind->box[j], box, sizeof(kind->box[j]))) {
			kind->count--;
			return;
		}
	for (; i && surface(kind->box[i - 1]) > surface(box); i--)
		memcpy(kind->box[i], kind->box[i - 1], sizeof(kind->box[i]));
	memcpy(kind->box[i], box, sizeof(kind->box[i]));
}

/* A job of @large nodes has redundancy nodes: a group more along the axis that goes with b. */
static void add_boxes(struct jobs_kind *kind, const struct torus_geometry *g, u32 large)
{
	struct tofu_shape shapes[TOFU_SHAPES_MAX];
	char why[TOFU_WHY_MAX];
	u32 count = tofu_shapes_find(kind->view, shapes, why), i, axis;

	kind->large = large && kind->nodes >= large;
	for (i = 0; i < count; i++) {
		for (axis = 0; kind->large && axis < TOFU_VIEW_AXES; axis++)
			if (shapes[i].inside[axis] == TOFU_B)
				shapes[i].groups[shapes[i].along[axis]]++;
		if (tofu_shape_fits(g, &shapes[i]))
			add_box(kind, shapes[i].groups);
	}
}

static int compare(const void *a, const void *b)
{
	const struct jobs_kind *one = a, *other = b;

	if (one->nodes != other->nodes)
		return one->nodes < other->nodes ? -1 : 1;
	return memcmp(one->view, other->view, sizeof(one->view));
}

static int add_kind(struct jobs_kinds *kinds, const struct torus_geometry *g, const u32 *view,
		    u32 large)
{
	struct jobs_kind *kind = torus_array_add(&kinds->kind, &kinds->count);

	if (!kind)
		return -ENOMEM;
	*kind = (struct jobs_kind){ .nodes = view[0] * view[1] * view[2] };
	memcpy(kind->view, view, sizeof(kind->view));
	add_boxes(kind, g, large);
	kinds->count -= !kind->count;
	return 0;
}

/**
 * jobs_kinds_make() - all views that jobs ask for
 * @kinds: gets them; to be freed, whatever comes back
 * @g: the machine
 * @large: nodes from which on a job has redundancy nodes, 0: none has
 *
 * Return: 0, -ENOMEM.
 */
int jobs_kinds_make(struct jobs_kinds *kinds, const struct torus_geometry *g, u32 large)
{
	u32 view[TOFU_VIEW_AXES], longest = 0, axis;
	int error = 0;

	*kinds = (struct jobs_kinds){ .count = 0 };
	for (axis = 0; axis < TOFU_GROUP_AXES; axis++)
		if (TOFU_B_LENGTH * g->dims[axis] > longest)
			longest = TOFU_B_LENGTH * g->dims[axis];
	for (view[0] = SIDE_MIN; view[0] <= longest && !error; view[0]++)
		for (view[1] = SIDE_MIN; view[1] <= view[0] && !error; view[1]++)
			for (view[2] = (view[0] + SLIM - 1) / SLIM;
			     view[2] <= view[1] && !error; view[2]++)
				if (view[2] >= SIDE_MIN)
					error = add_kind(kinds, g, view, large);
	if (!error && kinds->count)
		qsort(kinds->kind, kinds->count, sizeof(*kinds->kind), compare);
	return error;
}

/**
 * jobs_kinds_free() - give back what jobs_kinds_make() took
 * @kinds: it
 */
void jobs_kinds_free(struct jobs_kinds *kinds)
{
	free(kinds->kind);
	*kinds = (struct jobs_kinds){ .count = 0 };
}

/**
 * jobs_kind_of() - the smallest view of so many nodes
 * @kinds: all views
 * @nodes: nodes
 *
 * Return: its number; the largest view if none has as many.
 */
u32 jobs_kind_of(const struct jobs_kinds *kinds, double nodes)
{
	u32 low = 0, high = kinds->count - 1;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (kinds->kind[middle].nodes < nodes)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
