// SPDX-License-Identifier: GPL-2.0
/* Model the time of a node's processor for injecting and receiving packets. */
#include "core/workload/processor.h"
#include "core/workload/source.h"
#include "core/workload/traffic.h"
#include "core/state/snapshot_events.h"
#include "core/state/census.h"
#include "core/state/packets.h"
#include "core/workload/request_reply.h"
#include "core/workload/workload.h"

static bool processor_priced(const struct torus_fabric *f)
{
	const struct torus_cost *c = &f->cost;

	return c->inject_packet || c->inject_chunk || c->receive_packet || c->receive_chunk;
}

/**
 * torus_processors_init() - give each node a processor, if processors have costs
 * @f: the fabric
 *
 * Return: 0 or -ENOMEM.
 */
int torus_processors_init(struct torus_fabric *f)
{
	u32 i;

	if (!processor_priced(f))
		return 0;
	f->processors = torus_alloc((size_t)f->nodes * sizeof(*f->processors));
	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		d->processors = f->processors;
		if (!d->processors || torus_received_init(d))
			return -ENOMEM;
		d->hand_over = true;
	}
	return 0;
}

static struct torus_processor *processor_at(const struct torus_domain *d, u32 node)
{
	return &d->processors[node];
}

/* Reset the processors of a domain. The caller has freed their packets. */
void torus_processors_reset(struct torus_domain *d)
{
	u32 i;

	for (i = 0; d->processors && i < d->count; i++) {
		struct torus_processor *cpu = processor_at(d, torus_domain_nth(d, i));

		memset(cpu, 0, sizeof(*cpu));
		cpu->head = TORUS_NONE;
	}
}

/* Free the processors of a fabric. */
void torus_processors_free(struct torus_fabric *f)
{
	torus_free(f->processors, (size_t)f->nodes * sizeof(*f->processors));
	f->processors = NULL;
}

/**
 * torus_processor_admit() - reserve space for a packet in a reception FIFO
 * @d: the domain
 * @node: the destination
 * @p: the packet
 * @fifo: the FIFO
 *
 * Return: true with the space reserved, false if the FIFO is too full.
 */
bool torus_processor_admit(struct torus_domain *d, u32 node, const struct torus_packet *p, u32 fifo)
{
	struct torus_processor *cpu = processor_at(d, node);

	if (cpu->chunks[fifo] + p->chunks > d->f->arch->fifo_chunks)
		return false;
	cpu->chunks[fifo] = (u16)(cpu->chunks[fifo] + p->chunks);
	return true;
}

/**
 * torus_processor_receive() - queue a packet that is complete in its reception FIFO
 * @d: the domain
 * @node: the destination
 * @pkt: the packet
 * @fifo: the FIFO
 */
void torus_processor_receive(struct torus_domain *d, u32 node, u32 pkt, u32 fifo)
{
	struct torus_processor *cpu = processor_at(d, node);

	torus_packet_at(d, pkt)->slot = (u8)fifo;
	if (cpu->head == TORUS_NONE)
		cpu->head = pkt;
	else
		torus_packet_at(d, cpu->tail)->next = pkt;
	cpu->tail = pkt;
	torus_processor_run(d, node);
}

static void processor_finish(struct torus_domain *d, struct torus_processor *cpu, u32 node)
{
	u32 pkt = cpu->head;

	cpu->last = cpu->job;
	if (cpu->job == TORUS_JOB_INJECT) {
		/*
		 * if the workload has been stopped since the job started, there is nothing to
		 * inject
		 */
		if (d->sources)
			torus_source_inject(d, node, cpu->stream, cpu->fifo);
	} else if (cpu->job == TORUS_JOB_RECEIVE) {
		struct torus_packet *p = torus_packet_at(d, pkt);

		cpu->head = pkt == cpu->tail ? TORUS_NONE : p->next;
		cpu->chunks[p->slot] = (u16)(cpu->chunks[p->slot] - p->chunks);
		torus_workload_take(d, node, pkt);
	}
	cpu->job = TORUS_JOB_NONE;
}

static bool processor_begin(struct torus_domain *d, struct torus_processor *cpu, u32 node)
{
	const struct torus_cost *c = &d->f->cost;
	u32 stream = 0, fifo = TORUS_NONE, chunks = 0;

	/* alternate between receiving and injecting if both have packets */
	if (cpu->head == TORUS_NONE || cpu->last == TORUS_JOB_RECEIVE)
		fifo = torus_source_pending(d, node, &stream, &chunks);
	if (fifo == TORUS_NONE && cpu->head == TORUS_NONE)
		return false;
	if (fifo != TORUS_NONE) {
		cpu->job = TORUS_JOB_INJECT;
		cpu->stream = (u8)stream;
		cpu->fifo = (u8)fifo;
		cpu->busy_until = d->now + c->inject_packet + (u64)c->inject_chunk * chunks;
		return true;
	}
	chunks = torus_packet_at(d, cpu->head)->chunks;
	cpu->job = TORUS_JOB_RECEIVE;
	cpu->busy_until = d->now + c->receive_packet + (u64)c->receive_chunk * chunks;
	return true;
}

/**
 * torus_processor_run() - finish due jobs of a node's processor and start the next
 * @d: the domain
 * @node: the node
 */
void torus_processor_run(struct torus_domain *d, u32 node)
{
	struct torus_processor *cpu = processor_at(d, node);

	for (;;) {
		if (cpu->job != TORUS_JOB_NONE) {
			if (cpu->busy_until > d->now)
				return;
			processor_finish(d, cpu, node);
		}
		if (!processor_begin(d, cpu, node))
			return;
		if (cpu->busy_until > d->now)
			torus_wheel_push(&d->wheel, cpu->busy_until, (struct torus_event){
				.kind = TORUS_EV_SOURCE, .node = node,
			});
	}
}

/* Count the packets that wait for the processors of a domain in a census. */
void torus_processor_census(struct torus_domain *d, struct torus_check *c)
{
	u32 i, pkt;

	for (i = 0; d->processors && i < d->count; i++) {
		const struct torus_processor *cpu = processor_at(d, torus_domain_nth(d, i));

		for (pkt = cpu->head; pkt != TORUS_NONE;) {
			torus_check_packet(c, torus_packet_at(d, pkt));
			pkt = pkt == cpu->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next;
		}
	}
}

/* Check that the stream from which a processor injects has a packet. */
static bool processor_stream_right(const struct torus_fabric *f, u32 node, u32 stream)
{
	const struct torus_workload *w = f->workload;

	/* stream number @streams stands for the node's replies: a reply must be waiting */
	if (stream == w->streams)
		return w->replies && w->replies[node].head != TORUS_NONE;
	return stream < w->streams &&
	       w->sources[(size_t)node * w->streams + stream].dst != TORUS_NONE;
}

/**
 * torus_processor_snapshot() - write or read a node's processor
 * @snap: the snapshot
 * @d: the domain; the node's sources have been written or read
 * @node: the node
 */
void torus_processor_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node)
{
	struct torus_processor *cpu = processor_at(d, node);
	u32 pkt;

	SNAPSHOT_FIELD(snap, cpu->busy_until);
	SNAPSHOT_FIELD(snap, cpu->job);
	SNAPSHOT_FIELD(snap, cpu->last);
	SNAPSHOT_FIELD(snap, cpu->stream);
	SNAPSHOT_FIELD(snap, cpu->fifo);
	SNAPSHOT_FIELD(snap, cpu->chunks);
	torus_snapshot_packets(snap, d, node, &cpu->head, &cpu->tail);
	torus_snapshot_check(snap, cpu->job <= TORUS_JOB_RECEIVE, "job of a processor =", cpu->job);
	torus_snapshot_check(snap, cpu->job != TORUS_JOB_RECEIVE || cpu->head != TORUS_NONE,
			     "job of a processor =", cpu->job);
	torus_snapshot_check(snap, cpu->fifo < d->f->arch->groups * d->f->arch->inject_fifos,
			     "FIFO of a processor =", cpu->fifo);
	torus_snapshot_check(snap, cpu->job != TORUS_JOB_INJECT ||
			     processor_stream_right(d->f, node, cpu->stream),
			     "packet stream of a processor =", cpu->stream);
	for (pkt = cpu->head; pkt != TORUS_NONE && torus_snapshot_ok(snap);
	     pkt = pkt == cpu->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next)
		torus_snapshot_check(snap, torus_packet_at(d, pkt)->slot < TORUS_RECEIVE_MAX,
				     "FIFO of a packet =", torus_packet_at(d, pkt)->slot);
}
