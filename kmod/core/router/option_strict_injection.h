/* SPDX-License-Identifier: GPL-2.0 */
/*
 * STRICT_INJECTION: injection may not take a direction that a head packet of the network wants.
 * High-priority packets are exempt.
 */
#ifndef ROUTER_MEMBERS

/* Alternatives that are closed to injection in this arbitration. */
torus_inline router_mask_t router_closed(const machine_params_t *m, const struct router_node *n,
					 router_slots_t cand)
{
	router_mask_t closed = 0;

#if ROUTER_STRICT_INJECTION
	u32 i;

	if (torus_likely(!machine_strict_injection(m)) || !(cand & ~ROUTER_LINK_BITS))
		return 0;
	for (i = 0; i < ROUTER_DIRS; i++)
		if (n->want_dir[i] & n->ready & ROUTER_LINK_BITS)
			closed |= ROUTER_DIR_BITS(i);
#endif
	return closed;
}

/* Check whether a slot must respect router_closed(): injection slots without priority do. */
torus_inline bool router_keeps_out(u32 slot)
{
#if ROUTER_STRICT_INJECTION && ROUTER_PRIORITY
	return !((ROUTER_LINK_BITS | machine_priority_slots()) >> slot & 1);
#else
	return slot >= ROUTER_LINK_SLOTS;
#endif
}

#endif
