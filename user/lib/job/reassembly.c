// SPDX-License-Identifier: GPL-2.0
/*
 * Reassemble packets into messages.  Each field of a packet is validated, and memory is allocated
 * only after all checks: packets that other programs on the machine send, by mistake or not, are
 * counted and discarded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/receive.h"
#include "check.h"
#include "forward.h"
#include "job.h"
#include "memory.h"
#include "peer.h"
#include "posted_receive.h"
#include "reassembly.h"
#include "subjob.h"
#include "undelivered.h"
#include "wireup.h"

#define PUBLISH_EVERY	16	/* packets received before their chunks are freed */
/*
 * Greatest distance of a packet's message number from the next one to deliver, if packets may
 * overtake each other: a link may delay a packet for many messages.  A packet beyond this distance
 * is rejected.  If packets keep their order, a packet shows that all messages before its own are
 * lost.
 */
#define WINDOW		1048576
#define LATER_MAX	262144	/* packets after an incomplete message, beyond memory_max */

static void message_list_append(struct message_list *list, struct message *message)
{
	message->next = NULL;
	message->prev = list->last;
	if (list->last)
		list->last->next = message;
	else
		list->first = message;
	list->last = message;
}

static void message_list_insert(struct message_list *list, struct message *before,
				struct message *message)
{
	message->prev = before;
	message->next = before ? before->next : list->first;
	if (message->next)
		message->next->prev = message;
	else
		list->last = message;
	if (before)
		before->next = message;
	else
		list->first = message;
}

/**
 * torus_message_unlink() - remove a message from its list
 * @list: the list
 * @message: the message
 */
void torus_message_unlink(struct message_list *list, struct message *message)
{
	if (message->prev)
		message->prev->next = message->next;
	else
		list->first = message->next;
	if (message->next)
		message->next->prev = message->prev;
	else
		list->last = message->prev;
}

/*
 * Find the sender whose count of untaken messages includes a ready message.  NULL: no count
 * includes it.
 */
static struct peer *message_untaken(const struct torus_job *job, const struct message *message)
{
	bool data = message->kind == KIND_DATA || message->kind == KIND_LOST;

	return data && message->source != job->rank ? job->peers[message->source] : NULL;
}

static void message_ready(struct torus_job *job, struct message *message)
{
	struct peer *peer = message_untaken(job, message);

	if (peer)
		peer->untaken++;
	message_list_append(&job->ready, message);
}

/**
 * torus_message_taken() - remove a message from the ready list
 * @job: the job
 * @message: the message
 */
void torus_message_taken(struct torus_job *job, struct message *message)
{
	struct peer *peer = message_untaken(job, message);

	if (peer)
		peer->untaken--;
	torus_message_unlink(&job->ready, message);
}

/*
 * Check whether a packet must be received beyond memory_max, because a packet after it in the ring
 * may complete a message.  Yes for a message of torus_message_receive(), unless a complete message
 * of its sender waits for the program.  Yes for a packet of a collective, in any call that waits.
 * The number of packets after an incomplete message is limited, because after a lost packet they
 * would fill all memory.
 */
static bool arrival_must(const struct torus_job *job, const struct peer *peer,
			 unsigned int kind, uint32_t number)
{
	if (number != peer->receive_number && peer->later >= LATER_MAX)
		return false;
	return kind == KIND_DATA ? !peer->untaken : !job->root->computes;
}

/*
 * Advance the number of the next message by @count.  Packets of the message that becomes the next
 * one are removed from the count @later.
 */
static void peer_advance(const struct torus_job *job, struct peer *peer, uint32_t count)
{
	const struct message *next = peer->open.first;

	peer->receive_number += count;
	if (next && next->number == peer->receive_number)
		peer->later -= torus_msg_packets(&job->format, next->length) - next->missing;
}

/*
 * Queue one report, of KIND_LOST, of @count consecutive lost messages.  It has no length, and
 * matches any tag.
 */
static int message_lost(struct torus_job *job, struct peer *peer, uint32_t count)
{
	struct message *message;
	int ret;

	ret = torus_message_new(job, 0, 1, NULL, !peer->untaken, &message);
	if (ret)
		return ret;
	message->source = peer->rank;
	message->number = peer->receive_number;
	message->count = count;
	message->kind = KIND_LOST;
	message->error = -EBADMSG;
	message_ready(job, message);
	return 0;
}

/* Deliver the messages from @peer that are complete and next. */
static void message_deliver(struct torus_job *job, struct peer *peer)
{
	struct message *message;

	while ((message = peer->open.first) && message->number == peer->receive_number &&
	       !message->missing) {
		torus_message_unlink(&peer->open, message);
		message_ready(job, message);
		torus_posted_ready(job, message);
		peer_advance(job, peer, 1);
	}
}

/* Report all messages from @peer before message @number as lost, unless they are complete. */
static int message_give_up_before(struct torus_job *job, struct peer *peer, uint32_t number)
{
	while (peer->receive_number != number) {
		struct message *message = peer->open.first;
		uint32_t count = number - peer->receive_number;
		int ret = 0;

		if (message && message->number - peer->receive_number < count)
			count = message->number - peer->receive_number;
		if (count) {
			ret = message_lost(job, peer, count);
		} else {
			count = 1;
			torus_message_unlink(&peer->open, message);
			job->coming -= message->coming;
			message->error = -EBADMSG;
			message->untagged = job->format.narrow;
			message_ready(job, message);
		}
		if (ret)
			return ret;
		job->counts.lost += count;
		peer_advance(job, peer, count);
		message_deliver(job, peer);
	}
	return 0;
}

static void message_complete(struct torus_job *job, struct message *message)
{
	uint32_t crc;

	message->tag = torus_msg_tag(&job->format, message->trailer, message->tag);
	crc = torus_message_crc(job, message->source, job->rank, message->number, message->tag,
				message->bytes, message->bytes ? message->length : 0);
	if (crc == torus_load_be32(message->trailer)) {
		job->counts.received_messages++;
		job->counts.received_bytes += message->length;
	} else {
		job->counts.damaged++;
		message->error = -EBADMSG;
		message->untagged = job->format.narrow;
	}
}

/* Copy a packet's bytes to its message, and its part of the trailer to the message's trailer. */
static void message_put(const struct msg_format *format, struct message *message,
			const struct torus_view *view, uint32_t index, uint32_t part)
{
	uint32_t own = torus_msg_data(format, message->length, index);
	size_t start = (size_t)index * format->payload;

	if (own && message->bytes)
		torus_view_copy(view, format->header_bytes, message->bytes + start, own);
	if (own < part)
		torus_view_copy(view, format->header_bytes + own,
				message->trailer + (start + own - message->length), part - own);
}

/* Find message @number of @peer, or the message after which to insert it. */
static struct message *message_find_open(struct peer *peer, uint32_t number)
{
	struct message *message = peer->open.last;

	while (message && message->number - peer->receive_number > number - peer->receive_number)
		message = message->prev;
	return message;
}

/* Check whether packets of a kind belong to the job's matching. */
static bool arrival_matched(const struct torus_job *job, unsigned int kind)
{
	return job->match && (kind == KIND_MATCH || kind == KIND_BULK);
}

/* Validate the fields of a packet.  Return: true; false if it was counted as rejected. */
static bool arrival_check(struct torus_job *job, const struct torus_view *view,
			  struct arrival *arrival)
{
	struct torus_job_counts *counts = &job->counts;
	struct packet_fields *fields = &arrival->fields;
	unsigned int kind;

	if (!torus_msg_header_read(&job->format, view, job->check, fields)) {
		counts->rejected_key++;
		return false;
	}
	torus_wireup_go(job);
	kind = fields->kind & ~MSG_KIND_FLAGS;
	arrival->ordered = fields->kind & KIND_ORDERED;
	fields->kind = kind;
	if (fields->source >= job->config.count || fields->source == job->rank) {
		counts->rejected_source++;
		return false;
	}
	if (kind != KIND_DATA && kind != KIND_BARRIER && kind != KIND_ALLTOALL &&
	    kind != KIND_COLLECTIVE && kind != KIND_TREE && !arrival_matched(job, kind)) {
		counts->rejected_mismatch++;
		return false;
	}
	return torus_reassembly_fits(job, view, fields, &arrival->part);
}

/**
 * torus_reassembly_fits() - check that length, index and size of a packet agree
 * @job: the job
 * @view: the packet
 * @fields: fields of its header
 * @part: [out] bytes of message and trailer in the packet
 *
 * Return: true; false if the packet was counted as rejected.
 */
bool torus_reassembly_fits(struct torus_job *job, const struct torus_view *view,
			   const struct packet_fields *fields, uint32_t *part)
{
	const struct msg_format *format = &job->format;
	struct torus_job_counts *counts = &job->counts;

	if (fields->length > job->config.length_max) {
		counts->rejected_size++;
		return false;
	}
	if (fields->index >= torus_msg_packets(format, fields->length)) {
		counts->rejected_index++;
		return false;
	}
	if (view->chunks != torus_msg_chunks(format, fields->length, fields->index)) {
		counts->rejected_size++;
		return false;
	}
	*part = torus_msg_part(format, fields->length, fields->index);
	return true;
}

/*
 * Find the message of a packet, or create it for its first packet.  Return: 0 and @found; 0 and
 * NULL if the packet was counted as rejected; -ENOBUFS.
 */
static int arrival_message(struct torus_job *job, struct peer *peer, const struct arrival *arrival,
			   struct message **found)
{
	const struct packet_fields *fields = &arrival->fields;
	struct message *before = message_find_open(peer, fields->number);
	uint32_t packets = torus_msg_packets(&job->format, fields->length);
	struct message *message, named = {
		.source = fields->source, .number = fields->number, .tag = fields->tag,
		.length = fields->length, .kind = fields->kind,
	};
	unsigned char *place = NULL;
	int ret;

	*found = NULL;
	if (before && before->number == fields->number) {
		if (before->length == fields->length && before->tag == fields->tag &&
		    before->kind == fields->kind)
			*found = before;
		else
			job->counts.rejected_mismatch++;
		return 0;
	}
	if (packets > 1)
		place = torus_posted_place(job, peer, &named);
	ret = torus_message_new(job, fields->length, packets, place,
				arrival_must(job, peer, fields->kind, fields->number), &message);
	if (ret)
		return ret;
	message->source = fields->source;
	message->number = fields->number;
	message->tag = fields->tag;
	message->kind = fields->kind;
	message->coming = torus_msg_all_chunks(&job->format, fields->length);
	job->coming += message->coming;
	message_list_insert(&peer->open, before, message);
	if (place)
		torus_posted_put(job, message);
	*found = message;
	return 0;
}

/* Mark a packet of a message as received.  Return: false if it was received before. */
static bool arrival_is_new(struct message *message, uint32_t index)
{
	unsigned char *seen, bit = 1u << index % 8;

	if (!message->seen)
		return message->missing;
	seen = &message->seen[index / 8];
	if (*seen & bit)
		return false;
	*seen |= bit;
	return true;
}

/* Add a packet to its message.  Return: 0, or -ENOBUFS if it must wait in its ring. */
static int arrival_add(struct torus_job *job, struct peer *peer, const struct torus_view *view,
		       const struct arrival *arrival)
{
	struct torus_job_counts *counts = &job->counts;
	uint32_t ahead = arrival->fields.number - peer->receive_number;
	struct message *message;
	int ret;

	if (ahead >= 1u << 31) {
		counts->rejected_duplicate++;
		return 0;
	}
	if (!arrival->ordered && ahead >= WINDOW) {
		counts->rejected_number++;
		return 0;
	}
	if (arrival->ordered) {
		ret = message_give_up_before(job, peer, arrival->fields.number);
		if (ret)
			return ret;
	}
	ret = arrival_message(job, peer, arrival, &message);
	if (ret || !message)
		return ret;
	if (!arrival_is_new(message, arrival->fields.index)) {
		counts->rejected_duplicate++;
		return 0;
	}
	message_put(&job->format, message, view, arrival->fields.index, arrival->part);
	counts->received_packets++;
	peer->later += message->number != peer->receive_number;
	message->coming -= view->chunks;
	job->coming -= view->chunks;
	if (--message->missing)
		return 0;
	message_complete(job, message);
	message_deliver(job, peer);
	return 0;
}

/*
 * Process a packet of @job or of another job of its context: add it to its message, or pass it to
 * the function for its kind.  Return: 0; -ENOBUFS or -EAGAIN if it must wait in its ring; -EIO,
 * -ENODEV.
 */
static int arrival_accept(struct torus_job *job, const struct torus_view *view)
{
	struct arrival arrival;
	unsigned int kind;
	struct peer *peer;
	int ret;

	job = torus_subjob_find(job->root, view);
	/* The kind is trusted only after the check is verified. */
	kind = torus_msg_kind(&job->format, view);
	if (!job->wireup.done && !job->wireup.session &&
	    (kind & ~MSG_KIND_FLAGS) != KIND_WIREUP) {
		/*
		 * Before this rank knows the session, no member sends messages: this packet is
		 * foreign.
		 */
		job->counts.rejected_key++;
		return 0;
	}
	if (kind == KIND_BROADCAST && !job->closing)
		return job->ops->accept(job, view);
	ret = torus_forward_take(job, view);
	if (ret)
		return ret < 0 ? ret : 0;
	if (job->closing) {
		/* No call takes messages of a closed job: they would fill memory_max. */
		job->counts.rejected_key++;
		return 0;
	}
	if ((kind & ~MSG_KIND_FLAGS) == KIND_WIREUP)
		return torus_wireup_accept(job, view);
	if ((kind & ~MSG_KIND_FLAGS) == KIND_UNDELIVERED)
		return torus_undelivered_accept(job, view);
	if (!arrival_check(job, view, &arrival))
		return 0;
	ret = torus_job_peer(job, arrival.fields.source, &peer);
	if (ret)
		return ret;
	if (arrival_matched(job, arrival.fields.kind))
		return job->match_ops->accept(job->match, peer, view, &arrival);
	return arrival_add(job, peer, view, &arrival);
}

/**
 * torus_reassembly_drain() - take packets out of the reception rings
 * @job: the job
 *
 * Return: number of packets taken; if none was taken, 0, -ENOBUFS, -EIO or an error of
 * torus_vtime_sync().  -ENODEV.
 */
int torus_reassembly_drain(struct torus_job *job)
{
	struct torus_context *context = job->context;
	struct torus_view view;
	int taken = 0;
	int ret, published;

	job->root->stuck = false;
	do {
		ret = torus_receive_peek(context, TORUS_FIFO_ANY, &view);
		if (!ret)
			ret = arrival_accept(job, &view);
		if (ret)
			break;
		torus_receive_consume(context, &view);
		taken++;
		if (taken % PUBLISH_EVERY == 0)
			ret = torus_receive_publish(context);
	} while (!ret && taken < DRAIN_BUDGET && !(job->posted && job->posted->complete));

	job->root->stuck = ret == -ENOBUFS;
	published = taken ? torus_receive_publish(context) : 0;
	if (published)
		return published;
	if (ret == -ENODEV)
		return ret;
	return taken || ret == -EAGAIN ? taken : ret;
}

/**
 * torus_reassembly_local() - deliver a message of this process to itself
 * @job: the job
 * @kind: KIND_*
 * @tag: tag of the message
 * @data: the message
 * @length: length of the message in bytes
 *
 * The message does not use the network.  The machine could send it only around a ring, and only
 * with a hint bit.
 *
 * Return: 0 or -ENOBUFS.
 */
int torus_reassembly_local(struct torus_job *job, unsigned int kind, uint32_t tag,
			   const void *data, uint32_t length)
{
	struct message *message;
	int ret;

	ret = torus_message_new(job, length, 1, NULL, kind != KIND_DATA && !job->root->computes,
				&message);
	if (ret)
		return ret;
	message->source = job->rank;
	message->kind = kind;
	message->tag = tag;
	message->missing = 0;
	if (length)
		memcpy(message->data, data, length);
	message_ready(job, message);
	job->counts.received_messages++;
	job->counts.received_bytes += length;
	return 0;
}
