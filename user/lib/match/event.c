// SPDX-License-Identifier: GPL-2.0
/* End operations: add their events to the queue. */
#include <errno.h>
#include <stdlib.h>
#include "descriptor.h"
#include "event.h"

/* Add the event of an operation, or free the operation if it adds none. */
static void event_add(struct torus_match *match, struct match_done *done, bool silent)
{
	if (done->event.error && !done->event.context && silent)
		match->counts.failed++;
	if (silent && (!done->event.error || !done->event.context)) {
		free(done);
		return;
	}
	done->next = NULL;
	if (match->done)
		match->done_last->next = done;
	else
		match->done = done;
	match->done_last = done;
	torus_match_wake(match);
}

/**
 * torus_match_send_end() - end a send
 * @match: the matching
 * @send: the send, in no list
 * @error: 0 or a negative errno
 */
void torus_match_send_end(struct torus_match *match, struct match_send *send, int error)
{
	match->pending--;
	send->done.event.error = error;
	event_add(match, &send->done, send->silent);
}

/**
 * torus_match_receive_end() - end a receive
 * @match: the matching
 * @receive: the receive, in no list
 * @message: the matched message; NULL: none
 * @error: 0 or a negative errno
 */
void torus_match_receive_end(struct torus_match *match, struct match_receive *receive,
			     const struct match_message *message, int error)
{
	struct torus_match_event *event = &receive->done.event;

	event->source = TORUS_MATCH_ANY;
	if (message) {
		event->source = message->source;
		event->tag = message->tag;
		event->data = message->data;
		event->flags = message->flags;
		event->full = message->full;
		event->length = message->full < receive->size ? message->full : receive->size;
		if (!error && message->full > receive->size && !receive->discard)
			error = -EMSGSIZE;
	}
	event->error = error;
	event_add(match, &receive->done, receive->silent);
}
