// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that this process forwards for other ranks: relay.c says which ways need that.
 *
 * Such a packet is marked (KIND_RELAYED) and otherwise as the receiver wants it: only the
 * machine's header changes on the way.  For whom it is tells its check, a CRC-32 that begins with
 * the key and the receiver's rank: over known bytes it can be turned back to those four.
 */
#include <errno.h>
#include <stdlib.h>
#include "../context/error.h"
#include "../context/inject.h"
#include "crc.h"
#include "forward.h"
#include "memory.h"
#include "peer.h"
#include "relay.h"

/*
 * Keep a packet until there is room to send it on to a rank.  Messages in memory do not count:
 * packets that free it may follow this one.  0; -EAGAIN if memory_max of such packets wait, which
 * leave by themselves; -ENOBUFS.
 */
static int forward_append(struct torus_job *job, struct peer *peer, const struct torus_view *view)
{
	size_t memory = sizeof(struct forward) + view->bytes;
	struct forward *forward;

	if (job->forwards && job->forwards_memory + memory > job->config.memory_max)
		return torus_error_plain(-EAGAIN, "packets to be sent on fill memory_max");
	forward = malloc(memory);
	if (!forward)
		return torus_error_set(-ENOBUFS, "no memory for a packet to send on");
	job->forwards_memory += memory;
	torus_assemble_memory(job, memory, true);
	forward->next = NULL;
	forward->peer = peer;
	forward->chunks = view->chunks;
	forward->memory = memory;
	torus_view_copy(view, 0, forward->bytes, view->bytes);
	torus_job_header(job, forward->bytes, peer->header, view->chunks);
	if (job->forwards)
		job->forwards_last->next = forward;
	else
		job->forwards = forward;
	job->forwards_last = forward;
	return 0;
}

/**
 * torus_relay_take() - a packet has arrived that may be for another rank
 * @job: the job
 * @view: the packet
 *
 * Return: 1 if it is taken, to be sent on; 0 if it is none of those; -EAGAIN or -ENOBUFS when
 * it must wait in its ring; -ENODEV.
 */
int torus_relay_take(struct torus_job *job, const struct torus_view *view)
{
	unsigned int kind = torus_form_kind(&job->form, view);
	unsigned char key[4];
	struct peer *peer;
	__u32 dest, source;
	int ret;

	if (!(kind & KIND_RELAYED))
		return 0;
	torus_store_be32(key, (kind & ~FORM_KIND_FLAGS) == KIND_CONNECT ? job->config.key :
			 job->seal);
	dest = torus_form_dest(&job->form, view, torus_lib_crc32(0, key, sizeof(key)), &source);
	if (dest == job->rank || dest >= job->config.count || source >= job->config.count ||
	    source == job->rank)
		return 0;
	ret = torus_job_peer(job, dest, &peer);
	if (ret)
		return ret;
	/* From here it must go by itself, or it would go on and on. */
	if (peer->relayed || peer->blocked) {
		job->counts.rejected_relay++;
		return 1;
	}
	ret = forward_append(job, peer, view);
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
 * torus_relay_push() - send on what waits, while there is room
 * @job: the job
 * @budget: packets at most
 *
 * Return: packets injected, -EIO, -ENODEV.
 */
int torus_relay_push(struct torus_job *job, int budget)
{
	int pushed = 0;

	while (job->forwards && pushed < budget) {
		const struct forward *forward = job->forwards;
		int fifo = torus_send_fifo(job, forward->peer, forward->chunks,
					   job->context->info.inject_fifos);

		if (fifo < 0)
			return fifo == -EAGAIN ? pushed : fifo;
		torus_inject_put(job->context, fifo, 0, forward->bytes,
				 (size_t)forward->chunks * job->form.chunk_bytes);
		torus_inject_commit(job->context, fifo, forward->chunks);
		job->counts.relayed_packets++;
		forward_first_free(job);
		pushed++;
	}
	return pushed;
}

/**
 * torus_relay_close() - done: what waits to be sent on is lost
 * @job: the job
 */
void torus_relay_close(struct torus_job *job)
{
	while (job->forwards)
		forward_first_free(job);
	torus_relay_forget(job);
}
