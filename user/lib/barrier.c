// SPDX-License-Identifier: GPL-2.0
/*
 * All ranks of a job meet: dissemination, log2(ranks) rounds of empty messages.
 */
#include "job.h"

/**
 * torus_job_barrier() - wait until all ranks have called this
 * @job: the job
 * @timeout_ms: for each of its rounds: -1 without limit, or milliseconds
 *
 * Messages that arrive meanwhile wait in memory.  After an error the ranks no
 * longer agree on how many barriers there have been: give the job up.
 *
 * Return: 0, -EBADMSG, -ETIMEDOUT, -EINTR, -ENOBUFS, -ECOMM, -EIO, -ENODEV.
 */
int torus_job_barrier(struct torus_job *job, int timeout_ms)
{
	__u32 count = job->config.count;
	unsigned int round = 0;
	__u32 distance;

	for (distance = 1; distance < count; distance *= 2, round++) {
		__u32 to = (job->rank + distance) % count;
		__u32 from = (job->rank + count - distance) % count;
		__u32 tag = job->epoch << 8 | round;
		struct message *message;
		int ret;

		ret = torus_send_blocking(job, to, KIND_BARRIER, tag, NULL, 0);
		if (!ret)
			ret = torus_message_find(job, KIND_BARRIER, from, tag, &message,
						 timeout_ms ? timeout_ms : -1);
		if (ret)
			return ret;
		ret = message->error;
		if (ret)
			torus_error_set(ret,
					"barrier %u: message %u from rank %u was damaged or lost",
					job->epoch, message->number, message->source);
		torus_message_unlink(&job->ready, message);
		torus_assemble_free(job, message);
		if (ret)
			return ret;
	}
	job->epoch++;
	return 0;
}
