// SPDX-License-Identifier: GPL-2.0
/* A port as a client of the core's NIC. All functions: fabric's thread. */
#include "core/port/inject_ring.h"
#include "core/port/nic_client.h"
#include "core/port/port.h"
#include "core/port/receive_ring.h"
#include "core/state/completion.h"

static bool client_ring_filled(const struct torus_port *port, u32 ring)
{
	return port->ring[ring] && torus_port_ring_filled(port->ring[ring]);
}

static u32 client_ready(void *client)
{
	const struct torus_port *port = client;
	u32 fifos = 0, i;

	if (port->stuck)
		return 0;
	for (i = 0; i < port->arch->inject_fifos; i++)
		if (torus_port_fifo_level(&port->inject[i].fifo) || client_ring_filled(port, i))
			fifos |= 1u << i;
	return fifos;
}

/* Packets that were written word by word are before those of the ring. */
static u32 client_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct torus_port *port = client;
	struct torus_port_inject *inject = &port->inject[fifo];
	u32 level = torus_port_fifo_level(&inject->fifo), chunks;

	if (level) {
		port->by_ring &= ~(1u << fifo);
		chunks = torus_port_inject_pull(inject, room, bytes, number);
		if (chunks && chunks == level && !client_ring_filled(port, fifo))
			chunks |= TORUS_NIC_LAST;
		return chunks;
	}
	if (!port->ring[fifo])
		return 0;
	port->by_ring |= 1u << fifo;
	return torus_port_inject_ring_pull(port, fifo, room, bytes, number);
}

static void client_accepted(void *client, u32 fifo)
{
	struct torus_port *port = client;

	/* Count the packet before the head, by which the driver sees that the packet was taken. */
	torus_port_count_set(&port->taken, port->taken.value + 1);
	if (port->by_ring >> fifo & 1)
		torus_port_inject_ring_accepted(port, fifo);
	else
		torus_port_inject_accepted(&port->inject[fifo]);
	torus_port_cause_events(port, TORUS_PORT_CAUSE_INJECT, 1);
}

static void client_refused(void *client, u32 fifo, u32 code)
{
	struct torus_port *port = client;

	if (port->by_ring >> fifo & 1)
		torus_port_inject_ring_refused(port, fifo, code);
	else
		torus_port_inject_refused(&port->inject[fifo], code);
	torus_port_cause_events(port, TORUS_PORT_CAUSE_INJECT, 1);
	torus_port_error(port, TORUS_PORT_ERRORS_REJECTED);
}

static bool client_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	const u32 receive = TORUS_PORT_RECEIVE_RING;
	struct torus_port *port = client;

	if (port->discard)
		return true;
	if (port->ring[receive] && torus_load_acquire(&port->ring[receive]->length))
		return torus_port_receive_ring_push(port, fifo, bytes, chunks);
	return torus_port_receive_push(port, fifo, bytes, chunks);
}

/* Causes are set packet by packet. */
static void client_notify(void *client)
{
}

static void client_interrupt(void *client, bool receive, u32 fifo)
{
	torus_port_cause_set(client, TORUS_PORT_CAUSE_WATERMARK);
}

static void client_lost(void *client, const struct torus_lost_packet *lost)
{
	torus_port_loss_record(client, lost);
}

static void client_ended(void *client, u64 completed)
{
	struct torus_port *port = client;
	u64 news = completed - port->ended.value;

	torus_port_count_set(&port->ended, completed);
	torus_port_cause_events(port, TORUS_PORT_CAUSE_ENDED, news < 0xffff ? (u32)news : 0xffff);
}

const struct torus_nic_ops torus_port_nic_ops = {
	.packets_only = true,
	.ready = client_ready,
	.pull = client_pull,
	.refused = client_refused,
	.accepted = client_accepted,
	.push = client_push,
	.notify = client_notify,
	.interrupt = client_interrupt,
	.lost = client_lost,
	.ended = client_ended,
};
