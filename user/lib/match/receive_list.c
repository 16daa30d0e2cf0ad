// SPDX-License-Identifier: GPL-2.0
/* Posted receives and unexpected messages: find the one that fits the other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "departure.h"
#include "event.h"
#include "match.h"
#include "matched.h"
#include "receive_list.h"

static bool message_fits(const struct match_message *message, unsigned int flags, uint32_t source,
			 __u64 tag, __u64 ignore)
{
	if ((message->flags ^ flags) & TORUS_MATCH_TAGGED)
		return false;
	if (source != TORUS_MATCH_ANY && source != message->source)
		return false;
	return !(flags & TORUS_MATCH_TAGGED) || !((message->tag ^ tag) & ~ignore);
}

static void posted_remove(struct torus_match *match, struct match_receive *receive)
{
	if (receive->prev)
		receive->prev->next = receive->next;
	else
		match->posted = receive->next;
	if (receive->next)
		receive->next->prev = receive->prev;
	else
		match->posted_last = receive->prev;
}

/**
 * torus_match_find_posted() - remove the first posted receive that fits a message
 * @match: the matching
 * @message: the message
 *
 * Return: the receive; NULL if none fits.
 */
struct match_receive *torus_match_find_posted(struct torus_match *match,
					      const struct match_message *message)
{
	struct match_receive *receive;

	for (receive = match->posted; receive; receive = receive->next) {
		const struct torus_match_event *event = &receive->done.event;

		if (message_fits(message, event->flags, receive->source, event->tag,
				 receive->ignore)) {
			posted_remove(match, receive);
			return receive;
		}
	}
	return NULL;
}

/**
 * torus_match_unexpected_add() - add a message to the end of the list of unexpected messages
 * @match: the matching
 * @message: the message
 */
void torus_match_unexpected_add(struct torus_match *match, struct match_message *message)
{
	message->unexpected = true;
	message->later = NULL;
	message->earlier = match->unexpected_last;
	if (match->unexpected)
		match->unexpected_last->later = message;
	else
		match->unexpected = message;
	match->unexpected_last = message;
	match->counts.unexpected++;
}

static void unexpected_remove(struct torus_match *match, struct match_message *message)
{
	message->unexpected = false;
	if (message->earlier)
		message->earlier->later = message->later;
	else
		match->unexpected = message->later;
	if (message->later)
		message->later->earlier = message->earlier;
	else
		match->unexpected_last = message->earlier;
}

/* Find the first unexpected message that fits and is not claimed. */
static struct match_message *unexpected_find(const struct torus_match *match,
					     const struct torus_match_receive *wanted)
{
	struct match_message *message;

	for (message = match->unexpected; message; message = message->later)
		if (!message->claimed && message_fits(message, wanted->flags, wanted->source,
						      wanted->tag, wanted->ignore))
			return message;
	return NULL;
}

static int receive_check(const struct torus_match *match,
			 const struct torus_match_receive *receive)
{
	if (match->failure)
		return torus_error_set(match->failure, "the fabric can no longer be used");
	if (receive->source != TORUS_MATCH_ANY && receive->source >= match->job->config.count)
		return torus_error_set(-EINVAL,
				       "source %u: must be below %u, the number of ranks of the "
				       "job, or TORUS_MATCH_ANY",
				       receive->source, match->job->config.count);
	return 0;
}

static struct match_receive *receive_new(const struct torus_match_receive *receive)
{
	size_t count = receive->flags & TORUS_MATCH_DISCARD ? 0 : receive->count, i;
	struct match_receive *new = malloc(sizeof(*new) + count * sizeof(*new->parts));

	if (!new)
		return NULL;
	*new = (struct match_receive){
		.done.event = {
			.context = receive->context, .tag = receive->tag,
			.flags = receive->flags & TORUS_MATCH_TAGGED,
			.buffer = count ? receive->parts[0].iov_base : NULL,
		},
		.ignore = receive->ignore, .source = receive->source, .count = count,
		.silent = receive->flags & TORUS_MATCH_SILENT,
		.discard = receive->flags & TORUS_MATCH_DISCARD,
	};
	for (i = 0; i < count; i++) {
		new->parts[i] = receive->parts[i];
		new->size += receive->parts[i].iov_len;
	}
	return new;
}

/**
 * torus_match_receive() - post a receive
 * @match: the matching
 * @receive: the receive; its buffers belong to the library until the event
 *
 * The receive takes the first unexpected message that fits.  If there is none, it waits.  If the
 * message is longer than the buffers, the receive ends with -EMSGSIZE, and the send succeeds.  If
 * the process of the source has left, or of TORUS_MATCH_ANY all other processes, the receive ends
 * with -ENOTCONN.
 *
 * Return: 0, -EINVAL (source), -ENOMEM, or the error of a fabric that can no longer be used.  After
 * an error there is no event.
 */
int torus_match_receive(struct torus_match *match, const struct torus_match_receive *receive)
{
	struct match_message *message;
	struct match_receive *new;
	int ret = receive_check(match, receive);

	if (ret)
		return ret;
	new = receive_new(receive);
	if (!new)
		return torus_error_set(-ENOMEM, "out of memory for a receive");
	message = unexpected_find(match, receive);
	if (message) {
		unexpected_remove(match, message);
		torus_match_bind(match, message, new);
		return 0;
	}
	if (torus_match_left(match, receive->source)) {
		torus_match_receive_end(match, new, NULL, -ENOTCONN);
		return 0;
	}
	/* Find the source's process at the next call, before the process may leave. */
	if (receive->source != TORUS_MATCH_ANY && !match->job->holders[receive->source])
		match->check_ns = 0;
	new->prev = match->posted_last;
	if (match->posted)
		match->posted_last->next = new;
	else
		match->posted = new;
	match->posted_last = new;
	return 0;
}

/* Bind a message to a receive that drops its data and adds no event. */
static int message_discard(struct torus_match *match, struct match_message *message)
{
	static const struct torus_match_receive sink = {
		.flags = TORUS_MATCH_DISCARD | TORUS_MATCH_SILENT,
	};
	struct match_receive *new = receive_new(&sink);

	if (!new)
		return torus_error_set(-ENOMEM, "out of memory to discard a message");
	unexpected_remove(match, message);
	torus_match_bind(match, message, new);
	return 0;
}

/**
 * torus_match_peek() - find an unexpected message without receiving it
 * @match: the matching
 * @wanted: source, tag and flags of a receive.  With TORUS_MATCH_CLAIM, the message is reserved for
 *          torus_match_claimed() with the same @wanted->context; with TORUS_MATCH_DISCARD, it is
 *          dropped
 * @event: [out] the message; @event->length is 0
 *
 * Return: 0, -ENOMSG (no message fits), -ENOTCONN (none fits, and the process of the source has
 * left), -EINVAL (source), -ENOMEM, or the error of a fabric that can no longer be used.
 */
int torus_match_peek(struct torus_match *match, const struct torus_match_receive *wanted,
		     struct torus_match_event *event)
{
	struct match_message *message;
	int ret = receive_check(match, wanted);

	if (ret)
		return ret;
	message = unexpected_find(match, wanted);
	if (!message && torus_match_left(match, wanted->source))
		return torus_error_plain(-ENOTCONN, "no message fits, and its sender has left");
	if (!message)
		return torus_error_plain(-ENOMSG, "no message fits");
	*event = (struct torus_match_event){
		.context = wanted->context, .tag = message->tag, .full = message->full,
		.data = message->data, .source = message->source, .flags = message->flags,
	};
	if (wanted->flags & TORUS_MATCH_DISCARD)
		return message_discard(match, message);
	if (wanted->flags & TORUS_MATCH_CLAIM) {
		message->claimed = true;
		message->claim = wanted->context;
	}
	return 0;
}

/**
 * torus_match_claimed() - receive a message that was claimed
 * @match: the matching
 * @receive: context of the claim, and buffers; source and tag do not matter.  With
 *           TORUS_MATCH_DISCARD the data is dropped
 *
 * Return: 0, -EINVAL (no message is claimed with this context), -ENOMEM, or the error of a fabric
 * that can no longer be used.
 */
int torus_match_claimed(struct torus_match *match, const struct torus_match_receive *receive)
{
	struct match_message *message;
	struct match_receive *new;

	if (match->failure)
		return torus_error_set(match->failure, "the fabric can no longer be used");
	for (message = match->unexpected; message; message = message->later)
		if (message->claimed && message->claim == receive->context)
			break;
	if (!message)
		return torus_error_set(-EINVAL, "no message is claimed with this context");
	new = receive_new(receive);
	if (!new)
		return torus_error_set(-ENOMEM, "out of memory for a receive");
	unexpected_remove(match, message);
	torus_match_bind(match, message, new);
	return 0;
}

/**
 * torus_match_cancel() - cancel a receive that is not matched
 * @match: the matching
 * @context: context of the receive; of several, the first one posted is cancelled
 *
 * The receive ends with -ECANCELED.  A matched receive is not affected.
 *
 * Return: 1 if a receive was cancelled, else 0.
 */
int torus_match_cancel(struct torus_match *match, void *context)
{
	struct match_receive *receive;

	for (receive = match->posted; receive; receive = receive->next)
		if (receive->done.event.context == context) {
			posted_remove(match, receive);
			torus_match_receive_end(match, receive, NULL, -ECANCELED);
			return 1;
		}
	return 0;
}

/**
 * torus_match_receives_left() - end the posted receives that wait for a process that has left
 * @match: the matching
 * @rank: rank of the process
 */
void torus_match_receives_left(struct torus_match *match, uint32_t rank)
{
	struct match_receive *receive, *next;

	for (receive = match->posted; receive; receive = next) {
		next = receive->next;
		if (receive->source != rank &&
		    (receive->source != TORUS_MATCH_ANY || !match->alone))
			continue;
		posted_remove(match, receive);
		torus_match_receive_end(match, receive, NULL, -ENOTCONN);
	}
}

/**
 * torus_match_receives_fail() - end all posted receives with an error
 * @match: the matching
 * @error: the error
 */
void torus_match_receives_fail(struct torus_match *match, int error)
{
	while (match->posted) {
		struct match_receive *receive = match->posted;

		posted_remove(match, receive);
		torus_match_receive_end(match, receive, NULL, error);
	}
}
