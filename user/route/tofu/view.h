/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Torus views of jobs (Ajima et al. (2009), Torus mapping and fault tolerance, High system
 * utilization).
 *
 * A job requests a torus of three axes. Each axis is a ring in the plane of one of x, y, z and one
 * of a, b, c, and each machine axis is used once. So boxes of different lengths, called shapes, can
 * contain the same view. A view of 12x12x6 nodes fits into 6x6x2 groups, into 6x4x3 groups, and
 * into others.
 */
#ifndef TORUS_USER_ROUTE_TOFU_VIEW_H
#define TORUS_USER_ROUTE_TOFU_VIEW_H

#include "plane_cycle.h"

#define TOFU_VIEW_AXES	3u
#define TOFU_SHAPES_MAX	36u
#define TOFU_WHY_MAX	160

/**
 * struct tofu_shape - a box of groups for a view
 * @groups: lengths of the box in x, y, z, in groups
 * @along: by axis of the view: machine axis between groups, TOFU_X, TOFU_Y or TOFU_Z
 * @inside: by axis of the view: machine axis within groups, TOFU_A, TOFU_B or TOFU_C
 */
struct tofu_shape {
	u32 groups[TOFU_GROUP_AXES];
	u32 along[TOFU_VIEW_AXES];
	u32 inside[TOFU_VIEW_AXES];
};

/**
 * struct tofu_view - a shape at a position, with its rings
 * @at: coordinates of the box's first group
 * @length: by axis: number of places in the ring
 * @ring: by axis: places of the ring, relative to @at
 * @removed: number of places that dead nodes remove from the view's axis that uses b
 * @ranks: number of ranks, the product of the lengths
 */
struct tofu_view {
	struct tofu_shape shape;
	u32 at[TOFU_GROUP_AXES];
	u32 length[TOFU_VIEW_AXES];
	struct tofu_cycle_place *ring[TOFU_VIEW_AXES];
	u32 removed;
	u32 ranks;
};

void tofu_view_free(struct tofu_view *view);
u32 tofu_view_node(const struct tofu_view *view, const struct torus_geometry *g, u32 rank);
u64 tofu_view_links(const struct tofu_view *view, const struct torus_geometry *g,
		    const u32 *dead_nodes, u32 ndead, u64 *bad);
int tofu_view_place(struct tofu_view *view, const struct torus_geometry *g,
		    const struct tofu_shape *shape, const u32 *dead_nodes, u32 ndead,
		    const u32 *at);

#endif /* TORUS_USER_ROUTE_TOFU_VIEW_H */
