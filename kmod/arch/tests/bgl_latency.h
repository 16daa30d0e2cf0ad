/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The closed form of a message's one-way latency on a Blue Gene/L without other traffic (Adiga
 * et al. (2005), figure 10, the network's part). The tests of the core and of the device compare
 * the simulated machine with it.
 *
 * The latency starts in the tick in which the first packet enters its injection FIFO. It ends in
 * the tick in which the last byte of the last packet is in the reception FIFO. It is the sum of:
 *
 *	hops x 20	ticks of the last packet's head. The first node forwards it at once,
 *			each later node 20 ticks after its first byte was sent (cut-through).
 *	bytes + 14	of each packet before the last one. The first link sends packets
 *			without a pause, each with 4 bytes of CRC and valid byte, 8 of
 *			acknowledgement and 2 of gap. Each later link becomes free in the tick
 *			in which the next head arrives.
 *	bytes		of the last packet, which enters the reception FIFO at one byte a tick.
 *
 * The form needs three properties, which this machine has:
 *
 * - The injection FIFO is refilled while it drains. It holds four full packets.
 * - The buffers do not run out of tokens. The space of a packet is free again after 310 ticks
 *   (20 there, 270 on the next link, 20 back), so at most two packets occupy a buffer. Its 1 KB
 *   holds four packets, or two and the two that a packet needs to enter a bubble VC.
 * - No packet is longer than the one before it. Otherwise its tail would catch up with the head.
 */
#ifndef TORUS_BGL_LATENCY_H
#define TORUS_BGL_LATENCY_H

#define BGL_LATENCY_HOP		20	/* ticks per hop */
#define BGL_LATENCY_PACKET	256	/* bytes of a full packet */
#define BGL_LATENCY_OVERHEAD	14	/* ticks on a link in addition to the packet's bytes */

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
