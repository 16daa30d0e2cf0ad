/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PORTS: a node has few reception ports, and any receiver's packets may go to any of them:
 * a packet names its port.  A port takes a packet at a time, of the slots that ask for it in
 * turns: @last_port is the slot that it took last.  Port i and injection slot i are a TNI, which
 * counts what goes through it.  Without, each receiver has a bus of its own to its reception
 * FIFO.
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

/* The port of a packet, which the event of its reception names. */
torus_inline u8 router_reception_port(const struct torus_packet *p)
{
#if ROUTER_PORTS
	return (u8)machine_port(p);
#else
	return 0;
#endif
}

/* Where a packet that is received, or the next one of an injection slot, will be counted. */
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

/* Of the slots of @mask, not empty, the next behind slot @last. */
torus_inline u32 router_next_slot(router_slots_t mask, u32 last)
{
	router_slots_t behind = mask & ~(ROUTER_BIT(last) | (ROUTER_BIT(last) - 1));

	return torus_ctz(behind ? behind : mask);
}
#else
#define ROUTER_PORT_OF	NULL
#endif

#endif
