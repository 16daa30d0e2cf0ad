/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The closed form of a message's one-way latency on a Blue Gene/L without other
 * traffic (Adiga et al. (2005), figure 10, the network's part).  The tests of the core
 * and of the device compare the simulated machine with it.
 *
 * From the tick when the first packet enters its injection FIFO to the tick when the
 * last byte of the last packet is in the reception FIFO:
 *
 *	hops x 20	the head of the last packet from node to node: it is sent on
 *			20 ticks after its first byte was sent to a node (cut-through),
 *			at the first node at once
 *	+ for each packet before the last, its bytes + 14: the first link carries one
 *			packet after the other without a pause, each with 4 bytes of CRC
 *			and valid byte, 8 of acknowledgement, 2 of gap.  Every further
 *			link becomes free in the tick in which the next head is there
 *	+ the last packet's bytes: into the reception FIFO, a byte a tick
 *
 * Three things must hold, and do on this machine.  The injection FIFO is refilled while
 * it drains: it holds four full packets.  The buffers do not run out of tokens:
 * space for a packet comes back 310 ticks after it was taken (20 there, 270 on the
 * next link, 20 back), so two packets are counted at most, and 1 KB holds four, or two
 * and the two that entering a bubble asks for.  No packet is longer than the one
 * before it, else its tail would come up behind the head.
 */
#ifndef TORUS_BGL_LATENCY_H
#define TORUS_BGL_LATENCY_H

#define BGL_LATENCY_HOP		20	/* ticks per hop */
#define BGL_LATENCY_PACKET	256	/* bytes of a full packet */
#define BGL_LATENCY_OVERHEAD	14	/* gap in ticks after each packet except the last */

/**
 * bgl_latency_ticks() - one-way latency of a message on an idle machine
 * @hops: number of links on the route, at least 1
 * @bytes: bytes of all packets of the message, headers included, a multiple of 32;
 * all packets but the last are full
 *
 * Return: ticks (bytes at 175 MB/s).
 */
static inline unsigned long long bgl_latency_ticks(unsigned int hops, unsigned int bytes)
{
	unsigned int before = (bytes - 1) / BGL_LATENCY_PACKET;

	return (unsigned long long)hops * BGL_LATENCY_HOP +
	       (unsigned long long)before * (BGL_LATENCY_PACKET + BGL_LATENCY_OVERHEAD) +
	       (bytes - before * BGL_LATENCY_PACKET);
}

#endif /* TORUS_BGL_LATENCY_H */
