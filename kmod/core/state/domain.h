/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Domains: blocks of nodes, each with its own wheel, packet pool and counters. Domains exchange
 * messages between YAWNS windows (Adiga et al. (2005), Simulator overview). A window is no longer
 * than the minimum delay between domains: no event within it can reach another domain in the same
 * window, so domains run in parallel. Messages between domains wait in mailboxes, as plain values
 * without pointers.
 *
 * A tick has two phases. First all events of the tick are applied; their effects commute. Then the
 * nodes that they touched are arbitrated. A node's arbitration reads and writes only that node,
 * draws from the node's own random stream, and affects other nodes only by events at least one tick
 * later. Therefore results do not depend on the order of nodes, events or domains.
 */
#ifndef TORUS_CORE_DOMAIN_H
#define TORUS_CORE_DOMAIN_H

#include "core/platform.h"
#include "core/state/completion.h"
#include "core/state/fabric.h"
#include "core/state/latency_histogram.h"
#include "core/state/stats.h"
#include "core/base/packet.h"
#include "core/base/wheel.h"

/* Bytes of the longest packet of any machine, including its trailer. */
#define TORUS_SCRATCH_BYTES	2112
/* Bytes of the longest header of any machine on the wire. */
#define TORUS_WIRE_HEADER_MAX	16

struct torus_later;
struct torus_link;
struct torus_mailbox;
struct torus_source;
struct torus_processor;
struct torus_tracer;

/**
 * struct torus_domain - a block of nodes of a fabric
 * @f: the fabric
 * @nodes: all nodes of the fabric, node_bytes each
 * @where: domain of each node of the fabric, see struct torus_fabric
 * @machine: the machine's parameters, in the form for the hot loop
 * @count: number of nodes of the domain
 * @list: indices of these nodes, ascending; NULL: all nodes of the fabric
 * @index: index of the domain
 * @thread: index of the domain that has @boxes as its @outbox; without several processes, also the
 *   thread that runs the domain, or ran it last
 * @after: domain that the same thread runs next in each window, or NULL
 * @node_bytes: size of a node
 * @now: tick that is being simulated
 * @done: all ticks before this one have been simulated
 * @again_at: tick at which the nodes in @again are arbitrated; ~0: none
 * @touched: nodes to arbitrate in this tick
 * @again: nodes to arbitrate in the next tick
 * @received: receptions that ended in this tick, of packets for software or the machine's own NIC
 * @later: events of live links in this tick, see link/event_order.c
 * @wheel: pending events
 * @pool: packets of the domain
 * @bodies: bodies of packets, see base/packet.h
 * @stats: counters of the domain
 * @latencies: histograms of packets delivered in the domain; NULL if not requested
 * @hot: hot link counters of the fabric: packets, then chunks, by VC
 * @stalls: stalls of the domain's links in units of 256, see core/router/node.h; NULL: none yet
 * @folded: 64-bit sums of the domain's hot counters; allocated at the first fold, in a very long
 *   run
 * @look_at: number of events at which the counters are checked, see torus_counters_look()
 * @links: protocol state of all links of the fabric; NULL until a link is live
 * @sources: traffic sources of the fabric
 * @queues: injection FIFOs of the nodes; NULL if the router's slots are the FIFOs
 * @queues_stride: bytes of a node in @queues
 * @tnis: counters of the nodes' TNIs, see state/tni.h; NULL: no TNIs
 * @processors: processors of the fabric's nodes; NULL if processor time is not simulated
 * @hand_over: received synthetic packets are passed to torus_workload_receive()
 * @outbox: mailboxes to each domain, two sets (by parity). The domains that thread T runs send
 *   through the mailboxes of domain T; with several processes, each domain through its own
 * @boxes: the mailboxes through which this domain sends
 * @senders: mask of the domains with links to this domain
 * @from: mask of @thread of all @senders: the mailboxes of these domains are drained
 * @far: number of mails from domains whose @thread is not in @from, two counters (by parity)
 * @next_at: tick of the next event, published at the end of a window, by parity
 * @working: the domain has work, see torus_domain_working(); published with @next_at
 * @faults_pending: number of scheduled faults in the wheel. If nothing else is pending, they do not
 *   advance the clock, unless a packet or token waits for a link's state to change
 * @links_parked: number of links that wait until their state changes
 * @tokens_waiting: number of tokens that wait until their link's state changes
 * @mail_at: earliest tick of the mail sent in this window
 * @scratch: buffer for two packets of maximum size
 * @tracer: hook for packet events, or NULL
 * @lost_packets: users' packets that ended here, see core/state/completion.h
 * @failed: memory is exhausted; the results are invalid
 * @woke: a program waits for an event that happened in this window
 * @woken: @woke or @met, published at the end of a window, by parity
 * @met: first event that met the fabric's stop condition, see state/stop.h; TORUS_NOT_MET: none
 * @left: packets were left in clients' rings, see torus_nic_left()
 * @wanting: a client's request waits for memory, see torus_nic_wants()
 * @away: another process simulates the domain, which has no nodes here, see core/state/procs.h
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
	u32 nreceived, received_cap;
	struct torus_later *later;
	u32 nlater, later_cap;
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
	u64 met;
	bool hand_over;
	bool left;
	bool wanting;
	bool away;
	struct torus_tracer *tracer;
	struct torus_lost_packets lost_packets;
	struct torus_stats stats;	/* last member, because its histograms are long */
} torus_align;

/* Value of torus_domain.met while no event has met the stop condition. */
#define TORUS_NOT_MET		(~0ull)

/* Find the domain of a node. */
torus_inline struct torus_domain *torus_domain_of(struct torus_fabric *f, u32 node)
{
	return f->where ? &f->domain[f->where[node]] : f->domain;
}

/* Check whether this process simulates a node. */
torus_inline bool torus_node_here(const struct torus_fabric *f, u32 node)
{
	return !f->cfg.procs || !f->domain[f->where[node]].away;
}

/* Check whether this process simulates at least one end of a link. */
torus_inline bool torus_link_near(const struct torus_fabric *f, u32 node, u32 dir)
{
	u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);

	return torus_node_here(f, node) || (peer != TORUS_NONE && torus_node_here(f, peer));
}

torus_inline bool torus_domain_has(const struct torus_domain *d, u32 node)
{
	return !d->where || d->where[node] == d->index;
}

/* Index of the @i-th node of a domain. */
torus_inline u32 torus_domain_nth(const struct torus_domain *d, u32 i)
{
	return d->list ? d->list[i] : i;
}

/* Position of a node in its domain, for rarely used data that is allocated per domain. */
torus_inline u32 torus_domain_local(const struct torus_domain *d, u32 node)
{
	return d->f->local ? d->f->local[node] : node;
}

torus_inline void *torus_domain_node(const struct torus_domain *d, u32 node)
{
	return d->nodes + (size_t)node * d->node_bytes;
}

/* Flags of a node: TOUCHED: listed for arbitration in this tick, AGAIN: in the next tick. */
#define TORUS_TOUCHED	1
#define TORUS_AGAIN	2

/* Schedule a node for arbitration in this tick. */
torus_inline void torus_touch(struct torus_domain *d, u8 *flags, u32 node)
{
	d->touched[d->ntouched] = node;
	d->ntouched += !(*flags & TORUS_TOUCHED);
	*flags |= TORUS_TOUCHED;
}

/* Schedule a node for arbitration in tick @at, the next tick that the domain simulates. */
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
 * torus_received_init() - allocate the list of receptions of a tick
 *
 * Packets for software or the machine's own NIC need it: their receptions are processed in a fixed
 * order.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_received_init(struct torus_domain *d);

/* Size in bytes of a domain's array @stalls. */
torus_inline size_t torus_stalls_bytes(const struct torus_domain *d)
{
	return (size_t)d->count * d->f->dirs * TORUS_STALL_MAX * sizeof(*d->stalls);
}

void torus_counters_fold(struct torus_domain *d);
void torus_counters_look(struct torus_domain *d);

/*
 * If a hot counter has reached this value at a check, fold all hot counters into the 64-bit sums.
 */
#define TORUS_FOLD_COUNT	(1u << 31)
/*
 * The end of the first tick after this number of events checks the counters again. Until then no
 * 32-bit counter overflows, even one that counts chunks.
 */
#define TORUS_LOOK_EVENTS	(1ull << 23)

_Static_assert(TORUS_FOLD_COUNT + TORUS_LOOK_EVENTS * TORUS_PACKET_CHUNKS_MAX <= 0xffffffffu,
	       "a hot counter wraps before it is looked at");

/* Check whether memory was exhausted; results are invalid from then on. */
torus_inline bool torus_domain_starved(const struct torus_domain *d)
{
	return d->failed || d->wheel.failed;
}

/* Finish tick @now; false if memory is exhausted. */
torus_inline bool torus_tick_done(struct torus_domain *d, u64 now)
{
	d->done = now + 1;
	if (torus_unlikely(d->stats.events >= d->look_at))
		torus_counters_look(d);
	d->failed |= d->wheel.failed;
	return !d->failed;
}

/* Tick of the domain's next event, ~0 if there is none. */
torus_inline u64 torus_domain_next(const struct torus_domain *d)
{
	u64 next = torus_wheel_next(&d->wheel);

	return d->again_at < next ? d->again_at : next;
}

/*
 * Check whether the domain has work. Scheduled faults count as work only if packets or tokens wait
 * until a link's state changes. Otherwise a fault takes effect when other events advance the clock
 * to it.
 */
torus_inline bool torus_domain_working(const struct torus_domain *d)
{
	/* another process simulates the domain, and has reported this */
	if (d->away)
		return d->working[0];
	if (d->faults_pending && (d->links_parked || d->tokens_waiting))
		return true;
	return d->wheel.pending > d->faults_pending || d->again_at != ~0ull || d->mail_at != ~0ull;
}

/* Number of packets in the network: injected, neither delivered nor dropped. */
torus_inline u64 torus_fabric_in_flight(const struct torus_fabric *f)
{
	s64 sum = 0;
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		sum += f->domain[i].stats.population;
	return (u64)sum;
}

/* Number of events in all wheels. */
torus_inline u64 torus_fabric_events(const struct torus_fabric *f)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		sum += f->domain[i].wheel.pending;
	return sum;
}

/* Check whether a domain of the fabric has work. */
torus_inline bool torus_fabric_pending(const struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		if (torus_domain_working(&f->domain[i]))
			return true;
	return false;
}

#endif /* TORUS_CORE_DOMAIN_H */
