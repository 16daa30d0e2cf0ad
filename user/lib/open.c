// SPDX-License-Identifier: GPL-2.0
/* Open a job, and give it the functions of broadcasts, which are a layer above jobs. */
#include <torus/collective.h>
#include "collective/broadcast_progress.h"
#include "job/job.h"
#include "open.h"

/**
 * torus_job_begin() - open a job like torus_job_open(), with given dead links
 * @job: [out] the job
 * @context: an attached context
 * @config: the same in all processes of the job
 * @dead: links that all ranks avoid, the same in all processes; NULL: each process asks the module
 *
 * Return: as torus_job_open().
 */
int torus_job_begin(struct torus_job **job, struct torus_context *context,
		    const struct torus_job_config *config, const struct dead_links *dead)
{
	static const struct job_ops ops = {
		.accept = torus_broadcast_accept,
		.push = torus_broadcast_push,
		.cancel = torus_broadcast_cancel,
	};

	return torus_job_create(job, context, config, dead, &ops);
}

/**
 * torus_job_open() - become a process of a job
 * @job: [out] the job
 * @context: an attached context, owned by the caller, who must not inject or receive with it while
 *           the job is open
 * @config: the same in all processes of the job
 *
 * The call returns when all members have opened the job.  Members may do that in any order and at
 * any time.  Ranks on dead nodes take no part.  Packets avoid nodes and links that are dead at the
 * time of this call: see torus_route_learn(), torus_job_reroute().  After a time-out the text names
 * missing ranks.  To find them, the call asks the other ranks, at most 1023, until all have
 * answered or no answer has arrived for a second.
 *
 * Return: 0, -EBUSY (the context has a job), -EINVAL, -ERANGE, -EPERM (priority), -EOPNOTSUPP
 * (machine), -ETIMEDOUT (members are missing), -ECONNREFUSED (a job with this key has begun with
 * another process as this rank), -ENOTCONN (a process has left before all ranks knew that all have
 * joined), -EINTR (a signal), -EHOSTUNREACH (dead nodes and links are between the ranks), -ENOBUFS,
 * -ENOMEM, -EIO, -ENODEV.
 */
int torus_job_open(struct torus_job **job, struct torus_context *context,
		   const struct torus_job_config *config)
{
	return torus_job_begin(job, context, config, NULL);
}
