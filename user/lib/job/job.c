// SPDX-License-Identifier: GPL-2.0
/* Create and close a job; move.c moves its packets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../../common/progress.h"
#include "../context/error.h"
#include "../context/node_number.h"
#include "../context/packet.h"
#include "forward.h"
#include "job.h"
#include "join.h"
#include "member.h"
#include "memory.h"
#include "peer.h"
#include "reassembly.h"
#include "relay.h"
#include "send_errors.h"
#include "subjob.h"
#include "view.h"

#define MEMORY_MAX	(1024ull * 1024 * 1024)

static int job_check_count(const struct torus_job *job, uint32_t count)
{
	if (count && count <= job->format.ranks_max)
		return 0;
	return torus_error_set(-EINVAL, "%u members: must be 1 to %u",
			       count, job->format.ranks_max);
}

/*
 * Find this process's rank in the list of members, and check that all members are in the machine.
 */
static int job_find_rank(struct torus_job *job)
{
	const struct torus_ioc_info *info = &job->context->info;
	uint32_t coords[TORUS_DIMS_MAX];
	bool found = false;
	uint32_t i;

	for (i = 0; i < job->config.count; i++) {
		struct torus_member at = torus_job_member(job, i);

		if (at.group >= info->groups || torus_number_coords(job->context, at.node, coords))
			return torus_error_set(-ERANGE,
					       "rank %u at node %u, FIFO group %u: the machine has "
					       "no such node, or only %u groups",
					       i, at.node, at.group, info->groups);
		if (at.node != info->node || at.group != info->group)
			continue;
		if (found)
			return torus_error_set(-EINVAL,
					       "ranks %u and %u are both at node %u, FIFO group %u",
					       job->rank, i, at.node, at.group);
		job->rank = i;
		found = true;
	}
	if (!found)
		return torus_error_set(-EINVAL,
				       "node %u, FIFO group %u must be a member of the job",
				       info->node, info->group);
	return 0;
}

/*
 * If the configuration has no list of members, give each node a rank, in the order of the nodes'
 * numbers.
 */
static int job_all_nodes(struct torus_job *job)
{
	const struct torus_ioc_info *info = &job->context->info;
	uint32_t last = job->context->info.numbering.last, coords[TORUS_DIMS_MAX], node;
	struct torus_member *members;
	int ret = job_check_count(job, info->nodes);

	job->config.count = info->nodes;
	/* if the numbers have no gaps, the rank equals the node's number, and no list is needed */
	if (ret || last + 1 == info->nodes)
		return ret;
	members = calloc(info->nodes, sizeof(*members));
	if (!members)
		return torus_error_set(-ENOMEM, "out of memory for a job of %u ranks", info->nodes);
	job->config.members = members;
	for (node = 0; node <= last && members < job->config.members + info->nodes; node++)
		if (!torus_number_coords(job->context, node, coords))
			*members++ = (struct torus_member){ .node = node, .group = info->group };
	return 0;
}

static int job_check_route(const struct torus_context *context, int route)
{
	const struct torus_ioc_info *info = &context->info;
	char why[TORUS_MACHINE_WHY_MAX];
	int ret = torus_route_known(route);

	if (ret)
		return ret;
	if (route == TORUS_ROUTE_PRIORITY &&
	    !(info->features & TORUS_FEATURE_PRIORITY && info->inject_priority))
		return torus_error_set(-EPERM, "priority messages: the context must be attached "
				       "with the right to priority packets");
	if (route == TORUS_ROUTE_SECOND) {
		ret = torus_machine_demand(info->arch, TORUS_MACHINE_CLASSES, why, sizeof(why));
		if (ret)
			return torus_error_set(ret, "messages: %s", why);
	}
	return 0;
}

static int job_fill_config(struct torus_job *job, const struct torus_job_config *config)
{
	int ret = job_check_route(job->context, config->route);

	if (ret)
		return ret;
	job->config = *config;
	job->config.members = NULL;
	if (!config->memory_max)
		job->config.memory_max = MEMORY_MAX;
	if (!config->length_max)
		job->config.length_max = ~0u;
	job->ordered = torus_machine_ordered(job->context->machine, config->route);
	if (!config->members)
		return job_all_nodes(job);
	ret = job_check_count(job, config->count);
	if (ret)
		return ret;
	job->config.members = calloc(config->count, sizeof(*config->members));
	if (!job->config.members)
		return torus_error_set(-ENOMEM, "out of memory for a job of %u ranks",
				       config->count);
	memcpy((void *)job->config.members, config->members,
	       config->count * sizeof(*config->members));
	return 0;
}

static void job_free_list(struct torus_job *job, struct message_list *list)
{
	while (list->first) {
		struct message *message = list->first;

		torus_message_unlink(list, message);
		torus_message_free(job, message);
	}
}

/* Free the messages that a job has received, and those that are not sent yet. */
static void job_empty(struct torus_job *job)
{
	uint32_t i;

	job_free_list(job, &job->ready);
	while (job->broadcasts)
		job->ops->cancel(job, job->broadcasts);
	for (i = 0; job->peers && i < job->config.count; i++) {
		struct peer *peer = job->peers[i];

		if (!peer)
			continue;
		job_free_list(job, &peer->open);
		while (peer->sends) {
			struct torus_send *send = peer->sends;

			peer->sends = send->next;
			free(send);
		}
		peer->sends_last = NULL;
		peer->sends_plain = NULL;
	}
	job->active = NULL;
	job->active_count = 0;
	job->coming = 0;
}

/**
 * torus_job_close() - leave a job
 * @job: the job, or NULL
 *
 * Received messages that the program has not taken are lost.  So are messages that are not sent
 * yet: see torus_message_flush().  Handles of such messages and of broadcasts become invalid.
 * Sub-jobs stay open: see torus_job_split().  Until the last of them closes, the context cannot
 * open another job.
 */
void torus_job_close(struct torus_job *job)
{
	struct torus_job *root;
	uint32_t i;

	if (!job)
		return;
	root = job->root;
	job_empty(job);
	/* The sub-jobs need the root's log of packets and its map of dead nodes and links. */
	if (job == root && job->next) {
		job->closing = true;
		return;
	}
	if (job != root)
		torus_subjob_leave(job);
	torus_forward_close(job);
	torus_wireup_close(job);
	torus_send_error_close(job);
	if (job->context->job == job) {
		job->context->job = NULL;
		if (job->context->notices && !torus_context_forked(job->context))
			__atomic_store_n(&job->context->notice_control->want, 0,
					 __ATOMIC_RELAXED);
	}
	for (i = 0; job->peers && i < job->config.count; i++)
		free(job->peers[i]);
	torus_memory_close(job);
	free(job->peers);
	free(job->held);
	free(job->holders);
	free((void *)job->config.members);
	if (job != root && root->closing && !root->next)
		torus_job_close(root);
	free(job);
}

/**
 * torus_job_create() - become a process of a job
 * @job: [out] the job
 * @context: an attached context
 * @config: the same in all processes of the job
 * @dead: dead links that all ranks avoid, the same in all processes; NULL: each process asks the
 *        module
 * @ops: the operations of broadcasts
 *
 * Return: as torus_job_open().
 */
int torus_job_create(struct torus_job **job, struct torus_context *context,
		     const struct torus_job_config *config, const struct dead_links *dead,
		     const struct job_ops *ops)
{
	struct torus_job *new;
	int ret;

	ret = torus_context_check(context);
	if (ret)
		return ret;
	if (context->job)
		return torus_error_set(-EBUSY,
				       "node %u, FIFO group %u of fabric %s: this context already "
				       "has an open job with key 0x%x: close it first",
				       context->info.node, context->info.group,
				       context->info.fabric, context->job->config.key);
	new = calloc(1, sizeof(*new));
	if (!new)
		return torus_error_set(-ENOMEM, "out of memory for a job");
	torus_progress_note(TORUS_PROGRESS_OPENING);
	new->context = context;
	new->root = new;
	new->ops = ops;
	context->job = new;
	/* Let the kernel's notices end a sleep in poll(2), too. */
	if (context->notices)
		__atomic_store_n(&context->notice_control->want, TORUS_NOTICE_WANT,
				 __ATOMIC_RELAXED);
	ret = torus_msg_format_init(&new->format, context);
	if (!ret)
		ret = job_fill_config(new, config);
	if (!ret)
		ret = job_find_rank(new);
	if (!ret)
		ret = torus_job_take_view(new, config->axes, config->view);
	if (!ret)
		ret = torus_relay_learn(new, dead);
	if (!ret) {
		new->peers = calloc(new->config.count, sizeof(*new->peers));
		if (!new->peers)
			ret = torus_error_set(-ENOMEM, "out of memory for a job of %u ranks",
					      new->config.count);
	}
	if (!ret) {
		torus_job_seal(new, 0);
		ret = torus_wireup_open(new);
	}
	if (!ret)
		ret = torus_wireup_wait(new, config->timeout_ms);
	torus_progress_note(ret ? TORUS_PROGRESS_NONE : TORUS_PROGRESS_JOINED);
	if (ret) {
		torus_job_close(new);
		return ret;
	}
	*job = new;
	return 0;
}
