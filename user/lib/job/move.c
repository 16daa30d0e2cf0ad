// SPDX-License-Identifier: GPL-2.0
/* Move packets of a context's jobs in both directions, or wait until some can be moved. */
#include <errno.h>
#include <poll.h>
#include "../context/error.h"
#include "../context/wait.h"
#include "move.h"
#include "push.h"
#include "reassembly.h"
#include "send_errors.h"

/* Inject packets of all jobs of a context.  Return: as torus_send_push(). */
static int jobs_push(struct torus_job *root)
{
	struct torus_job *job;
	int turned, pushed, sum = 0;

	for (job = root; job; job = job->next) {
		job->turning = false;
		turned = job->broadcasts ? job->ops->push(job) : 0;
		if (turned < 0)
			return turned;
		pushed = torus_send_push(job);
		if (pushed < 0)
			return pushed;
		sum += turned + pushed;
	}
	return sum;
}

/* Check whether a job of a context waits for free space in injection rings. */
static bool jobs_send(const struct torus_job *root)
{
	const struct torus_job *job;

	for (job = root; job; job = job->next)
		if (job->active_count || job->forwards || job->turning)
			return true;
	return false;
}

/**
 * torus_job_move() - move packets in both directions, for a call of the library that waits
 * @job: the job
 *
 * Return: as torus_job_progress().
 */
int torus_job_move(struct torus_job *job)
{
	int taken, reported, pushed;

	if (torus_context_forked(job->context))
		return torus_error_dead(job->context);
	taken = torus_reassembly_drain(job);
	if (taken < 0 && taken != -ENOBUFS)
		return taken;
	reported = torus_send_error_drain(job);
	if (reported < 0)
		return reported;
	pushed = jobs_push(job->root);
	if (pushed < 0)
		return pushed;
	pushed += reported;
	/* drain again, because sending may have overwritten the error text */
	if (taken < 0)
		return pushed ? pushed : torus_reassembly_drain(job);
	return taken + pushed;
}

/**
 * torus_job_progress() - move packets in both directions, without waiting
 * @job: the job
 *
 * Library calls that wait move packets, too.  A program that computes for a long time must call
 * this function now and then.
 *
 * Return: number of packets moved or reported lost, or -ENOBUFS (memory_max reached), -ECOMM (the
 * kernel rejected packets: messages are lost), -EIO, -ENODEV; in virtual time also -EINTR or
 * -EBUSY.
 */
int torus_job_progress(struct torus_job *job)
{
	int ret;

	job->root->computes = true;
	ret = torus_job_move(job);
	job->root->computes = false;
	return ret;
}

/**
 * torus_job_wait() - move packets, or sleep until some can be moved
 * @job: the job
 * @waiter: the wait
 * @sending: the caller waits for the kernel to take packets
 *
 * Return: 0 if the caller shall check its condition again, or as torus_job_progress() and
 * torus_waiter_step().
 */
int torus_job_wait(struct torus_job *job, struct torus_waiter *waiter, bool sending)
{
	int ret = torus_job_move(job);

	if (ret < 0)
		return ret;
	if (ret > 0) {
		torus_waiter_restart(waiter);
		if (torus_waiter_expired(waiter))
			return torus_error_plain(-ETIMEDOUT, TORUS_SAY_TIME);
		return 0;
	}
	sending |= jobs_send(job->root);
	waiter->coming = job->coming < ~0u ? job->coming : ~0u;
	return torus_waiter_step(waiter, sending ? POLLIN | POLLOUT : POLLIN);
}
