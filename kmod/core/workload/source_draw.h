/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets of a source, drawn from their numbers: gap, size, destination and stream.  A packet
 * follows from its source's key and its number alone, so that it can be drawn again.
 */
#ifndef TORUS_CORE_WORKLOAD_SOURCE_DRAW_H
#define TORUS_CORE_WORKLOAD_SOURCE_DRAW_H

#include "core/workload/broadcast_fill.h"
#include "core/workload/pattern.h"
#include "core/workload/pair_list.h"
#include "core/workload/workload.h"

/* Mean gap at most: longer than any run, and far from the clock's end. Units of 2^-16. */
#define SOURCE_GAP_MAX	(1ull << 56)

/* The random numbers of packet @number: gap, size, destination, in this order. */
static inline u64 source_packet_stream(const struct torus_source *s, u64 number)
{
	return torus_mix(s->key + number * 0x9e3779b97f4a7c15ull) | 1;
}

/* Does the packet go right behind the one before it? */
static inline bool source_in_burst(const struct torus_workload *w, const struct torus_source *s,
				   u64 number)
{
	/*
	 * Of a stream of its own, so that a packet's others are the same with and without bursts.
	 * The first one comes after a pause: else nearly all nodes would begin in a burst at once.
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
	/* a table's gap is that of a pair of weight 1 */
	if (torus_unlikely(w->traffic.pattern == TORUS_PATTERN_TABLE)) {
		gap = w->gap / torus_pairs_weight(f->pairs, node);
		gap = gap < SOURCE_GAP_MAX ? gap : SOURCE_GAP_MAX;
		if (w->traffic.arrivals)
			gap = torus_gap_geometric(gap);
	}
	if (w->traffic.arrivals)	/* Bernoulli: a trial a tick */
		return ((torus_random_exponential_fast(&rng, gap, &w->logs) >> 16) + 1) << 16;
	return torus_random_exponential_fast(&rng, gap, &w->logs);
}

/* The size of the packet at hand; its random numbers continue with its destination. */
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
 * Stream of a packet, where streams are directions: that in which it has furthest to
 * go, the first of several; the first stream's, if it goes nowhere.
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

/* Is the packet at hand one of the stream's? */
static inline bool source_is_own(struct torus_fabric *f, const struct torus_source *s, u32 node,
				 u32 stream)
{
	return !f->workload->by_direction || source_direction(f, node, s->dst) == stream;
}

/* Go on to the stream's next packet. */
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
	s->number = to;
}

/* A packet of a stream, all but its way and when it entered. */
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
	/* nothing of who had the place before: a state that is kept follows from the run alone */
	p->slot = 0;
}

#endif /* TORUS_CORE_WORKLOAD_SOURCE_DRAW_H */
