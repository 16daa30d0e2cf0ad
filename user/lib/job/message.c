// SPDX-License-Identifier: GPL-2.0
/* Give messages to the program: find the first one that matches, or wait for it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "../context/wait.h"
#include "job.h"
#include "liveness.h"
#include "memory.h"
#include "message.h"
#include "move.h"
#include "peer_exit.h"
#include "posted_receive.h"
#include "reassembly.h"
#include "send_errors.h"

static bool message_matches(const struct message *message, unsigned int kind, int source, __s64 tag)
{
	if (source != TORUS_MESSAGE_ANY && message->source != (uint32_t)source)
		return false;
	/* The tag of a lost message is not known: assume that the message matches. */
	if (message->kind == KIND_LOST)
		return true;
	return message->kind == kind &&
	       (tag == TORUS_MESSAGE_ANY || message->untagged || message->tag == tag);
}

static struct message *message_look(struct torus_job *job, unsigned int kind, int source, __s64 tag)
{
	struct message *message;

	for (message = job->ready.first; message; message = message->next)
		if (message_matches(message, kind, source, tag))
			return message;
	return NULL;
}

/* Report a time-out: which message is missing, and which ranks do not answer. */
static int message_missed(struct torus_job *job, unsigned int kind, int source, __s64 tag,
			  int timeout_ms)
{
	static const char * const words[] = {
		[KIND_DATA] = "message", [KIND_BARRIER] = "message of the barrier",
		[KIND_ALLTOALL] = "part of the all-to-all",
		[KIND_COLLECTIVE] = "part of the reduction, gather or scatter",
	};
	char with[32] = "", from[32] = "any rank";

	if (kind == KIND_DATA && tag != TORUS_MESSAGE_ANY)
		snprintf(with, sizeof(with), " with tag %lld", tag);
	if (source != TORUS_MESSAGE_ANY)
		snprintf(from, sizeof(from), "rank %d", source);
	return torus_liveness_explain(job, -ETIMEDOUT, "no %s%s arrived from %s in %d ms",
				      words[kind],
				      with, from, timeout_ms);
}

/**
 * torus_message_find() - find the first matching message, or wait for one, and leave it in the list
 * @job: the job
 * @kind: KIND_*, without flags
 * @source: rank, or TORUS_MESSAGE_ANY
 * @tag: tag, or TORUS_MESSAGE_ANY
 * @message: [out] the message
 * @timeout_ms: milliseconds; -1: no limit, 0: do not wait (-EAGAIN)
 *
 * Return: 0 and the message, or as torus_message_receive().
 */
int torus_message_find(struct torus_job *job, unsigned int kind, int source, __s64 tag,
		       struct message **message, int timeout_ms)
{
	struct torus_waiter waiter;
	struct peer_exit watch;
	int ret;

	if (source != TORUS_MESSAGE_ANY && (source < 0 || (uint32_t)source >= job->config.count))
		return torus_error_set(-EINVAL,
				       "rank %d: must be below %u, the number of ranks of the job",
				       source,
				       job->config.count);
	if (tag != TORUS_MESSAGE_ANY && (tag < 0 || tag > 0xffffffffll))
		return torus_error_set(-EINVAL, "tag %lld: must be 0 to %u", tag, ~0u);
	*message = message_look(job, kind, source, tag);
	if (*message)
		return 0;
	if (!timeout_ms) {
		ret = torus_job_move(job);
		*message = message_look(job, kind, source, tag);
		if (*message)
			return 0;
		if (ret >= 0 && source != TORUS_MESSAGE_ANY && job->peers[source] &&
		    job->peers[source]->left)
			return torus_send_error_peer_left(job, job->peers[source], false);
		return ret < 0 ? ret : torus_error_plain(-EAGAIN,
							 "no such message has arrived yet");
	}
	torus_waiter_init(&waiter, job->context, timeout_ms);
	torus_peer_exit_start(job, &watch, &waiter, source,
			      job->posted ? job->posted->parts : NULL);
	for (;;) {
		struct message *last = job->ready.last;

		ret = torus_job_wait(job, &waiter, false);
		if (job->ready.last != last)
			*message = message_look(job, kind, source, tag);
		if (*message)
			return 0;
		if (ret == -ETIMEDOUT)
			ret = torus_peer_exit_check(job, &watch);
		if (ret == -ETIMEDOUT && timeout_ms >= TORUS_POLL_MS)
			return message_missed(job, kind, source, tag, timeout_ms);
		if (ret)
			return ret;
		/* If any rank has left, a collective operation cannot complete at any rank. */
		if (kind != KIND_DATA && job->gone)
			return torus_send_error_of(job, job->gone);
	}
}

static int message_describe_lost(const struct message *message)
{
	if (message->count == 1)
		return torus_error_set(message->error, "message %u from rank %u was lost",
				       message->number, message->source);
	return torus_error_set(message->error, "messages %u to %u from rank %u were lost",
			       message->number, message->number + message->count - 1,
			       message->source);
}

static int message_describe(const struct message *message, struct torus_message_info *info)
{
	if (info)
		*info = (struct torus_message_info) {
			.source = message->source,
			.tag = message->tag,
			.length = message->length,
		};
	if (!message->error)
		return 0;
	if (message->kind == KIND_LOST)
		return message_describe_lost(message);
	if (message->missing)
		return torus_error_set(message->error,
				       "message %u from rank %u: %u packets of it were lost",
				       message->number, message->source, message->missing);
	return torus_error_set(message->error, "message %u from rank %u: its CRC-32 is wrong",
			       message->number, message->source);
}

/**
 * torus_message_receive() - receive a message
 * @job: the job
 * @source: rank of the sender, or TORUS_MESSAGE_ANY
 * @tag: its tag, 0 to 2^32 - 1, or TORUS_MESSAGE_ANY
 * @data: [out] the message; after an error it may contain a part of an incomplete message
 * @size: size of @data in bytes
 * @info: [out] source, tag and length; may be NULL
 * @timeout_ms: milliseconds; -1: no limit, 0: do not wait (-EAGAIN)
 *
 * If a time-out of 100 ms or more expires, the call asks the other ranks, at most 1023, whether
 * they run, until all have answered or no answer has arrived for a second.  The text names ranks
 * that do not answer.  A process answers only during calls with its job.  A wait ends with
 * -ENOTCONN when the process of @source, or of all other ranks, has left and its packets have
 * arrived.  Exits are checked after one second and then every two seconds.  If the process is known
 * to have left, the call checks at once whether its packets have arrived.
 *
 * Matching messages of one source are delivered in the order in which they were sent.  Messages of
 * different sources are delivered in the order in which they completed.
 *
 * Return: 0; -EBADMSG when the message was damaged or lost: @info has what is known, @data is
 * undefined, and the next call continues with the message after it; -EMSGSIZE when @size is too
 * small: @info is set and the message stays; -EAGAIN, -ETIMEDOUT, -ENOTCONN (the rank's process has
 * left), -EINTR, -EINVAL, -ENOBUFS (memory_max is reached: take other messages first), -ECOMM (the
 * kernel rejected packets of messages that were being sent), -EIO, -ENODEV.
 */
int torus_message_receive(struct torus_job *job, int source, __s64 tag, void *data,
			  uint32_t size, struct torus_message_info *info, int timeout_ms)
{
	struct posted_receive posted = {
		.kind = KIND_DATA, .source = source, .tag = tag, .data = data, .size = size,
	};
	bool waits = timeout_ms && !message_look(job, KIND_DATA, source, tag);
	struct message *message;
	bool there = false;
	int ret;

	if (waits)
		torus_posted_begin(job, &posted);
	ret = torus_message_find(job, KIND_DATA, source, tag, &message, timeout_ms);
	if (waits)
		there = torus_posted_end(job, ret ? NULL : message);
	if (ret)
		return ret;
	ret = message_describe(message, info);
	if (!ret && message->length > size)
		return torus_error_set(-EMSGSIZE, "message of %u bytes from rank %u: longer than "
				       "the buffer of %u bytes",
				       message->length, message->source, size);
	if (!ret && message->length && !there)
		memcpy(data, message->data, message->length);
	torus_message_taken(job, message);
	torus_message_free(job, message);
	return ret;
}

/**
 * torus_message_take() - receive a message without copying it
 * @job: the job
 * @source: rank of the sender, or TORUS_MESSAGE_ANY
 * @tag: its tag, 0 to 2^32 - 1, or TORUS_MESSAGE_ANY
 * @data: [out] the message, freed by the caller with free(); NULL after an error
 * @info: [out] source, tag and length; may be NULL
 * @timeout_ms: milliseconds; -1: no limit, 0: do not wait (-EAGAIN)
 *
 * Return: as torus_message_receive(), but never -EMSGSIZE.
 */
int torus_message_take(struct torus_job *job, int source, __s64 tag, void **data,
		       struct torus_message_info *info, int timeout_ms)
{
	struct message *message;
	int ret;

	*data = NULL;
	ret = torus_message_find(job, KIND_DATA, source, tag, &message, timeout_ms);
	if (ret)
		return ret;
	ret = message_describe(message, info);
	if (!ret) {
		*data = message->data;
		message->data = NULL;
	}
	torus_message_taken(job, message);
	torus_message_free(job, message);
	return ret;
}

/**
 * torus_message_probe() - get source, tag and length of the next message, and leave it there
 * @job: the job
 * @source: rank of the sender, or TORUS_MESSAGE_ANY
 * @tag: its tag, 0 to 2^32 - 1, or TORUS_MESSAGE_ANY
 * @info: [out] source, tag and length; may be NULL
 * @timeout_ms: milliseconds; -1: no limit, 0: do not wait (-EAGAIN)
 *
 * Return: as torus_message_receive(), but never -EMSGSIZE.  After -EBADMSG the message stays, too.
 */
int torus_message_probe(struct torus_job *job, int source, __s64 tag,
			struct torus_message_info *info, int timeout_ms)
{
	struct message *message;
	int ret;

	ret = torus_message_find(job, KIND_DATA, source, tag, &message, timeout_ms);
	return ret ? ret : message_describe(message, info);
}
