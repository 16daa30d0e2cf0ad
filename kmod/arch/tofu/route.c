// SPDX-License-Identifier: GPL-2.0
/* Path of a packet, and the order of its axes. */
#include "arch/tofu/route.h"
#include "core/base/node_number.h"

const char *const tofu_policy_names[] = { "fixed", "hash", "roundrobin", NULL };

/* Select an axis from bit mask @away: the first of p, q, r that is in the mask. */
#define FIRST_OF(away, p, q, r)	((away) >> (p) & 1 ? (p) : (away) >> (q) & 1 ? (q) : (r))
#define ORDER(p, q, r)		{ FIRST_OF(0, p, q, r), FIRST_OF(1, p, q, r), \
				  FIRST_OF(2, p, q, r), FIRST_OF(3, p, q, r), \
				  FIRST_OF(4, p, q, r), FIRST_OF(5, p, q, r), \
				  FIRST_OF(6, p, q, r), FIRST_OF(7, p, q, r) }

const u8 tofu_next_axis[TOFU_ORDERS][1u << TOFU_GROUP_AXES] = {
	[TOFU_Z_FIRST] = ORDER(TOFU_Z, TOFU_X, TOFU_Y),
	[TOFU_Z_LAST] = ORDER(TOFU_X, TOFU_Y, TOFU_Z),
};

/*
 * Coordinates of a slot (a node's number in its group), and the direction from one slot to another.
 * Axes a and c lead to the other end of a mesh of two. Axis b leads the shorter way round a ring of
 * three.
 */
#define A(slot)		((slot) % TOFU_A_LENGTH)
#define B(slot)		((slot) / TOFU_A_LENGTH % TOFU_B_LENGTH)
#define C(slot)		((slot) / TOFU_A_LENGTH / TOFU_B_LENGTH)
#define MINUS_B(at, to)	((B(at) + 1) % TOFU_B_LENGTH != B(to))
#define DIR(at, to)	(A(at) != A(to) ? 2 * TOFU_A + (A(at) > A(to)) : \
			 B(at) != B(to) ? 2 * TOFU_B + MINUS_B(at, to) : \
			 C(at) != C(to) ? 2 * TOFU_C + (C(at) > C(to)) : TOFU_DIRS)
#define DIRS(at)	{ DIR(at, 0), DIR(at, 1), DIR(at, 2), DIR(at, 3), DIR(at, 4), \
			  DIR(at, 5), DIR(at, 6), DIR(at, 7), DIR(at, 8), DIR(at, 9), \
			  DIR(at, 10), DIR(at, 11) }

const u8 tofu_group_dirs[TOFU_GROUP][TOFU_GROUP] = {
	DIRS(0), DIRS(1), DIRS(2), DIRS(3), DIRS(4), DIRS(5),
	DIRS(6), DIRS(7), DIRS(8), DIRS(9), DIRS(10), DIRS(11),
};

/*
 * Return the order of x, y and z for packets of a node (enum tofu_order).
 *
 * I/O nodes, z = 0, take z last; all others take it first.
 */
u32 tofu_order_of(const u32 *coords)
{
	return coords[TOFU_Z] ? TOFU_Z_FIRST : TOFU_Z_LAST;
}

/*
 * Return the fixed path to a destination.
 *
 * The relay has the same position in the source's group as the destination in its own group.
 * Therefore the last phase has no hops, and no path is shorter.
 *
 * @dest: coordinates of the destination
 */
u32 tofu_path_fixed(const u32 *dest)
{
	return tofu_slot(dest);
}

/*
 * Return a path by a hash of source and destination; each of the twelve paths is equally
 * likely.
 *
 * @source: number of the source
 * @dest: number of the destination
 */
u32 tofu_path_hash(u32 source, u32 dest)
{
	return (u32)((torus_mix((u64)source << 32 | dest) >> 32) * TOFU_PATHS >> 32);
}

/*
 * Return one of a pair's paths that share no link.
 *
 * @at: coordinates of the source
 * @dest: coordinates of the destination
 * @number: selects the path, modulo the number of such paths
 *
 * Five paths start with different links: directly along x, y or z; along a; along b in either
 * direction; along c. Then each path takes the remaining axes as the shortest path does. They pass
 * the groups in between at different positions and also end with different links. Within a group
 * there is no direct path, so four paths remain.
 */
u32 tofu_path_apart(const u32 *at, const u32 *dest, u32 number)
{
	bool far = at[TOFU_X] != dest[TOFU_X] || at[TOFU_Y] != dest[TOFU_Y] ||
		   at[TOFU_Z] != dest[TOFU_Z];
	u32 first = far ? number % 5 : 1 + number % 4;
	u32 relay[TOFU_AXES] = { [TOFU_A] = at[TOFU_A], [TOFU_B] = at[TOFU_B],
				 [TOFU_C] = at[TOFU_C] };

	switch (first) {
	case 1:
		relay[TOFU_A] ^= 1;
		relay[TOFU_B] = dest[TOFU_B];
		relay[TOFU_C] = dest[TOFU_C];
		break;
	case 2:
	case 3:
		relay[TOFU_B] = (at[TOFU_B] + first - 1) % TOFU_B_LENGTH;
		relay[TOFU_C] = dest[TOFU_C];
		break;
	case 4:
		relay[TOFU_C] ^= 1;
		break;
	}
	return tofu_slot(relay);
}

/*
 * Return a pair's path by a policy.
 *
 * @policy: the policy
 * @source: index of the source
 * @dest: index of the destination
 *
 * Return: the path; TORUS_NONE: the policy uses all paths round-robin.
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
