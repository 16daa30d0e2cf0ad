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

static size_t peak_ring_bytes(u32 n)
{
	return (6 * (size_t)n + 1) * sizeof(u64);
}

/**
 * torus_peak_ring_init() - allocate the sets of links of a dimension, without load
 * @r: [out] the ring, to be freed with torus_peak_ring_free()
 * @n: length of the dimension
 *
 * Return: false without memory.
 */
bool torus_peak_ring_init(struct torus_peak_ring *r, u32 n)
{
	r->n = n;
	r->from = torus_alloc(peak_ring_bytes(n));
	if (!r->from)
		return false;
	r->to = r->from + n;
	r->cross = r->to + n;
	r->reach = r->cross + 2 * (size_t)n;
	r->below = r->reach + n;
	return true;
}

void torus_peak_ring_free(struct torus_peak_ring *r)
{
	torus_free(r->from, peak_ring_bytes(r->n));
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

/* Sum of the weights of @count destinations from coordinate @start on, around the ring. */
static u64 peak_weight(const struct torus_peak_ring *r, u32 start, u32 count)
{
	u32 end = start + count;

	return end <= r->n ? r->below[end] - r->below[start] :
	       r->below[r->n] - r->below[start] + r->below[end - r->n];
}

/* The sources with @weight reach @count coordinates from @start on. */
static void peak_reach(struct torus_peak_ring *r, u32 start, u32 count, u64 weight)
{
	u32 n = r->n, end = start + count;

	r->reach[start % n] += weight;
	r->reach[end % n] -= weight;
	/* differences start at coordinate 0: what goes round the end is there from the beginning */
	if (start < n && end >= n)
		r->reach[0] += weight;
}

/*
 * Add the load of plus direction: source a sends over the links from a on; the load of a
 * destination ends at its coordinate.
 */
static void peak_plus(struct torus_fabric *f, u32 dim, struct torus_peak_ring *r)
{
	u64 *cross = r->cross, here = 0;
	u32 n = r->n, a;

	for (a = 0; a < n; a++) {
		u32 hops = torus_geometry_plus(&f->cfg.geo, dim, a);

		cross[a] += r->from[a] * peak_weight(r, (a + 1) % n, hops);
		/* over the ring's last link and on */
		if (a + hops > n)
			cross[0] += r->from[a] * peak_weight(r, 1, a + hops - n);
		if (hops)
			peak_reach(r, a + 1, hops, r->from[a]);
	}
	for (a = 0; a < n; a++) {
		here += r->reach[a];
		cross[a] -= a ? here * r->to[a] : 0;
		r->reach[a] = 0;
	}
}

/* Add the load of minus direction, whose links have the coordinate that they lead to. */
static void peak_minus(struct torus_fabric *f, u32 dim, struct torus_peak_ring *r)
{
	u64 *cross = r->cross + r->n, here = 0;
	u32 n = r->n, a;

	for (a = 0; a < n; a++) {
		u32 hops = n - 1 - torus_geometry_plus(&f->cfg.geo, dim, a);
		u32 start = (a + n - hops) % n;

		if (!hops)
			continue;
		cross[a] -= a ? r->from[a] * peak_weight(r, start, hops) : 0;
		/* from above @a around the ring */
		if (a && hops > a)
			cross[0] += r->from[a] * peak_weight(r, start, hops - a);
		peak_reach(r, start, hops, r->from[a]);
	}
	for (a = 0; a < n; a++) {
		here += r->reach[a];
		cross[a] += here * r->to[a];
		r->reach[a] = 0;
	}
}

/**
 * torus_peak_pairs() - add the load of every coordinate's packets to every other
 * @f: the fabric
 * @dim: the dimension
 * @r: its ring: the load of a pair is from[] of its source by to[] of its destination
 *
 * As torus_peak_add() for each pair, in linear time.
 */
void torus_peak_pairs(struct torus_fabric *f, u32 dim, struct torus_peak_ring *r)
{
	u32 a, b, n = r->n;

	if (!f->arch->steps) {
		for (a = 0; a < n; a++)
			r->below[a + 1] = r->below[a] + r->to[a];
		peak_plus(f, dim, r);
		peak_minus(f, dim, r);
		return;
	}
	/* machines that count steps their own way have short dimensions */
	for (a = 0; a < n; a++, torus_yield())
		for (b = 0; b < n; b++)
			torus_peak_add(f, r->cross, dim, a, b, r->from[a] * r->to[b]);
}

/* Hops in a dimension from each coordinate to each, all together. */
static u64 peak_all_hops(struct torus_fabric *f, u32 dim)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 n = g->dims[dim], a, b;
	u64 sum = 0;

	for (a = 0; a < n; a++) {
		u64 plus = torus_geometry_plus(g, dim, a), minus = n - 1 - plus;

		if (!f->arch->steps) {
			sum += (plus * (plus + 1) + minus * (minus + 1)) / 2;
			continue;
		}
		for (b = 0; b < n; b++) {
			s32 way = torus_fabric_steps(f, dim, a, b);

			sum += (u64)(way < 0 ? -way : way);
		}
		torus_yield();
	}
	return sum;
}

/**
 * torus_peak_random_hops() - mean hops from one coordinate of a dimension to a random one
 * @f: the fabric
 * @dim: the dimension
 *
 * Its own coordinate is included.
 *
 * Return: hops in units of 2^-20; on a mesh, those that load its busiest link so.
 */
u64 torus_peak_random_hops(struct torus_fabric *f, u32 dim)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u64 n = g->dims[dim], sum = peak_all_hops(f, dim), busiest;

	if (g->mesh >> dim & 1) {
		/* the middle link of either direction, as if 2 n links shared the load alike */
		busiest = n / 2 * (n - n / 2) * 2 * n;
		sum = busiest > sum ? busiest : sum;
	}
	/* 2^20 * sum does not fit where n is above 2^15 */
	return (sum / (n * n) << 20) + (sum % (n * n) << 20) / (n * n);
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
	struct torus_peak_ring r;
	u64 most, sum;

	/* the load of a mesh is by its busiest links already */
	if (f->cfg.geo.mesh >> dim & 1)
		return 1u << 16;
	if (!torus_peak_ring_init(&r, n))
		return 0;
	for (i = 0; i < n; i++) {
		r.from[i] = 1;
		r.to[i] = 1;
	}
	torus_peak_pairs(f, dim, &r);
	most = torus_peak_most(r.cross, n, &sum);
	torus_peak_ring_free(&r);
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
		struct torus_peak_ring r;
		u64 sum, most;

		if (n == 1)
			continue;
		if (!torus_peak_ring_init(&r, n))
			return 0;
		for (i = 0; i < n; i++) {
			bool in = (i + n - t->region_at[dim]) % n < long_hot;

			/* where all packets go to the region, only who is outside sends */
			r.from[i] = f->nodes / n;
			if (share == 1ull << 20 && in)
				r.from[i] -= hot / long_hot;
			r.to[i] = ((1ull << 20) - share) / n + (in ? share / long_hot : 0);
		}
		torus_peak_pairs(f, dim, &r);
		most = torus_peak_most(r.cross, n, &sum);
		torus_peak_ring_free(&r);
		most = (most / (f->nodes / n) * wire_twice) >> 5;
		gap = most > gap ? most : gap;
	}
	return gap;
}
