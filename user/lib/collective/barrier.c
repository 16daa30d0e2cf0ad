// SPDX-License-Identifier: GPL-2.0
/*
 * Barrier of all ranks of a job: dissemination, log2(ranks) rounds (rounded up) of empty messages.
 * If nodes or links are dead, the messages go up the tree of spanning_tree.c to its root, and down
 * again.
 */
#include <errno.h>
#include "../context/error.h"
#include "../job/job.h"
#include "../job/memory.h"
#include "../job/message.h"
#include "../job/reassembly.h"
#include "../job/send.h"
#include "../job/spanning_tree.h"

/* Wait for the empty message @tag from a rank. */
static int barrier_take(struct torus_job *job, uint32_t from, uint32_t tag, int timeout_ms)
{
	struct message *message;
	int ret;

	ret = torus_message_find(job, KIND_BARRIER, from, tag, &message,
				 timeout_ms ? timeout_ms : -1);
	if (ret)
		return ret;
	ret = message->error;
	if (ret)
		torus_error_set(ret, "barrier %u: message %u from rank %u was damaged or lost",
				job->epoch, message->number, message->source);
	torus_message_taken(job, message);
	torus_message_free(job, message);
	return ret;
}

/*
 * Receive a message from each child in the tree.  With @down, send a message to each child instead.
 */
static int barrier_below(struct torus_job *job, bool down, int timeout_ms)
{
	uint32_t rank, tag = job->epoch << 8 | down;
	int ret = 0;

	for (rank = torus_tree_below(job, TORUS_RANK_NONE); !ret && rank != TORUS_RANK_NONE;
	     rank = torus_tree_below(job, rank))
		ret = down ? torus_send_blocking(job, rank, KIND_BARRIER, tag, NULL, 0) :
			     barrier_take(job, rank, tag, timeout_ms);
	return ret;
}

static int barrier_tree(struct torus_job *job, int timeout_ms)
{
	uint32_t tag = job->epoch << 8, above;
	int ret;

	ret = torus_tree_build(job);
	if (ret)
		return ret;
	above = torus_tree_above(job, job->rank);
	ret = barrier_below(job, false, timeout_ms);
	if (!ret && above != TORUS_RANK_NONE) {
		ret = torus_send_blocking(job, above, KIND_BARRIER, tag, NULL, 0);
		if (!ret)
			ret = barrier_take(job, above, tag | 1, timeout_ms);
	}
	if (!ret)
		ret = barrier_below(job, true, timeout_ms);
	if (!ret)
		job->epoch++;
	return ret;
}

/**
 * torus_job_barrier() - wait until all ranks have called this
 * @job: the job
 * @timeout_ms: limit for each message in milliseconds; 0 or -1: no limit
 *
 * Ranks on dead nodes take no part.  Messages that arrive meanwhile wait in memory.  After an error
 * the ranks no longer agree on the number of barriers: close the job.
 *
 * Return: 0, -EHOSTUNREACH (dead nodes or links are between the ranks), -ENOTCONN (a rank's process
 * has left), -ENOMEM, -EBADMSG, -ETIMEDOUT, -EINTR, -ENOBUFS, -ECOMM, -EIO, -ENODEV.
 */
int torus_job_barrier(struct torus_job *job, int timeout_ms)
{
	uint32_t count = job->config.count;
	unsigned int round = 0;
	uint32_t distance;

	if (job->map)
		return barrier_tree(job, timeout_ms);
	for (distance = 1; distance < count; distance *= 2, round++) {
		uint32_t to = (job->rank + distance) % count;
		uint32_t from = (job->rank + count - distance) % count;
		uint32_t tag = job->epoch << 8 | round;
		int ret;

		ret = torus_send_blocking(job, to, KIND_BARRIER, tag, NULL, 0);
		if (!ret)
			ret = barrier_take(job, from, tag, timeout_ms);
		if (ret)
			return ret;
	}
	job->epoch++;
	return 0;
}
