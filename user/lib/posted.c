// SPDX-License-Identifier: GPL-2.0
/*
 * A receive that waits, and has a buffer: a message of several packets that it asks for is
 * put together there, and need not be copied when it is complete.  Where something else ends
 * the wait the message goes to memory of its own, and comes on there.
 */
#include <string.h>
#include "job.h"

/* Does it ask for a message, whatever its tag? */
static bool posted_asks(const struct posted *posted, const struct message *message)
{
	return message->kind == posted->kind &&
	       (posted->source == TORUS_MESSAGE_ANY || message->source == (__u32)posted->source);
}

/* For one with this tag? */
static bool posted_tagged(const struct posted *posted, const struct message *message)
{
	return posted->tag == TORUS_MESSAGE_ANY || message->tag == posted->tag;
}

/* Is the tag of a message known that has begun?  The narrow form tells it behind the message. */
static bool posted_tells(const struct posted *posted, const struct packet_form *form)
{
	return posted->tag == TORUS_MESSAGE_ANY || !form->narrow;
}

/**
 * torus_posted_offer() - a message of several packets has begun: where is it put together?
 * @job: the job
 * @peer: its sender
 * @message: the message
 *
 * In the buffer of a receive that waits for it, if it is the next from there: what comes before
 * it may be what the receive asks for, too.  Once in all: who asks again and again, with a short
 * time-out, would have it copied to and fro.
 */
void torus_posted_offer(struct torus_job *job, const struct peer *peer, struct message *message)
{
	struct posted *posted = job->posted;

	if (!posted || posted->message || message->posted ||
	    message->number != peer->receive_number || message->length > posted->size ||
	    !posted_asks(posted, message) || !posted_tells(posted, &job->form) ||
	    !posted_tagged(posted, message))
		return;
	posted->message = message;
	message->posted = true;
	message->bytes = posted->data;
}

/* What has come of a message, from its own memory to the buffer. */
static void posted_move(const struct packet_form *form, const struct message *message)
{
	__u32 packets = torus_form_packets(form, message->length), index;

	for (index = 0; index < packets; index++) {
		size_t start = (size_t)index * form->payload;

		if (message->seen[index / 8] >> index % 8 & 1)
			memcpy(message->bytes + start, message->data + start,
			       torus_form_data(form, message->length, index));
	}
}

/**
 * torus_posted_begin() - a receive begins to wait
 * @job: the job; no other receive waits, and nothing that this one asks for can be taken
 * @posted: what it asks for and its buffer, until torus_posted_end()
 *
 * Where packets overtake each other the message may have begun to come beside the one before.
 */
void torus_posted_begin(struct torus_job *job, struct posted *posted)
{
	const struct peer *peer = NULL;
	struct message *message;

	posted->message = NULL;
	posted->complete = false;
	job->posted = posted;
	if (posted->source != TORUS_MESSAGE_ANY && (__u32)posted->source < job->config.count)
		peer = job->peers[posted->source];
	message = peer ? peer->open.first : NULL;
	if (!message || !message->seen)
		return;
	torus_posted_offer(job, peer, message);
	if (posted->message)
		posted_move(&job->form, message);
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
	struct posted *posted = job->posted;

	if (posted && posted_asks(posted, message) && posted_tagged(posted, message))
		posted->complete = true;
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
	struct posted *posted = job->posted;

	job->posted = NULL;
	if (!posted->message || posted->message == message)
		return posted->message;
	memcpy(posted->message->data, posted->data, posted->message->length);
	posted->message->bytes = posted->message->data;
	return false;
}
