/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Torus views of jobs (Ajima et al. (2009), Torus mapping and fault tolerance, High system
 * utilization).
 *
 * A job asks for a torus of three axes.  Each is a ring in the plane of one of x, y, z and one
 * of a, b, c, each used once; so a view of 12x12x6 fits boxes of 6x6x2 groups, of 6x4x3 and
 * others: its shapes.
 */
#ifndef TORUS_USER_ROUTE_TOFU_VIEW_H
#define TORUS_USER_ROUTE_TOFU_VIEW_H

#include "ring.h"

#define TOFU_VIEW_AXES	3u
#define TOFU_SHAPES_MAX	36u
#define TOFU_WHY_MAX	160

/**
 * struct tofu_shape - a box of groups for a view
 * @groups: lengths in x, y, z
 * @along: by axis of the view: TOFU_X, TOFU_Y or TOFU_Z
 * @inside: by axis of the view: TOFU_A, TOFU_B or TOFU_C
 */
struct tofu_shape {
	u32 groups[TOFU_GROUP_AXES];
	u32 along[TOFU_VIEW_AXES];
	u32 inside[TOFU_VIEW_AXES];
};

/**
 * struct tofu_view - a shape at a place, with its rings
 * @shape: the shape
 * @at: coordinates of its first group
 * @length: lengths of the view
 * @ring: by axis: its ring, places counted from @at on
 * @removed: places that the axis paired with b is short of
 * @ranks: product of the lengths
 */
struct tofu_view {
	struct tofu_shape shape;
	u32 at[TOFU_GROUP_AXES];
	u32 length[TOFU_VIEW_AXES];
	struct tofu_place *ring[TOFU_VIEW_AXES];
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
