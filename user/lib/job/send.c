// SPDX-License-Identifier: GPL-2.0
/*
 * Send messages: queue a message, wait until it is sent, or wait until all messages have arrived.
 */
#include <errno.h>
#include <stdlib.h>
#include "../context/completion.h"
#include "../context/error.h"
#include "../context/wait.h"
#include "check.h"
#include "job.h"
#include "liveness.h"
#include "move.h"
#include "peer.h"
#include "push.h"
#include "queue.h"
#include "reassembly.h"
#include "relay.h"
#include "send.h"
#include "send_errors.h"
#include "send_rest.h"
#include "send_wait.h"

/*
 * Give up a message.  The receiver expects consecutive message numbers.  If no packet of the
 * message was sent, the next message gets its number.  If packets of the message were sent, or
 * other messages follow it, the receiver misses packets.  If packets may overtake each other, the
 * receiver waits for them indefinitely, so no more messages can be sent to that rank.
 */
static void send_give_up(struct torus_job *job, struct torus_send *send)
{
	struct peer *peer = send->peer;
	bool whole = !send->index && !send->next;

	torus_queue_remove(job, send);
	send->peer = NULL;
	if (whole) {
		peer->send_number--;
	} else if (!job->ordered) {
		peer->broken = true;
		torus_send_fail(job, peer, -ENOTCONN);
	}
}

/*
 * Reject a message to a rank that still waits for packets of a message that was given up: see
 * send_give_up().
 */
static int send_broken(const struct peer *peer)
{
	if (!peer->broken)
		return 0;
	return torus_error_set(-ENOTCONN,
			       "rank %u: an earlier message to this rank was sent only in part",
			       peer->rank);
}

/* Set the error text that explains why a message was not sent.  Return the error. */
static int send_error(const struct torus_job *job, const struct torus_send *send)
{
	const struct peer *peer = job->peers[send->dest];
	int ret = torus_send_error_of(job, peer);

	return ret ? ret : send_broken(peer);
}

static int send_check(const struct torus_job *job, uint32_t dest)
{
	if (torus_context_forked(job->context))
		return torus_error_dead(job->context);
	if (dest >= job->config.count)
		return torus_error_set(-EINVAL,
				       "rank %u: must be below %u, the number of ranks of the job",
				       dest,
				       job->config.count);
	return 0;
}

/*
 * Queue a message and fill in its handle @new, which is zero except for @new->owned.  A message to
 * this process itself is delivered at once; then @new->peer stays NULL.
 */
static int send_begin(struct torus_job *job, uint32_t dest, unsigned int kind, uint32_t tag,
		      const void *data, uint32_t length, struct torus_send *new)
{
	struct peer *peer;
	int ret;

	if (dest == job->rank) {
		ret = torus_reassembly_local(job, kind, tag, data, length);
		if (ret)
			return ret;
		job->counts.sent_messages++;
		job->counts.sent_bytes += length;
		return 0;
	}
	ret = torus_job_peer(job, dest, &peer);
	if (ret)
		return ret;
	if (peer->blocked)
		return torus_relay_refuse(job, job->rank, dest, 0);
	ret = torus_send_error_of(job, peer);
	if (!ret)
		ret = send_broken(peer);
	if (ret)
		return ret;
	new->peer = peer;
	new->dest = dest;
	new->data = data;
	new->length = length;
	new->tag = tag;
	new->kind = kind | (job->ordered ? KIND_ORDERED : 0);
	new->number = peer->send_number++;
	new->packets = torus_msg_packets(&job->format, length);
	torus_msg_trailer_write(&job->format, new->trailer,
				torus_message_crc(job, job->rank, dest, new->number, tag, data,
						  length), tag);
	torus_queue_add(job, new);
	return 0;
}

/**
 * torus_send_queue() - start to send a message
 * @job: the job
 * @dest: rank of the receiver
 * @kind: KIND_*, without flags
 * @tag: tag of the message
 * @data: the message, which must not change until it is sent
 * @length: length of the message in bytes
 * @send: [out] a handle; NULL: no handle is wanted
 *
 * Return: 0, -EINVAL, -EHOSTUNREACH, -ENOTCONN, -ENOMEM, -ENOBUFS, -ENODEV.
 */
int torus_send_queue(struct torus_job *job, uint32_t dest, unsigned int kind, uint32_t tag,
		     const void *data, uint32_t length, struct torus_send **send)
{
	struct torus_send *new;
	int ret = send_check(job, dest);

	if (ret)
		return ret;
	new = calloc(1, sizeof(*new));
	if (!new)
		return torus_error_set(-ENOMEM, "out of memory for sending a message");
	new->owned = send;
	ret = send_begin(job, dest, kind, tag, data, length, new);
	if (ret || (!new->peer && !send)) {
		free(new);
		return ret;
	}
	if (send)
		*send = new;
	return 0;
}

/**
 * torus_send_cancel() - free the handle of a message, and give the message up if it is not sent yet
 * @job: the job
 * @send: the handle, which is freed
 */
void torus_send_cancel(struct torus_job *job, struct torus_send *send)
{
	if (send->peer)
		send_give_up(job, send);
	free(send);
}

/**
 * torus_send_blocking() - send a message, and wait until it is in the injection ring
 * @job: the job
 * @dest: rank of the receiver
 * @kind: KIND_*, without flags
 * @tag: tag of the message
 * @data: the message
 * @length: length of the message in bytes
 *
 * Return: as torus_message_send().
 */
int torus_send_blocking(struct torus_job *job, uint32_t dest, unsigned int kind, uint32_t tag,
			const void *data, uint32_t length)
{
	struct torus_send send = { .owned = true };
	struct sending sending;
	int ret = send_check(job, dest);

	if (!ret)
		ret = send_begin(job, dest, kind, tag, data, length, &send);
	/*
	 * Fast path: if there is free space for the message and no notice, send it without polling
	 * the reception rings.
	 */
	if (!ret && send.peer && !job->context->clock && !torus_notice_waits(job->context)) {
		ret = torus_send_push(job);
		ret = ret < 0 ? ret : 0;
	}
	if (!ret && send.peer)
		torus_send_wait_start(job, &sending, &send, -1);
	while (!ret && send.peer) {
		ret = torus_send_wait_wait(job, &sending);
		if (ret == -EINTR)
			ret = 0;
	}
	if (!ret && send.error)
		ret = send_error(job, &send);
	if (ret == -ENOBUFS && send.peer && send.index)
		ret = torus_send_keep(job, &send);
	if (send.peer)
		send_give_up(job, &send);
	return ret;
}

/**
 * torus_message_send() - send a message
 * @job: the job
 * @dest: rank of the receiver, which may be the sender
 * @tag: number by which the receiver selects messages
 * @data: the message
 * @length: length in bytes, 0 to 2^32 - 1
 *
 * The call returns when the last packet is in the injection ring.  Then @data may be changed,
 * although the message may not have arrived yet.  While there is no free space, arriving packets
 * are taken into memory.  Signals do not end the call.
 *
 * If memory_max is reached, and no packet was sent for a second, the call ends.  Before the first
 * packet of the message it returns -ENOBUFS: take other messages, and send the message again.  If a
 * packet of the message has left, it returns 0: the library copies the rest, at most of one message
 * for each receiver, and later calls of any kind with the job send it.  torus_message_flush() waits
 * for it, too.
 *
 * Return: 0, or -EINVAL (rank), -EHOSTUNREACH (dead nodes and links are in the way), -ENOTCONN (the
 * receiver's process has left), -ENOMEM, -ENOBUFS (no memory, or memory_max is reached; no packet
 * of the message was sent), -ECOMM (the kernel rejected packets), -EIO, -ENODEV.  If an error other
 * than -ENOBUFS ends the call after a part was sent, and packets may overtake each other
 * (TORUS_ROUTE_DYNAMIC), nothing more can be sent to that rank: -ENOTCONN.
 */
int torus_message_send(struct torus_job *job, uint32_t dest, uint32_t tag, const void *data,
		       uint32_t length)
{
	return torus_send_blocking(job, dest, KIND_DATA, tag, data, length);
}

/**
 * torus_message_start() - start to send a message
 * @job: the job
 * @dest: rank of the receiver, which may be the sender
 * @tag: number by which the receiver selects messages
 * @data: the message, which must not change until it is sent
 * @length: length in bytes, 0 to 2^32 - 1
 * @send: [out] a handle: call torus_message_test() or torus_message_wait() until the call frees the
 *        handle; NULL: use torus_message_flush()
 *
 * Later calls of any kind with this job send the packets.  Messages to one rank are sent in order,
 * those to different ranks concurrently.
 *
 * Return: 0, -EINVAL (rank), -EHOSTUNREACH, -ENOTCONN, -ENOMEM, -ENOBUFS (no memory for the state
 * of the rank; or for a message to this process itself, no memory, or memory_max is reached),
 * -ENODEV.
 */
int torus_message_start(struct torus_job *job, uint32_t dest, uint32_t tag, const void *data,
			uint32_t length, struct torus_send **send)
{
	return torus_send_queue(job, dest, KIND_DATA, tag, data, length, send);
}

/**
 * torus_message_test() - check whether a message is sent
 * @job: the job
 * @send: the handle
 *
 * Return: 1 if so, and the handle is freed; 0 if not; -ENOTCONN when the receiver's process has
 * left, or nothing more can be sent to it (see torus_message_send()), and the handle is freed, too;
 * or an error of torus_job_progress(), after which the handle stays valid.
 */
int torus_message_test(struct torus_job *job, struct torus_send *send)
{
	int ret = send->peer ? torus_job_move(job) : 0;

	if (!send->peer) {
		ret = send->error ? send_error(job, send) : 1;
		free(send);
		return ret;
	}
	return ret < 0 ? ret : 0;
}

/**
 * torus_message_wait() - wait until a message is sent
 * @job: the job
 * @send: the handle
 * @timeout_ms: milliseconds; -1: no limit, 0: do not wait (-EAGAIN)
 *
 * Return: 0, or -ENOTCONN as torus_message_test(), and the handle is freed.  The handle stays valid
 * after other errors: -EAGAIN, -ETIMEDOUT, -EINTR, -ENOBUFS, -ECOMM, -EIO, -ENODEV.
 */
int torus_message_wait(struct torus_job *job, struct torus_send *send, int timeout_ms)
{
	struct sending sending;
	int ret;

	torus_send_wait_start(job, &sending, send, timeout_ms);
	for (;;) {
		ret = torus_message_test(job, send);
		if (ret)
			return ret < 0 ? ret : 0;
		if (!timeout_ms)
			return torus_error_plain(-EAGAIN, "the message is not completely sent yet");
		ret = torus_send_wait_wait(job, &sending);
		/* torus_message_test() returns the error and frees the handle */
		if (ret == -ENOTCONN)
			continue;
		if (ret == -ETIMEDOUT && timeout_ms >= TORUS_POLL_MS)
			return torus_liveness_explain(job, ret,
						      "message %u to rank %u: %u of %u packets "
						      "sent in %d ms", send->number, send->dest,
						      send->index, send->packets, timeout_ms);
		if (ret)
			return ret;
	}
}

/* Check whether all messages have arrived or are lost.  Return: 1, 0 or a negative errno. */
static int flush_done(struct torus_job *job)
{
	int ret;

	if (job->active_count || job->forwards)
		return 0;
	ret = torus_inject_idle(job->context);
	if (ret <= 0 || !job->context->notices)
		return ret;
	return torus_inject_ended(job->context);
}

/**
 * torus_message_flush() - wait until all messages have arrived
 * @job: the job
 * @timeout_ms: milliseconds; -1: no limit, 0: do not wait (-EAGAIN)
 *
 * A message has arrived when its last packet is in the reception ring of its receiver, even if the
 * receiver does not read the packet.  If the rings of a receiver are full, the call waits.  So
 * torus_context_detach() loses nothing after this call.  With a kernel without notices
 * (TORUS_FEATURE_NOTICE), the call only waits until the kernel has taken all packets.
 *
 * Return: 0; if messages were lost since the last call, one of these errors, whose text names a
 * receiver if it is known: -ENOTCONN (its process has ended), -EHOSTUNREACH (only dead links lead
 * to it), -ECOMM (packets were dropped or rejected); -EAGAIN, -ETIMEDOUT, -EINTR, -ENOBUFS, -EIO,
 * -ENODEV.
 */
int torus_message_flush(struct torus_job *job, int timeout_ms)
{
	struct torus_waiter waiter;
	int ret;

	torus_waiter_init(&waiter, job->context, timeout_ms);
	for (;;) {
		bool taken = torus_inject_idle(job->context) == 1;

		ret = flush_done(job);
		if (ret)
			break;
		ret = torus_send_error_report(job);
		if (ret)
			return ret;
		if (!timeout_ms) {
			ret = torus_job_move(job);
			return ret < 0 ? ret : torus_error_plain(-EAGAIN,
								 "messages are still in flight");
		}
		/*
		 * Until the kernel has taken all packets, sleep until a ring has free space.  After
		 * that, the kernel's count of completed packets ends the sleep.
		 */
		ret = torus_job_wait(job, &waiter, !taken || !job->context->notices);
		if (ret == -ETIMEDOUT && timeout_ms >= TORUS_POLL_MS)
			return torus_liveness_explain(job, ret,
						      "packets of messages are still in flight "
						      "after %d ms", timeout_ms);
		if (ret)
			return ret;
	}
	if (ret < 0)
		return ret;
	/* Read the kernel's reports once more: the last packets may have been rejected or lost. */
	ret = torus_job_move(job);
	return ret < 0 ? ret : torus_send_error_report(job);
}
