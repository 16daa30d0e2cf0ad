// SPDX-License-Identifier: GPL-2.0
/* Reset of a port: requested by the accessor, done by the fabric's thread. */
#include "core/nic/group.h"
#include "core/port/port.h"
#include "core/port/reset.h"

void torus_port_reset_request(struct torus_port *port)
{
	/* (A) The fabric's thread sees all that the accessor has stored in the port. */
	torus_store_release(&port->resetting, 1);
	port->ops->poll(port->owner);
}

bool torus_port_reset_pending(const struct torus_port *port)
{
	return torus_load_acquire(&port->resetting);		/* (D) pairs with (C) */
}

/* Discard the packets that wait in the modelled reception FIFOs for space in the port. */
static void reset_drain(struct torus_port *port, struct torus_fabric *f)
{
	struct torus_nic *nic = torus_nic_get(f, port->node, port->group);

	if (!nic || nic->client != port || !nic->waits)
		return;
	port->discard = true;
	torus_nic_drain(f, nic);
	port->discard = false;
}

static void reset_fifo(struct torus_port_fifo *fifo)
{
	fifo->head = 0;
	fifo->tail = 0;
	fifo->shown = 0;
}

static void reset_fifos(struct torus_port *port)
{
	u32 i;

	for (i = 0; i < port->arch->inject_fifos; i++) {
		struct torus_port_inject *inject = &port->inject[i];

		reset_fifo(&inject->fifo);
		inject->words = 0;
		inject->total = 0;
		inject->rejected = 0;
		inject->number = 0;
	}
	for (i = 0; i < port->arch->receive_fifos; i++) {
		reset_fifo(&port->receive[i].fifo);
		port->receive[i].words = 0;
	}
	torus_fetch_and(&port->full, 0);
}

void torus_port_reset_finish(struct torus_port *port, struct torus_fabric *f)
{
	u32 i;

	if (!torus_load_acquire(&port->resetting))		/* (B) pairs with (A) */
		return;
	reset_drain(port, f);
	reset_fifos(port);
	for (i = 0; i < TORUS_PORT_RINGS; i++)
		if (port->ring[i])
			memset(port->ring[i], 0, sizeof(*port->ring[i]));
	memset(&port->losses, 0, sizeof(port->losses));
	torus_port_errors_reset(port);
	torus_port_causes_reset(port);
	/* (C) The accessor that sees 0 sees an empty port. */
	torus_store_release(&port->resetting, 0);
}
