/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PRIORITY: high-priority packets have their own reception FIFO with its own bus, and a reserved
 * transfer bus if the receiver has several.
 */
#ifndef ROUTER_MEMBERS

/*
 * Bus of a packet. "There is a dedicated bus between each receiver and its corresponding reception
 * FIFO"; high-priority packets have a second bus, to their own FIFO. With PORTS, the bus is the
 * packet's port.
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

/* Check whether two packets of a receiver request the same bus. */
torus_inline bool router_same_bus(const struct torus_packet *a, const struct torus_packet *b)
{
#if ROUTER_PRIORITY
	return machine_priority(a) == machine_priority(b);
#else
	return true;
#endif
}

/*
 * Find the slots that must not take their receiver's last free bus, because a priority packet of
 * the same receiver waits for its link. The receiver has at least two buses.
 *
 * Without this rule other packets could starve the priority packet: packets of its receiver could
 * take all buses while the link is busy, and packets of other receivers could take the link while
 * no bus is free. With the rule the priority packet waits for at most one packet until a bus is
 * reserved, and for one more packet on the link.
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
