// SPDX-License-Identifier: GPL-2.0
/*
 * Place a torus view in a machine: rings around dead nodes, nodes of ranks, neighbours.
 *
 * A dead node removes its place from the plane of the axis that is paired with b. All nodes of the
 * box that project to this place leave the view: four nodes for one dead node in figure 3b of Ajima
 * et al. (2009).
 */
#include <errno.h>
#include <stdlib.h>

#include "view_shapes.h"
#include "view.h"

/* Return the axis of the view that is paired with the machine's axis b. */
static u32 axis_of_b(const struct tofu_shape *shape)
{
	u32 axis;

	for (axis = 0; shape->inside[axis] != TOFU_B; axis++)
		;
	return axis;
}

/*
 * Return the distance of a coordinate from the start of a box along an axis. If the coordinate is
 * outside the box, the result is at least the box's length.
 */
static u32 offset(const struct torus_geometry *g, u32 axis, u32 coord, u32 from)
{
	return coord >= from ? coord - from : coord + g->dims[axis] - from;
}

/*
 * Mark the places that dead nodes remove from the plane of axis b. Return: number of places
 * removed.
 */
static u32 mark_out(const struct torus_geometry *g, const struct tofu_shape *shape,
		    const u32 *at, const u32 *dead_nodes, u32 ndead, u8 *out)
{
	u32 along = shape->along[axis_of_b(shape)], i, axis, removed = 0;

	for (i = 0; i < ndead; i++) {
		u32 coords[TOFU_AXES], place, bit;

		torus_geometry_coords(g, dead_nodes[i], coords);
		for (axis = 0; axis < TOFU_GROUP_AXES; axis++)
			if (offset(g, axis, coords[axis], at[axis]) >= shape->groups[axis])
				break;
		if (axis < TOFU_GROUP_AXES)
			continue;
		place = offset(g, along, coords[along], at[along]);
		bit = 1u << coords[TOFU_B];
		removed += !(out[place] & bit);
		out[place] |= (u8)bit;
	}
	return removed;
}

static int find_rings(struct tofu_view *view, const u8 *out)
{
	const struct tofu_shape *shape = &view->shape;
	u32 axis;
	int error = 0;

	view->ranks = 1;
	for (axis = 0; axis < TOFU_VIEW_AXES && !error; axis++) {
		bool of_b = shape->inside[axis] == TOFU_B;
		const struct tofu_plane plane = {
			.length = shape->groups[shape->along[axis]],
			.width = of_b ? TOFU_B_LENGTH : TOFU_A_LENGTH,
			.out = of_b ? out : NULL,
		};

		error = tofu_ring_find(&plane, &view->ring[axis], &view->length[axis]);
		view->ranks *= view->length[axis];
	}
	return error;
}

/**
 * tofu_view_free() - free a view's rings
 */
void tofu_view_free(struct tofu_view *view)
{
	u32 axis;

	for (axis = 0; axis < TOFU_VIEW_AXES; axis++)
		free(view->ring[axis]);
	memset(view, 0, sizeof(*view));
}

/* Place a view at view->at. Return -EAGAIN if dead nodes remove more than @wanted places there. */
static int place_at(struct tofu_view *view, const struct torus_geometry *g,
		    const u32 *dead_nodes, u32 ndead, u32 wanted, u8 *out)
{
	const struct tofu_shape *shape = &view->shape;
	u32 along = shape->along[axis_of_b(shape)];
	u32 axis;
	int error;

	memset(out, 0, shape->groups[along]);
	view->removed = mark_out(g, shape, view->at, dead_nodes, ndead, out);
	if (view->removed > wanted)
		return -EAGAIN;
	error = find_rings(view, out);
	for (axis = 0; error && axis < TOFU_VIEW_AXES; axis++) {
		free(view->ring[axis]);
		view->ring[axis] = NULL;
	}
	return error;
}

/*
 * Find the first position at which the view has rings and dead nodes remove at most @wanted places.
 */
static int search(struct tofu_view *view, const struct torus_geometry *g, const u32 *dead_nodes,
		  u32 ndead, u32 wanted, u8 *out)
{
	u32 most[TOFU_GROUP_AXES], axis, *at = view->at;
	int error = -ENOENT;

	for (axis = 0; axis < TOFU_GROUP_AXES; axis++)
		most[axis] = tofu_shape_origins(g, &view->shape, axis);
	for (at[2] = 0; at[2] < most[2]; at[2]++)
		for (at[1] = 0; at[1] < most[1]; at[1]++)
			for (at[0] = 0; at[0] < most[0]; at[0]++) {
				error = place_at(view, g, dead_nodes, ndead, wanted, out);
				if (!error || error == -ENOMEM)
					return error;
			}
	return -ENOENT;
}

/**
 * tofu_view_place() - place a view at the position where dead nodes remove the fewest places
 * @view: [out] freed with tofu_view_free() after success
 * @shape: must fit into the machine
 * @dead_nodes: indices of dead nodes
 * @at: position of the view's box; NULL: the first of the best positions
 *
 * Return: 0, -ENOENT (no rings around the dead nodes), -ENOMEM.
 */
int tofu_view_place(struct tofu_view *view, const struct torus_geometry *g,
		    const struct tofu_shape *shape, const u32 *dead_nodes, u32 ndead,
		    const u32 *at)
{
	u8 *out = malloc(shape->groups[shape->along[axis_of_b(shape)]]);
	u32 removed;
	int error = -ENOENT;

	memset(view, 0, sizeof(*view));
	view->shape = *shape;
	if (!out)
		return -ENOMEM;
	if (at) {
		memcpy(view->at, at, sizeof(view->at));
		error = place_at(view, g, dead_nodes, ndead, ndead, out);
	}
	for (removed = 0; !at && error == -ENOENT && removed <= ndead; removed++)
		error = search(view, g, dead_nodes, ndead, removed, out);
	free(out);
	return error;
}

/**
 * tofu_view_node() - get the node of a rank
 * @rank: below @view->ranks; the view's first axis counts fastest
 *
 * Return: index of the node.
 */
u32 tofu_view_node(const struct tofu_view *view, const struct torus_geometry *g, u32 rank)
{
	const struct tofu_shape *shape = &view->shape;
	u32 coords[TOFU_AXES], axis;

	for (axis = 0; axis < TOFU_VIEW_AXES; axis++) {
		struct tofu_cycle_place place = view->ring[axis][rank % view->length[axis]];
		u32 along = shape->along[axis];

		rank /= view->length[axis];
		coords[along] = (view->at[along] + place.along) % g->dims[along];
		coords[shape->inside[axis]] = place.inside;
	}
	return torus_geometry_node(g, coords);
}

static bool linked(const struct torus_geometry *g, u32 a, u32 b)
{
	u32 dir;

	for (dir = 0; dir < TOFU_DIRS; dir++)
		if (torus_geometry_neighbor(g, a, dir) == b)
			return true;
	return false;
}

/**
 * tofu_view_links() - check that neighbours in a view are joined by a link
 * @dead_nodes: indices of dead nodes
 * @bad: [out] number of pairs of neighbours without a link, plus number of ranks on dead nodes
 *
 * Return: number of pairs of neighbours.
 */
u64 tofu_view_links(const struct tofu_view *view, const struct torus_geometry *g,
		    const u32 *dead_nodes, u32 ndead, u64 *bad)
{
	u32 rank, axis, i;
	u64 links = 0;

	*bad = 0;
	for (rank = 0; rank < view->ranks; rank++) {
		u32 node = tofu_view_node(view, g, rank), stride = 1;

		for (i = 0; i < ndead; i++)
			*bad += dead_nodes[i] == node;
		for (axis = 0; axis < TOFU_VIEW_AXES; axis++) {
			u32 length = view->length[axis], coord = rank / stride % length;
			u32 next = coord + 1 < length ? rank + stride :
				   rank - coord * stride;

			*bad += !linked(g, node, tofu_view_node(view, g, next));
			links++;
			stride *= length;
		}
	}
	return links;
}
