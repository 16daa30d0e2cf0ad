// SPDX-License-Identifier: GPL-2.0
/*
 * Sub-jobs: jobs of some ranks of another job, which use its context.  A sub-job has its own key,
 * ranks, numbers of messages and limit of memory.  The jobs of a context form a list that starts at
 * the root, the job that was opened with the context.  Each of these jobs receives the packets of
 * all of them: the check in a packet's header shows to which job the packet belongs.
 */
#include <errno.h>
#include <stdlib.h>
#include "../context/error.h"
#include "check.h"
#include "forward.h"
#include "job.h"
#include "member.h"
#include "peer.h"
#include "relay.h"
#include "subjob.h"
#include "view.h"

/* Append a job to the list of its context. */
static void subjob_append(struct torus_job *job)
{
	struct torus_job *last = job->root;

	while (last->next)
		last = last->next;
	last->next = job;
}

/**
 * torus_subjob_leave() - remove a sub-job that closes from the list of its context
 * @job: the sub-job
 */
void torus_subjob_leave(struct torus_job *job)
{
	struct torus_job *before = job->root;

	while (before->next != job)
		before = before->next;
	before->next = job->next;
}

/*
 * Take over what the parent knows about the processes: its members have joined, so they know the
 * session, and the generations of their FIFO groups are known.
 */
static int subjob_fill(struct torus_job *job, const struct torus_job *parent,
		       const uint32_t *ranks)
{
	struct torus_member *members = calloc(job->config.count, sizeof(*members));
	uint32_t i;

	job->config.members = members;
	job->holders = calloc(job->config.count, sizeof(*job->holders));
	job->peers = calloc(job->config.count, sizeof(*job->peers));
	if (!members || !job->holders || !job->peers)
		return torus_error_set(-ENOMEM, "out of memory for a sub-job of %u ranks",
				       job->config.count);
	for (i = 0; i < job->config.count; i++) {
		members[i] = torus_job_member(parent, ranks[i]);
		if (parent->holders)
			job->holders[i] = parent->holders[ranks[i]];
		if (ranks[i] == parent->rank)
			job->rank = i;
	}
	job->wireup = (struct wireup) {
		.own = parent->wireup.own, .session = parent->wireup.session, .go = true,
		.done = true, .check = torus_job_check(job, 0, job->rank),
	};
	torus_job_seal(job, job->wireup.session);
	return torus_relay_share(job);
}

/* Check whether packets of one job could be taken for packets of the other. */
static bool jobs_clash(const struct torus_job *a, const struct torus_job *b)
{
	return torus_msg_checks_clash(&a->format, a->check, b->check) ||
	       torus_msg_checks_clash(&a->format, a->check_broadcast, b->check_broadcast) ||
	       torus_msg_checks_clash(&a->format, a->wireup.check, b->wireup.check) ||
	       torus_forward_clashes(a, b);
}

/* Check a new job against all other jobs of its context. */
static int subjob_check(const struct torus_job *job)
{
	const struct torus_job *other;

	for (other = job->root; other; other = other->next)
		if (other != job && jobs_clash(job, other))
			return torus_error_set(-EAGAIN, "key 0x%x of a sub-job: clashes with key "
					       "0x%x of another job", job->config.key,
					       other->config.key);
	return 0;
}

/**
 * torus_subjob_open() - become a process of a sub-job
 * @parent: job of all ranks of the sub-job
 * @ranks: these ranks of @parent in the order of the sub-job, with the rank of this process
 * @count: number of @ranks
 * @key: key of the sub-job, the same at all @ranks
 * @sub: [out] the sub-job, which receives packets from now on
 *
 * Return: 0, -ENOMEM, -EAGAIN (with this key, the packets of two jobs of this process could be
 * confused: all @ranks must use another key).
 */
int torus_subjob_open(struct torus_job *parent, const uint32_t *ranks, uint32_t count,
		      uint32_t key, struct torus_job **sub)
{
	struct torus_job *new = calloc(1, sizeof(*new));
	int ret;

	if (!new)
		return torus_error_set(-ENOMEM, "out of memory for a sub-job of %u ranks", count);
	new->context = parent->context;
	new->ops = parent->ops;
	new->root = parent->root;
	new->format = parent->format;
	new->ordered = parent->ordered;
	new->config = parent->config;
	new->config.key = key;
	new->config.count = count;
	subjob_append(new);
	ret = subjob_fill(new, parent, ranks);
	if (!ret)
		ret = torus_job_take_view(new, 0, NULL);
	if (!ret)
		ret = subjob_check(new);
	if (ret) {
		torus_job_close(new);
		return ret;
	}
	*sub = new;
	return 0;
}

/* Check whether a packet belongs to a job. */
static bool packet_of(const struct torus_job *job, const struct torus_view *view)
{
	unsigned int kind = torus_msg_kind(&job->format, view);
	uint32_t check = job->check, dest;
	struct packet_fields fields;

	if (kind == KIND_BROADCAST)
		check = job->check_broadcast;
	else if ((kind & ~MSG_KIND_FLAGS) == KIND_WIREUP)
		check = job->wireup.check;
	return torus_msg_header_read(&job->format, view, check, &fields) ||
	       torus_forward_leads(job, view, &dest);
}

/**
 * torus_subjob_find() - find the job to which a packet belongs
 * @root: first job of the context
 * @view: the packet
 *
 * Return: the job; @root if the packet belongs to none.
 */
struct torus_job *torus_subjob_find(struct torus_job *root, const struct torus_view *view)
{
	struct torus_job *job;

	/* one job: its own checks follow */
	if (!root->next)
		return root;
	for (job = root; job; job = job->next)
		if (packet_of(job, view))
			return job;
	return root;
}
