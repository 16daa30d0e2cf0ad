/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rings through a plane of one of x, y, z and one of a, b, c. Each axis of a torus view is such
 * a ring (Ajima et al. (2009), Torus mapping and fault tolerance, figure 3).
 */
#ifndef TORUS_ROUTE_TOFU_PLANE_CYCLE_H
#define TORUS_ROUTE_TOFU_PLANE_CYCLE_H

#include "arch/tofu/geometry.h"

#define TOFU_RING_LENGTH_MAX	4096u	/* maximum number of groups along a plane */

/**
 * struct tofu_cycle_place - a place in a plane
 * @along: group within the plane, counted along x, y or z
 * @inside: coordinate in a, b or c within the group
 */
struct tofu_cycle_place {
	u16 along;
	u16 inside;
};

/**
 * struct tofu_plane - a plane and its unusable places
 * @length: number of groups
 * @width: number of places in a group: 2, or 3 that form a ring
 * @out: by group: mask of unusable places; NULL if all are usable
 */
struct tofu_plane {
	u32 length;
	u32 width;
	const u8 *out;
};

int tofu_ring_find(const struct tofu_plane *plane, struct tofu_cycle_place **ring, u32 *count);

#endif /* TORUS_ROUTE_TOFU_PLANE_CYCLE_H */
