/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The router, one source for every machine: a machine's router file defines
 * what is below, then includes this file, and so gets a hot loop of its own
 * with its operations inlined (an indirect call costs too much in a kernel with
 * return thunks).
 *
 *   R(name)             the machine's prefix: bgl_##name
 *   R_DIRS, R_VCS       directions and virtual channels, constants
 *   R_INJECT            injection FIFOs of a node, all groups
 *   R_MASK              unsigned type of a mask over direction * R_VCS + vc
 *   R_SLOTS_T           unsigned type of a mask over slots
 *   R_COUNT             unsigned type of a count of chunks in a buffer
 *   struct R(node_extra)  what the machine keeps in a node besides
 *   struct R(machine)   type of the machine's parameters (d->machine)
 *
 *   R_route(d, n, node, slot, p, &cont)   where the packet at the head of a slot
 *       may go: a mask of (direction, VC) alternatives, all of equal standing or
 *       with a preference that R_choose knows; 0: it has arrived here;
 *       R_DROP: nowhere.  cont: it goes on within its ring (bubble rule).
 *   R_choose(m, n, mask, random)    first phase: the alternative it asks for
 *   R_pass(m, n)        draws for one arbitration, once a node and tick
 *   R_key_input(m, ..)  second phase: standing among the VCs of one receiver
 *   R_key_output(m, ..) third phase: standing among the requests for a link
 *   R_depart(m, n, p, dir)  what leaving the node in a direction does to the header
 *   R_tokens(m, p, vc)  tokens the packet takes downstream
 *   R_enough(m, tokens, vc, enter)  may a packet go on in, or enter, this VC
 *   R_range(m, tokens, vc)  two-bit range of tokens, for JSQ
 *   R_far(m, n, dir)    ticks that the cable in a direction is longer than others
 *   R_capacity(m, vc)   chunks of the VC's buffer
 *   R_deposit(p, slot)  a copy of the packet stays here, while it goes on
 *   R_wire_ticks(m, p)  link time, overhead included
 *   R_receive_ticks(m, p)
 *   R_priority(p)       goes to the priority reception FIFO, over its own bus
 *   R_receive_fifo(p, slot)  reception FIFO of the destination's group
 *   R_payload(p)        bytes of payload, for the utilisation that counts
 *   R_CONTROL_TICKS     link time of a control packet
 *   R_BUSES             transfer buses from a receiver to the senders
 *   R_PRIORITY_SLOTS    slots of high-priority packets, a constant
 *   R_bypass_open(m, n, node, slot, held)  with R_BYPASS_WATCHED: is the bypass open
 *                       for what came to @slot, and is counted as @held chunks of it?
 *
 * A slot is a queue with one read port: slot dir * R_VCS + vc holds what arrived
 * travelling in direction dir on VC vc; the slots behind those are the injection
 * FIFOs.
 *
 * A hop is three events.  The grant at tick t takes the packet off its slot and
 * sends: HEAD at the next node at t + latency, DONE here when the last byte has
 * left (link, read port, bus and buffer space are free again), TOKEN at the
 * upstream node one acknowledgement delay later.
 */
#ifndef R
#error "router.h is included by a machine's router file"
#endif

#include "core/state/census.h"
#include "core/state/domain.h"
#include "core/link/link.h"
#include "core/link/fault.h"
#include "core/nic/group.h"
#include "core/load/processor.h"
#include "core/nic/queue.h"
#include "core/load/workload.h"

#define R_VC_SLOTS	(R_DIRS * R_VCS)
#define R_SLOTS		(R_VC_SLOTS + R_INJECT)
#define R_BIT(s)	((R_SLOTS_T)1 << (s))
#define R_VC_MASK	((R_MASK)((1u << R_VCS) - 1))
#define R_VC_SLOT_MASK	(R_BIT(R_VC_SLOTS) - 1)
#define R_DROP		((R_MASK)~(R_MASK)0)

#define R_BYPASS_OFF		0
#define R_BYPASS_OPEN		1
#define R_BYPASS_WATCHED	2	/* closed while a VC of the receiver is too full */

/* Hot counters a link: packets, chunks by VC. */
#define R_HOT		(2 * R_VCS)

/**
 * struct router_node - a node as the hot loop sees it
 *
 * Line 0 is what arbitration reads; line 1 the masks of who wants which link.
 */
struct router_node {
	R_MASK room[2];		/* [0] tokens to go on, [1] tokens to enter, a bit a VC */
	R_MASK link;		/* free links, every VC's bit of each */
	R_MASK range_hi;	/* two-bit range of tokens */
	R_MASK range_lo;
	R_SLOTS_T ready;	/* slots with a routed head and a free read port */
	R_SLOTS_T local;	/* of those: arrived */
	R_SLOTS_T cont;		/* of those: go on within their ring */
	R_SLOTS_T no_bus;	/* slots whose receiver has no free transfer bus */
	R_SLOTS_T refill;	/* injection slots that have room again */
	R_SLOTS_T port_busy;	/* slots whose read port is transferring */
	R_MASK exists;		/* links that there are, every VC's bit of each */
	u32 rng;
	u32 sink_busy;		/* reception buses: bit r normal, bit 16 + r priority */
	u32 bypass_at;		/* low half of the tick that bypass belongs to */
	u8 touched;		/* TORUS_TOUCHED, TORUS_AGAIN */
	u8 slq;			/* fraction of SLQ cycles, of 256 */
	u8 inject_first;	/* fraction of cycles that prefer injection, of 256 */
	u8 bypass_mode;		/* R_BYPASS_* */
	/* line 1 */
	R_SLOTS_T want_dir[R_DIRS] torus_align;
	u32 peer[R_DIRS];
	R_SLOTS_T bypass;	/* slots into which a packet came in this tick */
	R_SLOTS_T deposit;	/* heads of which a copy is to stay here before they go on */
	u8 bus[R_DIRS];
	u8 far[2];		/* links between midplanes, between racks */
	/* line 2 */
	R_COUNT tokens[R_VC_SLOTS] torus_align;
	R_COUNT full[R_SLOTS];
	u8 slow;		/* links whose protocol is simulated */
	struct R(node_extra) extra;
	/* lines 3.. */
	R_MASK want[R_SLOTS] torus_align;
	struct {
		u32 head, tail;
	} q[R_SLOTS] torus_align;
	u32 stall[R_DIRS][TORUS_STALL_MAX];
	/* control packets, where they are simulated: what is owed over each link */
	R_COUNT owed[R_VC_SLOTS];	/* tokens of each buffer, to its sender */
	u32 controls[R_DIRS];	/* control packets sent */
	u8 owing;		/* links over which something is to be sent */
	u8 owing_ack;		/* of those: the acknowledgement of a live link's packet */
	R_SLOTS_T all_busy;	/* heads that found all that they want busy, see router_gap() */
	/* with unblocking=on */
	R_SLOTS_T waited;	/* heads that the last arbitration left where they were */
	R_MASK opened[2];	/* VCs that tokens gave room in this tick: to go on, to enter */
	u32 returned;		/* how often tokens came in this tick */
} torus_align;

torus_inline struct router_node *router_node(struct torus_domain *d, u32 node)
{
	return (struct router_node *)(d->nodes + (size_t)node * sizeof(struct router_node));
}

torus_inline void router_prefetch(struct torus_domain *d, u32 node, u32 slot)
{
	const char *n = (const char *)router_node(d, node);

	torus_prefetch(n);
	torus_prefetch(n + 64);
	torus_prefetch(n + 128);
	torus_prefetch(n + offsetof(struct router_node, want) + slot * sizeof(R_MASK));
	torus_prefetch(n + offsetof(struct router_node, q) + slot * 8);
}

/* The second phase will ask the node's first source for its next packet. */
torus_inline void router_prefetch_source(struct torus_domain *d, u32 node)
{
	const struct R(machine) *m = d->machine;

	torus_prefetch(&m->regs[node].cutoff);
	if (d->sources)
		torus_prefetch(&d->sources[(size_t)node * d->f->workload->streams]);
}

torus_inline void router_prefetch_arbitration(struct torus_domain *d, u32 node)
{
	const char *n = (const char *)router_node(d, node);
	u32 i;

	torus_prefetch(n);
	torus_prefetch(n + 64);
	for (i = 0; i < sizeof(R_MASK) * R_SLOTS; i += 64)
		torus_prefetch(n + offsetof(struct router_node, want) + i);
	for (i = 0; i < sizeof(((struct router_node *)0)->stall); i += 64)
		torus_prefetch(n + offsetof(struct router_node, stall) + i);
}

torus_inline void router_touch(struct torus_domain *d, struct router_node *n, u32 node)
{
	torus_touch(d, &n->touched, node);
}

/*
 * Arbitrated in this tick if that can do anything: @now says that what has just happened
 * gives it something to do, TORUS_WAITS that it had something left the last time.
 */
#define TORUS_WAITS	4
/*
 * A link of the node is live: its protocol's events free it at the end of the apply
 * phase, so the node is arbitrated after every event.
 */
#define TORUS_LIVE	8

torus_inline void router_touch_if(struct torus_domain *d, struct router_node *n, u32 node, bool now)
{
	const struct R(machine) *m = d->machine;
	u32 need = now | !!(n->touched & (TORUS_WAITS | TORUS_LIVE)) | m->eager;

	d->touched[d->ntouched] = node;
	d->ntouched += need & ~n->touched & TORUS_TOUCHED;
	n->touched |= (u8)need;
}

/* Has the head of a slot, just routed, anything to do: has it arrived, is its link free? */
torus_inline bool router_head_acts(const struct router_node *n, u32 slot)
{
	R_MASK want = n->want[slot];

	return (n->ready >> slot & 1) & (!want | !!(want & n->link) | (n->deposit >> slot & 1));
}

torus_inline void router_again(struct torus_domain *d, struct router_node *n, u32 node, u64 at)
{
	torus_touch_again(d, &n->touched, node, at);
}

torus_inline u32 router_random(struct router_node *n)
{
	u32 x = n->rng;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	n->rng = x;
	return x;
}

/* A number that differs from slot to slot within one pass. */
torus_inline u32 router_spread(u32 random, u32 slot)
{
	u32 x = (random ^ (slot * 0x9e3779b9u)) * 0x85ebca6bu;

	return x ^ (x >> 15);
}

/* Tokens of (dir, vc) have changed: say so in the masks that arbitration reads. */
torus_inline void router_tokens_changed(const struct R(machine) *m, struct router_node *n, u32 i,
					u32 vc)
{
	R_MASK bit = (R_MASK)1 << i;
	R_MASK said = m->said[vc][n->tokens[i]];

	n->room[0] = (n->room[0] & ~bit) | (said & 1) << i;
	n->room[1] = (n->room[1] & ~bit) | (said >> 1 & 1) << i;
	n->range_lo = (n->range_lo & ~bit) | (said >> 2 & 1) << i;
	n->range_hi = (n->range_hi & ~bit) | (said >> 3) << i;
}

torus_inline u32 router_reverse_peer(const struct router_node *n, u32 dir)
{
	return n->peer[TORUS_REVERSE(dir)];
}

/* Something for the link's other end: tokens, or only the acknowledgement of a packet. */
torus_inline void router_owe(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			     u32 tokens)
{
	n->owed[slot % R_VC_SLOTS] = (R_COUNT)(n->owed[slot % R_VC_SLOTS] + tokens);
	n->owing |= (u8)(1u << TORUS_REVERSE(slot / R_VCS));
	router_touch(d, n, node);
}

/*
 * Buffer space is free again at tick @freed: @tokens go back to the sender upstream.
 * Where control packets are charged to the packets that they come between, a token
 * takes a fixed time; else it waits for a control packet.
 */
torus_inline void router_return_tokens(struct torus_domain *d, struct router_node *n, u32 node,
				       u32 slot, u32 tokens, u64 freed)
{
	const struct R(machine) *m = d->machine;
	u32 dir = slot / R_VCS;

	if (torus_unlikely(m->control)) {
		if (freed <= d->now)
			router_owe(d, n, node, slot, tokens);
		else
			torus_wheel_push(&d->wheel, freed, (struct torus_event){
				.kind = TORUS_EV_CONTROL_OWED, .node = node, .dir = (u8)dir,
				.queue = (u8)slot, .tokens = tokens,
			});
		return;
	}
	torus_send_token(d, freed + m->timing.ack_delay + R_far(m, n, TORUS_REVERSE(dir)),
			 (struct torus_short){
		.node = router_reverse_peer(n, dir), .dir = (u8)dir, .vc = (u8)(slot % R_VCS),
		.tokens = (u16)tokens,
	});
}

torus_inline u32 router_held(const struct R(machine) *m, const struct torus_packet *p, u32 slot)
{
	if (slot >= R_VC_SLOTS)
		return p->chunks;
	return p->flags & TORUS_PACKET_NOTOKEN ? 0 : R_tokens(m, p, slot % R_VCS);
}

static void router_head(struct torus_domain *d, struct router_node *n, u32 node, u32 slot);

/* Take the head off a slot. */
torus_inline void router_pop(struct router_node *n, u32 slot, const struct torus_packet *p)
{
	R_SLOTS_T bit = R_BIT(slot);

	n->q[slot].head = n->q[slot].head == n->q[slot].tail ? TORUS_NONE : p->next;
	/* the other masks say nothing of a slot that is not ready */
	n->ready &= ~bit;
	n->deposit &= ~bit;
}

/* A packet that leads nowhere leaves its slot at once. */
static void router_drop(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			u32 reason)
{
	const struct R(machine) *m = d->machine;
	u32 pkt = n->q[slot].head;
	struct torus_packet *p = torus_packet_at(d, pkt);
	u32 held = router_held(m, p, slot);

	router_pop(n, slot, p);
	n->full[slot] = (R_COUNT)(n->full[slot] - held);
	if (slot < R_VC_SLOTS) {
		if (held)
			router_return_tokens(d, n, node, slot, held, d->now);
	} else {
		n->refill |= R_BIT(slot);
	}
	torus_tally_drop(d, node, pkt, reason);
	router_touch(d, n, node);
	if (n->q[slot].head != TORUS_NONE)
		router_head(d, n, node, slot);
}

/* A packet has become the head of its slot, whose read port is free: route it. */
static void router_head(struct torus_domain *d, struct router_node *n, u32 node, u32 slot)
{
	struct torus_packet *p = torus_packet_at(d, n->q[slot].head);
	R_SLOTS_T bit = R_BIT(slot);
	bool cont = false;
	R_MASK want;
	u32 i;

	if (torus_unlikely(p->hops > d->f->hop_limit)) {
		router_drop(d, n, node, slot, TORUS_DROP_HOP_LIMIT);
		return;
	}
	want = R_route(d, n, node, slot, p, &cont);
	if (torus_unlikely(want == R_DROP)) {
		router_drop(d, n, node, slot, TORUS_DROP_NO_ROUTE);
		return;
	}
	n->want[slot] = want;
	n->ready |= bit;
	n->local = (n->local & ~bit) | (R_SLOTS_T)!want << slot;
	n->cont = (n->cont & ~bit) | (R_SLOTS_T)cont << slot;
	if (torus_unlikely(R_deposit(p)) && want && slot < R_VC_SLOTS)
		n->deposit |= bit;
#pragma GCC unroll 8
	for (i = 0; i < R_DIRS; i++)
		n->want_dir[i] = (n->want_dir[i] & ~bit) |
			(R_SLOTS_T)(((want >> (i * R_VCS)) & R_VC_MASK) != 0) << slot;
}

/* Put a packet behind the others of its slot. */
torus_inline void router_enqueue(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
				 u32 pkt, u32 held, bool port_free)
{
	n->full[slot] = (R_COUNT)(n->full[slot] + held);
	if (n->q[slot].head != TORUS_NONE) {
		torus_packet_at(d, n->q[slot].tail)->next = pkt;
		n->q[slot].tail = pkt;
		return;
	}
	n->q[slot].head = pkt;
	n->q[slot].tail = pkt;
	if (port_free)
		router_head(d, n, node, slot);
}

#include "core/router/apply.h"
#include "core/router/transfer.h"
#include "core/router/arbitrate.h"
#include "core/router/loop.h"
