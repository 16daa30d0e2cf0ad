/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring of descriptors: its registers, and its indices.
 *
 * The driver fills in descriptors and stores the tail; the fabric's thread processes descriptors
 * and stores the head. Barriers (A) to (D) are those of core/port/fifo.h: the descriptors are the
 * chunks, the driver is the producer. Only the reset turns a ring off, and the reset is done by the
 * fabric's thread. So the memory of a ring is never accessed after the reset bit is 0.
 */
#ifndef TORUS_CORE_PORT_RING_H
#define TORUS_CORE_PORT_RING_H

#include "core/port/descriptor.h"

struct torus_port;

/**
 * struct torus_port_ring - a ring
 * @base: DMA address, low half first; written by the accessor while @length is 0
 * @length: number of descriptors; 0: the ring is off. Written by the accessor
 * @tail: written by the accessor
 * @shown: descriptors that the fabric's thread may process, at most @tail; see core/port/doorbell.h
 * @head: written by the fabric's thread
 * @halted: a descriptor could not be accessed; written by the fabric's thread
 * @loaded: @first is a copy of the descriptor at @head
 * @first: the fabric's thread uses only this copy, which the driver cannot change
 */
struct torus_port_ring {
	u32 base[2];
	u32 length;
	u32 tail;
	u32 shown;
	u32 head;
	u32 halted;
	bool loaded;
	struct torus_port_descriptor first;
};

int torus_port_ring_read(struct torus_port *port, u32 reg, u32 ring, u32 *value);
int torus_port_ring_write(struct torus_port *port, u32 reg, u32 ring, u32 value);

/* Check whether a ring is on and has a descriptor (fabric's thread). */
torus_inline bool torus_port_ring_filled(const struct torus_port_ring *ring)
{
	/*
	 * The length is stored after the base and before the first tail, so a thread that loads a
	 * tail other than 0 has both.
	 */
	return torus_load_acquire(&ring->length) && !ring->halted &&
	       torus_load_acquire(&ring->shown) != ring->head;		/* (C) */
}

/*
 * Load the descriptor at the head into @first (fabric's thread). Return: false if the ring has
 * none, or if the descriptor cannot be accessed; the ring is then halted.
 */
bool torus_port_ring_load(struct torus_port *port, u32 ring);

/*
 * Write the status of the descriptor at the head, then move the head past the descriptor (fabric's
 * thread). If the descriptor cannot be accessed, halt the ring instead.
 */
void torus_port_ring_done(struct torus_port *port, u32 ring, u32 status);

#endif
