/* SPDX-License-Identifier: GPL-2.0 */
/*
 * STRICT_INJECTION: injection leaves each link to the network that is free now and that a packet in
 * the network wants.  Packets of high priority are exempt.
 */
#ifndef ROUTER_MEMBERS

/* The alternatives that are closed to injection in this arbitration. */
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

/* Is a slot one that must leave them alone? */
torus_inline bool router_keeps_out(u32 slot)
{
#if ROUTER_STRICT_INJECTION && ROUTER_PRIORITY
	return !((ROUTER_LINK_BITS | machine_priority_slots()) >> slot & 1);
#else
	return slot >= ROUTER_LINK_SLOTS;
#endif
}

#endif
