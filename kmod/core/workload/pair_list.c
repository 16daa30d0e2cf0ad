// SPDX-License-Identifier: GPL-2.0
/*
 * Pair lists: the pattern that is a list of SRC DST WEIGHT.
 *
 * Open loop: weights are relative to those of all pairs in the list. A source sends in proportion
 * to the sum of its weights, and selects destinations by their weights. Closed loop: each pair
 * sends the same number of packets, regardless of its weight.
 */
#include "core/base/node_number.h"
#include "core/base/random.h"
#include "core/workload/link_load.h"
#include "core/workload/pair_list.h"
#include "core/workload/traffic.h"
#include "core/workload/workload.h"

static void pairs_free(struct torus_pairs *t)
{
	if (!t)
		return;
	torus_free(t->first, ((size_t)t->nodes + 1) * sizeof(*t->first));
	torus_free(t->dst, (size_t)t->npairs * sizeof(*t->dst));
	torus_free(t->upto, (size_t)t->npairs * sizeof(*t->upto));
	torus_free(t, sizeof(*t));
}

/* Free the fabric's pair list. */
void torus_pairs_free(struct torus_fabric *f)
{
	pairs_free(f->pairs);
	f->pairs = NULL;
}

/* Return the size in bytes of a pair list. */
u64 torus_pairs_bytes(const struct torus_pairs *t)
{
	return t ? sizeof(*t) + ((u64)t->nodes + 1 + 2ull * t->npairs) * sizeof(u32) : 0;
}

static int pairs_check(struct torus_fabric *f, const struct torus_pair *pairs, u32 n,
		       struct torus_error *err)
{
	const struct torus_geometry *g = &f->cfg.geo;
	char text[TORUS_NUMBER_TEXT];
	u64 sum = 0;
	u32 i;

	if (!n || n > TORUS_PAIRS_MAX)
		return torus_fail(err, ERANGE, "table: %u pairs, must be 1 to %u", n,
				  TORUS_PAIRS_MAX);
	for (i = 0; i < n; i++) {
		const struct torus_pair *p = &pairs[i];

		if (torus_node_index(g, p->src) == TORUS_NONE)
			return torus_fail(err, EINVAL, "table: source: %s",
					  torus_number_text(g, p->src, text, sizeof(text)));
		if (torus_node_index(g, p->dst) == TORUS_NONE)
			return torus_fail(err, EINVAL, "table: destination: %s",
					  torus_number_text(g, p->dst, text, sizeof(text)));
		if (p->src == p->dst)
			return torus_fail(err, EINVAL, "table: node %u sends to itself", p->src);
		if (!p->weight || p->weight > TORUS_WEIGHT_MAX)
			return torus_fail(err, ERANGE,
					  "table: weight %u of node %u to node %u: must be 1 to %u",
					  p->weight, p->src, p->dst, TORUS_WEIGHT_MAX);
		if (p->reserved)
			return torus_fail(err, EINVAL,
					  "table: reserved field of node %u to node %u: must be 0",
					  p->src, p->dst);
		sum += p->weight;
	}
	if (sum > 0xffffffffu)
		return torus_fail(err, ERANGE,
				  "table: the sum of the weights is %llu, must be at most 2^32 - 1",
				  sum);
	return 0;
}

/*
 * Yield once per 65536 pairs, since there may be millions. Return false if the calling task was
 * killed.
 */
static bool pairs_yield(u32 i)
{
	if (i & 0xffff)
		return true;
	torus_yield();
	return !torus_cancelled();
}

/* Sort pairs by source or by destination. The sort is stable. @next: scratch array of nodes + 1. */
static void pairs_sort(struct torus_pair *to, const struct torus_pair *from, u32 n, u32 *next,
		       u32 nodes, bool by_src)
{
	u32 i, at = 0;

	memset(next, 0, ((size_t)nodes + 1) * sizeof(*next));
	for (i = 0; i < n; i++) {
		next[by_src ? from[i].src : from[i].dst]++;
		pairs_yield(i);
	}
	for (i = 0; i <= nodes; i++) {
		u32 count = next[i];

		next[i] = at;
		at += count;
	}
	for (i = 0; i < n; i++) {
		to[next[by_src ? from[i].src : from[i].dst]++] = from[i];
		pairs_yield(i);
	}
}

/* Sort the pairs by source and destination into @t. @sorted: scratch array for twice the pairs. */
static int pairs_fill(struct torus_pairs *t, const struct torus_geometry *g,
		      const struct torus_pair *pairs, struct torus_pair *sorted,
		      struct torus_error *err)
{
	struct torus_pair *first = sorted;
	u32 i, sum = 0;

	/*
	 * Convert node numbers to indices. The second half of @sorted has the input now, and the
	 * result later.
	 */
	sorted += t->npairs;
	for (i = 0; i < t->npairs; i++) {
		sorted[i].src = torus_node_index(g, pairs[i].src);
		sorted[i].dst = torus_node_index(g, pairs[i].dst);
		sorted[i].weight = pairs[i].weight;
		if (!pairs_yield(i))
			return torus_fail(err, ECANCELED, "table: the calling task was killed");
	}
	pairs_sort(first, sorted, t->npairs, t->first, t->nodes, false);
	pairs_sort(sorted, first, t->npairs, t->first, t->nodes, true);
	memset(t->first, 0, ((size_t)t->nodes + 1) * sizeof(*t->first));
	for (i = 0; i < t->npairs; i++) {
		bool same = i && sorted[i].src == sorted[i - 1].src;

		if (same && sorted[i].dst == sorted[i - 1].dst)
			return torus_fail(err, EINVAL, "table: node %u to node %u is listed twice",
					  torus_node_number(g, sorted[i].src),
					  torus_node_number(g, sorted[i].dst));
		sum = (same ? sum : 0) + sorted[i].weight;
		t->dst[i] = sorted[i].dst;
		t->upto[i] = sum;
		t->first[sorted[i].src + 1]++;
		if (!pairs_yield(i))
			return torus_fail(err, ECANCELED, "table: the calling task was killed");
	}
	for (i = 0; i < t->nodes; i++)
		t->first[i + 1] += t->first[i];
	return 0;
}

int torus_traffic_pairs(struct torus_fabric *f, const struct torus_pair *pairs, u32 n,
			struct torus_error *err)
{
	struct torus_pair *sorted;
	struct torus_pairs *t;
	int ret = pairs_check(f, pairs, n, err);

	if (ret)
		return ret;
	if (f->workload)
		return torus_fail(err, EBUSY, "table: a workload is in progress");
	sorted = torus_alloc(2 * (size_t)n * sizeof(*sorted));
	t = torus_alloc(sizeof(*t));
	if (t) {
		t->npairs = n;
		t->nodes = f->nodes;
		t->first = torus_alloc(((size_t)f->nodes + 1) * sizeof(*t->first));
		t->dst = torus_alloc((size_t)n * sizeof(*t->dst));
		t->upto = torus_alloc((size_t)n * sizeof(*t->upto));
	}
	if (sorted && t && t->first && t->dst && t->upto)
		ret = pairs_fill(t, &f->cfg.geo, pairs, sorted, err);
	else
		ret = torus_fail(err, ENOMEM, "no memory for a table of %u pairs", n);
	torus_free(sorted, 2 * (size_t)n * sizeof(*sorted));
	if (ret) {
		pairs_free(t);
		return ret;
	}
	torus_pairs_free(f);
	f->pairs = t;
	return 0;
}

/**
 * torus_pairs_pick() - draw one of a source's destinations, by weight
 * @t: the pair list
 * @node: a source in the list
 * @rng: stream of the packet
 *
 * Return: the destination.
 */
u32 torus_pairs_pick(const struct torus_pairs *t, u32 node, u64 *rng)
{
	u32 low = t->first[node], high = t->first[node + 1] - 1;
	u32 at = torus_random_below(rng, torus_pairs_weight(t, node));

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (t->upto[middle] > at)
			high = middle;
		else
			low = middle + 1;
	}
	return t->dst[low];
}

/*
 * Add the packets of all pairs to the links of a dimension. Return false if the calling task was
 * killed.
 */
static bool pairs_add_load(const struct torus_fabric *f, const struct torus_pairs *t, bool weighted,
			   u32 dim, struct torus_line_loads *lines)
{
	u32 node, i;

	for (node = 0; node < f->nodes; node++)
		for (i = t->first[node]; i < t->first[node + 1]; i++) {
			u32 weight = weighted ? torus_pairs_pair_weight(t, node, i) : 1;

			torus_line_loads_add(f, lines, dim, node, t->dst[i], weight);
			if (!pairs_yield(i))
				return false;
		}
	return true;
}

/*
 * Return the maximum number of packets that a node sends or receives. @in: array to count the
 * packets that each node receives, cleared by the caller.
 */
static u64 pairs_port_load(const struct torus_pairs *t, bool weighted, u64 *in)
{
	u64 most = 0, out;
	u32 node, i;

	for (node = 0; node < t->nodes; node++) {
		out = 0;
		for (i = t->first[node]; i < t->first[node + 1]; i++) {
			u32 weight = weighted ? torus_pairs_pair_weight(t, node, i) : 1;

			out += weight;
			in[t->dst[i]] += weight;
			pairs_yield(i);
		}
		most = out > most ? out : most;
	}
	for (node = 0; node < t->nodes; node++)
		most = in[node] > most ? in[node] : most;
	return most;
}

/**
 * torus_pairs_peak_gap() - compute the peak of a pair list
 * @f: the fabric
 * @t: the pair list
 * @weighted: true: pairs send in proportion to their weights; false: all pairs send equally
 * @wire_twice: ticks on the wire of two packets
 *
 * Return: ticks between two packets of a pair of weight 1 at the peak, in units of 2^-16; 0
 * without memory, or if the calling task was killed.
 */
u64 torus_pairs_peak_gap(const struct torus_fabric *f, const struct torus_pairs *t, bool weighted,
			 u64 wire_twice)
{
	struct torus_line_loads lines;
	u64 most = 0, here, port = 0;
	u32 dim;

	if (!torus_line_loads_init(f, &lines))
		return 0;
	for (dim = 0; dim < f->cfg.geo.ndims; dim++) {
		if (f->cfg.geo.dims[dim] == 1)
			continue;
		if (!pairs_add_load(f, t, weighted, dim, &lines)) {
			torus_line_loads_free(f, &lines);
			return 0;
		}
		here = torus_line_loads_max(f, &lines, dim);
		most = here > most ? here : most;
	}
	if (f->arch->port_links)
		port = pairs_port_load(t, weighted, lines.plus) * (wire_twice << 15) /
		       f->arch->port_links;
	torus_line_loads_free(f, &lines);
	/* no overflow: the product is at most 2^33 times 2^27 */
	most *= wire_twice << 14;
	return port > most ? port : most;
}
