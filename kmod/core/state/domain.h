/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Domains: consecutive nodes with a wheel, a packet pool, random streams and
 * tallies of their own.  Domains meet in YAWNS windows (BG/L paper, Simulator
 * overview): within a window no longer than the least delay between domains,
 * nothing that one does can reach another, so they run side by side; what they
 * send each other waits in mailboxes, as plain values without pointers.
 *
 * A tick applies its events: what those do commutes.  Then it arbitrates the nodes
 * that they touched; a node's
 * arbitration reads and writes that node alone, draws from the node's own
 * stream, and reaches others only through events at least one tick away.  So no
 * order between nodes, events or domains can be told from the result.
 */
#ifndef TORUS_CORE_DOMAIN_H
#define TORUS_CORE_DOMAIN_H

#include "core/state/counters.h"
#include "core/env.h"
#include "core/state/fabric.h"
#include "core/base/packet.h"
#include "core/base/wheel.h"

/* The longest packet of any machine, its trailer included. */
#define TORUS_SCRATCH_BYTES	2112

struct torus_later;
struct torus_link;
struct torus_source;
struct torus_processor;

/* An event for a node of another domain. */
struct torus_mail {
	u64 at;
	struct torus_event ev;
};

/**
 * struct torus_mailbox - what one domain sends another in one window
 * @mail: events
 * @packets: for each event whose kind carries a packet, the packet, in order
 * @bodies: for each of those with a body, its bytes, in order
 *
 * Two of each, used in turns: one is filled while the other is emptied.
 */
struct torus_mailbox {
	struct torus_mail *mail;
	struct torus_packet *packets;
	u8 *bodies;
	u32 mails, mail_room;
	u32 npackets, packet_room;
	u32 nbodies, body_room;
};

/**
 * struct torus_watcher - who wants to see a packet's life
 * @event: called with what happened (enum torus_watch), in the domain's thread
 */
struct torus_watcher {
	void (*event)(struct torus_watcher *w, struct torus_domain *d, u32 what, u32 node,
		      u32 dir, u32 vc, const struct torus_packet *p);
};

enum torus_watch {
	TORUS_WATCH_INJECT,
	TORUS_WATCH_HOP,
	TORUS_WATCH_STALL,
	TORUS_WATCH_ERROR,
	TORUS_WATCH_RESEND,
	TORUS_WATCH_DELIVER,
	TORUS_WATCH_DROP,
	TORUS_WATCH_ACCEPT,	/* by the receiver of a live link, which travelled in dir */
};

/**
 * struct torus_domain - a part of a fabric
 * @f: the fabric
 * @nodes: the machine's nodes, node_bytes each
 * @machine: the machine's parameters as the hot loop wants them
 * @first: number of the first node
 * @count: nodes
 * @index: of the domain
 * @node_bytes: size of a node
 * @now: the tick being simulated
 * @done: every tick before this one has been simulated
 * @again_at: tick at which the nodes in @again are to be arbitrated, ~0: none
 * @touched: nodes to be arbitrated in this tick
 * @again: nodes to be arbitrated in the next tick
 * @received: packets whose reception ended in this tick, for users
 * @later: what happens to live links in this tick, see core/link/order.c
 * @wheel: events
 * @pool: packets
 * @bodies: bytes of users' packets
 * @tally: what is counted
 * @hot: hot link counters, packets and chunks by VC
 * @stalls: stall counters that have overflown, see core/router/node.h; NULL: none
 * @folded: their 64-bit sums, there after the first fold
 * @fold_at: events until the next fold
 * @links: state of links whose protocol is simulated, NULL until one is
 * @sources: traffic sources
 * @queues: injection FIFOs of the nodes, NULL where the router's slots are the FIFOs
 * @queues_stride: bytes from one node's to the next's
 * @processors: of the nodes, NULL when their time does not count
 * @hand_over: received synthetic packets go to torus_workload_receive()
 * @outbox: mailboxes to every domain, two sets
 * @next_at: tick of the next event, published at the end of a window, two sets
 * @working: there are other events than scheduled faults, likewise
 * @faults_pending: scheduled faults in the wheel: they alone do not move the clock,
 *                  unless something waits for a link's state to change
 * @links_parked: links that wait so
 * @tokens_waiting: tokens that do
 * @mail_at: earliest tick mailed in this window
 * @scratch: room for two of the longest packets
 * @watcher: see above
 * @failed: memory ran out; the results are worth nothing
 */
struct torus_domain {
	struct torus_fabric *f;
	u8 *nodes;
	u8 *node0;		/* where node 0 would be */
	const void *machine;
	u32 first;
	u32 count;
	u32 index;
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
	struct torus_tally tally;
	u32 *hot;
	u32 *stalls;
	u64 *folded;
	u64 fold_at;
	struct torus_link *links;
	struct torus_source *sources;
	struct torus_processor *processors;
	u8 *queues;
	u32 queues_stride;
	struct torus_mailbox *outbox[2];
	u64 next_at[2];
	bool working[2];
	u64 faults_pending;
	u64 links_parked;
	u64 tokens_waiting;
	u64 mail_at;
	u8 *scratch;
	u32 parity;
	bool failed;
	bool hand_over;
	struct torus_watcher *watcher;
} torus_align;

/* Ticks of a node's processor, see processor.h. */
struct torus_cost {
	u32 inject_packet;
	u32 inject_chunk;
	u32 receive_packet;
	u32 receive_chunk;
};

/**
 * struct torus_fabric - a machine, whole
 */
struct torus_fabric {
	struct torus_config cfg;
	const struct torus_arch *arch;
	const struct torus_router_ops *router;
	void *machine;			/* the machine's own parameters */
	size_t machine_bytes;
	u32 ndomains;
	u32 dirs;
	u32 nodes;
	u32 share, rest, large;		/* see torus_domain_of() */
	u32 vcs;			/* the router's */
	u32 bubble_vcs;			/* bit v: a bubble in each ring keeps VC v alive */
	u64 tick_fs;
	u32 hot_stride;			/* hot counters a link, u32 words */
	u32 fold_stride;		/* their 64-bit sums and the stalls' */
	u64 lookahead;			/* ticks: longest window */
	u64 clock;
	struct torus_domain *domain;
	struct torus_nic **nic;		/* nodes x groups, NULL where never attached */
	u32 *attached;			/* indices into nic of the held groups */
	u32 nattached;
	u32 *generation;		/* nodes x groups */
	u32 epoch;			/* moves with every attachment and detachment */
	u32 *partition;			/* a node; NULL: all 0 */
	struct torus_fault *faults;	/* scheduled */
	u32 *fault_state;
	u32 nfaults;
	u8 *loopback;			/* a node; NULL: nobody is in loopback */
	u8 *dead;			/* a node; NULL: all live */
	bool links_live;		/* some link's protocol is simulated */
	u32 *link_crc;			/* sender's and receiver's, nodes x dirs x 2 */
	u64 rx_stall;			/* ticks, 0: no limit */
	bool hold;			/* no_listener: keep instead of drop */
	bool crc_full;
	bool injection_infinite;
	bool bubble_kept;		/* each bubble ring must keep room for a packet */
	struct torus_cost cost;
	u64 ber;			/* of every link at set-up, units of 2^-64 */
	u32 hop_limit;
	u32 overhead_ticks;		/* link ticks of a packet beyond its chunks */
	u32 control_ticks;		/* of a control packet, 0: charged to the packets */
	u64 fixed_bytes;		/* of everything allocated at set-up */

	struct torus_workload *workload;
	struct torus_table *table;	/* of the workload, or of the next */

	/* told of interrupts, see interrupt.h; the owner's, a reset leaves it */
	void (*interrupt)(struct torus_fabric *f, u32 node, u32 cause);
	void *owner;			/* for that function */

	/* the run in progress, see fabric.c */
	u64 run_until;
	u64 run_budget;
	u32 run_threads;
	u32 run_end;
	u32 run_parity;
	u64 run_stop;
	u32 run_open;			/* workers may come in */
	u32 barrier_count __attribute__((aligned(64)));
	u32 barrier_sense __attribute__((aligned(64)));
};

/* Domains are of share + 1 nodes, the first ones, or of share. */
torus_inline struct torus_domain *torus_domain_of(struct torus_fabric *f, u32 node)
{
	u32 share = f->share, large = f->large;

	if (f->ndomains == 1)
		return f->domain;
	return &f->domain[node < large ? node / (share + 1) : f->rest + (node - large) / share];
}

torus_inline bool torus_domain_has(const struct torus_domain *d, u32 node)
{
	return node - d->first < d->count;
}

torus_inline void *torus_domain_node(const struct torus_domain *d, u32 node)
{
	return d->nodes + (size_t)(node - d->first) * d->node_bytes;
}

torus_inline struct torus_packet *torus_packet_at(struct torus_domain *d, u32 i)
{
	return torus_pool_at(&d->pool, i);
}

void torus_mail_event(struct torus_domain *d, u64 at, const struct torus_event *ev);
void torus_mail_packet(struct torus_domain *d, u64 at, const struct torus_event *ev);
void torus_mail_collect(struct torus_domain *d, u32 parity);
void torus_packet_free(struct torus_domain *d, u32 pkt);
u32 torus_packet_clone(struct torus_domain *d, u32 pkt);

/* An event that carries no packet, to a node of whatever domain. */
torus_inline void torus_send_event(struct torus_domain *d, u64 at, struct torus_event ev)
{
	if (torus_likely(torus_domain_has(d, ev.node)))
		torus_wheel_push(&d->wheel, at, ev);
	else
		torus_mail_event(d, at, &ev);
}

/* Tokens go back to a sender of whatever domain. */
torus_inline void torus_send_token(struct torus_domain *d, u64 at, struct torus_short token)
{
	if (torus_likely(torus_domain_has(d, token.node))) {
		torus_wheel_push_short(&d->wheel, TORUS_LANE_TOKEN, at, token);
	} else {
		struct torus_event ev = torus_short_event(TORUS_LANE_TOKEN, &token);

		torus_mail_event(d, at, &ev);
	}
}

torus_inline void torus_send_head(struct torus_domain *d, u64 at, struct torus_event ev)
{
	if (torus_likely(torus_domain_has(d, ev.node)))
		torus_wheel_push_head(&d->wheel, at, ev);
	else
		torus_mail_packet(d, at, &ev);
}

/* An event whose packet goes with it; the packet is the receiver's from here on. */
torus_inline void torus_send_packet(struct torus_domain *d, u64 at, struct torus_event ev)
{
	if (torus_likely(torus_domain_has(d, ev.node)))
		torus_wheel_push(&d->wheel, at, ev);
	else
		torus_mail_packet(d, at, &ev);
}

torus_inline void torus_watch(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
			      const struct torus_packet *p)
{
	if (torus_unlikely(d->watcher))
		d->watcher->event(d->watcher, d, what, node, dir, vc, p);
}

/* Population of the network, integrated over time. */
torus_inline void torus_tally_population(struct torus_tally *t, u64 now, s64 change)
{
	t->population_ticks += t->population * (s64)(now - t->population_at);
	t->population_at = now;
	t->population += change;
}

int torus_received_init(struct torus_domain *d);
void torus_tally_inject(struct torus_domain *d, struct torus_packet *p);
void torus_tally_deposit(struct torus_domain *d, u32 node, struct torus_packet *copy);
void torus_tally_claim(struct torus_domain *d, u32 node, struct torus_packet *p);
void torus_tally_deliver(struct torus_domain *d, u32 node, struct torus_packet *p);
void torus_tally_sum(struct torus_fabric *f, struct torus_tally *sum);
void torus_tally_drop(struct torus_domain *d, u32 node, u32 pkt, u32 reason);

/* Fold the hot counters when it is time. */
void torus_counters_fold(struct torus_domain *d);

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

/* Tick @now has been simulated; false when memory has run out. */
torus_inline bool torus_tick_done(struct torus_domain *d, u64 now)
{
	d->done = now + 1;
	if (torus_unlikely(d->tally.events >= d->fold_at))
		torus_counters_fold(d);
	d->failed |= d->wheel.failed;
	return !d->failed;
}

/* Sources of synthetic traffic: fill the FIFOs of a node (when it is arbitrated). */
void torus_source_refill(struct torus_domain *d, u32 node);

/* A synthetic packet has been received: it is the workload's from here on. */
void torus_workload_receive(struct torus_domain *d, u32 node, u32 pkt, u32 fifo);

/* A client's injection FIFO has room (when its node is arbitrated). */
void torus_nic_refill(struct torus_domain *d, u32 node);

/* Bytes of a packet as software sees them, made if need be. */
void torus_packet_bytes(struct torus_domain *d, const struct torus_packet *p, u8 *bytes);

#endif /* TORUS_CORE_DOMAIN_H */
