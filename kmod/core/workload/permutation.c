// SPDX-License-Identifier: GPL-2.0
/*
 * Permutations: patterns in which a node sends to at most one other node, and receives from at most
 * one. Names and definitions are those of Dally and Towles (2004), table 3.1. Transpose, bit
 * complement and tornado work on coordinates. Bit reverse and shuffle work on the bits of a node's
 * index, x fastest, regardless of the machine's numbering.
 */
#include "core/workload/link_load.h"
#include "core/workload/permutation.h"
#include "core/base/random.h"
#include "core/workload/workload.h"

/**
 * torus_permute() - apply the pseudo-random permutation that a key selects
 * @key: selects the permutation
 * @n: number of elements
 * @x: element to map, below @n
 *
 * Uses four Feistel rounds, repeated until the value is below @n.
 *
 * Return: the image of @x.
 */
u32 torus_permute(u64 key, u32 n, u32 x)
{
	u32 half = 1, round;

	while (1ull << (2 * half) < n)
		half++;
	do {
		u32 mask = (1u << half) - 1, left = x >> half, right = x & mask;

		for (round = 0; round < 4; round++) {
			u64 mix = torus_mix(key + round * 0x9e3779b97f4a7c15ull + right);
			u32 next = left ^ ((u32)mix & mask);

			left = right;
			right = next;
		}
		x = left << half | right;
	} while (x >= n);
	return x;
}

/**
 * torus_permutation_is() - check whether a pattern is a permutation
 * @pattern: enum torus_pattern
 *
 * Return: true if it is.
 */
bool torus_permutation_is(u32 pattern)
{
	switch (pattern) {
	case TORUS_PATTERN_TRANSPOSE:
	case TORUS_PATTERN_BITCOMP:
	case TORUS_PATTERN_TORNADO:
	case TORUS_PATTERN_BITREV:
	case TORUS_PATTERN_SHUFFLE:
	case TORUS_PATTERN_PERMUTATION:
		return true;
	}
	return false;
}

/**
 * torus_permutation_check() - check that a permutation fits the fabric
 * @f: the fabric
 * @pattern: a permutation
 * @err: [out] error message
 *
 * Return: 0 or -EINVAL.
 */
int torus_permutation_check(const struct torus_fabric *f, u32 pattern, struct torus_error *err)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 dim;

	for (dim = 1; pattern == TORUS_PATTERN_TRANSPOSE && dim < g->ndims; dim++)
		if (g->dims[dim] != g->dims[0])
			return torus_fail(err, EINVAL,
					  "transpose: dimensions 0 and %u must have the same "
					  "length, not %u and %u", dim, g->dims[0], g->dims[dim]);
	if (pattern != TORUS_PATTERN_BITREV && pattern != TORUS_PATTERN_SHUFFLE)
		return 0;
	if (f->nodes & (f->nodes - 1))
		return torus_fail(err, EINVAL, "%s: %u nodes, must be a power of two",
				  pattern == TORUS_PATTERN_BITREV ? "bitrev" : "shuffle", f->nodes);
	return 0;
}

/* Return the node whose index has the bits of @node reversed, or rotated left by one. */
static u32 permutation_bits(const struct torus_fabric *f, u32 pattern, u32 node)
{
	u32 bits = torus_ctz(f->nodes), turned = 0, i;

	if (pattern == TORUS_PATTERN_SHUFFLE)
		return (node << 1 | node >> (bits - 1)) & (f->nodes - 1);
	for (i = 0; i < bits; i++)
		turned |= (node >> i & 1) << (bits - 1 - i);
	return turned;
}

/**
 * torus_permutation() - return the destination of a node's packets
 * @f: the fabric
 * @pattern: a permutation, checked
 * @node: the node
 *
 * Return: the destination; @node itself if it sends no packets.
 */
u32 torus_permutation(const struct torus_fabric *f, u32 pattern, u32 node)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX] = { 0 }, dim;

	if (pattern == TORUS_PATTERN_PERMUTATION)
		return torus_permute(torus_random_seed(f->cfg.seed, 6, 0), f->nodes, node);
	if (pattern == TORUS_PATTERN_BITREV || pattern == TORUS_PATTERN_SHUFFLE)
		return permutation_bits(f, pattern, node);
	torus_geometry_coords(g, node, a);
	for (dim = 0; dim < g->ndims; dim++) {
		u32 n = g->dims[dim];

		if (pattern == TORUS_PATTERN_TRANSPOSE)
			b[dim] = a[(dim + 1) % g->ndims];
		else if (pattern == TORUS_PATTERN_BITCOMP)
			b[dim] = n - 1 - a[dim];
		else	/* tornado: the most hops for which plus is the shorter direction */
			b[dim] = (a[dim] + (n + 1) / 2 - 1) % n;
	}
	return torus_geometry_node(g, b);
}

/**
 * torus_permutation_most() - return the load of the busiest link if each node sends one packet
 * @f: the fabric
 * @pattern: a permutation, checked
 *
 * Return: packets, doubled; 0 without memory.
 */
u64 torus_permutation_most(const struct torus_fabric *f, u32 pattern)
{
	struct torus_line_loads lines;
	u64 most = 0, here;
	u32 dim, node;

	if (!torus_line_loads_init(f, &lines))
		return 0;
	for (dim = 0; dim < f->cfg.geo.ndims; dim++) {
		if (f->cfg.geo.dims[dim] == 1)
			continue;
		for (node = 0; node < f->nodes; node++) {
			torus_line_loads_add(f, &lines, dim, node,
					     torus_permutation(f, pattern, node), 1);
			if (!(node & 1023))
				torus_yield();
		}
		here = torus_line_loads_max(f, &lines, dim);
		most = here > most ? here : most;
	}
	torus_line_loads_free(f, &lines);
	return most;
}
