// SPDX-License-Identifier: GPL-2.0
/*
 * Forward packets of other ranks. relay.c selects the paths on which a rank must forward.
 *
 * Such a packet has the flag KIND_RELAYED.  Only the machine's header changes on the way.  The
 * packet does not name its receiver.  Its check is a CRC-32 over the key (combined with the
 * session, except in wire-up packets), the receiver's rank and the packet's fields.  Computing the
 * CRC backwards over the fields yields the rank.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "../context/inject.h"
#include "crc.h"
#include "forward.h"
#include "memory.h"
#include "peer.h"
#include "relay.h"
#include "send_errors.h"
#include "undelivered.h"

/**
 * struct forward - a packet to be forwarded for another rank, or a report of its loss
 * @next: next packet in the queue
 * @flight: its log entry, with its destination
 * @chunks: length of the packet
 * @memory: bytes accounted for in the job
 * @bytes: the packet, with the machine's header for its remaining path
 */
struct forward {
	struct forward *next;
	struct flight flight;
	unsigned int chunks;
	size_t memory;
	unsigned char bytes[];
};

/*
 * Append a packet of @chunks chunks to the queue.  The caller writes its bytes after the machine's
 * header.  Return: the packet; NULL if there is no memory.
 */
static struct forward *forward_append(struct torus_job *job, const struct flight *flight,
				      unsigned int chunks)
{
	size_t memory = sizeof(struct forward) + (size_t)chunks * job->format.chunk_bytes;
	struct forward *forward = calloc(1, memory);

	if (!forward)
		return NULL;
	job->forwards_memory += memory;
	torus_memory_account(job, memory, true);
	forward->flight = *flight;
	forward->chunks = chunks;
	forward->memory = memory;
	if (job->forwards)
		job->forwards_last->next = forward;
	else
		job->forwards = forward;
	job->forwards_last = forward;
	return forward;
}

/**
 * torus_forward_queue() - queue a packet of this rank, whose only chunk after the headers is empty
 * @job: the job
 * @flight: log entry of the packet, with its destination
 * @packet: both headers; the machine's is overwritten
 * @bytes: length of @packet, in whole chunks
 *
 * The limit memory_max does not apply.
 *
 * Return: 0 or -ENOBUFS.
 */
int torus_forward_queue(struct torus_job *job, const struct flight *flight,
			const unsigned char *packet, size_t bytes)
{
	unsigned int chunks = bytes / job->format.chunk_bytes + 1;
	struct forward *forward = forward_append(job, flight, chunks);

	if (!forward)
		return torus_error_set(-ENOBUFS, "out of memory for the report of a lost packet");
	memcpy(forward->bytes, packet, bytes);
	torus_job_header(job, forward->bytes, flight->peer->header, chunks);
	return 0;
}

/*
 * Queue a packet until there is free space to forward it.  The limit memory_max counts only such
 * packets, not messages.  Otherwise waiting messages could stop a packet after which one of them
 * can be freed.  Return: 0; -EAGAIN if memory_max of such packets wait; -ENOBUFS.
 */
static int forward_packet(struct torus_job *job, const struct flight *flight,
			  const struct torus_view *view)
{
	size_t memory = sizeof(struct forward) + view->bytes;
	struct forward *forward;

	if (job->forwards && job->forwards_memory + memory > job->config.memory_max)
		return torus_error_plain(-EAGAIN,
					 "packets that wait to be forwarded use all of memory_max");
	forward = forward_append(job, flight, view->chunks);
	if (!forward)
		return torus_error_set(-ENOBUFS, "out of memory for a packet to be forwarded");
	torus_view_copy(view, 0, forward->bytes, view->bytes);
	torus_job_header(job, forward->bytes, flight->peer->header, view->chunks);
	return 0;
}

/**
 * torus_forward_leads() - check whether a packet is for another rank of a job
 * @job: the job
 * @view: a packet that has arrived
 * @dest: [out] the rank
 *
 * Return: true if this rank forwards the packet.
 */
bool torus_forward_leads(const struct torus_job *job, const struct torus_view *view,
			 uint32_t *dest)
{
	unsigned int kind = torus_msg_kind(&job->format, view);
	unsigned char key[4];
	uint32_t source;

	if (!(kind & KIND_RELAYED))
		return false;
	torus_store_be32(key, (kind & ~MSG_KIND_FLAGS) == KIND_WIREUP ? job->config.key :
			 job->seal);
	*dest = torus_msg_dest(&job->format, view, torus_lib_crc32(0, key, sizeof(key)), &source);
	return *dest != job->rank && *dest < job->config.count && source < job->config.count &&
	       source != job->rank;
}

/*
 * Check whether a receiver's rank computed with the wrong one of two seals can be below @count.
 * CRCs are linear, so the wrong rank is the right rank in exclusive or with a constant.
 */
static bool seals_clash(uint32_t a, uint32_t b, uint32_t count)
{
	static const unsigned char first[4];	/* rank 0 */
	unsigned char word[4];
	uint32_t before, wrong;

	torus_store_be32(word, a);
	before = torus_lib_crc32(0, word, sizeof(word));
	torus_store_be32(word, b);
	wrong = torus_lib_crc32_between(before, torus_lib_crc32(torus_lib_crc32(0, word,
										sizeof(word)),
								first, sizeof(first)));
	while (count & (count - 1))
		count &= count - 1;
	/* now the highest bit of the number of ranks: twice that is beyond any rank */
	return wrong < 2ull * count;
}

/**
 * torus_forward_clashes() - check whether a rank could forward packets of one job as another's
 * @a: a job
 * @b: another job of the same context
 *
 * Machines whose packets have the narrow format need no relays.
 *
 * Return: true if torus_forward_leads() may confuse their packets.
 */
bool torus_forward_clashes(const struct torus_job *a, const struct torus_job *b)
{
	uint32_t count = a->config.count > b->config.count ? a->config.count : b->config.count;

	return !a->format.narrow && (seals_clash(a->seal, b->seal, count) ||
				     seals_clash(a->config.key, b->config.key, count));
}

/**
 * torus_forward_take() - queue a packet that is for another rank
 * @job: the job
 * @view: a packet that has arrived
 *
 * Return: 1 if it was queued or discarded; 0 if this rank does not forward it; -EAGAIN or -ENOBUFS
 * if it must wait in its ring, or another error of torus_job_peer().
 */
int torus_forward_take(struct torus_job *job, const struct torus_view *view)
{
	unsigned int kind = torus_msg_kind(&job->format, view) & ~MSG_KIND_FLAGS;
	struct packet_fields fields = { .index = 0 };
	struct flight flight = { .kind = kind, .packets = 1 };
	struct peer *peer;
	uint32_t dest;
	int ret;

	if (!torus_forward_leads(job, view, &dest))
		return 0;
	ret = torus_job_peer(job, dest, &peer);
	if (ret)
		return ret;
	/* forward a packet only once: a second relay could send it back */
	if (peer->relayed || peer->blocked) {
		job->counts.rejected_relay++;
		return 1;
	}
	flight.peer = peer;
	/* Wire-up packets have another check, and are repeated: their loss is not reported. */
	if (kind != KIND_WIREUP &&
	    torus_msg_header_read(&job->format, view, peer->check, &fields)) {
		flight.forwarded = true;
		flight.source = fields.source;
		flight.number = fields.number;
		flight.first = torus_undelivered_first(&fields);
	}
	ret = forward_packet(job, &flight, view);
	return ret ? ret : 1;
}

static void forward_first_free(struct torus_job *job)
{
	struct forward *forward = job->forwards;

	job->forwards = forward->next;
	job->forwards_memory -= forward->memory;
	job->counts.memory -= forward->memory;
	free(forward);
}

/**
 * torus_forward_push() - inject packets from the queue while there is free space
 * @job: the job
 * @budget: greatest number of packets
 *
 * Return: number of packets injected, or an error of torus_send_fifo() other than -EAGAIN.
 */
int torus_forward_push(struct torus_job *job, int budget)
{
	int pushed = 0;

	while (job->forwards && pushed < budget) {
		const struct forward *forward = job->forwards;
		int fifo = torus_send_fifo(job, forward->flight.peer, forward->chunks,
					   job->context->info.inject_fifos);

		if (fifo < 0)
			return fifo == -EAGAIN ? pushed : fifo;
		if (forward->flight.forwarded || forward->flight.kind == KIND_UNDELIVERED)
			torus_send_error_log(job, fifo, &forward->flight);
		torus_inject_put(job->context, fifo, 0, forward->bytes,
				 (size_t)forward->chunks * job->format.chunk_bytes);
		torus_inject_commit(job->context, fifo, forward->chunks);
		job->counts.relayed_packets++;
		forward_first_free(job);
		pushed++;
	}
	return pushed;
}

/**
 * torus_forward_close() - free the queue of packets, and the map of dead nodes and links
 * @job: the job
 */
void torus_forward_close(struct torus_job *job)
{
	while (job->forwards)
		forward_first_free(job);
	torus_relay_forget(job);
}
