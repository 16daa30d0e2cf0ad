/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transfers: what arbitration has decided is carried out, over links and to reception
 * FIFOs.  Included by router.h.
 */

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
	return d->hot + ((size_t)node * R_DIRS + dir) * R_HOT;
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

	torus_wheel_push_short(&d->wheel, TORUS_LANE_DONE, now + wire, (struct torus_short){
		.node = node, .queue = (u8)slot, .dir = (u8)dir, .tokens = (u16)held,
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
	torus_send_head(d, now + m->timing.latency + R_far(m, n, dir), (struct torus_event){
		.kind = TORUS_EV_HEAD, .node = peer, .pkt = pkt, .queue = (u8)i,
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
		.kind = TORUS_EV_COPIED, .node = node, .pkt = copy, .queue = (u8)slot,
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
			.kind = TORUS_EV_RECEIVED, .node = node, .pkt = pkt, .queue = (u8)best,
		});
		if (held)
			router_return_tokens(d, n, node, best, held,
					     d->now + R_receive_ticks(m, p));
	}
}
