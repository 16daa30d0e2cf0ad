// SPDX-License-Identifier: GPL-2.0
/* Doorbells: packets and descriptors that the accessor offers to the fabric's thread. */
#include "core/nic/inject.h"
#include "core/port/doorbell.h"
#include "core/port/nic_client.h"
#include "core/port/port.h"

void torus_port_show(struct torus_port *port, u32 queue, u32 tail)
{
	if (queue < TORUS_INJECT_MAX)
		torus_port_fifo_show(&port->inject[queue].fifo, tail);
	else
		torus_store_release(&port->ring[queue - TORUS_INJECT_MAX]->shown, tail); /* (B) */
}

void torus_port_offer(struct torus_port *port, u32 queue, u32 tail)
{
	if (!port->ops->offer || !port->ops->offer(port->owner, queue, tail))
		torus_port_show(port, queue, tail);
	port->ops->poll(port->owner);
}

void torus_port_wake(struct torus_port *port, struct torus_fabric *f)
{
	if (torus_port_nic_ops.ready(port))
		torus_nic_wake_by(f, port->node, torus_nic_clock(f, port->node), &port->woken);
}
