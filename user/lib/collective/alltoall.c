// SPDX-License-Identifier: GPL-2.0
/*
 * All-to-all: send a message to each other rank, all at once.
 *
 * Packets to all ranks take turns (push.c), in the order in which the messages were queued.  If all
 * ranks used the same order, all of them would send to the same rank at the same time.  So each
 * rank shuffles its order, or starts the order with the rank after its own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torus/collective.h>
#include "../context/error.h"
#include "../job/job.h"
#include "../job/member.h"
#include "../job/send.h"
#include "../job/send_wait.h"
#include "parts.h"

/* Draw a random number with the same 64-bit mixing function as the core. */
static __u64 alltoall_draw(__u64 *state)
{
	__u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/*
 * Compute the order in which to send to the other ranks.  @count: [out] number of ranks in the
 * order.
 */
static uint32_t *alltoall_order(const struct torus_job *job, enum torus_alltoall_order how,
				uint32_t *count)
{
	__u64 state = (__u64)job->config.key << 32 | job->rank;
	uint32_t *order = malloc(job->config.count * sizeof(*order));
	uint32_t i, j, swap;

	*count = 0;
	if (!order)
		return NULL;
	for (i = 1; i < job->config.count; i++) {
		uint32_t rank = (job->rank + i) % job->config.count;

		if (torus_job_member_alive(job, rank))
			order[(*count)++] = rank;
	}
	if (how == TORUS_ALLTOALL_ROTATED)
		return order;
	for (i = *count; i > 1; i--) {
		j = alltoall_draw(&state) % i;
		swap = order[i - 1];
		order[i - 1] = order[j];
		order[j] = swap;
	}
	return order;
}

static int alltoall_send(struct torus_job *job, const unsigned char *data, uint32_t bytes,
			 const uint32_t *order, uint32_t count, struct torus_send **sends)
{
	uint32_t i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = torus_send_queue(job, order[i], KIND_ALLTOALL, job->alltoalls,
				       data + (size_t)order[i] * bytes, bytes, &sends[i]);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Wait until all messages are in the injection rings.  Then the program may change the bytes that
 * it sends.
 */
static int alltoall_finish(struct torus_job *job, struct torus_send *const *sends, uint32_t count,
			   int timeout_ms)
{
	struct sending sending;
	uint32_t i;
	int ret;

	for (i = 0; i < count; i++) {
		uint32_t index = ~0u;

		while (sends[i]->peer) {
			/*
			 * more packets of this message were sent: restart the time-out
			 */
			if (sends[i]->index != index)
				torus_send_wait_start(job, &sending, sends[i], timeout_ms);
			index = sends[i]->index;
			ret = torus_send_wait_wait(job, &sending);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/**
 * torus_alltoall() - send a part of the bytes to each rank
 * @job: the job
 * @send: @bytes bytes for each rank, by rank
 * @receive: [out] @bytes bytes from each rank, by rank; not @send
 * @bytes: bytes for each pair of ranks; the same at all ranks
 * @config: order and pacing; NULL: random order, as fast as the FIFOs permit
 * @timeout_ms: limit in milliseconds for the next part to arrive, then for the next packet of a
 *              message to be injected; 0 or -1: no limit
 *
 * All ranks call it.  The call returns when all parts have arrived at this rank and @send may be
 * changed.  Other ranks may still wait then.  Parts of several packets that arrive during the call
 * go directly to @receive.  Other parts and other messages wait in memory.
 *
 * The pacing applies to the packets of all messages that this job sends from this rank during the
 * call, but not to broadcasts, nor to packets that the rank forwards.  The fastest pacing depends
 * on the number of ranks: measure it.
 *
 * Ranks on dead nodes take no part, and their places in @receive are not changed.  After an error
 * other than -EINVAL the ranks no longer agree: close the job.
 *
 * Return: 0, -EINVAL (order, pacing), -EMSGSIZE (another rank has a different @bytes), -EBADMSG,
 * -EHOSTUNREACH (dead nodes and links are in the way), -ENOTCONN (a rank's process has left),
 * -ETIMEDOUT, -EINTR, -ENOMEM, -ENOBUFS, -ECOMM, -EIO, -ENODEV.
 */
int torus_alltoall(struct torus_job *job, const void *send, void *receive, uint32_t bytes,
		   const struct torus_alltoall_config *config, int timeout_ms)
{
	static const struct torus_alltoall_config plain;
	struct torus_send **sends;
	char what[32];
	uint32_t count, i;
	uint32_t *order;
	int ret;

	if (!config)
		config = &plain;
	if (config->order != TORUS_ALLTOALL_RANDOM && config->order != TORUS_ALLTOALL_ROTATED)
		return torus_error_set(-EINVAL, "all-to-all in order %d: unknown order",
				       config->order);
	if (config->pacing > TORUS_ALLTOALL_PACING_MAX)
		return torus_error_set(-EINVAL, "all-to-all at pacing %u: must be 0 to %u",
				       config->pacing, TORUS_ALLTOALL_PACING_MAX);
	if (!timeout_ms)
		timeout_ms = -1;
	snprintf(what, sizeof(what), "all-to-all %u", job->alltoalls);
	order = alltoall_order(job, config->order, &count);
	sends = calloc(job->config.count, sizeof(*sends));
	if (order && sends) {
		torus_pace_set(&job->pace, job->context, config->pacing);
		ret = alltoall_send(job, send, bytes, order, count, sends);
	} else {
		ret = torus_error_set(-ENOMEM, "out of memory for an all-to-all of %u ranks",
				      job->config.count);
	}
	if (!ret)
		ret = torus_parts_receive(job, KIND_ALLTOALL, job->alltoalls, what, receive, bytes,
					  order, count, timeout_ms);
	if (!ret)
		ret = alltoall_finish(job, sends, count, timeout_ms);
	if (!ret && bytes)
		memcpy((unsigned char *)receive + (size_t)job->rank * bytes,
		       (const unsigned char *)send + (size_t)job->rank * bytes, bytes);
	for (i = 0; sends && i < count; i++)
		if (sends[i])
			torus_send_cancel(job, sends[i]);
	torus_pace_set(&job->pace, job->context, 0);
	job->alltoalls++;
	free(sends);
	free(order);
	return ret;
}
