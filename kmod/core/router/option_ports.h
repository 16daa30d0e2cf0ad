/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PORTS: a node has few reception ports, and a packet names its port, so each receiver can use all
 * ports. A port receives one packet at a time, from the requesting slots round robin. @last_port:
 * slot that the port served last. Port i and injection slot i form a TNI, which counts its packets.
 * Without this option, each receiver has its own bus to its reception FIFO.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_PORTS
#define ROUTER_PORTS_MEMBERS	u8 last_port[ROUTER_PORTS];
#else
#define ROUTER_PORTS_MEMBERS
#endif

#else

torus_inline void router_ports_init(struct router_node *n)
{
#if ROUTER_PORTS
	memset(n->last_port, ROUTER_SLOTS - 1, sizeof(n->last_port));
#endif
}

torus_inline void router_port_sent(struct torus_domain *d, u32 node, u32 port, u32 pkt)
{
#if ROUTER_PORTS
	torus_tni_sent(d, node, port, torus_packet_at(d, pkt));
#endif
}

torus_inline void router_port_received(struct torus_domain *d, u32 node,
				       const struct torus_packet *p)
{
#if ROUTER_PORTS
	torus_tni_received(d, node, machine_port(p), p);
#endif
}

/* Number of the port that receives a packet, to store in the reception event; 0 without PORTS. */
torus_inline u8 router_reception_port(const struct torus_packet *p)
{
#if ROUTER_PORTS
	return (u8)machine_port(p);
#else
	return 0;
#endif
}

/*
 * Prefetch the TNI's counter that the reception of a packet increments.
 */
torus_inline void router_prefetch_received(struct torus_domain *d, const struct torus_event *ev)
{
#if ROUTER_PORTS
	torus_prefetch(&torus_tni(d, ev->node, ev->dir)->packets_received);
#endif
}

torus_inline void router_prefetch_sent(struct torus_domain *d, u32 node, u32 slot)
{
#if ROUTER_PORTS
	torus_prefetch(&torus_tni(d, node, slot - ROUTER_LINK_SLOTS)->packets_sent);
#endif
}

#if ROUTER_PORTS
#define ROUTER_PORT_OF	machine_port

/* Select from @mask, not empty, the next slot after slot @last, round robin. */
torus_inline u32 router_next_slot(router_slots_t mask, u32 last)
{
	router_slots_t behind = mask & ~(ROUTER_BIT(last) | (ROUTER_BIT(last) - 1));

	return torus_ctz(behind ? behind : mask);
}
#else
#define ROUTER_PORT_OF	NULL
#endif

#endif
