// SPDX-License-Identifier: GPL-2.0
/* Give messages to receives: match them, copy their bytes, return credit, and grant their data. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "event.h"
#include "matched.h"
#include "message_list.h"
#include "outgoing.h"
#include "receive_list.h"

/**
 * torus_match_put() - copy bytes of a message to the buffers of its receive
 * @receive: the receive; bytes after the end of its buffers are dropped
 * @start: first byte in the message
 * @from: the bytes
 * @bytes: number of bytes
 */
void torus_match_put(const struct match_receive *receive, size_t start, const void *from,
		     size_t bytes)
{
	unsigned int i;

	for (i = 0; i < receive->count && bytes; i++) {
		const struct iovec *part = &receive->parts[i];
		size_t own;

		if (start >= part->iov_len) {
			start -= part->iov_len;
			continue;
		}
		own = part->iov_len - start < bytes ? part->iov_len - start : bytes;
		memcpy((char *)part->iov_base + start, from, own);
		from = (const char *)from + own;
		bytes -= own;
		start = 0;
	}
}

/*
 * Return credit to the sender of a matched message, at least half a window at a time.  An
 * announcement needs no credit, but the credit of earlier messages may wait for memory.
 */
static void credit_return(struct torus_match *match, const struct match_message *message)
{
	struct match_peer *peer = match->peers[message->source];
	struct match_head head = { .type = MATCH_CREDIT };

	if (message->type == MATCH_EAGER)
		peer->matched += message->full + CHARGE_BYTES;
	if (peer->matched < match->config.window / 2)
		return;
	if (message->source == match->job->rank) {
		peer->used -= peer->matched;
		peer->matched = 0;
		return;
	}
	head.word[0] = peer->matched;
	if (!torus_match_control(match, message->source, &head))
		peer->matched = 0;
}

/**
 * torus_match_finish() - free a message that is complete or failed, and end its receive
 * @match: the matching
 * @message: the message, in no list
 */
void torus_match_finish(struct torus_match *match, struct match_message *message)
{
	if (message->receive)
		torus_match_receive_end(match, message->receive, message, message->error);
	torus_match_message_free(message);
}

/*
 * Receive the data of an announced message into the buffers of its receive.  After an error the
 * grant asks for no data, so that the send ends.
 */
static void bulk_begin(struct torus_match *match, struct match_message *message)
{
	const struct msg_format *format = &match->job->format;
	struct match_peer *peer = match->peers[message->source];
	struct match_head head = { .type = MATCH_GRANT };
	__u64 size = message->receive->size;
	int ret;

	message->number = message->id;
	message->length = message->full < size ? message->full : size;
	message->head_bytes = 0;
	message->sum = 0;
	message->missing = message->length ? torus_msg_packets(format, message->length) : 0;
	if (message->missing > 1) {
		message->seen = calloc((message->missing + 7ull) / 8, 1);
		if (!message->seen && !message->error)
			message->error = -ENOMEM;
	}
	head.word[0] = message->number;
	head.word[1] = message->error ? 0 : message->length;
	ret = torus_match_control(match, message->source, &head);
	if (ret && !message->error)
		message->error = ret == -ENOBUFS ? -ENOMEM : ret;
	if (message->error || !message->missing)
		torus_match_finish(match, message);
	else
		torus_match_list_append(&peer->granted, message);
}

/* Copy the packets that have arrived from the message's own memory to the receive. */
static void message_move(struct torus_match *match, const struct match_message *message)
{
	const struct msg_format *format = &match->job->format;
	uint32_t packets = torus_msg_packets(format, message->length), index;

	for (index = 0; message->bytes && index < packets; index++) {
		size_t start = (size_t)index * format->payload;
		uint32_t own = torus_msg_data(format, message->length, index);
		uint32_t head = start < message->head_bytes ? message->head_bytes - start : 0;

		if (torus_match_packet_seen(message, index))
			torus_match_put(message->receive, start + head - message->head_bytes,
					message->bytes + start + head - message->head_bytes,
					own - head);
	}
}

/**
 * torus_match_bind() - give a message to a receive
 * @match: the matching
 * @message: the message, which is not in the list of unexpected messages; freed if it is complete
 *           or has failed
 * @receive: the receive, in no list
 */
void torus_match_bind(struct torus_match *match, struct match_message *message,
		      struct match_receive *receive)
{
	struct match_send *self = message->self;
	unsigned int i;

	message->receive = receive;
	credit_return(match, message);
	if (self) {
		size_t start = 0;

		for (i = 0; i < self->count; start += self->parts[i++].iov_len)
			torus_match_put(receive, start, self->parts[i].iov_base,
					self->parts[i].iov_len);
		torus_match_send_end(match, self, 0);
		torus_match_finish(match, message);
	} else if (message->type == MATCH_ANNOUNCE) {
		bulk_begin(match, message);
	} else if (message->error) {
		torus_match_finish(match, message);
	} else {
		message_move(match, message);
		free(message->bytes);
		message->bytes = NULL;
		if (!message->missing)
			torus_match_finish(match, message);
	}
}

/**
 * torus_match_enter() - match a message with the posted receives, or let it wait
 * @match: the matching
 * @message: the message; freed if it is matched, and is complete or has failed
 */
void torus_match_enter(struct torus_match *match, struct match_message *message)
{
	struct match_receive *receive = torus_match_find_posted(match, message);

	if (receive)
		torus_match_bind(match, message, receive);
	else
		torus_match_unexpected_add(match, message);
}

/* Copy a message of this process to itself, if there is credit, so that its send ends. */
static void self_copy(struct torus_match *match, struct match_message *message)
{
	struct match_peer *peer = match->peers[match->job->rank];
	struct match_send *self = message->self;
	__u64 charge = (__u64)message->full + CHARGE_BYTES;
	unsigned char *at;
	unsigned int i;

	if (message->full > match->config.eager || peer->used + charge > match->config.window)
		return;
	at = malloc(message->full + 1);
	if (!at)
		return;
	message->bytes = at;
	for (i = 0; i < self->count; at += self->parts[i++].iov_len)
		if (self->parts[i].iov_len)
			memcpy(at, self->parts[i].iov_base, self->parts[i].iov_len);
	peer->used += charge;
	message->type = MATCH_EAGER;
	message->length = message->full;
	message->self = NULL;
	torus_match_send_end(match, self, 0);
}

/**
 * torus_match_self() - match a message of this process to itself
 * @match: the matching
 * @send: the message
 *
 * If no receive fits, the message waits.  A message for which there is credit is copied and ends at
 * once; any other ends when it is matched.
 *
 * Return: 0, -ENOBUFS.
 */
int torus_match_self(struct torus_match *match, struct match_send *send)
{
	const struct torus_match_event *event = &send->done.event;
	struct match_message *message = torus_match_message_new(match->job->rank, 0, 0);

	if (!message)
		return torus_error_set(-ENOBUFS, "out of memory for a message to this process");
	message->tag = event->tag;
	message->data = event->data;
	message->flags = event->flags;
	message->full = event->full;
	message->self = send;
	message->type = MATCH_ANNOUNCE;
	torus_match_enter(match, message);
	/* without a receive the message is the last unexpected one */
	if (match->unexpected_last == message)
		self_copy(match, message);
	return 0;
}
