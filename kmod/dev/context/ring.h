/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's end of a ring that is shared with a program; see ring.c. */
#ifndef TORUS_DEV_CONTEXT_RING_H
#define TORUS_DEV_CONTEXT_RING_H

#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <linux/torus.h>

/**
 * struct torus_ring - the kernel's end of a ring
 * @data: array of chunks
 * @ticks: virtual time: stamp (injection) or arrival (reception) of each packet, at the index of
 *	its first chunk
 * @chunks: number of chunks, a power of two
 * @chunk_bytes: bytes of a chunk
 * @head: chunks taken out. Injection: the kernel's own index. Reception: last valid head that the
 *	program stored
 * @tail: chunks put in. Reception: the kernel's own index. Injection: the program's tail as it was
 *	loaded last; after an invalid one, also @head
 * @pending: injection: chunks of the packet that the core is checking
 * @round: injection: round of the engine in which @tail was loaded
 * @refused: injection: number of rejected packets
 * @packets: number of packets accepted, or written into the ring
 * @known: injection, virtual time: packets from this index on must have stamps of at least @floor
 * @floor: see @known
 * @stamp: injection, virtual time: stamp of the packet that was taken last
 * @woken: 1 plus the tick for which torus_nic_wake_by() will wake the node; 0: none
 * @astray: reception: the last head that the program stored was outside of the ring's contents
 * @interrupts: critical interrupts of the modelled FIFO
 */
struct torus_ring {
	u8 *data;
	u64 *ticks;
	u32 chunks;
	u32 chunk_bytes;
	u32 head;
	u32 tail;
	u32 pending;
	u32 round;
	u64 refused;
	u64 packets;
	u32 known;
	u64 floor;
	u64 stamp;
	u64 woken;
	u32 interrupts;
	bool astray;
};

/* Result of torus_ring_pull(). */
enum torus_pull {
	TORUS_PULL_NONE,	/* no packet, or none that fits */
	TORUS_PULL_PACKET,	/* a packet, to be accepted or rejected */
	TORUS_PULL_BAD,		/* invalid packet, rejected already */
	TORUS_PULL_TAIL,	/* invalid tail, rejected already */
};

enum torus_pull torus_ring_pull(struct torus_ring *ring, const struct torus_control_inject *control,
				struct torus_status_inject *status, u32 (*size)(const u8 *bytes),
				u32 round, u32 room, u8 *bytes);
void torus_ring_accept(struct torus_ring *ring, struct torus_status_inject *status);
void torus_ring_refuse(struct torus_ring *ring, struct torus_status_inject *status, u32 code);
bool torus_ring_push(struct torus_ring *ring, const struct torus_control_receive *control,
		     struct torus_status_receive *status, const u8 *bytes, u32 chunks,
		     u64 arrived);

bool torus_ring_reveal(struct torus_ring *ring, const struct torus_control_inject *control,
		       struct torus_status_inject *status, u64 floor, u64 *stamp);
bool torus_ring_due(struct torus_ring *ring, u64 now, u64 clock, bool *late, u64 *due);
void torus_ring_read(struct torus_ring *ring, const struct torus_control_receive *control);

bool torus_ring_writable(const struct torus_ring *ring, const struct torus_control_inject *control,
			 u32 chunks);
bool torus_ring_empty(const struct torus_ring *ring, const struct torus_control_inject *control);

/*
 * For poll(): check whether a reception ring has more chunks than the program's watermark. A higher
 * watermark counts as the length of the ring less @packet_chunks: above this level the next packet
 * may not fit, so the ring might never have more chunks.
 */
static inline bool torus_ring_readable(const struct torus_ring *ring,
				       const struct torus_control_receive *control,
				       u32 packet_chunks)
{
	u32 there = READ_ONCE(ring->tail) - READ_ONCE(control->head);

	return there > min(READ_ONCE(control->watermark), ring->chunks - packet_chunks);
}

#endif
