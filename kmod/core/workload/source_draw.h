/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draw the packets of a source from their numbers: gap, size, destination and stream. A packet
 * depends only on its source's key and its number, so it can be drawn again.
 */
#ifndef TORUS_CORE_WORKLOAD_SOURCE_DRAW_H
#define TORUS_CORE_WORKLOAD_SOURCE_DRAW_H

#include "core/workload/broadcast_fill.h"
#include "core/workload/pattern.h"
#include "core/workload/pair_list.h"
#include "core/workload/timed.h"
#include "core/workload/workload.h"

/*
 * Maximum mean gap, in units of 2^-16. It is longer than any run, but sums with the clock cannot
 * overflow.
 */
#define SOURCE_GAP_MAX	(1ull << 56)

/*
 * Return the random stream of packet @number, from which its gap, size and destination are drawn in
 * this order.
 */
static inline u64 source_packet_stream(const struct torus_source *s, u64 number)
{
	return torus_mix(s->key + number * 0x9e3779b97f4a7c15ull) | 1;
}

/* Check whether a packet follows the previous one immediately, within a burst. */
static inline bool source_in_burst(const struct torus_workload *w, const struct torus_source *s,
				   u64 number)
{
	/*
	 * Use a separate random stream, so that the packet's other values do not depend on bursts.
	 * The first packet always follows a pause: otherwise most nodes would start with a burst.
	 */
	return w->burst && number && torus_mix(~source_packet_stream(s, number)) >> 32 >= w->burst;
}

static inline u64 source_draw_gap(const struct torus_fabric *f, const struct torus_source *s,
				  u32 node, u64 number)
{
	const struct torus_workload *w = f->workload;
	u64 rng = source_packet_stream(s, number), gap = w->gap;

	if (torus_likely(w->plain))
		return torus_random_exponential_fast(&rng, gap, &w->logs);
	if (torus_unlikely(w->burst) && source_in_burst(w, s, number))
		return w->peak_gap;
	if (w->traffic.arrivals)
		gap = w->gap_geometric;
	/* @gap is that of a pair of weight 1: divide it by the weight of the source's pairs */
	if (torus_unlikely(w->traffic.pattern == TORUS_PATTERN_TABLE)) {
		gap = w->gap / torus_pairs_weight(f->pairs, node);
		gap = gap < SOURCE_GAP_MAX ? gap : SOURCE_GAP_MAX;
		if (w->traffic.arrivals)
			gap = torus_gap_geometric(gap);
	}
	if (w->traffic.arrivals)	/* Bernoulli: one trial per tick */
		return ((torus_random_exponential_fast(&rng, gap, &w->logs) >> 16) + 1) << 16;
	return torus_random_exponential_fast(&rng, gap, &w->logs);
}

/* Draw the size of the current packet. Return its random stream, for its destination. */
static inline u64 source_draw_chunks(const struct torus_workload *w, struct torus_source *s)
{
	u64 rng = source_packet_stream(s, s->number);

	torus_random(&rng);
	s->chunks = w->chunks_min;
	if (w->chunks_span > 1)
		s->chunks += torus_random_below(&rng, w->chunks_span);
	return rng;
}

static inline void source_draw_packet(struct torus_fabric *f, struct torus_source *s, u32 node)
{
	const struct torus_workload *w = f->workload;
	u64 rng = source_draw_chunks(w, s);

	if (torus_fill_is(w->traffic.pattern)) {
		u32 dir;

		torus_fill_turn(&f->cfg.geo, &w->traffic, node, (u32)s->number % w->streams, &dir);
		s->dst = torus_geometry_neighbor(&f->cfg.geo, node, dir);
		return;
	}
	s->dst = torus_pattern_destination(f, &w->traffic, &rng, node, s->number);
}

/*
 * Return the stream of a packet if streams are directions: the first direction with the most hops,
 * modulo the number of FIFOs. Return 0 for a packet to the node itself.
 */
static inline u32 source_direction(struct torus_fabric *f, u32 node, u32 dst)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim, far = 0, dir = 0;

	torus_geometry_coords(g, node, a);
	torus_geometry_coords(g, dst, b);
	for (dim = 0; dim < g->ndims; dim++) {
		s32 way = torus_fabric_steps(f, dim, a[dim], b[dim]);
		u32 hops = way < 0 ? (u32)-way : (u32)way;

		if (hops > far) {
			far = hops;
			dir = 2 * dim + (way < 0);
		}
	}
	return dir % f->workload->fifos;
}

/* Check whether the current packet belongs to the stream. */
static inline bool source_is_own(struct torus_fabric *f, const struct torus_source *s, u32 node,
				 u32 stream)
{
	return !f->workload->by_direction || source_direction(f, node, s->dst) == stream;
}

/* Take the stream's next packet from the supplier. If there is none, the stream has ended. */
static inline void source_take_timed(const struct torus_fabric *f, struct torus_source *s)
{
	u32 stream = (u32)(s - f->workload->sources);
	struct torus_timed_packet packet;

	s->limit = s->number;
	if (!f->timed->next(f->timed, stream, &packet))
		return;
	s->next = packet.at << 16;
	s->number = packet.number;
	s->limit = packet.number + 1;
	s->dst = packet.dst;
	s->chunks = packet.chunks;
}

/* Advance to the stream's next packet. */
static inline void source_step(const struct torus_fabric *f, struct torus_source *s, u32 node)
{
	const struct torus_workload *w = f->workload;
	u64 to = s->number + (w->by_direction ? 1 : w->streams);

	s->dst = TORUS_NONE;
	if (torus_workload_open(w)) {
		while (s->number < to)
			s->next += source_draw_gap(f, s, node, ++s->number);
		return;
	}
	if (torus_unlikely(w->clocked)) {
		source_take_timed(f, s);
		return;
	}
	s->number = to;
}

/*
 * Fill in a packet of a stream, except its size, its header, the members of wide packets, and the
 * tick at which it enters.
 */
torus_inline void source_fill_packet(const struct torus_workload *w, const struct torus_source *s,
				     u32 node, u64 born, struct torus_packet *p)
{
	p->next = TORUS_NONE;
	p->src = node;
	p->dst = s->dst;
	p->seq = (u32)s->number & w->seq_mask;
	p->born = born;
	p->body = TORUS_NONE;
	p->hops = 0;
	p->flags = 0;
	p->group = 0;
	/*
	 * clear the value of an earlier packet at this index: a snapshot must depend only on the
	 * run
	 */
	p->slot = 0;
}

#endif /* TORUS_CORE_WORKLOAD_SOURCE_DRAW_H */
