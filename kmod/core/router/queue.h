/* SPDX-License-Identifier: GPL-2.0 */
/* Slots: append packets, route heads, remove packets. Included by loop.h. */

static bool router_head(struct torus_domain *d, struct router_node *n, u32 node, u32 slot);

/* Return @tokens of freed buffer space of a slot to the upstream sender. */
torus_inline void router_return_tokens(struct torus_domain *d, struct router_node *n, u32 node,
				       u32 slot, u32 tokens)
{
	const machine_params_t *m = d->machine;
	u32 dir = slot / ROUTER_VCS;

	if (router_controls(m)) {
		router_control_tokens(d, n, node, slot, tokens);
		return;
	}
	torus_send_token(d, d->now + m->timing.ack_delay + machine_far(m, n, TORUS_REVERSE(dir)),
			 (struct torus_short){
		.node = router_reverse_peer(n, dir), .dir = (u8)dir, .vc = (u8)(slot % ROUTER_VCS),
		.tokens = (u16)tokens,
	});
}

/* Remove the head of a slot. */
torus_inline void router_pop(struct router_node *n, u32 slot, const struct torus_packet *p)
{
	router_slots_t bit = ROUTER_BIT(slot);

	n->q[slot].head = n->q[slot].head == n->q[slot].tail ? TORUS_NONE : p->next;
	/* for a slot that is not ready, its bits in the other masks are not read */
	n->ready &= ~bit;
	router_deposit_forget(n, bit);
}

/* Drop the head of a slot, and route the next packet of the slot. @reason: enum torus_drop. */
static void router_drop(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			u32 reason)
{
	u32 pkt = n->q[slot].head;
	struct torus_packet *p = torus_packet_at(d, pkt);
	u32 held = router_held(d->machine, p, slot);

	router_pop(n, slot, p);
	n->full[slot] = (router_count_t)(n->full[slot] - held);
	if (slot < ROUTER_LINK_SLOTS) {
		if (held)
			router_return_tokens(d, n, node, slot, held);
	} else {
		n->refill |= ROUTER_BIT(slot);
	}
	torus_stats_drop(d, node, pkt, reason);
	router_touch(d, n, node);
	if (n->q[slot].head != TORUS_NONE)
		router_head(d, n, node, slot);
}

/* Check whether all links of the alternatives @want have been declared dead. */
static bool router_link_discarded(struct torus_domain *d, const struct router_node *n, u32 node,
				  router_mask_t want)
{
	u32 dir;

	if (!want)
		return false;
	for (; want; want &= ~ROUTER_DIR_BITS(dir)) {
		dir = torus_ctz(want) / ROUTER_VCS;
		if (!(n->slow >> dir & 1) || !torus_link_at(d, node, dir)->dead)
			return false;
	}
	return true;
}

/* Route the head of a slot, or find the reason to drop it. */
torus_inline struct router_way router_find_way(struct torus_domain *d, const struct router_node *n,
					       u32 node, u32 slot, struct torus_packet *p)
{
	struct router_way way;

	if (torus_unlikely(p->hops > d->f->hop_limit))
		return ROUTER_DROP(TORUS_DROP_HOP_LIMIT);
	way = machine_route(d, n, node, slot, p);
	if (torus_likely(!n->slow))
		return way;
	if (torus_unlikely(torus_node_failed(d->f, node)))
		return ROUTER_DROP(TORUS_DROP_NODE_FAILED);
	if (!way.drop && router_link_discarded(d, n, node, router_mask_of(d->machine, n, way.want)))
		return ROUTER_DROP(TORUS_DROP_LINK_DEAD);
	return way;
}

/* Record the alternatives of a slot's head by direction. */
torus_inline void router_want_dirs(const machine_params_t *m, struct router_node *n, u32 slot,
				   router_mask_t want)
{
	router_slots_t bit = ROUTER_BIT(slot);
#if ROUTER_ONE_ALTERNATIVE
	router_mask_t before = router_want(m, n, slot);
	u32 from = before ? torus_ctz(before) / ROUTER_VCS : 0;
	u32 to = want ? torus_ctz(want) / ROUTER_VCS : 0;

	n->want_dir[from] &= ~bit;
	n->want_dir[to] |= bit & -(router_slots_t)(want != 0);
#else
	u32 i;

#pragma GCC unroll 8
	for (i = 0; i < ROUTER_DIRS; i++)
		n->want_dir[i] = (n->want_dir[i] & ~bit) |
				 (router_slots_t)!!(want & ROUTER_DIR_BITS(i)) << slot;
#endif
}

/* Record the route of a slot's head. */
torus_inline router_mask_t router_aim(struct torus_domain *d, struct router_node *n, u32 node,
				      u32 slot, const struct torus_packet *p,
				      struct router_way way)
{
	router_mask_t want = router_mask_of(d->machine, n, way.want);
	router_slots_t bit = ROUTER_BIT(slot);

	router_want_dirs(d->machine, n, slot, want);
	n->ready |= bit;
	n->local = (n->local & ~bit) | (router_slots_t)!want << slot;
	router_enter_set(n, slot, way.on);
	if (want)
		router_deposit_note(n, p, slot);
	n->want[slot] = way.want;
#if ROUTER_STAGES == 2
	n->due_slots |= bit;
#endif
	torus_trace_detail(d, TORUS_TRACE_ROUTE, node, 0, 0, want, p);
	return want;
}

/*
 * Route a packet that has become the head of its slot, whose read port is free. Return: true if the
 * head can act: it has arrived, must leave a copy here, or wants a free link; with STAGES 2, if its
 * input is free. Also true after a packet was dropped.
 */
static bool router_head(struct torus_domain *d, struct router_node *n, u32 node, u32 slot)
{
	struct torus_packet *p = router_packet(d, n, slot);
	struct router_way way = router_find_way(d, n, node, slot, p);
	router_mask_t want;

	if (torus_unlikely(way.drop)) {
		router_drop(d, n, node, slot, way.drop - 1u);
		return true;
	}
	want = router_aim(d, n, node, slot, p, way);
#if ROUTER_STAGES == 2
	return !(n->crossing >> slot & 1);
#endif
	return (want == 0) | ((want & n->link) != 0) | (router_deposits(n) >> slot & 1);
}

/* Check whether the head of a slot is ready and can act. */
torus_inline bool router_head_acts(const machine_params_t *m, const struct router_node *n, u32 slot)
{
	router_mask_t want = router_want(m, n, slot);

	return (n->ready >> slot & 1) &
	       ((want == 0) | ((want & n->link) != 0) | (router_deposits(n) >> slot & 1));
}

/*
 * Append a packet to its slot. Return: true if the packet is the head, and can act or was dropped.
 */
torus_inline bool router_enqueue(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
				 u32 pkt, u32 held, bool port_free)
{
	n->full[slot] = (router_count_t)(n->full[slot] + held);
	if (n->q[slot].head != TORUS_NONE) {
		torus_packet_at(d, n->q[slot].tail)->next = pkt;
		n->q[slot].tail = pkt;
		return false;
	}
	n->q[slot].head = pkt;
	n->q[slot].tail = pkt;
	return port_free && router_head(d, n, node, slot);
}

/*
 * Process the end of a transfer out of a slot: the packet's last byte has left the buffer. Return:
 * true if the next packet is a head that can act, or was dropped.
 */
torus_inline bool router_port_free(struct torus_domain *d, struct router_node *n, u32 node,
				   u32 slot, u32 held)
{
	n->full[slot] = (router_count_t)(n->full[slot] - held);
	if (slot < ROUTER_LINK_SLOTS && torus_likely(held))
		router_return_tokens(d, n, node, slot, held);
	n->port_busy &= ~ROUTER_BIT(slot);
	return n->q[slot].head != TORUS_NONE && router_head(d, n, node, slot);
}
