// SPDX-License-Identifier: GPL-2.0
/*
 * The view of a job: its ranks as the places of a torus, the first axis fastest.  A job that has
 * none is one ring of all its ranks.
 */
#include <errno.h>
#include <string.h>
#include <torus/message.h>
#include "job.h"

/**
 * torus_job_take_view() - a job gets the view of its configuration, or a ring
 * @job: the job, its members counted
 * @axes: of the view; 0: none
 * @lengths: of these
 *
 * Return: 0, -EINVAL.
 */
int torus_job_take_view(struct torus_job *job, __u32 axes, const __u32 *lengths)
{
	__u64 places = 1;
	__u32 i;

	if (axes > TORUS_DIMS_MAX)
		return torus_error_set(-EINVAL, "a view of %u axes: at most %u", axes,
				       TORUS_DIMS_MAX);
	job->view[0] = job->config.count;
	job->config.axes = axes ? axes : 1;
	job->config.view = job->view;
	if (!axes)
		return 0;
	memcpy(job->view, lengths, axes * sizeof(*lengths));
	for (i = 0; i < axes && places <= job->config.count; i++)
		places *= job->view[i];
	if (i == axes && places == job->config.count)
		return 0;
	return torus_error_set(-EINVAL, "a view whose lengths do not make the job's %u ranks",
			       job->config.count);
}

/**
 * torus_job_view() - the view of a job
 * @job: the job
 * @lengths: out, unless NULL: lengths of its axes, TORUS_DIMS_MAX at most
 *
 * Return: the number of axes; 1 where the job has no view: a ring of all ranks.
 */
__u32 torus_job_view(const struct torus_job *job, __u32 *lengths)
{
	if (lengths)
		memcpy(lengths, job->view, job->config.axes * sizeof(*lengths));
	return job->config.axes;
}

/**
 * torus_job_coords() - where a rank is in the view
 * @job: the job
 * @rank: the rank
 * @coords: out: a coordinate for each axis
 *
 * Return: 0, -ERANGE.
 */
int torus_job_coords(const struct torus_job *job, __u32 rank, __u32 *coords)
{
	__u32 axis;

	if (rank >= job->config.count)
		return torus_error_set(-ERANGE, "rank %u: the job has %u", rank,
				       job->config.count);
	for (axis = 0; axis < job->config.axes; axis++) {
		coords[axis] = rank % job->view[axis];
		rank /= job->view[axis];
	}
	return 0;
}

/**
 * torus_job_rank_of() - the rank at a place of the view
 * @job: the job
 * @coords: a coordinate for each axis
 *
 * Return: the rank, TORUS_RANK_NONE if a coordinate is beyond its axis.
 */
__u32 torus_job_rank_of(const struct torus_job *job, const __u32 *coords)
{
	__u32 axis = job->config.axes, rank = 0;

	while (axis--) {
		if (coords[axis] >= job->view[axis])
			return TORUS_RANK_NONE;
		rank = rank * job->view[axis] + coords[axis];
	}
	return rank;
}

/**
 * torus_job_neighbor() - the next rank along an axis of the view, which is a ring
 * @job: the job
 * @rank: the rank
 * @dir: direction, 2 * axis, + 1 for minus
 *
 * Return: the rank there, TORUS_RANK_NONE without such a rank or axis.
 */
__u32 torus_job_neighbor(const struct torus_job *job, __u32 rank, __u32 dir)
{
	__u32 coords[TORUS_DIMS_MAX], axis = dir / 2, length;

	if (rank >= job->config.count || axis >= job->config.axes)
		return TORUS_RANK_NONE;
	torus_job_coords(job, rank, coords);
	length = job->view[axis];
	coords[axis] = (coords[axis] + (dir % 2 ? length - 1 : 1)) % length;
	return torus_job_rank_of(job, coords);
}
