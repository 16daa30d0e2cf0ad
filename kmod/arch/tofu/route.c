// SPDX-License-Identifier: GPL-2.0
/* Who takes which path, and the axes in which order. */
#include "arch/tofu/route.h"
#include "core/base/number.h"

const char *const tofu_policy_names[] = { "fixed", "hash", "roundrobin", NULL };

/* Of the axes @away, bits, the first of three in their order. */
#define FIRST_OF(away, p, q, r)	((away) >> (p) & 1 ? (p) : (away) >> (q) & 1 ? (q) : (r))
#define ORDER(p, q, r)		{ FIRST_OF(0, p, q, r), FIRST_OF(1, p, q, r), \
				  FIRST_OF(2, p, q, r), FIRST_OF(3, p, q, r), \
				  FIRST_OF(4, p, q, r), FIRST_OF(5, p, q, r), \
				  FIRST_OF(6, p, q, r), FIRST_OF(7, p, q, r) }

const u8 tofu_next_axis[TOFU_ORDERS][1u << TOFU_GROUP_AXES] = {
	[TOFU_Z_FIRST] = ORDER(TOFU_Z, TOFU_X, TOFU_Y),
	[TOFU_Z_LAST] = ORDER(TOFU_X, TOFU_Y, TOFU_Z),
};

/* Coordinates of a slot; a and c go to their other end, b either way round its three. */
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
 * tofu_path_apart() - one of a pair's paths that share no link
 * @at: coordinates of the source
 * @dest: of the destination
 * @number: which, of any size: counted round
 *
 * The first links of no two are one: straight along x, y or z, by a, by b either way, by c; and
 * between source and destination each then takes the axes behind its first one as the shortest
 * does, so that the last links differ too, and the groups on the way are passed in different
 * places.  Within a group nothing goes straight: there are four.
 *
 * Return: the path.
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
