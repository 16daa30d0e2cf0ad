/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of ops.h for the second stage (output_queues.h): count, find and remove packets in the
 * banks.
 */

/*
 * Find the first INVALID packet of a queue whose last byte arrives in this tick.
 *
 * @before: [out] the packet before it in the queue, or TORUS_NONE. Return: the packet, or
 *   TORUS_NONE.
 */
static u32 router_find_ended(struct torus_domain *d, u32 head, u32 tail, u32 *before)
{
	u32 pkt;

	*before = TORUS_NONE;
	for (pkt = head; pkt != TORUS_NONE; pkt = torus_packet_at(d, pkt)->next) {
		const struct torus_packet *p = torus_packet_at(d, pkt);

		if (p->flags & TORUS_PACKET_INVALID && p->tail_at == (u32)d->now)
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
	u32 output, queue;

	for (output = 0; output < ROUTER_BANKS; output++)
		for (queue = 0; queue < ROUTER_BANK; queue++) {
			n->bank[output].q[queue].head = TORUS_NONE;
			n->bank[output].q[queue].tail = TORUS_NONE;
		}
}

static void router_stage_census(struct torus_domain *d, struct torus_check *c,
				const struct router_node *n)
{
	u32 output, queue, pkt;

	for (output = 0; output < ROUTER_BANKS; output++)
		for (queue = 0; queue < ROUTER_BANK; queue++)
			for (pkt = n->bank[output].q[queue].head; pkt != TORUS_NONE;) {
				const struct torus_packet *p = torus_packet_at(d, pkt);

				torus_check_packet(c, p);
				pkt = pkt == n->bank[output].q[queue].tail ? TORUS_NONE : p->next;
			}
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
	router_mask_t want = n->want[slot];

	for (; want; want &= want - 1) {
		u32 i = torus_ctz(want), out = i / ROUTER_VCS;
		u32 queue = machine_stage_queue(out, router_input_of(slot), i % ROUTER_VCS);
		const struct router_bank *b = &n->bank[out];

		if (router_stage_room(m, n, out, queue, p) || !(b->ready >> queue & 1) ||
		    router_stage_may_leave(m, n, out, i % ROUTER_VCS,
					   torus_packet_at(d, b->q[queue].head)))
			return false;
	}
	return true;
}

/*
 * Find a packet that came through the input of a slot and waits in the second stage; TORUS_NONE if
 * there is none.
 */
static u32 router_stage_waits(const struct router_node *n, u32 slot)
{
	u32 output, vc;

	for (output = 0; output < ROUTER_BANKS; output++)
		for (vc = 0; vc < ROUTER_VCS; vc++) {
			u32 queue = machine_stage_queue(output, router_input_of(slot), vc);

			if (queue != ROUTER_NO_QUEUE && n->bank[output].q[queue].head != TORUS_NONE)
				return n->bank[output].q[queue].head;
		}
	return TORUS_NONE;
}

/* Drop the packets in a queue. */
static void router_queue_flush(struct torus_domain *d, struct router_node *n, u32 node, u32 output,
			       u32 queue, u32 reason)
{
	struct router_bank *b = &n->bank[output];

	while (b->q[queue].head != TORUS_NONE) {
		u32 pkt = b->q[queue].head;
		struct torus_packet *p = router_bank_pop(d, n, output, queue);

		b->full[queue] = (router_count_t)(b->full[queue] - p->chunks);
		torus_stats_drop(d, node, pkt, reason);
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

/* Discard a damaged packet, whose tail has arrived, if the packet is in the second stage. */
static bool router_stage_discard(struct torus_domain *d, struct router_node *n, u32 node, u32 slot)
{
	u32 output, vc;

	for (output = 0; output < ROUTER_DIRS; output++)
		for (vc = 0; vc < ROUTER_VCS; vc++) {
			u32 queue = machine_stage_queue(output, router_input_of(slot), vc);
			struct router_bank *b = &n->bank[output];
			u32 pkt, before;

			if (queue == ROUTER_NO_QUEUE)
				continue;
			pkt = router_find_ended(d, b->q[queue].head, b->q[queue].tail,
						&before);
			if (pkt == TORUS_NONE)
				continue;
			if (before == TORUS_NONE) {
				router_bank_pop(d, n, output, queue);
			} else {
				torus_packet_at(d, before)->next = torus_packet_at(d, pkt)->next;
				if (b->q[queue].tail == pkt)
					b->q[queue].tail = before;
			}
			b->full[queue] = (router_count_t)(b->full[queue] -
							  torus_packet_at(d, pkt)->chunks);
			b->ready |= (u64)(b->q[queue].head != TORUS_NONE) << queue & ~b->busy;
			router_touch(d, n, node);
			torus_packet_free(d, pkt);
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

torus_inline u32 router_stage_waits(const struct router_node *n, u32 slot)
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
