/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring through a plane of one of x, y, z and one of a, b, c: an axis of a torus view
 * (Ajima et al. (2009), Torus mapping and fault tolerance, figure 3).
 */
#ifndef TORUS_USER_ROUTE_TOFU_RING_H
#define TORUS_USER_ROUTE_TOFU_RING_H

#include "arch/tofu/geometry.h"

#define TOFU_RING_LENGTH_MAX	4096u	/* groups along a plane */

/**
 * struct tofu_place - a place of a plane
 * @along: groups from the plane's edge on, in x, y or z
 * @inside: coordinate in a, b or c
 */
struct tofu_place {
	u16 along;
	u16 inside;
};

/**
 * struct tofu_plane - a plane, and what is out in it
 * @length: groups
 * @width: places of a group: 2, or 3 that close
 * @out: by group: places that are out, a bit each; NULL: none
 */
struct tofu_plane {
	u32 length;
	u32 width;
	const u8 *out;
};

int tofu_ring_find(const struct tofu_plane *plane, struct tofu_place **ring, u32 *count);

#endif /* TORUS_USER_ROUTE_TOFU_RING_H */
