// SPDX-License-Identifier: GPL-2.0
/*
 * Check a node's sources, replies and processor, read from a file, against its events. Each
 * sleeping source must have an event that wakes it. Each processor must have the packet that it is
 * about to send or receive.
 */
#include "core/workload/verify.h"
#include "core/workload/broadcast_fill.h"
#include "core/workload/processor.h"
#include "core/workload/request_reply.h"
#include "core/workload/workload.h"
#include "core/nic/inject_queue.h"

/*
 * Check that a node that waits for tick @at has a SOURCE event at @at. If @at is before the clock,
 * no event is needed.
 */
static void wake_verify(struct torus_snapshot *snap, const struct torus_fabric *f,
			const struct torus_snapshot_events *events, u64 at)
{
	torus_snapshot_check(snap, at < f->clock || !at ||
			     torus_snapshot_events_has(events, TORUS_EV_SOURCE, at),
			     "a node that nothing wakes at tick", at);
}

static void source_verify(struct torus_snapshot *snap, const struct torus_fabric *f,
			  const struct torus_source *s, const struct torus_snapshot_events *events)
{
	const struct torus_workload *w = f->workload;

	wake_verify(snap, f, events, s->wake);
	torus_snapshot_check(snap, s->dst == TORUS_NONE ||
			     s->chunks - w->chunks_min < w->chunks_span, "chunks per packet of a "
									 "source =",
			     s->chunks);
	if (torus_workload_open(w))
		return;
	/*
	 * the number can exceed the limit, because a stream skips the numbers of the other streams
	 */
	torus_snapshot_check(snap, s->number < s->limit + w->streams, "packet number of a source =",
			     s->number);
	torus_snapshot_check(snap, !torus_fill_is(w->traffic.pattern) ||
			     s->limit / w->streams <= w->traffic.packets + 1,
			     "number of packets of a source =", s->limit);
}

static void reply_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			 const struct torus_snapshot_events *events)
{
	const struct torus_workload *w = d->f->workload;
	const struct torus_reply *r = &w->replies[node];
	u64 waiting = 0;
	u32 pkt;

	for (pkt = r->head; pkt != TORUS_NONE && torus_snapshot_ok(snap); waiting++) {
		const struct torus_packet *p = torus_packet_at(d, pkt);

		torus_snapshot_check(snap, p->src == node && p->seq & TORUS_REPLY_SEQ &&
				     !(p->flags & TORUS_PACKET_INVALID), "invalid reply of source",
				     p->src);
		pkt = pkt == r->tail ? TORUS_NONE : p->next;
	}
	torus_snapshot_check(snap, r->made - r->sent == waiting, "number of waiting replies =",
			     waiting);
	torus_snapshot_check(snap, r->answered <= r->asked, "number of received replies =",
			     r->answered);
	torus_snapshot_check(snap, !w->traffic.outstanding ||
			     r->asked - r->answered <= w->traffic.outstanding,
			     "number of requests of a node =", r->asked);
	torus_snapshot_check(snap, r->wake <= d->f->clock, "tick of a reply =", r->wake);
	wake_verify(snap, d->f, events, r->wake);
}

/**
 * torus_sources_verify() - check a node's streams and waiting replies
 * @snap: the snapshot
 * @d: the domain of a fabric with a workload
 * @node: the node
 * @events: the node's events
 */
void torus_sources_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			  const struct torus_snapshot_events *events)
{
	const struct torus_workload *w = d->f->workload;
	u32 i;

	for (i = 0; i < w->streams; i++)
		source_verify(snap, d->f, &w->sources[(size_t)node * w->streams + i], events);
	if (w->replies)
		reply_verify(snap, d, node, events);
}

/* Check that the FIFO of the packet that a processor injects has space for it. */
static void inject_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			  const struct torus_processor *cpu)
{
	const struct torus_workload *w = d->f->workload;
	u32 chunks = cpu->stream == w->streams ? w->reply_chunks :
		     w->sources[(size_t)node * w->streams + cpu->stream].chunks;

	torus_snapshot_check(snap, torus_fifo_room(d->f, node, cpu->fifo) >= chunks,
			     "FIFO of a processor =", cpu->fifo);
}

/**
 * torus_processor_verify() - check a node's processor
 * @snap: the snapshot
 * @d: the domain of a fabric whose processors' time counts
 * @node: the node
 * @events: the node's events
 * @moving: packets on their way to the node's reception FIFOs
 */
void torus_processor_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			    const struct torus_snapshot_events *events,
			    const struct torus_moving *moving)
{
	const struct torus_processor *cpu = &d->processors[node];
	u64 chunks[TORUS_RECEIVE_MAX];
	u32 pkt, i;

	for (i = 0; i < TORUS_RECEIVE_MAX; i++)
		chunks[i] = moving->coming[i];
	for (pkt = cpu->head; pkt != TORUS_NONE && torus_snapshot_ok(snap);) {
		const struct torus_packet *p = torus_packet_at(d, pkt);

		torus_snapshot_check(snap, !(p->flags & TORUS_PACKET_INVALID),
				     "flags of a received packet =", p->flags);
		chunks[p->slot] += p->chunks;
		pkt = pkt == cpu->tail ? TORUS_NONE : p->next;
	}
	for (i = 0; i < TORUS_RECEIVE_MAX; i++)
		torus_snapshot_check(snap, cpu->chunks[i] == chunks[i] &&
				     chunks[i] <= d->f->arch->fifo_chunks,
				     "number of chunks in a reception FIFO =", cpu->chunks[i]);
	torus_snapshot_check(snap, cpu->last <= TORUS_JOB_RECEIVE, "last job of a processor =",
			     cpu->last);
	if (cpu->job == TORUS_JOB_NONE || !torus_snapshot_ok(snap))
		return;
	torus_snapshot_check(snap, cpu->busy_until >= d->f->clock,
			     "end tick of a processor's job =", cpu->busy_until);
	wake_verify(snap, d->f, events, cpu->busy_until);
	if (cpu->job == TORUS_JOB_INJECT)
		inject_verify(snap, d, node, cpu);
}
