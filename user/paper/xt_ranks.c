// SPDX-License-Identifier: GPL-2.0
/* Placement of the ranks of a job on a Cray XT. */
#include <stdlib.h>

#include "core/base/random.h"
#include "xt_ranks.h"
#include "xt_work.h"

/* number of the random stream for placements, which the core does not use */
#define STREAM_PLACE	77

static u32 count(const u32 *dims)
{
	return dims[0] * dims[1] * dims[2];
}

/*
 * Return the index of a node in the simulator, where x counts fastest. In NIDs, z counts fastest.
 */
static u32 index_of(const u32 *dims, u32 x, u32 y, u32 z)
{
	return x + dims[0] * (y + dims[1] * z);
}

static u32 index_of_nid(const u32 *dims, u32 nid)
{
	u32 plane = dims[1] * dims[2];

	return index_of(dims, nid / plane, nid / dims[2] % dims[1], nid % dims[2]);
}

/* Return the NIDs of all nodes in random order. */
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
 * paper_xt_ranks_order - place ranks in the order of NIDs, with random nodes left out
 * @dims: lengths of the machine
 * @ranks: number of ranks, at most the number of nodes
 * @seed: seed of the random choice
 *
 * This imitates a batch system and a job as large as the machine: the left-out nodes stand for
 * service nodes and dead nodes.
 *
 * Return: array with the node of each rank, freed by the caller; NULL without memory.
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
 * paper_xt_ranks_scattered - place each rank on a random node
 * @dims: lengths of the machine
 * @ranks: number of ranks, at most the number of nodes
 * @seed: seed of the random choice
 *
 * Return: array with the node of each rank, freed by the caller; NULL without memory.
 */
u32 *paper_xt_ranks_scattered(const u32 *dims, u32 ranks, u64 seed)
{
	u32 i, *node = shuffled(dims, seed);

	for (i = 0; node && i < ranks; i++)
		node[i] = index_of_nid(dims, node[i]);
	return node;
}

/**
 * paper_xt_ranks_box - place ranks on the nodes of a box, z fastest
 * @dims: lengths of the machine
 * @at: lowest corner of the box
 * @box: lengths of the box, which may wrap around the ends of dimensions
 *
 * Return: array with the node of each rank, freed by the caller; NULL without memory.
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
