// SPDX-License-Identifier: GPL-2.0
/*
 * Reception: take packets out of the rings that the engine writes.  Barrier letters are those of
 * <linux/torus.h>.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "packet.h"
#include "receive.h"
#include "virtual_time.h"
#include "wait.h"

/* a sleep for many packets waits for at least this number of full packets */
#define MANY	2
#define LOOKS	8	/* packets read from non-empty rings between two polls of all rings */

/*
 * Poll one ring.  Return: 0 and @view, -EAGAIN (empty), -EIO, -ENODEV, -ECHILD, or an error of
 * torus_vtime_sync().
 */
static int receive_look(struct torus_context *context, unsigned int number,
			struct torus_view *view)
{
	struct torus_receive_fifo *fifo = &context->receive[number];
	size_t chunk = context->info.chunk_bytes;
	uint32_t held = fifo->tail - fifo->head;
	unsigned int chunks;
	uint32_t at, first;
	int ret;

	if (torus_context_forked(context))
		return torus_error_dead(context);
	if (!held) {
		ret = torus_vtime_sync(context, TORUS_LOOK_ARRIVAL);
		if (ret)
			return ret;
		/* (C) Load the tail before the chunks that it covers. */
		fifo->tail = __atomic_load_n(&fifo->status->tail, __ATOMIC_ACQUIRE);
		held = fifo->tail - fifo->head;
		if (!held)
			return torus_error_plain(-EAGAIN, "no packet has arrived yet");
	}
	at = fifo->head & (fifo->chunks - 1);
	chunks = torus_packet_chunks(context, fifo->ring + at * chunk);
	/* (J) Check that the ring was still mapped to the fabric when the header was read. */
	if (torus_context_dead(context)) {
		fifo->tail = fifo->head;
		return torus_error_dead(context);
	}
	if (held > fifo->chunks || !chunks || chunks > held) {
		uint32_t tail = fifo->tail;

		fifo->tail = fifo->head;
		return torus_error_set(-EIO,
				       "reception FIFO %u: a packet of %u chunks does not fit "
				       "between head %u and tail %u of a ring of %u",
				       number, chunks, fifo->head, tail, fifo->chunks);
	}
	first = chunks < fifo->chunks - at ? chunks : fifo->chunks - at;
	view->fifo = number;
	view->chunks = chunks;
	view->bytes = chunks * chunk;
	view->part[0] = fifo->ring + at * chunk;
	view->part_bytes[0] = first * chunk;
	view->part[1] = fifo->ring;
	view->part_bytes[1] = (chunks - first) * chunk;
	return 0;
}

/*
 * Check without a barrier whether a ring looks empty.  The check must be fast, because a waiting
 * caller polls all rings repeatedly.
 */
static bool receive_empty(const struct torus_receive_fifo *fifo)
{
	return fifo->tail == fifo->head &&
	       __atomic_load_n(&fifo->status->tail, __ATOMIC_RELAXED) == fifo->head;
}

/* Return one bit per ring, set if the ring looks non-empty. */
static uint32_t receive_glance(const struct torus_context *context)
{
	uint32_t shown = 0;
	unsigned int i;

	for (i = 0; i < context->info.receive_fifos; i++)
		if (!receive_empty(&context->receive[i]))
			shown |= 1u << i;
	return shown;
}

/*
 * Select the next non-empty ring in cyclic order from receive_next on.  While some rings have
 * packets, rings found empty are polled again only once in LOOKS calls.  Return: number of the
 * ring; info.receive_fifos if all are empty.
 */
static unsigned int receive_first(struct torus_context *context)
{
	uint32_t later;

	if (!context->shown || ++context->looks % LOOKS == 0)
		context->shown = receive_glance(context);
	if (!context->shown)
		return context->info.receive_fifos;
	later = context->shown >> context->receive_next << context->receive_next;
	return __builtin_ctz(later ? later : context->shown);
}

/* Report that a poll found no packet. */
static int receive_nothing(struct torus_context *context)
{
	if (torus_context_dead(context))
		return torus_error_dead(context);
	torus_vtime_poll_failed(context, TORUS_LOOK_ARRIVAL);
	return torus_error_plain(-EAGAIN, "no packet has arrived yet");
}

/* Read the next packet of any ring.  The next call starts its search at the following ring. */
static int receive_shown(struct torus_context *context, struct torus_view *view)
{
	unsigned int n = context->info.receive_fifos, at;
	int ret = -EAGAIN;

	while (ret == -EAGAIN) {
		at = receive_first(context);
		if (at == n)
			return receive_nothing(context);
		ret = receive_look(context, at, view);
		if (ret == -EAGAIN)
			context->shown &= ~(1u << at);
	}
	if (!ret)
		context->receive_next = at + 1 < n ? at + 1 : 0;
	return ret;
}

/*
 * Read the next packet of any ring in virtual time, where each poll of an empty ring waits for the
 * clock.
 */
static int receive_timed(struct torus_context *context, struct torus_view *view)
{
	unsigned int n = context->info.receive_fifos, at = context->receive_next, i;
	int ret;

	for (i = 0; i < n; i++, at = at + 1 < n ? at + 1 : 0) {
		ret = receive_look(context, at, view);
		if (ret == -EAGAIN)
			continue;
		if (!ret)
			context->receive_next = at + 1 < n ? at + 1 : 0;
		return ret;
	}
	return receive_nothing(context);
}

static int receive_check(const struct torus_context *context, int fifo)
{
	if (fifo == TORUS_FIFO_ANY ||
	    (fifo >= 0 && (unsigned int)fifo < context->info.receive_fifos))
		return 0;
	return torus_error_set(-EINVAL, "reception FIFO %d: must be 0 to %u in this group", fifo,
			       context->info.receive_fifos - 1);
}

/**
 * torus_receive_peek() - get the next packet without copying it
 * @context: the context
 * @fifo: reception FIFO, 0 to info.receive_fifos - 1, or TORUS_FIFO_ANY, which serves the FIFOs in
 *        turn
 * @view: [out] address of the packet; valid until torus_receive_advance()
 *
 * If the fabric is deleted meanwhile, the packet reads as zeros.  So call torus_context_check()
 * after reading, or check the result of torus_receive_advance().
 *
 * Return: 0, -EAGAIN when there is none, -EINVAL, -EIO, -ENODEV; in virtual time -EINTR, -EBUSY.
 */
int torus_receive_peek(struct torus_context *context, int fifo, struct torus_view *view)
{
	int ret = receive_check(context, fifo);

	if (ret)
		return ret;
	if (fifo != TORUS_FIFO_ANY) {
		ret = receive_look(context, fifo, view);
		return ret == -EAGAIN ? receive_nothing(context) : ret;
	}
	if (torus_context_forked(context))
		return torus_error_dead(context);
	return context->clock ? receive_timed(context, view) : receive_shown(context, view);
}

/**
 * torus_receive_consume() - free the chunks of a packet, without publishing the new head yet
 * @context: the context
 * @view: from torus_receive_peek()
 */
void torus_receive_consume(struct torus_context *context, const struct torus_view *view)
{
	context->receive[view->fifo].head += view->chunks;
	context->unreturned |= 1u << view->fifo;
	context->brought |= 1u << view->fifo;
	context->expected -= !!context->expected;
	torus_vtime_receive(context, view->chunks);
}

/**
 * torus_receive_publish() - return all freed chunks to the kernel, and wake the engine if it sleeps
 * @context: the context
 *
 * Return: 0, -ENODEV, or another error of torus_doorbell_check().
 */
int torus_receive_publish(struct torus_context *context)
{
	uint32_t fifos = context->unreturned;

	if (torus_context_forked(context))
		return torus_error_dead(context);
	if (!fifos)
		return 0;
	for (; fifos; fifos &= fifos - 1) {
		struct torus_receive_fifo *fifo = &context->receive[__builtin_ctz(fifos)];

		/* (D) Store the head after reading the chunks that it frees. */
		__atomic_store_n(&fifo->control->head, fifo->head, __ATOMIC_RELEASE);
		fifo->published = fifo->head;
	}
	context->unreturned = 0;
	/* A packet in the engine may wait for free space in the ring. */
	return torus_doorbell_check(context, TORUS_STATUS_HEAD);
}

/**
 * torus_receive_advance() - free the chunks of a packet, and return them to the kernel
 * @context: the context
 * @view: from torus_receive_peek(), used once
 *
 * Return: 0, or -ENODEV: the bytes read from the packet may be zeros.
 */
int torus_receive_advance(struct torus_context *context, const struct torus_view *view)
{
	torus_receive_consume(context, view);
	return torus_receive_publish(context);
}

/**
 * torus_view_copy() - copy bytes of a packet out of its ring
 * @view: the packet
 * @offset: index of the first byte in the packet
 * @to: [out] copy of the bytes
 * @bytes: number of bytes; @offset + @bytes is at most @view->bytes
 */
void torus_view_copy(const struct torus_view *view, size_t offset, void *to, size_t bytes)
{
	size_t first = 0;

	if (offset < view->part_bytes[0]) {
		first = view->part_bytes[0] - offset;
		if (first > bytes)
			first = bytes;
		memcpy(to, view->part[0] + offset, first);
	}
	if (first < bytes)
		memcpy((unsigned char *)to + first,
		       view->part[1] + (offset + first - view->part_bytes[0]), bytes - first);
}

/**
 * torus_receive_poll() - take the next packet if there is one
 * @context: the context
 * @fifo: as torus_receive_peek()
 * @packet: [out] bytes of the packet, machine's header first
 * @size: size of @packet in bytes
 *
 * Return: the packet's length in bytes, -EAGAIN when there is none, -EMSGSIZE (@size is too small;
 * the packet stays), -EINVAL, -EIO, -ENODEV; in virtual time also -EINTR or -EBUSY.
 */
int torus_receive_poll(struct torus_context *context, int fifo, void *packet, size_t size)
{
	struct torus_view view;
	int ret;

	ret = torus_receive_peek(context, fifo, &view);
	if (ret)
		return ret;
	if (view.bytes > size)
		return torus_error_set(-EMSGSIZE,
				       "packet of %zu bytes in reception FIFO %u: longer than the "
				       "buffer of %zu bytes",
				       view.bytes, view.fifo, size);
	torus_view_copy(&view, 0, packet, view.bytes);
	ret = torus_receive_advance(context, &view);
	return ret ? ret : (int)view.bytes;
}

/**
 * torus_receive_expect() - announce the number of packets that are still to arrive
 * @context: the context
 * @packets: number of packets, which each packet taken reduces by one; 0: not known
 *
 * A wait for a packet then first sleeps until many packets have arrived, at most three quarters of
 * a ring.  This sleep lasts at most about two milliseconds, or eight while packets arrive slowly.
 * After it the wait ends with the first packet, as without this call.  So the announced packets may
 * also arrive later, or never.  In virtual time this has no effect.
 */
void torus_receive_expect(struct torus_context *context, uint32_t packets)
{
	context->expected = packets;
}

/* Upper bound of the chunks still to arrive: the expected packets with their greatest length. */
static uint32_t receive_coming(const struct torus_context *context)
{
	__u64 chunks = (__u64)context->expected * context->info.packet_chunks_max;

	return chunks < ~0u ? chunks : ~0u;
}

/**
 * torus_receive_packet() - wait for the next packet and take it
 * @context: the context
 * @fifo: as torus_receive_peek()
 * @packet: [out] bytes of the packet
 * @size: size of @packet in bytes
 * @timeout_ms: milliseconds; -1: no limit, 0: do not wait (-EAGAIN)
 *
 * Return: the packet's length in bytes, -EAGAIN, -ETIMEDOUT, -EINTR, -EMSGSIZE, -EINVAL, -EIO,
 * -ENODEV; in virtual time also -EBUSY.
 */
int torus_receive_packet(struct torus_context *context, int fifo, void *packet, size_t size,
			 int timeout_ms)
{
	int ret = torus_receive_poll(context, fifo, packet, size);
	struct torus_waiter waiter;

	if (ret != -EAGAIN || !timeout_ms)
		return ret;
	torus_waiter_init(&waiter, context, timeout_ms);
	waiter.coming = receive_coming(context);
	do {
		ret = torus_waiter_step(&waiter, POLLIN);
		if (!ret)
			ret = torus_receive_poll(context, fifo, packet, size);
	} while (ret == -EAGAIN);
	return ret;
}

static void receive_mark(struct torus_receive_fifo *fifo, uint32_t chunks)
{
	__atomic_store_n(&fifo->control->watermark, chunks, __ATOMIC_RELAXED);
}

/**
 * torus_receive_wait_begin() - set watermarks before poll(2), to sleep until many packets are there
 * @context: the context
 * @coming: chunks still to arrive
 *
 * Without watermarks, each packet would wake a wait for many packets; one wake-up for most of a
 * ring is enough.  The packets may arrive in several FIFOs.  So the watermark of each FIFO is
 * @coming divided by a number of FIFOs, but not more than most of a ring.  The number is that of
 * the FIFOs that had packets since the last such sleep; if none had, that of the dimensions.
 * Packets may still arrive in other FIFOs, or not at all, so the caller must limit the sleep.
 *
 * Return: true if watermarks are set: call torus_receive_wait_end() after poll(2).
 */
bool torus_receive_wait_begin(struct torus_context *context, uint32_t coming)
{
	const struct torus_ioc_info *info = &context->info;
	uint32_t least = MANY * info->packet_chunks_max, mark = RING_MOST(info->receive_chunks);
	uint32_t fifos = 0, brought, share;
	unsigned int i;

	if (coming <= least)
		return false;
	/*
	 * count the set bits one by one: few are set, and a generic processor has no instruction
	 * for that
	 */
	for (brought = context->brought; brought; brought &= brought - 1)
		fifos++;
	fifos = fifos ? fifos : info->ndims;
	share = (coming - 1) / fifos;
	if (share < mark)
		mark = share;
	if (mark < least)
		return false;
	context->brought = 0;
	for (i = 0; i < info->receive_fifos; i++)
		receive_mark(&context->receive[i], mark);
	return true;
}

/**
 * torus_receive_wait_end() - restore the program's watermarks after poll(2)
 * @context: the context
 */
void torus_receive_wait_end(struct torus_context *context)
{
	unsigned int i;

	for (i = 0; i < context->info.receive_fifos; i++)
		receive_mark(&context->receive[i], context->receive[i].watermark);
}

/*
 * Check for a packet like torus_receive_peek(), but let the next search start at the same FIFO, so
 * that it finds the same packet.
 */
static int receive_any(struct torus_context *context, int fifo)
{
	unsigned int next = context->receive_next;
	struct torus_view view;
	int ret = torus_receive_peek(context, fifo, &view);

	if (!ret)
		context->receive_next = fifo == TORUS_FIFO_ANY ? view.fifo : next;
	return ret;
}

/**
 * torus_receive_wait() - wait for a packet, without taking it
 * @context: the context
 * @fifo: as torus_receive_peek()
 * @timeout_ms: milliseconds; -1: no limit, 0: do not wait (-EAGAIN)
 *
 * If a watermark is set, the sleep ends when a ring exceeds it.  A wait for one FIFO sleeps only
 * briefly while other FIFOs have packets.
 *
 * Return: 0 when there is one, -EAGAIN, -ETIMEDOUT, -EINTR, -EINVAL, -EIO, -ENODEV; in virtual time
 * also -EBUSY.
 */
int torus_receive_wait(struct torus_context *context, int fifo, int timeout_ms)
{
	struct torus_waiter waiter;
	int ret;

	ret = receive_any(context, fifo);
	if (ret != -EAGAIN || !timeout_ms)
		return ret;
	torus_waiter_init(&waiter, context, timeout_ms);
	waiter.coming = receive_coming(context);
	do {
		ret = torus_waiter_step(&waiter, POLLIN);
		if (!ret)
			ret = receive_any(context, fifo);
	} while (ret == -EAGAIN);
	return ret;
}

/**
 * torus_receive_watermark() - set how full a reception FIFO must be to wake poll(2)
 * @context: the context
 * @fifo: reception FIFO, or TORUS_FIFO_ANY for all
 * @chunks: poll(2) wakes when the ring has more than this number, or no space for a packet of
 *          maximum length; 0: with any packet; below info.receive_chunks
 *
 * Return: 0 or -EINVAL.
 */
int torus_receive_watermark(struct torus_context *context, int fifo, uint32_t chunks)
{
	unsigned int i;
	int ret;

	ret = receive_check(context, fifo);
	if (ret)
		return ret;
	if (chunks >= context->info.receive_chunks)
		return torus_error_set(-EINVAL, "watermark of %u chunks: must be at most the %u "
				       "chunks of the ring",
				       chunks, context->info.receive_chunks);
	if (torus_context_forked(context))
		return torus_error_dead(context);
	for (i = 0; i < context->info.receive_fifos; i++) {
		if (fifo != TORUS_FIFO_ANY && i != (unsigned int)fifo)
			continue;
		context->receive[i].watermark = chunks;
		receive_mark(&context->receive[i], chunks);
	}
	return 0;
}
