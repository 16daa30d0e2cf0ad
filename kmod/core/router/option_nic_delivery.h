/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NIC_DELIVERY: a packet at its destination goes to a reception FIFO, or to an operation of the
 * machine's own NIC (memory, barrier gate). machine_deliver() decides.
 */
#include "core/workload/traffic.h"
#include "core/nic/group.h"
#ifndef ROUTER_MEMBERS

/*
 * Check whether the receiver of a packet can accept it. If not, @drop: a reason, or TORUS_DROP_MAX
 * if the packet waits.
 */
torus_inline bool router_admit(struct torus_domain *d, u32 node, struct torus_packet *p, u32 slot,
			       u32 *drop)
{
	u32 fifo = machine_deliver(p, slot);

	*drop = TORUS_DROP_MAX;
#if ROUTER_NIC_DELIVERY
	if (fifo == ROUTER_TO_MACHINE)
		return machine_admit(d, node, p, drop);
#endif
	if (torus_unlikely(p->flags & TORUS_PACKET_USER))
		return torus_nic_admit(d, node, p, fifo, drop);
	return torus_likely(!d->processors) || torus_processor_admit(d, node, p, fifo);
}

/* Check whether a packet is delivered after all events of the tick, in a fixed order. */
torus_inline bool router_handed_over(const struct torus_domain *d, const struct torus_packet *p,
				     u32 slot)
{
#if ROUTER_NIC_DELIVERY
	if (machine_deliver(p, slot) == ROUTER_TO_MACHINE)
		return true;
#endif
	return torus_unlikely((p->flags & TORUS_PACKET_USER) | d->hand_over);
}

/* Let the machine's own NIC fill injection slots with space. */
torus_inline void router_refill_machine(struct torus_domain *d, u32 node)
{
#if ROUTER_NIC_DELIVERY
	machine_refill(d, node);
#endif
}

static void router_deliver(struct torus_domain *d, u32 node, u32 pkt, u32 slot)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	u32 fifo = machine_deliver(p, slot);

#if ROUTER_NIC_DELIVERY
	if (fifo == ROUTER_TO_MACHINE) {
		machine_take(d, node, pkt);
		return;
	}
#endif
	if (p->flags & TORUS_PACKET_USER)
		torus_nic_receive(d, node, pkt, fifo);
	else
		torus_workload_receive(d, node, pkt, fifo);
}

#endif
