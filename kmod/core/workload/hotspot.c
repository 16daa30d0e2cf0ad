// SPDX-License-Identifier: GPL-2.0
/*
 * Hot spots: a share of all packets goes to one of a list of nodes at random, the rest to any
 * other node.  A node of the list sends its share to the others of the list; the only one sends
 * all its packets anywhere, and with share 1 none.
 *
 * The links of one dimension at the same places in all others form a line.  Packets to a hot node
 * cross the lines at its place in the dimensions before; packets from it, and replies, cross those
 * at its place in the dimensions after.  So there are few lines whose loads differ.
 */
#include "core/base/number.h"
#include "core/base/random.h"
#include "core/workload/hotspot.h"
#include "core/workload/link_load.h"
#include "core/workload/workload.h"

#define WHOLE		(1ull << 32)

/**
 * torus_hotspot_check() - does a hot spot fit the fabric?
 * @f: the fabric
 * @t: the workload
 * @err: why not
 *
 * Return: 0, -EINVAL or -ERANGE; its share is the caller's to look at.
 */
int torus_hotspot_check(const struct torus_fabric *f, const struct torus_traffic *t,
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
 * torus_hotspot_index() - from the numbers of the hot nodes to their indices
 * @f: the fabric
 * @t: the workload, checked
 */
void torus_hotspot_index(const struct torus_fabric *f, struct torus_traffic *t)
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
 * torus_hotspot_destination() - where a packet goes
 * @f: the fabric
 * @t: the workload, by indices
 * @rng: stream of this packet
 * @node: its source
 *
 * Return: the destination, another node.
 */
u32 torus_hotspot_destination(const struct torus_fabric *f, const struct torus_traffic *t, u64 *rng,
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
 * torus_hotspot_sends() - does a node send at all?
 * @t: the workload, by indices
 * @node: the node
 *
 * Return: false for the only hot node where all packets go to it.
 */
bool torus_hotspot_sends(const struct torus_traffic *t, u32 node)
{
	return t->hots > 1 || t->share < WHOLE || t->hot[0] != node;
}

/* ------------------------------------------------------------------ the peak */

/**
 * struct hot_rates - packets of a pair for each that a node sends
 *
 * In the unit of torus_link_load_shift().
 *
 * @whole: one packet
 * @rest: of any pair, besides what follows
 * @cold: more from a node that is not hot to one that is
 * @hot: more from a hot node to another
 * @alone: more from the only hot node to any other
 * @ask: of the time on the wire of packet and reply, the packet's part, units of 2^-16
 * @answer: the reply's
 * @wire_twice: that time, twice
 */
struct hot_rates {
	u64 whole;
	u64 rest;
	u64 cold;
	u64 hot;
	u64 alone;
	u64 ask;
	u64 answer;
	u64 wire_twice;
};

static struct hot_rates hot_rates(const struct torus_fabric *f, const struct torus_traffic *t,
				  u64 ask_twice, u64 answer_twice, u32 shift)
{
	u64 share = torus_link_load_part(t->share, shift);
	struct hot_rates r = {
		.whole = torus_link_load_part(WHOLE, shift),
		.rest = torus_link_load_part(WHOLE - t->share, shift) / (f->nodes - 1),
		.cold = share / t->hots,
		.ask = (ask_twice << 16) / (ask_twice + answer_twice),
		.wire_twice = ask_twice + answer_twice,
	};

	r.answer = 65536 - r.ask;
	if (t->hots > 1)
		r.hot = share / (t->hots - 1);
	else if (t->share < WHOLE)
		r.alone = share / (f->nodes - 1);
	return r;
}

/* What a node's packets and its peer's make there, replies among them. */
static u64 hot_both(const struct hot_rates *r, u64 there, u64 back)
{
	return torus_mul_shift(there, r->ask, 16) + torus_mul_shift(back, r->answer, 16);
}

/* A node's place in the dimensions before one, and in those after it. */
static u32 hot_before(const struct torus_geometry *g, u32 dim, u32 node)
{
	return node % g->stride[dim];
}

static u32 hot_after(const struct torus_geometry *g, u32 dim, u32 node)
{
	return node / g->stride[dim] / g->dims[dim];
}

static u32 hot_at(const struct torus_geometry *g, u32 dim, u32 node)
{
	return node / g->stride[dim] % g->dims[dim];
}

/* From any node of the fabric to a hot node: over links at the hot node's place before @dim. */
static void hot_line_in(const struct torus_geometry *g, const struct torus_traffic *t,
			const struct hot_rates *r, u32 dim, struct torus_ring_loads *ring,
			u32 before)
{
	u64 weight = hot_both(r, r->cold, r->alone) * g->stride[dim];
	u32 i;

	for (i = 0; i < ring->n; i++) {
		ring->from[i] = weight;
		ring->to[i] = 0;
	}
	for (i = 0; i < t->hots; i++)
		ring->to[hot_at(g, dim, t->hot[i])] += hot_before(g, dim, t->hot[i]) == before;
	torus_ring_loads_pairs(g, dim, ring);
}

/* From a hot node to any node: over links at the hot node's place after @dim. */
static void hot_line_out(const struct torus_geometry *g, const struct torus_traffic *t,
			 const struct hot_rates *r, u32 dim, struct torus_ring_loads *ring,
			 u32 after)
{
	u64 weight = hot_both(r, r->alone, r->cold) * (g->nodes / g->stride[dim] / ring->n);
	u32 i;

	for (i = 0; i < ring->n; i++) {
		ring->from[i] = 0;
		ring->to[i] = 1;
	}
	for (i = 0; i < t->hots; i++)
		if (hot_after(g, dim, t->hot[i]) == after)
			ring->from[hot_at(g, dim, t->hot[i])] += weight;
	torus_ring_loads_pairs(g, dim, ring);
}

/* A hot node sends more to another than a node that is not hot. */
static void hot_line_each(const struct torus_geometry *g, const struct torus_traffic *t,
			  const struct hot_rates *r, u32 dim, struct torus_ring_loads *ring,
			  u32 before, u32 after)
{
	u32 i, j;

	for (i = 0; t->hots > 1 && i < t->hots; i++) {
		if (hot_after(g, dim, t->hot[i]) != after)
			continue;
		for (j = 0; j < t->hots; j++)
			if (i != j && hot_before(g, dim, t->hot[j]) == before)
				torus_link_load_add(g, dim, ring->cross, ring->cross + ring->n, 1,
						    hot_at(g, dim, t->hot[i]),
						    hot_at(g, dim, t->hot[j]), r->hot - r->cold);
	}
}

/* Packets on the busiest link of a line, doubled. */
static u64 hot_line(const struct torus_geometry *g, const struct torus_traffic *t,
		    const struct hot_rates *r, u32 dim, struct torus_ring_loads *ring, u32 before,
		    u32 after)
{
	u32 i;

	memset(ring->cross, 0, 2 * (size_t)ring->n * sizeof(*ring->cross));
	for (i = 0; i < ring->n; i++) {
		ring->from[i] = r->rest * (g->nodes / ring->n);
		ring->to[i] = 1;
	}
	torus_ring_loads_pairs(g, dim, ring);
	hot_line_in(g, t, r, dim, ring, before);
	hot_line_out(g, t, r, dim, ring, after);
	hot_line_each(g, t, r, dim, ring, before, after);
	return torus_ring_loads_max(ring);
}

/*
 * Places of the hot nodes in the dimensions before or after one, each once, and one without a hot
 * node if there is such a place.  Return: their number.
 */
static u32 hot_places(const struct torus_geometry *g, const struct torus_traffic *t, u32 dim,
		      bool before, u32 *places)
{
	u32 all = before ? g->stride[dim] : g->nodes / g->stride[dim] / g->dims[dim];
	u32 count = 0, i, j, place;

	for (i = 0; i < t->hots; i++) {
		place = before ? hot_before(g, dim, t->hot[i]) : hot_after(g, dim, t->hot[i]);
		for (j = 0; j < count && places[j] != place; j++)
			;
		if (j == count)
			places[count++] = place;
	}
	if (count < all)
		places[count++] = TORUS_NONE;
	return count;
}

/* Packets on the busiest link of a dimension, doubled; ~0 without memory. */
static u64 hot_dim(const struct torus_geometry *g, const struct torus_traffic *t,
		   const struct hot_rates *r, u32 dim)
{
	size_t bytes = 2 * (TORUS_HOTS_MAX + 1) * sizeof(u32);
	u32 *before = torus_alloc(bytes), *after, befores, afters, i, j;
	struct torus_ring_loads ring;
	u64 most = 0, here;

	if (!before)
		return ~0ull;
	if (!torus_ring_loads_init(&ring, g->dims[dim])) {
		torus_free(before, bytes);
		return ~0ull;
	}
	after = before + TORUS_HOTS_MAX + 1;
	befores = hot_places(g, t, dim, true, before);
	afters = hot_places(g, t, dim, false, after);
	for (i = 0; i < befores; i++)
		for (j = 0; j < afters; j++) {
			here = hot_line(g, t, r, dim, &ring, before[i], after[j]);
			most = here > most ? here : most;
			torus_yield();
		}
	torus_ring_loads_free(&ring);
	torus_free(before, bytes);
	return most;
}

/* Packets that a hot node receives, or sends, whichever is more. */
static u64 hot_port(const struct torus_fabric *f, const struct torus_traffic *t,
		    const struct hot_rates *r)
{
	u64 in = r->rest * (f->nodes - 1) + r->cold * (f->nodes - t->hots) + r->hot * (t->hots - 1);
	u64 out = t->hots == 1 && t->share == WHOLE ? 0 : r->whole;
	u64 there = hot_both(r, in, out), back = hot_both(r, out, in);

	return there > back ? there : back;
}

/**
 * torus_hotspot_peak_gap() - the peak of a hot spot
 * @f: the fabric
 * @t: the workload, by indices
 * @ask_twice: ticks on the wire of two packets
 * @answer_twice: of two replies; 0: there are none
 *
 * Return: ticks between two packets of a node that sends, units of 2^-16; 0 without memory.
 */
u64 torus_hotspot_peak_gap(const struct torus_fabric *f, const struct torus_traffic *t,
			   u64 ask_twice, u64 answer_twice)
{
	u32 shift = torus_link_load_shift(f), dim;
	const struct hot_rates r = hot_rates(f, t, ask_twice, answer_twice, shift);
	const struct torus_geometry *g = &f->cfg.geo;
	u64 most = 0, here, gap, port;

	for (dim = 0; dim < g->ndims; dim++) {
		if (g->dims[dim] == 1)
			continue;
		here = hot_dim(g, t, &r, dim);
		if (here == ~0ull)
			return 0;
		most = here > most ? here : most;
	}
	gap = torus_mul_shift(most, r.wire_twice, shift - 14);
	if (f->arch->port_links) {
		port = torus_mul_shift(hot_port(f, t, &r) / f->arch->port_links, r.wire_twice,
				       shift - 15);
		gap = port > gap ? port : gap;
	}
	return gap ? gap : 1;
}
