// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's end of a ring that is shared with a program.
 *
 * The program may write anything into its pages at any time. Therefore:
 * - The kernel keeps its own index, and the last valid copy of the program's index.
 * - It loads the program's index once per poll, and checks its distance from its own index.
 * - It trusts only its own copy of a packet.
 * - It reads no index back from the pages that it writes.
 *
 * Barriers (A) to (D) are those of <linux/torus.h>. For injection rings the kernel is the consumer:
 * (C) in torus_ring_load(), (D) in torus_ring_advance(). For reception rings the kernel is the
 * producer: (A) in torus_ring_read(), (B) in torus_ring_push(). The program's halves are in
 * user/lib.
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
 * Copy whole chunks, a multiple of 8 bytes. They are so short that a loop over words ends before
 * memcpy() would have started to copy.
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

/* Remove @chunks at the head, whether they were accepted or rejected. */
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
 * Load the tail. Return: false if its distance from the head exceeds the length of the ring. Then
 * the start of a packet cannot be found, so all chunks before the new tail are discarded.
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
 * Load a new tail, once per round. Otherwise a program that writes bad packets as fast as they are
 * rejected would keep the engine in one poll indefinitely. In virtual time no round begins: only
 * torus_ring_reveal() loads the tail.
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
 * @status: the kernel's index and counters, for the program to read
 * @size: function that returns the chunks of a packet by its header, 0 if invalid
 * @round: number of the engine's round
 * @room: maximum chunks; a longer packet is not taken
 * @bytes: [out] copy of the packet
 *
 * The packet stays in the ring until torus_ring_accept() or torus_ring_refuse().
 *
 * Return: enum torus_pull; with TORUS_PULL_PACKET, @ring->pending is the packet's length in chunks.
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

	/* Copy the first chunk only once: the size must be that of the copy. */
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

/* Accept the packet of torus_ring_pull(): it is in the network. */
void torus_ring_accept(struct torus_ring *ring, struct torus_status_inject *status)
{
	ring->packets++;
	WRITE_ONCE(status->packets, ring->packets);
	torus_ring_advance(ring, status, ring->pending);
	ring->pending = 0;
}

/* Reject the packet of torus_ring_pull(); @code: TORUS_REFUSE_*. */
void torus_ring_refuse(struct torus_ring *ring, struct torus_status_inject *status, u32 code)
{
	torus_ring_blame(ring, status, code, ring->pending);
	ring->pending = 0;
}

/**
 * torus_ring_read() - load the head of a reception ring: how far the program has read
 * @ring: the ring
 * @control: the program's index
 *
 * A head outside of the ring's contents is ignored.
 */
void torus_ring_read(struct torus_ring *ring, const struct torus_control_receive *control)
{
	u32 head = smp_load_acquire(&control->head);	/* (A) */

	ring->astray = ring->tail - head > ring->tail - ring->head;
	if (!ring->astray)
		ring->head = head;
}

/**
 * torus_ring_reveal() - virtual time: load the tail of an injection ring
 * @ring: the ring
 * @control: the program's index
 * @status: the kernel's index and counters, for the program to read
 * @floor: clock that the program reported before: smallest valid stamp of the new packets
 * @stamp: [out] stamp of the first new packet
 *
 * Return: true if there are new packets.
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
 * torus_ring_due() - virtual time: check whether the next packet may enter
 * @ring: an injection ring
 * @now: current tick
 * @clock: last clock that the program reported
 * @late: [out] the stamp is invalid, so the packet must be rejected
 * @due: [out] tick of the next packet if it may not enter yet, otherwise 0
 *
 * Return: true if there is a packet, and its tick is not later than @now or its stamp is invalid.
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
 * @status: the kernel's index and counters, for the program to read
 * @bytes: the packet
 * @chunks: length of the packet
 * @arrived: tick when its last byte arrived
 *
 * A head outside of the ring's contents is ignored: the last valid one stays, so that no unread
 * packet is overwritten.
 *
 * Return: false if the packet does not fit.
 */
bool torus_ring_push(struct torus_ring *ring, const struct torus_control_receive *control,
		     struct torus_status_receive *status, const u8 *bytes, u32 chunks,
		     u64 arrived)
{
	if (ring->chunks - (ring->tail - ring->head) < chunks) {
		/* In virtual time the head is loaded only at the program's clock. */
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
 * For poll(): check whether @chunks fit into an injection ring. If @chunks exceeds the length of
 * the ring, an empty ring suffices.
 */
bool torus_ring_writable(const struct torus_ring *ring, const struct torus_control_inject *control,
			 u32 chunks)
{
	u32 used = READ_ONCE(control->tail) - READ_ONCE(ring->head);

	return used <= ring->chunks && ring->chunks - used >= min(chunks, ring->chunks);
}

/* Check whether the kernel has taken all packets that the program has written. */
bool torus_ring_empty(const struct torus_ring *ring, const struct torus_control_inject *control)
{
	return READ_ONCE(control->tail) == ring->head;
}
