/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Status of FIFOs in a node's registers: checksums of injection FIFOs, watermarks and their
 * interrupts, high-water marks.
 *
 * Checksum: "a checksum associated with each injection FIFO; these can be used for fault-isolation
 * and debugging purposes to see whether a node sends the same data onto the network in two
 * different runs". The papers specify no algorithm. The simulator computes CRC-32 (zlib's crc32())
 * over the packets that a FIFO has accepted, one after the other, as software wrote them. Bytes
 * that the packet's header excludes (Sk) are skipped. The checksum depends on the order of packets.
 * A program that replies to arriving packets in a varying order excludes these replies, or sends
 * them through a FIFO of their own. The checksum excludes the hints, sequence number and CRCs that
 * the hardware computes. Synthetic packets have no bytes at injection, and no checksum.
 *
 * Watermark: the contents of a reception FIFO that rise above it, or of an injection FIFO that fall
 * below it, raise a critical interrupt, unless the machine masks it (torus_arch.unmasked). The
 * interrupt is raised once per crossing. A reception FIFO's contents are its complete packets and
 * records. An injection FIFO's contents are counted at the end of a tick, after its client was
 * asked for more packets. A client with free space takes a packet out of its reception FIFO when
 * the packet arrives. Therefore, if the watermark is a full packet or more, the contents can exceed
 * it only while the client has no free space.
 */
#ifndef TORUS_CORE_NIC_FIFO_STATUS_H
#define TORUS_CORE_NIC_FIFO_STATUS_H

#include "core/nic/group.h"

/* Index of a watermark of a group; injection FIFO i: TORUS_NIC_WATERMARK_INJECT + i. */
enum {
	TORUS_NIC_WATERMARK_RECEIVE,	/* one watermark for all normal reception FIFOs */
	TORUS_NIC_WATERMARK_PRIORITY,	/* one watermark for all priority reception FIFOs */
	TORUS_NIC_WATERMARK_INJECT,
};

/**
 * torus_nic_checksum() - get the checksum of an injection FIFO
 * @f: the fabric, locked
 * @node: index of the node
 * @group: FIFO group
 * @fifo: injection FIFO of the group
 *
 * Return: CRC-32 of the packets accepted since the last clear or reset; 0 if there were none.
 */
u32 torus_nic_checksum(struct torus_fabric *f, u32 node, u32 group, u32 fifo);

/* Clear the checksum of an injection FIFO (fabric locked). */
void torus_nic_checksum_clear(struct torus_fabric *f, u32 node, u32 group, u32 fifo);

/**
 * torus_nic_watermark() - get a watermark
 * @f: the fabric, locked
 * @node: index of the node
 * @group: FIFO group
 * @which: TORUS_NIC_WATERMARK_*
 *
 * Return: watermark in chunks; 0 after a reset.
 */
torus_inline u32 torus_nic_watermark(struct torus_fabric *f, u32 node, u32 group, u32 which)
{
	const struct torus_nic *nic = torus_nic_get(f, node, group);

	return nic ? nic->watermark[which] : 0;
}

/**
 * torus_nic_watermark_set() - set a watermark
 * @f: the fabric, locked
 * @node: index of the node
 * @group: FIFO group
 * @which: TORUS_NIC_WATERMARK_*
 * @chunks: new watermark, in chunks
 *
 * If the contents are beyond the new watermark already, no interrupt is raised: there is no
 * crossing.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_nic_watermark_set(struct torus_fabric *f, u32 node, u32 group, u32 which, u32 chunks);

/**
 * torus_nic_counters() - get counters and watermark of a FIFO
 * @f: the fabric, locked
 * @node: index of the node
 * @group: FIFO group
 * @receive: reception FIFO if true, injection FIFO if false
 * @fifo: index of the FIFO in its group
 * @out: [out] the counters
 */
void torus_nic_counters(struct torus_fabric *f, u32 node, u32 group, bool receive, u32 fifo,
			struct torus_fifo_counters *out);

/* For group.c and inject.c, which call these functions in the domain's thread. */
void torus_fifo_injected(struct torus_domain *d, struct torus_nic *nic, u32 fifo, u32 before,
			 const struct torus_packet *p, const u8 *bytes);
void torus_fifo_drained(struct torus_domain *d, struct torus_nic *nic);
void torus_fifo_arrived(struct torus_domain *d, struct torus_nic *nic, u32 fifo, u32 chunks);

void torus_nic_counters_reset(struct torus_fabric *f);

#endif /* TORUS_CORE_NIC_FIFO_STATUS_H */
