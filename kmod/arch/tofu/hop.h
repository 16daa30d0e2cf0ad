/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One hop of a packet by the rules of route.h: phase, axis, direction, VC. The router inlines
 * it.
 */
#ifndef TORUS_ARCH_TOFU_HOP_H
#define TORUS_ARCH_TOFU_HOP_H

#include "arch/tofu/route.h"

/*
 * The code of this file avoids branches: a packet's direction is unpredictable, and a mispredicted
 * branch costs more than computing both alternatives.
 */

torus_inline u32 tofu_sum_coords(const u32 *coords)
{
	u32 sum = 0, axis;

	for (axis = 0; axis < TOFU_AXES; axis++)
		sum += coords[axis];
	return sum;
}

/*
 * Check whether a packet takes the plus direction, the shorter way. Halfway round a ring, both
 * directions are equally long, and the parity of the coordinates decides.
 */
torus_inline bool tofu_goes_plus(const struct torus_geometry *g, const u32 *at, const u32 *dest,
				 u32 axis)
{
	bool mesh = g->mesh >> axis & 1, ring = !mesh, below = at[axis] < dest[axis];
	u32 length = g->dims[axis], up = dest[axis] - at[axis] + (below ? 0 : length);
	bool even = !((tofu_sum_coords(dest) - dest[axis] + at[axis]) & 1);
	bool shorter = (2 * up < length) | ((2 * up == length) & even);

	return (mesh & below) | (ring & shorter);
}

/*
 * Return the VC (0 or 1) for a hop between groups. A packet that enters an axis takes VC 1 if its
 * way on the axis does not cross the dateline and the sum of its destination's coordinates is odd,
 * else VC 0. On the axis it keeps its VC, but changes to VC 1 at the dateline.
 */
torus_inline u32 tofu_vc_in_ring(const struct torus_geometry *g, const u32 *dest, const u32 *at,
				 u32 dir, const struct tofu_hop *last)
{
	u32 axis = TORUS_DIM(dir);
	bool minus = TORUS_MINUS(dir);
	bool entered = (last->phase == TOFU_TO_GROUP) & (last->dir == dir), enters = !entered;
	bool behind = at[axis] == (minus ? g->dims[axis] - 1 : 0);
	bool beyond = minus != (at[axis] < dest[axis]);

	return (entered & (behind | (last->vc & 1))) |
	       (enters & beyond & (tofu_sum_coords(dest) & 1));
}

torus_inline bool tofu_hop_between_groups(const struct torus_geometry *g,
					  const struct tofu_way *way, const u32 *at,
					  struct tofu_hop *hop)
{
	u32 away = 0, i, axis, dir;

	for (i = 0; i < TOFU_GROUP_AXES; i++)
		away |= (u32)(at[i] != way->dest[i]) << i;
	if (!away)
		return false;
	axis = tofu_next_axis[way->order][away];
	dir = 2 * axis + !tofu_goes_plus(g, at, way->dest, axis);
	hop->vc = tofu_vc_in_ring(g, way->dest, at, dir, hop);
	hop->dir = dir;
	hop->phase = TOFU_TO_GROUP;
	return true;
}

/*
 * Compute the next link of a packet.
 *
 * @g: shape of the machine
 * @way: routing fields of the packet's header
 * @at: coordinates of the packet's node
 * @hop: [in] the link on which it arrived, TOFU_HOP_FIRST at its source; [out] the next link
 *
 * Return: false at the destination; then only the phase of @hop may change.
 */
torus_inline bool tofu_route_next(const struct torus_geometry *g, const struct tofu_way *way,
				  const u32 *at, struct tofu_hop *hop)
{
	u32 first = way->order * TOFU_VCS / TOFU_ORDERS, here = tofu_slot(at), dir;
	bool relayed = (hop->phase != TOFU_TO_RELAY) | (here == way->path);

	if (relayed && hop->phase != TOFU_TO_NODE && tofu_hop_between_groups(g, way, at, hop)) {
		hop->vc += first;
		return true;
	}
	hop->phase = relayed ? TOFU_TO_NODE : TOFU_TO_RELAY;
	dir = tofu_group_dirs[here][relayed ? tofu_slot(way->dest) : way->path];
	if (dir == TOFU_DIRS)
		return false;
	hop->dir = dir;
	hop->vc = first + relayed;
	return true;
}

#endif
