// SPDX-License-Identifier: GPL-2.0
/*
 * The hot-spot pattern: a share of all packets goes to a random node of a list of hot nodes, the
 * rest to any other node. A hot node sends its share to the other hot nodes. If there is only one
 * hot node, it sends its packets to any node, or no packets if the share is 1.
 *
 * Links of one dimension that have the same coordinates in all others form a line. Packets to a
 * hot node cross lines at its coordinates in the lower dimensions. Packets from it, and replies,
 * cross lines at its coordinates in the higher dimensions. Only a few lines therefore have
 * different loads.
 */
#include "core/base/node_number.h"
#include "core/base/random.h"
#include "core/workload/hotspot.h"
#include "core/workload/link_load.h"
#include "core/workload/workload.h"

#define WHOLE		(1ull << 32)

/**
 * torus_hotspot_check() - check that a hot spot fits the fabric
 * @f: the fabric
 * @t: the workload; the caller checks its share
 * @err: [out] error message
 *
 * Return: 0, -EINVAL or -ERANGE.
 */
int torus_hotspot_check(const struct torus_fabric *f, const struct torus_traffic *t,
			struct torus_error *err)
{
	char text[TORUS_NUMBER_TEXT];
	u32 i, j;

	if (!t->hots || t->hots > TORUS_HOTS_MAX)
		return torus_fail(err, ERANGE, "hot: %llu nodes, must be 1 to %u", t->hots,
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
 * torus_hotspot_index() - replace the numbers of the hot nodes by their indices
 * @f: the fabric
 * @t: the workload, checked
 */
void torus_hotspot_index(const struct torus_fabric *f, struct torus_traffic *t)
{
	u32 i;

	for (i = 0; t->pattern == TORUS_PATTERN_HOTSPOT && i < t->hots; i++)
		t->hot[i] = torus_node_index(&f->cfg.geo, t->hot[i]);
}

/* Return a node's index in the list of hot nodes, TORUS_NONE if it is not in the list. */
static u32 hot_place(const struct torus_traffic *t, u32 node)
{
	u32 i;

	for (i = 0; i < t->hots; i++)
		if (t->hot[i] == node)
			return i;
	return TORUS_NONE;
}

/**
 * torus_hotspot_destination() - draw the destination of a packet
 * @f: the fabric
 * @t: the workload, with indices of hot nodes
 * @rng: random stream of this packet
 * @node: the packet's source
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
 * torus_hotspot_sends() - check whether a node sends any packets
 * @t: the workload, with indices of hot nodes
 * @node: the node
 *
 * Return: false for a single hot node that receives all packets.
 */
bool torus_hotspot_sends(const struct torus_traffic *t, u32 node)
{
	return t->hots > 1 || t->share < WHOLE || t->hot[0] != node;
}

/**
 * struct hot_rates - mean packets of a pair of nodes, per packet that the source sends
 *
 * Rates are in the unit of torus_link_load_shift().
 *
 * @whole: one packet
 * @rest: rate of each pair; @cold, @hot or @alone is added to @rest for some pairs
 * @cold: from a node that is not hot to a hot node
 * @hot: from a hot node to another hot node
 * @alone: from the only hot node to any other node
 * @ask: the packet's part of the wire time of packet and reply, in units of 2^-16
 * @answer: the reply's part of that time, in units of 2^-16
 * @wire_twice: wire time of packet and reply, doubled
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

/*
 * Combine packets of rate @there with replies to packets of rate @back in the opposite direction,
 * weighted by wire time.
 */
static u64 hot_both(const struct hot_rates *r, u64 there, u64 back)
{
	return torus_mul_shift(there, r->ask, 16) + torus_mul_shift(back, r->answer, 16);
}

/*
 * Combine a node's coordinates in the dimensions below @dim into one index. hot_after() does the
 * same for the dimensions above @dim.
 */
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

/*
 * Add the packets that all nodes send over a line to the hot nodes with index @before below @dim.
 */
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

/* Add the packets that the hot nodes with index @after above @dim send over a line to all nodes. */
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

/*
 * For pairs of hot nodes on a line, correct the rates added above, which are those of pairs with
 * one hot node.
 */
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

/* Return the load of the busiest link of the line at indices @before and @after, as hot_dim(). */
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
 * List the distinct indices of the hot nodes in the dimensions below (@before true) or above @dim.
 * If other indices exist, append TORUS_NONE, which stands for all of them. Return the number of
 * entries.
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

/*
 * Return the load of the busiest link of a dimension, doubled; ~0 without memory. A load is the
 * number of packets per packet that a source sends, in the unit of torus_link_load_shift(). With
 * replies, packets and replies count by their time on the wire.
 */
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

/* Return the packets and replies that a hot node receives or sends, whichever number is greater. */
static u64 hot_port(const struct torus_fabric *f, const struct torus_traffic *t,
		    const struct hot_rates *r)
{
	u64 in = r->rest * (f->nodes - 1) + r->cold * (f->nodes - t->hots) + r->hot * (t->hots - 1);
	u64 out = t->hots == 1 && t->share == WHOLE ? 0 : r->whole;
	u64 there = hot_both(r, in, out), back = hot_both(r, out, in);

	return there > back ? there : back;
}

/**
 * torus_hotspot_peak_gap() - compute the peak of a hot spot
 * @f: the fabric
 * @t: the workload, with indices of hot nodes
 * @ask_twice: ticks on the wire of two packets
 * @answer_twice: ticks on the wire of two replies; 0: the workload has no replies
 *
 * Return: ticks between two packets of a node that sends, in units of 2^-16; 0 without memory.
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
