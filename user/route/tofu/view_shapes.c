// SPDX-License-Identifier: GPL-2.0
/*
 * List the shapes of a view, one for each box. A shape pairs each axis of the view with one of x,
 * y, z and one of a, b, c.
 */
#include "view_shapes.h"
#include "view.h"

static const u32 width[] = { TOFU_A_LENGTH, TOFU_B_LENGTH, TOFU_C_LENGTH };

/* All permutations of three axes. */
static const u8 orders[6][3] = {
	{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
};

static bool make_shape(const u32 *view, const u8 *along, const u8 *inside,
		       struct tofu_shape *shape)
{
	u32 i;

	for (i = 0; i < TOFU_VIEW_AXES; i++) {
		u32 wide = width[inside[i]];

		if (!view[i] || view[i] % wide)
			return false;
		shape->along[i] = TOFU_X + along[i];
		shape->inside[i] = TOFU_A + inside[i];
		shape->groups[along[i]] = view[i] / wide;
	}
	return true;
}

/* Compare boxes for sorting: larger in x first, then larger in y, then in z. */
static int shapes_compare(const u32 *a, const u32 *b)
{
	u32 i;

	for (i = 0; i < TOFU_GROUP_AXES; i++)
		if (a[i] != b[i])
			return a[i] > b[i] ? -1 : 1;
	return 0;
}

/*
 * Insert a shape into a sorted array. If two shapes have the same box, only the first is kept.
 * Return: the new number of shapes.
 */
static u32 insert(struct tofu_shape *shapes, u32 count, const struct tofu_shape *shape)
{
	u32 i, j;

	for (i = 0; i < count; i++) {
		int order = shapes_compare(shape->groups, shapes[i].groups);

		if (!order)
			return count;
		if (order < 0)
			break;
	}
	for (j = count; j > i; j--)
		shapes[j] = shapes[j - 1];
	shapes[i] = *shape;
	return count + 1;
}

/*
 * Write the reason why a view has no shape. The length of the axis that uses b must be a multiple
 * of three; the other two lengths must be even.
 */
static void explain(const u32 *view, char *why)
{
	size_t used;
	u32 i, j, n = 0;

	for (i = 0; i < TOFU_VIEW_AXES; i++)
		n += view[i] && view[i] % TOFU_B_LENGTH == 0;
	if (!n) {
		scnprintf(why, TOFU_WHY_MAX,
			  "one axis uses b, so its length must be a multiple of 3, but the lengths "
			  "are %u, %u and %u", view[0], view[1], view[2]);
		return;
	}
	used = scnprintf(why, TOFU_WHY_MAX,
			 "the two axes that use a and c must have even lengths, but");
	for (i = 0, n = 0; i < TOFU_VIEW_AXES; i++) {
		if (view[i] % TOFU_B_LENGTH)
			continue;
		used += scnprintf(why + used, TOFU_WHY_MAX - used, "%s with b on %u",
				  n++ ? ";" : "", view[i]);
		for (j = 0; j < TOFU_VIEW_AXES; j++)
			if (j != i && view[j] % 2)
				used += scnprintf(why + used, TOFU_WHY_MAX - used,
						  ", %u is odd", view[j]);
	}
}

/**
 * tofu_shapes_find() - list the shapes of a view, one for each box
 * @view: lengths of the view's three axes
 * @shapes: [out] array of TOFU_SHAPES_MAX, largest box in x first
 * @why: [out] the reason if there is no shape; TOFU_WHY_MAX bytes
 *
 * Return: number of shapes.
 */
u32 tofu_shapes_find(const u32 *view, struct tofu_shape *shapes, char *why)
{
	struct tofu_shape shape;
	u32 count = 0, i, j;

	*why = '\0';
	for (i = 0; i < 6; i++)
		for (j = 0; j < 6; j++)
			if (make_shape(view, orders[i], orders[j], &shape))
				count = insert(shapes, count, &shape);
	if (!count)
		explain(view, why);
	return count;
}

/**
 * tofu_shape_fits() - check whether a machine is large enough for a shape
 */
bool tofu_shape_fits(const struct torus_geometry *g, const struct tofu_shape *shape)
{
	u32 i;

	for (i = 0; i < TOFU_GROUP_AXES; i++)
		if (shape->groups[i] > g->dims[i])
			return false;
	return true;
}

/**
 * tofu_shape_origins() - get the number of positions of a shape along an axis
 * @shape: must fit into the machine
 *
 * Return: number of positions, from coordinate 0 on. If the axis is a ring, the shape may wrap
 * around. A shape as long as the axis has one position.
 */
u32 tofu_shape_origins(const struct torus_geometry *g, const struct tofu_shape *shape, u32 axis)
{
	u32 length = g->dims[axis], box = shape->groups[axis];

	if (g->mesh >> axis & 1 || box == length)
		return length - box + 1;
	return length;
}
