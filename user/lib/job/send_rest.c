// SPDX-License-Identifier: GPL-2.0
/*
 * Send the rest of a message whose call ends before the last packet is injected.  The receiver has
 * packets of the message, so the others must follow.  The rest is copied, because the caller may
 * change its buffer.  Except for data of KIND_BULK, only the first message of a rank's queue can be
 * sent in part, so there is at most one copy per rank.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "job.h"
#include "queue.h"
#include "send_rest.h"

/**
 * struct rest - a message of which only the rest is in memory
 * @send: the message
 * @from: number of the first packet of the rest
 * @bytes: bytes of the message from that packet on
 */
struct rest {
	struct torus_send send;
	uint32_t from;
	unsigned char bytes[];
};

/* Write the next packet, as a packet of a shorter message that begins with the rest. */
static void rest_put(struct torus_job *job, struct torus_send *send, unsigned int fifo,
		     const unsigned char *header)
{
	struct rest *rest = (struct rest *)send;
	__u64 before = (__u64)rest->from * job->format.payload;

	if (before < send->length)
		torus_msg_put(job->context, &job->format, fifo, header, rest->bytes,
			      send->length - before, send->trailer, send->index - rest->from);
	else	/* only bytes of the trailer are left */
		torus_msg_put(job->context, &job->format, fifo, header, NULL, send->length,
			      send->trailer, send->index);
}

static void rest_end(struct torus_job *job, struct torus_send *send)
{
	(void)job;
	free(send);
}

/**
 * torus_send_keep() - let later calls send the rest of a message
 * @job: the job
 * @send: a message whose bytes are in one buffer, and of which packets were sent; it leaves its
 *        queue
 *
 * Return: 0, or -ENOMEM, and @send is unchanged.
 */
int torus_send_keep(struct torus_job *job, struct torus_send *send)
{
	static const struct send_ops ops = { .put = rest_put, .end = rest_end };
	__u64 before = (__u64)send->index * job->format.payload;
	size_t left = before < send->length ? send->length - before : 0;
	struct rest *rest = malloc(sizeof(*rest) + left);

	if (!rest)
		return torus_error_set(-ENOMEM, "rank %u: out of memory for the last %zu bytes of "
				       "a message that is sent in part", send->dest, left);
	rest->send = *send;
	rest->send.owned = false;
	rest->send.ops = &ops;
	rest->from = send->index;
	if (left)
		memcpy(rest->bytes, send->data + before, left);
	torus_queue_replace(send, &rest->send);
	send->peer = NULL;
	return 0;
}
