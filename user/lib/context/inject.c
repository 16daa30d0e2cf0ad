// SPDX-License-Identifier: GPL-2.0
/*
 * Injection: write packets into the rings that the engine reads.  Barrier letters are those of
 * <linux/torus.h>.
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
 * torus_inject_normal() - check whether TORUS_FIFO_ANY may select an injection FIFO
 * @context: the context
 * @fifo: number of the injection FIFO
 *
 * Return: false for priority FIFOs, for FIFOs of the second class of packets (TORUS_ROUTE_SECOND),
 * and for FIFOs whose packets the library does not write itself; else true.
 */
bool torus_inject_normal(const struct torus_context *context, unsigned int fifo)
{
	return (context->machine->fifos & ~context->info.inject_priority) >> fifo & 1;
}

/*
 * Get the number of free chunks of a ring, or a negative errno.  Load the kernel's head only if the
 * head loaded last leaves less than @wanted chunks.
 */
static int inject_free(struct torus_context *context, struct torus_inject_fifo *fifo,
		       unsigned int wanted)
{
	uint32_t held = fifo->tail - fifo->head;
	int ret;

	if (torus_context_forked(context))
		return torus_error_dead(context);
	if (fifo->chunks - held >= wanted)
		return fifo->chunks - held;
	ret = torus_vtime_sync(context, TORUS_LOOK_ROOM);
	if (ret)
		return ret;
	/* (A) Load the head before writing the chunks that it frees. */
	fifo->head = __atomic_load_n(&fifo->status->head, __ATOMIC_ACQUIRE);
	/* (J) */
	if (torus_context_dead(context))
		return torus_error_dead(context);
	held = fifo->tail - fifo->head;
	if (held > fifo->chunks) {
		fifo->head = fifo->tail - fifo->chunks;
		return torus_error_set(-EIO,
				       "injection FIFO %u: head %u and tail %u do not fit a ring "
				       "of %u chunks",
				       (unsigned int)(fifo - context->inject),
				       fifo->status->head, fifo->tail, fifo->chunks);
	}
	return fifo->chunks - held;
}

static void inject_lacks(struct torus_inject_fifo *fifo, uint32_t chunks)
{
	if (!fifo->lacked || chunks < fifo->lacked)
		fifo->lacked = chunks;
}

/**
 * torus_inject_reserve() - check for free space in a ring
 * @context: the context
 * @fifo: valid number of the FIFO
 * @chunks: chunks needed; if the ring has less, the next sleep for free space waits for this number
 *
 * Return: 0, -EAGAIN, -EIO, -ENODEV, or an error of torus_vtime_sync().
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
	return torus_error_plain(-EAGAIN, "the injection FIFO has no free space now");
}

/**
 * torus_inject_wait_begin() - request before poll(2) which rings the sleep waits for
 * @context: the context
 * @more: [in] wait until most of the ring is free, even if less is needed.  Otherwise a sender of
 *        many packets would be woken for each packet.  This space may never become free, so the
 *        caller must limit the sleep. [out] the sleep waits for more free space than is needed
 *
 * Return: true if poll(2) reports POLLOUT when one of the rings has the requested space.  Return
 * false if no ring is known to lack space, or the kernel does not support requests for single
 * rings.
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
		uint32_t want = fifo->lacked;

		if (most && want && want < RING_MOST(fifo->chunks)) {
			want = RING_MOST(fifo->chunks);
			*more = true;
		}
		__atomic_store_n(&fifo->control->want, want, __ATOMIC_RELAXED);
	}
	return lacked;
}

/**
 * torus_inject_wait_end() - restore the requests of torus_inject_want() after poll(2)
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
 * torus_inject_place() - get the address of the next packet in a ring with enough free space
 * @context: the context
 * @fifo: valid number of the FIFO
 * @bytes: length of the packet
 *
 * Return: address in the ring; NULL if the packet wraps around: use torus_inject_put().
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
 * torus_inject_put() - write a part of the next packet into a ring with enough free space
 * @context: the context
 * @fifo: valid number of the FIFO
 * @offset: offset in the packet, in bytes
 * @data: the bytes; NULL: zeros
 * @bytes: number of bytes
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
 * torus_inject_commit() - append the packet that was written to its ring, without publishing it
 * @context: the context
 * @fifo: valid number of the FIFO
 * @chunks: length of the packet
 */
void torus_inject_commit(struct torus_context *context, unsigned int fifo, unsigned int chunks)
{
	torus_vtime_inject(context, fifo, chunks);
	context->inject[fifo].tail += chunks;
	context->inject[fifo].lacked = 0;
	context->unshown |= 1u << fifo;
}

/**
 * torus_inject_publish() - publish all committed packets, and wake the engine if it sleeps
 * @context: the context
 *
 * Return: 0, -ENODEV, or another error of torus_doorbell_check().
 */
int torus_inject_publish(struct torus_context *context)
{
	uint32_t fifos = context->unshown;

	if (torus_context_forked(context))
		return torus_error_dead(context);
	if (!fifos)
		return 0;
	for (; fifos; fifos &= fifos - 1) {
		unsigned int i = __builtin_ctz(fifos);
		struct torus_inject_fifo *fifo = &context->inject[i];

		torus_record_inject(context, i);
		/* (B) Store the tail after the chunks that it covers. */
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
		return torus_error_set(-EINVAL, "injection FIFO %d: must be 0 to %u in this group",
				       fifo, info->inject_fifos - 1);
	if (!chunks || bytes % info->chunk_bytes || chunks > info->packet_chunks_max)
		return torus_error_set(-EINVAL,
				       "packet of %zu bytes: must be 1 to %u chunks of %u bytes",
				       bytes, info->packet_chunks_max, info->chunk_bytes);
	if (torus_packet_chunks(context, packet) != chunks)
		return torus_error_set(-EINVAL,
				       "packet of %zu chunks: the length in its header is %u",
				       chunks, torus_packet_chunks(context, packet));
	return 0;
}

/*
 * Find a normal FIFO with enough free space among the first @fifos, starting after the FIFO used
 * last.
 */
static int inject_any(struct torus_context *context, unsigned int chunks, unsigned int fifos)
{
	unsigned int at = context->inject_next;
	unsigned int i, next;
	int ret;

	/* avoid the modulo operation: a division takes longer than the rest of this function */
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
	return torus_error_plain(-EAGAIN, "no injection FIFO has free space now");
}

/**
 * torus_inject_find() - find an injection FIFO with enough free space
 * @context: the context
 * @fifo: valid number of the FIFO, or TORUS_FIFO_ANY
 * @chunks: chunks needed
 * @fifos: with TORUS_FIFO_ANY: select a normal FIFO below this number
 *
 * Return: number of the FIFO, -EAGAIN, -EIO, -ENODEV, or an error of torus_vtime_sync().
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

/* Write and commit a packet without publishing it. */
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
 * torus_inject_try() - inject one packet if there is free space
 * @context: the context
 * @fifo: injection FIFO, 0 to info.inject_fifos - 1, or TORUS_FIFO_ANY
 * @packet: the packet, machine's header first, see torus_packet_begin()
 * @bytes: length of the packet, a multiple of info.chunk_bytes that agrees with the header
 *
 * The kernel validates the packet later: see torus_inject_refused() for rejected ones.
 *
 * Return: 0, -EAGAIN when the FIFO is full, -EINVAL, -EIO, -ENODEV; in virtual time also -EINTR or
 * -EBUSY.
 */
int torus_inject_try(struct torus_context *context, int fifo, const void *packet, size_t bytes)
{
	int ret = inject_check(context, fifo, packet, bytes);

	if (!ret)
		ret = inject_write(context, fifo, packet, bytes);
	return ret ? ret : torus_inject_publish(context);
}

/**
 * torus_inject_packet() - inject one packet, and wait for free space
 * @context: the context
 * @fifo: as torus_inject_try()
 * @packet: as torus_inject_try()
 * @bytes: as torus_inject_try()
 * @timeout_ms: milliseconds; -1: no limit, 0: do not wait (-EAGAIN)
 *
 * The wait does not read the reception FIFOs: two programs that only inject packets to each other
 * may wait indefinitely.  Messages do not have that problem.
 *
 * Return: 0, -EAGAIN, -ETIMEDOUT, -EINTR, -EINVAL, -EIO, -ENODEV; in virtual time also -EBUSY.
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
 * torus_inject_many() - inject packets while there is free space, and publish all at once
 * @context: the context
 * @fifo: as torus_inject_try()
 * @packets: array of packets
 * @count: number of packets
 *
 * Return: the number of packets injected, counted from the first; if it is 0: -EAGAIN, -EINVAL,
 * -EIO, and in virtual time -EINTR or -EBUSY.  -ENODEV.
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
 * torus_inject_raw() - write chunks into a ring without checking the header
 * @context: the context
 * @fifo: injection FIFO, not TORUS_FIFO_ANY
 * @data: the chunks
 * @chunks: number of chunks, at most info.inject_chunks
 *
 * Used by tests of packets that the kernel rejects, and to write commands for RDMA engines.
 *
 * Return: 0, -EAGAIN, -EINVAL, -EIO, -ENODEV; in virtual time also -EINTR or -EBUSY.
 */
int torus_inject_raw(struct torus_context *context, int fifo, const void *data,
		     unsigned int chunks)
{
	int ret;

	if (fifo < 0 || (unsigned int)fifo >= context->info.inject_fifos)
		return torus_error_set(-EINVAL, "injection FIFO %d: must be 0 to %u in this group",
				       fifo, context->info.inject_fifos - 1);
	if (chunks > context->info.inject_chunks)
		return torus_error_set(-EINVAL,
				       "%u chunks: must be at most the %u chunks of the ring",
				       chunks,
				       context->info.inject_chunks);
	ret = torus_inject_reserve(context, fifo, chunks);
	if (ret)
		return ret;
	torus_inject_put(context, fifo, 0, data, (size_t)chunks * context->info.chunk_bytes);
	torus_inject_commit(context, fifo, chunks);
	return torus_inject_publish(context);
}

/**
 * torus_inject_want() - select the ring whose free space poll(2) reports as POLLOUT
 * @context: the context
 * @fifo: injection FIFO, not TORUS_FIFO_ANY
 * @chunks: free chunks for which POLLOUT is reported; 0: do not report this ring
 *
 * While no ring is selected, POLLOUT means free space for a full packet in any normal ring.  This
 * applies to poll(2) on torus_context_fd(); calls of this library that wait select rings
 * themselves.
 *
 * Return: 0, -EINVAL, -EOPNOTSUPP (the kernel does not support requests for single rings).
 */
int torus_inject_want(struct torus_context *context, int fifo, uint32_t chunks)
{
	if (fifo < 0 || (unsigned int)fifo >= context->info.inject_fifos)
		return torus_error_set(-EINVAL, "injection FIFO %d: must be 0 to %u in this group",
				       fifo, context->info.inject_fifos - 1);
	if (chunks > context->info.inject_chunks)
		return torus_error_set(-EINVAL,
				       "free space for %u chunks: must be at most the %u chunks of "
				       "the ring", chunks, context->info.inject_chunks);
	if (!(context->info.features & TORUS_FEATURE_WANT))
		return torus_error_set(-EOPNOTSUPP,
				       "this version of the kernel module cannot wait for a single "
				       "ring");
	if (torus_context_forked(context))
		return torus_error_dead(context);
	context->inject[fifo].asked = chunks;
	__atomic_store_n(&context->inject[fifo].control->want, chunks, __ATOMIC_RELAXED);
	return 0;
}

/**
 * torus_inject_room() - get the number of free chunks of an injection ring
 * @context: the context
 * @fifo: injection FIFO, not TORUS_FIFO_ANY
 *
 * Return: chunks, 0 to info.inject_chunks, or -EINVAL, -EIO, -ENODEV; in virtual time also -EINTR
 * or -EBUSY.
 */
int torus_inject_room(struct torus_context *context, int fifo)
{
	int room;

	if (fifo < 0 || (unsigned int)fifo >= context->info.inject_fifos)
		return torus_error_set(-EINVAL, "injection FIFO %d: must be 0 to %u in this group",
				       fifo, context->info.inject_fifos - 1);
	/* Request more than any ring has, so that inject_free() loads the kernel's head. */
	room = inject_free(context, &context->inject[fifo], ~0u);
	if (room >= 0 && (unsigned int)room < context->inject[fifo].chunks)
		torus_vtime_poll_failed(context, TORUS_LOOK_ROOM);
	return room;
}

/**
 * torus_inject_idle() - check whether the kernel has taken all injected packets
 * @context: the context
 *
 * Return: 1 if all rings are empty, 0 if not, -EIO, -ENODEV; in virtual time also -EINTR or -EBUSY.
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
 * torus_inject_spread() - map a number to one of the normal injection FIFOs
 * @context: the context
 * @choice: any number; the same number always gives the same FIFO
 *
 * Return: an injection FIFO for which torus_inject_normal() is true; 0 if there is none.
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
 * torus_inject_choose() - select the injection FIFO for a destination
 * @context: the context
 * @dest: array of info.ndims coordinates of the destination
 *
 * The first direction in dimension order (torus_machine_direction()) selects the FIFO, as in IBM's
 * SPI: one FIFO per direction if the group has enough.  A destination always has the same FIFO, so
 * that packets in it keep their order.
 *
 * Return: as torus_inject_spread().
 */
int torus_inject_choose(const struct torus_context *context, const uint32_t *dest)
{
	const struct torus_ioc_info *info = &context->info;
	const struct torus_machine_shape shape = {
		.ndims = info->ndims, .dims = info->dims, .mesh = info->mesh,
	};

	return torus_inject_spread(context, torus_machine_direction(&shape, info->coords, dest));
}

/**
 * torus_inject_refused() - get the packets that the kernel has rejected since the last call
 * @context: the context
 * @refusal: [out] number of packets of all FIFOs; the highest FIFO with one, and the reason of the
 *           last one there; may be NULL
 *
 * Return: 0 if none was rejected, else 1; -ENODEV; in virtual time also -EINTR or -EBUSY.
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
