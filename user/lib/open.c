// SPDX-License-Identifier: GPL-2.0
/* Open a job; its table of operations connects it with broadcasts. */
#include <torus/collective.h>
#include "collective/broadcast_progress.h"
#include "job/job.h"
#include "open.h"

/**
 * torus_job_begin() - torus_job_open(), with the dead links that all ranks avoid
 * @job: out
 * @context: an attached context
 * @config: the same in all processes of the job
 * @dead: the links, the same in all processes; NULL: each asks the module
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
 * @job: out
 * @context: an attached context; it stays the caller's, who must not inject or
 *           receive with it while the job is open
 * @config: the same in all processes of the job
 *
 * Returns when all members have opened the job, in whatever order and however late
 * each of them was started; ranks on nodes that are dead take no part.  Nodes and
 * links that are dead now are avoided: see torus_route_learn(), torus_job_reroute().  After a
 * time-out the text names ranks that are missing, which are asked for it within two seconds more.
 *
 * Return: 0, -EBUSY (the context has a job), -EINVAL, -ERANGE, -EPERM (priority),
 * -EOPNOTSUPP (machine),
 * -ETIMEDOUT (members are missing), -ECONNREFUSED (a job with this key has begun with
 * another process in this one's place), -ENOTCONN (a process has left before all knew that all
 * are there), -EINTR (a signal), -EHOSTUNREACH (dead nodes and
 * links are between the ranks), -ENOBUFS, -ENOMEM, -ENOENT (the fabric is in another
 * network namespace), -EIO, -ENODEV.
 */
int torus_job_open(struct torus_job **job, struct torus_context *context,
		   const struct torus_job_config *config)
{
	return torus_job_begin(job, context, config, NULL);
}
