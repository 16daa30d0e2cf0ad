// SPDX-License-Identifier: GPL-2.0
/*
 * What the links can carry of a pattern, link by link, where the load counts all links of a
 * dimension alike, or only those into a hot region.
 *
 * Links of one dimension, direction and coordinate stand side by side and carry alike in the
 * mean, whatever order the dimensions are taken in: one set of links a coordinate and direction.
 * Half-way round, packets go by their parity.  Where half of a ring's length is odd (2, 6, 10 ..),
 * every second link carries more than its neighbour, and in a ring of two every second link
 * carries nothing.  Blue Gene/L's hint cutoffs make rings of odd lengths uneven as well.
 */
#include "core/load/workload.h"

/**
 * struct peak_ring - the sets of links of a dimension
 * @n: its length
 * @from: weights of the coordinates that packets leave
 * @to: of those that they go to
 * @cross: what each set carries, plus and then minus: first differences, then sums
 */
struct peak_ring {
	u32 n;
	u64 *from;
	u64 *to;
	u64 *cross;
};

static bool peak_ring_init(struct peak_ring *r, u32 n)
{
	r->n = n;
	r->from = torus_alloc(4 * (size_t)n * sizeof(*r->from));
	r->to = r->from + n;
	r->cross = r->to + n;
	return r->from;
}

static void peak_ring_free(struct peak_ring *r)
{
	torus_free(r->from, 4 * (size_t)r->n * sizeof(*r->from));
}

/* The @hops links from coordinate @start on, in plus direction, carry @weight more. */
static void peak_add(u64 *cross, u32 n, u32 start, u32 hops, u64 weight)
{
	u32 end = start + hops;

	cross[start] += weight;
	if (end < n)
		cross[end] -= weight;
	if (end > n) {
		cross[0] += weight;
		cross[end - n] -= weight;
	}
}

/**
 * torus_peak_add() - the links of a dimension between two coordinates carry more
 * @f: the fabric
 * @cross: what each carries, as differences from the one before: plus, and then minus
 * @dim: the dimension
 * @a: coordinate of the source
 * @b: of the destination
 * @weight: how much more
 */
void torus_peak_add(struct torus_fabric *f, u64 *cross, u32 dim, u32 a, u32 b, u64 weight)
{
	u32 n = f->cfg.geo.dims[dim];
	s32 way = torus_fabric_steps(f, dim, a, b);

	if (way > 0)
		peak_add(cross, n, a, (u32)way, weight);
	/* a link of minus direction by the coordinate that it leads to */
	else if (way < 0)
		peak_add(cross + n, n, b, (u32)-way, weight);
}

/**
 * torus_peak_most() - what the busiest of a dimension's links carry
 * @cross: as torus_peak_add() has left it
 * @n: length of the ring
 * @sum: out: what all carry together
 *
 * Return: the most.
 */
u64 torus_peak_most(const u64 *cross, u32 n, u64 *sum)
{
	u64 most = 0, here = 0;
	u32 i;

	*sum = 0;
	for (i = 0; i < 2 * n; i++) {
		here = (i == n ? 0 : here) + cross[i];
		*sum += here;
		most = here > most ? here : most;
	}
	return most;
}

/* Find what the busiest set carries, and all together: weights of from by those of to. */
static u64 peak_busiest(struct torus_fabric *f, u32 dim, struct peak_ring *r, u64 *sum)
{
	u32 a, b, n = r->n;

	for (a = 0; a < n; a++, torus_yield())
		for (b = 0; b < n; b++)
			torus_peak_add(f, r->cross, dim, a, b, r->from[a] * r->to[b]);
	return torus_peak_most(r->cross, n, sum);
}

/**
 * torus_peak_uneven() - what the busiest links of a dimension carry of uniform traffic
 * @f: the fabric
 * @dim: the dimension, of length 2 or more
 *
 * Return: beside the mean of its links, in units of 2^-16: 2^16 where all carry alike; 0
 * without memory.
 */
u64 torus_peak_uneven(struct torus_fabric *f, u32 dim)
{
	u32 n = f->cfg.geo.dims[dim], i;
	struct peak_ring r;
	u64 most, sum;

	/* the load of a mesh is by its busiest links already */
	if (f->cfg.geo.mesh >> dim & 1)
		return 1u << 16;
	if (!peak_ring_init(&r, n))
		return 0;
	for (i = 0; i < n; i++) {
		r.from[i] = 1;
		r.to[i] = 1;
	}
	most = peak_busiest(f, dim, &r, &sum);
	peak_ring_free(&r);
	return (most * 2 * n << 16) / sum;
}

/**
 * torus_peak_region_gap() - the peak of the network under hot-region traffic
 * @f: the fabric
 * @t: the workload
 * @wire_twice: ticks on the wire of two packets
 *
 * Not of the links into the region alone: of each set of links, which carries what goes to the
 * region and what goes elsewhere.
 *
 * Return: ticks between two packets of a node that sends, units of 2^-16; 0 without memory.
 */
u64 torus_peak_region_gap(struct torus_fabric *f, const struct torus_traffic *t, u64 wire_twice)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u64 share = t->packets ? 1ull << 20 : t->share >> 12, gap = 1;
	u32 dim, i, hot = 1;

	for (dim = 0; dim < g->ndims; dim++)
		hot *= t->region[dim];
	for (dim = 0; dim < g->ndims; dim++) {
		u32 n = g->dims[dim], long_hot = t->region[dim];
		struct peak_ring r;
		u64 sum, most;

		if (n == 1)
			continue;
		if (!peak_ring_init(&r, n))
			return 0;
		for (i = 0; i < n; i++) {
			bool in = (i + n - t->region_at[dim]) % n < long_hot;

			/* where all packets go to the region, only who is outside sends */
			r.from[i] = f->nodes / n;
			if (share == 1ull << 20 && in)
				r.from[i] -= hot / long_hot;
			r.to[i] = ((1ull << 20) - share) / n + (in ? share / long_hot : 0);
		}
		most = peak_busiest(f, dim, &r, &sum);
		peak_ring_free(&r);
		most = (most / (f->nodes / n) * wire_twice) >> 5;
		gap = most > gap ? most : gap;
	}
	return gap;
}
