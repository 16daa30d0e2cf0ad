/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PRIORITY: packets of high priority go to a reception FIFO of their own over a bus of
 * its own, and a transfer bus is kept for them.
 */
#ifndef ROUTER_MEMBERS

/*
 * "There is a dedicated bus between each receiver and its corresponding reception
 * FIFO", and one to the high-priority FIFO; with PORTS, the port that the packet names.
 */
torus_inline router_sinks_t router_reception_bus(const struct torus_packet *p, u32 receiver)
{
#if ROUTER_PORTS
	return (router_sinks_t)1 << machine_port(p);
#elif ROUTER_PRIORITY
	return (router_sinks_t)1 << (receiver +
				     (machine_priority(p) ? ROUTER_SINK_PRIORITY : 0));
#else
	return (router_sinks_t)1 << receiver;
#endif
}

/* Do two packets of a receiver ask for the same bus? */
torus_inline bool router_same_bus(const struct torus_packet *a, const struct torus_packet *b)
{
#if ROUTER_PRIORITY
	return machine_priority(a) == machine_priority(b);
#else
	return true;
#endif
}

/*
 * The slots that leave their receiver's last free bus alone, of two or more: a
 * priority packet beside them waits for its link.  Else they could take every bus
 * while the link is busy, and others the link while there is no bus, for ever; so
 * it waits for one packet until a bus is kept for it, and for one more on the link.
 */
torus_inline router_slots_t router_kept_bus(const machine_params_t *m, const struct router_node *n,
					    router_slots_t ready)
{
	router_slots_t kept = 0;

#if ROUTER_PRIORITY && ROUTER_BUSES
	router_slots_t high = ready & ~n->local & machine_priority_slots() & ROUTER_LINK_BITS;

	for (; torus_unlikely(high); high &= high - 1) {
		u32 slot = torus_ctz(high), r = slot / ROUTER_VCS;

		if (router_want(m, n, slot) & router_room(n, slot) && machine_buses(m) > 1 &&
		    n->bus[r] + 1u >= machine_buses(m))
			kept |= ROUTER_PORT_BITS(r) & ~ROUTER_BIT(slot);
	}
#endif
	return kept;
}

#endif
