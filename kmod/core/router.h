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

#include "check.h"
#include "domain.h"
#include "link.h"
#include "processor.h"

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
	u32 slow;		/* links whose protocol is simulated */
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
	return (struct router_node *)(d->nodes +
				      (size_t)(node - d->first) * sizeof(struct router_node));
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

torus_inline void router_prefetch_arbitration(struct torus_domain *d, u32 node)
{
	const char *n = (const char *)router_node(d, node);
	u32 i;

	torus_prefetch(n);
	torus_prefetch(n + 64);
	for (i = 0; i < sizeof(R_MASK) * R_SLOTS; i += 64)
		torus_prefetch(n + offsetof(struct router_node, want) + i);
}

torus_inline void router_touch(struct torus_domain *d, struct router_node *n, u32 node)
{
	torus_touch(d, &n->touched, node);
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
	u32 t = n->tokens[i];
	u32 range = R_range(m, t, vc);

	n->room[0] = (n->room[0] & ~bit) | (R_enough(m, t, vc, false) ? bit : 0);
	n->room[1] = (n->room[1] & ~bit) | (R_enough(m, t, vc, true) ? bit : 0);
	n->range_hi = (n->range_hi & ~bit) | (range & 2 ? bit : 0);
	n->range_lo = (n->range_lo & ~bit) | (range & 1 ? bit : 0);
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
				.node = node, .pkt = TORUS_NONE,
				.what = TORUS_EV(TORUS_EV_CONTROL, slot, dir, 0, tokens),
			});
		return;
	}
	torus_send_event(d, freed + m->timing.ack_delay + R_far(m, n, TORUS_REVERSE(dir)),
			 (struct torus_event){
		.node = router_reverse_peer(n, dir),
		.pkt = TORUS_NONE,
		.what = TORUS_EV(TORUS_EV_TOKEN, 0, dir, slot % R_VCS, tokens),
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
	u32 i;

	n->q[slot].head = n->q[slot].head == n->q[slot].tail ? TORUS_NONE : p->next;
	n->ready &= ~bit;
	n->local &= ~bit;
	n->cont &= ~bit;
	n->deposit &= ~bit;
#pragma GCC unroll 8
	for (i = 0; i < R_DIRS; i++)
		n->want_dir[i] &= ~bit;
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

	if (torus_unlikely(p->hops > d->f->hop_limit) && TORUS_RULE(hop_limit)) {
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
	if (!want) {
		n->local |= bit;
		return;
	}
	n->cont |= cont ? bit : 0;
	if (torus_unlikely(R_deposit(p)) && slot < R_VC_SLOTS && TORUS_RULE(deposit_copy))
		n->deposit |= bit;
#pragma GCC unroll 8
	for (i = 0; i < R_DIRS; i++)
		n->want_dir[i] |= (R_SLOTS_T)(((want >> (i * R_VCS)) & R_VC_MASK) != 0) << slot;
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

/* ---------------------------------------------------- first phase: events */

/* A packet that has arrived joins its slot. */
torus_inline void router_join(struct torus_domain *d, const struct torus_event *ev)
{
	const struct R(machine) *m = d->machine;
	struct router_node *n = router_node(d, ev->node);
	u32 slot = TORUS_EV_SLOT(ev->what);
	struct torus_packet *p = torus_packet_at(d, ev->pkt);

	router_touch(d, n, ev->node);
	n->bypass |= R_BIT(slot);
	if (torus_unlikely(m->control) && !(ev->what & TORUS_EV_SLOW))
		torus_wheel_push(&d->wheel, d->now + R_wire_ticks(m, p), (struct torus_event){
			.node = ev->node, .pkt = TORUS_NONE,
			.what = TORUS_EV(TORUS_EV_CONTROL, slot, slot / R_VCS, 0, 0),
		});
	router_enqueue(d, n, ev->node, slot, ev->pkt, router_held(m, p, slot),
		       !(n->port_busy & R_BIT(slot)));
}

torus_inline void router_on_head(struct torus_domain *d, const struct torus_event *ev)
{
	u32 slot = TORUS_EV_SLOT(ev->what);
	struct torus_packet *p = torus_packet_at(d, ev->pkt);

	if (torus_unlikely(ev->what & TORUS_EV_SLOW)) {
		torus_link_later(d, ev, slot / R_VCS);
		return;
	}
	if (torus_unlikely(p->body != TORUS_NONE || d->f->crc_full ||
			   (p->flags & TORUS_PACKET_INVALID)))
		torus_link_arrive(d, ev->node, slot, ev->pkt, slot / R_VCS);
	router_join(d, ev);
}

torus_inline void router_port_free(struct torus_domain *d, struct router_node *n, u32 node,
				   u32 slot, u32 held)
{
	n->full[slot] = (R_COUNT)(n->full[slot] - held);
	n->port_busy &= ~R_BIT(slot);
	if (n->q[slot].head != TORUS_NONE)
		router_head(d, n, node, slot);
}

torus_inline void router_on_done(struct torus_domain *d, const struct torus_event *ev)
{
	struct router_node *n = router_node(d, ev->node);
	u32 slot = TORUS_EV_SLOT(ev->what);
	u32 dir = TORUS_EV_DIR(ev->what);

	router_touch(d, n, ev->node);
	if (torus_likely(!(n->slow >> dir & 1)))
		n->link |= R_VC_MASK << (dir * R_VCS);
	else
		torus_link_later(d, ev, dir);
	if (slot < R_VC_SLOTS) {
		u32 r = slot / R_VCS;

		n->bus[r]--;
		n->no_bus &= ~((R_SLOTS_T)R_VC_MASK << (r * R_VCS));
	} else {
		n->refill |= R_BIT(slot);
	}
	router_port_free(d, n, ev->node, slot, TORUS_EV_TOKENS(ev->what));
}

/* Which VCs have room again: what it does for waiting packets is counted in the second phase. */
static void router_note_return(struct torus_domain *d, struct router_node *n, u32 i, u32 vc,
			       u32 tokens)
{
	const struct R(machine) *m = d->machine;
	R_MASK bit = (R_MASK)1 << i;

	d->tally.token_returns++;
	n->returned++;
	n->opened[0] |= R_enough(m, n->tokens[i] + tokens, vc, false) ? bit & ~n->room[0] : 0;
	n->opened[1] |= R_enough(m, n->tokens[i] + tokens, vc, true) ? bit & ~n->room[1] : 0;
}

torus_inline void router_add_tokens(struct torus_domain *d, const struct torus_event *ev)
{
	const struct R(machine) *m = d->machine;
	struct router_node *n = router_node(d, ev->node);
	u32 dir = TORUS_EV_DIR(ev->what);
	u32 vc = TORUS_EV_VC(ev->what);
	u32 i = dir * R_VCS + vc;

	if (torus_unlikely(m->unblocking))
		router_note_return(d, n, i, vc, TORUS_EV_TOKENS(ev->what));
	n->tokens[i] = (R_COUNT)(n->tokens[i] + TORUS_EV_TOKENS(ev->what));
	router_tokens_changed(m, n, i, vc);
	router_touch(d, n, ev->node);
}

torus_inline void router_on_token(struct torus_domain *d, const struct torus_event *ev)
{
	u32 dir = TORUS_EV_DIR(ev->what);

	if (torus_unlikely(router_node(d, ev->node)->slow >> dir & 1))
		torus_link_later(d, ev, dir);
	else
		router_add_tokens(d, ev);
}

/*
 * "There is a dedicated bus between each receiver and its corresponding reception
 * FIFO", and one to the high-priority FIFO.
 */
torus_inline u32 router_reception_bus(u32 r, bool priority)
{
	return 1u << ((TORUS_RULE(reception_buses) ? r : 0) +
		      (priority && TORUS_RULE(reception_priority_bus) ? 16 : 0));
}

torus_inline void router_on_received(struct torus_domain *d, const struct torus_event *ev)
{
	struct router_node *n = router_node(d, ev->node);
	u32 slot = TORUS_EV_SLOT(ev->what);
	struct torus_packet *p = torus_packet_at(d, ev->pkt);

	n->sink_busy &= ~router_reception_bus(slot / R_VCS, R_priority(p));
	router_touch(d, n, ev->node);
	/* a deposited copy has used the bus only: its packet is still in the buffer, or gone on */
	if (torus_likely(!(ev->what & TORUS_EV_SLOW)))
		router_port_free(d, n, ev->node, slot, TORUS_EV_TOKENS(ev->what));
	if (torus_unlikely(p->flags & TORUS_PACKET_USER || d->hand_over)) {
		d->received[d->nreceived++] = *ev;
		return;
	}
	torus_tally_deliver(d, ev->node, p);
	torus_packet_free(d, ev->pkt);
}

/* A packet has been received, or space has freed up; or a control packet has been sent. */
static void router_on_control(struct torus_domain *d, const struct torus_event *ev)
{
	struct router_node *n = router_node(d, ev->node);
	u32 slot = TORUS_EV_SLOT(ev->what), dir = TORUS_EV_DIR(ev->what);

	if (!(ev->what & TORUS_EV_SLOW)) {
		if (TORUS_EV_VC(ev->what))
			n->owing_ack |= (u8)(1u << TORUS_REVERSE(dir));
		router_owe(d, n, ev->node, slot, TORUS_EV_TOKENS(ev->what));
		return;
	}
	if (!(n->slow >> dir & 1))
		n->link |= R_VC_MASK << (dir * R_VCS);
	else
		torus_link_later(d, ev, dir);
	router_touch(d, n, ev->node);
}

static void router_rare(struct torus_domain *d, const struct torus_event *ev)
{
	switch (TORUS_EV_KIND(ev->what)) {
	case TORUS_EV_SOURCE: {
		struct router_node *n = router_node(d, ev->node);

		n->refill |= ~R_VC_SLOT_MASK;
		router_touch(d, n, ev->node);
		break;
	}
	case TORUS_EV_READY: {
		struct router_node *n = router_node(d, ev->node);

		router_touch(d, n, ev->node);
		router_port_free(d, n, ev->node, TORUS_EV_SLOT(ev->what), 0);
		break;
	}
	case TORUS_EV_CONTROL:
		router_on_control(d, ev);
		break;
	case TORUS_EV_LINK:
	case TORUS_EV_FAULT:
		torus_link_later(d, ev, TORUS_EV_DIR(ev->what));
		break;
	}
}

/* What happens to live links in this tick, in its order (link_order.c). */
static void router_links(struct torus_domain *d)
{
	u32 i;

	torus_link_sort(d);
	for (i = 0; i < d->nlater; i++) {
		const struct torus_event *ev = &d->later[i].ev;
		u32 slot = TORUS_EV_SLOT(ev->what), dir = TORUS_EV_DIR(ev->what);

		switch (TORUS_EV_KIND(ev->what)) {
		case TORUS_EV_HEAD:
			if (torus_link_receive(d, ev->node, slot / R_VCS, ev->pkt))
				router_join(d, ev);
			break;
		case TORUS_EV_DONE:
		case TORUS_EV_CONTROL:
			if (torus_link_free(d, ev->node, dir))
				router_node(d, ev->node)->link |= R_VC_MASK << (dir * R_VCS);
			break;
		case TORUS_EV_TOKEN:
			if (!torus_link_token(d, ev))
				router_add_tokens(d, ev);
			break;
		case TORUS_EV_LINK:
			torus_link_event(d, ev);
			break;
		case TORUS_EV_FAULT:
			torus_fault_fire(d, ev);
			break;
		}
	}
	d->nlater = 0;
}

torus_inline void router_apply(struct torus_domain *d, const struct torus_event *ev)
{
	switch (TORUS_EV_KIND(ev->what)) {
	case TORUS_EV_HEAD:
		router_on_head(d, ev);
		break;
	case TORUS_EV_DONE:
		router_on_done(d, ev);
		break;
	case TORUS_EV_TOKEN:
		router_on_token(d, ev);
		break;
	case TORUS_EV_RECEIVED:
		router_on_received(d, ev);
		break;
	default:
		router_rare(d, ev);
	}
}

/* Distances in events at which a node, then its packet, are fetched ahead. */
#define R_AHEAD_NODE	10
#define R_AHEAD_PACKET	4
#define R_AHEAD_ARBITRATE 3

/* The packet that an event will touch, TORUS_NONE if none. */
torus_inline u32 router_event_packet(struct torus_domain *d, const struct torus_event *ev)
{
	u32 kind = TORUS_EV_KIND(ev->what);

	if (kind == TORUS_EV_DONE)
		return router_node(d, ev->node)->q[TORUS_EV_SLOT(ev->what)].head;
	return kind <= TORUS_EV_RECEIVED ? ev->pkt : TORUS_NONE;
}

static void router_events(struct torus_domain *d, u64 now)
{
	struct torus_block *blk, *next;

	for (blk = torus_wheel_take(&d->wheel, now); blk; blk = next) {
		u32 i, n = blk->n;

		next = blk->next;
		for (i = 0; i < n && i < R_AHEAD_NODE; i++)
			router_prefetch(d, blk->ev[i].node, TORUS_EV_SLOT(blk->ev[i].what));
		for (i = 0; i < n; i++) {
			const struct torus_event *ev = &blk->ev[i];

			if (i + R_AHEAD_NODE < n) {
				const struct torus_event *a = &blk->ev[i + R_AHEAD_NODE];

				router_prefetch(d, a->node, TORUS_EV_SLOT(a->what));
			}
			if (i + R_AHEAD_PACKET < n) {
				u32 pkt = router_event_packet(d, &blk->ev[i + R_AHEAD_PACKET]);

				if (pkt != TORUS_NONE)
					torus_prefetch(torus_packet_at(d, pkt));
			}
			if (torus_unlikely(ev->residue)) {
				torus_wheel_push(&d->wheel, now + ev->residue, *ev);
				d->tally.events--;
				continue;
			}
			router_apply(d, ev);
		}
		d->tally.events += n;
		torus_wheel_put(&d->wheel, blk);
	}
}

/* ---------------------------------------------- second phase: arbitration */

/*
 * What arbitration decided, carried out a few nodes later, when the packets and
 * counters that it fetched ahead are there.
 */
struct router_grant {
	u32 node;
	u8 slot;
	u8 dir;
	u8 vc;
	u8 spare;
};

#define R_GRANTS	32

struct router_grants {
	u32 n;
	struct router_grant list[R_GRANTS + R_DIRS];
};

torus_inline u32 *router_hot(struct torus_domain *d, u32 node, u32 dir)
{
	return d->hot + ((size_t)(node - d->first) * R_DIRS + dir) * R_HOT;
}

/* Send a packet to link @dir, VC @vc: the request of slot @slot has won. */
torus_inline void router_carry_out(struct torus_domain *d, struct router_node *n, u32 node,
				   u32 slot, u32 dir, u32 vc)
{
	const struct R(machine) *m = d->machine;
	u32 pkt = n->q[slot].head;
	struct torus_packet *p = torus_packet_at(d, pkt);
	u32 held = router_held(m, p, slot);
	u32 wire = R_wire_ticks(m, p);
	u32 i = dir * R_VCS + vc;
	u32 peer = n->peer[dir];
	u64 now = d->now;
	u32 *hot = router_hot(d, node, dir);

	router_pop(n, slot, p);
	n->port_busy |= R_BIT(slot);
	n->link &= ~(R_VC_MASK << (dir * R_VCS));
	n->tokens[i] = (R_COUNT)(n->tokens[i] - R_tokens(m, p, vc));
	router_tokens_changed(m, n, i, vc);
	hot[vc]++;
	hot[R_VCS + vc] += p->chunks;
	d->tally.grants++;
	d->tally.payload_bytes += R_payload(p);

	R_depart(m, n, p, dir);
	p->hops++;
	p->flags &= (u8)~TORUS_PACKET_NOTOKEN;
	torus_watch(d, TORUS_WATCH_HOP, node, dir, vc, p);

	torus_wheel_push(&d->wheel, now + wire, (struct torus_event){
		.node = node, .pkt = TORUS_NONE,
		.what = TORUS_EV(TORUS_EV_DONE, slot, dir, 0, held),
	});
	if (slot < R_VC_SLOTS) {
		u32 r = slot / R_VCS;

		if (++n->bus[r] >= R_BUSES(m))
			n->no_bus |= (R_SLOTS_T)R_VC_MASK << (r * R_VCS);
		if (torus_likely(held))
			router_return_tokens(d, n, node, slot, held, now + wire);
	}
	if (torus_unlikely(n->slow >> dir & 1)) {
		torus_link_send(d, node, dir, i, peer, pkt);
		return;
	}
	if (torus_unlikely(p->body != TORUS_NONE || d->f->crc_full))
		torus_link_crc(d, node, dir, p, false);
	/* virtual cut-through: its tail need not have come */
	torus_send_packet(d, now + m->timing.latency + R_far(m, n, dir) +
			  (TORUS_RULE(cut_through) ? 0 : wire), (struct torus_event){
		.node = peer, .pkt = pkt,
		.what = TORUS_EV(TORUS_EV_HEAD, i, 0, 0, 0),
	});
}

/*
 * "A bit in the header may be set that causes a packet to be broadcast down any
 * Cartesian dimension and deposited at each node": a copy goes over the
 * receiver's bus to its reception FIFO, and the packet may go on at once.
 */
static void router_deposit(struct torus_domain *d, struct router_node *n, u32 node, u32 slot)
{
	const struct R(machine) *m = d->machine;
	u32 copy = torus_packet_clone(d, n->q[slot].head);
	struct torus_packet *p;

	n->deposit &= ~R_BIT(slot);
	if (copy == TORUS_NONE)
		return;
	p = torus_packet_at(d, copy);
	torus_tally_deposit(d, node, p);
	torus_wheel_push(&d->wheel, d->now + R_receive_ticks(m, p), (struct torus_event){
		.node = node, .pkt = copy,
		.what = TORUS_EV(TORUS_EV_RECEIVED, slot, 0, 0, 0) | TORUS_EV_SLOW,
	});
}

/* Nobody here takes the copy: the packet goes on without. */
static void router_no_deposit(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			      u32 reason)
{
	n->deposit &= ~R_BIT(slot);
	d->tally.deposits++;
	d->tally.dropped[reason]++;
	torus_watch(d, TORUS_WATCH_DROP, node, 0, 0, torus_packet_at(d, n->q[slot].head));
}

/* Packets that have arrived go to their reception FIFOs, each receiver over its own two buses. */
torus_inline void router_receive(struct torus_domain *d, struct router_node *n, u32 node)
{
	const struct R(machine) *m = d->machine;
	R_SLOTS_T cand = n->ready & (n->local | n->deposit) & R_VC_SLOT_MASK;

	while (cand) {
		u32 slot = torus_ctz(cand), best = slot, drop;
		u32 r = slot / R_VCS, bus, held;
		struct torus_packet *p = torus_packet_at(d, n->q[slot].head);
		bool priority = R_priority(p);
		u32 pkt;

		cand &= cand - 1;
		bus = router_reception_bus(r, priority);
		if (n->sink_busy & bus)
			continue;
		/* its tail will tell that it must go no further */
		if (torus_unlikely(p->flags & TORUS_PACKET_INVALID))
			continue;
		/* the fullest of the receiver's VCs that ask for the same FIFO */
		if (cand >> (r * R_VCS) & R_VC_MASK) {
			R_SLOTS_T others = cand & ((R_SLOTS_T)R_VC_MASK << (r * R_VCS));

			for (; others; others &= others - 1) {
				u32 s = torus_ctz(others);

				const struct torus_packet *o = torus_packet_at(d, n->q[s].head);

				if (n->full[s] > n->full[best] && !!R_priority(o) == priority &&
				    !(o->flags & TORUS_PACKET_INVALID))
					best = s;
			}
			p = torus_packet_at(d, n->q[best].head);
		}
		if (torus_unlikely(p->flags & TORUS_PACKET_USER) &&
		    !torus_nic_admit(d, node, p, R_receive_fifo(p, best), &drop)) {
			/* whatever comes up behind it is looked at in the next tick */
			cand &= ~R_BIT(best);
			if (drop != TORUS_DROP_MAX && n->deposit & R_BIT(best))
				router_no_deposit(d, n, node, best, drop);
			else if (drop != TORUS_DROP_MAX)
				router_drop(d, n, node, best, drop);
			continue;
		}
		if (torus_unlikely(d->processors) && !(p->flags & TORUS_PACKET_USER) &&
		    !torus_processor_admit(d, node, p, R_receive_fifo(p, best)))
			continue;
		cand &= ~R_BIT(best);
		n->sink_busy |= bus;
		if (torus_unlikely(n->deposit & R_BIT(best))) {
			router_deposit(d, n, node, best);
			continue;
		}
		pkt = n->q[best].head;
		held = router_held(m, p, best);
		/* the last node of a broadcast gets the packet itself */
		if (torus_unlikely(p->flags & TORUS_PACKET_DEPOSIT))
			torus_tally_claim(d, node, p);
		router_pop(n, best, p);
		n->port_busy |= R_BIT(best);
		torus_wheel_push(&d->wheel, d->now + R_receive_ticks(m, p), (struct torus_event){
			.node = node, .pkt = pkt,
			.what = TORUS_EV(TORUS_EV_RECEIVED, best, 0, 0, held),
		});
		if (held)
			router_return_tokens(d, n, node, best, held,
					     d->now + R_receive_ticks(m, p));
	}
}

/* The slots of the network that want a link which is free now, by direction. */
torus_inline R_MASK router_wanted(const struct router_node *n)
{
	R_MASK wanted = 0;
	u32 i;

	for (i = 0; i < R_DIRS; i++)
		if (n->want_dir[i] & n->ready & R_VC_SLOT_MASK)
			wanted |= R_VC_MASK << (i * R_VCS);
	return wanted;
}

/*
 * The slots that leave their receiver's last free bus alone, of two or more: a
 * priority packet beside them waits for its link.  Else they could take every bus
 * while the link is busy, and others the link while there is no bus, for ever; so
 * it waits for one packet until a bus is kept for it, and for one more on the link.
 */
torus_inline R_SLOTS_T router_kept_bus(const struct R(machine) *m, const struct router_node *n)
{
	R_SLOTS_T high = n->ready & ~n->local & ~n->deposit & R_PRIORITY_SLOTS & R_VC_SLOT_MASK;
	R_SLOTS_T kept = 0;

	for (; high; high &= high - 1) {
		u32 slot = torus_ctz(high), r = slot / R_VCS;
		R_MASK room = n->room[!(n->cont >> slot & 1)];

		if (n->want[slot] & room && R_BUSES(m) > 1 && n->bus[r] + 1u >= R_BUSES(m))
			kept |= ((R_SLOTS_T)R_VC_MASK << (r * R_VCS)) & ~R_BIT(slot);
	}
	return kept;
}

/* Why a head that wants a free link got nothing. */
torus_inline void router_stall(struct router_node *n, u32 slot, R_SLOTS_T no_bus)
{
	R_MASK free = n->want[slot] & n->link;
	u32 dir = torus_ctz(free) / R_VCS;
	u32 why = TORUS_STALL_TOKEN;

	if (no_bus & R_BIT(slot))
		why = TORUS_STALL_BUS;
	else if (free & n->room[0] & ~n->room[1])
		why = TORUS_STALL_BUBBLE;
	n->stall[dir][why]++;
}

/* The best of a receiver, or an injection FIFO's head, is presented to its link. */
torus_inline void router_request(const struct R(machine) *m, const struct R(pass) *pass,
				 struct router_node *n, u64 *best, u64 winner)
{
	u32 dir = (u32)(winner & 0xff) / R_VCS;

	if (!winner)
		return;
	winner = R_key_output(m, pass, n, winner);
	n->stall[dir][TORUS_STALL_LOST] += best[dir] != 0;
	best[dir] = winner > best[dir] ? winner : best[dir];
}

/*
 * "Eight-byte acknowledgment (ack-only) packets or combined token-acknowledgment
 * (token-ack) packets are returned"; "the senders give highest priority" to them.
 * What has come up while a link was busy goes in one.
 */
static void router_control(struct torus_domain *d, struct router_node *n, u32 node)
{
	const struct R(machine) *m = d->machine;
	u32 dir, vc;

	for (dir = 0; dir < R_DIRS; dir++) {
		u32 from = TORUS_REVERSE(dir), bit = 1u << dir;
		u64 told = d->now + m->timing.ack_delay + R_far(m, n, dir);
		bool slow = n->slow & bit;

		if (!(n->owing & bit) || (slow ? !torus_link_idle(d, node, dir) :
					  !(n->link >> (dir * R_VCS) & 1)))
			continue;
		n->owing &= (u8)~bit;
		n->controls[dir]++;
		n->link &= ~(R_VC_MASK << (dir * R_VCS));
		if (slow)
			torus_link_occupy(d, node, dir);
		torus_wheel_push(&d->wheel, d->now + R_CONTROL_TICKS, (struct torus_event){
			.node = node, .pkt = TORUS_NONE,
			.what = TORUS_EV(TORUS_EV_CONTROL, 0, dir, 0, 0) | TORUS_EV_SLOW,
		});
		for (vc = 0; vc < R_VCS; vc++) {
			u32 i = from * R_VCS + vc;

			if (!n->owed[i])
				continue;
			torus_send_event(d, told, (struct torus_event){
				.node = n->peer[dir], .pkt = TORUS_NONE,
				.what = TORUS_EV(TORUS_EV_TOKEN, 0, from, vc, n->owed[i]),
			});
			n->owed[i] = 0;
		}
		if (n->owing_ack & bit)
			torus_link_acknowledge(d, node, from, told);
		n->owing_ack &= (u8)~bit;
	}
}

/*
 * "A one-cycle gap in the arbitration pipeline of the receivers could occur when
 * all possible outgoing links and VCs were busy", which lets injection sneak in: a
 * head that found them so misses the cycle in which one is free again.
 */
static R_SLOTS_T router_gap(struct torus_domain *d, struct router_node *n, u32 node, R_MASK link)
{
	R_SLOTS_T heads = n->ready & ~n->local & R_VC_SLOT_MASK, busy = 0, missed;

	for (missed = heads; missed; missed &= missed - 1) {
		u32 slot = torus_ctz(missed);

		if (!(n->want[slot] & link & n->room[!(n->cont & R_BIT(slot))]))
			busy |= R_BIT(slot);
	}
	missed = n->all_busy & heads & ~busy;
	n->all_busy = busy;
	if (missed)
		router_again(d, n, node, d->now + 1);
	return missed;
}

/*
 * "The bypass channel allows packets, under appropriate circumstances, to flow
 * through a node without entering the VC buffers": in the tick in which they come,
 * when nothing of their VC waits before them.  Others, and those that are not served
 * in that tick, are written into their VC buffers before they can be read again.
 */
static void router_enter_buffers(struct torus_domain *d, struct router_node *n, u32 node,
				 R_SLOTS_T slots)
{
	const struct R(machine) *m = d->machine;
	u32 i;

	for (slots &= n->ready; slots; slots &= slots - 1) {
		u32 slot = torus_ctz(slots);
		R_SLOTS_T bit = R_BIT(slot);

		/* a broadcast whose copy has been made is not routed anew */
		if (R_deposit(torus_packet_at(d, n->q[slot].head)))
			continue;
		n->ready &= ~bit;
		n->local &= ~bit;
		n->cont &= ~bit;
		for (i = 0; i < R_DIRS; i++)
			n->want_dir[i] &= ~bit;
		n->port_busy |= bit;
		torus_wheel_push(&d->wheel, d->now + m->vc_delay, (struct torus_event){
			.node = node, .pkt = TORUS_NONE,
			.what = TORUS_EV(TORUS_EV_READY, slot, 0, 0, 0),
		});
	}
}

/* The bypass of receivers that have none now, or whose VCs are too full. */
static void router_close_bypass(struct torus_domain *d, struct router_node *n, u32 node)
{
	const struct R(machine) *m = d->machine;
	R_SLOTS_T closed = 0, came;

	for (came = n->bypass; came; came &= came - 1) {
		u32 slot = torus_ctz(came);
		const struct torus_packet *p = torus_packet_at(d, n->q[slot].head);

		if (n->bypass_mode == R_BYPASS_OFF ||
		    !R_bypass_open(m, n, node, slot, router_held(m, p, slot)))
			closed |= R_BIT(slot);
	}
	n->bypass &= ~closed;
	if (m->vc_delay)
		router_enter_buffers(d, n, node, closed);
}

/* Return: the slots that won a link. */
static R_SLOTS_T router_arbitrate_links(struct torus_domain *d, struct router_node *n, u32 node,
					struct router_grants *grants)
{
	const struct R(machine) *m = d->machine;
	/* strict injection is not for high priority */
	const R_SLOTS_T open = R_VC_SLOT_MASK |
			       (TORUS_RULE(priority_injection) ? R_PRIORITY_SLOTS : 0);
	R_SLOTS_T cand = 0, won = 0, gap = 0, no_bus = n->no_bus;
	u64 best[R_DIRS] = { 0 };
	R_MASK link, asked = 0, closed = 0;
	struct R(pass) pass;
	u32 i, last = ~0u;
	u64 winner = 0;

	link = n->link;
	if (torus_unlikely(m->gap) && TORUS_RULE(arbiter_gap))
		gap = router_gap(d, n, node, link);
	if (!link)
		return 0;
#pragma GCC unroll 8
	for (i = 0; i < R_DIRS; i++)
		cand |= n->want_dir[i] & -(R_SLOTS_T)(link >> (i * R_VCS) & 1);
	cand &= n->ready & ~n->deposit & ~gap;
	if (!cand)
		return 0;

	pass = R_pass(m, n);
	if (m->strict_injection && TORUS_RULE(strict_injection) && (cand & ~R_VC_SLOT_MASK))
		closed = router_wanted(n);
	if (torus_unlikely(n->ready & R_PRIORITY_SLOTS) && TORUS_RULE(priority_bus))
		no_bus |= router_kept_bus(m, n);

	/*
	 * First phase: each head picks what to ask for.  Second phase: the best of
	 * each receiver.  Third phase: the best of each link.
	 */
	do {
		u32 slot = torus_ctz(cand);
		R_SLOTS_T bit = R_BIT(slot);
		R_MASK mask = n->want[slot] & link & n->room[!(n->cont & bit)];
		u32 random, choice, port;
		u64 key;

		cand &= cand - 1;
		if (!(open & bit))
			mask &= ~closed;
		if (!mask || (no_bus & bit)) {
			router_stall(n, slot, no_bus);
			continue;
		}
		random = router_spread(pass.random, slot);
		choice = R_choose(m, n, mask, random);
		asked |= R_VC_MASK << (choice / R_VCS * R_VCS);
		port = slot < R_VC_SLOTS ? slot / R_VCS : slot;
		if (port != last) {
			router_request(m, &pass, n, best, winner);
			winner = 0;
			last = port;
		}
		key = R_key_input(m, &pass, n, slot, choice, random);
		winner = key > winner ? key : winner;
	} while (cand);
	router_request(m, &pass, n, best, winner);
	if (!asked)
		return 0;
	cand = 0;
	for (i = 0; i < R_DIRS; i++) {
		if (best[i]) {
			u32 slot = best[i] >> 8 & 0xff;

			won |= R_BIT(slot);
			torus_prefetch(torus_packet_at(d, n->q[slot].head));
			torus_prefetch(router_hot(d, node, i));
			grants->list[grants->n++] = (struct router_grant){
				.node = node, .slot = (u8)slot, .dir = (u8)i,
				.vc = (u8)((best[i] & 0xff) % R_VCS),
			};
		} else if (link >> (i * R_VCS) & 1) {
			cand |= n->want_dir[i];
		}
	}
	/* Links are still free and wanted: the hardware arbitrates again in the next cycle. */
	if (cand & n->ready & ~won)
		router_again(d, n, node, d->now + 1);
	return won;
}

/*
 * "The fraction of time in which a token-ack is returned that frees at least one
 * previously blocked packet to move": one that waited when the tick began, with no
 * room in any VC that it wants.  Where nobody is blocked there is nothing to free: the
 * returns to a node where somebody is are counted by themselves.
 */
static void router_count_unblocking(struct torus_domain *d, struct router_node *n)
{
	R_SLOTS_T waiting = n->waited & n->ready;
	R_MASK freeing = 0;
	bool blocked = false;

	for (; waiting; waiting &= waiting - 1) {
		u32 slot = torus_ctz(waiting);
		bool enter = !(n->cont & R_BIT(slot));
		R_MASK opened = n->opened[enter];

		if (n->want[slot] & n->room[enter] & ~opened && TORUS_RULE(unblocks_blocked))
			continue;
		blocked = true;
		freeing |= n->want[slot] & opened;
	}
	d->tally.token_needed += blocked ? n->returned : 0;
	d->tally.token_unblocks += torus_popcount(freeing);
	n->opened[0] = 0;
	n->opened[1] = 0;
	n->returned = 0;
}

static void router_arbitrate(struct torus_domain *d, struct router_node *n, u32 node,
			     struct router_grants *grants)
{
	const struct R(machine) *m = d->machine;
	R_SLOTS_T won, fresh;

	if (torus_unlikely(m->unblocking) && n->returned)
		router_count_unblocking(d, n);
	if (torus_unlikely(n->refill)) {
		if (d->sources)
			torus_source_refill(d, node);
		if (d->f->nattached)
			torus_nic_refill(d, node);
		n->refill = 0;
	}
	for (fresh = n->bypass; fresh; fresh &= fresh - 1) {
		u32 slot = torus_ctz(fresh);

		/* it waits behind others: it is written into the buffer */
		if (n->q[slot].head != n->q[slot].tail)
			n->bypass &= ~R_BIT(slot);
	}
	if (torus_unlikely(n->bypass_mode != R_BYPASS_OPEN) && n->bypass)
		router_close_bypass(d, n, node);
	if (n->ready & (n->local | n->deposit))
		router_receive(d, n, node);
	if (torus_unlikely(n->owing) && TORUS_RULE(control_first))
		router_control(d, n, node);
	won = router_arbitrate_links(d, n, node, grants);
	if (torus_unlikely(n->owing) && !TORUS_RULE(control_first))
		router_control(d, n, node);
	if (torus_unlikely(m->vc_delay) && TORUS_RULE(bypass_missed))
		router_enter_buffers(d, n, node, n->bypass & ~won);
	n->bypass = 0;
	if (torus_unlikely(m->unblocking))
		n->waited = n->ready & ~n->local & ~won & R_VC_SLOT_MASK;
}

torus_inline u64 router_next(struct torus_domain *d)
{
	u64 next = torus_wheel_next(&d->wheel);

	return d->again_at < next ? d->again_at : next;
}

/* Hand over the packets that arrived in this tick, in an order that no event order can change. */
static void router_hand_over(struct torus_domain *d)
{
	struct torus_event *r = d->received;
	u32 i, j;

	for (i = 1; i < d->nreceived; i++) {
		struct torus_event ev = r[i];

		for (j = i; j && (r[j - 1].node > ev.node ||
				  (r[j - 1].node == ev.node &&
				   TORUS_EV_SLOT(r[j - 1].what) > TORUS_EV_SLOT(ev.what))); j--)
			r[j] = r[j - 1];
		r[j] = ev;
	}
	for (i = 0; i < d->nreceived; i++) {
		u32 slot = TORUS_EV_SLOT(r[i].what);
		struct torus_packet *p = torus_packet_at(d, r[i].pkt);

		if (p->flags & TORUS_PACKET_USER)
			torus_nic_receive(d, r[i].node, r[i].pkt, R_receive_fifo(p, slot));
		else
			torus_workload_receive(d, r[i].node, r[i].pkt, R_receive_fifo(p, slot));
	}
	d->nreceived = 0;
}

static void router_flush(struct torus_domain *d, struct router_grants *grants)
{
	u32 i;

	for (i = 0; i < grants->n; i++) {
		const struct router_grant *g = &grants->list[i];

		router_carry_out(d, router_node(d, g->node), g->node, g->slot, g->dir, g->vc);
	}
	grants->n = 0;
}

static void router_run(struct torus_domain *d, u64 until)
{
	struct router_grants grants;

	grants.n = 0;
	for (;;) {
		u64 now = router_next(d);
		u32 i, n;

		if (now >= until)
			break;
		d->now = now;
		d->wheel.now = now;
		n = 0;
		if (d->again_at == now) {
			for (i = 0; i < d->nagain; i++) {
				struct router_node *node = router_node(d, d->again[i]);

				node->touched &= (u8)~TORUS_AGAIN;
				router_touch(d, node, d->again[i]);
			}
			d->nagain = 0;
			d->again_at = ~0ull;
		}
		router_events(d, now);
		if (torus_unlikely(d->nlater))
			router_links(d);
		if (torus_unlikely(d->nreceived))
			router_hand_over(d);
		n = d->ntouched;
		for (i = 0; i < n; i++) {
			struct router_node *node = router_node(d, d->touched[i]);

			if (i + R_AHEAD_ARBITRATE < n)
				router_prefetch_arbitration(d, d->touched[i + R_AHEAD_ARBITRATE]);
			node->touched &= (u8)~TORUS_TOUCHED;
			router_arbitrate(d, node, d->touched[i], &grants);
			if (grants.n >= R_GRANTS)
				router_flush(d, &grants);
		}
		router_flush(d, &grants);
		/* a drop during arbitration touches its node anew */
		for (i = n; i < d->ntouched; i++) {
			struct router_node *node = router_node(d, d->touched[i]);

			node->touched &= (u8)~TORUS_TOUCHED;
			router_again(d, node, d->touched[i], now + 1);
		}
		d->ntouched = 0;
		if (torus_unlikely(!torus_tick_done(d, now)))
			break;
	}
}
