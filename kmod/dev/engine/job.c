// SPDX-License-Identifier: GPL-2.0
/* Jobs of a fabric: add a job atomically, find it, delete it. */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "core/base/node_number.h"
#include "core/link/dead_node.h"
#include "core/nic/group.h"
#include "core/run/node_state.h"
#include "engine.h"
#include "job.h"

/**
 * torus_job_find() - find a job by its name
 * @e: the engine, locked
 * @name: name of the job
 *
 * Return: the job, or NULL.
 */
struct torus_job_nodes *torus_job_find(const struct torus_engine *e, const char *name)
{
	struct torus_job_nodes *job;

	list_for_each_entry(job, &e->nodes.jobs, link)
		if (!strcmp(job->name, name))
			return job;
	return NULL;
}

/**
 * torus_job_of() - find the job that has a partition
 * @e: the engine, locked
 * @partition: number of the partition
 *
 * Return: the job, or NULL.
 */
const struct torus_job_nodes *torus_job_of(const struct torus_engine *e, u32 partition)
{
	const struct torus_job_nodes *job;

	list_for_each_entry(job, &e->nodes.jobs, link)
		if (job->partition == partition)
			return job;
	return NULL;
}

/**
 * torus_job_at() - find the job that a node belongs to
 * @e: the engine, locked
 * @node: index of the node
 *
 * Return: the job, or NULL.
 */
const struct torus_job_nodes *torus_job_at(const struct torus_engine *e, u32 node)
{
	return torus_job_of(e, torus_fabric_partition(e->fabric, node));
}

/* Find the smallest partition number above 0 that no node has. */
static int job_partition(const struct torus_engine *e, u32 *partition)
{
	u32 last = e->geo.nodes + 1, node;
	unsigned long *used = bitmap_zalloc(last + 1, TORUS_GFP_USER);

	if (!used)
		return -ENOMEM;
	__set_bit(0, used);
	for (node = 0; node < e->geo.nodes; node++)
		if (torus_fabric_partition(e->fabric, node) <= last)
			__set_bit(torus_fabric_partition(e->fabric, node), used);
	*partition = find_first_zero_bit(used, last + 1);
	bitmap_free(used);
	return 0;
}

/*
 * Check whether a node can join the job. A node with the job's own partition was already added: the
 * list names it twice.
 */
static int job_judge(const struct torus_engine *e, const struct torus_job_nodes *job, u32 node,
		     struct torus_error *err)
{
	u32 number = torus_node_number(&e->geo, node);
	u32 partition = torus_fabric_partition(e->fabric, node);
	const struct torus_job_nodes *other;

	if (torus_node_dead(e->fabric, node))
		return torus_fail(err, EHOSTDOWN, "job %s: node %u is dead", job->name, number);
	if (!partition)
		return 0;
	if (partition == job->partition)
		return torus_fail(err, EINVAL, "job %s: node %u is listed twice", job->name,
				  number);
	other = torus_job_at(e, node);
	if (other)
		return torus_fail(err, EBUSY, "job %s: node %u belongs to job %s", job->name,
				  number, other->name);
	return torus_fail(err, EBUSY,
			  "job %s: node %u must be in partition 0, but is in partition %u",
			  job->name, number, partition);
}

/*
 * Return the first @count nodes of a job to partition 0. Setting an existing partition cannot fail.
 */
static void job_leave(struct torus_engine *e, const struct torus_job_nodes *job, u32 count)
{
	struct torus_error err;

	while (count--)
		torus_fabric_partition_set(e->fabric, job->node[count], 0, &err);
}

/**
 * torus_job_add() - add a job: all its nodes, or none
 * @e: the engine, locked
 * @job: the job, with name, view and nodes; owned by the engine on success
 * @err: [out] reason of a failure
 *
 * Return: 0; -EEXIST, -EBUSY, -EHOSTDOWN, -EINVAL, -ENOMEM: nothing has changed.
 */
int torus_job_add(struct torus_engine *e, struct torus_job_nodes *job, struct torus_error *err)
{
	u32 rank;
	int ret;

	if (torus_job_find(e, job->name))
		return torus_fail(err, EEXIST, "job %s exists already", job->name);
	if (job_partition(e, &job->partition))
		return torus_fail(err, ENOMEM, "no memory for job %s", job->name);
	for (rank = 0; rank < job->count; rank++) {
		ret = job_judge(e, job, job->node[rank], err) ?:
		      torus_fabric_partition_set(e->fabric, job->node[rank], job->partition, err);
		if (ret) {
			job_leave(e, job, rank);
			return ret;
		}
	}
	list_add_tail(&job->link, &e->nodes.jobs);
	return 0;
}

/**
 * torus_job_del() - delete a job
 * @e: the engine, locked
 * @job: the job; freed
 *
 * Programs that are attached to its nodes stay attached, in partition 0.
 */
void torus_job_del(struct torus_engine *e, struct torus_job_nodes *job)
{
	list_del(&job->link);
	job_leave(e, job, job->count);
	kvfree(job);
}

/**
 * torus_jobs_free() - free the remaining jobs of an engine
 * @e: the engine, without references: its lock is not needed
 */
void torus_jobs_free(struct torus_engine *e)
{
	struct torus_job_nodes *job, *next;

	list_for_each_entry_safe(job, next, &e->nodes.jobs, link)
		kvfree(job);
}
