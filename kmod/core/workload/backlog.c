// SPDX-License-Identifier: GPL-2.0
/*
 * Count the packets that sources have generated, and the packets that are not injected yet. In open
 * loop, packets are generated regardless of whether the network accepts them. Sources do not store
 * waiting packets: to count them, draw them again from their numbers.
 */
#include "core/workload/backlog.h"
#include "core/workload/source_repeat.h"
#include "core/state/fabric.h"
#include "core/workload/request_reply.h"
#include "core/workload/timed.h"
#include "core/workload/workload.h"

/*
 * Number of packets to count before the thread yields. Under overload, very many packets can wait.
 */
#define COUNTED_BREAK	4096

/*
 * Return the position at which to continue to count a stream: the end of the last count, or the
 * last packet sent if that packet is later.
 */
static struct torus_arrival_position backlog_from(const struct torus_workload *w, size_t index,
						  u64 own)
{
	const struct torus_arrival_position *counted = w->counted ? &w->counted[index] : NULL;

	if (counted && counted->at.number > w->sources[index].number)
		return *counted;
	return (struct torus_arrival_position){ .at = w->sources[index], .own = own };
}

/*
 * Count the packets that a stream has generated before the current tick. If streams are directions,
 * @own of the result is the number of packets in the stream's direction.
 */
static struct torus_arrival_position backlog_stream(const struct torus_domain *d, u32 node,
						    u32 stream, u64 own)
{
	const struct torus_workload *w = d->f->workload;
	size_t index = (size_t)node * w->streams + stream;
	struct torus_arrival_position count = backlog_from(w, index, own);
	u32 until_break = COUNTED_BREAK;

	while (torus_workload_open(w) && count.at.limit &&
	       (count.at.next + 0xffff) >> 16 < d->now) {
		count.own += torus_source_pass(d->f, &count.at, node, stream);
		if (!--until_break) {
			until_break = COUNTED_BREAK;
			torus_yield();
			/* the next caller continues counting from here */
			if (torus_cancelled())
				break;
		}
	}
	if (w->counted)
		w->counted[index] = count;
	return count;
}

/**
 * torus_backlog_keep_counts() - allocate counts, so that each count continues the last one
 * @f: the fabric with its workload; no run may be in progress
 *
 * For repeated reports of a running workload. Without memory, each count starts at the last packet
 * sent.
 */
void torus_backlog_keep_counts(struct torus_fabric *f)
{
	struct torus_workload *w = f->workload;

	if (torus_workload_open(w) && !w->counted)
		w->counted = torus_alloc((size_t)f->nodes * w->streams * sizeof(*w->counted));
}

/* Count the packets of a node whose streams are directions. */
static void backlog_by_direction(const struct torus_domain *d, u32 node, struct torus_backlog *a)
{
	const struct torus_workload *w = d->f->workload;
	const struct torus_source *first = &d->sources[(size_t)node * w->streams];
	u64 taken = 0;
	u32 i;

	for (i = 0; i < w->streams; i++) {
		u64 own = w->own[(size_t)node * w->streams + i];
		struct torus_arrival_position count = backlog_stream(d, node, i, own);

		taken += own;
		a->packets += count.own;
		if (d->latencies)
			a->waiting_chunks += torus_source_chunks(d->f, node, i, count.at.number);
	}
	a->waiting = torus_workload_open(w) ? a->packets - taken : first->limit - taken;
}

/* Count the packets of a node whose streams are not directions. */
static void backlog_of(const struct torus_domain *d, u32 node, struct torus_backlog *a)
{
	const struct torus_workload *w = d->f->workload;
	u32 i;

	for (i = 0; i < w->streams; i++) {
		const struct torus_source *s = &d->sources[(size_t)node * w->streams + i];
		u64 taken = (s->number - i) / w->streams, number;

		if (!torus_workload_open(w)) {
			/* stream i has the packets i, i + streams, ... below the limit */
			if (s->limit > i)
				a->waiting += (s->limit - i + w->streams - 1) / w->streams - taken;
			a->packets += taken;
			continue;
		}
		number = backlog_stream(d, node, i, 0).at.number;
		a->packets += (number - i) / w->streams;
		a->waiting += (number - i) / w->streams - taken;
		if (d->latencies)
			a->waiting_chunks += torus_source_chunks(d->f, node, i, number);
	}
}

/* Count the packets of a node whose packets have given ticks. */
static void backlog_timed(const struct torus_domain *d, u32 node, struct torus_backlog *a)
{
	struct torus_timed *timed = d->f->timed;
	u32 streams = d->f->workload->streams, i;
	struct torus_timed_backlog stream;

	for (i = 0; i < streams; i++) {
		timed->backlog(timed, node * streams + i, d->now, &stream);
		a->packets += stream.sent + stream.waiting;
		a->waiting += stream.waiting;
		a->waiting_chunks += stream.waiting_chunks;
	}
}

/**
 * torus_backlog_count() - count the packets that a node's sources have generated before now
 * @d: the domain
 * @node: the node
 * @a: [out] numbers of packets, and chunks that wait
 *
 * In open loop, packets that wait in front of their FIFO count, too.
 */
void torus_backlog_count(const struct torus_domain *d, u32 node, struct torus_backlog *a)
{
	const struct torus_workload *w = d->f->workload;

	*a = (struct torus_backlog){ .packets = 0 };
	if (d->f->timed)
		backlog_timed(d, node, a);
	else if (w->by_direction)
		backlog_by_direction(d, node, a);
	else
		backlog_of(d, node, a);
	if (!w->replies)
		return;
	a->waiting += w->replies[node].made - w->replies[node].sent;
	a->packets += w->replies[node].made;
}
