/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Match restored tail events with their INVALID packets, by the packet's position.
 *
 * Each INVALID packet in a slot has exactly one tail event. A link transmits one packet at a time,
 * so the number of pending tails per direction is small, whatever delays faults add. The limit
 * ROUTER_TAILS_MAX keeps the time of the searches here and in the restored run linear. Included by
 * verify.h.
 */
#ifndef TORUS_ROUTER_TAILS_H
#define TORUS_ROUTER_TAILS_H

/* Maximum number of pending tails at a node, per direction. */
#define ROUTER_TAILS_MAX	64

/*
 * The tail events of one direction: their indices in the node's event list. TORUS_NONE replaces the
 * index of a tail that has been matched.
 */
struct router_tails {
	u32 n;
	u32 at[ROUTER_TAILS_MAX];
};

static void router_tails_find(struct torus_snapshot *snap,
			      const struct torus_snapshot_events *events,
			      u32 dir, struct router_tails *tails)
{
	size_t i;

	tails->n = 0;
	for (i = 0; i < events->count; i++) {
		const struct torus_event *ev = &events->list[i].ev;

		if (ev->kind != TORUS_EV_LINK_TAIL || ev->dir != dir)
			continue;
		if (!torus_snapshot_check(snap, tails->n < ROUTER_TAILS_MAX,
					  "too many packet tails from direction", dir))
			return;
		tails->at[tails->n++] = (u32)i;
	}
}

/*
 * Match the INVALID packet at position @place of @slot with its tail event. Return: true if a tail
 * was found.
 */
static bool router_tail_take(struct torus_domain *d, struct torus_snapshot_events *events,
			     struct router_tails *tails, u32 slot, u32 place, u32 pkt)
{
	u32 i;

	for (i = 0; i < tails->n; i++) {
		struct torus_snapshot_event *tail;

		if (tails->at[i] == TORUS_NONE)
			continue;
		tail = &events->list[tails->at[i]];
		if (tail->ev.queue != slot || tail->ev.pkt != place ||
		    (u32)tail->at != torus_packet_at(d, pkt)->tail_at)
			continue;
		tail->ev.pkt = pkt;
		tails->at[i] = TORUS_NONE;
		return true;
	}
	return false;
}

/*
 * Match the INVALID packets of a slot with their tail events. Return: number of packets in the
 * slot.
 */
static u32 router_tails_slot(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			     u32 slot,
			     struct torus_snapshot_events *events, struct router_tails *tails)
{
	const struct router_node *n = router_node(d, node);
	u32 pkt, place = 0;

	for (pkt = n->q[slot].head; pkt != TORUS_NONE; place++) {
		const struct torus_packet *p = torus_packet_at(d, pkt);

		if (p->flags & TORUS_PACKET_INVALID &&
		    !torus_snapshot_check(snap,
					  router_tail_take(d, events, tails, slot, place, pkt),
					  "an INVALID packet without a tail in slot", slot))
			break;
		pkt = pkt == n->q[slot].tail ? TORUS_NONE : p->next;
	}
	return place;
}

/*
 * Match the INVALID packets of all banks with their tail events. A position in the banks counts on
 * after the packets of the slot: @first has the number of these packets, by VC.
 */
static void router_tails_banks(struct torus_domain *d, u32 node, u32 dir,
			       struct torus_snapshot_events *events, struct router_tails *tails,
			       const u32 *first)
{
#if ROUTER_STAGES == 2
	const struct router_node *n = router_node(d, node);
	u32 i, j, vc, pkt, place = 0;

	for (i = 0; i < ROUTER_DIRS; i++)
		for (j = 0; j < ROUTER_BANK; j++)
			for (pkt = router_queue_from(d, n->bank[i].head, j); pkt != TORUS_NONE;
			     place++) {
				const struct torus_packet *p = torus_packet_at(d, pkt);

				for (vc = 0; p->flags & TORUS_PACKET_INVALID && vc < ROUTER_VCS;
				     vc++)
					if (router_tail_take(d, events, tails,
							     dir * ROUTER_VCS + vc,
							     first[vc] + place, pkt))
						break;
				pkt = router_queue_from(d, p->next, j);
			}
#endif
}

/*
 * Find the INVALID packet that is crossing from the receiver of @dir to a bank. It belongs to the
 * next tail event of that receiver, because the next packet arrives only after that tail.
 */
static const struct torus_snapshot_event *
router_crossing(struct torus_domain *d, u32 dir, const struct torus_snapshot_events *events)
{
#if ROUTER_STAGES == 2
	size_t i;
	u32 vc;

	for (i = 0; i < events->count; i++) {
		const struct torus_event *ev = &events->list[i].ev;

		if (ev->kind != TORUS_EV_STAGE_HEAD ||
		    !(torus_packet_at(d, ev->pkt)->flags & TORUS_PACKET_INVALID))
			continue;
		for (vc = 0; vc < ROUTER_VCS; vc++)
			if (ev->queue == machine_stage_queue(ev->bank, dir, vc))
				return &events->list[i];
	}
#endif
	return NULL;
}

/*
 * Find the packet for a tail event without a position: the packet that is crossing. If the packet
 * has left the node, return any free packet.
 */
static u32 router_tail_gone(struct torus_snapshot *snap, struct torus_domain *d,
			    const struct torus_snapshot_event *tail,
			    const struct torus_snapshot_event *crossing)
{
	u32 pkt;

	/*
	 * if the crossing ends after the tail's tick, the packet is not in its queue when the tail
	 * is applied
	 */
	if (crossing && crossing->at <= tail->at)
		return crossing->ev.pkt;
	pkt = torus_pool_get(&d->pool);
	if (pkt == TORUS_NONE) {
		torus_snapshot_no_memory(snap);
		return pkt;
	}
	memset(torus_packet_at(d, pkt), 0, sizeof(struct torus_packet));
	torus_pool_put(&d->pool, pkt);
	return pkt;
}

static void router_tails_dir(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 dir,
			     struct torus_snapshot_events *events)
{
	const struct torus_snapshot_event *crossing;
	struct router_tails tails;
	u32 first[ROUTER_VCS], vc, i;

	router_tails_find(snap, events, dir, &tails);
	for (vc = 0; vc < ROUTER_VCS && torus_snapshot_ok(snap); vc++)
		first[vc] = router_tails_slot(snap, d, node, dir * ROUTER_VCS + vc, events, &tails);
	if (!torus_snapshot_ok(snap) || !tails.n)
		return;
	router_tails_banks(d, node, dir, events, &tails, first);
	crossing = router_crossing(d, dir, events);
	for (i = 0; i < tails.n && torus_snapshot_ok(snap); i++) {
		struct torus_snapshot_event *tail;

		if (tails.at[i] == TORUS_NONE)
			continue;
		tail = &events->list[tails.at[i]];
		if (torus_snapshot_check(snap, tail->ev.pkt == TORUS_NONE, "index of a packet =",
					 tail->ev.pkt))
			tail->ev.pkt = router_tail_gone(snap, d, tail, crossing);
	}
}

/* Match each tail event of a node with its packet. */
static void router_tails(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			 struct torus_snapshot_events *events)
{
	u32 dir;

	for (dir = 0; dir < d->f->dirs && torus_snapshot_ok(snap); dir++)
		router_tails_dir(snap, d, node, dir, events);
}

#endif
