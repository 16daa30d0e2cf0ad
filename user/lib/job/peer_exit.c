// SPDX-License-Identifier: GPL-2.0
/*
 * End a wait when its message can no longer arrive, because the sender's process has left.  During
 * a wait, the library asks the kernel now and then for the owners of the FIFO groups; this sends no
 * packet.  A changed generation of a group shows that another process has attached to it.
 *
 * Packets that a process sent before it left may still be under way.  So a wait ends only if the
 * fabric is idle after the check that misses the process.  If the fabric is never idle, because of
 * other jobs or links that are down, some more seconds must pass.
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

/* pause between checks in ms, if the process is known to have left */
#define PAUSE_GONE_MS	1
#define PAUSE_FIRST_MS	1000
#define PAUSE_LAST_MS	2000
/* more consecutive checks must miss a process if the fabric is never idle */
#define MISSED_MAX	2

static int holders_add(const struct torus_group *group, uint32_t holder, void *arg)
{
	struct holders *holders = arg;

	/* A closing group still has an owner: the kernel still sends packets of its process. */
	if (group->node <= holders->last && group->group < holders->groups &&
	    (group->state == TORUS_GROUP_HELD || group->state == TORUS_GROUP_MINE ||
	     group->state == TORUS_GROUP_CLOSING))
		holders->of[(size_t)group->node * holders->groups + group->group] =
			(struct holder) { holder + 1, group->state == TORUS_GROUP_CLOSING };
	return 0;
}

/**
 * torus_holders_ask() - ask the kernel for the owners of the FIFO groups
 * @job: the job
 * @holders: [out] the owners; the caller frees @holders->of, also after an error
 *
 * Return: 0, -EOPNOTSUPP, -ENOMEM, or another negative errno.
 */
int torus_holders_ask(struct torus_job *job, struct holders *holders)
{
	const struct torus_ioc_info *info = &job->context->info;

	*holders = (struct holders) { .groups = info->groups, .last = info->numbering.last };
	if (!job->context->ops->groups)
		return -EOPNOTSUPP;
	holders->of = calloc(((size_t)holders->last + 1) * holders->groups, sizeof(*holders->of));
	if (!holders->of)
		return -ENOMEM;
	return job->context->ops->groups(job->context, holders_add, holders);
}

/**
 * torus_holders_have() - check whether a rank's process is attached
 * @job: the job
 * @holders: the owners; NULL: a process counts as attached unless it is known to have left
 * @rank: the rank
 *
 * The first owner seen is remembered as the job's process, unless it is closing: then it may be of
 * an earlier job.
 *
 * Return: true if the process is attached.
 */
bool torus_holders_have(struct torus_job *job, const struct holders *holders, uint32_t rank)
{
	struct torus_member at = torus_job_member(job, rank);
	const struct holder *holder;

	if (job->peers[rank] && job->peers[rank]->gone)
		return false;
	if (!holders)
		return true;
	holder = &holders->of[(size_t)at.node * holders->groups + at.group];
	if (!holder->held || !job->holders)
		return holder->held;
	if (!job->holders[rank] && !holder->closing)
		job->holders[rank] = holder->held;
	return !job->holders[rank] || job->holders[rank] == holder->held;
}

/**
 * torus_peer_exit_learn() - remember the generations of the FIFO groups of the job's processes
 * @job: a job that has begun
 *
 * If memory or the kernel's answer is missing, a later process at the same FIFO group is mistaken
 * for the job's process.
 */
void torus_peer_exit_learn(struct torus_job *job)
{
	struct holders holders;
	uint32_t i;

	job->holders = calloc(job->config.count, sizeof(*job->holders));
	if (job->holders && !torus_holders_ask(job, &holders))
		for (i = 0; i < job->config.count; i++)
			torus_holders_have(job, &holders, i);
	free(job->holders ? holders.of : NULL);
}

static bool watch_asks(const struct torus_job *job, const struct peer_exit *watch, uint32_t rank)
{
	if (rank == job->rank || !torus_job_member_alive(job, rank))
		return false;
	if (watch->ranks)
		return watch->ranks[rank];
	return watch->source == TORUS_MESSAGE_ANY || rank == (uint32_t)watch->source;
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
 * torus_peer_exit_start() - start to check for exits during a wait
 * @job: the job
 * @watch: [out] the check
 * @waiter: a started wait; it ends now and then with -ETIMEDOUT, and torus_peer_exit_check()
 *          decides whether to continue
 * @source: awaited rank, or TORUS_MESSAGE_ANY
 * @ranks: array by rank, not 0 for each rank that the wait needs; updated by the caller.  The wait
 *         ends if one of these ranks has left.  NULL: the wait ends if @source has left, or for
 *         TORUS_MESSAGE_ANY all other ranks
 */
void torus_peer_exit_start(struct torus_job *job, struct peer_exit *watch,
			   struct torus_waiter *waiter, int source, const unsigned char *ranks)
{
	uint32_t i;

	*watch = (struct peer_exit) {
		.waiter = waiter, .source = source, .ranks = ranks, .pause_ms = PAUSE_FIRST_MS,
		.until_ns = waiter->deadline_ns,
	};
	for (i = 0; job->gone && i < job->config.count; i++)
		if (job->peers[i] && job->peers[i]->gone && watch_asks(job, watch, i))
			watch->pause_ms = PAUSE_GONE_MS;
	watch_next(watch);
}

/*
 * Check whether ranks have left without which the wait cannot end.  @gone: [out] the first of these
 * ranks.
 */
static bool watch_misses(struct torus_job *job, const struct peer_exit *watch,
			 const struct holders *holders, uint32_t *gone)
{
	bool missed = false;
	uint32_t i;

	for (i = 0; i < job->config.count; i++) {
		if (!watch_asks(job, watch, i))
			continue;
		if (torus_holders_have(job, holders, i)) {
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
 * Check whether a rank without which the wait cannot end is known to have left, and its packets
 * have arrived.  This is fast enough for short waits, because the kernel is not asked.
 */
static bool watch_knows(struct torus_job *job, struct peer_exit *watch)
{
	return job->gone && watch_misses(job, watch, NULL, &watch->gone) &&
	       job->context->ops->idle(job->context) > 0;
}

static void watch_ask(struct torus_job *job, struct peer_exit *watch)
{
	struct holders holders;

	if (!torus_holders_ask(job, &holders) && watch_misses(job, watch, &holders, &watch->gone)) {
		/*
		 * Ask for the owners before this: only a fabric that is idle after the process was
		 * missed proves that its packets have arrived.
		 */
		watch->over = job->context->ops->idle(job->context) > 0 ||
			      ++watch->missed > MISSED_MAX;
		watch->pause_ms = watch->over ? 1 : PAUSE_FIRST_MS;
		watch->packets = job->counts.received_packets;
	} else {
		watch->missed = 0;
		watch->pause_ms = watch->pause_ms * 2 < PAUSE_FIRST_MS ? PAUSE_FIRST_MS :
				  PAUSE_LAST_MS;
	}
	free(holders.of);
}

/**
 * torus_peer_exit_check() - decide whether to continue a wait that has ended with -ETIMEDOUT
 * @job: the job
 * @watch: from torus_peer_exit_start()
 *
 * Return: 0 to continue; -ETIMEDOUT when the wait's time is up; -ENOTCONN when the awaited rank has
 * left (torus_error_text() names it); or an error of torus_job_peer().
 */
int torus_peer_exit_check(struct torus_job *job, struct peer_exit *watch)
{
	struct peer *peer;
	int ret;

	if (watch->over && watch->packets != job->counts.received_packets) {
		/* Packets have arrived since the last check: check once more. */
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
		/*
		 * Let the wait poll the rings once more before it fails: packets may have arrived
		 * since its last poll.
		 */
		watch->over = true;
		watch->pause_ms = PAUSE_GONE_MS;
		watch->packets = job->counts.received_packets;
	}
	watch_next(watch);
	return 0;
}
