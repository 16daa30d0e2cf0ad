// SPDX-License-Identifier: GPL-2.0
/* Who takes which path, and the axes in which order. */
#include "arch/tofu/route.h"
#include "core/base/number.h"

const char *const tofu_policy_names[] = { "fixed", "hash", "roundrobin", NULL };

/* Axes of the second phase, one after the other. */
const u8 tofu_group_axes[TOFU_ORDERS][TOFU_GROUP_AXES] = {
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
