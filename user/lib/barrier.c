// SPDX-License-Identifier: GPL-2.0
/*
 * All ranks of a job meet: dissemination, log2(ranks) rounds of empty messages.
 *
 * Around dead nodes they meet in a tree, up and down again, whose every edge needs no
 * relay: a rank that has left may be the relay of one that has not heard of it yet.
 */
#include <errno.h>
#include <stdlib.h>
#include "job.h"

#define CHILDREN	4	/* of a rank in the tree, where more would not be needed */
#define NO_RANK		(~0u)

/* Wait for the empty message @tag from a rank. */
static int barrier_take(struct torus_job *job, __u32 from, __u32 tag, int timeout_ms)
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
	torus_message_unlink(&job->ready, message);
	torus_assemble_free(job, message);
	return ret;
}

static bool tree_one_way(struct torus_job *job, __u32 a, __u32 b)
{
	struct torus_route_choice choice;

	return torus_route_choose(job->map, torus_job_member(job, a).node,
				  torus_job_member(job, b).node,
				  torus_relay_flags(job) | TORUS_ROUTE_DIRECT, NULL, &choice);
}

static bool tree_lives(const struct torus_job *job, __u32 rank)
{
	return torus_route_node_alive(job->map, torus_job_member(job, rank).node);
}

/* Give a rank children among those that have none above them yet. */
static __u32 tree_grow(struct torus_job *job, __u32 rank, unsigned int children, __u32 *queue,
		       __u32 end)
{
	__u32 i, first = end;

	for (i = 0; i < job->config.count && end - first < children; i++)
		if (job->tree[i] == NO_RANK && tree_lives(job, i) && tree_one_way(job, rank, i) &&
		    tree_one_way(job, i, rank)) {
			job->tree[i] = rank;
			queue[end++] = i;
		}
	return end;
}

/* The tree, the same in all ranks that know the same faults; the first that lives on top. */
static int tree_build(struct torus_job *job)
{
	__u32 count = job->config.count, root, live = 0, end, i;
	__u32 *queue = calloc(count, sizeof(*queue));

	job->tree = calloc(count, sizeof(*job->tree));
	if (!job->tree || !queue) {
		free(queue);
		free(job->tree);
		job->tree = NULL;
		return torus_error_set(-ENOMEM, "no memory for a barrier of %u", count);
	}
	for (root = count, i = count; i-- > 0;) {
		job->tree[i] = NO_RANK;
		if (tree_lives(job, i)) {
			root = i;
			live++;
		}
	}
	job->tree[root] = root;
	queue[0] = root;
	end = 1;
	for (i = 0; i < end && end < live; i++)
		end = tree_grow(job, queue[i], CHILDREN, queue, end);
	/* some need not have found one with room for them */
	for (i = 0; i < end && end < live; i++)
		end = tree_grow(job, queue[i], count, queue, end);
	free(queue);
	for (i = 0; end < live && i < count; i++)
		if (job->tree[i] == NO_RANK && tree_lives(job, i)) {
			free(job->tree);
			job->tree = NULL;
			return torus_error_set(-EHOSTUNREACH,
					       "barrier: no hints lead to rank %u and back", i);
		}
	return 0;
}

/* A message from (@down: to) each child. */
static int tree_children(struct torus_job *job, bool down, int timeout_ms)
{
	__u32 i, tag = job->epoch << 8 | down;
	int ret = 0;

	for (i = 0; !ret && i < job->config.count; i++) {
		if (job->tree[i] != job->rank || i == job->rank)
			continue;
		ret = down ? torus_send_blocking(job, i, KIND_BARRIER, tag, NULL, 0) :
			     barrier_take(job, i, tag, timeout_ms);
	}
	return ret;
}

static int barrier_tree(struct torus_job *job, int timeout_ms)
{
	__u32 tag = job->epoch << 8, above;
	int ret = 0;

	if (!job->tree)
		ret = tree_build(job);
	if (ret)
		return ret;
	above = job->tree[job->rank];
	if (above == NO_RANK)
		return torus_error_set(-EHOSTUNREACH, "barrier: this rank's node is dead");
	ret = tree_children(job, false, timeout_ms);
	if (!ret && above != job->rank) {
		ret = torus_send_blocking(job, above, KIND_BARRIER, tag, NULL, 0);
		if (!ret)
			ret = barrier_take(job, above, tag | 1, timeout_ms);
	}
	if (!ret)
		ret = tree_children(job, true, timeout_ms);
	if (!ret)
		job->epoch++;
	return ret;
}

/**
 * torus_job_barrier() - wait until all ranks have called this
 * @job: the job
 * @timeout_ms: for each of its rounds: -1 without limit, or milliseconds
 *
 * Ranks on nodes that are dead take no part.
 *
 * Messages that arrive meanwhile wait in memory.  After an error the ranks no
 * longer agree on how many barriers there have been: give the job up.
 *
 * Return: 0, -EHOSTUNREACH (dead nodes are between the ranks), -ENOMEM, -EBADMSG,
 * -ETIMEDOUT, -EINTR, -ENOBUFS, -ECOMM, -EIO, -ENODEV.
 */
int torus_job_barrier(struct torus_job *job, int timeout_ms)
{
	__u32 count = job->config.count;
	unsigned int round = 0;
	__u32 distance;

	if (job->map)
		return barrier_tree(job, timeout_ms);
	for (distance = 1; distance < count; distance *= 2, round++) {
		__u32 to = (job->rank + distance) % count;
		__u32 from = (job->rank + count - distance) % count;
		__u32 tag = job->epoch << 8 | round;
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
