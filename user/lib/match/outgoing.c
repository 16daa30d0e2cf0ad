// SPDX-License-Identifier: GPL-2.0
/* Send matched messages: eager ones, announcements and their data, grants and credits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "../context/inject.h"
#include "../job/crc.h"
#include "../job/peer.h"
#include "../job/push.h"
#include "../job/queue.h"
#include "../job/relay.h"
#include "../job/send_errors.h"
#include "descriptor.h"
#include "event.h"
#include "match.h"
#include "matched.h"
#include "outgoing.h"
#include "rank.h"

static uint32_t head_crc(const unsigned char *at, uint32_t number, uint32_t length)
{
	size_t bytes = HEAD_BYTES + (at[4] == MATCH_EAGER ? 0 : WORDS_BYTES);
	unsigned char fields[8];

	torus_store_be32(fields, number);
	torus_store_be32(fields + 4, length);
	return torus_lib_crc32(torus_lib_crc32(0, fields, sizeof(fields)), at + 4, bytes - 4);
}

/**
 * torus_match_head_write() - write the head of a message
 * @at: [out] HEAD_BYTES bytes, and for a message that is not eager WORDS_BYTES more
 * @head: the head
 * @number: number of the message
 * @length: length of the message in bytes, with its head
 */
void torus_match_head_write(unsigned char *at, const struct match_head *head, uint32_t number,
			    uint32_t length)
{
	torus_store_be32(at + 4, head->type << 24 | head->flags << 16);
	torus_store_be32(at + 8, head->data);
	torus_store_be32(at + 12, head->tag >> 32);
	torus_store_be32(at + 16, head->tag);
	if (head->type != MATCH_EAGER) {
		torus_store_be32(at + HEAD_BYTES, head->word[0]);
		torus_store_be32(at + HEAD_BYTES + 4, head->word[1]);
	}
	torus_store_be32(at, head_crc(at, number, length));
}

/**
 * torus_match_head_read() - read the head of a message
 * @at: HEAD_BYTES bytes, and for a message that is not eager WORDS_BYTES more
 * @head: [out] the head
 * @number: number of the message
 * @length: length of the message in bytes, with its head
 *
 * Return: false if the head is damaged.
 */
bool torus_match_head_read(const unsigned char *at, struct match_head *head, uint32_t number,
			   uint32_t length)
{
	*head = (struct match_head){
		.type = at[4], .flags = at[5], .data = torus_load_be32(at + 8),
		.tag = (__u64)torus_load_be32(at + 12) << 32 | torus_load_be32(at + 16),
	};
	if (head->type < MATCH_EAGER || head->type > MATCH_CREDIT ||
	    (head->type != MATCH_EAGER && length != HEAD_BYTES + WORDS_BYTES) ||
	    torus_load_be32(at) != head_crc(at, number, length))
		return false;
	if (head->type != MATCH_EAGER) {
		head->word[0] = torus_load_be32(at + HEAD_BYTES);
		head->word[1] = torus_load_be32(at + HEAD_BYTES + 4);
	}
	return true;
}

/*
 * Write @bytes bytes of a message to its packet, starting at byte @start of the buffers.  Return:
 * the CRC-32 of these bytes, started with @crc.
 */
static uint32_t wire_gather(struct torus_context *context, unsigned int fifo, size_t at,
			    const struct match_send *owner, size_t start, size_t bytes,
			    uint32_t crc)
{
	unsigned int i;

	for (i = 0; i < owner->count && bytes; i++) {
		const struct iovec *part = &owner->parts[i];
		size_t own = part->iov_len;

		if (start >= own) {
			start -= own;
			continue;
		}
		own = own - start < bytes ? own - start : bytes;
		torus_inject_put(context, fifo, at, (char *)part->iov_base + start, own);
		crc = torus_lib_crc32(crc, (char *)part->iov_base + start, own);
		at += own;
		bytes -= own;
		start = 0;
	}
	return crc;
}

static void wire_put(struct torus_job *job, struct torus_send *send, unsigned int fifo,
		     const unsigned char *header)
{
	struct match_wire *wire = (struct match_wire *)send;
	const struct msg_format *format = &job->format;
	uint32_t part = torus_msg_part(format, send->length, send->index);
	uint32_t own = torus_msg_data(format, send->length, send->index);
	unsigned int chunks = torus_msg_chunks(format, send->length, send->index);
	size_t start = (size_t)send->index * format->payload, at = format->header_bytes;
	uint32_t crc = send->index, head = 0;

	torus_inject_put(job->context, fifo, 0, header, at);
	if (start < wire->head_bytes) {
		head = wire->head_bytes - start < own ? wire->head_bytes - start : own;
		torus_inject_put(job->context, fifo, at, wire->head + start, head);
		crc = torus_lib_crc32(crc, wire->head + start, head);
	}
	if (own > head)
		crc = wire_gather(job->context, fifo, at + head, wire->owner,
				  start + head - wire->head_bytes, own - head, crc);
	/* The trailer may have begun in the packet before, so it must not change any more. */
	if (own)
		wire->sum += crc * (2 * send->index + 1);
	if (own < part) {
		torus_msg_trailer_write(format, send->trailer, wire->sum, 0);
		torus_inject_put(job->context, fifo, at + own,
				 send->trailer + (start + own - send->length), part - own);
	}
	torus_inject_put(job->context, fifo, at + part, NULL,
			 (size_t)chunks * format->chunk_bytes - at - part);
	torus_inject_commit(job->context, fifo, chunks);
}

static void wire_end(struct torus_job *job, struct torus_send *send)
{
	struct match_wire *wire = (struct match_wire *)send;

	if (wire->owner)
		torus_match_send_end(wire->match, wire->owner, send->error);
	free(wire);
}

static const struct send_ops wire_ops = {
	.put = wire_put,
	.end = wire_end,
};

/*
 * Prepare a message on the wire to a rank.  Return: 0, -ENOBUFS, -ENOTCONN, -EHOSTUNREACH,
 * -ENODEV.  The caller fills in the message, and calls wire_add().
 */
static int wire_new(struct torus_match *match, uint32_t rank, struct match_wire **wire)
{
	struct torus_job *job = match->job;
	struct match_wire *new;
	struct peer *peer;
	int ret = torus_job_peer(job, rank, &peer);

	if (!ret && peer->blocked)
		ret = torus_relay_refuse(job, job->rank, rank, 0);
	if (!ret)
		ret = torus_send_error_of(job, peer);
	if (ret)
		return ret;
	new = calloc(1, sizeof(*new));
	if (!new)
		return torus_error_set(-ENOBUFS, "out of memory for a message to rank %u", rank);
	new->match = match;
	new->send = (struct torus_send){
		.peer = peer, .dest = rank, .owned = true, .ops = &wire_ops,
	};
	*wire = new;
	return 0;
}

/* Queue a message.  @bytes: its length in bytes without the head */
static void wire_add(struct match_wire *wire, unsigned int kind, uint32_t number, uint32_t bytes)
{
	struct torus_job *job = wire->match->job;
	struct torus_send *send = &wire->send;

	send->kind = kind | (job->ordered ? KIND_ORDERED : 0);
	send->number = number;
	send->length = wire->head_bytes + bytes;
	send->packets = torus_msg_packets(&job->format, send->length);
	torus_queue_add(job, send);
}

/* Write the head of a message, whose @bytes bytes follow, and queue the message. */
static void wire_add_head(struct match_wire *wire, const struct match_head *head, uint32_t number,
			  uint32_t bytes)
{
	bool eager = head->type == MATCH_EAGER;

	wire->head_bytes = HEAD_BYTES + (eager ? 0 : WORDS_BYTES);
	wire->send.note = (struct send_note){
		.type = head->type, .word = { head->word[0], head->word[1] },
	};
	if (eager)
		wire->send.note.word[0] = bytes + CHARGE_BYTES;
	torus_match_head_write(wire->head, head, number, wire->head_bytes + bytes);
	wire_add(wire, KIND_MATCH, number, bytes);
}

/*
 * Queue a message with a head, and with the next number.  @owner: the program's message, whose
 * @bytes bytes follow the head; NULL: none.  Return: as wire_new().
 */
static int head_queue(struct torus_match *match, uint32_t rank, struct match_send *owner,
		      const struct match_head *head, uint32_t bytes)
{
	struct match_peer *state;
	struct match_wire *wire;
	int ret = torus_match_peer(match, rank, &state);

	if (!ret)
		ret = wire_new(match, rank, &wire);
	if (ret)
		return ret;
	wire->owner = owner;
	wire_add_head(wire, head, state->send_number++, bytes);
	return 0;
}

/**
 * torus_match_control() - queue a message without bytes of the program
 * @match: the matching
 * @rank: rank of the receiver
 * @head: announcement, grant or credit
 *
 * Return: 0, -ENOBUFS, -ENOTCONN, -EHOSTUNREACH, -ENODEV.
 */
int torus_match_control(struct torus_match *match, uint32_t rank, const struct match_head *head)
{
	return head_queue(match, rank, NULL, head, 0);
}

/**
 * torus_match_repeat() - repeat a message that was lost, or report the loss
 * @match: the matching
 * @loss: the loss
 *
 * Return: 0, -ENOBUFS, -ENOTCONN, -EHOSTUNREACH, -ENODEV.
 */
int torus_match_repeat(struct torus_match *match, const struct match_loss *loss)
{
	struct match_head head = {
		.type = loss->note.type, .word = { loss->note.word[0], loss->note.word[1] },
	};
	uint32_t number = loss->number;
	struct match_wire *wire;
	int ret = wire_new(match, loss->rank, &wire);

	if (ret)
		return ret;
	if (head.type != MATCH_GRANT && head.type != MATCH_CREDIT) {
		if (loss->kind == KIND_MATCH && !loss->head) {
			wire->head_bytes = BROKEN_BYTES;
			wire->send.note.type = MATCH_BROKEN;
		}
		wire_add(wire, loss->kind, number, 0);
		return 0;
	}
	if (match->job->ordered)
		number = match->peers[loss->rank]->send_number++;
	wire_add_head(wire, &head, number, 0);
	return 0;
}

/**
 * torus_match_credited() - reduce the bytes of a receiver's window that are in use
 * @peer: state of the receiver
 * @bytes: number of bytes
 */
void torus_match_credited(struct match_peer *peer, uint32_t bytes)
{
	peer->used -= bytes < peer->used ? bytes : peer->used;
}

/* Remove an announced message from its list.  Return: the message; NULL: it is not in the list. */
static struct match_send *announced_take(struct match_peer *peer, uint32_t id)
{
	struct match_send *send, **link, *last = NULL;

	for (link = &peer->announced; (send = *link); link = &send->next) {
		if (send->id == id)
			break;
		last = send;
	}
	if (!send)
		return NULL;
	*link = send->next;
	if (!send->next)
		peer->announced_last = last;
	return send;
}

/**
 * torus_match_announce_lost() - end the send of a message whose announcement was lost
 * @match: the matching
 * @peer: state of the receiver
 * @id: number of the data
 */
void torus_match_announce_lost(struct torus_match *match, struct match_peer *peer, uint32_t id)
{
	struct match_send *send = announced_take(peer, id);

	if (send)
		torus_match_send_end(match, send, -EIO);
}

/* Queue the data of an announced message.  Return: as wire_new(). */
static int bulk_queue(struct torus_match *match, struct match_send *send, uint32_t length)
{
	struct match_wire *wire;
	int ret = wire_new(match, send->dest, &wire);

	if (ret)
		return ret;
	wire->owner = send;
	wire_add(wire, KIND_BULK, send->id, length);
	return 0;
}

/**
 * torus_match_granted() - send the data of an announced message
 * @match: the matching
 * @peer: state of the receiver
 * @id: number of the data
 * @length: bytes to send; 0: the receiver needs none
 *
 * Return: 0; -ENOBUFS if the grant must be processed again.
 */
int torus_match_granted(struct torus_match *match, struct match_peer *peer, uint32_t id,
			uint32_t length)
{
	struct match_send *send = announced_take(peer, id);
	int ret = 0;

	if (!send)
		return 0;
	if (length > send->done.event.full)
		length = send->done.event.full;
	if (length)
		ret = bulk_queue(match, send, length);
	if (ret == -ENOBUFS) {
		send->next = peer->announced;
		peer->announced = send;
		if (!send->next)
			peer->announced_last = send;
		return ret;
	}
	if (ret || !length)
		torus_match_send_end(match, send, ret);
	return 0;
}

static int send_check(const struct torus_match *match, const struct torus_match_send *send,
		      __u64 *length)
{
	size_t i;

	*length = 0;
	if (match->failure)
		return torus_error_set(match->failure, "the fabric can no longer be used");
	if (send->dest >= match->job->config.count)
		return torus_error_set(-EINVAL,
				       "rank %u: must be below %u, the number of ranks of the job",
				       send->dest, match->job->config.count);
	for (i = 0; i < send->count; i++)
		*length += send->parts[i].iov_len;
	if (*length > TORUS_MATCH_LENGTH_MAX)
		return torus_error_set(-EMSGSIZE, "a message of %llu bytes: must be at most %u",
				       (unsigned long long)*length, TORUS_MATCH_LENGTH_MAX);
	return 0;
}

/* Copy the buffers of a message to the memory that follows its struct. */
static void send_copy(struct match_send *new, const struct torus_match_send *send, uint32_t length)
{
	unsigned char *at = (unsigned char *)&new->parts[1];
	size_t i;

	new->count = 1;
	new->parts[0] = (struct iovec){ at, length };
	for (i = 0; i < send->count; i++) {
		if (send->parts[i].iov_len)
			memcpy(at, send->parts[i].iov_base, send->parts[i].iov_len);
		at += send->parts[i].iov_len;
	}
}

static struct match_send *send_new(const struct torus_match_send *send, __u64 length)
{
	bool inject = send->flags & TORUS_MATCH_INJECT;
	size_t size = inject ? sizeof(struct iovec) + length :
			       send->count * sizeof(struct iovec);
	struct match_send *new = malloc(sizeof(*new) + size);

	if (!new)
		return NULL;
	*new = (struct match_send){
		.done.event = {
			.context = send->context, .tag = send->tag, .data = send->data,
			.sent = true, .source = send->dest, .full = length, .length = length,
			.flags = send->flags & (TORUS_MATCH_TAGGED | TORUS_MATCH_DATA),
		},
		.dest = send->dest, .silent = send->flags & TORUS_MATCH_SILENT,
		.count = send->count,
	};
	if (inject)
		send_copy(new, send, length);
	else if (send->count)
		memcpy(new->parts, send->parts, size);
	return new;
}

/* Queue the announcement of a message, or its bytes if there is enough credit. */
static int send_queue(struct torus_match *match, struct match_peer *peer, struct match_send *send)
{
	const struct torus_match_event *event = &send->done.event;
	__u64 charge = (__u64)event->full + CHARGE_BYTES;
	struct match_head head = {
		.type = MATCH_EAGER, .flags = event->flags, .data = event->data, .tag = event->tag,
	};
	int ret;

	if (event->full <= match->config.eager && peer->used + charge <= match->config.window) {
		ret = head_queue(match, send->dest, send, &head, event->full);
		if (ret)
			return ret;
		peer->used += charge;
		match->counts.eager++;
		return 0;
	}
	head.type = MATCH_ANNOUNCE;
	head.word[0] = event->full;
	head.word[1] = peer->send_id;
	ret = torus_match_control(match, send->dest, &head);
	if (ret)
		return ret;
	send->id = peer->send_id++;
	if (peer->announced)
		peer->announced_last->next = send;
	else
		peer->announced = send;
	peer->announced_last = send;
	match->counts.announced++;
	return 0;
}

/**
 * torus_match_send() - start to send a message
 * @match: the matching
 * @send: the message
 *
 * The send ends when the last packet of the message is in the injection ring, from which the kernel
 * delivers it; to this process itself, when the message is copied or matched.  The event may be
 * added before the call returns.  A message is never rejected for lack of credit.  With
 * TORUS_MATCH_INJECT the library copies the message.
 *
 * Return: 0, -EINVAL (rank), -EMSGSIZE (longer than TORUS_MATCH_LENGTH_MAX), -EHOSTUNREACH (dead
 * nodes and links are in the way), -ENOTCONN (the receiver's process has left), -ENOMEM, -ENOBUFS,
 * or the error of a fabric that can no longer be used.  After an error there is no event.
 */
int torus_match_send(struct torus_match *match, const struct torus_match_send *send)
{
	struct match_peer *peer;
	struct match_send *new;
	__u64 length;
	int ret = send_check(match, send, &length);

	if (!ret)
		ret = torus_match_peer(match, send->dest, &peer);
	if (ret)
		return ret;
	new = send_new(send, length);
	if (!new)
		return torus_error_set(-ENOMEM, "out of memory for a message of %llu bytes",
				       (unsigned long long)length);
	match->pending++;
	if (send->dest == match->job->rank)
		ret = torus_match_self(match, new);
	else
		ret = send_queue(match, peer, new);
	if (ret) {
		match->pending--;
		free(new);
		return ret;
	}
	if (match->traffic && send->dest != match->job->rank) {
		match->traffic->messages++;
		match->traffic->bytes += length;
	}
	/* In virtual time each poll of the rings takes time: leave it to torus_match_progress(). */
	if (match->job->context->clock)
		return 0;
	ret = torus_send_push(match->job);
	if (ret < 0 && !match->late)
		match->late = ret;
	/* A thread that sleeps does not wait for free space in the rings yet. */
	if (match->job->active_count || match->late)
		torus_match_wake(match);
	return 0;
}

/* Remove the sends of one rank from its queue, and end them. */
static void sends_fail_queue(struct torus_match *match, struct peer *peer, int error)
{
	struct torus_send *send, *next;

	for (send = peer->sends; send; send = next) {
		next = send->next;
		if (send->ops != &wire_ops)
			continue;
		torus_queue_remove(match->job, send);
		send->error = error;
		wire_end(match->job, send);
	}
}

static void announced_fail(struct torus_match *match, struct match_peer *peer, int error)
{
	while (peer->announced) {
		struct match_send *send = announced_take(peer, peer->announced->id);

		torus_match_send_end(match, send, error);
	}
}

/**
 * torus_match_sends_gone() - end the announced messages to ranks that are known to have left
 * @match: the matching
 *
 * The job itself ends the messages in its queues.
 */
void torus_match_sends_gone(struct torus_match *match)
{
	uint32_t i;

	for (i = 0; i < match->job->config.count; i++)
		if (match->peers[i] && match->job->peers[i] && match->job->peers[i]->gone)
			announced_fail(match, match->peers[i], -ENOTCONN);
}

/**
 * torus_match_sends_fail() - end all sends with an error
 * @match: the matching
 * @error: the error
 */
void torus_match_sends_fail(struct torus_match *match, int error)
{
	uint32_t i;

	for (i = 0; i < match->job->config.count; i++) {
		if (match->job->peers[i])
			sends_fail_queue(match, match->job->peers[i], error);
		if (match->peers[i])
			announced_fail(match, match->peers[i], error);
	}
}
