// SPDX-License-Identifier: GPL-2.0
/*
 * The spanning tree of a job's ranks, used by wire-up and, around dead nodes and links, by
 * barriers.
 *
 * Each rank has up to TREE_CHILDREN children, assigned in the order of the ranks.  If nodes or
 * links are dead, each edge of the tree is a path without a relay, in both directions.  A relay
 * might leave while another rank still needs it.
 */
#include <errno.h>
#include <stdlib.h>
#include "../context/error.h"
#include "job.h"
#include "member.h"
#include "relay.h"
#include "spanning_tree.h"

/* children of a rank; more only if other ranks have no other path */
#define TREE_CHILDREN	4

static bool tree_one_way(struct torus_job *job, uint32_t a, uint32_t b)
{
	struct torus_route_choice choice;

	return torus_route_choose(job->map, torus_job_member(job, a).node,
				  torus_job_member(job, b).node,
				  torus_relay_flags(job) | TORUS_ROUTE_DIRECT, NULL, &choice);
}

/* Make ranks that have no parent yet children of @rank.  Return: the new end of @queue. */
static uint32_t tree_grow(struct torus_job *job, uint32_t rank, unsigned int children,
			  uint32_t *queue, uint32_t end)
{
	uint32_t i, first = end;

	for (i = 0; i < job->config.count && end - first < children; i++)
		if (job->tree[i] == TORUS_RANK_NONE && torus_job_member_alive(job, i) &&
		    tree_one_way(job, rank, i) && tree_one_way(job, i, rank)) {
			job->tree[i] = rank;
			queue[end++] = i;
		}
	return end;
}

/**
 * torus_tree_build() - compute the tree around dead nodes and links
 * @job: the job, with a map
 *
 * The tree is the same in all ranks that know the same faults.  The root is the first rank on a
 * live node.
 *
 * Return: 0, -ENOMEM, -EHOSTUNREACH (this rank's node is dead, or no path without a relay leads to
 * some rank and back).
 */
int torus_tree_build(struct torus_job *job)
{
	uint32_t count = job->config.count, root, live = 0, end, i;
	uint32_t *queue;

	if (!torus_job_member_alive(job, job->rank))
		return torus_error_set(-EHOSTUNREACH, "node %u of this rank %u is dead",
				       job->context->info.node, job->rank);
	if (job->tree)
		return 0;
	queue = calloc(count, sizeof(*queue));
	job->tree = calloc(count, sizeof(*job->tree));
	if (!job->tree || !queue) {
		free(queue);
		free(job->tree);
		job->tree = NULL;
		return torus_error_set(-ENOMEM, "out of memory for a tree of %u ranks", count);
	}
	for (root = count, i = count; i-- > 0;) {
		job->tree[i] = TORUS_RANK_NONE;
		if (torus_job_member_alive(job, i)) {
			root = i;
			live++;
		}
	}
	job->tree[root] = root;
	queue[0] = root;
	end = 1;
	for (i = 0; i < end && end < live; i++)
		end = tree_grow(job, queue[i], TREE_CHILDREN, queue, end);
	/*
	 * second pass without the limit: the remaining ranks may have paths only to ranks with
	 * TREE_CHILDREN children
	 */
	for (i = 0; i < end && end < live; i++)
		end = tree_grow(job, queue[i], count, queue, end);
	free(queue);
	for (i = 0; end < live && i < count; i++)
		if (job->tree[i] == TORUS_RANK_NONE && torus_job_member_alive(job, i)) {
			free(job->tree);
			job->tree = NULL;
			return torus_relay_refuse(job, root, i, TORUS_ROUTE_DIRECT);
		}
	return 0;
}

/**
 * torus_tree_above() - get the parent of a rank
 * @job: the job; with a map, after torus_tree_build()
 * @rank: the rank
 *
 * Return: the parent; TORUS_RANK_NONE for the root, and for ranks on dead nodes.
 */
uint32_t torus_tree_above(const struct torus_job *job, uint32_t rank)
{
	if (!job->map)
		return rank ? (rank - 1) / TREE_CHILDREN : TORUS_RANK_NONE;
	return job->tree[rank] == rank ? TORUS_RANK_NONE : job->tree[rank];
}

/**
 * torus_tree_below() - get the next child of this rank
 * @job: as torus_tree_above()
 * @after: the last child found; TORUS_RANK_NONE: start with the first
 *
 * Return: a rank, in ascending order, or TORUS_RANK_NONE after the last.
 */
uint32_t torus_tree_below(const struct torus_job *job, uint32_t after)
{
	uint32_t i = after == TORUS_RANK_NONE ? 0 : after + 1;

	if (!job->map) {
		__u64 first = (__u64)job->rank * TREE_CHILDREN + 1;

		if (i < first)
			i = first < job->config.count ? first : job->config.count;
		return i < job->config.count && i < first + TREE_CHILDREN ? i : TORUS_RANK_NONE;
	}
	for (; i < job->config.count; i++)
		if (job->tree[i] == job->rank && i != job->rank)
			return i;
	return TORUS_RANK_NONE;
}
