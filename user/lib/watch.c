// SPDX-License-Identifier: GPL-2.0
/*
 * A wait without a limit ends when what it waits for can no longer come, because the process
 * of that rank is not there any more.  The kernel is asked who holds the FIFO groups, now and
 * then; no packet is sent for it.
 *
 * What a process has sent before it left may be on its way still.  So the fabric has to be
 * at rest after the process was missed; where it never is, because of other jobs or links
 * that are down, some seconds more have to do.
 */
#include <errno.h>
#include <stdlib.h>
#include "job.h"

#define PAUSE_FIRST_MS	1000
#define PAUSE_LAST_MS	16000
#define MISSED_MAX	10	/* looks, PAUSE_FIRST_MS apart */

/**
 * struct holders - FIFO groups that a process holds
 * @groups: of a node
 * @last: the highest number of a node
 * @held: by number of the node and of its group
 */
struct holders {
	__u32 groups;
	__u32 last;
	unsigned char *held;
};

static int holders_add(const struct torus_group *group, void *arg)
{
	struct holders *holders = arg;

	/* What a process that is closing has sent is still being taken. */
	if (group->node <= holders->last && group->group < holders->groups &&
	    (group->state == TORUS_GROUP_HELD || group->state == TORUS_GROUP_MINE ||
	     group->state == TORUS_GROUP_CLOSING))
		holders->held[(size_t)group->node * holders->groups + group->group] = 1;
	return 0;
}

static bool holders_have(const struct holders *holders, const struct torus_member *at)
{
	return holders->held[(size_t)at->node * holders->groups + at->group];
}

static void watch_next(struct watch *watch)
{
	torus_waiter_within(watch->waiter, watch->pause_ms);
}

/**
 * torus_watch_start() - a wait begins
 * @watch: out: the watch
 * @waiter: the wait, begun; where it has no limit it ends with -ETIMEDOUT now and then, and
 *          torus_watch_look() says whether that is the end
 * @source: rank that is waited for, or TORUS_MESSAGE_ANY
 */
void torus_watch_start(struct watch *watch, struct torus_waiter *waiter, int source)
{
	*watch = (struct watch) {
		.waiter = waiter, .source = source, .pause_ms = PAUSE_FIRST_MS,
		.limited = waiter->deadline_ns,
	};
	if (!watch->limited)
		watch_next(watch);
}

/* Have all that are waited for gone?  One of them. */
static bool watch_misses(const struct torus_job *job, const struct watch *watch,
			 const struct holders *holders, __u32 *gone)
{
	bool missed = false;
	__u32 i;

	for (i = 0; i < job->config.count; i++) {
		struct torus_member at = torus_job_member(job, i);

		if (i == job->rank || (job->map && !torus_route_node_alive(job->map, at.node)))
			continue;
		if (watch->source != TORUS_MESSAGE_ANY && i != (__u32)watch->source)
			continue;
		if (holders_have(holders, &at))
			return false;
		if (!missed)
			*gone = i;
		missed = true;
	}
	return missed;
}

static void watch_ask(struct torus_job *job, struct watch *watch)
{
	const struct torus_ioc_info *info = &job->context->info;
	struct holders holders = {
		.groups = info->groups, .last = info->numbering.last,
		.held = calloc((size_t)info->numbering.last + 1, info->groups),
	};

	/* Without memory, or an answer: another time. */
	if (!holders.held)
		return;
	if (!job->context->ops->groups(job->context, holders_add, &holders) &&
	    watch_misses(job, watch, &holders, &watch->gone)) {
		/* In this order: at rest with nobody there to send. */
		watch->over = job->context->ops->idle(job->context) > 0 ||
			      ++watch->missed > MISSED_MAX;
		watch->pause_ms = watch->over ? 1 : PAUSE_FIRST_MS;
		watch->packets = job->counts.received_packets;
	} else {
		watch->missed = 0;
		if (watch->pause_ms < PAUSE_LAST_MS)
			watch->pause_ms *= 2;
	}
	free(holders.held);
}

/**
 * torus_watch_look() - the wait has ended with -ETIMEDOUT: go on?
 * @job: the job
 * @watch: from torus_watch_start()
 *
 * Return: 0 to go on; -ETIMEDOUT when the wait had a limit; -ENOTCONN when who is waited for
 * has gone, and torus_error_text() names a rank; -ENOBUFS.
 */
int torus_watch_look(struct torus_job *job, struct watch *watch)
{
	struct peer *peer;
	int ret;

	if (watch->limited)
		return torus_error_plain(-ETIMEDOUT, TORUS_SAY_TIME);
	if (watch->over && watch->packets != job->counts.received_packets) {
		/* There was some of it yet. */
		watch->packets = job->counts.received_packets;
	} else if (watch->over) {
		ret = torus_job_peer(job, watch->gone, &peer);
		return ret ? ret : torus_loss_left(job, peer, watch->source == TORUS_MESSAGE_ANY);
	} else if (job->context->ops->groups) {
		watch_ask(job, watch);
	}
	watch_next(watch);
	return 0;
}
