// SPDX-License-Identifier: GPL-2.0
/*
 * A receive that waits, and has a buffer: a message of several packets that it asks for is
 * put together there, needs no memory of its own, and need not be copied when it is complete.
 * Where something else ends the wait the message goes to memory of its own, and continues there.
 */
#include <errno.h>
#include <string.h>
#include "job.h"
#include "memory.h"
#include "posted_receive.h"

/* Does it ask for a message, whatever its tag? */
static bool posted_asks(const struct posted_receive *posted, const struct message *message)
{
	return message->kind == posted->kind &&
	       (posted->source == TORUS_MESSAGE_ANY || message->source == (__u32)posted->source);
}

/* For one with this tag? */
static bool posted_tagged(const struct posted_receive *posted, const struct message *message)
{
	return posted->tag == TORUS_MESSAGE_ANY || message->tag == posted->tag;
}

/* Is the tag of a message known that has begun?  The narrow form tells it behind the message. */
static bool posted_tells(const struct posted_receive *posted, const struct msg_format *format)
{
	return posted->tag == TORUS_MESSAGE_ANY || !format->narrow;
}

/* The place of a rank's part, of which the narrow form tells no tag: they come in order. */
static unsigned char *posted_part(const struct torus_job *job, const struct posted_receive *posted,
				  const struct message *message)
{
	if (posted->parts[message->source] != PART_MISSING || message->length != posted->size ||
	    message->kind != posted->kind ||
	    (!job->format.narrow && !posted_tagged(posted, message)))
		return NULL;
	return posted->data + (size_t)message->source * posted->size;
}

/**
 * torus_posted_place() - a message of several packets has begun: where is it put together?
 * @job: the job
 * @peer: its sender
 * @message: the message, or what its packets say of it
 *
 * In the buffer of a receive that waits for it, if it is the next from there: what comes before
 * it may be what the receive asks for, too.  Once in all: who asks again and again, with a short
 * time-out, would have it copied to and fro.
 *
 * Return: the place, NULL: memory of its own.  If it is used torus_posted_put() follows.
 */
unsigned char *torus_posted_place(struct torus_job *job, const struct peer *peer,
				  struct message *message)
{
	struct posted_receive *posted = job->posted;

	if (!posted || message->number != peer->receive_number)
		return NULL;
	if (posted->parts)
		return posted_part(job, posted, message);
	if (posted->message || message->posted ||
	    message->length > posted->size || !posted_asks(posted, message) ||
	    !posted_tells(posted, &job->format) || !posted_tagged(posted, message))
		return NULL;
	return posted->data;
}

/**
 * torus_posted_put() - the place of torus_posted_place() is used
 * @job: the job
 * @message: the message
 */
void torus_posted_put(struct torus_job *job, struct message *message)
{
	struct posted_receive *posted = job->posted;

	message->posted = true;
	if (posted->parts) {
		posted->parts[message->source] = PART_PLACED;
		message->bytes = posted->data + (size_t)message->source * posted->size;
	} else {
		posted->message = message;
		message->bytes = posted->data;
	}
}

/* What has come of a message, from its own memory to the buffer. */
static void posted_move(const struct msg_format *format, const struct message *message)
{
	__u32 packets = torus_msg_packets(format, message->length), index;

	for (index = 0; index < packets; index++) {
		size_t start = (size_t)index * format->payload;

		if (message->seen[index / 8] >> index % 8 & 1)
			memcpy(message->bytes + start, message->data + start,
			       torus_msg_data(format, message->length, index));
	}
}

/**
 * torus_posted_begin() - a receive begins to wait
 * @job: the job; no other receive waits, and nothing that this one asks for can be taken
 * @posted: what it asks for and its buffer, until torus_posted_end()
 *
 * Where packets overtake each other the message may have begun to come beside the one before.
 * A part that has begun stays in its own memory.
 */
void torus_posted_begin(struct torus_job *job, struct posted_receive *posted)
{
	const struct peer *peer = NULL;
	struct message *message;

	posted->message = NULL;
	posted->complete = false;
	job->posted = posted;
	if (!posted->parts && posted->source != TORUS_MESSAGE_ANY &&
	    (__u32)posted->source < job->config.count)
		peer = job->peers[posted->source];
	message = peer ? peer->open.first : NULL;
	if (!message || !message->seen || !torus_posted_place(job, peer, message))
		return;
	torus_posted_put(job, message);
	posted_move(&job->format, message);
}

/**
 * torus_posted_ready() - a message can be taken: is it what a receive waits for?
 * @job: the job
 * @message: the message
 *
 * Then what is behind it stays in the rings: it may be for the buffer of the next receive.
 */
void torus_posted_ready(struct torus_job *job, const struct message *message)
{
	struct posted_receive *posted = job->posted;

	if (posted && !posted->parts && posted_asks(posted, message) &&
	    posted_tagged(posted, message))
		posted->complete = true;
}

/* A message in the buffer goes to memory of its own; where there is none it is lost. */
static void posted_away(struct torus_job *job, struct message *message)
{
	if (message->bytes == message->data)
		return;
	if (torus_message_own(job, message))
		memcpy(message->data, message->bytes, message->length);
	else if (!message->missing)
		message->error = -EBADMSG;
	message->bytes = message->data;
}

static void posted_all_away(struct torus_job *job, struct message_list *list)
{
	struct message *message;

	for (message = list->first; message; message = message->next)
		posted_away(job, message);
}

/**
 * torus_posted_end() - the wait is over
 * @job: the job
 * @message: what has ended it, NULL: nothing that came
 *
 * Return: true if @message is in the buffer.
 */
bool torus_posted_end(struct torus_job *job, const struct message *message)
{
	struct posted_receive *posted = job->posted;
	__u32 i;

	job->posted = NULL;
	if (posted->parts && memchr(posted->parts, PART_PLACED, job->config.count)) {
		posted_all_away(job, &job->ready);
		for (i = 0; i < job->config.count; i++)
			if (job->peers[i])
				posted_all_away(job, &job->peers[i]->open);
	}
	if (!posted->message || posted->message == message)
		return posted->message;
	posted_away(job, posted->message);
	return false;
}
