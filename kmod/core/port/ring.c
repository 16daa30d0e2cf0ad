// SPDX-License-Identifier: GPL-2.0
/* A ring of descriptors: its registers, and its indices. */
#include "core/port/doorbell.h"
#include "core/port/port.h"
#include "core/port/ring.h"

static u64 ring_address(const struct torus_port_ring *r)
{
	u64 base = (u64)r->base[1] << 32 | r->base[0];

	return base + (u64)(r->head & (r->length - 1)) * TORUS_PORT_DESCRIPTOR_BYTES;
}

static void ring_halt(struct torus_port *port, u32 ring, bool write)
{
	struct torus_port_ring *r = port->ring[ring];

	torus_store(&r->halted, 1);
	torus_port_fault(port, ring, write, ring_address(r));
}

bool torus_port_ring_load(struct torus_port *port, u32 ring)
{
	struct torus_port_ring *r = port->ring[ring];

	if (!torus_port_ring_filled(r))
		return false;
	if (r->loaded)
		return true;
	if (!torus_port_dma_read(port, ring_address(r), &r->first, sizeof(r->first))) {
		ring_halt(port, ring, false);
		return false;
	}
	r->loaded = true;
	return true;
}

void torus_port_ring_done(struct torus_port *port, u32 ring, u32 status)
{
	struct torus_port_ring *r = port->ring[ring];

	torus_port_little_set(&r->first.status, sizeof(r->first.status), status);
	if (!torus_port_dma_write(port, ring_address(r), &r->first, sizeof(r->first))) {
		ring_halt(port, ring, true);
		return;
	}
	r->loaded = false;
	torus_store_release(&r->head, r->head + 1);			/* (D) */
}

int torus_port_ring_read(struct torus_port *port, u32 reg, u32 ring, u32 *value)
{
	const struct torus_port_ring *r = port->ring[ring];

	switch (reg) {
	case TORUS_PORT_BASE_LOW:
		*value = r->base[0];
		return 0;
	case TORUS_PORT_BASE_HIGH:
		*value = r->base[1];
		return 0;
	case TORUS_PORT_LENGTH:
		*value = r->length;
		return 0;
	case TORUS_PORT_TAIL:
		*value = r->tail;
		return 0;
	case TORUS_PORT_HEAD:
		*value = torus_load_acquire(&r->head);			/* (A) */
		return 0;
	case TORUS_PORT_RING_STATE:
		*value = (r->length ? TORUS_PORT_RING_STATE_ON : 0) |
			 (torus_load(&r->halted) ? TORUS_PORT_RING_STATE_HALTED : 0);
		return 0;
	}
	return -EIO;
}

static int ring_start(struct torus_port_ring *r, u32 length)
{
	if (length & (length - 1))
		return -ERANGE;
	/* Store the base before the length, which lets the fabric's thread load the base. */
	torus_store_release(&r->length, length);
	return 0;
}

/* Store the tail. A tail before the old one, or more than a ring beyond the head, is rejected. */
static int ring_fill(struct torus_port *port, u32 ring, u32 tail)
{
	struct torus_port_ring *r = port->ring[ring];
	u32 head = torus_load_acquire(&r->head);			/* (A) */

	if (tail - head > r->length || tail - head < r->tail - head)
		return -ERANGE;
	r->tail = tail;
	torus_port_offer(port, TORUS_PORT_QUEUE_RING(ring), tail);
	return 0;
}

int torus_port_ring_write(struct torus_port *port, u32 reg, u32 ring, u32 value)
{
	struct torus_port_ring *r = port->ring[ring];

	if (reg == TORUS_PORT_TAIL)
		return ring_fill(port, ring, value);
	if (r->length)
		return -EIO;
	switch (reg) {
	case TORUS_PORT_BASE_LOW:
		r->base[0] = value;
		return 0;
	case TORUS_PORT_BASE_HIGH:
		r->base[1] = value;
		return 0;
	case TORUS_PORT_LENGTH:
		return ring_start(r, value);
	}
	return -EIO;
}
