// SPDX-License-Identifier: GPL-2.0
/*
 * Zero-copy receive: packets of the message that a receive waits for are copied from the ring
 * directly into the buffer of the receive, if the message has several packets.  So the message
 * needs no memory and no second copy.  If the wait ends without the message, its bytes are moved to
 * memory of its own, and the remaining packets go there.
 */
#include <errno.h>
#include <string.h>
#include "job.h"
#include "memory.h"
#include "posted_receive.h"

/* Check whether a receive waits for messages of this kind and source, with any tag. */
static bool posted_asks(const struct posted_receive *posted, const struct message *message)
{
	return message->kind == posted->kind &&
	       (posted->source == TORUS_MESSAGE_ANY || message->source == (uint32_t)posted->source);
}

/* Check whether a receive waits for messages with this tag. */
static bool posted_tagged(const struct posted_receive *posted, const struct message *message)
{
	return posted->tag == TORUS_MESSAGE_ANY || message->tag == posted->tag;
}

/*
 * Check whether the first packet of a message is enough to match the receive's tag: the receive
 * accepts any tag, or the packet contains the tag.  In the narrow format the tag follows the
 * message, so packets do not contain it.
 */
static bool posted_tag_known(const struct posted_receive *posted, const struct msg_format *format)
{
	return posted->tag == TORUS_MESSAGE_ANY || !format->narrow;
}

/*
 * Find the place of a rank's part in the buffer.  Packets in the narrow format have no tag to
 * compare, but the messages of a rank arrive in order.
 */
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
 * torus_posted_place() - find the place of a message of several packets, whose first packet has
 * arrived
 * @job: the job
 * @peer: sender of the message
 * @message: the message; or one filled only with fields of its packet's header
 *
 * The place is in the buffer of a receive that waits for the message.  The message must be the next
 * one of its sender, because an earlier message might match the receive, too.  Each message is
 * placed only once: otherwise repeated receives with short time-outs would copy its bytes back and
 * forth.
 *
 * Return: the place; NULL: the message needs memory of its own.  A caller that uses the place must
 * call torus_posted_put().
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
	    !posted_tag_known(posted, &job->format) || !posted_tagged(posted, message))
		return NULL;
	return posted->data;
}

/**
 * torus_posted_put() - place a message into the buffer of the waiting receive
 * @job: the job
 * @message: message for which torus_posted_place() has found a place
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

/* Copy the packets that have arrived from the message's own memory to the buffer. */
static void posted_move(const struct msg_format *format, const struct message *message)
{
	uint32_t packets = torus_msg_packets(format, message->length), index;

	for (index = 0; index < packets; index++) {
		size_t start = (size_t)index * format->payload;

		if (message->seen[index / 8] >> index % 8 & 1)
			memcpy(message->bytes + start, message->data + start,
			       torus_msg_data(format, message->length, index));
	}
}

/**
 * torus_posted_begin() - register the buffer of a receive that begins to wait
 * @job: the job, in which no other receive waits.  No matching message is ready, except parts of a
 *       collective
 * @posted: the receive; valid until torus_posted_end()
 *
 * Packets of the message may have arrived already: if the receive names its source, they are moved
 * to the buffer.  A message that has begun to arrive stays in its own memory if the receive takes
 * it from any source, or as a part of a collective.
 */
void torus_posted_begin(struct torus_job *job, struct posted_receive *posted)
{
	const struct peer *peer = NULL;
	struct message *message;

	posted->message = NULL;
	posted->complete = false;
	job->posted = posted;
	if (!posted->parts && posted->source != TORUS_MESSAGE_ANY &&
	    (uint32_t)posted->source < job->config.count)
		peer = job->peers[posted->source];
	message = peer ? peer->open.first : NULL;
	if (!message || !message->seen || !torus_posted_place(job, peer, message))
		return;
	torus_posted_put(job, message);
	posted_move(&job->format, message);
}

/**
 * torus_posted_ready() - note that a message can be taken, which may end the receive's wait
 * @job: the job
 * @message: the message
 *
 * If the message ends the wait, later packets stay in the rings, because they may belong into the
 * buffer of the next receive.
 */
void torus_posted_ready(struct torus_job *job, const struct message *message)
{
	struct posted_receive *posted = job->posted;

	if (posted && !posted->parts && posted_asks(posted, message) &&
	    posted_tagged(posted, message))
		posted->complete = true;
}

/*
 * Move a message from the buffer to memory of its own.  If there is no memory, the message is lost.
 */
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
 * torus_posted_end() - end the receive's wait, and release its buffer
 * @job: the job
 * @message: message that has ended the wait; NULL: it ended without one
 *
 * Return: true if @message is in the buffer.
 */
bool torus_posted_end(struct torus_job *job, const struct message *message)
{
	struct posted_receive *posted = job->posted;
	uint32_t i;

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
