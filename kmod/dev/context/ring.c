// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's end of a ring that is shared with a program.
 *
 * The program may write anything into its pages at any moment.  So the kernel
 * keeps its own index and its last good copy of the program's, loads the
 * program's once for each look, takes it as a distance, and believes nothing of
 * a packet but the copy it has made.  Status pages are written, never read.
 *
 * The barriers (A) to (D) are those of <linux/torus.h>.  Injection rings: the kernel
 * is the consumer, (C) in torus_ring_load(), (D) in torus_ring_advance().
 * Reception rings: the kernel is the producer, (A) in torus_ring_read(), (B) in torus_ring_push().
 * The program's halves are in user/lib.
 */
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/nospec.h>
#include <linux/string.h>
#include <asm/barrier.h>

#include "ring.h"

static u32 torus_ring_place(const struct torus_ring *ring, u32 index)
{
	return array_index_nospec(index & (ring->chunks - 1), ring->chunks);
}

/*
 * Copy whole chunks, a multiple of 8 bytes: so few that a loop of words is done before memcpy()
 * would have begun.
 */
static void torus_ring_copy(u8 *to, const u8 *from, u32 bytes)
{
	for (; bytes >= 32; bytes -= 32, to += 32, from += 32)
		__builtin_memcpy(to, from, 32);
	for (; bytes; bytes -= 8, to += 8, from += 8)
		__builtin_memcpy(to, from, 8);
}

static inline void torus_ring_copy_out(const struct torus_ring *ring, u32 index, u32 chunks,
				       u8 *bytes)
{
	u32 place = torus_ring_place(ring, index);
	u32 first = min(chunks, ring->chunks - place) * ring->chunk_bytes;

	torus_ring_copy(bytes, ring->data + place * ring->chunk_bytes, first);
	torus_ring_copy(bytes + first, ring->data, chunks * ring->chunk_bytes - first);
}

static void torus_ring_copy_in(struct torus_ring *ring, u32 index, u32 chunks, const u8 *bytes)
{
	u32 place = torus_ring_place(ring, index);
	u32 first = min(chunks, ring->chunks - place) * ring->chunk_bytes;

	torus_ring_copy(ring->data + place * ring->chunk_bytes, bytes, first);
	torus_ring_copy(ring->data, bytes + first, chunks * ring->chunk_bytes - first);
}

/* Done with @chunks at the head, whatever became of them. */
static void torus_ring_advance(struct torus_ring *ring, struct torus_status_inject *status,
			       u32 chunks)
{
	WRITE_ONCE(ring->head, ring->head + chunks);
	smp_store_release(&status->head, ring->head);		/* (D) */
}

static void torus_ring_blame(struct torus_ring *ring, struct torus_status_inject *status, u32 code,
			     u32 chunks)
{
	ring->refused++;
	WRITE_ONCE(status->refuse_code, code);
	WRITE_ONCE(status->refuse_index, ring->head);
	WRITE_ONCE(status->refused, ring->refused);
	torus_ring_advance(ring, status, chunks);
}

/*
 * Load the tail.  Return: false if it is further away than the ring is long.  Then nobody knows
 * where packets begin, and everything before the new tail is thrown away.
 */
static bool torus_ring_load(struct torus_ring *ring, const struct torus_control_inject *control,
			    struct torus_status_inject *status)
{
	u32 tail = smp_load_acquire(&control->tail);		/* (C) */

	ring->tail = tail;
	if (tail - ring->head <= ring->chunks)
		return true;
	torus_ring_blame(ring, status, TORUS_REFUSE_TAIL, tail - ring->head);
	return false;
}

/*
 * Look for a new tail, once a round: else a program that writes refused packets
 * as fast as they are refused would keep the engine in one look for ever.  In virtual time
 * no round begins, and torus_ring_reveal() alone loads it.
 */
static bool torus_ring_look(struct torus_ring *ring, const struct torus_control_inject *control,
			    struct torus_status_inject *status, u32 round)
{
	if (ring->round == round)
		return true;
	ring->round = round;
	return torus_ring_load(ring, control, status);
}

/**
 * torus_ring_pull() - copy the next packet out of an injection ring
 * @ring: the ring
 * @control: the program's index
 * @status: the kernel's, for the program to see
 * @size: chunks of a packet by its header, 0 for no legal size
 * @round: number of the engine's round
 * @room: take no packet of more chunks
 * @bytes: the copy
 *
 * The packet stays in the ring until torus_ring_accept() or torus_ring_refuse().
 *
 * Return: what there was; with TORUS_PULL_PACKET, @ring->pending is its chunks.
 */
enum torus_pull torus_ring_pull(struct torus_ring *ring, const struct torus_control_inject *control,
				struct torus_status_inject *status, u32 (*size)(const u8 *bytes),
				u32 round, u32 room, u8 *bytes)
{
	u32 chunks, there;

	if (!torus_ring_look(ring, control, status, round))
		return TORUS_PULL_TAIL;
	there = ring->tail - ring->head;
	if (!there || !room)
		return TORUS_PULL_NONE;

	/* The first chunk is copied once: the size is that of the copy. */
	torus_ring_copy_out(ring, ring->head, 1, bytes);
	chunks = size(bytes);
	if (!chunks || chunks > there) {
		torus_ring_blame(ring, status, TORUS_REFUSE_SIZE, there);
		return TORUS_PULL_BAD;
	}
	if (chunks > room)
		return TORUS_PULL_NONE;
	torus_ring_copy_out(ring, ring->head + 1, chunks - 1, bytes + ring->chunk_bytes);
	ring->pending = chunks;
	return TORUS_PULL_PACKET;
}

/* The packet that torus_ring_pull() gave is in the network. */
void torus_ring_accept(struct torus_ring *ring, struct torus_status_inject *status)
{
	ring->packets++;
	WRITE_ONCE(status->packets, ring->packets);
	torus_ring_advance(ring, status, ring->pending);
	ring->pending = 0;
}

/* The packet that torus_ring_pull() gave was refused with TORUS_REFUSE_* @code. */
void torus_ring_refuse(struct torus_ring *ring, struct torus_status_inject *status, u32 code)
{
	torus_ring_blame(ring, status, code, ring->pending);
	ring->pending = 0;
}

/**
 * torus_ring_read() - load how far the program has read
 * @ring: a reception ring
 * @control: the program's index
 *
 * A head that lies outside of what is in the ring is not believed.
 */
void torus_ring_read(struct torus_ring *ring, const struct torus_control_receive *control)
{
	u32 head = smp_load_acquire(&control->head);	/* (A) */

	ring->astray = ring->tail - head > ring->tail - ring->head;
	if (!ring->astray)
		ring->head = head;
}

/**
 * torus_ring_reveal() - in virtual time: what the program has put in until now is known
 * @ring: an injection ring
 * @control: the program's index
 * @status: the kernel's, for the program to see
 * @floor: the clock that was known before: no stamp may be less
 * @stamp: out: of the first packet that was not known
 *
 * Return: false if there is none.
 */
bool torus_ring_reveal(struct torus_ring *ring, const struct torus_control_inject *control,
		       struct torus_status_inject *status, u64 floor, u64 *stamp)
{
	u32 known = ring->tail;

	if (!torus_ring_load(ring, control, status) || ring->tail == known)
		return false;
	ring->known = known;
	ring->floor = floor;
	*stamp = READ_ONCE(ring->ticks[torus_ring_place(ring, known)]);
	return true;
}

/**
 * torus_ring_due() - in virtual time: has the tick of the next packet come?
 * @ring: an injection ring
 * @now: the tick
 * @clock: the program's, as it is known
 * @late: out: it cannot have been stamped like that: it is to be refused
 * @due: out: if it has not, and there is a packet: its tick; else 0
 *
 * Return: true if it has.
 */
bool torus_ring_due(struct torus_ring *ring, u64 now, u64 clock, bool *late, u64 *due)
{
	u64 stamp;

	*late = false;
	*due = 0;
	if (ring->tail == ring->head)
		return false;
	stamp = READ_ONCE(ring->ticks[torus_ring_place(ring, ring->head)]);
	*late = stamp < ring->stamp || stamp > clock ||
		(stamp < ring->floor && (s32)(ring->head - ring->known) >= 0);
	if (!*late && stamp > now) {
		*due = stamp;
		return false;
	}
	if (!*late)
		ring->stamp = stamp;
	return true;
}

/**
 * torus_ring_push() - write a packet into a reception ring
 * @ring: the ring
 * @control: the program's index
 * @status: the kernel's, for the program to see
 * @bytes: the packet
 * @chunks: its length
 * @arrived: tick of its last byte
 *
 * A head that lies outside of what is in the ring is not believed: the last good
 * one stays, so that nothing unread is overwritten.
 *
 * Return: false when there is no room.
 */
bool torus_ring_push(struct torus_ring *ring, const struct torus_control_receive *control,
		     struct torus_status_receive *status, const u8 *bytes, u32 chunks,
		     u64 arrived)
{
	if (ring->chunks - (ring->tail - ring->head) < chunks) {
		/* in virtual time a program's reading is known at its clock */
		if (!ring->ticks)
			torus_ring_read(ring, control);
		if (ring->chunks - (ring->tail - ring->head) < chunks)
			return false;
	}
	torus_ring_copy_in(ring, ring->tail, chunks, bytes);
	if (ring->ticks)
		WRITE_ONCE(ring->ticks[torus_ring_place(ring, ring->tail)], arrived);
	ring->packets++;
	WRITE_ONCE(status->packets, ring->packets);
	WRITE_ONCE(status->arrived, arrived);
	WRITE_ONCE(ring->tail, ring->tail + chunks);
	smp_store_release(&status->tail, ring->tail);		/* (B) */
	return true;
}

/*
 * poll(): is there room for so many chunks in this injection ring?  For more than it
 * has there never is: an empty ring will do.
 */
bool torus_ring_writable(const struct torus_ring *ring, const struct torus_control_inject *control,
			 u32 chunks)
{
	u32 used = READ_ONCE(control->tail) - READ_ONCE(ring->head);

	return used <= ring->chunks && ring->chunks - used >= min(chunks, ring->chunks);
}

/* Has the kernel taken everything that the program has put in? */
bool torus_ring_empty(const struct torus_ring *ring, const struct torus_control_inject *control)
{
	return READ_ONCE(control->tail) == ring->head;
}
