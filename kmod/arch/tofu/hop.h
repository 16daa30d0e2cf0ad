/* SPDX-License-Identifier: GPL-2.0 */
/* One hop of a packet, as route.h tells it: phase, axis, direction, VC.  The router inlines it. */
#ifndef TORUS_ARCH_TOFU_HOP_H
#define TORUS_ARCH_TOFU_HOP_H

#include "arch/tofu/route.h"

/* Within a group: a and c to their other end, b either way round its three. */
torus_inline bool tofu_hop_in_group(const u32 *at, const u32 *to, struct tofu_hop *hop)
{
	u32 axis;

	for (axis = TOFU_A; axis <= TOFU_C; axis++) {
		bool plus = at[axis] < to[axis];

		if (at[axis] == to[axis])
			continue;
		if (axis == TOFU_B)
			plus = (at[axis] + 1) % TOFU_B_LENGTH == to[axis];
		hop->dir = 2 * axis + !plus;
		return true;
	}
	return false;
}

torus_inline u32 tofu_sum_coords(const u32 *coords)
{
	u32 sum = 0, axis;

	for (axis = 0; axis < TOFU_AXES; axis++)
		sum += coords[axis];
	return sum;
}

/* The shorter way; halfway round both are. */
torus_inline bool tofu_goes_plus(const struct torus_geometry *g, const u32 *at, const u32 *dest,
				 u32 axis)
{
	u32 length = g->dims[axis], up;

	if (g->mesh >> axis & 1)
		return at[axis] < dest[axis];
	up = at[axis] < dest[axis] ? dest[axis] - at[axis] : dest[axis] + length - at[axis];
	if (2 * up != length)
		return 2 * up < length;
	return !((tofu_sum_coords(dest) - dest[axis] + at[axis]) & 1);
}

/* On entering an axis: by what is ahead.  On it: the same VC, but another behind the dateline. */
torus_inline u32 tofu_vc_in_ring(const struct torus_geometry *g, const u32 *dest, const u32 *at,
				 u32 dir, const struct tofu_hop *last)
{
	u32 axis = TORUS_DIM(dir);
	bool minus = TORUS_MINUS(dir);

	if (last->phase == TOFU_TO_GROUP && last->dir == dir) {
		if (at[axis] == (minus ? g->dims[axis] - 1 : 0))
			return 1;
		return last->vc & 1;
	}
	if (minus ? at[axis] < dest[axis] : at[axis] > dest[axis])
		return 0;
	return tofu_sum_coords(dest) & 1;
}

torus_inline bool tofu_hop_between_groups(const struct torus_geometry *g,
					  const struct tofu_way *way, const u32 *at,
					  struct tofu_hop *hop)
{
	u32 i;

	for (i = 0; i < TOFU_GROUP_AXES; i++) {
		u32 axis = tofu_group_axes[way->order][i], dir;

		if (at[axis] == way->dest[axis])
			continue;
		dir = 2 * axis + !tofu_goes_plus(g, at, way->dest, axis);
		hop->vc = tofu_vc_in_ring(g, way->dest, at, dir, hop);
		hop->dir = dir;
		hop->phase = TOFU_TO_GROUP;
		return true;
	}
	return false;
}

/**
 * tofu_route_next() - the link that a packet takes next
 * @g: the machine
 * @way: what its header says
 * @at: coordinates of the node where it is
 * @hop: the link it came by, TOFU_HOP_FIRST at its source; gets the next one
 *
 * Return: false at the destination; @hop is then as it was but for the phase.
 */
torus_inline bool tofu_route_next(const struct torus_geometry *g, const struct tofu_way *way,
				  const u32 *at, struct tofu_hop *hop)
{
	u32 first = way->order * TOFU_VCS / TOFU_ORDERS;

	if (hop->phase == TOFU_TO_RELAY) {
		u32 relay[TOFU_AXES];

		tofu_slot_coords(way->path, relay);
		if (tofu_hop_in_group(at, relay, hop)) {
			hop->vc = first;
			return true;
		}
	}
	if (hop->phase != TOFU_TO_NODE && tofu_hop_between_groups(g, way, at, hop)) {
		hop->vc += first;
		return true;
	}
	hop->phase = TOFU_TO_NODE;
	if (!tofu_hop_in_group(at, way->dest, hop))
		return false;
	hop->vc = first + 1;
	return true;
}

#endif
