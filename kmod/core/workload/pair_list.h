/* SPDX-License-Identifier: GPL-2.0 */
/* Pair lists: the pattern `file:`, which names pairs of source and destination, with weights. */
#ifndef TORUS_CORE_WORKLOAD_PAIR_LIST_H
#define TORUS_CORE_WORKLOAD_PAIR_LIST_H

#include "core/workload/traffic.h"
#include "core/state/domain.h"

/**
 * struct torus_pairs - pairs of nodes, sorted by source and then by destination
 * @npairs: number of pairs
 * @nodes: number of nodes of the fabric
 * @first: index of a node's first pair: pairs of node s are @first[s] .. @first[s + 1] - 1
 * @dst: destination of each pair
 * @upto: weight of each pair, plus the weights of all earlier pairs of the same source
 *
 * The pairs are sorted, so that a workload does not depend on the order of a file's lines.
 */
struct torus_pairs {
	u32 npairs;
	u32 nodes;
	u32 *first;
	u32 *dst;
	u32 *upto;
};

/* Return: number of destinations of a source. */
torus_inline u32 torus_pairs_count(const struct torus_pairs *t, u32 node)
{
	return t->first[node + 1] - t->first[node];
}

/* Return: sum of the weights of a source's pairs. */
torus_inline u32 torus_pairs_weight(const struct torus_pairs *t, u32 node)
{
	return torus_pairs_count(t, node) ? t->upto[t->first[node + 1] - 1] : 0;
}

/* Return: weight of pair @i of node @node. */
torus_inline u32 torus_pairs_pair_weight(const struct torus_pairs *t, u32 node, u32 i)
{
	return t->upto[i] - (i > t->first[node] ? t->upto[i - 1] : 0);
}

u32 torus_pairs_pick(const struct torus_pairs *t, u32 node, u64 *rng);
u64 torus_pairs_peak_gap(const struct torus_fabric *f, const struct torus_pairs *t, bool weighted,
			 u64 wire_twice);
u64 torus_pairs_bytes(const struct torus_pairs *t);
void torus_pairs_free(struct torus_fabric *f);

/**
 * torus_traffic_pairs() - set the pair list of a workload of TORUS_PATTERN_TABLE
 * @f: a fabric without a workload; no run may be in progress
 * @pairs: pairs in any order; copied
 * @n: number of pairs
 * @err: [out] error message
 *
 * Replaces an earlier list. The list is freed with the workload (torus_traffic_stop()).
 *
 * Return: 0; -EINVAL for a node that does not exist, a node that sends to itself, a pair given
 * twice, or a reserved field that is not 0; -ERANGE for a weight, the sum of weights, or the number
 * of pairs; -ECANCELED if the task is killed; -EBUSY, -ENOMEM.
 */
int torus_traffic_pairs(struct torus_fabric *f, const struct torus_pair *pairs, u32 n,
			struct torus_error *err);

#endif
