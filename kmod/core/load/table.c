// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: the pattern that is a list of pairs, SRC DST WEIGHT.
 *
 * Open loop: a weight says how often its pair sends beside the other pairs of the
 * whole table, not of its source alone: a source sends in proportion to the sum of
 * its weights, and picks among its destinations by theirs.  Load 1 is where the
 * busiest links of the table (see torus_table_peak_gap()) would be busy all the
 * time.  Closed loop: as many packets for every pair, whatever its weight.
 */
#include "core/base/number.h"
#include "core/base/random.h"
#include "core/load/table.h"
#include "core/load/traffic.h"

/* ------------------------------------------------------------------ set-up */

static void table_free(struct torus_table *t)
{
	if (!t)
		return;
	torus_free(t->first, ((size_t)t->nodes + 1) * sizeof(*t->first));
	torus_free(t->dst, (size_t)t->npairs * sizeof(*t->dst));
	torus_free(t->upto, (size_t)t->npairs * sizeof(*t->upto));
	torus_free(t, sizeof(*t));
}

/* The fabric's table is used up. */
void torus_table_free(struct torus_fabric *f)
{
	table_free(f->table);
	f->table = NULL;
}

/* Memory of a table. */
u64 torus_table_bytes(const struct torus_table *t)
{
	return t ? sizeof(*t) + ((u64)t->nodes + 1 + 2ull * t->npairs) * sizeof(u32) : 0;
}

static int table_check_pairs(struct torus_fabric *f, const struct torus_pair *pairs, u32 n,
			     struct torus_error *err)
{
	const struct torus_geometry *g = &f->cfg.geo;
	char text[TORUS_NUMBER_TEXT];
	u64 sum = 0;
	u32 i;

	if (!n || n > TORUS_PAIRS_MAX)
		return torus_fail(err, ERANGE, "table: %u pairs: 1 to %u", n, TORUS_PAIRS_MAX);
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
			return torus_fail(err, ERANGE, "table: weight %u of %u to %u: 1 to %u",
					  p->weight, p->src, p->dst, TORUS_WEIGHT_MAX);
		if (p->reserved)
			return torus_fail(err, EINVAL, "table: reserved field of %u to %u is not 0",
					  p->src, p->dst);
		sum += p->weight;
	}
	if (sum > 0xffffffffu)
		return torus_fail(err, ERANGE, "table: weights add up to %llu: at most 2^32 - 1",
				  sum);
	return 0;
}

/* There may be millions of pairs: let others run.  Return: false if the caller is to give up. */
static bool table_breathe(u32 i)
{
	if (i & 0xffff)
		return true;
	torus_yield();
	return !torus_cancelled();
}

/* Stable: pairs in the order of their source, or of their destination. */
static void table_sort(struct torus_pair *to, const struct torus_pair *from, u32 n, u32 *next,
		       u32 nodes, bool by_src)
{
	u32 i, at = 0;

	memset(next, 0, ((size_t)nodes + 1) * sizeof(*next));
	for (i = 0; i < n; i++) {
		next[by_src ? from[i].src : from[i].dst]++;
		table_breathe(i);
	}
	for (i = 0; i <= nodes; i++) {
		u32 count = next[i];

		next[i] = at;
		at += count;
	}
	for (i = 0; i < n; i++) {
		to[next[by_src ? from[i].src : from[i].dst]++] = from[i];
		table_breathe(i);
	}
}

/* @sorted has room for twice the pairs. */
static int table_fill(struct torus_table *t, const struct torus_geometry *g,
		      const struct torus_pair *pairs, struct torus_pair *sorted,
		      struct torus_error *err)
{
	struct torus_pair *first = sorted;
	u32 i, sum = 0;

	/* from numbers to indices; the second half first holds those, then the result */
	sorted += t->npairs;
	for (i = 0; i < t->npairs; i++) {
		sorted[i].src = torus_node_index(g, pairs[i].src);
		sorted[i].dst = torus_node_index(g, pairs[i].dst);
		sorted[i].weight = pairs[i].weight;
		if (!table_breathe(i))
			return torus_fail(err, ECANCELED, "table: the task is killed");
	}
	table_sort(first, sorted, t->npairs, t->first, t->nodes, false);
	table_sort(sorted, first, t->npairs, t->first, t->nodes, true);
	memset(t->first, 0, ((size_t)t->nodes + 1) * sizeof(*t->first));
	for (i = 0; i < t->npairs; i++) {
		bool same = i && sorted[i].src == sorted[i - 1].src;

		if (same && sorted[i].dst == sorted[i - 1].dst)
			return torus_fail(err, EINVAL, "table: %u to %u is listed twice",
					  torus_node_number(g, sorted[i].src),
					  torus_node_number(g, sorted[i].dst));
		sum = (same ? sum : 0) + sorted[i].weight;
		t->dst[i] = sorted[i].dst;
		t->upto[i] = sum;
		t->first[sorted[i].src + 1]++;
		if (!table_breathe(i))
			return torus_fail(err, ECANCELED, "table: the task is killed");
	}
	for (i = 0; i < t->nodes; i++)
		t->first[i + 1] += t->first[i];
	return 0;
}

int torus_traffic_table(struct torus_fabric *f, const struct torus_pair *pairs, u32 n,
			struct torus_error *err)
{
	struct torus_pair *sorted;
	struct torus_table *t;
	int ret = table_check_pairs(f, pairs, n, err);

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
		ret = table_fill(t, &f->cfg.geo, pairs, sorted, err);
	else
		ret = torus_fail(err, ENOMEM, "no memory for a table of %u pairs", n);
	torus_free(sorted, 2 * (size_t)n * sizeof(*sorted));
	if (ret) {
		table_free(t);
		return ret;
	}
	torus_table_free(f);
	f->table = t;
	return 0;
}

/* ----------------------------------------------------------------- picking */

/**
 * torus_table_pick() - one of a source's destinations, by weight
 * @t: the table
 * @node: a source of it
 * @rng: stream of the packet
 *
 * Return: the destination.
 */
u32 torus_table_pick(const struct torus_table *t, u32 node, u64 *rng)
{
	u32 low = t->first[node], high = t->first[node + 1] - 1;
	u32 at = torus_random_below(rng, torus_table_weight(t, node));

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (t->upto[middle] > at)
			high = middle;
		else
			low = middle + 1;
	}
	return t->dst[low];
}

/* ------------------------------------------------------------------ the peak */

/**
 * struct demand - what a table asks of the links, in weights
 * @line: of the only link that a pair along one line can take, each node and direction
 * @cross: of the links of one dimension, direction and coordinate, together
 * @in: of the links into a node, together
 * @in_dirs: bit d: direction d is one that its packets may come in
 * @base: a dimension's first coordinate in @cross
 * @crosses: elements of @cross
 *
 * @line and @cross first hold what each link has more than the one before it in its
 * ring, modulo 2^64: a pair is two or three sums, however far it goes.
 */
struct demand {
	u64 *line;
	u64 *cross;
	u64 *in;
	u32 *in_dirs;
	u32 base[TORUS_DIMS_MAX];
	u32 crosses;
};

static bool demand_init(struct torus_fabric *f, struct demand *d)
{
	u32 dim;

	memset(d, 0, sizeof(*d));
	for (dim = 0; dim < f->cfg.geo.ndims; dim++) {
		d->base[dim] = d->crosses;
		d->crosses += 2 * f->cfg.geo.dims[dim];
	}
	d->line = torus_alloc((size_t)f->nodes * f->dirs * sizeof(*d->line));
	d->cross = torus_alloc((size_t)d->crosses * sizeof(*d->cross));
	d->in = torus_alloc((size_t)f->nodes * sizeof(*d->in));
	d->in_dirs = torus_alloc((size_t)f->nodes * sizeof(*d->in_dirs));
	return d->line && d->cross && d->in && d->in_dirs;
}

static void demand_free(struct torus_fabric *f, struct demand *d)
{
	torus_free(d->line, (size_t)f->nodes * f->dirs * sizeof(*d->line));
	torus_free(d->cross, (size_t)d->crosses * sizeof(*d->cross));
	torus_free(d->in, (size_t)f->nodes * sizeof(*d->in));
	torus_free(d->in_dirs, (size_t)f->nodes * sizeof(*d->in_dirs));
}

/* The @hops links of a ring of @n from @start on, round its end, carry @weight more. */
static void table_ring_add(u64 *ring, size_t step, u32 n, u32 start, u32 hops, u64 weight)
{
	u32 end = start + hops;

	ring[start * step] += weight;
	if (end < n)
		ring[end * step] -= weight;
	if (end > n) {
		ring[0] += weight;
		ring[(end - n) * step] -= weight;
	}
}

/* From differences to what each link carries. */
static void table_ring_sum(u64 *ring, size_t step, u32 n)
{
	u32 i;

	for (i = 1; i < n; i++)
		ring[i * step] += ring[(i - 1) * step];
}

/* The links of one line: its first element, @step between two. */
static u64 *table_line_ring(struct torus_fabric *f, struct demand *d, u32 node, u32 at, u32 dir,
			    size_t *step)
{
	u32 stride = f->cfg.geo.stride[TORUS_DIM(dir)];

	*step = (size_t)stride * f->dirs;
	return d->line + (size_t)(node - at * stride) * f->dirs + dir;
}

/* Account for a pair.  Return: bit d: its packets may leave in direction d. */
static u32 demand_pair(struct torus_fabric *f, struct demand *d, u32 src, u32 dst, u32 weight)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim, dirs = 0, dir = 0, hops = 0, start = 0;
	size_t step;
	u64 *ring;

	torus_geometry_coords(g, src, a);
	torus_geometry_coords(g, dst, b);
	for (dim = 0; dim < g->ndims; dim++) {
		s32 way = torus_fabric_steps(f, dim, a[dim], b[dim]);
		u32 n = g->dims[dim];

		if (!way)
			continue;
		dir = 2 * dim + (way < 0);
		dirs |= 1u << dir;
		hops = way < 0 ? (u32)-way : (u32)way;
		/* the link of the lowest coordinate, round the end: minus ends where it began */
		start = way > 0 ? a[dim] : a[dim] + 1 >= hops ? a[dim] + 1 - hops :
							       a[dim] + 1 + n - hops;
		table_ring_add(d->cross + d->base[dim] + (way < 0) * n, 1, n, start, hops, weight);
	}
	d->in[dst] += weight;
	d->in_dirs[dst] |= dirs;
	if (!dirs || dirs & (dirs - 1))
		return dirs;
	dim = TORUS_DIM(dir);
	ring = table_line_ring(f, d, src, a[dim], dir, &step);
	table_ring_add(ring, step, g->dims[dim], start, hops, weight);
	return dirs;
}

/* All pairs are accounted for. */
static void demand_sum(struct torus_fabric *f, struct demand *d)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 node, dim, dir, coords[TORUS_DIMS_MAX];
	size_t step;
	u64 *ring;

	for (dim = 0; dim < g->ndims; dim++)
		for (dir = 0; dir < 2; dir++)
			table_ring_sum(d->cross + d->base[dim] + dir * g->dims[dim], 1,
				       g->dims[dim]);
	for (node = 0; node < f->nodes; node++) {
		torus_geometry_coords(g, node, coords);
		for (dir = 0; dir < f->dirs; dir++) {
			dim = TORUS_DIM(dir);
			if (coords[dim])
				continue;
			ring = table_line_ring(f, d, node, 0, dir, &step);
			table_ring_sum(ring, step, g->dims[dim]);
		}
		if (!(node & 1023))
			torus_yield();
	}
}

/* Ticks between two packets of weight 1 so that @links links carry @weight. */
static void table_bound(u64 *gap, u64 weight, u64 wire_twice, u64 links)
{
	/* 2^32 by 2^28 at most */
	u64 ticks = links ? weight * (wire_twice << 15) / links : 0;

	*gap = ticks > *gap ? ticks : *gap;
}

/**
 * torus_table_peak_gap() - the peak of a table
 * @f: the fabric
 * @t: the table
 * @weighted: pairs send by their weights, else all alike
 * @wire_twice: ticks on the wire of two packets
 *
 * At the peak the busiest links would be busy all the time, by the largest of
 * three bounds which hold whatever order the dimensions are taken in, node by node:
 * every packet of a pair crosses one of the links of a dimension, direction and
 * coordinate that stand side by side, for each coordinate on its way; a pair
 * along one line has one way only; what a node sends (and receives) passes its
 * own links, those in directions that its pairs can take.
 *
 * Return: ticks between two packets of a pair of weight 1 at the peak, units of
 * 2^-16; 0 without memory, or if the calling task is about to die.
 */
u64 torus_table_peak_gap(struct torus_fabric *f, const struct torus_table *t, bool weighted,
			 u64 wire_twice)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u64 gap = 0, out;
	struct demand d;
	u32 node, i, dim, dirs;

	if (!demand_init(f, &d)) {
		demand_free(f, &d);
		return 0;
	}
	for (node = 0; node < f->nodes; node++) {
		out = 0;
		dirs = 0;
		for (i = t->first[node]; i < t->first[node + 1]; i++) {
			u32 weight = weighted ? torus_table_pair_weight(t, node, i) : 1;

			out += weight;
			dirs |= demand_pair(f, &d, node, t->dst[i], weight);
			if (!table_breathe(i)) {
				demand_free(f, &d);
				return 0;
			}
		}
		table_bound(&gap, out, wire_twice, torus_popcount(dirs));
	}
	demand_sum(f, &d);
	for (node = 0; node < f->nodes; node++) {
		table_bound(&gap, d.in[node], wire_twice, torus_popcount(d.in_dirs[node]));
		for (i = 0; i < f->dirs; i++)
			table_bound(&gap, d.line[(size_t)node * f->dirs + i], wire_twice, 1);
	}
	for (dim = 0; dim < g->ndims; dim++)
		for (i = 0; i < 2 * g->dims[dim]; i++)
			table_bound(&gap, d.cross[d.base[dim] + i], wire_twice,
				    f->nodes / g->dims[dim]);
	demand_free(f, &d);
	return gap;
}
