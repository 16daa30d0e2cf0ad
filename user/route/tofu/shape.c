// SPDX-License-Identifier: GPL-2.0
/* All shapes of a view: which axis of it goes with which two of the machine's. */
#include "shape.h"
#include "view.h"

static const u32 width[] = { TOFU_A_LENGTH, TOFU_B_LENGTH, TOFU_C_LENGTH };

/* The six orders of three things. */
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

/* Largest in x first, then in y. */
static int compare(const u32 *a, const u32 *b)
{
	u32 i;

	for (i = 0; i < TOFU_GROUP_AXES; i++)
		if (a[i] != b[i])
			return a[i] > b[i] ? -1 : 1;
	return 0;
}

/* Two ways to use one box are one shape: the first stays. */
static u32 insert(struct tofu_shape *shapes, u32 count, const struct tofu_shape *shape)
{
	u32 i, j;

	for (i = 0; i < count; i++) {
		int order = compare(shape->groups, shapes[i].groups);

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

/* Why there is none: b must be in a multiple of three, a and c in even lengths. */
static void explain(const u32 *view, char *why)
{
	size_t used;
	u32 i, j, n = 0;

	for (i = 0; i < TOFU_VIEW_AXES; i++)
		n += view[i] && view[i] % TOFU_B_LENGTH == 0;
	if (!n) {
		scnprintf(why, TOFU_WHY_MAX, "one axis goes round with b and needs a length that "
			  "3 divides: %u, %u and %u are none", view[0], view[1], view[2]);
		return;
	}
	used = scnprintf(why, TOFU_WHY_MAX, "the two axes that go round with a and c need even "
			 "lengths:");
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
 * tofu_shapes_find() - all shapes of a view
 * @view: three lengths
 * @shapes: gets them, largest in x first; room for TOFU_SHAPES_MAX
 * @why: gets the reason if there is none, TOFU_WHY_MAX bytes
 *
 * Return: their number.
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
 * tofu_shape_fits() - is a machine large enough?
 * @g: the machine
 * @shape: the shape
 *
 * Return: whether it is.
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
 * tofu_shape_origins() - places of a shape along an axis
 * @g: the machine
 * @shape: a shape that fits
 * @axis: the axis
 *
 * Return: their number, from coordinate 0 on: on a torus it may go over the end, but one that
 * is as long as the machine has one place.
 */
u32 tofu_shape_origins(const struct torus_geometry *g, const struct tofu_shape *shape, u32 axis)
{
	u32 length = g->dims[axis], box = shape->groups[axis];

	if (g->mesh >> axis & 1 || box == length)
		return length - box + 1;
	return length;
}
