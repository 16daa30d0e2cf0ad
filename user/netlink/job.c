// SPDX-License-Identifier: GPL-2.0
/* Create, list and delete jobs. A job has a list of nodes by rank, and a partition. */
#include <errno.h>
#include <stdlib.h>

#include "job.h"

#define BESIDE_BYTES	512	/* bytes of a request in addition to the list of nodes */

static int job_parse(const struct torus_nl_reply *reply, void *item)
{
	struct torus_nl_job *job = item;
	size_t sent;

	if (!torus_nl_has(reply, TORUS_A_JOB))
		return -EBADMSG;
	torus_nl_string(reply, TORUS_A_JOB, job->name, sizeof(job->name));
	job->partition = torus_nl_u32(reply, TORUS_A_PARTITION);
	job->count = torus_nl_u32(reply, TORUS_A_NODES);
	sent = torus_nl_binary(reply, TORUS_A_VIEW, job->view, sizeof(job->view));
	if (sent > sizeof(job->view))
		return -EBADMSG;
	job->axes = (uint32_t)(sent / sizeof(job->view[0]));
	return 0;
}

static int job_parse_whole(const struct torus_nl_reply *reply, void *item)
{
	struct torus_nl_job *job = item;
	int error = job_parse(reply, item);
	size_t bytes = (size_t)job->count * sizeof(*job->nodes);

	if (error)
		return error;
	job->nodes = malloc(bytes ? bytes : 1);
	if (!job->nodes)
		return -ENOMEM;
	if (torus_nl_binary(reply, TORUS_A_MEMBERS, job->nodes, bytes) == bytes)
		return 0;
	free(job->nodes);
	job->nodes = NULL;
	return -EBADMSG;
}

/* Start a request that concerns a job. */
static struct nl_msg *job_message(struct torus_nl *nl, enum torus_cmd cmd, const char *fabric,
				  const char *name)
{
	struct nl_msg *msg = torus_nl_message(nl, cmd, fabric);

	if (msg && nla_put_string(msg, TORUS_A_JOB, name)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return msg;
}

/**
 * torus_nl_job_add - create a job
 * @fabric: name of the fabric
 * @job: name, nodes and view of the job; the view is optional
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_job_add(struct torus_nl *nl, const char *fabric, const struct torus_nl_job *job)
{
	int members = (int)(job->count * sizeof(*job->nodes));
	struct nl_msg *msg = job_message(nl, TORUS_CMD_JOB_ADD, fabric, job->name);
	size_t bytes = nlmsg_total_size(members) + BESIDE_BYTES;

	if (msg && ((bytes > nlmsg_get_max_size(msg) && nlmsg_expand(msg, bytes)) ||
		    nla_put(msg, TORUS_A_MEMBERS, members, job->nodes) ||
		    (job->axes && nla_put(msg, TORUS_A_VIEW,
					  (int)(job->axes * sizeof(job->view[0])), job->view)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}

/**
 * torus_nl_job_del - delete a job
 * @fabric: name of the fabric
 * @name: name of the job
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_job_del(struct torus_nl *nl, const char *fabric, const char *name)
{
	return torus_nl_do(nl, job_message(nl, TORUS_CMD_JOB_DEL, fabric, name), NULL, NULL);
}

/**
 * torus_nl_job_get - describe a job with its nodes
 * @fabric: name of the fabric
 * @name: name of the job
 * @job: [out] the description; the caller frees @job->nodes
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_job_get(struct torus_nl *nl, const char *fabric, const char *name,
		     struct torus_nl_job *job)
{
	*job = (struct torus_nl_job){ .count = 0 };
	return torus_nl_do(nl, job_message(nl, TORUS_CMD_JOB_GET, fabric, name), job_parse_whole,
			   job);
}

/**
 * torus_nl_job_dump - describe the jobs of a fabric that have a node that this user may see,
 * without their nodes
 * @fabric: name of the fabric
 * @jobs: [out] array in the order of creation, freed by the caller
 * @count: [out] number of jobs
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_job_dump(struct torus_nl *nl, const char *fabric, struct torus_nl_job **jobs,
		      size_t *count)
{
	struct torus_nl_list list = { .size = sizeof(**jobs), .parse = job_parse };
	int error = torus_nl_dump(nl, torus_nl_message(nl, TORUS_CMD_JOB_GET, fabric), &list);

	*jobs = list.items;
	*count = list.count;
	return error;
}
