// SPDX-License-Identifier: GPL-2.0
/*
 * Copy the packets of a broadcast from the reception rings to the program's buffer.  Then inject
 * the packets in the directions in which this rank forwards them.
 *
 * The header of a packet names its part of the bytes, so that packets may arrive in any order:
 * dynamic packets overtake each other even on a line.  A stream forwards the packets of its colour
 * in the order of their numbers; packets that arrive before their turn wait in the buffer.
 * Reception never waits for injection, so that full FIFOs cannot deadlock.
 */
#include <errno.h>
#include "../context/inject.h"
#include "../job/check.h"
#include "../job/peer.h"
#include "../job/reassembly.h"
#include "broadcast.h"
#include "broadcast_progress.h"
#include "broadcast_tree.h"

#define PUSH_BUDGET	64	/* injected packets after which packets are received again */

/**
 * torus_broadcast_find() - find a broadcast in progress
 * @job: the job
 * @root: rank of the root
 * @along: TORUS_BROADCAST_*
 * @number: number of the broadcast
 *
 * Return: the broadcast or NULL.
 */
struct torus_broadcast *torus_broadcast_find(struct torus_job *job, uint32_t root, uint32_t along,
					     uint32_t number)
{
	struct torus_broadcast *b;

	for (b = job->broadcasts; b; b = b->next)
		if (b->root == root && b->along == along && b->number == number)
			return b;
	return NULL;
}

/* ------------------------------------------------------------ reception */

/*
 * Validate the fields of a broadcast's packet.  Return: true; false if it was counted as rejected.
 */
static bool broadcast_check(struct torus_job *job, const struct torus_view *view,
			    struct packet_fields *fields, uint32_t *part)
{
	struct torus_job_counts *counts = &job->counts;

	if (!torus_msg_header_read(&job->format, view, job->check_broadcast, fields)) {
		counts->rejected_key++;
		return false;
	}
	if (fields->source >= job->config.count || fields->source == job->rank) {
		counts->rejected_source++;
		return false;
	}
	/* The tag of a broadcast packet contains the dimensions of the broadcast. */
	if (!torus_machine_can(job->context->machine, TORUS_MACHINE_DEPOSIT) || !fields->tag ||
	    fields->tag & ~TORUS_BROADCAST_CUBE) {
		counts->rejected_mismatch++;
		return false;
	}
	return torus_reassembly_fits(job, view, fields, part);
}

/* Verify the CRC-32 of a broadcast that has arrived completely. */
static void broadcast_complete(struct torus_job *job, struct torus_broadcast *b)
{
	uint32_t crc = torus_message_crc(job, b->root, BROADCAST_RANK, b->number, b->along, b->data,
					 b->length);

	if (crc == torus_load_be32(b->trailer))
		return;
	job->counts.damaged++;
	b->error = -EBADMSG;
}

static void broadcast_store(const struct msg_format *format, struct torus_broadcast *b,
			    const struct torus_view *view, uint32_t index, uint32_t part)
{
	size_t start = (size_t)index * format->payload;
	uint32_t data = torus_msg_data(format, b->length, index);

	if (data)
		torus_view_copy(view, format->header_bytes, b->data + start, data);
	if (data < part)
		torus_view_copy(view, format->header_bytes + data,
				b->trailer + (start + data - b->length), part - data);
}

/*
 * Allocate the state of a broadcast whose packet arrives before the program starts the broadcast.
 * Return: 0 and the broadcast; 0 and NULL if the packet was counted as rejected; or a negative
 * errno.
 */
static int broadcast_early(struct torus_job *job, const struct packet_fields *fields,
			   struct torus_broadcast **b)
{
	struct torus_job_counts *counts = &job->counts;
	struct peer *root;
	uint32_t ahead;
	int ret;

	ret = torus_job_peer(job, fields->source, &root);
	if (ret)
		return ret;
	ahead = fields->number - root->broadcasts[fields->tag];
	if (ahead >= 1u << 31) {
		counts->rejected_duplicate++;
		return 0;
	}
	ret = torus_broadcast_new(job, root, fields->tag, fields->number, NULL, fields->length,
				  true, b);
	if (ret != -EINVAL)
		return ret;
	counts->rejected_mismatch++;
	return 0;
}

/**
 * torus_broadcast_accept() - process a broadcast's packet
 * @job: the job
 * @view: packet of KIND_BROADCAST
 *
 * Return: 0, also when the packet was counted and discarded; -ENOBUFS when the packet must wait in
 * its ring; -ENODEV.
 */
int torus_broadcast_accept(struct torus_job *job, const struct torus_view *view)
{
	struct torus_job_counts *counts = &job->counts;
	struct packet_fields fields;
	struct torus_broadcast *b;
	uint32_t part;
	int ret;

	if (!broadcast_check(job, view, &fields, &part))
		return 0;
	b = torus_broadcast_find(job, fields.source, fields.tag, fields.number);
	if (!b) {
		ret = broadcast_early(job, &fields, &b);
		if (ret || !b)
			return ret;
	}
	if (b->length != fields.length) {
		counts->rejected_mismatch++;
		if (!b->early)
			b->error = -EMSGSIZE;
		return 0;
	}
	if (b->seen[fields.index / 8] >> fields.index % 8 & 1) {
		counts->rejected_duplicate++;
		return 0;
	}
	broadcast_store(&job->format, b, view, fields.index, part);
	b->seen[fields.index / 8] |= 1u << fields.index % 8;
	counts->received_packets++;
	if (!--b->missing)
		broadcast_complete(job, b);
	return 0;
}

/* ------------------------------------------------------------ injection */

/* Inject a stream's next packet.  Return: 0 or an error of torus_inject_reserve(). */
static int stream_send(struct torus_job *job, const struct torus_broadcast *b,
		       const struct broadcast_stream *stream)
{
	const struct msg_format *format = &job->format;
	const struct packet_fields fields = {
		.kind = KIND_BROADCAST, .source = b->root, .number = b->number,
		.length = b->length, .index = stream->next, .tag = b->along,
	};
	unsigned int chunks = torus_msg_chunks(format, b->length, stream->next);
	unsigned char header[MSG_HEADER_MAX] = { 0 };
	int ret;

	ret = torus_inject_reserve(job->context, stream->fifo, chunks);
	if (ret)
		return ret;
	torus_job_header(job, header, stream->header, chunks);
	torus_msg_header_write(format, header, &fields, job->check_broadcast);
	torus_msg_put(job->context, format, stream->fifo, header, b->data, b->length, b->trailer,
		      stream->next);
	job->counts.sent_packets++;
	return 0;
}

static bool stream_may_send(const struct torus_broadcast *b, const struct broadcast_stream *stream)
{
	uint32_t next = stream->next;

	return next < b->packets && (!b->seen || b->seen[next / 8] >> next % 8 & 1);
}

/*
 * Inject one packet of each stream that has a packet to send and finds free space in its injection
 * FIFO.  Return: number of packets, or an error of torus_inject_reserve() other than -EAGAIN; for a
 * broadcast by messages as torus_broadcast_tree_push().
 */
static int broadcast_push_one(struct torus_job *job, struct torus_broadcast *b)
{
	unsigned int i;
	int sent = 0;

	if (b->tree)
		return torus_broadcast_tree_push(job, b);
	for (i = 0; i < b->count; i++) {
		struct broadcast_stream *stream = &b->streams[i];
		int ret;

		if (!stream_may_send(b, stream))
			continue;
		ret = stream_send(job, b, stream);
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
 * torus_broadcast_push() - inject packets of broadcasts while there is free space
 * @job: the job
 *
 * The packets are not published: the caller calls torus_inject_publish().
 *
 * Return: number of packets injected, and of messages taken and queued; or -EIO, -ENODEV, or an
 * error of torus_vtime_sync().
 */
int torus_broadcast_push(struct torus_job *job)
{
	struct torus_broadcast *b;
	int pushed = 0;
	int ret, sent;

	do {
		sent = 0;
		for (b = job->broadcasts; b; b = b->next) {
			ret = broadcast_push_one(job, b);
			if (ret < 0)
				return ret;
			sent += ret;
		}
		pushed += sent;
	} while (sent && pushed < PUSH_BUDGET);
	return pushed;
}
