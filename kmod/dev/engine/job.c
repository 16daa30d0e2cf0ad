// SPDX-License-Identifier: GPL-2.0
/* Jobs of a fabric: added whole or not at all, taken away. */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "core/base/number.h"
#include "core/link/dead_node.h"
#include "core/nic/group.h"
#include "core/run/node_state.h"
#include "engine.h"
#include "job.h"

/**
 * torus_job_find() - a job by its name
 * @e: the engine, held
 * @name: its name
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
 * torus_job_of() - the job that has a partition
 * @e: the engine, held
 * @partition: its number
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
 * torus_job_at() - the job that a node belongs to
 * @e: the engine, held
 * @node: index of the node
 *
 * Return: the job, or NULL.
 */
const struct torus_job_nodes *torus_job_at(const struct torus_engine *e, u32 node)
{
	return torus_job_of(e, torus_fabric_partition(e->fabric, node));
}

/* The least number above 0 that no node's partition has. */
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

/* Is a node free?  One that the job has already taken has its partition. */
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
		return torus_fail(err, EINVAL, "job %s: node %u is named twice", job->name, number);
	other = torus_job_at(e, node);
	if (other)
		return torus_fail(err, EBUSY, "job %s: node %u is job %s's", job->name, number,
				  other->name);
	return torus_fail(err, EBUSY, "job %s: node %u is in partition %u", job->name, number,
			  partition);
}

/* The first @count of its nodes are nobody's again: setting one that exists cannot fail. */
static void job_leave(struct torus_engine *e, const struct torus_job_nodes *job, u32 count)
{
	struct torus_error err;

	while (count--)
		torus_fabric_partition_set(e->fabric, job->node[count], 0, &err);
}

/**
 * torus_job_add() - one job more
 * @e: the engine, held
 * @job: name, view and nodes are set; the engine's on success
 * @err: why not
 *
 * Return: 0; -EEXIST, -EBUSY, -EHOSTDOWN, -EINVAL, -ENOMEM: nothing has changed.
 */
int torus_job_add(struct torus_engine *e, struct torus_job_nodes *job, struct torus_error *err)
{
	u32 rank;
	int ret;

	if (torus_job_find(e, job->name))
		return torus_fail(err, EEXIST, "there is a job %s", job->name);
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
 * torus_job_del() - a job is over
 * @e: the engine, held
 * @job: the job; it is gone
 *
 * Programs that are attached to its nodes stay, in partition 0.
 */
void torus_job_del(struct torus_engine *e, struct torus_job_nodes *job)
{
	list_del(&job->link);
	job_leave(e, job, job->count);
	kvfree(job);
}

/**
 * torus_jobs_free() - free the jobs that are left when the engine goes
 * @e: the engine, which nobody holds any more
 */
void torus_jobs_free(struct torus_engine *e)
{
	struct torus_job_nodes *job, *next;

	list_for_each_entry_safe(job, next, &e->nodes.jobs, link)
		kvfree(job);
}
