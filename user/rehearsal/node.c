// SPDX-License-Identifier: GPL-2.0
/* Nodes of a fabric of this process: owners, partitions and states. Jobs, which own partitions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/node_number.h"
#include "core/link/dead_node.h"
#include "core/run/node_state.h"
#include "../netlink/answer.h"
#include "fabric.h"
#include "node.h"

static int put_node(struct rehearsed *r, struct torus_nl_request *request, u32 node)
{
	const struct torus_geometry *geo = &r->config->geo;
	struct nl_msg *msg = torus_nl_answer_new();
	u32 coords[TORUS_DIMS_MAX];
	int error;

	torus_geometry_coords(geo, node, coords);
	error = !msg || nla_put_u32(msg, TORUS_A_NODE, torus_node_number(geo, node)) ||
		nla_put(msg, TORUS_A_COORDS, (int)(geo->ndims * sizeof(u32)), coords) ||
		nla_put_u32(msg, TORUS_A_PARTITION, torus_fabric_partition(r->fabric, node)) ||
		nla_put_u32(msg, TORUS_A_NODE_STATE, torus_node_state(r->fabric, node)) ||
		(r->owners && r->owners[node] != UINT32_MAX &&
		 nla_put_u32(msg, TORUS_A_UID, r->owners[node]));
	return torus_nl_answer_send(request, msg, error);
}

/* Answer TORUS_CMD_NODE_GET: one node, or a list of all nodes. */
int rehearsal_node_get(struct rehearsed *r, struct torus_nl_request *request)
{
	int error = 0;
	u32 node;

	if (!request->dump) {
		error = rehearsal_node(request, r, &node);
		return error ? error : put_node(r, request, node);
	}
	for (node = 0; node < r->config->geo.nodes && !error; node++)
		error = put_node(r, request, node);
	return error;
}

static const struct rehearsed_job *job_of(const struct rehearsed *r, u32 partition)
{
	const struct rehearsed_job *job;

	for (job = r->jobs; job && job->partition != partition; job = job->next)
		;
	return job;
}

/* Check a new partition of a node: a job's partition and a job's nodes belong together. */
static int partition_check(struct rehearsed *r, struct torus_nl_request *request, u32 node)
{
	u32 partition = rehearsal_u32(request, TORUS_A_PARTITION);
	const struct rehearsed_job *job = job_of(r, torus_fabric_partition(r->fabric, node));

	if (job)
		return rehearsal_refuse(request, -EBUSY, "node %u belongs to job %s in partition "
					"%u", torus_node_number(&r->config->geo, node), job->name,
					job->partition);
	job = job_of(r, partition);
	return job ? rehearsal_refuse(request, -EBUSY, "partition %u belongs to job %s", partition,
				      job->name) : 0;
}

static int set_owner(struct rehearsed *r, u32 node, u32 uid)
{
	u32 i;

	if (!r->owners) {
		r->owners = calloc(r->config->geo.nodes, sizeof(*r->owners));
		if (!r->owners)
			return -ENOMEM;
		for (i = 0; i < r->config->geo.nodes; i++)
			r->owners[i] = UINT32_MAX;
	}
	r->owners[node] = uid;
	return 0;
}

/*
 * Check FIFO groups that are made devices, or cease to be devices. The groups that are devices are
 * not recorded here.
 */
static int driver_check(const struct rehearsed *r, struct torus_nl_request *request, u32 node)
{
	const struct torus_arch *arch = r->config->arch;
	u32 group = rehearsal_u32(request, TORUS_A_GROUP);

	if (group >= arch->groups)
		return rehearsal_refuse(request, -EINVAL, "group %u: %s has groups 0 to %u", group,
					arch->name, arch->groups - 1);
	if (!rehearsal_u32(request, TORUS_A_DRIVER))
		return 0;
	if (!arch->check)
		return rehearsal_refuse(request, -EOPNOTSUPP, "%s has no FIFOs for drivers",
					arch->name);
	if (r->config->params[TORUS_P_TIME] == TORUS_TIME_VIRTUAL)
		return rehearsal_refuse(request, -EOPNOTSUPP,
					"a fabric in virtual time has no devices");
	if (torus_node_dead(r->fabric, node))
		return rehearsal_refuse(request, -EHOSTDOWN, "node %u is dead",
					torus_node_number(&r->config->geo, node));
	return 0;
}

/* Answer TORUS_CMD_NODE_SET. */
int rehearsal_node_set(struct rehearsed *r, struct torus_nl_request *request)
{
	struct torus_error why;
	u32 node, before;
	int error = rehearsal_node(request, r, &node);

	if (!error && rehearsal_has(request, TORUS_A_DRIVER))
		error = driver_check(r, request, node);
	if (!error && rehearsal_has(request, TORUS_A_PARTITION))
		error = partition_check(r, request, node);
	if (error)
		return error;
	before = torus_fabric_partition(r->fabric, node);
	if (rehearsal_has(request, TORUS_A_PARTITION))
		error = torus_fabric_partition_set(r->fabric, node,
						   rehearsal_u32(request, TORUS_A_PARTITION),
						   &why);
	if (!error && rehearsal_has(request, TORUS_A_NODE_STATE)) {
		error = torus_node_set(r->fabric, node, rehearsal_u32(request, TORUS_A_NODE_STATE),
				       &why);
		if (error)
			torus_fabric_partition_set(r->fabric, node, before, NULL);
	}
	if (error)
		return rehearsal_refuse(request, error, "%s", why.text);
	return rehearsal_has(request, TORUS_A_UID) ?
	       set_owner(r, node, rehearsal_u32(request, TORUS_A_UID)) : 0;
}

/* ------------------------------------------------------------------------ jobs */

/* Return the smallest partition above 0 that no node has. */
static u32 free_partition(const struct rehearsed *r)
{
	u32 partition = 1, node;

	for (node = 0; node < r->config->geo.nodes; node++) {
		if (torus_fabric_partition(r->fabric, node) == partition) {
			partition++;
			node = UINT32_MAX;
		}
	}
	return partition;
}

/* Move a node into the partition of a job. */
static int job_take(struct rehearsed *r, struct torus_nl_request *request,
		    const struct rehearsed_job *job, u32 number)
{
	u32 node = torus_node_index(&r->config->geo, number), partition;
	char text[TORUS_NUMBER_TEXT];
	struct torus_error why;
	int error;

	if (node == TORUS_NONE)
		return rehearsal_refuse(request, -EINVAL, "%s",
					torus_number_text(&r->config->geo, number, text,
							  sizeof(text)));
	if (torus_node_dead(r->fabric, node))
		return rehearsal_refuse(request, -EHOSTDOWN, "job %s: node %u is dead", job->name,
					number);
	partition = torus_fabric_partition(r->fabric, node);
	if (partition == job->partition)
		return rehearsal_refuse(request, -EINVAL, "job %s: node %u is listed twice",
					job->name, number);
	if (partition)
		return rehearsal_refuse(request, -EBUSY, "job %s: node %u must be in partition 0, "
					"but is in partition %u", job->name, number, partition);
	error = torus_fabric_partition_set(r->fabric, node, job->partition, &why);
	return error ? rehearsal_refuse(request, error, "%s", why.text) : 0;
}

/* Return nodes of a job to partition 0. */
static void job_leave(struct rehearsed *r, const u32 *numbers, int count)
{
	while (count--)
		torus_fabric_partition_set(r->fabric,
					   torus_node_index(&r->config->geo, numbers[count]), 0,
					   NULL);
}

/* Check that the product of the lengths of a view is the number of the job's nodes. */
static int view_check(struct torus_nl_request *request, const struct rehearsed_job *job,
		      int count)
{
	u32 view[TORUS_DIMS_MAX];
	size_t axes, i;
	u64 nodes = 1;

	if (!rehearsal_has(request, TORUS_A_VIEW))
		return 0;
	axes = torus_nl_binary(&request->attrs, TORUS_A_VIEW, view, sizeof(view)) / sizeof(u32);
	for (i = 0; i < axes && nodes <= (u64)count; i++)
		nodes *= view[i];
	return i == axes && nodes == (u64)count ? 0 :
	       rehearsal_refuse(request, -EINVAL, "job %s: the product of VIEW must be %d, the "
				"number of its nodes", job->name, count);
}

/* Answer TORUS_CMD_JOB_ADD: add the job with all its nodes, or with none. */
int rehearsal_job_add(struct rehearsed *r, struct torus_nl_request *request)
{
	const struct nlattr *members = request->attrs.attrs[TORUS_A_MEMBERS];
	const u32 *numbers = members ? nla_data(members) : NULL;
	int count = members ? nla_len(members) / (int)sizeof(u32) : 0, i, error = 0;
	const struct rehearsed_job *other;
	struct rehearsed_job *job = calloc(1, sizeof(*job));

	if (!job)
		return -ENOMEM;
	torus_nl_string(&request->attrs, TORUS_A_JOB, job->name, sizeof(job->name));
	for (other = r->jobs; other && !error; other = other->next)
		if (!strcmp(other->name, job->name))
			error = rehearsal_refuse(request, -EEXIST, "job %s exists already",
						 job->name);
	if (!error && !rehearsal_name_good(job->name))
		error = rehearsal_refuse(request, -EINVAL, "job %s: the name must consist of "
					 "letters, digits, '.', '-' and '_'", job->name);
	if (!error)
		error = view_check(request, job, count);
	job->partition = free_partition(r);
	for (i = 0; i < count && !error; i++)
		error = job_take(r, request, job, numbers[i]);
	if (error) {
		job_leave(r, numbers, i ? i - 1 : 0);
		free(job);
		return error;
	}
	job->next = r->jobs;
	r->jobs = job;
	return 0;
}
