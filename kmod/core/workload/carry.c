// SPDX-License-Identifier: GPL-2.0
/*
 * A workload on its way into a file or out of one: how far it has come.  What was asked for is
 * not carried; the streams' keys follow from that.
 */
#include "core/workload/carry.h"
#include "core/workload/fill.h"
#include "core/workload/reply.h"
#include "core/workload/traffic.h"
#include "core/workload/workload.h"
#include "core/state/carried.h"

/**
 * torus_workload_carry() - carry what there is once of a workload
 * @c: the carrier
 * @f: its fabric
 */
void torus_workload_carry(struct torus_carrier *c, struct torus_fabric *f)
{
	struct torus_workload *w = f->workload;

	TORUS_CARRY(c, w->phase);
	TORUS_CARRY(c, w->outcome);
	TORUS_CARRY(c, w->traffic.warmup);
	TORUS_CARRY(c, w->npoints);
	torus_carrier_check(c, w->phase <= TORUS_PHASE_DONE, "a phase", w->phase);
	torus_carrier_check(c, w->npoints <= w->batches + (w->phase == TORUS_PHASE_DONE),
			    "parts of the window", w->npoints);
	/* the window's first point is its start */
	torus_carrier_check(c, !w->npoints == (w->phase == TORUS_PHASE_WARMUP),
			    "parts of the window", w->npoints);
	if (!torus_carrier_works(c))
		return;
	torus_carry(c, w->points, w->npoints * sizeof(*w->points));
	TORUS_CARRY(c, w->begin);
	TORUS_CARRY(c, w->half);
	TORUS_CARRY(c, w->end);
}

static void carry_source(struct torus_carrier *c, struct torus_fabric *f, struct torus_source *s)
{
	u64 limit = s->limit;

	TORUS_CARRY(c, s->next);
	TORUS_CARRY(c, s->wake);
	TORUS_CARRY(c, s->number);
	TORUS_CARRY(c, s->limit);
	TORUS_CARRY(c, s->dst);
	TORUS_CARRY(c, s->chunks);
	/* sums of these do not go round */
	torus_carrier_check(c, !(s->next >> 63) && !(s->number >> 63), "a source's packet",
			    s->number);
	/* but for nodes that a fill's packets have come to, it follows from what was asked for */
	torus_carrier_check(c, s->limit == limit || torus_fill_is(f->workload->traffic.pattern),
			    "packets of a source", s->limit);
	if (s->dst != TORUS_NONE)
		torus_carrier_check(c, s->dst < f->nodes && s->chunks &&
				    s->chunks <= f->arch->packet_chunks_max,
				    "a destination", s->dst);
}

/* Replies that wait, and how many. */
static void carry_reply(struct torus_carrier *c, struct torus_domain *d, u32 node,
			struct torus_reply *r)
{
	torus_carry_packets(c, d, node, &r->head, &r->tail);
	TORUS_CARRY(c, r->made);
	TORUS_CARRY(c, r->sent);
	TORUS_CARRY(c, r->asked);
	TORUS_CARRY(c, r->answered);
	TORUS_CARRY(c, r->wake);
}

/**
 * torus_source_carry() - carry a node's streams of packets, and the replies that it owes
 * @c: the carrier
 * @d: the domain of a fabric with a workload
 * @node: the node
 */
void torus_source_carry(struct torus_carrier *c, struct torus_domain *d, u32 node)
{
	struct torus_workload *w = d->f->workload;
	size_t first = (size_t)node * w->streams;
	u32 i;

	for (i = 0; i < w->streams; i++)
		carry_source(c, d->f, &w->sources[first + i]);
	if (w->own)
		torus_carry(c, &w->own[first], w->streams * sizeof(*w->own));
	if (w->replies)
		carry_reply(c, d, node, &w->replies[node]);
}
