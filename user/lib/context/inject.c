// SPDX-License-Identifier: GPL-2.0
/*
 * Injection: packets into the rings that the engine reads.  The letters of
 * barriers are those of <linux/torus.h>.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "inject.h"
#include "packet.h"
#include "recorder.h"
#include "virtual_time.h"
#include "wait.h"

/**
 * torus_inject_normal() - may "any FIFO" mean this one?
 * @context: the context
 * @fifo: number of an injection FIFO
 *
 * Return: true unless it is a priority FIFO, or for packets that the library does not write.
 */
bool torus_inject_normal(const struct torus_context *context, unsigned int fifo)
{
	return (context->machine->fifos & ~context->info.inject_priority) >> fifo & 1;
}

/*
 * Chunks free in a ring, or a negative errno.  The kernel's head is only loaded
 * when it matters.
 */
static int inject_free(struct torus_context *context, struct torus_inject_fifo *fifo,
		       unsigned int wanted)
{
	__u32 held = fifo->tail - fifo->head;
	int ret;

	if (torus_context_forked(context))
		return torus_error_dead(context);
	if (fifo->chunks - held >= wanted)
		return fifo->chunks - held;
	ret = torus_vtime_sync(context, TORUS_LOOK_ROOM);
	if (ret)
		return ret;
	/* (A) What lies behind this head is no longer being read. */
	fifo->head = __atomic_load_n(&fifo->status->head, __ATOMIC_ACQUIRE);
	/* (J) */
	if (torus_context_dead(context))
		return torus_error_dead(context);
	held = fifo->tail - fifo->head;
	if (held > fifo->chunks) {
		fifo->head = fifo->tail - fifo->chunks;
		return torus_error_set(-EIO,
				       "injection FIFO %u: head %u, tail %u of a ring of %u",
				       (unsigned int)(fifo - context->inject),
				       fifo->status->head, fifo->tail, fifo->chunks);
	}
	return fifo->chunks - held;
}

static void inject_lacks(struct torus_inject_fifo *fifo, __u32 chunks)
{
	if (!fifo->lacked || chunks < fifo->lacked)
		fifo->lacked = chunks;
}

/**
 * torus_inject_reserve() - is there room?
 * @context: the context
 * @fifo: number of the FIFO, valid
 * @chunks: wanted; if there is none, the next sleep for room ends when there is
 *
 * Return: 0, -EAGAIN, -EIO or -ENODEV.
 */
int torus_inject_reserve(struct torus_context *context, unsigned int fifo, unsigned int chunks)
{
	int room = inject_free(context, &context->inject[fifo], chunks);

	if (room < 0)
		return room;
	if ((unsigned int)room >= chunks)
		return 0;
	inject_lacks(&context->inject[fifo], chunks);
	torus_vtime_poll_failed(context, TORUS_LOOK_ROOM);
	return torus_error_plain(-EAGAIN, "the injection FIFO has no room now");
}

/**
 * torus_inject_wait_begin() - before poll(2): show the kernel which rings lack room
 * @context: the context
 * @more: in: wait for most of a ring that lacks less.  Who fills a ring sends much, and would be
 *        woken to put in a packet a time; but so much may not come, so that the sleep must end
 *        by itself.  Out: is it waited for?
 *
 * Return: true if poll says POLLOUT when one of them has it; false if nothing is
 * known to be lacked, or the kernel cannot tell one ring from another.
 */
bool torus_inject_wait_begin(struct torus_context *context, bool *more)
{
	bool lacked = false, most = *more;
	unsigned int i;

	*more = false;
	if (!(context->info.features & TORUS_FEATURE_WANT))
		return false;
	for (i = 0; i < context->info.inject_fifos; i++)
		lacked |= context->inject[i].lacked != 0;
	for (i = 0; lacked && i < context->info.inject_fifos; i++) {
		const struct torus_inject_fifo *fifo = &context->inject[i];
		__u32 want = fifo->lacked;

		if (most && want && want < RING_MOST(fifo->chunks)) {
			want = RING_MOST(fifo->chunks);
			*more = true;
		}
		__atomic_store_n(&fifo->control->want, want, __ATOMIC_RELAXED);
	}
	return lacked;
}

/**
 * torus_inject_wait_end() - after poll(2): what was lacked is found out anew
 * @context: the context
 */
void torus_inject_wait_end(struct torus_context *context)
{
	unsigned int i;

	for (i = 0; i < context->info.inject_fifos; i++) {
		struct torus_inject_fifo *fifo = &context->inject[i];

		__atomic_store_n(&fifo->control->want, fifo->asked, __ATOMIC_RELAXED);
		fifo->lacked = 0;
	}
}

/**
 * torus_inject_place() - where the next packet of a ring goes, which has room for it
 * @context: the context
 * @fifo: number of the FIFO, valid
 * @bytes: length of the packet
 *
 * Return: its place in the ring; NULL when it goes over the ring's end: torus_inject_put().
 */
unsigned char *torus_inject_place(const struct torus_context *context, unsigned int fifo,
				  size_t bytes)
{
	const struct torus_inject_fifo *to = &context->inject[fifo];
	size_t chunk = context->info.chunk_bytes;
	size_t at = (to->tail & (to->chunks - 1)) * chunk;

	return at + bytes <= to->chunks * chunk ? to->ring + at : NULL;
}

/**
 * torus_inject_put() - write a part of a packet, for which there is room
 * @context: the context
 * @fifo: number of the FIFO, valid
 * @offset: place in the packet, in bytes
 * @data: the bytes; NULL: zeros
 * @bytes: their number
 */
void torus_inject_put(struct torus_context *context, unsigned int fifo, size_t offset,
		      const void *data, size_t bytes)
{
	struct torus_inject_fifo *to = &context->inject[fifo];
	size_t size = (size_t)to->chunks * context->info.chunk_bytes;
	size_t at = ((size_t)(to->tail & (to->chunks - 1)) * context->info.chunk_bytes + offset) &
		    (size - 1);
	size_t first = bytes < size - at ? bytes : size - at;

	if (!data) {
		memset(to->ring + at, 0, first);
		memset(to->ring, 0, bytes - first);
		return;
	}
	memcpy(to->ring + at, data, first);
	memcpy(to->ring, (const unsigned char *)data + first, bytes - first);
}

/**
 * torus_inject_commit() - a packet is complete in the ring, not yet shown
 * @context: the context
 * @fifo: number of the FIFO, valid
 * @chunks: its length
 */
void torus_inject_commit(struct torus_context *context, unsigned int fifo, unsigned int chunks)
{
	torus_vtime_inject(context, fifo, chunks);
	context->inject[fifo].tail += chunks;
	context->inject[fifo].lacked = 0;
	context->unshown |= 1u << fifo;
}

/**
 * torus_inject_publish() - show the kernel all committed packets, wake it if it sleeps
 * @context: the context
 *
 * Return: 0 or -ENODEV.
 */
int torus_inject_publish(struct torus_context *context)
{
	__u32 fifos = context->unshown;

	if (torus_context_forked(context))
		return torus_error_dead(context);
	if (!fifos)
		return 0;
	for (; fifos; fifos &= fifos - 1) {
		unsigned int i = __builtin_ctz(fifos);
		struct torus_inject_fifo *fifo = &context->inject[i];

		torus_record_inject(context, i);
		/* (B) The chunks before the tail. */
		__atomic_store_n(&fifo->control->tail, fifo->tail, __ATOMIC_RELEASE);
		fifo->published = fifo->tail;
	}
	context->unshown = 0;
	return torus_doorbell_check(context, TORUS_STATUS_DOORBELL);
}

static int inject_check(const struct torus_context *context, int fifo, const void *packet,
			size_t bytes)
{
	const struct torus_ioc_info *info = &context->info;
	size_t chunks = bytes / info->chunk_bytes;

	if (fifo != TORUS_FIFO_ANY && (fifo < 0 || (unsigned int)fifo >= info->inject_fifos))
		return torus_error_set(-EINVAL, "injection FIFO %d: this group has 0 to %u",
				       fifo, info->inject_fifos - 1);
	if (!chunks || bytes % info->chunk_bytes || chunks > info->packet_chunks_max)
		return torus_error_set(-EINVAL,
				       "packet of %zu bytes: it must be 1 to %u chunks of %u bytes",
				       bytes, info->packet_chunks_max, info->chunk_bytes);
	if (torus_packet_chunks(context, packet) != chunks)
		return torus_error_set(-EINVAL, "packet of %zu chunks: its header says %u",
				       chunks, torus_packet_chunks(context, packet));
	return 0;
}

/* Find a normal FIFO with room among the first @fifos, the one behind the last first. */
static int inject_any(struct torus_context *context, unsigned int chunks, unsigned int fifos)
{
	unsigned int at = context->inject_next;
	unsigned int i, next;
	int ret;

	/* no division where the next one is known: it takes longer than all else here */
	if (at >= fifos)
		at %= fifos;
	for (i = 0; i < fifos; i++, at = next) {
		next = at + 1 < fifos ? at + 1 : 0;
		if (!torus_inject_normal(context, at))
			continue;
		ret = torus_inject_reserve(context, at, chunks);
		if (ret == -EAGAIN)
			continue;
		if (ret)
			return ret;
		context->inject_next = next;
		return at;
	}
	return torus_error_plain(-EAGAIN, "no injection FIFO has room now");
}

/**
 * torus_inject_find() - find the FIFO to use, which has room
 * @context: the context
 * @fifo: its number, valid, or TORUS_FIFO_ANY
 * @chunks: wanted
 * @fifos: of TORUS_FIFO_ANY: a normal one of the first so many
 *
 * Return: its number, -EAGAIN, -EIO or -ENODEV.
 */
int torus_inject_find(struct torus_context *context, int fifo, unsigned int chunks,
		      unsigned int fifos)
{
	int ret;

	if (fifo == TORUS_FIFO_ANY)
		return inject_any(context, chunks, fifos);
	ret = torus_inject_reserve(context, fifo, chunks);
	return ret ? ret : fifo;
}

/* Write a packet without showing it. */
static int inject_write(struct torus_context *context, int fifo, const void *packet,
			size_t bytes)
{
	unsigned int chunks = bytes / context->info.chunk_bytes;

	fifo = torus_inject_find(context, fifo, chunks, context->info.inject_fifos);
	if (fifo < 0)
		return fifo;
	torus_inject_put(context, fifo, 0, packet, bytes);
	torus_inject_commit(context, fifo, chunks);
	return 0;
}

/**
 * torus_inject_try() - inject one packet if there is room
 * @context: the context
 * @fifo: injection FIFO, 0 to info.inject_fifos - 1, or TORUS_FIFO_ANY
 * @packet: the packet, machine's header first, see torus_packet_begin()
 * @bytes: its length, a multiple of info.chunk_bytes that agrees with the header
 *
 * The kernel looks at the packet later; what it refuses shows in
 * torus_inject_refused().
 *
 * Return: 0, -EAGAIN when the FIFO is full, -EINVAL, -EIO, -ENODEV.
 */
int torus_inject_try(struct torus_context *context, int fifo, const void *packet, size_t bytes)
{
	int ret = inject_check(context, fifo, packet, bytes);

	if (!ret)
		ret = inject_write(context, fifo, packet, bytes);
	return ret ? ret : torus_inject_publish(context);
}

/**
 * torus_inject_packet() - inject one packet, wait for room
 * @context: the context
 * @fifo: as torus_inject_try()
 * @packet: as torus_inject_try()
 * @bytes: as torus_inject_try()
 * @timeout_ms: -1 without limit, 0 not at all (-EAGAIN), else milliseconds
 *
 * It does not read the reception FIFOs while it waits: two programs that only
 * inject into each other wait forever.  Messages do not have that problem.
 *
 * Return: 0, -EAGAIN, -ETIMEDOUT, -EINTR, -EINVAL, -EIO, -ENODEV.
 */
int torus_inject_packet(struct torus_context *context, int fifo, const void *packet,
			size_t bytes, int timeout_ms)
{
	struct torus_waiter waiter;
	int ret;

	ret = torus_inject_try(context, fifo, packet, bytes);
	if (ret != -EAGAIN || !timeout_ms)
		return ret;
	torus_waiter_init(&waiter, context, timeout_ms);
	do {
		ret = torus_waiter_step(&waiter, POLLOUT);
		if (!ret)
			ret = torus_inject_try(context, fifo, packet, bytes);
	} while (ret == -EAGAIN);
	return ret;
}

/**
 * torus_inject_many() - inject packets while there is room, show them at once
 * @context: the context
 * @fifo: as torus_inject_try()
 * @packets: the packets
 * @count: their number
 *
 * Return: the number injected, from the first on, or when it is none: -EAGAIN,
 * -EINVAL, -EIO, -ENODEV.
 */
int torus_inject_many(struct torus_context *context, int fifo,
		      const struct torus_packet_buffer *packets, unsigned int count)
{
	unsigned int i;
	int published;
	int ret = 0;

	for (i = 0; i < count; i++) {
		ret = inject_check(context, fifo, packets[i].data, packets[i].bytes);
		if (!ret)
			ret = inject_write(context, fifo, packets[i].data, packets[i].bytes);
		if (ret)
			break;
	}
	published = torus_inject_publish(context);
	if (published)
		return published;
	return i ? (int)i : ret;
}

/**
 * torus_inject_raw() - put chunks into a ring as they are
 * @context: the context
 * @fifo: injection FIFO, not TORUS_FIFO_ANY
 * @data: the chunks
 * @chunks: their number, at most info.inject_chunks
 *
 * For tests of what the kernel refuses: the header is not looked at.
 *
 * Return: 0, -EAGAIN, -EINVAL, -EIO, -ENODEV.
 */
int torus_inject_raw(struct torus_context *context, int fifo, const void *data,
		     unsigned int chunks)
{
	int ret;

	if (fifo < 0 || (unsigned int)fifo >= context->info.inject_fifos)
		return torus_error_set(-EINVAL, "injection FIFO %d: this group has 0 to %u",
				       fifo, context->info.inject_fifos - 1);
	if (chunks > context->info.inject_chunks)
		return torus_error_set(-EINVAL, "%u chunks: the ring has %u", chunks,
				       context->info.inject_chunks);
	ret = torus_inject_reserve(context, fifo, chunks);
	if (ret)
		return ret;
	torus_inject_put(context, fifo, 0, data, (size_t)chunks * context->info.chunk_bytes);
	torus_inject_commit(context, fifo, chunks);
	return torus_inject_publish(context);
}

/**
 * torus_inject_want() - for whose room poll(2) on torus_context_fd() says POLLOUT
 * @context: the context
 * @fifo: injection FIFO, not TORUS_FIFO_ANY
 * @chunks: when its ring has room for so many; 0: it is not waited for
 *
 * As long as no ring is waited for, POLLOUT means room for a full packet in any
 * normal one.  Calls of this library that wait see to themselves.
 *
 * Return: 0, -EINVAL, -EOPNOTSUPP from a kernel that cannot tell rings apart.
 */
int torus_inject_want(struct torus_context *context, int fifo, __u32 chunks)
{
	if (fifo < 0 || (unsigned int)fifo >= context->info.inject_fifos)
		return torus_error_set(-EINVAL, "injection FIFO %d: this group has 0 to %u",
				       fifo, context->info.inject_fifos - 1);
	if (chunks > context->info.inject_chunks)
		return torus_error_set(-EINVAL, "room for %u chunks: the ring has %u", chunks,
				       context->info.inject_chunks);
	if (!(context->info.features & TORUS_FEATURE_WANT))
		return torus_error_set(-EOPNOTSUPP, "the kernel cannot wait for one ring");
	if (torus_context_forked(context))
		return torus_error_dead(context);
	context->inject[fifo].asked = chunks;
	__atomic_store_n(&context->inject[fifo].control->want, chunks, __ATOMIC_RELAXED);
	return 0;
}

/**
 * torus_inject_room() - free chunks of an injection ring
 * @context: the context
 * @fifo: injection FIFO, not TORUS_FIFO_ANY
 *
 * Return: chunks, 0 to info.inject_chunks, or -EINVAL, -EIO, -ENODEV.
 */
int torus_inject_room(struct torus_context *context, int fifo)
{
	int room;

	if (fifo < 0 || (unsigned int)fifo >= context->info.inject_fifos)
		return torus_error_set(-EINVAL, "injection FIFO %d: this group has 0 to %u",
				       fifo, context->info.inject_fifos - 1);
	/* More than any ring holds, so that the kernel's head is looked at. */
	room = inject_free(context, &context->inject[fifo], ~0u);
	if (room >= 0 && (unsigned int)room < context->inject[fifo].chunks)
		torus_vtime_poll_failed(context, TORUS_LOOK_ROOM);
	return room;
}

/**
 * torus_inject_idle() - has the kernel taken everything that was injected?
 * @context: the context
 *
 * Return: 1 if all rings are empty, 0 if not, -EIO or -ENODEV.
 */
int torus_inject_idle(struct torus_context *context)
{
	unsigned int i;
	int room;

	for (i = 0; i < context->info.inject_fifos; i++) {
		room = torus_inject_room(context, i);
		if (room < 0)
			return room;
		if ((unsigned int)room < context->inject[i].chunks) {
			inject_lacks(&context->inject[i], context->inject[i].chunks);
			return 0;
		}
	}
	return 1;
}

/**
 * torus_inject_spread() - spread over the injection FIFOs
 * @context: the context
 * @choice: any number
 *
 * Return: an injection FIFO that torus_inject_normal() has, always the same for a number.
 */
unsigned int torus_inject_spread(const struct torus_context *context, unsigned int choice)
{
	const struct torus_ioc_info *info = &context->info;
	unsigned int normal = 0, i;

	for (i = 0; i < info->inject_fifos; i++)
		normal += torus_inject_normal(context, i);
	if (!normal)
		return 0;
	choice %= normal;
	for (i = 0; i < info->inject_fifos; i++)
		if (torus_inject_normal(context, i) && !choice--)
			return i;
	return 0;
}

/**
 * torus_inject_choose() - the injection FIFO for a destination
 * @context: the context
 * @dest: coordinates of the destination, info.ndims of them
 *
 * A FIFO for each direction as far as the group has them: the first direction of the
 * deterministic route chooses, as in IBM's SPI.  Always the same FIFO for a
 * destination, so that packets in it keep their order.
 *
 * Return: an injection FIFO, never a priority one.
 */
int torus_inject_choose(const struct torus_context *context, const __u32 *dest)
{
	const struct torus_ioc_info *info = &context->info;
	const struct torus_machine_shape shape = {
		.ndims = info->ndims, .dims = info->dims, .mesh = info->mesh,
	};

	return torus_inject_spread(context, torus_machine_direction(&shape, info->coords, dest));
}

/**
 * torus_inject_refused() - packets refused since this was last asked
 * @context: the context
 * @refusal: out: how many, and the last one's FIFO and reason; may be NULL
 *
 * Return: 0 when none was refused, else 1; -ENODEV.
 */
int torus_inject_refused(struct torus_context *context, struct torus_refusal *refusal)
{
	struct torus_refusal found = { 0 };
	unsigned int i;
	int ret;

	if (torus_context_forked(context))
		return torus_error_dead(context);
	ret = torus_vtime_sync(context, TORUS_LOOK_STATUS);
	if (ret)
		return ret;
	for (i = 0; i < context->info.inject_fifos; i++) {
		struct torus_inject_fifo *fifo = &context->inject[i];
		__u64 refused = __atomic_load_n(&fifo->status->refused, __ATOMIC_ACQUIRE);

		if (refused == fifo->refused)
			continue;
		/* (J) */
		if (torus_context_dead(context))
			return torus_error_dead(context);
		found.packets += refused - fifo->refused;
		found.fifo = i;
		found.code = __atomic_load_n(&fifo->status->refuse_code, __ATOMIC_RELAXED);
		found.index = __atomic_load_n(&fifo->status->refuse_index, __ATOMIC_RELAXED);
		fifo->refused = refused;
	}
	if (refusal)
		*refusal = found;
	return found.packets != 0;
}
