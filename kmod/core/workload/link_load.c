// SPDX-License-Identifier: GPL-2.0
/*
 * Load of the links under a pattern. Each packet takes a shortest path, through the dimensions in
 * the order x, y, z, .. Of the packets that go half-way around a ring, half go in each direction.
 *
 * Loads are doubled, so that half a packet is a whole number.
 *
 * A packet that crosses a link of one dimension is at its destination's coordinates in the lower
 * dimensions, and at its source's coordinates in the higher dimensions. If the weight of a pair is
 * a product over the dimensions, compute the load of one ring (struct torus_ring_loads). For a line
 * of links, multiply it by the number of sources in the lower dimensions and of destinations in the
 * higher dimensions. If a node has few destinations, each pair is added to its own links (struct
 * torus_line_loads).
 */
#include "core/workload/link_load.h"
#include "core/workload/workload.h"

static size_t ring_load_bytes(u32 n)
{
	return (6 * (size_t)n + 1) * sizeof(u64);
}

/**
 * torus_ring_loads_init() - allocate the links of a line, without load
 * @r: [out] the links, to be freed with torus_ring_loads_free()
 * @n: length of the dimension
 *
 * Return: false without memory.
 */
bool torus_ring_loads_init(struct torus_ring_loads *r, u32 n)
{
	r->n = n;
	r->from = torus_alloc(ring_load_bytes(n));
	if (!r->from)
		return false;
	r->to = r->from + n;
	r->cross = r->to + n;
	r->reach = r->cross + 2 * (size_t)n;
	r->below = r->reach + n;
	return true;
}

void torus_ring_loads_free(struct torus_ring_loads *r)
{
	torus_free(r->from, ring_load_bytes(r->n));
}

/*
 * Add @weight to the @hops links from @start of a ring of @n. @step: array elements from one link
 * to the next.
 */
static void link_load_add(u64 *ring, size_t step, u32 n, u32 start, u32 hops, u64 weight)
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

/**
 * torus_link_load_add() - add packets to the links of a line between two coordinates
 * @g: the shape
 * @dim: the dimension of the line
 * @plus: doubled loads of the links in plus direction, each as difference from the previous link
 * @minus: the same for minus direction; a link has the coordinate of its receiver
 * @step: elements from one coordinate to the next
 * @a: coordinate of the source
 * @b: coordinate of the destination
 * @weight: packets
 */
void torus_link_load_add(const struct torus_geometry *g, u32 dim, u64 *plus, u64 *minus,
			 size_t step, u32 a, u32 b, u64 weight)
{
	bool mesh = g->mesh >> dim & 1;
	u32 n = g->dims[dim], ahead = b >= a ? b - a : b + n - a;

	if (a == b)
		return;
	if (mesh ? b > a : 2 * ahead < n) {
		link_load_add(plus, step, n, a, ahead, 2 * weight);
	} else if (mesh || 2 * ahead > n) {
		link_load_add(minus, step, n, b, n - ahead, 2 * weight);
	} else {
		link_load_add(plus, step, n, a, ahead, weight);
		link_load_add(minus, step, n, b, ahead, weight);
	}
}

/* Return the highest load of the links of one direction of a line. */
static u64 link_load_line_max(const u64 *links, size_t step, u32 n)
{
	u64 most = 0, here = 0;
	u32 i;

	for (i = 0; i < n; i++) {
		here += links[i * step];
		/*
		 * loads are signed here: rounding can make a sum of differences slightly negative
		 */
		most = (s64)here > (s64)most ? here : most;
	}
	return most;
}

/**
 * torus_ring_loads_max() - return the load of the busiest link of a line
 * @r: the line's links
 *
 * Return: the load, doubled.
 */
u64 torus_ring_loads_max(const struct torus_ring_loads *r)
{
	u64 plus = link_load_line_max(r->cross, 1, r->n), minus = link_load_line_max(r->cross +
										     r->n, 1,
									       r->n);

	return plus > minus ? plus : minus;
}

/*
 * Return the sum of the destination weights of @count coordinates from @start on, around the ring.
 */
static u64 link_load_weight(const struct torus_ring_loads *r, u32 start, u32 count)
{
	u32 end = start + count;

	return end <= r->n ? r->below[end] - r->below[start] :
	       r->below[r->n] - r->below[start] + r->below[end - r->n];
}

/*
 * Record that a source of weight @weight reaches @count coordinates from @start on, around the
 * ring.
 */
static void link_load_reach(struct torus_ring_loads *r, u32 start, u32 count, u64 weight)
{
	u32 n = r->n, end = start + count;

	r->reach[start % n] += weight;
	r->reach[end % n] -= weight;
	/*
	 * sums over @reach start at coordinate 0, so a range that wraps around must be entered
	 * there again
	 */
	if (start < n && end >= n)
		r->reach[0] += weight;
}

/* Return the maximum hops in plus direction from @a: to the edge of a mesh, or @round in a ring. */
static u32 link_load_farthest(const struct torus_geometry *g, u32 dim, u32 a, u32 round)
{
	return g->mesh >> dim & 1 ? g->dims[dim] - 1 - a : round;
}

/*
 * Add the load of all pairs in plus direction, as differences between neighbouring links. A source
 * adds its load at its coordinate. A destination removes the load of packets to it at its
 * coordinate.
 */
static void link_load_plus(const struct torus_geometry *g, u32 dim, struct torus_ring_loads *r,
			   u32 round)
{
	u64 *cross = r->cross, here = 0;
	u32 n = r->n, a;

	for (a = 0; a < n; a++) {
		u32 hops = link_load_farthest(g, dim, a, round);

		cross[a] += r->from[a] * link_load_weight(r, (a + 1) % n, hops);
		/* the load of packets that wrap around starts again at coordinate 0 */
		if (a + hops > n)
			cross[0] += r->from[a] * link_load_weight(r, 1, a + hops - n);
		if (hops)
			link_load_reach(r, a + 1, hops, r->from[a]);
	}
	for (a = 0; a < n; a++) {
		here += r->reach[a];
		cross[a] -= a ? here * r->to[a] : 0;
		r->reach[a] = 0;
	}
}

/*
 * Add the load of all pairs in minus direction; there, a link's coordinate is that of its receiver.
 */
static void link_load_minus(const struct torus_geometry *g, u32 dim, struct torus_ring_loads *r,
			    u32 round)
{
	u64 *cross = r->cross + r->n, here = 0;
	u32 n = r->n, a;

	for (a = 0; a < n; a++) {
		u32 hops = n - 1 - link_load_farthest(g, dim, a, round);
		u32 start = (a + n - hops) % n;

		if (!hops)
			continue;
		cross[a] -= a ? r->from[a] * link_load_weight(r, start, hops) : 0;
		/* the load of packets that wrap around starts again at coordinate 0 */
		if (a && hops > a)
			cross[0] += r->from[a] * link_load_weight(r, start, hops - a);
		link_load_reach(r, start, hops, r->from[a]);
	}
	for (a = 0; a < n; a++) {
		here += r->reach[a];
		cross[a] += here * r->to[a];
		r->reach[a] = 0;
	}
}

/**
 * torus_ring_loads_pairs() - add packets from each coordinate of a line to each other
 * @g: the shape
 * @dim: the dimension of the line
 * @r: the links; a source sends from[] * to[] packets to a destination
 *
 * The result is that of torus_link_load_add() for each pair, in linear time.
 */
void torus_ring_loads_pairs(const struct torus_geometry *g, u32 dim, struct torus_ring_loads *r)
{
	u32 n = r->n, a;

	for (a = 0; a < n; a++)
		r->below[a + 1] = r->below[a] + r->to[a];
	/*
	 * Loads are doubled: once add all pairs with the half-way packets in plus direction, once
	 * with the half-way packets in minus direction.
	 */
	link_load_plus(g, dim, r, n / 2);
	link_load_minus(g, dim, r, n / 2);
	link_load_plus(g, dim, r, (n - 1) / 2);
	link_load_minus(g, dim, r, (n - 1) / 2);
}

/**
 * torus_link_load_uniform() - return the load of the busiest link if each node of a line sends to
 * each
 * @g: the shape
 * @dim: the dimension of the line
 *
 * Return: packets over the busiest link, doubled, per packet of a node, in units of 2^-20. A
 * node's own coordinate is one of the destinations.
 */
u64 torus_link_load_uniform(const struct torus_geometry *g, u32 dim)
{
	u64 n = g->dims[dim], sum = n * (n * n / 4);

	/* in a mesh, the link in the middle is the busiest */
	if (g->mesh >> dim & 1)
		sum = n / 2 * (n - n / 2) * 2 * n;
	/* divide before the multiplication: 2^20 * sum overflows if n is above 2^15 */
	return (sum / (n * n) << 20) + (sum % (n * n) << 20) / (n * n);
}

/**
 * torus_line_loads_init() - allocate the links of one dimension, without load
 * @f: the fabric
 * @lines: [out] the links, to be freed with torus_line_loads_free()
 *
 * Return: false without memory.
 */
bool torus_line_loads_init(const struct torus_fabric *f, struct torus_line_loads *lines)
{
	lines->plus = torus_alloc(2 * (size_t)f->nodes * sizeof(*lines->plus));
	lines->minus = lines->plus + f->nodes;
	return lines->plus;
}

void torus_line_loads_free(const struct torus_fabric *f, struct torus_line_loads *lines)
{
	torus_free(lines->plus, 2 * (size_t)f->nodes * sizeof(*lines->plus));
}

/**
 * torus_line_loads_add() - add a pair's packets to the links of a dimension
 * @f: the fabric
 * @lines: links to which the load is added
 * @dim: the dimension
 * @src: the node that sends
 * @dst: the node that receives
 * @weight: packets
 */
void torus_line_loads_add(const struct torus_fabric *f, struct torus_line_loads *lines, u32 dim,
			  u32 src, u32 dst, u64 weight)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 n = g->dims[dim], stride = g->stride[dim];
	/* the line has the destination's coordinates below @dim and the source's above it */
	u32 line = dst % stride + src / (stride * n) * (stride * n);

	torus_link_load_add(g, dim, lines->plus + line, lines->minus + line, stride,
			    src / stride % n, dst / stride % n, weight);
}

/**
 * torus_line_loads_max() - return the load of the busiest link of a dimension
 * @f: the fabric
 * @lines: the links, cleared on return
 * @dim: the dimension
 *
 * Return: the load, doubled.
 */
u64 torus_line_loads_max(const struct torus_fabric *f, struct torus_line_loads *lines, u32 dim)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 n = g->dims[dim], stride = g->stride[dim], node;
	u64 most = 0, plus, minus;

	for (node = 0; node < f->nodes; node++) {
		if (!(node & 1023))
			torus_yield();
		if (node / stride % n)
			continue;
		plus = link_load_line_max(lines->plus + node, stride, n);
		minus = link_load_line_max(lines->minus + node, stride, n);
		most = plus > most ? plus : most;
		most = minus > most ? minus : most;
	}
	memset(lines->plus, 0, 2 * (size_t)f->nodes * sizeof(*lines->plus));
	return most;
}

/* Return the product of lengths[first] .. lengths[end - 1]. */
static u64 link_load_product(const u32 *lengths, u32 first, u32 end)
{
	u64 product = 1;

	for (; first < end; first++)
		product *= lengths[first];
	return product;
}

/**
 * link_load_region_line() - return the load of the busiest link of lines that cross a hot region
 * @g: the shape
 * @t: the workload
 * @dim: the dimension of the line
 * @rest: packets of each pair of nodes, in the unit of torus_link_load_shift()
 * @hot: additional packets of a node that sends to one node of the region
 * @outside: only nodes outside the region send
 *
 * Return: the load, doubled; ~0 without memory.
 */
static u64 link_load_region_line(const struct torus_geometry *g, const struct torus_traffic *t,
				 u32 dim, u64 rest, u64 hot, bool outside)
{
	u64 sources = link_load_product(g->dims, 0, dim), dests = link_load_product(t->region, dim +
										    1,
									   g->ndims);
	u32 n = g->dims[dim], i;
	struct torus_ring_loads r;
	u64 most;

	if (!torus_ring_loads_init(&r, n))
		return ~0ull;
	for (i = 0; i < n; i++) {
		r.from[i] = rest * (g->nodes / n);
		r.to[i] = 1;
	}
	torus_ring_loads_pairs(g, dim, &r);
	for (i = 0; i < n; i++) {
		r.from[i] = hot * sources * dests;
		r.to[i] = (i + n - t->region_at[dim]) % n < t->region[dim];
	}
	torus_ring_loads_pairs(g, dim, &r);
	/*
	 * Each line crosses the region. Nodes in the region send nothing, so subtract their load.
	 */
	if (outside && dests == link_load_product(g->dims, dim + 1, g->ndims)) {
		for (i = 0; i < n; i++)
			r.from[i] = r.to[i] ? 0 - hot * link_load_product(t->region, 0,
									  dim) * dests : 0;
		torus_ring_loads_pairs(g, dim, &r);
	}
	most = torus_ring_loads_max(&r);
	torus_ring_loads_free(&r);
	return most;
}

/**
 * torus_link_load_shift() - find a unit of packets in which no load of a link overflows
 * @f: the fabric
 *
 * Return: shift s, for a unit of 2^-s packets.
 */
u32 torus_link_load_shift(const struct torus_fabric *f)
{
	u32 bits = 0;

	while (f->nodes >> bits)
		bits++;
	/* in this unit, a doubled load of one link by all packets of all nodes fits in 64 bits */
	return 60 - bits;
}

/* Convert a part of a packet, in units of 2^-32, to units of 2^-@shift. */
u64 torus_link_load_part(u64 part, u32 shift)
{
	return shift < 32 ? part >> (32 - shift) : part << (shift - 32);
}

/**
 * torus_link_load_region_gap() - compute the network's peak under hot-region traffic
 * @f: the fabric
 * @t: the workload
 * @wire_twice: ticks on the wire of two packets
 *
 * Return: ticks between two packets of a node that sends, in units of 2^-16; 0 without memory.
 */
u64 torus_link_load_region_gap(const struct torus_fabric *f, const struct torus_traffic *t,
			       u64 wire_twice)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u64 share = t->packets ? 1ull << 32 : t->share, most = 0, load, gap, in;
	u64 nodes = link_load_product(t->region, 0, g->ndims);
	bool outside = share == 1ull << 32;
	u32 shift = torus_link_load_shift(f), dim;
	u64 rest = torus_link_load_part((1ull << 32) - share, shift) / (f->nodes - 1);
	u64 hot = torus_link_load_part(share, shift) / nodes;

	for (dim = 0; dim < g->ndims; dim++) {
		if (g->dims[dim] == 1)
			continue;
		load = link_load_region_line(g, t, dim, rest, hot, outside);
		if (load == ~0ull)
			return 0;
		most = load > most ? load : most;
	}
	gap = torus_mul_shift(most, wire_twice, shift - 14);
	if (f->arch->port_links) {
		in = hot * (outside ? f->nodes - nodes : f->nodes - 1) + rest * (f->nodes - 1);
		most = in > 1ull << shift ? in : 1ull << shift;
		most = torus_mul_shift(most / f->arch->port_links, wire_twice, shift - 15);
		gap = most > gap ? most : gap;
	}
	return gap ? gap : 1;
}
