// SPDX-License-Identifier: GPL-2.0
/*
 * The view of a job: its ranks as nodes of a virtual torus or mesh, the first axis fastest.  If the
 * configuration has no view and the ranks are a box of nodes, one rank per node with x fastest, the
 * view is that box; otherwise it is a ring of all ranks.
 */
#include <errno.h>
#include <string.h>
#include <torus/message.h>
#include "../context/error.h"
#include "../context/node_number.h"
#include "job.h"
#include "member.h"
#include "view.h"

/* Move @coords by @steps nodes along a dimension.  Return: false if that leaves a mesh. */
static bool nodes_step(const struct torus_ioc_info *info, uint32_t *coords, uint32_t dim,
		       uint32_t steps)
{
	coords[dim] += steps;
	if (coords[dim] < info->dims[dim])
		return true;
	coords[dim] -= info->dims[dim];
	return !(info->mesh >> dim & 1);
}

/*
 * Check whether a rank is at its place in the box of lengths @job->view, whose corner is @corner.
 */
static bool nodes_match(const struct torus_job *job, const uint32_t *corner, uint32_t rank)
{
	const struct torus_ioc_info *info = &job->context->info;
	uint32_t node = torus_job_member(job, rank).node, at[TORUS_DIMS_MAX], dim;

	memcpy(at, corner, info->ndims * sizeof(*at));
	for (dim = 0; dim < info->ndims; dim++) {
		if (!nodes_step(info, at, dim, rank % job->view[dim]))
			return false;
		rank /= job->view[dim];
	}
	return torus_numbering_number(&info->numbering, info->ndims, info->dims, at) == node;
}

/*
 * Find the largest box of nodes that the first ranks fill, by extending it one dimension after
 * another.  Return: number of nodes in the box.
 */
static uint32_t nodes_box(struct torus_job *job, const uint32_t *corner)
{
	const struct torus_ioc_info *info = &job->context->info;
	uint32_t dim, places = 1;

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

/*
 * Make the box of the job's nodes the view.  Return: false if the ranks are not a box with x
 * fastest.
 */
static bool view_of_nodes(struct torus_job *job)
{
	const struct torus_ioc_info *info = &job->context->info;
	uint32_t corner[TORUS_DIMS_MAX], rank, dim;

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
 * torus_job_take_view() - set the view of a job: the configured one, the box of its nodes, or a
 * ring
 * @job: the job, with its members
 * @axes: number of axes of the configured view; 0: none is configured
 * @lengths: array of @axes lengths
 *
 * Return: 0, -EINVAL.
 */
int torus_job_take_view(struct torus_job *job, uint32_t axes, const uint32_t *lengths)
{
	__u64 places = 1;
	uint32_t i;

	if (axes > TORUS_DIMS_MAX)
		return torus_error_set(-EINVAL, "view with %u axes: must have at most %u", axes,
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
	return torus_error_set(-EINVAL,
			       "the product of the lengths of a view must be %u, the number of "
			       "ranks of the job", job->config.count);
}

/**
 * torus_job_view() - get the view of a job
 * @job: the job
 * @lengths: [out] lengths of the axes, at most TORUS_DIMS_MAX; may be NULL
 *
 * The view is the one with which the job was placed or opened.  Without one, if the job's nodes are
 * the fabric or a box in it, one rank per node with x fastest, the view has the shape of the nodes,
 * and its axes are the fabric's dimensions.  Otherwise it is a ring of all ranks.
 *
 * Return: the number of axes.
 */
uint32_t torus_job_view(const struct torus_job *job, uint32_t *lengths)
{
	if (lengths)
		memcpy(lengths, job->view, job->config.axes * sizeof(*lengths));
	return job->config.axes;
}

/**
 * torus_job_coords() - get the coordinates of a rank in the view
 * @job: the job
 * @rank: the rank
 * @coords: [out] one coordinate for each axis
 *
 * Return: 0, -ERANGE.
 */
int torus_job_coords(const struct torus_job *job, uint32_t rank, uint32_t *coords)
{
	uint32_t axis;

	if (rank >= job->config.count)
		return torus_error_set(-ERANGE,
				       "rank %u: must be below %u, the number of ranks of the job",
				       rank,
				       job->config.count);
	for (axis = 0; axis < job->config.axes; axis++) {
		coords[axis] = rank % job->view[axis];
		rank /= job->view[axis];
	}
	return 0;
}

/**
 * torus_job_rank_of() - get the rank at coordinates of the view
 * @job: the job
 * @coords: one coordinate for each axis
 *
 * Return: the rank, TORUS_RANK_NONE if a coordinate is out of range.
 */
uint32_t torus_job_rank_of(const struct torus_job *job, const uint32_t *coords)
{
	uint32_t axis = job->config.axes, rank = 0;

	while (axis--) {
		if (coords[axis] >= job->view[axis])
			return TORUS_RANK_NONE;
		rank = rank * job->view[axis] + coords[axis];
	}
	return rank;
}

/**
 * torus_job_neighbor() - get the next rank along an axis of the view
 * @job: the job
 * @rank: the rank
 * @dir: direction: 2 * axis, + 1 for minus
 *
 * An axis is a ring: its last rank is followed by its first.  Exception: in a view made of the
 * job's nodes, an axis is a mesh if the fabric's dimension is a mesh or is longer than the box.
 *
 * Return: the next rank; TORUS_RANK_NONE beyond the edge of a mesh, or if there is no such rank or
 * axis.
 */
uint32_t torus_job_neighbor(const struct torus_job *job, uint32_t rank, uint32_t dir)
{
	uint32_t coords[TORUS_DIMS_MAX], axis = dir / 2, length;

	if (rank >= job->config.count || axis >= job->config.axes)
		return TORUS_RANK_NONE;
	torus_job_coords(job, rank, coords);
	length = job->view[axis];
	if (!(job->rings >> axis & 1) && coords[axis] == (dir % 2 ? 0 : length - 1))
		return TORUS_RANK_NONE;
	coords[axis] = (coords[axis] + (dir % 2 ? length - 1 : 1)) % length;
	return torus_job_rank_of(job, coords);
}
