/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Status of FIFOs, as a node's registers show it: injection checksums, watermarks and
 * the interrupts they raise, high-water marks.
 *
 * Checksum: "a checksum associated with each injection FIFO; these can be used for
 * fault-isolation and debugging purposes to see whether a node sends the same data
 * onto the network in two different runs".  The papers give no algorithm; ours is
 * CRC-32 (zlib's crc32()) over the packets that a FIFO has accepted, as software
 * wrote them, one behind the other, less what their headers leave out.  Order
 * counts, because a FIFO has one: a program that injects the same packets in
 * another order has not done the same.  One that must, because it answers what
 * arrives, marks those answers Sk, or gives them a FIFO of their own.  The hints that
 * the hardware computes, its sequence number and its CRCs are no part of it.
 * Synthetic packets have no bytes at injection, and no checksum.
 *
 * Watermark: a critical interrupt is raised when the contents of a reception FIFO
 * rise above it, those of an injection FIFO fall below it: once at the crossing, not
 * as long as they are there.  A reception FIFO's contents are the packets that are
 * there to their last byte; an injection FIFO's what is left at the end of a tick,
 * its client asked for more.  A client with room takes a packet out of its reception
 * FIFO when it is there, so that a watermark of a full packet or more is only crossed
 * while it has none.
 */
#ifndef TORUS_CORE_NIC_FIFO_STATUS_H
#define TORUS_CORE_NIC_FIFO_STATUS_H

#include "core/nic/group.h"

/* Which watermark of a group; injection FIFO i: TORUS_NIC_WATERMARK_INJECT + i. */
enum {
	TORUS_NIC_WATERMARK_RECEIVE,	/* each of the normal reception FIFOs */
	TORUS_NIC_WATERMARK_PRIORITY,	/* the priority reception FIFOs */
	TORUS_NIC_WATERMARK_INJECT,
};

/**
 * torus_nic_checksum() - checksum of an injection FIFO
 * @f: the fabric, held
 * @node: number of the node
 * @group: FIFO group
 * @fifo: injection FIFO of the group
 *
 * Return: CRC-32 of what it has accepted since it was cleared or the fabric reset,
 * 0 of nothing.
 */
u32 torus_nic_checksum(struct torus_fabric *f, u32 node, u32 group, u32 fifo);

/* The checksum of an injection FIFO begins anew (held). */
void torus_nic_checksum_clear(struct torus_fabric *f, u32 node, u32 group, u32 fifo);

/**
 * torus_nic_watermark() - a watermark
 * @f: the fabric, held
 * @node: number of the node
 * @group: FIFO group
 * @which: TORUS_NIC_WATERMARK_*
 *
 * Return: chunks; 0 at boot.
 */
torus_inline u32 torus_nic_watermark(struct torus_fabric *f, u32 node, u32 group, u32 which)
{
	const struct torus_nic *nic = torus_nic_get(f, node, group);

	return nic ? nic->watermark[which] : 0;
}

/**
 * torus_nic_watermark_set() - set a watermark
 * @f: the fabric, held
 * @node: number of the node
 * @group: FIFO group
 * @which: TORUS_NIC_WATERMARK_*
 * @chunks: what it shall be
 *
 * Contents that are beyond it already have not crossed it: no interrupt.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_nic_watermark_set(struct torus_fabric *f, u32 node, u32 group, u32 which, u32 chunks);

/**
 * torus_nic_counters() - what is known of a FIFO
 * @f: the fabric, held
 * @node: number of the node
 * @group: FIFO group
 * @receive: a reception FIFO, else an injection FIFO
 * @fifo: its number
 * @out: where to put it
 */
void torus_nic_counters(struct torus_fabric *f, u32 node, u32 group, bool receive, u32 fifo,
			struct torus_fifo_counters *out);

/* group.c's side (domain's thread). */
void torus_fifo_injected(struct torus_domain *d, struct torus_nic *nic, u32 fifo, u32 before,
			 const struct torus_packet *p, const u8 *bytes);
void torus_fifo_drained(struct torus_domain *d, struct torus_nic *nic);
void torus_fifo_arrived(struct torus_domain *d, struct torus_nic *nic, u32 fifo, u32 chunks);

void torus_nic_counters_reset(struct torus_fabric *f);

#endif /* TORUS_CORE_NIC_FIFO_STATUS_H */
