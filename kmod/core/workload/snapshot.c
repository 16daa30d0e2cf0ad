// SPDX-License-Identifier: GPL-2.0
/*
 * The progress of a workload in a snapshot. Its parameters, except the length of the warm-up, and
 * the keys of streams that follow from the parameters, are not in the file.
 */
#include "core/workload/snapshot.h"
#include "core/workload/broadcast_fill.h"
#include "core/workload/request_reply.h"
#include "core/workload/traffic.h"
#include "core/workload/workload.h"
#include "core/state/snapshot_events.h"

/**
 * torus_workload_snapshot() - write or read the global state of a workload
 * @snap: the snapshot
 * @f: its fabric
 */
void torus_workload_snapshot(struct torus_snapshot *snap, struct torus_fabric *f)
{
	struct torus_workload *w = f->workload;

	SNAPSHOT_FIELD(snap, w->phase);
	SNAPSHOT_FIELD(snap, w->outcome);
	SNAPSHOT_FIELD(snap, w->traffic.warmup);
	SNAPSHOT_FIELD(snap, w->npoints);
	torus_snapshot_check(snap, w->phase <= TORUS_PHASE_DONE, "phase of the workload =",
			     w->phase);
	torus_snapshot_check(snap, w->npoints <= w->batches + (w->phase == TORUS_PHASE_DONE),
			     "number of parts of the window =", w->npoints);
	/* there is no point before the window, and at least one from its start on */
	torus_snapshot_check(snap, !w->npoints == (w->phase == TORUS_PHASE_WARMUP),
			     "number of parts of the window =", w->npoints);
	if (!torus_snapshot_ok(snap))
		return;
	torus_snapshot_bytes(snap, w->points, w->npoints * sizeof(*w->points));
	SNAPSHOT_FIELD(snap, w->begin);
	SNAPSHOT_FIELD(snap, w->half);
	SNAPSHOT_FIELD(snap, w->end);
}

static void snapshot_source(struct torus_snapshot *snap, struct torus_fabric *f,
			    struct torus_source *s)
{
	u64 limit = s->limit;

	SNAPSHOT_FIELD(snap, s->next);
	SNAPSHOT_FIELD(snap, s->wake);
	SNAPSHOT_FIELD(snap, s->number);
	SNAPSHOT_FIELD(snap, s->limit);
	SNAPSHOT_FIELD(snap, s->dst);
	SNAPSHOT_FIELD(snap, s->chunks);
	/* reject values that could overflow in later sums */
	torus_snapshot_check(snap, !(s->next >> 63) && !(s->number >> 63),
			     "packet number of a source =", s->number);
	/*
	 * the limit follows from the workload, except for a fill, where received packets raise it
	 */
	torus_snapshot_check(snap, s->limit == limit || torus_fill_is(f->workload->traffic.pattern),
			     "number of packets of a source =", s->limit);
	if (s->dst != TORUS_NONE)
		torus_snapshot_check(snap, s->dst < f->nodes && s->chunks &&
				     s->chunks <= f->arch->packet_chunks_max,
				     "destination of a source =", s->dst);
}

/* Write or read the replies that wait at a node, and its counts. */
static void snapshot_reply(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			   struct torus_reply *r)
{
	torus_snapshot_packets(snap, d, node, &r->head, &r->tail);
	SNAPSHOT_FIELD(snap, r->made);
	SNAPSHOT_FIELD(snap, r->sent);
	SNAPSHOT_FIELD(snap, r->asked);
	SNAPSHOT_FIELD(snap, r->answered);
	SNAPSHOT_FIELD(snap, r->wake);
}

/**
 * torus_source_snapshot() - write or read a node's streams of packets and pending replies
 * @snap: the snapshot
 * @d: the domain of a fabric with a workload
 * @node: the node
 */
void torus_source_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node)
{
	struct torus_workload *w = d->f->workload;
	size_t first = (size_t)node * w->streams;
	u32 i;

	for (i = 0; i < w->streams; i++)
		snapshot_source(snap, d->f, &w->sources[first + i]);
	if (w->own)
		torus_snapshot_bytes(snap, &w->own[first], w->streams * sizeof(*w->own));
	if (w->replies)
		snapshot_reply(snap, d, node, &w->replies[node]);
}
