// SPDX-License-Identifier: GPL-2.0
/*
 * Hot spots: a share of all packets goes to one of a list of nodes at random, the rest to any
 * other node.  A node of the list sends its share to the others of the list; the only one sends
 * all its packets anywhere, and with share 1 none.
 *
 * The peak is the least of three bounds that hold whatever order the dimensions are taken in:
 * what the links into a hot node carry of the packets that end there (and those out of it of the
 * replies that begin there), for each set of directions that some of them must take; what the
 * links of one dimension, direction and coordinate carry together; what the processor port of a
 * hot node takes.
 */
#include "core/base/number.h"
#include "core/base/random.h"
#include "core/load/hot.h"
#include "core/load/workload.h"

#define WHOLE		(1ull << 32)
/* Subsets of so many directions are looked at one by one. */
#define SUBSET_DIRS	12

/**
 * torus_hot_check() - does a hot spot fit the fabric?
 * @f: the fabric
 * @t: the workload
 * @err: why not
 *
 * Return: 0, -EINVAL or -ERANGE; its share is the caller's to look at.
 */
int torus_hot_check(const struct torus_fabric *f, const struct torus_traffic *t,
		    struct torus_error *err)
{
	char text[TORUS_NUMBER_TEXT];
	u32 i, j;

	if (!t->hots || t->hots > TORUS_HOTS_MAX)
		return torus_fail(err, ERANGE, "hot: %llu nodes: 1 to %u", t->hots,
				  TORUS_HOTS_MAX);
	for (i = 0; i < t->hots; i++) {
		if (torus_node_index(&f->cfg.geo, t->hot[i]) == TORUS_NONE)
			return torus_fail(err, EINVAL, "hot: %s",
					  torus_number_text(&f->cfg.geo, t->hot[i], text,
							    sizeof(text)));
		for (j = 0; j < i; j++)
			if (t->hot[j] == t->hot[i])
				return torus_fail(err, EINVAL, "hot: node %u is listed twice",
						  t->hot[i]);
	}
	return 0;
}

/**
 * torus_hot_index() - from the numbers of the hot nodes to their indices
 * @f: the fabric
 * @t: the workload, checked
 */
void torus_hot_index(const struct torus_fabric *f, struct torus_traffic *t)
{
	u32 i;

	for (i = 0; t->pattern == TORUS_PATTERN_HOTSPOT && i < t->hots; i++)
		t->hot[i] = torus_node_index(&f->cfg.geo, t->hot[i]);
}

/* Which of the list a node is; TORUS_NONE if it is not on it. */
static u32 hot_place(const struct torus_traffic *t, u32 node)
{
	u32 i;

	for (i = 0; i < t->hots; i++)
		if (t->hot[i] == node)
			return i;
	return TORUS_NONE;
}

/**
 * torus_hot_destination() - where a packet goes
 * @f: the fabric
 * @t: the workload, by indices
 * @rng: stream of this packet
 * @node: its source
 *
 * Return: the destination, another node.
 */
u32 torus_hot_destination(const struct torus_fabric *f, const struct torus_traffic *t, u64 *rng,
			  u32 node)
{
	u32 n = (u32)t->hots, own, other;

	if (torus_random(rng) >> 32 < t->share) {
		own = hot_place(t, node);
		if (own == TORUS_NONE)
			return t->hot[torus_random_below(rng, n)];
		if (n > 1) {
			other = torus_random_below(rng, n - 1);
			return t->hot[other + (other >= own)];
		}
	}
	other = torus_random_below(rng, f->nodes - 1);
	return other + (other >= node);
}

/**
 * torus_hot_sends() - does a node send at all?
 * @t: the workload, by indices
 * @node: the node
 *
 * Return: false for the only hot node where all packets go to it.
 */
bool torus_hot_sends(const struct torus_traffic *t, u32 node)
{
	return t->hots > 1 || t->share < WHOLE || t->hot[0] != node;
}

/* ------------------------------------------------------------------ the peak */

/**
 * struct hot_rates - packets of a pair for each that a node sends, units of 2^-32
 * @rest: of any pair, besides what follows
 * @cold: more from a node that is not hot to one that is
 * @hot: more from a hot node to another
 * @alone: more from the only hot node to any other
 * @ask: of the time on the wire of packet and reply, the packet's part, units of 2^-16
 * @answer: the reply's
 * @wire_twice: that time, twice
 */
struct hot_rates {
	u64 rest;
	u64 cold;
	u64 hot;
	u64 alone;
	u64 ask;
	u64 answer;
	u64 wire_twice;
};

static struct hot_rates hot_rates(const struct torus_fabric *f, const struct torus_traffic *t,
				  u64 ask_twice, u64 answer_twice)
{
	struct hot_rates r = {
		.rest = (WHOLE - t->share) / (f->nodes - 1),
		.cold = t->share / t->hots,
		.ask = (ask_twice << 16) / (ask_twice + answer_twice),
		.wire_twice = ask_twice + answer_twice,
	};

	r.answer = 65536 - r.ask;
	if (t->hots > 1)
		r.hot = t->share / (t->hots - 1);
	else if (t->share < WHOLE)
		r.alone = t->share / (f->nodes - 1);
	return r;
}

/* Count the nodes of the list at each coordinate of a dimension. */
static void hot_count(const struct torus_geometry *g, const struct torus_traffic *t, u32 dim,
		      u64 *count)
{
	u32 i;

	memset(count, 0, g->dims[dim] * sizeof(*count));
	for (i = 0; i < t->hots; i++)
		count[t->hot[i] / g->stride[dim] % g->dims[dim]]++;
}

/* What a node's packets and its peer's make there, replies among them. */
static u64 hot_both(const struct hot_rates *r, u64 there, u64 back)
{
	return torus_mul_shift(there, r->ask, 16) + torus_mul_shift(back, r->answer, 16);
}

/* The packets of all pairs alike, and their replies. */
static void hot_cross_rest(struct torus_fabric *f, const struct hot_rates *r, u32 dim,
			   struct torus_peak_ring *ring, u64 links)
{
	u64 weight = r->rest * links * links;
	u32 a;

	for (a = 0; a < ring->n; a++) {
		ring->from[a] = hot_both(r, weight, 0) + hot_both(r, 0, weight);
		ring->to[a] = 1;
	}
	torus_peak_pairs(f, dim, ring);
}

/* More between hot nodes and all others: @in: to the hot nodes; else from the hot nodes. */
static void hot_cross_hot(struct torus_fabric *f, const struct torus_traffic *t,
			  const struct hot_rates *r, u32 dim, struct torus_peak_ring *ring, bool in)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u64 *hots = in ? ring->to : ring->from, *others = in ? ring->from : ring->to;
	u64 links = f->nodes / ring->n, cold;
	u32 a;

	hot_count(g, t, dim, hots);
	for (a = 0; a < ring->n; a++) {
		cold = r->cold * (links - hots[a]);
		others[a] = in ? hot_both(r, cold, 0) + hot_both(r, 0, r->alone * links) :
				 hot_both(r, 0, cold) + hot_both(r, r->alone * links, 0);
	}
	torus_peak_pairs(f, dim, ring);
}

/* More from a hot node to another. */
static void hot_cross_each(struct torus_fabric *f, const struct torus_traffic *t,
			   const struct hot_rates *r, u32 dim, struct torus_peak_ring *ring)
{
	u64 weight = hot_both(r, r->hot, 0) + hot_both(r, 0, r->hot);
	u32 a;

	hot_count(&f->cfg.geo, t, dim, ring->to);
	for (a = 0; a < ring->n; a++)
		ring->from[a] = ring->to[a] * weight;
	torus_peak_pairs(f, dim, ring);
}

/* The bound of a dimension's links, those of one direction and coordinate together; 0: no memory */
static u64 hot_dim_gap(struct torus_fabric *f, const struct torus_traffic *t,
		       const struct hot_rates *r, u32 dim)
{
	u32 n = f->cfg.geo.dims[dim], links = f->nodes / n;
	struct torus_peak_ring ring;
	u64 sum, most;

	if (!torus_peak_ring_init(&ring, n))
		return 0;
	hot_cross_rest(f, r, dim, &ring, links);
	hot_cross_hot(f, t, r, dim, &ring, true);
	hot_cross_hot(f, t, r, dim, &ring, false);
	hot_cross_each(f, t, r, dim, &ring);
	most = torus_peak_most(ring.cross, n, &sum);
	torus_peak_ring_free(&ring);
	most = torus_mul_shift(most / links, r->wire_twice, 17);
	return most ? most : 1;
}

/* Hops in a dimension from another coordinate to that of @h, or back. */
static s32 hot_steps(struct torus_fabric *f, u32 dim, u32 other, u32 h, bool back)
{
	u32 at = h / f->cfg.geo.stride[dim] % f->cfg.geo.dims[dim];

	return back ? torus_fabric_steps(f, dim, at, other) : torus_fabric_steps(f, dim, other, at);
}

/*
 * Packets into hot node @h (or, @out, out of it), by the directions, one of which is their last
 * (or first): units of 2^-32.
 */
static void hot_ends(struct torus_fabric *f, const struct torus_traffic *t,
		     const struct hot_rates *r, u32 h, bool out, u64 *by_dirs)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u64 in = r->rest + r->cold, back = r->rest + r->alone, both = r->rest + r->hot;
	u32 ways[TORUS_DIMS_MAX][3] = { 0 }, dirs, dim, i, a;
	u64 cold = out ? hot_both(r, back, in) : hot_both(r, in, back);

	for (dim = 0; dim < g->ndims; dim++)
		for (a = 0; a < g->dims[dim]; a++) {
			s32 way = hot_steps(f, dim, a, h, out);

			ways[dim][way > 0 ? 1 : way < 0 ? 2 : 0]++;
		}
	by_dirs[0] = 0;
	for (dirs = 1; dirs < 1u << f->dirs; dirs++) {
		u64 n = 1;

		for (dim = 0; dim < g->ndims; dim++) {
			u32 way = dirs >> 2 * dim & 3;

			n *= way < 3 ? ways[dim][way] : 0;
		}
		by_dirs[dirs] = n * cold;
	}
	for (i = 0; i < t->hots; i++) {
		for (dirs = 0, dim = 0; dim < g->ndims; dim++) {
			u32 at = t->hot[i] / g->stride[dim] % g->dims[dim];
			s32 way = hot_steps(f, dim, at, h, out);

			dirs |= way > 0 ? 1u << 2 * dim : way < 0 ? 2u << 2 * dim : 0;
		}
		if (dirs)
			by_dirs[dirs] += hot_both(r, both, both) - cold;
	}
}

/* The most that one of a node's links must carry, whichever way its packets come. */
static u64 hot_subsets(u64 *by_dirs, u32 ndirs)
{
	u32 dirs, i;
	u64 most = 0;

	/* from what comes by just these directions to what comes by none but these */
	for (i = 0; i < ndirs; i++)
		for (dirs = 1; dirs < 1u << ndirs; dirs++)
			if (dirs >> i & 1)
				by_dirs[dirs] += by_dirs[dirs ^ 1u << i];
	for (dirs = 1; dirs < 1u << ndirs; dirs++) {
		u64 each = by_dirs[dirs] / torus_popcount(dirs);

		most = each > most ? each : most;
	}
	return most;
}

static u32 hot_links(const struct torus_fabric *f, u32 node)
{
	u32 dir, n = 0;

	for (dir = 0; dir < f->dirs; dir++)
		n += torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE;
	return n;
}

/*
 * What a node of the list has to receive, or what it has to send, whichever is more: units of
 * 2^-32.  It sends one packet itself.
 */
static u64 hot_port(const struct torus_fabric *f, const struct torus_traffic *t,
		    const struct hot_rates *r)
{
	u64 in = r->rest * (f->nodes - 1) + r->cold * (f->nodes - t->hots) + r->hot * (t->hots - 1);
	u64 there = hot_both(r, in, WHOLE), back = hot_both(r, WHOLE, in);

	return there > back ? there : back;
}

/* Do packets of a dimension go other than the shortest way? */
static bool hot_roams(struct torus_fabric *f, u32 dim)
{
	return f->arch->path_hops && f->arch->path_hops(f, dim, 0);
}

/* The bounds of the links into each hot node. */
static u64 hot_nodes_gap(struct torus_fabric *f, const struct torus_traffic *t,
			 const struct hot_rates *r, u64 *by_dirs)
{
	bool any = f->dirs > SUBSET_DIRS;
	u32 dim, i;
	u64 most = 0, each;

	for (dim = 0; dim < f->cfg.geo.ndims; dim++)
		any |= f->cfg.geo.dims[dim] > 1 && hot_roams(f, dim);
	for (i = 0; i < t->hots; i++) {
		if (any) {
			each = hot_port(f, t, r) / hot_links(f, t->hot[i]);
			most = each > most ? each : most;
			continue;
		}
		hot_ends(f, t, r, t->hot[i], false, by_dirs);
		each = hot_subsets(by_dirs, f->dirs);
		most = each > most ? each : most;
		if (t->reply) {
			hot_ends(f, t, r, t->hot[i], true, by_dirs);
			each = hot_subsets(by_dirs, f->dirs);
			most = each > most ? each : most;
		}
		torus_yield();
	}
	return torus_mul_shift(most, r->wire_twice, 17);
}

/**
 * torus_hot_peak_gap() - the peak of a hot spot
 * @f: the fabric
 * @t: the workload, by indices
 * @ask_twice: ticks on the wire of two packets
 * @answer_twice: of two replies; 0: there are none
 *
 * Return: ticks between two packets of a node that sends, units of 2^-16; 0 without memory.
 */
u64 torus_hot_peak_gap(struct torus_fabric *f, const struct torus_traffic *t, u64 ask_twice,
		       u64 answer_twice)
{
	const struct hot_rates r = hot_rates(f, t, ask_twice, answer_twice);
	const struct torus_geometry *g = &f->cfg.geo;
	u32 dim, sets = 1u << (f->dirs < SUBSET_DIRS ? f->dirs : SUBSET_DIRS);
	u64 gap, most, *by_dirs = torus_alloc(sets * sizeof(*by_dirs));

	if (!by_dirs)
		return 0;
	most = hot_nodes_gap(f, t, &r, by_dirs);
	torus_free(by_dirs, sets * sizeof(*by_dirs));
	for (dim = 0; dim < g->ndims; dim++) {
		if (g->dims[dim] == 1)
			continue;
		if (hot_roams(f, dim))
			gap = torus_mul_shift(f->arch->path_hops(f, dim, 0) * r.wire_twice / 4 >> 4,
					      torus_peak_uneven(f, dim), 16);
		else
			gap = hot_dim_gap(f, t, &r, dim);
		if (!gap)
			return 0;
		most = gap > most ? gap : most;
	}
	if (f->arch->port_links) {
		gap = torus_mul_shift(hot_port(f, t, &r) / f->arch->port_links, r.wire_twice, 17);
		most = gap > most ? gap : most;
	}
	return most ? most : 1;
}
