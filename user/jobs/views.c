// SPDX-License-Identifier: GPL-2.0
/*
 * List the views that jobs request: all views whose shortest side has at least two nodes and whose
 * longest side is at most four times the shortest, and that have a box which fits into the machine.
 */
#include <errno.h>
#include <stdlib.h>

#include "../common/array.h"
#include "jobs.h"
#include "views.h"
#include "../route/tofu/view_shapes.h"

#define SLIM		4u	/* greatest ratio of a view's longest to its shortest side */
#define SIDE_MIN	2u

/**
 * jobs_shapes_name() - get the name of a placement rule
 */
const char *jobs_shapes_name(enum jobs_shapes shapes)
{
	static const char *const names[JOBS_SHAPES] = { "many", "one", "off" };

	return names[shapes];
}

/**
 * jobs_order_name() - get the name of a scheduling policy
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

/*
 * Insert a box, the most compact first. Boxes of equal surface keep the order of
 * tofu_shapes_find(): longest in x first.
 */
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

/*
 * Add the boxes of a view. A job of at least @large nodes has redundancy nodes: one more group
 * along the axis (x, y or z) that forms a plane with b in the view.
 */
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

static int views_compare(const void *a, const void *b)
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
 * jobs_kinds_make() - list all views that jobs request
 * @kinds: [out] freed by jobs_kinds_free(), also after an error
 * @large: minimum nodes of a job with redundancy nodes; 0: no job has them
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
		qsort(kinds->kind, kinds->count, sizeof(*kinds->kind), views_compare);
	return error;
}

/**
 * jobs_kinds_free() - free a list of views
 */
void jobs_kinds_free(struct jobs_kinds *kinds)
{
	free(kinds->kind);
	*kinds = (struct jobs_kinds){ .count = 0 };
}

/**
 * jobs_kind_of() - find the smallest view with at least @nodes nodes
 *
 * Return: index of the view; the largest view if none has enough nodes.
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
