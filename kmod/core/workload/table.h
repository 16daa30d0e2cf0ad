/* SPDX-License-Identifier: GPL-2.0 */
/* Tables: who sends to whom, pair by pair, as somebody has written it down. */
#ifndef TORUS_CORE_WORKLOAD_TABLE_H
#define TORUS_CORE_WORKLOAD_TABLE_H

#include "core/workload/traffic.h"
#include "core/state/domain.h"

/**
 * struct torus_table - pairs of nodes, by source and then by destination
 * @npairs: their number
 * @nodes: of the fabric
 * @first: pairs of node s are @first[s] .. @first[s + 1] - 1
 * @dst: a pair's destination
 * @upto: its weight and those before it of its source
 *
 * Sorted, so that a workload does not depend on the order of a file's lines.
 */
struct torus_table {
	u32 npairs;
	u32 nodes;
	u32 *first;
	u32 *dst;
	u32 *upto;
};

/* Destinations of a source. */
torus_inline u32 torus_table_count(const struct torus_table *t, u32 node)
{
	return t->first[node + 1] - t->first[node];
}

/* Weights of all its pairs. */
torus_inline u32 torus_table_weight(const struct torus_table *t, u32 node)
{
	return torus_table_count(t, node) ? t->upto[t->first[node + 1] - 1] : 0;
}

/* Weight of pair @i of node @node. */
torus_inline u32 torus_table_pair_weight(const struct torus_table *t, u32 node, u32 i)
{
	return t->upto[i] - (i > t->first[node] ? t->upto[i - 1] : 0);
}

u32 torus_table_pick(const struct torus_table *t, u32 node, u64 *rng);
u64 torus_table_peak_gap(const struct torus_fabric *f, const struct torus_table *t, bool weighted,
			 u64 wire_twice);
u64 torus_table_bytes(const struct torus_table *t);
void torus_table_free(struct torus_fabric *f);

/**
 * torus_traffic_table() - pairs of nodes for a workload of TORUS_PATTERN_TABLE
 * @f: a fabric, held, without a workload
 * @pairs: copied; in any order
 * @n: their number
 * @err: why not
 *
 * Replaces what was given before; goes with the workload (torus_traffic_stop()).
 *
 * Return: 0; -EINVAL for a node that there is not, one that sends to itself, a
 * pair given twice; -ERANGE for a weight, their sum, or the number of pairs;
 * -EBUSY, -ENOMEM.
 */
int torus_traffic_table(struct torus_fabric *f, const struct torus_pair *pairs, u32 n,
			struct torus_error *err);

#endif
