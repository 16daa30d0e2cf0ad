// SPDX-License-Identifier: GPL-2.0
/* The members of a job: their number and places, and this process's rank. */
#include <stdio.h>
#include "../context/node_number.h"
#include "member.h"

/**
 * torus_job_rank() - get this process's rank
 * @job: the job
 *
 * Return: 0 to torus_job_size() - 1.
 */
uint32_t torus_job_rank(const struct torus_job *job)
{
	return job->rank;
}

/**
 * torus_job_size() - get the number of processes
 * @job: the job
 *
 * Return: 1 or more.
 */
uint32_t torus_job_size(const struct torus_job *job)
{
	return job->config.count;
}

/**
 * torus_job_payload() - get the bytes of a message in a full packet
 * @job: the job
 *
 * Return: bytes.
 */
uint32_t torus_job_payload(const struct torus_job *job)
{
	return job->format.payload;
}

/**
 * torus_job_counts() - copy the counters of a job
 * @job: the job
 * @counts: [out] the counters
 */
void torus_job_counts(const struct torus_job *job, struct torus_job_counts *counts)
{
	*counts = job->counts;
}

/* Get the node and FIFO group of a rank. */
struct torus_member torus_job_member(const struct torus_job *job, uint32_t rank)
{
	if (job->config.members)
		return job->config.members[rank];
	return (struct torus_member) { .node = rank, .group = job->context->info.group };
}

/* Check whether the node of a rank is alive. */
bool torus_job_member_alive(const struct torus_job *job, uint32_t rank)
{
	return !job->map || torus_route_node_alive(job->map, torus_job_member(job, rank).node);
}

/**
 * torus_job_rank_at() - get the rank at a node
 * @job: the job
 * @node: number of the node
 *
 * Return: the rank there in the FIFO group of the caller, TORUS_RANK_NONE if the job has none.
 */
uint32_t torus_job_rank_at(const struct torus_job *job, uint32_t node)
{
	uint32_t i;

	for (i = 0; i < job->config.count; i++) {
		struct torus_member at = torus_job_member(job, i);

		if (at.node == node && at.group == job->context->info.group)
			return i;
	}
	return TORUS_RANK_NONE;
}

/**
 * torus_job_place() - format a rank with its node and FIFO group
 * @job: the job
 * @rank: the rank
 * @text: [out] the text
 *
 * Return: @text.
 */
char *torus_job_place(const struct torus_job *job, uint32_t rank, char text[TORUS_PLACE_MAX])
{
	const struct torus_ioc_info *info = &job->context->info;
	struct torus_member at = torus_job_member(job, rank);
	uint32_t coords[TORUS_DIMS_MAX] = { 0 }, i;
	int end;

	torus_numbering_place(&info->numbering, info->ndims, info->dims, at.node, coords);
	end = snprintf(text, TORUS_PLACE_MAX, "rank %u at node ", rank);
	for (i = 0; i < info->ndims; i++)
		end += snprintf(text + end, TORUS_PLACE_MAX - end, "%s%u", i ? "," : "", coords[i]);
	snprintf(text + end, TORUS_PLACE_MAX - end, ", group %u", at.group);
	return text;
}
