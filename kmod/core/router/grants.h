/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Execute the grants of arbitration: packets cross links or enter reception FIFOs. Included by
 * loop.h.
 */
#include "core/link/corruption.h"
#include "core/link/link.h"
#include "core/link/event_order.h"

/*
 * A grant of arbitration. It is executed a few nodes later, when the prefetched packets and
 * counters are in the cache.
 */
struct router_grant {
	u32 node;
	u8 slot;
	u8 dir;
	u8 vc;
	u8 spare;
};

#define ROUTER_GRANTS	32

struct router_grants {
	u32 n;
	struct router_grant list[ROUTER_GRANTS + ROUTER_DIRS];
};

/*
 * A bid: key in the high half, then a bit that is always 1, slot, alternative. The bid with the
 * greatest key is the greatest number, and 0 is no bid.
 */
#define ROUTER_BID(key, slot, choice)	((u64)(key) << 32 | 1u << 31 | (slot) << 8 | (choice))
#define ROUTER_BID_SLOT(bid)		((u32)(bid) >> 8 & 0xff)
#define ROUTER_BID_CHOICE(bid)		((u32)(bid) & 0xff)

/* Send a packet, which has left its queue, over link @dir on VC @vc. */
torus_inline void router_send(struct torus_domain *d, struct router_node *n, u32 node, u32 pkt,
			      struct torus_packet *p, u32 dir, u32 vc)
{
	const machine_params_t *m = d->machine;
	u32 i = dir * ROUTER_VCS + vc;
	u32 peer = n->peer[dir];
	u32 *hot = router_hot(d, node, dir);
	u64 head;

	n->link &= ~ROUTER_DIR_BITS(dir);
	n->tokens[i] = (router_count_t)(n->tokens[i] - machine_tokens(m, p, vc));
	router_tokens_changed(m, n, i, vc);
	hot[vc]++;
	hot[ROUTER_VCS + vc] += p->chunks;
	d->stats.begun[vc]++;
	d->stats.payload_bytes += machine_payload(m, p);

	machine_depart(d, n, p, dir);
	p->hops++;
	p->flags &= (u8)~TORUS_PACKET_NOTOKEN;
	torus_trace(d, TORUS_TRACE_HOP, node, dir, vc, p);

	if (torus_unlikely(n->slow >> dir & 1)) {
		torus_link_send(d, node, dir, i, peer, pkt);
		return;
	}
	if (torus_unlikely(p->body != TORUS_NONE || d->f->crc_full)) {
		if (torus_unlikely(!torus_pool_is_wide(&d->pool, pkt)))
			pkt = torus_packet_widen(d, pkt);
		if (pkt == TORUS_NONE)
			return;
		torus_link_crc(d, node, dir, pkt, false);
	}
	/* virtual cut-through: the packet's tail may still be on the previous link */
	head = d->now + m->timing.latency + machine_far(m, n, dir);
	/*
	 * set all members here: if the compiler zeroed the struct first, the copy into the list
	 * would stall
	 */
	torus_send_head(d, head, (struct torus_event){
		.kind = TORUS_EV_HEAD, .node = peer, .residue = 0, .pkt = pkt,
		.lane = TORUS_LANE_HEAD, .dir = 0, .queue = (u8)i,
	});
}

/* Defer an event of a live link until the other events of the tick are applied. */
static void router_later(struct torus_domain *d, enum torus_lane lane, const struct torus_short *s)
{
	struct torus_event ev = torus_short_event(lane, s);

	torus_link_later(d, &ev, ev.dir);
}

/* Process the end of a transmission: the link is free again. */
torus_inline void router_link_done(struct torus_domain *d, struct router_node *n,
				   const struct torus_short *ev)
{
	if (torus_likely(!(n->slow >> ev->dir & 1)))
		n->link |= ROUTER_DIR_BITS(ev->dir);
	else
		router_later(d, TORUS_LANE_DONE, ev);
}

/* Process the arrival of a packet's last byte in the node's memory. */
torus_inline void router_received(struct torus_domain *d, const struct torus_event *ev)
{
	struct torus_packet *p = torus_packet_at(d, ev->pkt);

	router_port_received(d, ev->node, p);
	if (router_handed_over(d, p, ev->queue)) {
		d->received[d->nreceived++] = *ev;
		return;
	}
	torus_stats_deliver(d, ev->node, p);
	torus_packet_free(d, ev->pkt);
}

#if ROUTER_STAGES == 1
/* Send the head packet of slot @slot, whose request has won link @dir, VC @vc. */
torus_inline void router_execute_grant(struct torus_domain *d, struct router_node *n, u32 node,
				       u32 slot, u32 dir, u32 vc)
{
	const machine_params_t *m = d->machine;
	u32 pkt = n->q[slot].head;
	struct torus_packet *p = torus_packet_at(d, pkt);
	u32 held = router_held(m, p, slot);

	router_pop(n, slot, p);
	n->port_busy |= ROUTER_BIT(slot);
	torus_wheel_push_short(&d->wheel, TORUS_LANE_DONE, d->now + machine_wire_ticks(m, p),
			       (struct torus_short){
		.node = node, .queue = (u8)slot, .dir = (u8)dir, .tokens = (u16)held,
	});
	if (slot < ROUTER_LINK_SLOTS)
		router_bus_take(m, n, slot);
	router_send(d, n, node, pkt, p, dir, vc);
}

/*
 * Find the fullest VC of the receiver, among @best and those @others whose head requests the same
 * bus and is not INVALID.
 */
torus_inline u32 router_fullest(struct torus_domain *d, const struct router_node *n, u32 best,
				router_slots_t others)
{
	const struct torus_packet *p = router_packet(d, n, best);

	for (; others; others &= others - 1) {
		u32 s = torus_ctz(others);
		const struct torus_packet *o = router_packet(d, n, s);

		if (n->full[s] > n->full[best] && router_same_bus(o, p) &&
		    !(o->flags & TORUS_PACKET_INVALID))
			best = s;
	}
	return best;
}

/* Begin to receive the head @p of a slot. */
torus_inline void router_take(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			      struct torus_packet *p)
{
	const machine_params_t *m = d->machine;
	u32 pkt = n->q[slot].head;

	router_deposit_last(d, node, p);
	router_pop(n, slot, p);
	n->port_busy |= ROUTER_BIT(slot);
	torus_wheel_push_whole(&d->wheel, TORUS_LANE_RECEIVED, d->now + machine_receive_ticks(m, p),
			       (struct torus_event){
		.kind = TORUS_EV_RECEIVED, .node = node, .pkt = pkt, .queue = (u8)slot,
		.dir = router_reception_port(p),
	});
}

/*
 * Receive the head @p of a slot, which has arrived, or a copy of it, over a free bus. Return: true
 * if the reception has begun; false if the packet or copy waits for space or was dropped.
 */
torus_inline bool router_receive_one(struct torus_domain *d, struct router_node *n, u32 node,
				     u32 slot, struct torus_packet *p, router_sinks_t bus)
{
	u32 drop;

	if (torus_unlikely(!router_admit(d, node, p, slot, &drop))) {
		if (drop != TORUS_DROP_MAX && router_deposits(n) >> slot & 1) {
			router_no_deposit(d, n, node, slot, drop);
		} else if (drop != TORUS_DROP_MAX) {
			router_bypass_missed(n, slot);
			router_drop(d, n, node, slot, drop);
		}
		return false;
	}
	n->sink_busy |= bus;
	if (torus_unlikely(router_deposits(n) >> slot & 1))
		router_deposit(d, n, node, slot);
	else
		router_take(d, n, node, slot, p);
	return true;
}

#if ROUTER_PORTS
/* Receive packets that have arrived, one per port; each port serves its slots round robin. */
torus_inline void router_receive(struct torus_domain *d, struct router_node *n, u32 node)
{
	router_slots_t asking[ROUTER_PORTS] = { 0 }, cand = n->ready & n->local & ROUTER_LINK_BITS;
	u32 port, ports = 0, slot;

	for (; cand; cand &= cand - 1) {
		struct torus_packet *p = router_packet(d, n, torus_ctz(cand));

		/* the tail of an INVALID packet will discard the packet */
		if (torus_unlikely(p->flags & TORUS_PACKET_INVALID))
			continue;
		port = machine_port(p);
		asking[port] |= cand & -cand;
		ports |= 1u << port;
	}
	for (ports &= ~n->sink_busy; ports; ports &= ports - 1) {
		bool taken = false;

		port = torus_ctz(ports);
		for (; asking[port] && !taken; asking[port] &= ~ROUTER_BIT(slot)) {
			slot = router_next_slot(asking[port], n->last_port[port]);
			taken = router_receive_one(d, n, node, slot, router_packet(d, n, slot),
						   (router_sinks_t)1 << port);
			if (taken)
				n->last_port[port] = (u8)slot;
		}
	}
}
#else
/* Receive packets that have arrived or leave a copy, each receiver over its own buses. */
torus_inline void router_receive(struct torus_domain *d, struct router_node *n, u32 node)
{
	router_slots_t cand = n->ready & (n->local | router_deposits(n)) & ROUTER_LINK_BITS;

	while (cand) {
		u32 slot = torus_ctz(cand), r = slot / ROUTER_VCS;
		struct torus_packet *p = router_packet(d, n, slot);
		router_sinks_t bus = router_reception_bus(p, r);
		bool user;

		cand &= cand - 1;
		if (n->sink_busy & bus)
			continue;
		/* the tail of an INVALID packet will discard the packet */
		if (torus_unlikely(p->flags & TORUS_PACKET_INVALID))
			continue;
		if (cand & ROUTER_PORT_BITS(r)) {
			slot = router_fullest(d, n, slot, cand & ROUTER_PORT_BITS(r));
			p = router_packet(d, n, slot);
		}
		/* after a user's packet, the slot's next head is processed in the next tick */
		user = p->flags & TORUS_PACKET_USER;
		if (router_receive_one(d, n, node, slot, p, bus) || user)
			cand &= ~ROUTER_BIT(slot);
	}
}
#endif
#endif
