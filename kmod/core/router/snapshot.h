/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A node of the router in a snapshot.  Included by ops.h, after the other operations.
 *
 * Not in the file: constants of the node, masks that follow from token counts, requests or queues,
 * and the mask of the bypass, which lasts one tick.  Each value that is read is checked against
 * what the hot loop relies on: a ready slot has a head packet, a head packet requests existing
 * alternatives, no packet waits for a link that does not exist.  verify.h checks the node against
 * its events.
 */
#ifndef TORUS_CORE_ROUTER_SNAPSHOT_H
#define TORUS_CORE_ROUTER_SNAPSHOT_H

#include "core/state/snapshot_events.h"

/* Check whether a link leads to the receiver of a slot, or the slot is an injection slot. */
torus_inline bool router_slot_fed(const struct router_node *n, u32 slot)
{
	return slot >= ROUTER_LINK_SLOTS || router_reverse_peer(n, slot / ROUTER_VCS) != TORUS_NONE;
}

torus_inline bool router_has_link(const struct router_node *n, u32 dir)
{
	return dir < ROUTER_DIRS && n->peer[dir] != TORUS_NONE;
}

/* Check whether the link is live over which packets that travel in direction @dir reach a node. */
static bool router_comes_live(const struct torus_domain *d, u32 node, u32 dir)
{
	u32 from = d->links ? torus_link_from(d->f, node, dir) : TORUS_NONE;

	return from != TORUS_NONE && d->links[(size_t)from * d->f->dirs + dir].live;
}

#if ROUTER_COLD
/*
 * Check that each due control packet has a link, and that each due acknowledgement is for a live
 * link.
 */
static void router_snapshot_owed(struct torus_snapshot *snap, const struct torus_domain *d,
				 const struct router_node *n, u32 node)
{
#if ROUTER_CONTROL
	const struct router_cold *cold = router_cold(d->machine, node);
	u32 i;

	for (i = 0; i < ROUTER_DIRS; i++) {
		torus_snapshot_check(snap, !(cold->owing >> i & 1) || router_has_link(n, i),
				     "a message in direction", i);
		if (cold->owing_ack >> i & 1)
			torus_snapshot_check(snap, router_has_link(n, i) &&
					     router_comes_live(d, node, TORUS_REVERSE(i)),
					     "an acknowledgement in direction", i);
	}
#endif
}
#endif

/* Write or read the members of the options. */
static void router_snapshot_options(struct torus_snapshot *snap, struct torus_domain *d,
				    struct router_node *n, u32 node)
{
#if ROUTER_PORTS
	u32 i;
#endif

#if ROUTER_BUBBLE
	SNAPSHOT_FIELD(snap, n->cont);
#endif
#if ROUTER_BUSES
	SNAPSHOT_FIELD(snap, n->no_bus);
	SNAPSHOT_FIELD(snap, n->bus);
#endif
#if ROUTER_DEPOSIT
	SNAPSHOT_FIELD(snap, n->deposit);
#endif
#if ROUTER_ROUND_ROBIN
	SNAPSHOT_FIELD(snap, n->last_input);
	SNAPSHOT_FIELD(snap, n->last_output);
#endif
#if ROUTER_PORTS
	SNAPSHOT_FIELD(snap, n->last_port);
	for (i = 0; i < ROUTER_PORTS; i++)
		torus_snapshot_check(snap, n->last_port[i] < ROUTER_SLOTS, "last slot of a port =",
				     n->last_port[i]);
#endif
#if ROUTER_COLD
	if (machine_cold(d->machine)) {
		torus_snapshot_bytes(snap, router_cold(d->machine, node), ROUTER_COLD_BYTES);
		router_snapshot_owed(snap, d, n, node);
	}
#endif
}

#if ROUTER_STAGES == 2
/* Write or read the mask of queues that transfer, which has 64 bits in the file. */
static void router_snapshot_bank_busy(struct torus_snapshot *snap, struct router_bank *b)
{
	u64 busy = b->busy;

	SNAPSHOT_FIELD(snap, busy);
	if (ROUTER_BANK < 64)
		torus_snapshot_check(snap, !(busy >> (ROUTER_BANK & 63)),
				     "mask of queues that transfer =", busy);
	b->busy = (router_queues_t)busy;
}

static void router_snapshot_banks(struct torus_snapshot *snap, struct torus_domain *d,
				  struct router_node *n, u32 node)
{
	struct router_bank_queue q[ROUTER_BANK];
	u32 i, j;

	SNAPSHOT_FIELD(snap, n->crossing);
	if (snap->reading)
		router_due_again(n);
	for (i = 0; i < ROUTER_BANKS; i++) {
		struct router_bank *b = &n->bank[i];

		router_snapshot_bank_busy(snap, b);
		SNAPSHOT_FIELD(snap, b->full);
		router_bank_split(d, b, q);
		for (j = 0; j < ROUTER_BANK; j++) {
			torus_snapshot_packets(snap, d, node, &q[j].head, &q[j].tail);
			torus_snapshot_check(snap, q[j].head == TORUS_NONE || i == ROUTER_PORT ||
					     router_has_link(n, i), "packets for a missing link in "
								    "direction", i);
		}
		router_bank_unite(d, b, q);
	}
}
#endif

/*
 * Check that a slot's head wants existing alternatives, and set the slot's bits in the masks of
 * requests. The bits of a slot that is not ready are not read, with one exception: with
 * ONE_ALTERNATIVE the next head uses its old direction to clear the old request.
 */
static bool router_restore_want(struct torus_domain *d, struct router_node *n, u32 slot)
{
	router_slots_t bit = ROUTER_BIT(slot);
	u64 way = n->want[slot];
	router_mask_t want;
	u32 i;

	if (ROUTER_WAYS && way >= ROUTER_WAY_END)
		return false;
	want = router_want(d->machine, n, slot);
	if (want & ~n->exists)
		return false;
	for (i = 0; i < ROUTER_DIRS; i++)
		n->want_dir[i] |= want & ROUTER_DIR_BITS(i) ? bit : 0;
	n->local |= want ? 0 : bit;
	if (!(n->ready >> slot & 1))
		return true;
#if ROUTER_STAGES == 2
	for (i = 0; i < ROUTER_LINK_SLOTS; i++)
		if (want >> i & 1 && machine_stage_queue(i / ROUTER_VCS, router_input_of(slot),
							 i % ROUTER_VCS) == ROUTER_NO_QUEUE)
			return false;
	if (!want && machine_stage_queue(ROUTER_PORT, router_input_of(slot),
					 router_slot_vc(slot)) == ROUTER_NO_QUEUE)
		return false;
#endif
	return n->q[slot].head != TORUS_NONE;
}

/* Set the masks of requests, which follow from the requests of the slots. */
static void router_restore_wants(struct torus_snapshot *snap, struct torus_domain *d,
				 struct router_node *n)
{
	u32 i;

	memset(n->want_dir, 0, sizeof(n->want_dir));
	n->local = 0;
	for (i = 0; torus_snapshot_ok(snap) && i < ROUTER_SLOTS; i++)
		torus_snapshot_check(snap, router_restore_want(d, n, i), "wrong request of slot",
				     i);
}

static void router_snapshot_slots(struct torus_snapshot *snap, struct torus_domain *d,
				  struct router_node *n, u32 node)
{
	u32 i;

	for (i = 0; i < ROUTER_SLOTS; i++) {
		torus_snapshot_packets(snap, d, node, &n->q[i].head, &n->q[i].tail);
		torus_snapshot_check(snap, n->q[i].head == TORUS_NONE || router_slot_fed(n, i),
				     "wrong number of packets in slot", i);
	}
	if (snap->reading)
		router_restore_wants(snap, d, n);
}

/*
 * Validate masks and counts that have been read: only existing links and slots, tokens within the
 * capacity.
 */
static void router_snapshot_check(struct torus_snapshot *snap, struct torus_domain *d,
				  struct router_node *n)
{
	const machine_params_t *m = d->machine;
	u32 i;

	torus_snapshot_check(snap, !(n->link & ~n->exists), "mask of a node's free links =",
			     n->link);
	torus_snapshot_check(snap, n->rng, "random stream of a node =", n->rng);
	if (ROUTER_SLOTS < 8 * sizeof(n->ready))
		torus_snapshot_check(snap,
				     !(n->ready >> (ROUTER_SLOTS & (8 * sizeof(n->ready) - 1))),
				     "mask of ready slots =", n->ready);
	for (i = 0; i < ROUTER_DIRS; i++)
		torus_snapshot_check(snap, !(n->link & ROUTER_DIR_BITS(i)) ||
				     (n->link & ROUTER_DIR_BITS(i)) == ROUTER_DIR_BITS(i),
				     "wrong number of free VCs of direction", i);
	for (i = 0; i < ROUTER_LINK_SLOTS; i++) {
		if (!torus_snapshot_check(snap, n->tokens[i] <= (n->exists >> i & 1 ?
				machine_capacity(m, i % ROUTER_VCS) : 0), "number of tokens =",
						 n->tokens[i]))
			return;
		if (n->exists >> i & 1)
			router_tokens_changed(m, n, i, i % ROUTER_VCS);
	}
}

/*
 * Write or read the flags. The set of live links is known: torus_links_snapshot() has written or
 * read it before.
 */
static void router_snapshot_flags(struct torus_snapshot *snap, struct torus_domain *d,
				  struct router_node *n, u32 node)
{
	bool waits = n->touched & ROUTER_WAITS, again = n->touched & TORUS_AGAIN;
	router_dirs_t slow = n->slow;

	SNAPSHOT_FIELD(snap, slow);
	torus_snapshot_check(snap, slow == n->slow, "mask of live links =", slow);
	torus_snapshot_flag(snap, &waits);
	torus_snapshot_flag(snap, &again);
	if (!snap->reading)
		return;
	n->touched &= ROUTER_LIVE | ROUTER_EAGER;
	n->touched |= waits ? ROUTER_WAITS : 0;
	if (again)
		router_again(d, n, node, d->f->clock);
}

static void router_op_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node)
{
	struct router_node *n = router_node(d, node);

	router_snapshot_flags(snap, d, n, node);
	SNAPSHOT_FIELD(snap, n->link);
	SNAPSHOT_FIELD(snap, n->ready);
	SNAPSHOT_FIELD(snap, n->refill);
	SNAPSHOT_FIELD(snap, n->port_busy);
	SNAPSHOT_FIELD(snap, n->sink_busy);
	SNAPSHOT_FIELD(snap, n->want);
	SNAPSHOT_FIELD(snap, n->rng);
	SNAPSHOT_FIELD(snap, n->stall);
	SNAPSHOT_FIELD(snap, n->tokens);
	SNAPSHOT_FIELD(snap, n->full);
	if (snap->reading)
		router_snapshot_check(snap, d, n);
	router_snapshot_options(snap, d, n, node);
	router_snapshot_slots(snap, d, n, node);
#if ROUTER_STAGES == 2
	router_snapshot_banks(snap, d, n, node);
#endif
}

/* Check an event that only the sender of a live link at the event's node can have. */
static enum torus_event_load router_link_load(struct torus_fabric *f, const struct router_node *n,
					      const struct torus_event *ev)
{
	return f->links && router_has_link(n, ev->dir) && n->slow >> ev->dir & 1 &&
	       ev->vc < ROUTER_VCS ? TORUS_EVENT_BARE : TORUS_EVENT_INVALID;
}

/* Check that an event's tokens belong to an existing buffer and do not exceed its capacity. */
static bool router_tokens_right(const struct torus_domain *d, const struct router_node *n,
				const struct torus_event *ev)
{
	return router_has_link(n, ev->dir) && ev->vc < ROUTER_VCS &&
	       ev->tokens <= machine_capacity(d->machine, ev->vc);
}

/*
 * Check an event of a packet that arrives over a link. An INVALID packet was damaged on an earlier
 * link, so this link need not be live.
 */
static enum torus_event_load router_head_load(const struct torus_domain *d,
					      const struct router_node *n,
					      const struct torus_event *ev,
					      enum torus_event_load load)
{
	if (ev->queue >= ROUTER_LINK_SLOTS || !router_slot_fed(n, ev->queue))
		return TORUS_EVENT_INVALID;
	return ev->kind != TORUS_EV_LINK_HEAD ||
	       router_comes_live(d, ev->node, ev->queue / ROUTER_VCS) ? load : TORUS_EVENT_INVALID;
}

/* Check the end of a transfer out of a slot or bank. */
static bool router_done_right(const struct router_node *n, const struct torus_event *ev)
{
#if ROUTER_STAGES == 2
	return ev->queue < ROUTER_BANK && ev->bank < ROUTER_BANKS &&
	       (ev->kind != TORUS_EV_DONE || router_has_link(n, ev->dir));
#else
	return ev->queue < ROUTER_SLOTS && router_slot_fed(n, ev->queue) &&
	       (ev->kind != TORUS_EV_DONE || router_has_link(n, ev->dir));
#endif
}

static bool router_control_right(struct torus_domain *d, const struct router_node *n,
				 const struct torus_event *ev)
{
	if (!router_controls(d->machine))
		return false;
	if (ev->kind == TORUS_EV_CONTROL_SENT)
		return router_has_link(n, ev->dir);
	if (ev->queue >= ROUTER_LINK_SLOTS || !router_slot_fed(n, ev->queue))
		return false;
	return ev->kind != TORUS_EV_CONTROL_ACK || (ev->dir == ev->queue / ROUTER_VCS &&
						    router_comes_live(d, ev->node, ev->dir));
}

/* Classify an event for a snapshot, and check that the event is possible. */
static u32 router_op_event(struct torus_fabric *f, const struct torus_event *ev)
{
	struct torus_domain *d = torus_domain_of(f, ev->node);
	const struct router_node *n = router_node(d, ev->node);

	switch (ev->kind) {
	case TORUS_EV_HEAD:
	case TORUS_EV_LINK_HEAD:
		return router_head_load(d, n, ev, TORUS_EVENT_PACKET);
	case TORUS_EV_LINK_TAIL:
		return f->links && ev->queue / ROUTER_VCS == ev->dir ?
		       router_head_load(d, n, ev, TORUS_EVENT_TAIL) : TORUS_EVENT_INVALID;
	case TORUS_EV_RECEIVED:
		return router_done_right(n, ev) ? TORUS_EVENT_PACKET : TORUS_EVENT_INVALID;
	case TORUS_EV_COPIED:
		return ROUTER_DEPOSIT && router_done_right(n, ev) ? TORUS_EVENT_PACKET :
								    TORUS_EVENT_INVALID;
	case TORUS_EV_DONE:
		return router_done_right(n, ev) ? TORUS_EVENT_BARE : TORUS_EVENT_INVALID;
#if ROUTER_STAGES == 2
	case TORUS_EV_STAGE_HEAD:
		return ev->queue < ROUTER_BANK && (ev->bank == ROUTER_PORT ||
		       router_has_link(n, ev->bank)) ? TORUS_EVENT_PACKET : TORUS_EVENT_INVALID;
	case TORUS_EV_STAGE_DONE:
		return ev->queue < ROUTER_SLOTS && router_slot_fed(n, ev->queue) ?
		       TORUS_EVENT_BARE : TORUS_EVENT_INVALID;
#endif
	case TORUS_EV_TOKEN:
		return router_tokens_right(d, n, ev) ? TORUS_EVENT_BARE : TORUS_EVENT_INVALID;
	case TORUS_EV_TOKEN_SURE:
	case TORUS_EV_LINK_TOKEN:
		return router_tokens_right(d, n, ev) ? router_link_load(f, n, ev) :
						       TORUS_EVENT_INVALID;
	case TORUS_EV_SOURCE:
		return TORUS_EVENT_BARE;
	case TORUS_EV_READY:
		return ev->queue < ROUTER_SLOTS ? TORUS_EVENT_BARE : TORUS_EVENT_INVALID;
	case TORUS_EV_CONTROL_OWED:
	case TORUS_EV_CONTROL_ACK:
	case TORUS_EV_CONTROL_SENT:
		return router_control_right(d, n, ev) ? TORUS_EVENT_BARE : TORUS_EVENT_INVALID;
	case TORUS_EV_LINK_ACK:
	case TORUS_EV_LINK_NACK:
	case TORUS_EV_LINK_TIMER:
	case TORUS_EV_LINK_SENT:
		return router_link_load(f, n, ev);
	case TORUS_EV_FAULT_BEGIN:
	case TORUS_EV_FAULT_END:
		return TORUS_EVENT_RECREATED;
	default:
		return TORUS_EVENT_INVALID;
	}
}

/* Add the position of @pkt in a queue to @place. Return: true if the packet is in the queue. */
static bool router_place(struct torus_domain *d, u32 head, u32 tail, u32 pkt, u32 *place)
{
	u32 i;

	for (i = head; i != TORUS_NONE; ++*place, i = i == tail ? TORUS_NONE :
						      torus_packet_at(d, i)->next)
		if (i == pkt)
			return true;
	return false;
}

#if ROUTER_STAGES == 2
/* Add the position of @pkt in a bank's queue to @place. Return: true if it is in the queue. */
static bool router_place_in_bank(struct torus_domain *d, const struct router_bank *b, u32 queue,
				 u32 pkt, u32 *place)
{
	u32 i;

	for (i = router_queue_from(d, b->head, queue); i != TORUS_NONE; ++*place,
	     i = router_queue_from(d, torus_packet_at(d, i)->next, queue))
		if (i == pkt)
			return true;
	return false;
}
#endif

/*
 * Find the position of @pkt: first in the slot of its tail event, then in the banks. Return
 * TORUS_NONE if @pkt is not found.
 */
static u32 router_tail_place(struct torus_domain *d, const struct torus_event *ev, u32 pkt)
{
	const struct router_node *n = router_node(d, ev->node);
	u32 place = 0;

	if (router_place(d, n->q[ev->queue].head, n->q[ev->queue].tail, pkt, &place))
		return place;
#if ROUTER_STAGES == 2
	{
		u32 i, j;

		for (i = 0; i < ROUTER_DIRS; i++)
			for (j = 0; j < ROUTER_BANK; j++)
				if (router_place_in_bank(d, &n->bank[i], j, pkt, &place))
					return place;
	}
#endif
	return TORUS_NONE;
}

/*
 * Write or read the position of a packet whose last byte is still to arrive. If the packet is in no
 * slot or bank, write TORUS_NONE: its index may be free or belong to another packet.
 */
static void router_op_snapshot_tail(struct torus_snapshot *snap, struct torus_domain *d,
				    const struct torus_snapshot_event *tail, u32 *pkt)
{
	u32 place = TORUS_NONE;

	if (!snap->reading) {
		const struct torus_packet *p = torus_packet_at(d, *pkt);

		if (p->flags & TORUS_PACKET_INVALID && p->tail_at == (u32)tail->at)
			place = router_tail_place(d, &tail->ev, *pkt);
	}
	SNAPSHOT_FIELD(snap, place);
	if (snap->reading)
		*pkt = place;
}

#endif
