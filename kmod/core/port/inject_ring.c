// SPDX-License-Identifier: GPL-2.0
/* Descriptors of an injection ring become packets. */
#include "core/port/inject_ring.h"
#include "core/port/port.h"

/* Maximum of descriptors without a packet that one call processes; the next poll continues. */
#define WRONG_MAX	64u

/*
 * Copy the packet of the descriptor @first to @bytes. Return: its chunks. If there is no packet,
 * return 0 and the status of the descriptor in @status.
 */
static u32 ring_gather(struct torus_port *port, u32 ring, u32 room, u8 *bytes, u32 *status)
{
	const struct torus_port_descriptor *first = &port->ring[ring]->first;
	u32 chunks = port->arch->size(first->header), length = torus_port_descriptor_length(first);
	u32 total = chunks * port->arch->chunk_bytes;
	u32 header = total < sizeof(first->header) ? total : (u32)sizeof(first->header);
	u64 address = torus_port_descriptor_address(first);

	*status = TORUS_PORT_DONE_REJECTED | TORUS_REFUSE_SIZE << TORUS_PORT_DETAIL_SHIFT;
	if (!chunks || chunks > port->arch->packet_chunks_max || length > total - header)
		return 0;
	*status = TORUS_PORT_DONE_NOT;
	if (chunks > room)
		return 0;
	memcpy(bytes, first->header, header);
	if (length && !torus_port_dma_read(port, address, bytes + header, length)) {
		torus_port_fault(port, ring, false, address);
		*status = TORUS_PORT_DONE_FAULT;
		return 0;
	}
	memset(bytes + header + length, 0, total - header - length);
	return chunks;
}

u32 torus_port_inject_ring_pull(struct torus_port *port, u32 ring, u32 room, u8 *bytes, u32 *number)
{
	u32 status, chunks, i;

	for (i = 0; i < WRONG_MAX; i++) {
		if (!torus_port_ring_load(port, ring))
			return 0;
		chunks = ring_gather(port, ring, room, bytes, &status);
		*number = (port->ring[ring]->head & TORUS_PORT_LOSS_PACKET_NUMBER) |
			  TORUS_PORT_BY_RING;
		if (chunks || status == TORUS_PORT_DONE_NOT)
			return chunks;
		if (status != TORUS_PORT_DONE_FAULT)
			torus_port_error(port, TORUS_PORT_ERRORS_REJECTED);
		torus_port_ring_done(port, ring, status);
		torus_port_cause_events(port, TORUS_PORT_CAUSE_INJECT, 1);
	}
	port->ops->poll(port->owner);
	return 0;
}

void torus_port_inject_ring_accepted(struct torus_port *port, u32 ring)
{
	torus_port_ring_done(port, ring, TORUS_PORT_DONE);
}

void torus_port_inject_ring_refused(struct torus_port *port, u32 ring, u32 code)
{
	torus_port_ring_done(port, ring,
			     TORUS_PORT_DONE_REJECTED | code << TORUS_PORT_DETAIL_SHIFT);
}
