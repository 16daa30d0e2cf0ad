// SPDX-License-Identifier: GPL-2.0
/* One hop of a packet: phase, axis, direction, VC. */
#include "arch/tofu/route.h"
#include "core/base/number.h"

const char *const tofu_policy_names[] = { "fixed", "hash", "roundrobin", NULL };

/* Axes of the second phase, one after the other. */
static const u8 group_axes[TOFU_ORDERS][TOFU_GROUP_AXES] = {
	[TOFU_Z_FIRST] = { TOFU_Z, TOFU_X, TOFU_Y },
	[TOFU_Z_LAST] = { TOFU_X, TOFU_Y, TOFU_Z },
};

/**
 * tofu_order_of() - the order in which a node's packets take x, y and z
 * @coords: the node's coordinates
 *
 * Return: enum tofu_order: I/O nodes, z = 0, take z last.
 */
u32 tofu_order_of(const u32 *coords)
{
	return coords[TOFU_Z] ? TOFU_Z_FIRST : TOFU_Z_LAST;
}

/**
 * tofu_path_fixed() - the one path of a pair
 * @dest: coordinates of the destination
 *
 * Return: the path whose relay stands as the destination does in its group, so that the
 * last phase is empty, and the whole is as short as any.
 */
u32 tofu_path_fixed(const u32 *dest)
{
	return tofu_slot(dest);
}

/**
 * tofu_path_hash() - a path that is a pair's own
 * @source: number of the source
 * @dest: number of the destination
 *
 * Return: a path, each of the twelve for as many pairs.
 */
u32 tofu_path_hash(u32 source, u32 dest)
{
	return (u32)((torus_mix((u64)source << 32 | dest) >> 32) * TOFU_PATHS >> 32);
}

/**
 * tofu_path_of() - a pair's path
 * @g: the machine
 * @policy: who takes which
 * @source: index of the source
 * @dest: of the destination
 *
 * Return: the path, TORUS_NONE: all of them in turn.
 */
u32 tofu_path_of(const struct torus_geometry *g, enum tofu_policy policy, u32 source, u32 dest)
{
	u32 at[TOFU_AXES];

	switch (policy) {
	case TOFU_FIXED:
		torus_geometry_coords(g, dest, at);
		return tofu_path_fixed(at);
	case TOFU_HASH:
		return tofu_path_hash(torus_node_number(g, source), torus_node_number(g, dest));
	default:
		return TORUS_NONE;
	}
}

/* Within a group: a and c to their other end, b either way round its three. */
static bool hop_in_group(const u32 *at, const u32 *to, struct tofu_hop *hop)
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

static u32 sum_coords(const u32 *coords)
{
	u32 sum = 0, axis;

	for (axis = 0; axis < TOFU_AXES; axis++)
		sum += coords[axis];
	return sum;
}

/* The shorter way; halfway round both are. */
static bool goes_plus(const struct torus_geometry *g, const u32 *at, const u32 *dest, u32 axis)
{
	u32 length = g->dims[axis], up;

	if (g->mesh >> axis & 1)
		return at[axis] < dest[axis];
	up = at[axis] < dest[axis] ? dest[axis] - at[axis] : dest[axis] + length - at[axis];
	if (2 * up != length)
		return 2 * up < length;
	return !((sum_coords(dest) - dest[axis] + at[axis]) & 1);
}

/* On entering an axis: by what is ahead.  On it: the same VC, but another behind the dateline. */
static u32 vc_in_ring(const struct torus_geometry *g, const u32 *dest, const u32 *at, u32 dir,
		      const struct tofu_hop *last)
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
	return sum_coords(dest) & 1;
}

static bool hop_between_groups(const struct torus_geometry *g, const struct tofu_way *way,
			       const u32 *at, struct tofu_hop *hop)
{
	u32 i;

	for (i = 0; i < TOFU_GROUP_AXES; i++) {
		u32 axis = group_axes[way->order][i], dir;

		if (at[axis] == way->dest[axis])
			continue;
		dir = 2 * axis + !goes_plus(g, at, way->dest, axis);
		hop->vc = vc_in_ring(g, way->dest, at, dir, hop);
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
bool tofu_route_next(const struct torus_geometry *g, const struct tofu_way *way, const u32 *at,
		     struct tofu_hop *hop)
{
	u32 first = way->order * TOFU_VCS / TOFU_ORDERS;

	if (hop->phase == TOFU_TO_RELAY) {
		u32 relay[TOFU_AXES];

		tofu_slot_coords(way->path, relay);
		if (hop_in_group(at, relay, hop)) {
			hop->vc = first;
			return true;
		}
	}
	if (hop->phase != TOFU_TO_NODE && hop_between_groups(g, way, at, hop)) {
		hop->vc += first;
		return true;
	}
	hop->phase = TOFU_TO_NODE;
	if (!hop_in_group(at, way->dest, hop))
		return false;
	hop->vc = first + 1;
	return true;
}
