// SPDX-License-Identifier: GPL-2.0
/*
 * A wait ends when what it waits for can no longer come, because the process of that rank is
 * not there any more.  The kernel is asked who holds the FIFO groups, now and then; no packet is
 * sent for it.  A group that another process holds by now has another holder number.
 *
 * What a process has sent before it left may be on its way still.  So the fabric has to be
 * at rest after the process was missed; where it never is, because of other jobs or links
 * that are down, some seconds more have to do.
 */
#include <errno.h>
#include <stdlib.h>
#include "../context/error.h"
#include "../context/virtual_time.h"
#include "../context/wait.h"
#include "job.h"
#include "member.h"
#include "peer.h"
#include "peer_exit.h"
#include "send_errors.h"

#define PAUSE_GONE_MS	1	/* where the process is known to have left */
#define PAUSE_FIRST_MS	1000
#define PAUSE_LAST_MS	2000
#define MISSED_MAX	2	/* checks, PAUSE_FIRST_MS apart */

/**
 * struct holders - FIFO groups that a process holds
 * @groups: of a node
 * @last: the highest number of a node
 * @held: by number of the node and of its group: the holder's number + 1, 0: none
 */
struct holders {
	__u32 groups;
	__u32 last;
	__u32 *held;
};

static int holders_add(const struct torus_group *group, __u32 holder, void *arg)
{
	struct holders *holders = arg;

	/* What a process that is closing has sent is still being taken. */
	if (group->node <= holders->last && group->group < holders->groups &&
	    (group->state == TORUS_GROUP_HELD || group->state == TORUS_GROUP_MINE ||
	     group->state == TORUS_GROUP_CLOSING))
		holders->held[(size_t)group->node * holders->groups + group->group] = holder + 1;
	return 0;
}

/* Ask the kernel for the holders: 0, or another time; @holders->held is to be freed. */
static int holders_ask(struct torus_job *job, struct holders *holders)
{
	const struct torus_ioc_info *info = &job->context->info;

	*holders = (struct holders) { .groups = info->groups, .last = info->numbering.last };
	if (!job->context->ops->groups)
		return -EOPNOTSUPP;
	holders->held = calloc(((size_t)holders->last + 1) * holders->groups,
			       sizeof(*holders->held));
	if (!holders->held)
		return -ENOMEM;
	return job->context->ops->groups(job->context, holders_add, holders);
}

/*
 * Check whether a rank's process is there.  The first one that is there is the job's.  Without
 * @holders, each is that is not known to have left.
 */
static bool holders_have(struct torus_job *job, const struct holders *holders, __u32 rank)
{
	struct torus_member at = torus_job_member(job, rank);
	__u32 held;

	if (job->peers[rank] && job->peers[rank]->gone)
		return false;
	if (!holders)
		return true;
	held = holders->held[(size_t)at.node * holders->groups + at.group];
	if (!held || !job->holders)
		return held;
	if (!job->holders[rank])
		job->holders[rank] = held;
	return job->holders[rank] == held;
}

/**
 * torus_peer_exit_learn() - remember which processes are the job's
 * @job: the job, which has begun
 *
 * Without memory, or an answer, a process that has taken a rank's place is taken for that rank's.
 */
void torus_peer_exit_learn(struct torus_job *job)
{
	struct holders holders;
	__u32 i;

	job->holders = calloc(job->config.count, sizeof(*job->holders));
	if (job->holders && !holders_ask(job, &holders))
		for (i = 0; i < job->config.count; i++)
			holders_have(job, &holders, i);
	free(job->holders ? holders.held : NULL);
}

static bool watch_asks(const struct torus_job *job, const struct peer_exit *watch, __u32 rank)
{
	if (rank == job->rank ||
	    (job->map && !torus_route_node_alive(job->map, torus_job_member(job, rank).node)))
		return false;
	if (watch->ranks)
		return watch->ranks[rank];
	return watch->source == TORUS_MESSAGE_ANY || rank == (__u32)watch->source;
}

static void watch_next(struct peer_exit *watch)
{
	__u64 next;

	if (!watch->until_ns) {
		torus_waiter_within(watch->waiter, watch->pause_ms);
		return;
	}
	next = torus_context_now_ns(watch->waiter->context) + watch->pause_ms * 1000000ull;
	watch->waiter->deadline_ns = next < watch->until_ns ? next : watch->until_ns;
}

/**
 * torus_peer_exit_start() - a wait begins
 * @job: the job
 * @watch: out: the watch
 * @waiter: the wait, begun; it ends with -ETIMEDOUT now and then, and torus_peer_exit_check() says
 *          whether that is the end
 * @source: rank that is waited for, or TORUS_MESSAGE_ANY
 * @ranks: by rank, not 0: the wait is over if one of these has left; kept up to date by the
 *         caller.  NULL: if @source has left, or all have
 */
void torus_peer_exit_start(struct torus_job *job, struct peer_exit *watch,
			   struct torus_waiter *waiter, int source, const unsigned char *ranks)
{
	__u32 i;

	*watch = (struct peer_exit) {
		.waiter = waiter, .source = source, .ranks = ranks, .pause_ms = PAUSE_FIRST_MS,
		.until_ns = waiter->deadline_ns,
	};
	for (i = 0; job->gone && i < job->config.count; i++)
		if (job->peers[i] && job->peers[i]->gone && watch_asks(job, watch, i))
			watch->pause_ms = PAUSE_GONE_MS;
	watch_next(watch);
}

/* Have those left without whom the wait does not end?  One of them. */
static bool watch_misses(struct torus_job *job, const struct peer_exit *watch,
			 const struct holders *holders, __u32 *gone)
{
	bool missed = false;
	__u32 i;

	for (i = 0; i < job->config.count; i++) {
		if (!watch_asks(job, watch, i))
			continue;
		if (holders_have(job, holders, i)) {
			if (watch->ranks)
				continue;
			return false;
		}
		if (!missed)
			*gone = i;
		missed = true;
	}
	return missed;
}

/*
 * Check whether a rank without which the wait does not end is known to have left, and its packets
 * have arrived.  A short wait may ask this: it needs no list of holders from the kernel.
 */
static bool watch_knows(struct torus_job *job, struct peer_exit *watch)
{
	return job->gone && watch_misses(job, watch, NULL, &watch->gone) &&
	       job->context->ops->idle(job->context) > 0;
}

static void watch_ask(struct torus_job *job, struct peer_exit *watch)
{
	struct holders holders;

	if (!holders_ask(job, &holders) && watch_misses(job, watch, &holders, &watch->gone)) {
		/* In this order: at rest with nobody there to send. */
		watch->over = job->context->ops->idle(job->context) > 0 ||
			      ++watch->missed > MISSED_MAX;
		watch->pause_ms = watch->over ? 1 : PAUSE_FIRST_MS;
		watch->packets = job->counts.received_packets;
	} else {
		watch->missed = 0;
		watch->pause_ms = watch->pause_ms * 2 < PAUSE_FIRST_MS ? PAUSE_FIRST_MS :
				  PAUSE_LAST_MS;
	}
	free(holders.held);
}

/**
 * torus_peer_exit_check() - the wait has ended with -ETIMEDOUT: go on?
 * @job: the job
 * @watch: from torus_peer_exit_start()
 *
 * Return: 0 to go on; -ETIMEDOUT when the wait's time is up; -ENOTCONN when the rank that is
 * waited for has left, and torus_error_text() names it; -ENOBUFS.
 */
int torus_peer_exit_check(struct torus_job *job, struct peer_exit *watch)
{
	struct peer *peer;
	int ret;

	if (watch->over && watch->packets != job->counts.received_packets) {
		/* There was some of it yet. */
		watch->packets = job->counts.received_packets;
	} else if (watch->over) {
		ret = torus_job_peer(job, watch->gone, &peer);
		return ret ? ret :
		       torus_send_error_peer_left(job, peer, !watch->ranks &&
						  watch->source == TORUS_MESSAGE_ANY);
	} else if (!watch->until_ns ||
		   torus_context_now_ns(job->context) < watch->until_ns) {
		watch_ask(job, watch);
	}
	if (watch->until_ns && torus_context_now_ns(job->context) >= watch->until_ns) {
		if (watch->over || !watch_knows(job, watch))
			return torus_error_plain(-ETIMEDOUT, TORUS_SAY_TIME);
		/* The waiter reads once more: packets may have arrived since it read. */
		watch->over = true;
		watch->pause_ms = PAUSE_GONE_MS;
		watch->packets = job->counts.received_packets;
	}
	watch_next(watch);
	return 0;
}
