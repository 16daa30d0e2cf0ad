/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of ops.h for the second stage (output_queues.h): count, find and remove packets in the
 * banks.
 */

/* Check whether a packet is INVALID and its last byte arrives in this tick. */
torus_inline bool router_ended(struct torus_domain *d, u32 pkt)
{
	const struct torus_packet *p = torus_packet_at(d, pkt);

	return p->flags & TORUS_PACKET_INVALID && p->tail_at == (u32)d->now;
}

/*
 * Find the first INVALID packet of a slot's queue whose last byte arrives in this tick.
 *
 * @before: [out] the packet before it in the queue, or TORUS_NONE. Return: the packet, or
 *   TORUS_NONE.
 */
static u32 router_find_ended(struct torus_domain *d, u32 head, u32 tail, u32 *before)
{
	u32 pkt;

	*before = TORUS_NONE;
	for (pkt = head; pkt != TORUS_NONE; pkt = torus_packet_at(d, pkt)->next) {
		if (router_ended(d, pkt))
			return pkt;
		if (pkt == tail)
			break;
		*before = pkt;
	}
	return TORUS_NONE;
}

#if ROUTER_STAGES == 2

static void router_stage_init(struct router_node *n)
{
	u32 output;

	for (output = 0; output < ROUTER_BANKS; output++)
		n->bank[output].head = TORUS_NONE;
}

static void router_stage_census(struct torus_domain *d, struct torus_check *c,
				const struct router_node *n)
{
	u32 output, pkt;

	for (output = 0; output < ROUTER_BANKS; output++)
		for (pkt = n->bank[output].head; pkt != TORUS_NONE;
		     pkt = torus_packet_at(d, pkt)->next)
			torus_check_packet(c, torus_packet_at(d, pkt));
}

/* Add the chunks in the banks of links to @chunks, by the VC on which the packets leave. */
static void router_stage_occupancy(const struct router_node *n, u64 *chunks)
{
	u32 output, queue;

	for (output = 0; output < ROUTER_DIRS; output++)
		for (queue = 0; queue < ROUTER_BANK; queue++)
			if (n->bank[output].full[queue])
				chunks[machine_stage_vc(output, queue)] +=
					n->bank[output].full[queue];
}

/*
 * Check whether a slot's head is blocked. It is not blocked if the queue of one of its alternatives
 * has space or will get space. A queue will get space if a packet is crossing to it or leaving it,
 * or if the VC of its head has tokens.
 */
static bool router_stage_blocked(struct torus_domain *d, const struct router_node *n, u32 slot)
{
	const machine_params_t *m = d->machine;
	const struct torus_packet *p = router_packet(d, n, slot);
	router_mask_t want = router_want(m, n, slot);

	for (; want; want &= want - 1) {
		u32 i = torus_ctz(want), out = i / ROUTER_VCS;
		u32 queue = machine_stage_queue(out, router_input_of(slot), i % ROUTER_VCS);
		const struct router_bank *b = &n->bank[out];
		const struct torus_packet *first;

		if (router_stage_room(m, n, out, queue, p) ||
		    !(router_bank_ready(b) >> queue & 1))
			return false;
		first = torus_packet_at(d, router_queue_from(d, b->head, queue));
		if (router_stage_may_leave(m, n, out, i % ROUTER_VCS, first))
			return false;
	}
	return true;
}

/*
 * Find a packet that came through the input of a slot and waits in the second stage; TORUS_NONE if
 * there is none.
 */
static u32 router_stage_waits(struct torus_domain *d, const struct router_node *n, u32 slot)
{
	u32 output, vc;

	for (output = 0; output < ROUTER_BANKS; output++)
		for (vc = 0; vc < ROUTER_VCS; vc++) {
			u32 queue = machine_stage_queue(output, router_input_of(slot), vc);

			if (queue != ROUTER_NO_QUEUE && n->bank[output].waiting >> queue & 1)
				return router_queue_from(d, n->bank[output].head, queue);
		}
	return TORUS_NONE;
}

/* Drop the packets in a queue. */
static void router_queue_flush(struct torus_domain *d, struct router_node *n, u32 node, u32 output,
			       u32 queue, u32 reason)
{
	struct router_bank *b = &n->bank[output];
	struct router_place at;

	while (b->waiting & ROUTER_QUEUE_BIT(queue)) {
		struct torus_packet *p;

		router_bank_head(d, b, queue, &at);
		p = router_bank_remove(d, b, &at);
		b->full[queue] = (router_count_t)(b->full[queue] - p->chunks);
		torus_stats_drop(d, node, at.pkt, reason);
	}
}

/* Drop the packets in the bank of a link. */
static void router_stage_discard_link(struct torus_domain *d, struct router_node *n, u32 node,
				      u32 dir)
{
	u32 queue;

	for (queue = 0; queue < ROUTER_BANK; queue++)
		router_queue_flush(d, n, node, dir, queue, TORUS_DROP_LINK_DEAD);
}

/* Drop the packets in all queues of a slot's input. */
static void router_stage_flush(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			       u32 reason)
{
	u32 output, vc;

	for (output = 0; output < ROUTER_BANKS; output++)
		for (vc = 0; vc < ROUTER_VCS; vc++) {
			u32 queue = machine_stage_queue(output, router_input_of(slot), vc);

			if (queue != ROUTER_NO_QUEUE)
				router_queue_flush(d, n, node, output, queue, reason);
		}
}

/* Find the INVALID packet of a queue whose last byte arrives in this tick. */
static bool router_queue_ended(struct torus_domain *d, const struct router_bank *b, u32 queue,
			       struct router_place *place)
{
	u32 pkt, before = TORUS_NONE;

	for (pkt = b->head; pkt != TORUS_NONE; before = pkt, pkt = torus_packet_at(d, pkt)->next) {
		if (torus_packet_at(d, pkt)->slot != queue || !router_ended(d, pkt))
			continue;
		place->pkt = pkt;
		place->before = before;
		return true;
	}
	return false;
}

/* Discard a damaged packet, whose tail has arrived, if the packet is in the second stage. */
static bool router_stage_discard(struct torus_domain *d, struct router_node *n, u32 node, u32 slot)
{
	u32 output, vc;

	for (output = 0; output < ROUTER_DIRS; output++)
		for (vc = 0; vc < ROUTER_VCS; vc++) {
			u32 queue = machine_stage_queue(output, router_input_of(slot), vc);
			struct router_bank *b = &n->bank[output];
			struct router_place place;
			struct torus_packet *p;

			if (queue == ROUTER_NO_QUEUE || !router_queue_ended(d, b, queue, &place))
				continue;
			p = router_bank_remove(d, b, &place);
			b->full[queue] = (router_count_t)(b->full[queue] - p->chunks);
			router_touch(d, n, node);
			torus_packet_free(d, place.pkt);
			return true;
		}
	return false;
}

#else /* one stage: no banks */

torus_inline void router_stage_init(struct router_node *n)
{
}

torus_inline void router_stage_census(struct torus_domain *d, struct torus_check *c,
				      const struct router_node *n)
{
}

torus_inline void router_stage_occupancy(const struct router_node *n, u64 *chunks)
{
}

torus_inline u32 router_stage_waits(struct torus_domain *d, const struct router_node *n, u32 slot)
{
	return TORUS_NONE;
}

torus_inline void router_stage_flush(struct torus_domain *d, struct router_node *n, u32 node,
				     u32 slot, u32 reason)
{
}

torus_inline void router_stage_discard_link(struct torus_domain *d, struct router_node *n, u32 node,
					    u32 dir)
{
}

torus_inline bool router_stage_discard(struct torus_domain *d, struct router_node *n, u32 node,
				       u32 slot)
{
	return false;
}

torus_inline bool router_stage_blocked(struct torus_domain *d, const struct router_node *n,
				       u32 slot)
{
	router_mask_t want = router_want(d->machine, n, slot);

	return want && !(want & router_room(n, slot));
}

#endif
