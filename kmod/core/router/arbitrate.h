/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Second half of a tick: arbitration of a node with one stage, in the three phases of the papers.
 * Included by loop.h.
 */

/* Record why a head packet was not granted a free link that it requests. */
torus_inline void router_stall(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			       router_mask_t free, bool no_bus, bool traced)
{
	u32 choice = torus_ctz(free);
	u32 why = TORUS_STALL_TOKEN;

	if (no_bus)
		why = TORUS_STALL_BUS;
	else if (router_enter_only(n, free))
		why = TORUS_STALL_BUBBLE;
	router_stalled(d, n, node, choice / ROUTER_VCS, why);
	if (traced)
		router_report_stall(d, node, choice, why, n->q[slot].head);
}

/* Count the loser when two slots request the same link. */
torus_inline void router_stall_loser(struct torus_domain *d, struct router_node *n, u32 node,
				     u32 dir, u64 bid, bool traced)
{
	router_stalled(d, n, node, dir, TORUS_STALL_LOST);
	if (traced)
		router_report_stall(d, node, ROUTER_BID_CHOICE(bid), TORUS_STALL_LOST,
				    n->q[ROUTER_BID_SLOT(bid)].head);
}

/*
 * Compare @bid with the best request so far for the same link, and keep the better request in
 * @best. @bid is the best bid of a receiver or the bid of an injection slot's head; 0: no bid.
 *
 * @asked: mask of the links that have a request in @best. Return: @asked with this link added.
 */
torus_inline u32 router_request(struct torus_domain *d, const machine_pass_t *pass,
				struct router_node *n, u32 node, u64 *best, u32 asked, u64 bid,
				bool traced)
{
	u32 dir = ROUTER_BID_CHOICE(bid) / ROUTER_VCS, slot = ROUTER_BID_SLOT(bid);
	u64 key = (u64)machine_key_output(d, pass, n, slot, dir, (u32)(bid >> 32)) << 32 | (u32)bid;

	if (!bid)
		return asked;
	if (torus_unlikely(asked >> dir & 1)) {
		router_stall_loser(d, n, node, dir, key < best[dir] ? key : best[dir], traced);
		key = key > best[dir] ? key : best[dir];
	}
	best[dir] = key;
	return asked | 1u << dir;
}

/*
 * Record the winners of links @asked in @grants, and remove their links from @link. Return: the
 * slots of the winners.
 */
torus_inline router_slots_t router_grant_all(struct torus_domain *d, struct router_node *n,
					     u32 node, const u64 *best, u32 asked,
					     router_mask_t *link, struct router_grants *grants)
{
	router_slots_t won = 0;

	for (; asked; asked &= asked - 1) {
		u32 dir = torus_ctz(asked), slot = ROUTER_BID_SLOT(best[dir]);

		won |= ROUTER_BIT(slot);
		*link &= ~ROUTER_DIR_BITS(dir);
		router_winner_input(n, slot);
		router_winner_output(n, dir, slot);
		torus_prefetch(&n->q[slot]);
		if (ROUTER_KEYS_WITHOUT_COUNTS)
			torus_prefetch(&n->tokens[ROUTER_BID_CHOICE(best[dir])]);
		torus_prefetch(router_hot(d, node, dir));
		grants->list[grants->n++] = (struct router_grant){
			.node = node, .slot = (u8)slot, .dir = (u8)dir,
			.vc = (u8)(ROUTER_BID_CHOICE(best[dir]) % ROUTER_VCS),
		};
	}
	return won;
}

/*
 * Number of the arbiter of a slot: that of its receiver, or the injection slot's own. An arbiter
 * makes at most one request at a time.
 */
torus_inline u32 router_port_of(u32 slot)
{
	return slot < ROUTER_LINK_SLOTS ? slot / ROUTER_VCS : slot;
}

/*
 * Run the three phases of arbitration for a node. Return: the slots that won a link. @traced:
 * report each counted stall to the tracer.
 */
torus_inline router_slots_t router_arbitrate_links(struct torus_domain *d, struct router_node *n,
						   u32 node, struct router_grants *grants,
						   bool traced)
{
	const machine_params_t *m = d->machine;
	router_mask_t link = n->link, closed;
	router_slots_t gap = router_gap(d, n, node, link), no_bus, cand, won;
	u64 best[ROUTER_DIRS] torus_uninit, bid = 0;
	u32 asked = 0, last;
	machine_pass_t pass;

	/*
	 * return early: with little traffic, most touched nodes have no head packet that can move
	 */
	cand = n->ready & ~router_deposits(n) & ~gap;
	if (!link || !cand)
		return 0;
	cand &= router_wanting(n, link);
	if (!cand)
		return 0;
	n->touched |= ROUTER_WAITS;
	pass = machine_pass(m, n);
	closed = router_closed(m, n, cand);
	no_bus = router_no_bus(n) | router_kept_bus(m, n, n->ready & ~router_deposits(n));

	last = router_port_of(torus_ctz(cand));
	/*
	 * First phase: each head packet selects an alternative. Second phase: the best bid of each
	 * receiver. Third phase: the best request for each link.
	 */
	do {
		u32 slot = torus_ctz(cand), random, choice, port, key;
		router_mask_t free = router_want(m, n, slot) & link;
		router_mask_t mask = free & router_room(n, slot);

		cand &= cand - 1;
		if (torus_unlikely(closed) && router_keeps_out(slot))
			mask &= ~closed;
		if (!mask || no_bus >> slot & 1) {
			router_stall(d, n, node, slot, free, no_bus >> slot & 1, traced);
			continue;
		}
		random = router_spread(pass.random, slot);
		choice = machine_choose(m, n, mask, random);
		port = router_port_of(slot);
		if (port != last) {
			asked = router_request(d, &pass, n, node, best, asked, bid, traced);
			bid = 0;
			last = port;
		}
		key = machine_key_input(d, &pass, n, slot, choice, random);
		bid = ROUTER_BID(key, slot, choice) > bid ? ROUTER_BID(key, slot, choice) : bid;
	} while (cand);
	asked = router_request(d, &pass, n, node, best, asked, bid, traced);
	if (!asked)
		return 0;
	won = router_grant_all(d, n, node, best, asked, &link, grants);
	cand = n->ready & ~won;
	if (cand)
		cand &= router_wanting(n, link);
	n->touched &= (u8)~(cand ? 0 : ROUTER_WAITS);
	/* If free links are still wanted, the hardware arbitrates again in the next cycle. */
	if (cand)
		router_again(d, n, node, d->now + 1);
	return won;
}

/*
 * Arbitrate, and report stalls to the tracer. A separate function: without a
 * tracer, arbitration costs only one more branch.
 */
static torus_cold router_slots_t router_arbitrate_traced(struct torus_domain *d,
							 struct router_node *n, u32 node,
							 struct router_grants *grants)
{
	return router_arbitrate_links(d, n, node, grants, true);
}

static void router_arbitrate(struct torus_domain *d, struct router_node *n, u32 node,
			     struct router_grants *grants)
{
	router_slots_t won;

	router_count_unblocking(d, n, node);
	router_refill(d, n, node);
	router_bypass_begin(d, n, node);
	if (n->ready & (n->local | router_deposits(n)))
		router_receive(d, n, node);
	router_control(d, n, node);
	n->touched &= (u8)~ROUTER_WAITS;
	if (torus_traced(d))
		won = router_arbitrate_traced(d, n, node, grants);
	else
		won = router_arbitrate_links(d, n, node, grants, false);
	n->touched |= n->ready & (n->local | router_deposits(n)) ? ROUTER_WAITS : 0;
	router_bypass_end(d, n, node, won);
	router_note_waiting(d, n, node, won);
}
