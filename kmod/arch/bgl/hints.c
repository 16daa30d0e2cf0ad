// SPDX-License-Identifier: GPL-2.0
/* Compute hint bits from cutoffs, and the values of registers at boot. */
#include "header.h"
#include "hints.h"

static u32 bgl_hint_least(u32 a, u32 b)
{
	return a < b ? a : b;
}

/* Return @a - @b, or 0 if that is negative. */
static u32 bgl_hint_less(u32 a, u32 b)
{
	return a > b ? a - b : 0;
}

/* Limit a value to a register's 8 bits; see hints.h. */
static u8 bgl_hint_saturate(u32 value)
{
	return (u8)bgl_hint_least(value, BGL_LENGTH_MAX - 1);
}

/*
 * Return the cutoffs with which packets of node @x go up to @plus hops in plus direction and @minus
 * hops in minus direction.
 */
static struct bgl_cutoff bgl_hint_reach(u32 length, u32 x, u32 plus, u32 minus)
{
	u32 end = length - 1;

	return (struct bgl_cutoff){
		.plus = bgl_hint_saturate(bgl_hint_least(end, x + plus)),
		.minus = bgl_hint_saturate(bgl_hint_less(x, minus)),
	};
}

/*
 * Check whether the node takes the plus direction if both are equally long: even nodes do. The
 * machine's software tests (x + 1) % length, so the last node of an odd length counts as odd.
 */
static bool bgl_hint_tie_plus(u32 length, u32 x)
{
	return (x + 1) % length & 1;
}

struct bgl_cutoff bgl_cutoffs(u32 length, u32 x, bool mesh, bool minimal)
{
	u32 half = length / 2;

	if (mesh)
		return (struct bgl_cutoff){ .plus = bgl_hint_saturate(length), .minus = 0 };
	/*
	 * if the length is odd, one way is always shorter: each direction reaches half of the other
	 * nodes
	 */
	if (minimal && length & 1)
		return bgl_hint_reach(length, x, half, half);
	if (bgl_hint_tie_plus(length, x))
		return bgl_hint_reach(length, x, half, bgl_hint_less(half, 1));
	return bgl_hint_reach(length, x, bgl_hint_less(half, 1), half);
}

/* Check that a destination with a higher coordinate than the node is within the plus cutoff. */
static bool bgl_hint_within_plus(u8 dest, struct bgl_cutoff cutoff)
{
	return dest <= cutoff.plus;
}

/* Check that a destination with a lower coordinate than the node is within the minus cutoff. */
static bool bgl_hint_within_minus(u8 dest, struct bgl_cutoff cutoff)
{
	return dest >= cutoff.minus;
}

enum bgl_hint bgl_hint(u8 node, u8 dest, struct bgl_cutoff cutoff)
{
	u32 plus;

	if (node == dest)
		return BGL_HINT_NONE;
	/* compute without branches, because a packet's direction cannot be predicted */
	plus = ((node < dest) & bgl_hint_within_plus(dest, cutoff)) |
	       ((node > dest) & (bgl_hint_within_minus(dest, cutoff) ^ 1));
	return (enum bgl_hint)(BGL_HINT_MINUS - plus);
}

u8 bgl_hints(const u8 *node, const u8 *dest, const struct bgl_cutoff *cutoffs)
{
	u8 hints = 0;
	u32 dim;

	for (dim = 0; dim < BGL_DIMS; dim++) {
		enum bgl_hint hint = bgl_hint(node[dim], dest[dim], cutoffs[dim]);

		if (hint != BGL_HINT_NONE)
			hints |= bgl_hint_bit(2 * dim + hint - 1);
	}
	return hints;
}

u8 bgl_neighbor_coord(u32 length, u32 x, bool minus, bool mesh)
{
	bool wraps = !mesh;

	if (minus)
		return (u8)(x ? x - 1 : wraps ? length - 1 : 0);
	return bgl_hint_saturate(x + 1 == length && wraps ? 0 : x + 1);
}
