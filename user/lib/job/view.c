// SPDX-License-Identifier: GPL-2.0
/*
 * The view of a job: its ranks as the places of a torus or mesh, the first axis fastest.  Without
 * one in its configuration a job has the shape of its nodes if they are a box, one rank per node,
 * x fastest; otherwise it is a ring of all ranks.
 */
#include <errno.h>
#include <string.h>
#include <torus/message.h>
#include "../context/error.h"
#include "../context/node_number.h"
#include "job.h"
#include "member.h"
#include "view.h"

/* Move coordinates along a dimension.  Return: false if they end beyond the edge of a mesh. */
static bool nodes_step(const struct torus_ioc_info *info, __u32 *coords, __u32 dim, __u32 steps)
{
	coords[dim] += steps;
	if (coords[dim] < info->dims[dim])
		return true;
	coords[dim] -= info->dims[dim];
	return !(info->mesh >> dim & 1);
}

/* Is a rank at the place that it has in the view's box, whose corner is @corner? */
static bool nodes_match(const struct torus_job *job, const __u32 *corner, __u32 rank)
{
	const struct torus_ioc_info *info = &job->context->info;
	__u32 node = torus_job_member(job, rank).node, at[TORUS_DIMS_MAX], dim;

	memcpy(at, corner, info->ndims * sizeof(*at));
	for (dim = 0; dim < info->ndims; dim++) {
		if (!nodes_step(info, at, dim, rank % job->view[dim]))
			return false;
		rank /= job->view[dim];
	}
	return torus_numbering_number(&info->numbering, info->ndims, info->dims, at) == node;
}

/* Lengths of the largest box, by dimension, that the first ranks of each line can be. */
static __u32 nodes_box(struct torus_job *job, const __u32 *corner)
{
	const struct torus_ioc_info *info = &job->context->info;
	__u32 dim, places = 1;

	for (dim = 0; dim < info->ndims; dim++)
		job->view[dim] = 1;
	for (dim = 0; dim < info->ndims; places *= job->view[dim++])
		while (job->view[dim] < info->dims[dim] &&
		       (__u64)places * job->view[dim] < job->config.count) {
			job->view[dim]++;
			if (nodes_match(job, corner, places * (job->view[dim] - 1)))
				continue;
			job->view[dim]--;
			break;
		}
	return places;
}

/* Return: whether the ranks are a box of nodes, x fastest, which is their view then. */
static bool view_of_nodes(struct torus_job *job)
{
	const struct torus_ioc_info *info = &job->context->info;
	__u32 corner[TORUS_DIMS_MAX], rank, dim;

	if (torus_number_coords(job->context, torus_job_member(job, 0).node, corner) ||
	    nodes_box(job, corner) != job->config.count)
		return false;
	for (rank = 0; rank < job->config.count; rank++)
		if (!nodes_match(job, corner, rank))
			return false;
	job->config.axes = info->ndims;
	job->rings = 0;
	for (dim = 0; dim < info->ndims; dim++)
		if (job->view[dim] == info->dims[dim] && !(info->mesh >> dim & 1))
			job->rings |= 1u << dim;
	return true;
}

/**
 * torus_job_take_view() - a job gets the view of its configuration, of its nodes, or a ring
 * @job: the job, its members known
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
	job->config.view = job->view;
	if (!axes && view_of_nodes(job))
		return 0;
	job->view[0] = job->config.count;
	job->config.axes = axes ? axes : 1;
	job->rings = (1u << job->config.axes) - 1;
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
 * A job has the view with which it was placed or opened.  Without one it has the shape of its
 * nodes if they are all nodes of the fabric, or of a box of it, one rank per node, x fastest; the
 * axes are the fabric's dimensions then.  Otherwise it is a ring of all ranks.
 *
 * Return: the number of axes.
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
 * torus_job_neighbor() - the next rank along an axis of the view
 * @job: the job
 * @rank: the rank
 * @dir: direction, 2 * axis, + 1 for minus
 *
 * An axis is a ring, of which the last rank's next is the first.  It is a mesh if the view is that
 * of the job's nodes, and the dimension is a mesh or longer than the box.
 *
 * Return: the rank there, TORUS_RANK_NONE beyond the edge of a mesh, and without such a rank or
 * axis.
 */
__u32 torus_job_neighbor(const struct torus_job *job, __u32 rank, __u32 dir)
{
	__u32 coords[TORUS_DIMS_MAX], axis = dir / 2, length;

	if (rank >= job->config.count || axis >= job->config.axes)
		return TORUS_RANK_NONE;
	torus_job_coords(job, rank, coords);
	length = job->view[axis];
	if (!(job->rings >> axis & 1) && coords[axis] == (dir % 2 ? 0 : length - 1))
		return TORUS_RANK_NONE;
	coords[axis] = (coords[axis] + (dir % 2 ? length - 1 : 1)) % length;
	return torus_job_rank_of(job, coords);
}
