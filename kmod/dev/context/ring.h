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
 * @data: the chunks
 * @ticks: virtual time: stamps of packets, or when they came, at the place of their first chunk
 * @chunks: their number, a power of two
 * @chunk_bytes: bytes of a chunk
 * @head: chunks taken out.  Injection: the truth.  Reception: the last head of
 *        the program's that could be believed
 * @tail: chunks put in.  Reception: the truth.  Injection: the last tail of the
 *        program's that could be believed
 * @pending: injection: chunks of the packet that the core judges now
 * @round: injection: round of the engine in which @tail was loaded
 * @refused: injection: packets refused
 * @packets: packets accepted, or written into the ring
 * @known: injection, virtual time: from here on packets are stamped @floor or later
 * @floor: see @known
 * @stamp: of the packet that was taken last
 * @woken: tick for which the node is to be looked at, and 1: torus_nic_wake_by()
 * @astray: reception: the program's last head lay beyond what was in the ring
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

/* What torus_ring_pull() found. */
enum torus_pull {
	TORUS_PULL_NONE,	/* nothing that has room */
	TORUS_PULL_PACKET,	/* a packet, to be accepted or refused */
	TORUS_PULL_BAD,		/* chunks that are no packet: refused already */
	TORUS_PULL_TAIL,	/* a tail that cannot be, likewise */
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
 * poll(): has this reception ring something that the program waits for?  A
 * watermark which it could never pass counts as a full ring.
 */
static inline bool torus_ring_readable(const struct torus_ring *ring,
				       const struct torus_control_receive *control,
				       u32 packet_chunks)
{
	u32 there = READ_ONCE(ring->tail) - READ_ONCE(control->head);

	return there > min(READ_ONCE(control->watermark), ring->chunks - packet_chunks);
}

#endif
