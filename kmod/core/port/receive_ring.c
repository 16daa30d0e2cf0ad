// SPDX-License-Identifier: GPL-2.0
/* Received packets fill the descriptors of the reception ring. */
#include "core/port/port.h"
#include "core/port/receive_ring.h"

#define RING	TORUS_PORT_RECEIVE_RING

/* Maximum of descriptors that one call skips; the next poll continues. */
#define SKIP_MAX	64u

/* Write a packet to the memory of the descriptor @first. Return: enum torus_port_done. */
static u32 ring_scatter(struct torus_port *port, const u8 *bytes, u32 total)
{
	struct torus_port_descriptor *first = &port->ring[RING]->first;
	u32 header = total < sizeof(first->header) ? total : (u32)sizeof(first->header);
	u64 address = torus_port_descriptor_address(first);
	u32 length = total - header;

	if (torus_port_descriptor_length(first) < length)
		return TORUS_PORT_DONE_SHORT;
	if (length && !torus_port_dma_write(port, address, bytes + header, length)) {
		torus_port_fault(port, RING, true, address);
		return TORUS_PORT_DONE_FAULT;
	}
	memcpy(first->header, bytes, header);
	memset(first->header + header, 0, sizeof(first->header) - header);
	torus_port_little_set(&first->length, sizeof(first->length), length);
	return TORUS_PORT_DONE;
}

bool torus_port_receive_ring_push(struct torus_port *port, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct torus_port_ring *ring = port->ring[RING];
	u32 status, i;

	for (i = 0; i < SKIP_MAX; i++) {
		if (!torus_port_ring_load(port, RING))
			return false;
		status = ring_scatter(port, bytes, chunks * port->arch->chunk_bytes);
		torus_port_ring_done(port, RING, status | fifo << TORUS_PORT_DETAIL_SHIFT);
		/* A descriptor that could not be written does not have the packet. */
		if (ring->halted)
			return false;
		torus_port_cause_events(port, TORUS_PORT_CAUSE_RECEIVE, 1);
		if (status == TORUS_PORT_DONE)
			return true;
	}
	port->ops->poll(port->owner);
	return false;
}
