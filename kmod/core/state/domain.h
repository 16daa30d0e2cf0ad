/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Domains: blocks of nodes with a wheel, a packet pool and tallies of their own.
 * Domains meet in YAWNS windows (Adiga et al. (2005), Simulator overview): a window is no
 * longer than the least delay between domains.  Within it no domain's action can reach
 * another domain, so domains run in parallel.  Messages between domains wait in
 * mailboxes, as plain values without pointers.
 *
 * A tick applies, then arbitrates.  First every event of the tick is applied: what
 * those do commutes.  Then the nodes they touched are arbitrated; a node's arbitration
 * reads and writes that node alone, draws from the node's own stream, and reaches
 * others only through events at least one tick away.  So no order between nodes, events
 * or domains can be told from the result.
 */
#ifndef TORUS_CORE_DOMAIN_H
#define TORUS_CORE_DOMAIN_H

#include "core/env.h"
#include "core/state/completion.h"
#include "core/state/fabric.h"
#include "core/state/latency_histogram.h"
#include "core/state/stats.h"
#include "core/base/packet.h"
#include "core/base/wheel.h"

/* The longest packet of any machine, its trailer included. */
#define TORUS_SCRATCH_BYTES	2112
/* The longest header of any machine on the wire. */
#define TORUS_WIRE_HEADER_MAX	16

struct torus_later;
struct torus_link;
struct torus_mailbox;
struct torus_source;
struct torus_processor;
struct torus_tracer;

/**
 * struct torus_domain - a part of a fabric
 * @f: the fabric
 * @nodes: the nodes of the fabric, node_bytes each
 * @where: the fabric's, see there
 * @machine: the machine's parameters as the hot loop wants them
 * @count: nodes of the domain
 * @list: their numbers, ascending; NULL: all there are
 * @index: of the domain
 * @thread: that runs it, or ran it last
 * @after: the domain that its thread runs next in each window; NULL: none
 * @node_bytes: size of a node
 * @now: the tick being simulated
 * @done: every tick before this one has been simulated
 * @again_at: tick at which the nodes in @again are to be arbitrated, ~0: none
 * @touched: nodes to be arbitrated in this tick
 * @again: nodes to be arbitrated in the next tick
 * @received: packets whose reception ended in this tick, for users
 * @later: what happens to live links in this tick, see link/event_order.c
 * @wheel: events
 * @pool: packets
 * @bodies: bytes of users' packets
 * @stats: what is counted
 * @latencies: histograms of what is delivered here; NULL: nobody asked for them
 * @hot: hot link counters of the fabric: packets, then chunks, by VC
 * @stalls: 256s of stalls of the domain, see core/router/node.h; NULL: none yet
 * @folded: 64-bit sums of the domain's, there after the first fold (of a very long run)
 * @look_at: events until the counters are looked at, see torus_counters_look()
 * @links: all links of the fabric as the protocol has them, NULL until one is simulated
 * @sources: traffic sources of the fabric
 * @queues: injection FIFOs of the nodes, NULL where the router's slots are the FIFOs
 * @queues_stride: bytes from one node's to the next's
 * @tnis: counters of the nodes' TNIs, see state/tni.h; NULL: they have none
 * @processors: of the fabric's nodes, NULL when their time does not count
 * @hand_over: received synthetic packets go to torus_workload_receive()
 * @outbox: mailboxes to every domain, two sets; those of domain T are thread T's
 * @boxes: those of its thread, which it fills
 * @senders: domains from which links lead here
 * @from: threads that run those: who has mail
 * @far: mails of other threads than those, likewise two
 * @next_at: tick of the next event, published at the end of a window, two sets
 * @working: there are other events than scheduled faults, likewise
 * @faults_pending: scheduled faults in the wheel: they alone do not move the clock,
 *                  unless something waits for a link's state to change
 * @links_parked: links that wait so
 * @tokens_waiting: tokens that do
 * @mail_at: earliest tick mailed in this window
 * @scratch: room for two of the longest packets
 * @tracer: see above
 * @lost_packets: users' packets that ended here, see core/state/completion.h
 * @failed: memory ran out; the results are worth nothing
 * @woke: in this window something happened for which a program waits
 * @woken: the same, published at the end of a window, two sets
 * @left: packets are left in clients' rings, see torus_nic_left()
 * @wanting: a client's request waits for memory, see torus_nic_wants()
 * @away: another process's: it has no nodes here, see core/state/procs.h
 */
struct torus_domain {
	struct torus_fabric *f;
	u8 *nodes;
	const u8 *where;
	const void *machine;
	u32 *list;
	u32 count;
	u32 index;
	u32 thread;
	struct torus_domain *after;
	u32 node_bytes;
	u64 now;
	u64 done;
	u64 again_at;
	u32 *touched;
	u32 *again;
	u32 ntouched;
	u32 nagain;
	struct torus_event *received;
	u32 nreceived, received_room;
	struct torus_later *later;
	u32 nlater, later_room;
	struct torus_wheel wheel;
	struct torus_pool pool;
	struct torus_bodies bodies;
	struct torus_latencies *latencies;
	u32 *hot;
	u16 *stalls;
	u64 *folded;
	u64 look_at;
	struct torus_link *links;
	struct torus_source *sources;
	struct torus_processor *processors;
	u8 *queues;
	u32 queues_stride;
	struct torus_tni_counters *tnis;
	struct torus_mailbox *outbox[2];
	struct torus_mailbox *boxes[2];
	u64 senders;
	u64 from;
	u32 far[2];
	u64 next_at[2];
	bool working[2];
	u64 faults_pending;
	u64 links_parked;
	u64 tokens_waiting;
	u64 mail_at;
	u8 *scratch;
	u32 parity;
	bool failed;
	bool woke;
	bool woken[2];
	bool hand_over;
	bool left;
	bool wanting;
	bool away;
	struct torus_tracer *tracer;
	struct torus_lost_packets lost_packets;
	struct torus_stats stats;	/* last: it is long, and most of it is histograms */
} torus_align;

/* The domain that a node is in. */
torus_inline struct torus_domain *torus_domain_of(struct torus_fabric *f, u32 node)
{
	return f->where ? &f->domain[f->where[node]] : f->domain;
}

/* Is a node simulated by this process? */
torus_inline bool torus_node_here(const struct torus_fabric *f, u32 node)
{
	return !f->cfg.procs || !f->domain[f->where[node]].away;
}

/* Is one of a link's ends? */
torus_inline bool torus_link_near(const struct torus_fabric *f, u32 node, u32 dir)
{
	u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);

	return torus_node_here(f, node) || (peer != TORUS_NONE && torus_node_here(f, peer));
}

torus_inline bool torus_domain_has(const struct torus_domain *d, u32 node)
{
	return !d->where || d->where[node] == d->index;
}

/* The @i-th node of a domain. */
torus_inline u32 torus_domain_nth(const struct torus_domain *d, u32 i)
{
	return d->list ? d->list[i] : i;
}

/* Which of its domain's nodes a node is: for what is kept a domain, and rarely asked for. */
torus_inline u32 torus_domain_local(const struct torus_domain *d, u32 node)
{
	return d->f->local ? d->f->local[node] : node;
}

torus_inline void *torus_domain_node(const struct torus_domain *d, u32 node)
{
	return d->nodes + (size_t)node * d->node_bytes;
}

/* A node's flags: in the list of nodes to be arbitrated in this tick, in the next. */
#define TORUS_TOUCHED	1
#define TORUS_AGAIN	2

/* Have a node arbitrated in this tick. */
torus_inline void torus_touch(struct torus_domain *d, u8 *flags, u32 node)
{
	d->touched[d->ntouched] = node;
	d->ntouched += !(*flags & TORUS_TOUCHED);
	*flags |= TORUS_TOUCHED;
}

/* Have it arbitrated in tick @at, the next that the domain simulates. */
torus_inline void torus_touch_again(struct torus_domain *d, u8 *flags, u32 node, u64 at)
{
	d->again[d->nagain] = node;
	d->nagain += !(*flags & TORUS_AGAIN);
	*flags |= TORUS_AGAIN;
	d->again_at = at;
}

torus_inline struct torus_packet *torus_packet_at(struct torus_domain *d, u32 i)
{
	return torus_pool_at(&d->pool, i);
}

/**
 * torus_received_init() - room for the receptions that end in one tick
 * @d: the domain
 *
 * Needed once somebody is there who must have them in order.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_received_init(struct torus_domain *d);

/* Bytes of the domain's 256s of stalls, once there are any. */
torus_inline size_t torus_stalls_bytes(const struct torus_domain *d)
{
	return (size_t)d->count * d->f->dirs * TORUS_STALL_MAX * sizeof(*d->stalls);
}

void torus_counters_fold(struct torus_domain *d);
void torus_counters_look(struct torus_domain *d);

/* A hot counter beyond this is folded when it is looked at. */
#define TORUS_FOLD_COUNT	(1u << 31)
/* Events between two looks: no 32-bit count can wrap in so many, not even of chunks. */
#define TORUS_LOOK_EVENTS	(1ull << 23)

_Static_assert(TORUS_FOLD_COUNT + TORUS_LOOK_EVENTS * TORUS_PACKET_CHUNKS_MAX <= 0xffffffffu,
	       "a hot counter wraps before it is looked at");

/* Has memory run out in this tick?  What happens from here on is worth nothing. */
torus_inline bool torus_domain_starved(const struct torus_domain *d)
{
	return d->failed || d->wheel.failed;
}

/* Tick @now has been simulated; false when memory has run out. */
torus_inline bool torus_tick_done(struct torus_domain *d, u64 now)
{
	d->done = now + 1;
	if (torus_unlikely(d->stats.events >= d->look_at))
		torus_counters_look(d);
	d->failed |= d->wheel.failed;
	return !d->failed;
}

/* Tick of the domain's next event, ~0 when there is none. */
torus_inline u64 torus_domain_next(const struct torus_domain *d)
{
	u64 next = torus_wheel_next(&d->wheel);

	return d->again_at < next ? d->again_at : next;
}

/*
 * Is there anything to simulate?  A scheduled fault happens when something else
 * brings the clock there.
 */
torus_inline bool torus_domain_working(const struct torus_domain *d)
{
	/* as its process has reported */
	if (d->away)
		return d->working[0];
	if (d->faults_pending && (d->links_parked || d->tokens_waiting))
		return true;
	return d->wheel.pending > d->faults_pending || d->again_at != ~0ull || d->mail_at != ~0ull;
}

/* Packets in the network: injected and neither delivered nor dropped. */
torus_inline u64 torus_fabric_in_flight(const struct torus_fabric *f)
{
	s64 sum = 0;
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		sum += f->domain[i].stats.population;
	return (u64)sum;
}

/* Events in the wheels. */
torus_inline u64 torus_fabric_events(const struct torus_fabric *f)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		sum += f->domain[i].wheel.pending;
	return sum;
}

/* True if some event is pending. */
torus_inline bool torus_fabric_pending(const struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		if (torus_domain_working(&f->domain[i]))
			return true;
	return false;
}

#endif /* TORUS_CORE_DOMAIN_H */
