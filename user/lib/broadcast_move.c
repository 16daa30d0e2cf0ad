// SPDX-License-Identifier: GPL-2.0
/*
 * A broadcast's packets: out of the reception rings into the program's buffer, and
 * from there into the injection rings, for all further directions.
 *
 * A packet says in its header which part of the bytes it carries, so that it does
 * not matter in which order packets come: dynamic ones overtake each other even on
 * a line.  A stream sends its colour's packets on in order, and those that came
 * before their turn wait in the buffer.  Reception never waits for injection, which
 * is why full FIFOs cannot lock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core/env.h"
#include "broadcast.h"
#include "crc.h"

#define WINDOW		1024	/* broadcasts further ahead than this are not believed */
#define PUSH_BUDGET	64	/* packets before reception has its turn */

/**
 * torus_broadcast_find() - a broadcast that is going on
 * @job: the job
 * @root: its root
 * @along: TORUS_BROADCAST_*
 * @number: its number
 *
 * Return: the broadcast or NULL.
 */
struct torus_broadcast *torus_broadcast_find(struct torus_job *job, __u32 root, __u32 along,
					     __u32 number)
{
	struct torus_broadcast *b;

	for (b = job->broadcasts; b; b = b->next)
		if (b->root == root && b->along == along && b->number == number)
			return b;
	return NULL;
}

/* ------------------------------------------------------------ reception */

/**
 * struct part - a packet's fields, checked
 */
struct part {
	__u32 root;
	__u32 along;
	__u32 number;
	__u32 length;
	__u32 index;
	__u32 bytes;
};

/* Check a packet on its own.  True and @part, or counted and false. */
static bool check_part(struct torus_job *job, const struct torus_view *view, struct part *part)
{
	struct torus_job_counts *counts = &job->counts;
	unsigned char header[HEADER_BYTES];

	torus_view_copy(view, 0, header, sizeof(header));
	if (torus_crc32_update(job->check_broadcast, header + FIELDS_AT, FIELDS_BYTES) !=
	    torus_load_be32(header + CHECK_AT)) {
		counts->rejected_key++;
		return false;
	}
	part->root = torus_load_be32(header + 12) & (TORUS_JOB_RANKS_MAX - 1);
	part->number = torus_load_be32(header + 16);
	part->length = torus_load_be32(header + 20);
	part->index = torus_load_be32(header + 24);
	part->along = torus_load_be32(header + 28);

	if (part->root >= job->config.count || part->root == job->rank) {
		counts->rejected_source++;
		return false;
	}
	if (!part->along || part->along & ~TORUS_BROADCAST_CUBE) {
		counts->rejected_mismatch++;
		return false;
	}
	if (part->length > job->config.length_max) {
		counts->rejected_size++;
		return false;
	}
	if (part->index >= torus_message_packets(part->length)) {
		counts->rejected_index++;
		return false;
	}
	part->bytes = torus_message_part(part->length, part->index);
	if (view->bytes != HEADER_BYTES +
			   (part->bytes + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES) {
		counts->rejected_size++;
		return false;
	}
	return true;
}

/* Everything has come: is it right? */
static void complete(struct torus_job *job, struct torus_broadcast *b)
{
	__u32 crc = torus_message_crc(job, b->root, BROADCAST_RANK, b->number, b->along, b->data,
				      b->length);

	if (crc == torus_load_be32(b->trailer))
		return;
	job->counts.damaged++;
	b->error = -EBADMSG;
}

/* Bytes of the stream that packet @index carries and that are not the trailer. */
static __u32 data_part(const struct torus_broadcast *b, __u32 index)
{
	__u64 start = (__u64)index * TORUS_MESSAGE_PAYLOAD;
	__u32 part = torus_message_part(b->length, index);

	if (start >= b->length)
		return 0;
	return b->length - start < part ? b->length - start : part;
}

static void store(struct torus_broadcast *b, const struct torus_view *view,
		  const struct part *part)
{
	size_t start = (size_t)part->index * TORUS_MESSAGE_PAYLOAD;
	__u32 data = data_part(b, part->index);

	if (data)
		torus_view_copy(view, HEADER_BYTES, b->data + start, data);
	if (data < part->bytes)
		torus_view_copy(view, HEADER_BYTES + data,
				b->trailer + (start + data - b->length), part->bytes - data);
}

/**
 * torus_broadcast_accept() - take a broadcast's packet
 * @job: the job
 * @view: the packet, which says that it is one
 *
 * Return: 0, also when it was counted and thrown away; -ENOBUFS when it must wait in
 * its ring, -ENODEV.
 */
int torus_broadcast_accept(struct torus_job *job, const struct torus_view *view)
{
	struct torus_job_counts *counts = &job->counts;
	struct torus_broadcast *b;
	struct peer *root;
	struct part part;
	__u32 ahead;
	int ret;

	if (!check_part(job, view, &part))
		return 0;
	b = torus_broadcast_find(job, part.root, part.along, part.number);
	if (!b) {
		ret = torus_job_peer(job, part.root, &root);
		if (ret)
			return ret;
		ahead = part.number - root->broadcasts[part.along];
		if (ahead >= 1u << 31) {
			counts->rejected_duplicate++;
			return 0;
		}
		if (ahead >= WINDOW) {
			counts->rejected_number++;
			return 0;
		}
		ret = torus_broadcast_new(job, root, part.along, part.number, NULL, part.length,
					  true, &b);
		if (ret == -EINVAL) {
			counts->rejected_mismatch++;
			return 0;
		}
		if (ret)
			return ret;
	}
	if (b->length != part.length) {
		counts->rejected_mismatch++;
		if (!b->early)
			b->error = -EMSGSIZE;
		return 0;
	}
	if (b->seen[part.index / 8] >> part.index % 8 & 1) {
		counts->rejected_duplicate++;
		return 0;
	}
	store(b, view, &part);
	b->seen[part.index / 8] |= 1u << part.index % 8;
	counts->received_packets++;
	if (!--b->missing)
		complete(job, b);
	return 0;
}

/* ------------------------------------------------------------ injection */

/* Inject a stream's next packet: 0, -EAGAIN, -EIO, -ENODEV. */
static int send_part(struct torus_job *job, const struct torus_broadcast *b,
		     const struct broadcast_stream *stream)
{
	__u32 part = torus_message_part(b->length, stream->next);
	__u32 data = data_part(b, stream->next);
	unsigned int chunks = 1 + (part + CHUNK_BYTES - 1) / CHUNK_BYTES;
	size_t start = (size_t)stream->next * TORUS_MESSAGE_PAYLOAD;
	struct torus_context *context = job->context;
	unsigned char header[HEADER_BYTES];
	int ret;

	ret = torus_inject_reserve(context, stream->fifo, chunks);
	if (ret)
		return ret;
	torus_store_be32(header, torus_load_be32(stream->header) |
				 (chunks - 1) << TORUS_BGL_CHUNKS_SHIFT);
	memcpy(header + 4, stream->header + 4, 4);
	torus_store_be32(header + 12, (__u32)KIND_BROADCAST << 24 | b->root);
	torus_store_be32(header + 16, b->number);
	torus_store_be32(header + 20, b->length);
	torus_store_be32(header + 24, stream->next);
	torus_store_be32(header + 28, b->along);
	torus_store_be32(header + CHECK_AT,
			 torus_crc32_update(job->check_broadcast, header + FIELDS_AT,
					    FIELDS_BYTES));
	torus_inject_put(context, stream->fifo, 0, header, HEADER_BYTES);
	if (data)
		torus_inject_put(context, stream->fifo, HEADER_BYTES, b->data + start, data);
	if (data < part)
		torus_inject_put(context, stream->fifo, HEADER_BYTES + data,
				 b->trailer + (start + data - b->length), part - data);
	torus_inject_put(context, stream->fifo, HEADER_BYTES + part, NULL,
			 (size_t)(chunks - 1) * CHUNK_BYTES - part);
	torus_inject_commit(context, stream->fifo, chunks);
	job->counts.sent_packets++;
	return 0;
}

static bool may_send(const struct torus_broadcast *b, const struct broadcast_stream *stream)
{
	__u32 next = stream->next;

	return next < b->packets && (!b->seen || b->seen[next / 8] >> next % 8 & 1);
}

/* A packet of each stream that has one and finds room.  Their number, -EIO, -ENODEV. */
static int push_one(struct torus_job *job, struct torus_broadcast *b)
{
	unsigned int i;
	int sent = 0;

	for (i = 0; i < b->count; i++) {
		struct broadcast_stream *stream = &b->streams[i];
		int ret;

		if (!may_send(b, stream))
			continue;
		ret = send_part(job, b, stream);
		if (ret == -EAGAIN) {
			job->turning = true;
			continue;
		}
		if (ret)
			return ret;
		stream->next += b->colours;
		sent++;
	}
	return sent;
}

/**
 * torus_broadcast_push() - send packets of broadcasts on while there is room
 * @job: the job
 *
 * They are not shown to the kernel yet: torus_inject_publish() does that.
 *
 * Return: packets injected, or -EIO, -ENODEV.
 */
int torus_broadcast_push(struct torus_job *job)
{
	struct torus_broadcast *b;
	int pushed = 0;
	int ret, sent;

	job->turning = false;
	do {
		sent = 0;
		for (b = job->broadcasts; b; b = b->next) {
			ret = push_one(job, b);
			if (ret < 0)
				return ret;
			sent += ret;
		}
		pushed += sent;
	} while (sent && pushed < PUSH_BUDGET);
	return pushed;
}
