// SPDX-License-Identifier: GPL-2.0
/*
 * Descriptors that the guest has filled in. A guest that writes the tail of a ring waits for
 * nothing: a work item pins the memory of the new descriptors and of their packets, and then writes
 * the tail into the node's register.
 *
 * The guest may change a descriptor after the work item has read it. The node then uses an address
 * that is not pinned, which is a DMA fault of this guest.
 */
#include <linux/minmax.h>
#include <linux/workqueue.h>

#include "doorbell.h"
#include "memory.h"
#include "vfio.h"

#define DOORBELL_ALL_ONES	(~0u)
/* Descriptors of a ring that are pinned in one go; other rings then have their turn. */
#define DOORBELL_BATCH		64u
/* The work item pauses for so long after an unmap. */
#define DOORBELL_PAUSE		(HZ / 50)
/* No machine has longer packets. */
#define DOORBELL_PACKET_MAX	4096u

static u32 doorbell_read(struct torus_vfio *v, u32 reg, u32 ring)
{
	return torus_read32(v->td, TORUS_PORT_AT_RING(reg, ring));
}

/**
 * torus_vfio_doorbell_at() - check whether an offset is that of a ring's tail
 * @offset: offset in BAR 0
 * @ring: [out] number of the ring
 *
 * Return: true if it is.
 */
bool torus_vfio_doorbell_at(u32 offset, u32 *ring)
{
	*ring = (offset - TORUS_PORT_TAIL) / TORUS_PORT_RING_STRIDE;
	return offset >= TORUS_PORT_TAIL && *ring < TORUS_PORT_RINGS &&
	       offset == TORUS_PORT_AT_RING(TORUS_PORT_TAIL, *ring);
}

/**
 * torus_vfio_doorbell_tail() - read the tail of a ring
 * @v: the function
 * @ring: number of the ring
 *
 * Return: the guest's tail; all ones if the node has no such ring, or is in a reset.
 */
u32 torus_vfio_doorbell_tail(struct torus_vfio *v, u32 ring)
{
	u32 tail = doorbell_read(v, TORUS_PORT_TAIL, ring);

	return tail == DOORBELL_ALL_ONES ? tail : READ_ONCE(v->doorbells.ring[ring].tail);
}

/**
 * torus_vfio_doorbell_ring() - the guest has written the tail of a ring
 * @v: the function
 * @ring: number of the ring
 * @tail: the tail
 *
 * The rules are those of the node: not before the last tail, and at most a ring beyond the head.
 *
 * Return: false if the tail is wrong. If the node has no such ring, the node itself decides.
 */
bool torus_vfio_doorbell_ring(struct torus_vfio *v, u32 ring, u32 tail)
{
	struct torus_vfio_doorbells *d = &v->doorbells;
	u32 length, head;
	bool right = true;

	spin_lock(&d->lock);
	length = doorbell_read(v, TORUS_PORT_LENGTH, ring);
	head = doorbell_read(v, TORUS_PORT_HEAD, ring);
	if (length == DOORBELL_ALL_ONES) {
		torus_write32_quiet(v->td, TORUS_PORT_AT_RING(TORUS_PORT_TAIL, ring), tail);
	} else if (tail - head > length || tail - head < d->ring[ring].tail - head) {
		right = false;
	} else {
		WRITE_ONCE(d->ring[ring].tail, tail);
		queue_delayed_work(system_unbound_wq, &d->work, 0);
	}
	spin_unlock(&d->lock);
	return right;
}

/* Pin a descriptor and the memory of its packet. Return: 0 or -EAGAIN. */
static int doorbell_pin(struct torus_vfio *v, u64 address)
{
	struct torus_port_descriptor descriptor;
	u32 bytes;
	int err;

	err = torus_vfio_memory_pin(v, address, sizeof(descriptor));
	if (err)
		return err;
	/* Otherwise the node reports the fault. */
	if (!torus_vfio_memory_access(v, address, &descriptor, sizeof(descriptor), false))
		return 0;
	bytes = min(le32_to_cpu(descriptor.length), DOORBELL_PACKET_MAX);
	return bytes ? torus_vfio_memory_pin(v, le64_to_cpu(descriptor.address), bytes) : 0;
}

/*
 * Pin new descriptors of a ring, and pass them on to the node. Return: 0; -EAGAIN after an unmap;
 * -EINPROGRESS if more may follow.
 */
static int doorbell_pass(struct torus_vfio *v, u32 ring)
{
	struct torus_vfio_doorbells *d = &v->doorbells;
	struct torus_vfio_ring *r = &d->ring[ring];
	u32 length, first, count, generation, n = 0;
	u64 base;
	int err = 0;

	spin_lock(&d->lock);
	generation = d->generation;
	first = r->passed;
	count = min(r->tail - first, DOORBELL_BATCH);
	spin_unlock(&d->lock);
	if (!count)
		return 0;
	base = (u64)doorbell_read(v, TORUS_PORT_BASE_HIGH, ring) << 32 |
	       doorbell_read(v, TORUS_PORT_BASE_LOW, ring);
	length = doorbell_read(v, TORUS_PORT_LENGTH, ring);
	/* The node was reset, or is gone: nothing is passed on. */
	if (!length || length == DOORBELL_ALL_ONES)
		return 0;
	while (n < count && !err) {
		err = doorbell_pin(v, base + (u64)((first + n) & (length - 1)) *
				   sizeof(struct torus_port_descriptor));
		if (!err)
			n++;
	}
	spin_lock(&d->lock);
	/* After a reset the ring is another one. */
	if (n && generation == d->generation) {
		r->passed = first + n;
		torus_write32_quiet(v->td, TORUS_PORT_AT_RING(TORUS_PORT_TAIL, ring), first + n);
	}
	spin_unlock(&d->lock);
	return err ?: -EINPROGRESS;
}

static void doorbell_work(struct work_struct *work)
{
	struct torus_vfio_doorbells *d = container_of(to_delayed_work(work),
						      struct torus_vfio_doorbells, work);
	struct torus_vfio *v = container_of(d, struct torus_vfio, doorbells);
	bool more = false, pause = false;
	u32 ring;
	int err;

	for (ring = 0; ring < TORUS_PORT_RINGS; ring++) {
		err = doorbell_pass(v, ring);
		more |= err == -EINPROGRESS;
		pause |= err == -EAGAIN;
	}
	if (more || pause)
		queue_delayed_work(system_unbound_wq, &d->work, pause ? DOORBELL_PAUSE : 0);
}

/**
 * torus_vfio_doorbell_init() - initialize the doorbells
 * @v: the function
 */
void torus_vfio_doorbell_init(struct torus_vfio *v)
{
	spin_lock_init(&v->doorbells.lock);
	INIT_DELAYED_WORK(&v->doorbells.work, doorbell_work);
}

/**
 * torus_vfio_doorbell_reset() - request a reset of the node: no descriptor is passed on any more
 * @v: the function
 */
void torus_vfio_doorbell_reset(struct torus_vfio *v)
{
	struct torus_vfio_doorbells *d = &v->doorbells;

	spin_lock(&d->lock);
	d->generation++;
	memset(d->ring, 0, sizeof(d->ring));
	torus_write32_quiet(v->td, TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	spin_unlock(&d->lock);
}

/**
 * torus_vfio_doorbell_stop() - wait until no descriptor is being pinned
 * @v: the function, reset; may sleep
 */
void torus_vfio_doorbell_stop(struct torus_vfio *v)
{
	cancel_delayed_work_sync(&v->doorbells.work);
}
