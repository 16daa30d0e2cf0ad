// SPDX-License-Identifier: GPL-2.0
/* Receive the packets of matched messages, and let the messages enter matching in order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "../job/crc.h"
#include "event.h"
#include "incoming.h"
#include "match.h"
#include "matched.h"
#include "message_list.h"
#include "outgoing.h"
#include "rank.h"

/*
 * Greatest distance of a packet's message number from the next one to enter, if packets may
 * overtake each other.  A packet beyond this distance is rejected.
 */
#define WINDOW_MESSAGES	1048576u

/*
 * Find bytes of a packet in its ring, from byte @at on.  @bytes: [in, out] number of bytes; limited
 * to those before the end of the ring.
 */
static const unsigned char *packet_piece(const struct torus_view *view, size_t at, size_t *bytes)
{
	unsigned int i = at >= view->part_bytes[0];
	size_t start = i ? at - view->part_bytes[0] : at;

	if (*bytes > view->part_bytes[i] - start)
		*bytes = view->part_bytes[i] - start;
	return view->part[i] + start;
}

/* Compute the CRC-32 of bytes of a packet, from byte @at on. */
static uint32_t packet_crc(const struct torus_view *view, size_t at, size_t bytes, uint32_t crc)
{
	size_t own;

	for (; bytes; at += own, bytes -= own) {
		const unsigned char *from;

		own = bytes;
		from = packet_piece(view, at, &own);
		crc = torus_lib_crc32(crc, from, own);
	}
	return crc;
}

/* Copy bytes of a packet to the buffers of a receive. */
static void packet_receive(const struct torus_view *view, size_t at, size_t bytes,
			   const struct match_receive *receive, size_t start)
{
	size_t own;

	for (; bytes; at += own, start += own, bytes -= own) {
		const unsigned char *from;

		own = bytes;
		from = packet_piece(view, at, &own);
		torus_match_put(receive, start, from, own);
	}
}

/*
 * Add a packet to a message: to its receive or its own memory.  Return: 0; -ENOBUFS if there is no
 * memory, and the message is unchanged.
 */
static int message_put(const struct msg_format *format, struct match_message *message,
		       const struct torus_view *view, const struct arrival *arrival)
{
	uint32_t index = arrival->fields.index;
	uint32_t own = torus_msg_data(format, message->length, index);
	size_t start = (size_t)index * format->payload, at = format->header_bytes;
	uint32_t head = start < message->head_bytes ? message->head_bytes - start : 0;
	size_t place = start + head - message->head_bytes;

	if (own > head && !message->receive && !message->bytes) {
		message->bytes = malloc(message->length - message->head_bytes);
		if (!message->bytes)
			return torus_error_set(-ENOBUFS, "out of memory for a message of %u bytes",
					       message->length);
	}
	if (own > head && message->receive)
		packet_receive(view, at + head, own - head, message->receive, place);
	else if (own > head)
		torus_view_copy(view, at + head, message->bytes + place, own - head);
	if (own)
		message->sum += packet_crc(view, at, own, index) * (2 * index + 1);
	if (own < arrival->part)
		torus_view_copy(view, at + own, message->trailer + (start + own - message->length),
				arrival->part - own);
	message->missing--;
	if (message->seen)
		message->seen[index / 8] |= 1u << index % 8;
	return 0;
}

/* Compare a complete message's check. */
static void message_check(struct torus_job *job, struct match_message *message)
{
	if (message->sum == torus_load_be32(message->trailer)) {
		job->counts.received_messages++;
		job->counts.received_bytes += message->length;
	} else {
		job->counts.damaged++;
		message->error = -EIO;
	}
}

/*
 * Process a message without bytes of the program.  Return: 0; -ENOBUFS if it must be processed
 * again.
 */
static int control_take(struct torus_match *match, struct match_peer *peer,
			const struct match_head *head)
{
	if (head->type == MATCH_GRANT)
		return torus_match_granted(match, peer, head->word[0], head->word[1]);
	if (head->type == MATCH_CREDIT)
		torus_match_credited(peer, head->word[0]);
	return 0;
}

/*
 * Read the head of a message from its first packet.  A damaged head makes the message one that is
 * skipped.  Return: 0; -ENOBUFS if the packet must be processed again.
 */
static int message_begin(struct torus_match *match, struct match_peer *peer,
			 struct match_message *message, const struct torus_view *view)
{
	unsigned char bytes[HEAD_BYTES + WORDS_BYTES];
	struct match_head head;
	uint32_t length = message->length < sizeof(bytes) ? message->length : sizeof(bytes);
	int ret;

	torus_view_copy(view, match->job->format.header_bytes, bytes, length);
	if (!torus_match_head_read(bytes, &head, message->number, message->length)) {
		message->type = MATCH_SKIPPED;
		match->counts.skipped++;
		return 0;
	}
	ret = control_take(match, peer, &head);
	if (ret)
		return ret;
	message->type = head.type;
	message->flags = head.flags;
	message->tag = head.tag;
	message->data = head.data;
	message->full = message->length - HEAD_BYTES;
	if (head.type == MATCH_EAGER)
		return 0;
	message->head_bytes = message->length;
	message->full = head.word[0];
	message->id = head.word[1];
	return 0;
}

/* A message is complete, has entered, and is in no list of its sender. */
static void message_complete(struct torus_match *match, struct match_message *message)
{
	if (message->receive)
		torus_match_finish(match, message);
	else if (!message->unexpected)
		torus_match_message_free(message);
}

/*
 * Let a message enter matching if its first packet has arrived and it is its turn.  A complete
 * message leaves the list of its sender.  Return: false if it cannot enter yet.
 */
static bool message_try(struct torus_match *match, struct match_peer *peer,
			struct match_message *message)
{
	bool complete = !message->missing;

	if (message->number != peer->enter_number || !message->type)
		return false;
	peer->enter_number++;
	if (complete)
		torus_match_list_remove(&peer->open, message);
	message->entered = true;
	if (message->type == MATCH_EAGER || message->type == MATCH_ANNOUNCE)
		torus_match_enter(match, message);
	else if (complete)
		torus_match_message_free(message);
	return true;
}

/* Let messages of a sender enter matching, in order. */
static void peer_enter(struct torus_match *match, struct match_peer *peer)
{
	struct match_message *message, *next;

	for (message = peer->open.first; message; message = next) {
		next = message->next;
		if (!message->entered && !message_try(match, peer, message))
			return;
	}
}

/* Fail an incomplete message of a sender, which may free it. */
static void message_fail(struct torus_match *match, struct match_peer *peer,
			 struct match_message *message, int error)
{
	if (!message->missing)
		return;
	message->missing = 0;
	message->error = error;
	match->job->counts.lost++;
	if (message->entered) {
		torus_match_list_remove(&peer->open, message);
		message_complete(match, message);
	} else if (!message->type) {
		message->type = MATCH_SKIPPED;
		match->counts.skipped++;
	}
}

/* Fail the incomplete messages of a sender before message @number: their packets are lost. */
static void open_fail(struct torus_match *match, struct match_peer *peer, uint32_t number,
		      int error)
{
	struct match_message *message, *next;

	for (message = peer->open.first; message; message = next) {
		next = message->next;
		if ((int32_t)(number - message->number) <= 0)
			return;
		message_fail(match, peer, message, error);
	}
}

/*
 * No more packets of a sender's messages before @number arrive: either its packets keep their
 * order, and a packet of that message has arrived, or its process has left.  Let the messages
 * enter, incomplete ones with an error, and skip those without a first packet.
 */
static void peer_give_up(struct torus_match *match, struct match_peer *peer, uint32_t number,
			 int error)
{
	open_fail(match, peer, number, error);
	for (;;) {
		const struct match_message *message;
		uint32_t next = number;

		peer_enter(match, peer);
		if ((int32_t)(number - peer->enter_number) <= 0)
			return;
		for (message = peer->open.first; message && message->entered;)
			message = message->next;
		if (message && (int32_t)(number - message->number) > 0)
			next = message->number;
		match->job->counts.lost += next - peer->enter_number;
		match->counts.skipped += next - peer->enter_number;
		peer->enter_number = next;
	}
}

/*
 * Check whether a message needs a packet.  Of a broken message only the first one is needed.
 * Return: false if the packet was counted as rejected.
 */
static bool arrival_needed(struct torus_match *match, const struct match_message *message,
			   const struct packet_fields *fields)
{
	struct torus_job_counts *counts = &match->job->counts;
	bool needed = false;

	if (message->length != fields->length)
		counts->rejected_mismatch++;
	else if (!message->missing || torus_match_packet_seen(message, fields->index) ||
		 (message->broken && fields->index))
		counts->rejected_duplicate++;
	else
		needed = true;
	return needed;
}

/*
 * Find the message of a packet of KIND_MATCH, or create it.  Return: 0 and @found; 0 and NULL if
 * the packet was counted as rejected; -ENOBUFS.
 */
static int arrival_open(struct torus_match *match, struct match_peer *peer,
			const struct arrival *arrival, struct match_message **found)
{
	const struct packet_fields *fields = &arrival->fields;
	struct match_message *message = torus_match_list_find(&peer->open, fields->number);
	struct torus_job_counts *counts = &match->job->counts;
	uint32_t ahead = fields->number - peer->enter_number;

	*found = NULL;
	if (message && (message->length || !message->broken)) {
		if (arrival_needed(match, message, fields))
			*found = message;
		return 0;
	}
	if (ahead >= 1u << 31) {
		counts->rejected_duplicate++;
		return 0;
	}
	if (!arrival->ordered && ahead >= WINDOW_MESSAGES) {
		counts->rejected_number++;
		return 0;
	}
	if (fields->length < HEAD_BYTES || fields->length > HEAD_BYTES + TORUS_MATCH_EAGER_MAX) {
		counts->rejected_size++;
		return 0;
	}
	if (message) {
		/* the report of the loss arrived before any packet of the message */
		message->length = fields->length;
		if (arrival_needed(match, message, fields))
			*found = message;
		return 0;
	}
	message = torus_match_message_new(fields->source, fields->length,
					  torus_msg_packets(&match->job->format, fields->length));
	if (!message)
		return torus_error_set(-ENOBUFS, "out of memory for a message of %u bytes",
				       fields->length);
	message->number = fields->number;
	message->head_bytes = HEAD_BYTES;
	torus_match_list_insert(&peer->open, message);
	*found = message;
	return 0;
}

/* End the receive of an announced message whose data has lost a packet. */
static void bulk_lost(struct torus_match *match, struct match_peer *peer,
		      struct match_message *message)
{
	torus_match_list_remove(&peer->granted, message);
	message->error = -EIO;
	match->job->counts.lost++;
	torus_match_finish(match, message);
}

/*
 * Insert a message none of whose packets has arrived, but whose loss was reported.  @head: its
 * first packet is lost.  Return: 0; -ENOBUFS if there is no memory.
 */
static int lost_open(struct torus_match *match, struct match_peer *peer,
		     const struct packet_fields *fields, bool head)
{
	struct match_message *message = torus_match_message_new(fields->source, 0, head ? 0 : 1);

	if (!message)
		return torus_error_set(-ENOBUFS, "out of memory for a lost message");
	message->number = fields->number;
	message->broken = !head;
	if (head) {
		message->type = MATCH_SKIPPED;
		match->counts.skipped++;
		match->job->counts.lost++;
	}
	torus_match_list_insert(&peer->open, message);
	return 0;
}

/*
 * Take the report that a message of the sender has lost a packet.  Return: 0; -ENOBUFS if there is
 * no memory.
 */
static int lost_accept(struct torus_match *match, struct match_peer *peer,
		       const struct arrival *arrival)
{
	const struct packet_fields *fields = &arrival->fields;
	bool bulk = fields->kind == KIND_BULK, head = !fields->length;
	struct match_message *message =
		torus_match_list_find(bulk ? &peer->granted : &peer->open, fields->number);
	int ret = 0;

	if (bulk) {
		if (message)
			bulk_lost(match, peer, message);
		return 0;
	}
	if (message && (head || message->type))
		message_fail(match, peer, message, -EIO);
	else if (message)
		message->broken = true;
	else if (fields->number - peer->enter_number < 1u << 31)
		ret = lost_open(match, peer, fields, head);
	if (!ret)
		peer_enter(match, peer);
	return ret;
}

/* Take a packet of the data of an announced message. */
static int bulk_accept(struct torus_match *match, struct match_peer *peer,
		       const struct torus_view *view, const struct arrival *arrival)
{
	const struct packet_fields *fields = &arrival->fields;
	struct torus_job_counts *counts = &match->job->counts;
	struct match_message *message = torus_match_list_find(&peer->granted, fields->number);

	if (!message || torus_match_packet_seen(message, fields->index)) {
		counts->rejected_duplicate++;
		return 0;
	}
	if (message->length != fields->length) {
		counts->rejected_mismatch++;
		return 0;
	}
	/* Data is sent in the order of the grants. */
	while (arrival->ordered && peer->granted.first != message)
		bulk_lost(match, peer, peer->granted.first);
	message_put(&match->job->format, message, view, arrival);
	counts->received_packets++;
	if (message->missing)
		return 0;
	message_check(match->job, message);
	torus_match_list_remove(&peer->granted, message);
	torus_match_finish(match, message);
	return 0;
}

/**
 * torus_match_accept() - take a packet of KIND_MATCH or KIND_BULK
 * @match: the matching
 * @from: sender of the packet
 * @view: the packet
 * @arrival: its fields
 *
 * Return: 0, or -ENOBUFS if there is no memory and the packet must wait in its ring.
 */
int torus_match_accept(struct torus_match *match, struct peer *from, const struct torus_view *view,
		       const struct arrival *arrival)
{
	struct match_message *message;
	struct match_peer *peer;
	int ret = torus_match_peer(match, from->rank, &peer);

	if (ret)
		return ret;
	peer->packets++;
	if (arrival->fields.kind == KIND_BULK && arrival->fields.length)
		return bulk_accept(match, peer, view, arrival);
	if (arrival->fields.kind == KIND_MATCH && arrival->ordered)
		peer_give_up(match, peer, arrival->fields.number, -EIO);
	if (arrival->fields.length <= BROKEN_BYTES)
		return lost_accept(match, peer, arrival);
	ret = arrival_open(match, peer, arrival, &message);
	if (ret || !message)
		return ret;
	if (!arrival->fields.index && !message->type) {
		ret = message_begin(match, peer, message, view);
		if (ret)
			return ret;
	}
	if (message->broken) {
		message->broken = false;
		message_fail(match, peer, message, -EIO);
		peer_enter(match, peer);
		return 0;
	}
	/* Match first, so that the packet goes straight into the buffers of its receive. */
	if (message->type == MATCH_EAGER && !message->entered)
		message_try(match, peer, message);
	ret = message_put(&match->job->format, message, view, arrival);
	if (ret)
		return ret;
	match->job->counts.received_packets++;
	if (!message->missing) {
		message_check(match->job, message);
		if (message->entered) {
			torus_match_list_remove(&peer->open, message);
			message_complete(match, message);
		}
	}
	peer_enter(match, peer);
	return 0;
}

static void list_fail(struct torus_match *match, struct match_list *list, int error)
{
	while (list->first) {
		struct match_message *message = list->first;

		torus_match_list_remove(list, message);
		message->error = error;
		torus_match_finish(match, message);
	}
}

/**
 * torus_match_arrivals_left() - end the messages of a process that has left
 * @match: the matching
 * @peer: state of its rank; all its packets have arrived
 *
 * Incomplete messages and data that was to come end with -ENOTCONN.
 */
void torus_match_arrivals_left(struct torus_match *match, struct match_peer *peer)
{
	if (peer->open.last)
		peer_give_up(match, peer, peer->open.last->number + 1, -ENOTCONN);
	list_fail(match, &peer->granted, -ENOTCONN);
}

/**
 * torus_match_arrivals_fail() - drop all messages, and end their receives with an error
 * @match: the matching
 * @error: the error
 */
void torus_match_arrivals_fail(struct torus_match *match, int error)
{
	uint32_t i;

	while (match->unexpected) {
		struct match_message *message = match->unexpected;

		match->unexpected = message->later;
		message->unexpected = false;
		if (message->self)
			torus_match_send_end(match, message->self, error);
		/* an incomplete message is in the list of its sender, too */
		if (!message->missing)
			torus_match_message_free(message);
	}
	match->unexpected_last = NULL;
	for (i = 0; i < match->job->config.count; i++) {
		if (!match->peers[i])
			continue;
		list_fail(match, &match->peers[i]->open, error);
		list_fail(match, &match->peers[i]->granted, error);
	}
}
