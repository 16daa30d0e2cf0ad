// SPDX-License-Identifier: GPL-2.0
/* Where the ranks of a job are on a Cray XT. */
#include <stdlib.h>

#include "core/base/random.h"
#include "xt_ranks.h"
#include "xt_work.h"

#define STREAM_PLACE	77	/* of random numbers: none of the core's kinds */

static u32 count(const u32 *dims)
{
	return dims[0] * dims[1] * dims[2];
}

/* Nodes are numbered x fastest by their index, z fastest by their NID. */
static u32 index_of(const u32 *dims, u32 x, u32 y, u32 z)
{
	return x + dims[0] * (y + dims[1] * z);
}

static u32 index_of_nid(const u32 *dims, u32 nid)
{
	u32 plane = dims[1] * dims[2];

	return index_of(dims, nid / plane, nid / dims[2] % dims[1], nid % dims[2]);
}

/* All nodes of a machine: their NIDs, shuffled. */
static u32 *shuffled(const u32 *dims, u64 seed)
{
	u64 rng = torus_random_seed(seed, STREAM_PLACE, 0);
	u32 n = count(dims), i, *node = malloc(n * sizeof(*node));

	for (i = 0; node && i < n; i++) {
		u32 other = torus_random_below(&rng, i + 1);

		node[i] = node[other];
		node[other] = i;
	}
	return node;
}

/**
 * paper_xt_ranks_order - ranks in the order of NIDs, on all nodes but a few that are drawn
 * @dims: lengths of the machine
 * @ranks: how many, no more than there are nodes
 * @seed: of what is drawn
 *
 * As a batch system gives them to a job as large as the machine: service nodes, and nodes
 * that are down, are left out.
 *
 * Return: the node of each rank, to be freed; NULL without memory.
 */
u32 *paper_xt_ranks_order(const u32 *dims, u32 ranks, u64 seed)
{
	u32 n = count(dims), i, rank = 0, *node = shuffled(dims, seed);
	bool *out = calloc(n, sizeof(*out));

	for (i = ranks; node && out && i < n; i++)
		out[node[i]] = true;
	for (i = 0; node && out && i < n; i++)
		if (!out[i])
			node[rank++] = index_of_nid(dims, i);
	if (!out) {
		free(node);
		node = NULL;
	}
	free(out);
	return node;
}

/**
 * paper_xt_ranks_scattered - each rank on a node that is drawn
 * @dims: lengths of the machine
 * @ranks: how many, no more than there are nodes
 * @seed: of what is drawn
 *
 * Return: the node of each rank, to be freed; NULL without memory.
 */
u32 *paper_xt_ranks_scattered(const u32 *dims, u32 ranks, u64 seed)
{
	u32 i, *node = shuffled(dims, seed);

	for (i = 0; node && i < ranks; i++)
		node[i] = index_of_nid(dims, node[i]);
	return node;
}

/**
 * paper_xt_ranks_box - ranks on the nodes of a box, z fastest
 * @dims: lengths of the machine
 * @at: lowest corner of the box
 * @box: its lengths; it goes round the ends of dimensions
 *
 * Return: the node of each rank, to be freed; NULL without memory.
 */
u32 *paper_xt_ranks_box(const u32 *dims, const u32 *at, const u32 *box)
{
	u32 n = count(box), i, *node = malloc(n * sizeof(*node));

	for (i = 0; node && i < n; i++)
		node[i] = index_of(dims, (at[0] + i / (box[1] * box[2])) % dims[0],
				   (at[1] + i / box[2] % box[1]) % dims[1],
				   (at[2] + i % box[2]) % dims[2]);
	return node;
}
