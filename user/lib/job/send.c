// SPDX-License-Identifier: GPL-2.0
/* Messages to send: queue them, wait until they are sent, and until they have arrived. */
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
#include "send_wait.h"

/*
 * A message that will not be sent, or no more of it.  The receiver counts messages: a number that
 * no packet has carried is the next one's.  Behind one of which something has left, or others
 * wait, it would wait for ever, unless order tells it; then nothing more goes to that rank.
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

/* Nothing more goes to a rank that waits for the rest of a message: see send_give_up(). */
static int send_broken(const struct peer *peer)
{
	if (!peer->broken)
		return 0;
	return torus_error_set(-ENOTCONN,
			       "rank %u: of a message to it a part was sent and the rest given up",
			       peer->rank);
}

/* Why a message was not sent. */
static int send_error(const struct torus_job *job, const struct torus_send *send)
{
	const struct peer *peer = job->peers[send->dest];
	int ret = torus_send_error_of(job, peer);

	return ret ? ret : send_broken(peer);
}

static int send_check(const struct torus_job *job, __u32 dest)
{
	if (torus_context_forked(job->context))
		return torus_error_dead(job->context);
	if (dest >= job->config.count)
		return torus_error_set(-EINVAL, "rank %u: the job has %u", dest,
				       job->config.count);
	return 0;
}

/* Queue a message in @new, which is 0 but for its owner; one to this process is there at once. */
static int send_begin(struct torus_job *job, __u32 dest, unsigned int kind, __u32 tag,
		      const void *data, __u32 length, struct torus_send *new)
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
	if (peer->sends) {
		peer->sends_last->next = new;
	} else {
		peer->sends = new;
		torus_queue_activate(job, peer);
	}
	peer->sends_last = new;
	return 0;
}

/**
 * torus_send_queue() - start to send a message
 * @job: the job
 * @dest: rank
 * @kind: KIND_*, without flags
 * @tag: of the message
 * @data: its bytes, which stay as they are until it is sent
 * @length: their number
 * @send: out: a handle; NULL: none is wanted
 *
 * Return: 0, -EINVAL, -EHOSTUNREACH, -ENOTCONN, -ENOMEM, -ENODEV.
 */
int torus_send_queue(struct torus_job *job, __u32 dest, unsigned int kind, __u32 tag,
		     const void *data, __u32 length, struct torus_send **send)
{
	struct torus_send *new;
	int ret = send_check(job, dest);

	if (ret)
		return ret;
	new = calloc(1, sizeof(*new));
	if (!new)
		return torus_error_set(-ENOMEM, "no memory to send a message");
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
 * torus_send_cancel() - stop sending a message, whose receiver will miss it
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
 * torus_send_blocking() - send a message and wait until it is in the ring
 * @job: the job
 * @dest: rank
 * @kind: KIND_*, without flags
 * @tag: of the message
 * @data: its bytes
 * @length: their number
 *
 * Return: as torus_message_send().
 */
int torus_send_blocking(struct torus_job *job, __u32 dest, unsigned int kind, __u32 tag,
			const void *data, __u32 length)
{
	struct torus_send send = { .owned = true };
	struct sending sending;
	int ret = send_check(job, dest);

	if (!ret)
		ret = send_begin(job, dest, kind, tag, data, length, &send);
	/* Where there is room and nothing is to be told, no look at what has come is needed. */
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
	if (send.peer)
		send_give_up(job, &send);
	return ret;
}

/**
 * torus_message_send() - send a message
 * @job: the job
 * @dest: rank of the receiver, which may be the sender
 * @tag: a number for the receiver to choose by
 * @data: the message
 * @length: its length in bytes, 0 to 2^32 - 1
 *
 * Returns when @data may be used again, which is when the last packet is in the
 * injection ring, not when it has arrived.  While there is no room, packets that
 * arrive are taken into memory.  Signals do not end it.
 *
 * Return: 0, or -EINVAL (rank), -EHOSTUNREACH (dead nodes and links are in the way),
 * -ENOTCONN (the receiver's process has left), -ENOMEM, -ENOBUFS (memory_max reached, and for
 * a second no packet was sent; the message is not sent, or not all of it), -ECOMM (the kernel
 * refused packets), -EIO, -ENODEV.  After -ENOBUFS take other messages and send it again.
 * Where a part of it has left and packets go by different ways (TORUS_ROUTE_DYNAMIC), nothing
 * more can be sent to that rank, which is -ENOTCONN.
 */
int torus_message_send(struct torus_job *job, __u32 dest, __u32 tag, const void *data,
		       __u32 length)
{
	return torus_send_blocking(job, dest, KIND_DATA, tag, data, length);
}

/**
 * torus_message_start() - start to send a message
 * @job: the job
 * @dest: rank of the receiver, which may be the sender
 * @tag: a number for the receiver to choose by
 * @data: the message, which must stay as it is until it is sent
 * @length: its length in bytes, 0 to 2^32 - 1
 * @send: out: a handle for torus_message_test() or torus_message_wait(), one of
 *        which must be called until it frees it; NULL: torus_message_flush() will do
 *
 * It is sent in the course of later calls of any kind with this job.  Messages
 * to one rank are sent in order, those to different ranks side by side.
 *
 * Return: 0, -EINVAL (rank), -EHOSTUNREACH, -ENOTCONN, -ENOMEM, -ENOBUFS (to itself),
 * -ENODEV.
 */
int torus_message_start(struct torus_job *job, __u32 dest, __u32 tag, const void *data,
			__u32 length, struct torus_send **send)
{
	return torus_send_queue(job, dest, KIND_DATA, tag, data, length, send);
}

/**
 * torus_message_test() - is a message sent?
 * @job: the job
 * @send: the handle
 *
 * Return: 1 if so, and the handle is gone; 0 if not; -ENOTCONN when the receiver's process has
 * left, or nothing more can be sent to it (see torus_message_send()), and the handle is gone,
 * too; or an error of torus_job_progress(), after which it is still there.
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
 * @timeout_ms: -1 without limit, 0 not at all (-EAGAIN), else milliseconds
 *
 * Return: 0, or -ENOTCONN as of torus_message_test(), and the handle is gone; else it is
 * still there: -EAGAIN, -ETIMEDOUT, -EINTR, -ENOBUFS, -ECOMM, -EIO, -ENODEV.
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
			return torus_error_plain(-EAGAIN, "the message is not all sent yet");
		ret = torus_send_wait_wait(job, &sending);
		/* its handle goes with its error */
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

/* Has everything arrived, or come to nothing?  1, 0, or an error. */
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
 * @timeout_ms: -1 without limit, 0 not at all (-EAGAIN), else milliseconds
 *
 * A message has arrived when its last packet is in the reception ring of the process that
 * it was meant for; whether that reads it is its own.  A receiver whose rings are full
 * is waited for.  So torus_context_detach() loses nothing after this.  From a kernel
 * without notices (TORUS_FEATURE_NOTICE) it is known only that the kernel has taken all
 * packets.
 *
 * Return: 0; for messages that were lost since this was last called, named in the
 * text: -ENOTCONN (the receiver's process has ended), -EHOSTUNREACH (only dead links lead
 * there), -ECOMM (packets were dropped or refused); -EAGAIN, -ETIMEDOUT, -EINTR,
 * -ENOBUFS, -EIO, -ENODEV.
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
			return ret < 0 ? ret : torus_error_plain(-EAGAIN, "messages are under way");
		}
		/* Room in a ring ends a sleep until all is taken, then the kernel's count. */
		ret = torus_job_wait(job, &waiter, !taken || !job->context->notices);
		if (ret == -ETIMEDOUT && timeout_ms >= TORUS_POLL_MS)
			return torus_liveness_explain(job, ret,
						      "packets of messages are still under way "
						      "after %d ms", timeout_ms);
		if (ret)
			return ret;
	}
	if (ret < 0)
		return ret;
	/* The last packets may have been refused, or lost. */
	ret = torus_job_move(job);
	return ret < 0 ? ret : torus_send_error_report(job);
}
