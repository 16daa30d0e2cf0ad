/* SPDX-License-Identifier: GPL-2.0 */
/*
 * UNBLOCKING: "The fraction of time in which a token-ack is returned that frees at least one
 * previously blocked packet to move". A blocked packet waited at the start of the tick, and no VC
 * that it wants had space. A token return to a node without a blocked packet cannot unblock one.
 * Therefore token returns to nodes with blocked packets are counted separately.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_UNBLOCKING
/*
 * @waited: slots whose head the last arbitration did not move; @opened: alternatives to which
 *   tokens gave space in this tick: [0] for packets that continue, [1] for packets that enter a
 *   ring; @returned: number of token returns in this tick.
 */
#define ROUTER_UNBLOCKING_MEMBERS	router_slots_t waited; u32 returned; \
					router_mask_t opened[1 + ROUTER_BUBBLE];
#else
#define ROUTER_UNBLOCKING_MEMBERS
#endif

#else

/* Record the VCs that get space when tokens return to alternative @i. */
torus_inline void router_note_return(struct torus_domain *d, struct router_node *n, u32 node,
				     u32 i, u32 vc, u32 tokens)
{
#if ROUTER_UNBLOCKING
	const machine_params_t *m = d->machine;
	struct router_cold *cold;
	router_mask_t room;

	if (torus_likely(!machine_unblocking(m)))
		return;
	room = machine_room(m, vc, n->tokens[i] + tokens);
	cold = router_cold(m, node);
	d->stats.token_returns++;
	cold->returned++;
	cold->opened[0] |= (room & 1) << i & ~n->room[0];
#if ROUTER_BUBBLE
	cold->opened[1] |= (room >> 1 & 1) << i & ~n->room[1];
#endif
#endif
}

/*
 * During arbitration, count this tick's token returns if a head that waited was blocked without
 * them, and the alternatives whose returned tokens unblock at least one such head.
 */
torus_inline void router_count_unblocking(struct torus_domain *d, struct router_node *n, u32 node)
{
#if ROUTER_UNBLOCKING
	const machine_params_t *m = d->machine;
	router_slots_t waiting;
	router_mask_t freeing = 0;
	struct router_cold *cold;
	bool blocked = false;

	if (torus_likely(!machine_unblocking(m)))
		return;
	cold = router_cold(m, node);
	if (!cold->returned)
		return;
	for (waiting = cold->waited & n->ready; waiting; waiting &= waiting - 1) {
		u32 slot = torus_ctz(waiting), enter = router_enters(n, slot);
		router_mask_t want = router_want(m, n, slot), opened = cold->opened[enter];

		if (want & n->room[enter] & ~opened)
			continue;
		blocked = true;
		freeing |= want & opened;
	}
	d->stats.token_needed += blocked ? cold->returned : 0;
	d->stats.token_unblocks += torus_popcount(freeing);
	memset(cold->opened, 0, sizeof(cold->opened));
	cold->returned = 0;
#endif
}

/* After arbitration, record the receivers' slots whose heads have to wait for the next tick. */
torus_inline void router_note_waiting(struct torus_domain *d, struct router_node *n, u32 node,
				      router_slots_t won)
{
#if ROUTER_UNBLOCKING
	if (torus_unlikely(machine_unblocking(d->machine)))
		router_cold(d->machine, node)->waited = n->ready & ~n->local & ~won &
							ROUTER_LINK_BITS;
#endif
}

#endif
