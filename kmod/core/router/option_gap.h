/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GAP: "A one-cycle gap in the arbitration pipeline of the receivers could occur when all possible
 * outgoing links and VCs were busy". Injection uses this gap: a head packet that found all links
 * busy misses the first cycle in which one is free.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_GAP
/* @all_busy: slots whose head found all wanted links or VCs busy in the last arbitration. */
#define ROUTER_GAP_MEMBERS	router_slots_t all_busy;
#else
#define ROUTER_GAP_MEMBERS
#endif

#else

/* Find the slots whose heads miss this cycle, as described above. @link: mask of the free links. */
torus_inline router_slots_t router_gap(struct torus_domain *d, struct router_node *n, u32 node,
				       router_mask_t link)
{
	router_slots_t missed = 0;

#if ROUTER_GAP
	const machine_params_t *m = d->machine;
	router_slots_t heads = n->ready & ~n->local & ROUTER_LINK_BITS, busy = 0, left;
	struct router_cold *cold;

	if (torus_likely(!machine_gap(m)))
		return 0;
	for (left = heads; left; left &= left - 1) {
		u32 slot = torus_ctz(left);

		if (!(router_want(m, n, slot) & link & router_room(n, slot)))
			busy |= ROUTER_BIT(slot);
	}
	cold = router_cold(m, node);
	missed = cold->all_busy & heads & ~busy;
	cold->all_busy = busy;
	if (missed)
		router_again(d, n, node, d->now + 1);
#endif
	return missed;
}

#endif
