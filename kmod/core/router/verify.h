/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Check a restored node against its events. Included after snapshot.h.
 *
 * A transfer is recorded twice: a mask of the node marks a read port, link or reception bus as
 * busy, and an event ends the transfer. Each mask must equal the union of the events, and each
 * transfer must have exactly one event. Therefore at most one packet is received over each bus at a
 * time, and the domain's list of packets received in a tick cannot overflow.
 */
#ifndef TORUS_ROUTER_VERIFY_H
#define TORUS_ROUTER_VERIFY_H

#include "core/router/tails.h"

/**
 * struct router_seen - transfers that a node's events imply
 * @ports: slots whose read port transfers
 * @crossing: all slots of each input from which a packet is crossing to a bank
 * @sinks: reception buses in use
 * @leaving: chunks that leave a slot, by slot
 * @bus: transfer buses in use, by receiver
 * @busy: queues whose read port transfers, by bank
 * @full: chunks of packets that are crossing to a queue or leaving it, by queue
 */
struct router_seen {
	router_slots_t ports;
	router_slots_t crossing;
	router_sinks_t sinks;
	u16 leaving[ROUTER_SLOTS];
	u8 bus[ROUTER_DIRS];
#if ROUTER_STAGES == 2
	u64 busy[ROUTER_BANKS];
	u16 full[ROUTER_BANKS][ROUTER_BANK];
#endif
};

/* Maximum ticks that a transfer within a node or onto a link can take. */
static u64 router_longest(const struct torus_domain *d)
{
	const machine_params_t *m = d->machine;
	struct torus_packet p = { .chunks = (u8)d->f->arch->packet_chunks_max };
	u64 ticks = (u64)machine_wire_ticks(m, &p) + machine_receive_ticks(m, &p);

#if ROUTER_STAGES == 2
	ticks += (u64)machine_stage_ticks(m, &p) + machine_stage_latency(m);
#endif
#if ROUTER_BYPASS
	ticks += machine_buffer_ticks(m);
#endif
#if ROUTER_CONTROL
	ticks += machine_control_ticks(m);
#endif
	return ticks + d->f->overhead_ticks;
}

/* Maximum ticks that a packet or message takes to a neighbour after the longest transfer. */
static u64 router_farthest(struct torus_domain *d, u32 node)
{
	const struct router_node *n = router_node(d, node);
	const machine_params_t *m = d->machine;
	u64 far = 0, one;
	u32 dir;

	for (dir = 0; dir < d->f->dirs; dir++) {
		one = router_has_link(n, dir) ? machine_far(m, n, dir) : 0;
		far = one > far ? one : far;
	}
	return (u64)m->timing.latency + m->timing.ack_delay + far;
}

/* Check that an event is not later than its transfer, timer or message can last. */
static bool router_in_time(struct torus_domain *d, u32 node, const struct torus_snapshot_event *one)
{
	u64 ahead = one->at - d->f->clock, ticks = router_longest(d);

	switch (one->ev.kind) {
	case TORUS_EV_SOURCE:
		return true;
	case TORUS_EV_LINK_HEAD:
		ticks += TORUS_DELAY_MAX;
		break;
	case TORUS_EV_LINK_TIMER:
	case TORUS_EV_LINK_TOKEN:
		ticks += (u64)((const machine_params_t *)d->machine)->timing.timeout +
			 TORUS_DELAY_MAX;
		break;
	}
	return ahead <= ticks + router_farthest(d, node);
}

/* Set @bit in @mask. If an earlier event has set it, reject the snapshot. */
#define ROUTER_ONCE(snap, mask, bit, what, value)			\
do {									\
	torus_snapshot_check(snap, !((mask) & (bit)), what, value);	\
	(mask) |= (bit);						\
} while (0)

/* Record the transmission of a packet or control packet. */
static void router_saw_sending(struct torus_snapshot *snap, const struct torus_event *ev,
			       struct torus_moving *moving)
{
	ROUTER_ONCE(snap, moving->sending, 1u << ev->dir, "a second transmission in direction",
		    ev->dir);
}

/* Record the reception of a packet over a bus. */
static void router_saw_reception(struct torus_snapshot *snap, struct torus_domain *d,
				 const struct torus_event *ev, struct router_seen *seen,
				 struct torus_moving *moving)
{
	const struct torus_packet *p = torus_packet_at(d, ev->pkt);
	u32 fifo = machine_deliver(p, ev->queue);

	torus_snapshot_check(snap, !(p->flags & TORUS_PACKET_INVALID),
			     "flags of a received packet =", p->flags);
	if (torus_snapshot_check(snap, fifo < TORUS_RECEIVE_MAX, "a packet for reception FIFO",
				 fifo))
		moving->coming[fifo] += p->chunks;
#if ROUTER_STAGES == 2
	torus_snapshot_check(snap, ev->bank == ROUTER_PORT, "a packet received from bank",
			     ev->bank);
	ROUTER_ONCE(snap, seen->sinks, 1, "a second packet received in queue", ev->queue);
	ROUTER_ONCE(snap, seen->busy[ROUTER_PORT], 1ull << ev->queue, "a second packet of queue",
		    ev->queue);
	if (!ROUTER_FREE_ON_START)
		torus_check_add(&seen->full[ROUTER_PORT][ev->queue], p->chunks);
#else
	if (!torus_snapshot_check(snap, ev->queue < ROUTER_LINK_SLOTS &&
				  (ev->kind != TORUS_EV_RECEIVED ||
				   ev->dir == router_reception_port(p)),
				  "a packet received from slot", ev->queue))
		return;
	ROUTER_ONCE(snap, seen->sinks, router_reception_bus(p, ev->queue / ROUTER_VCS),
		    "a second packet on the bus of slot", ev->queue);
	if (ev->kind == TORUS_EV_COPIED)
		return;
	ROUTER_ONCE(snap, seen->ports, ROUTER_BIT(ev->queue), "a second packet of slot", ev->queue);
	torus_check_add(&seen->leaving[ev->queue], router_held(d->machine, p, ev->queue));
#endif
}

/* Record a packet that leaves over a link. */
static void router_saw_done(struct torus_snapshot *snap, const struct torus_event *ev,
			    struct router_seen *seen, struct torus_moving *moving)
{
	router_saw_sending(snap, ev, moving);
#if ROUTER_STAGES == 2
	ROUTER_ONCE(snap, seen->busy[ev->bank], 1ull << ev->queue, "a second packet of queue",
		    ev->queue);
	if (!ROUTER_FREE_ON_START)
		torus_check_add(&seen->full[ev->bank][ev->queue], ev->tokens);
#else
	ROUTER_ONCE(snap, seen->ports, ROUTER_BIT(ev->queue), "a second packet of slot", ev->queue);
	torus_check_add(&seen->leaving[ev->queue], ev->tokens);
	if (ev->queue < ROUTER_LINK_SLOTS)
		seen->bus[ev->queue / ROUTER_VCS]++;
#endif
}

#if ROUTER_STAGES == 2
static void router_saw_stage(struct torus_snapshot *snap, struct torus_domain *d,
			     const struct torus_event *ev, struct router_seen *seen)
{
	const struct torus_packet *p;

	if (ev->kind == TORUS_EV_STAGE_HEAD) {
		p = torus_packet_at(d, ev->pkt);
		torus_snapshot_check(snap, ev->bank != ROUTER_PORT ||
				     !(p->flags & TORUS_PACKET_INVALID),
				     "flags of a packet for the port =", p->flags);
		torus_check_add(&seen->full[ev->bank][ev->queue], p->chunks);
		return;
	}
	ROUTER_ONCE(snap, seen->crossing, router_input_bits(ev->queue),
		    "a second packet crosses the switch from slot", ev->queue);
	ROUTER_ONCE(snap, seen->ports, ROUTER_BIT(ev->queue), "a second packet of slot", ev->queue);
	torus_check_add(&seen->leaving[ev->queue], ev->tokens);
}
#endif

static void router_saw(struct torus_snapshot *snap, struct torus_domain *d,
		       const struct torus_event *ev, struct router_seen *seen,
		       struct torus_moving *moving)
{
	switch (ev->kind) {
	case TORUS_EV_RECEIVED:
	case TORUS_EV_COPIED:
		router_saw_reception(snap, d, ev, seen, moving);
		break;
	case TORUS_EV_DONE:
		router_saw_done(snap, ev, seen, moving);
		break;
	case TORUS_EV_LINK_SENT:
	case TORUS_EV_CONTROL_SENT:
		router_saw_sending(snap, ev, moving);
		break;
	case TORUS_EV_READY:
		ROUTER_ONCE(snap, seen->ports, ROUTER_BIT(ev->queue), "a second packet of slot",
			    ev->queue);
		break;
#if ROUTER_STAGES == 2
	case TORUS_EV_STAGE_HEAD:
	case TORUS_EV_STAGE_DONE:
		router_saw_stage(snap, d, ev, seen);
		break;
#endif
	}
}

/* Check a slot: it must be ready exactly if it has a head and a free read port. */
static void router_verify_slot(struct torus_snapshot *snap, struct torus_domain *d,
			       const struct router_node *n, u32 slot,
			       const struct router_seen *seen)
{
	bool head = n->q[slot].head != TORUS_NONE, busy = seen->ports >> slot & 1;
	u16 held = seen->leaving[slot];
	u32 pkt;

	torus_snapshot_check(snap, (n->ready >> slot & 1) == (head && !busy),
			     "wrong readiness of slot", slot);
	for (pkt = n->q[slot].head; pkt != TORUS_NONE;
	     pkt = pkt == n->q[slot].tail ? TORUS_NONE : torus_packet_at(d, pkt)->next) {
		const struct torus_packet *p = torus_packet_at(d, pkt);

		torus_check_add(&held, router_held(d->machine, p, slot));
		torus_snapshot_check(snap, slot < ROUTER_LINK_SLOTS ||
				     !(p->flags & TORUS_PACKET_INVALID),
				     "flags of a packet in an injection slot =", p->flags);
	}
	torus_snapshot_check(snap, n->full[slot] == held && held <= (slot < ROUTER_LINK_SLOTS ?
			    machine_capacity(d->machine, slot % ROUTER_VCS) :
			    d->f->arch->fifo_chunks), "wrong number of chunks in slot", slot);
#if ROUTER_DEPOSIT
	torus_snapshot_check(snap, !(n->deposit >> slot & 1) ||
			     (n->ready >> slot & 1 && slot < ROUTER_LINK_SLOTS &&
			      machine_deposit(torus_packet_at(d, n->q[slot].head))),
			     "a deposit from slot", slot);
#endif
}

/*
 * Check a link: it is free if nothing is being sent. A live link may be busy for other reasons, see
 * link/verify.c.
 */
static void router_verify_link(struct torus_snapshot *snap, struct torus_domain *d,
			       const struct router_node *n, u32 dir,
			       const struct router_seen *seen, struct torus_moving *moving)
{
	bool free = (n->link & ROUTER_DIR_BITS(dir)) != 0;

	moving->granted |= (u32)free << dir;
	if (!(n->slow >> dir & 1))
		torus_snapshot_check(snap, free == (router_has_link(n, dir) &&
						    !(moving->sending >> dir & 1)),
				     "a free link in direction", dir);
#if ROUTER_BUSES
	torus_snapshot_check(snap, n->bus[dir] == seen->bus[dir] &&
			     (n->no_bus & ROUTER_PORT_BITS(dir)) ==
			     (seen->bus[dir] >= machine_buses(d->machine) ?
			      ROUTER_PORT_BITS(dir) : 0), "wrong number of buses of direction",
					       dir);
#endif
}

#if ROUTER_STAGES == 2
static void router_verify_bank(struct torus_snapshot *snap, struct torus_domain *d,
			       const struct router_node *n, u32 output, struct router_seen *seen)
{
	const struct router_bank *b = &n->bank[output];
	u32 i, pkt;

	for (pkt = b->head; pkt != TORUS_NONE; pkt = torus_packet_at(d, pkt)->next) {
		const struct torus_packet *p = torus_packet_at(d, pkt);

		torus_check_add(&seen->full[output][p->slot], p->chunks);
		torus_snapshot_check(snap, output != ROUTER_PORT ||
				     !(p->flags & TORUS_PACKET_INVALID),
				     "flags of a packet for the port =", p->flags);
	}
	for (i = 0; i < ROUTER_BANK; i++)
		torus_snapshot_check(snap, b->full[i] == seen->full[output][i],
				     "wrong number of chunks in queue", i);
	torus_snapshot_check(snap, b->busy == seen->busy[output], "mask of queues that transfer =",
			     b->busy);
}
#endif

/* Check the masks of a node against its events. */
static void router_verify_masks(struct torus_snapshot *snap, struct torus_domain *d,
				const struct router_node *n, struct router_seen *seen,
				struct torus_moving *moving)
{
	u32 i;

	torus_snapshot_check(snap, n->port_busy == seen->ports, "mask of slots that transfer =",
			     n->port_busy);
	torus_snapshot_check(snap, n->sink_busy == seen->sinks, "mask of reception buses in use =",
			     n->sink_busy);
	for (i = 0; i < ROUTER_SLOTS && torus_snapshot_ok(snap); i++)
		router_verify_slot(snap, d, n, i, seen);
	for (i = 0; i < ROUTER_DIRS && torus_snapshot_ok(snap); i++)
		router_verify_link(snap, d, n, i, seen, moving);
#if ROUTER_STAGES == 2
	torus_snapshot_check(snap, n->crossing == seen->crossing, "mask of busy inputs =",
			     n->crossing);
	for (i = 0; i < ROUTER_BANKS && torus_snapshot_ok(snap); i++)
		router_verify_bank(snap, d, n, i, seen);
#endif
}

static void router_op_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			     struct torus_snapshot_events *events, struct torus_moving *moving)
{
	const struct router_node *n = router_node(d, node);
	struct router_seen seen = { 0 };
	size_t i;

	for (i = 0; i < events->count && torus_snapshot_ok(snap); i++) {
		const struct torus_snapshot_event *one = &events->list[i];

		torus_snapshot_check(snap, router_in_time(d, node, one), "tick of an event =",
				     one->at);
		router_saw(snap, d, &one->ev, &seen, moving);
	}
	if (torus_snapshot_ok(snap))
		router_verify_masks(snap, d, n, &seen, moving);
	if (torus_snapshot_ok(snap) && d->links)
		router_tails(snap, d, node, events);
}

#endif
