/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BUSES: a receiver has few transfer buses to the senders, which limits the number of its VCs that
 * send at the same time. @no_bus: slots of receivers without a free bus; @bus: buses in use, by
 * receiver.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_BUSES
#define ROUTER_BUSES_MEMBERS	router_slots_t no_bus;
#define ROUTER_BUSES_COUNTS	u8 bus[ROUTER_DIRS];
#else
#define ROUTER_BUSES_MEMBERS
#define ROUTER_BUSES_COUNTS
#endif

#else

torus_inline void router_bus_take(const machine_params_t *m, struct router_node *n, u32 slot)
{
#if ROUTER_BUSES
	u32 r = slot / ROUTER_VCS;

	if (++n->bus[r] >= machine_buses(m))
		n->no_bus |= ROUTER_PORT_BITS(r);
#endif
}

torus_inline void router_bus_free(struct router_node *n, u32 slot)
{
#if ROUTER_BUSES
	u32 r = slot / ROUTER_VCS;

	n->bus[r]--;
	n->no_bus &= ~ROUTER_PORT_BITS(r);
#endif
}

torus_inline router_slots_t router_no_bus(const struct router_node *n)
{
#if ROUTER_BUSES
	return n->no_bus;
#else
	return 0;
#endif
}

#endif
