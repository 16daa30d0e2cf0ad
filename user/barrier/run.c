// SPDX-License-Identifier: GPL-2.0
/* Run all operations of a barrier's members on a new fabric. */
#include <errno.h>
#include <string.h>

#include "../replay/threads.h"
#include "../sim/base/signals.h"
#include "../sim/run/measure.h"
#include "../sim/base/memory.h"
#include "../sim/run/slice.h"
#include "../sim/base/progress.h"
#include "../sim/base/message.h"
#include "../sim/transport/procs.h"
#include "arch/tofu/channel.h"
#include "core/run/census.h"
#include "core/state/domain.h"
#include "members.h"
#include "member.h"
#include "run.h"

#define LAST_TICK	(1ull << 62)

/*
 * Finished share of all operations. All members are at the same operation or one apart, because
 * no member can leave an operation before all have entered it.
 */
static double share_done(const struct barrier_members *members)
{
	return (double)members->member[0].operation / members->plan->times;
}

static enum barrier_outcome members_run(struct barrier_members *members,
					struct replay_threads *team, struct sim_progress *progress)
{
	u64 budget = sim_slice_windows(torus_fabric_config(members->fabric));

	for (;;) {
		enum torus_run why;

		sim_procs_beat();
		if (sim_interrupted())
			return BARRIER_INTERRUPTED;
		sim_progress_at(progress, share_done(members), members->fabric);
		why = replay_threads_run(team, LAST_TICK, budget);
		if (why == TORUS_RUN_FAILED || members->failed)
			return BARRIER_FAILED;
		if (why == TORUS_RUN_IDLE)
			return members->ended == members->plan->members ? BARRIER_DONE :
								      BARRIER_STANDS;
	}
}

static void spread_add(struct barrier_spread *spread, u64 value, u32 times)
{
	spread->mean += (double)value / times;
	if (value < spread->min)
		spread->min = value;
	if (value > spread->max)
		spread->max = value;
}

/* Add the times of one operation over all members to the result. */
static void take_operation(const struct barrier_members *members, u32 operation,
			   struct barrier_result *result)
{
	u64 first_call = ~0ull, last_call = 0, last_entry = 0, first_left = ~0ull, last_left = 0;
	u32 times = members->plan->times, i;

	for (i = 0; i < members->plan->members; i++) {
		const struct barrier_times *t = &members->member[i].times[operation];

		first_call = t->called < first_call ? t->called : first_call;
		last_call = t->called > last_call ? t->called : last_call;
		last_entry = t->entered > last_entry ? t->entered : last_entry;
		first_left = t->left < first_left ? t->left : first_left;
		last_left = t->left > last_left ? t->left : last_left;
	}
	for (i = 0; i < members->plan->members; i++)
		result->early += members->member[i].times[operation].left < last_entry;
	spread_add(&result->latency, last_left - last_call, times);
	spread_add(&result->arrival, last_call - first_call, times);
	spread_add(&result->skew, last_left - first_left, times);
}

static int take_result(const struct barrier_members *members, struct barrier_result *result)
{
	const struct barrier_spread none = { .min = ~0ull };
	struct torus_fabric *fabric = members->fabric;
	struct torus_stats stats;
	struct torus_check census;
	u32 i;

	if (torus_check_fabric(fabric, &census))
		return sim_error("out of memory for the self-check of %u nodes", fabric->nodes);
	result->conserved = census.conserved;
	result->tokens = !census.wrong && !census.bubbles;
	torus_stats_sum(fabric, &stats);
	result->operations = members->member[0].operation;
	result->ended = members->ended;
	result->packets = stats.delivered;
	for (i = 0; i < TORUS_DROP_MAX; i++)
		result->dropped += stats.dropped[i];
	result->sent = members->by == BARRIER_GATES ? tofu_barrier_sent(fabric) : 0;
	result->deliveries = stats.hash;
	result->clock = torus_fabric_clock(fabric);
	result->tick_fs = fabric->tick_fs;
	result->latency = none;
	result->arrival = none;
	result->skew = none;
	for (i = 0; i < members->plan->members; i++) {
		const struct barrier_member *member = &members->member[i];

		result->wrong += member->wrong;
		result->hash += member->hash;
		result->sent += member->sent;
		if (member->refused)
			result->refused = member->refused;
	}
	for (i = 0; i < members->plan->times && result->outcome == BARRIER_DONE; i++)
		take_operation(members, i, result);
	return SIM_OK;
}

static int members_measure(struct barrier_members *members, struct sim_progress *progress,
			   struct barrier_result *result)
{
	u32 threads = members->plan->threads;
	struct replay_threads *team = replay_threads_new(members->fabric, threads);

	if (!team && errno == ENOMEM)
		return sim_error("threads %u: out of memory", threads);
	if (!team)
		return sim_error("threads %u: the system cannot create more threads", threads);
	result->outcome = members_run(members, team, progress);
	replay_threads_free(team);
	return take_result(members, result);
}

/* Check that the members' gates and times fit into memory, in addition to the fabric. */
static int members_fit(const struct barrier_plan *plan)
{
	u64 bytes = plan->members * (sizeof(struct tofu_gates) + sizeof(struct barrier_member) +
				     (u64)plan->times * sizeof(struct barrier_times));
	u64 available = sim_memory_available();

	if (bytes <= available)
		return SIM_OK;
	return sim_reject("members %u: with %u operations they need at least %llu bytes, but only "
			  "%llu are available", plan->members, plan->times, bytes, available);
}

/**
 * barrier_run - run all operations of all members
 * @plan: the plan, from barrier_plan_make()
 * @by: gates or software
 * @progress: progress report
 * @result: [out] the result
 *
 * Return: SIM_OK if @result is filled in, or the exit status after an error message.
 */
int barrier_run(const struct barrier_plan *plan, enum barrier_by by, struct sim_progress *progress,
		struct barrier_result *result)
{
	struct sim_run_config options = { .config = plan->config, .threads = plan->threads };
	struct torus_fabric *fabric;
	struct barrier_members members;
	int status = members_fit(plan);

	memset(result, 0, sizeof(*result));
	if (!status && sim_interrupted()) {
		/* interrupted before the start: nothing was sent, so the self-checks hold */
		result->outcome = BARRIER_INTERRUPTED;
		result->conserved = true;
		result->tokens = true;
		return SIM_OK;
	}
	if (!status)
		status = sim_fabric_new(&options, &fabric);
	if (status)
		return status;
	status = barrier_members_begin(&members, plan, by, fabric);
	if (!status)
		status = members_measure(&members, progress, result);
	barrier_members_end(&members);
	torus_fabric_destroy(fabric);
	return status;
}
