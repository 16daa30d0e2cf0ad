// SPDX-License-Identifier: GPL-2.0
/*
 * Run all ranks from their first tick to the end.
 *
 * During a slice, only the thread of a node's domain accesses the rank on that node. Barriers,
 * which connect ranks, take effect between two slices. A slice is at most as long as a barrier's
 * latency, so the ranks can be released after the slice in which the last rank entered. The tick of
 * the release depends only on the tick of that entry. Therefore the result does not depend on the
 * number of domains and threads. It does not depend on the processes that simulate together either:
 * between two slices they exchange the state of their ranks (distributed.c) and so make the same
 * decisions.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../sim/base/signals.h"
#include "../sim/run/slice.h"
#include "../sim/base/progress.h"
#include "../sim/base/message.h"
#include "../sim/transport/procs.h"
#include "core/run/census.h"
#include "core/state/domain.h"
#include "run.h"
#include "deadlock.h"
#include "threads.h"
#include "distributed.h"

#define NS_PER_S	1e9
#define PIECE_TICKS	(1ull << 20)

/*
 * Release all ranks from the barrier, one latency of the barrier after @last. At tick @last the
 * last rank entered the barrier.
 */
static void barrier_open(struct replay_ranks *app, u64 last)
{
	u32 i;

	app->waiting = 0;
	for (i = 0; i < app->job->size; i++)
		if (app->ranks[i].here)
			replay_rank_release(&app->ranks[i], last + app->job->barrier);
}

static u64 next_multiple(u64 clock, u64 period)
{
	return (clock / period + 1) * period;
}

/*
 * Return the fraction of all operations that have ended. All processes must call this together.
 */
static double share_done(const struct replay_ranks *app)
{
	u64 done = 0, all = 0;
	u32 i;

	for (i = 0; i < app->job->size; i++) {
		done += app->ranks[i].result.at;
		all += app->ranks[i].program->count;
	}
	done = torus_procs_sum_one(app->fabric, done);
	return all ? (double)done / all : 1;
}

/* Report progress of all processes. Only the first process prints the report. */
static void report_progress(struct sim_progress *progress, const struct replay_ranks *app)
{
	double share = share_done(app);

	if (!sim_procs_silent())
		sim_progress_report(progress, share, app->fabric);
}

static enum replay_outcome ranks_run(struct replay_ranks *app, struct replay_threads *team,
				     struct sim_progress *progress)
{
	const struct replay_job *job = app->job;
	u64 budget = sim_slice_windows(torus_fabric_config(app->fabric));
	u64 period = job->barriers ? job->barrier : PIECE_TICKS;
	struct replay_agreed agreed;

	replay_agree(app, false, &agreed);
	for (;;) {
		u64 clock = torus_fabric_clock(app->fabric);
		enum torus_run why;

		sim_procs_beat();
		if (agreed.interrupted)
			return REPLAY_INTERRUPTED;
		if (agreed.due)
			report_progress(progress, app);
		why = replay_threads_run(team, next_multiple(clock, period), budget);
		replay_agree(app, sim_progress_due(progress), &agreed);
		if (why == TORUS_RUN_FAILED || agreed.failed)
			return REPLAY_FAILED;
		/* ranks can only be released at the end of a slice */
		if (why == TORUS_RUN_BUDGET)
			continue;
		if (agreed.waiting == job->size) {
			barrier_open(app, agreed.last);
			continue;
		}
		if (why != TORUS_RUN_IDLE)
			continue;
		if (agreed.ended == job->size)
			return REPLAY_DONE;
		return torus_fabric_in_flight(app->fabric) ? REPLAY_STANDS : REPLAY_DEADLOCK;
	}
}

/* Write into @who which process ran out of memory, if there are several processes. */
static void name_starved(const struct replay_ranks *app, char *who, size_t size)
{
	const struct torus_procs *processes = app->fabric->cfg.procs;
	struct torus_window_summary own;

	who[0] = '\0';
	if (!processes)
		return;
	torus_procs_summarize(app->fabric, 0, &own);
	snprintf(who, size, "rank %llu of torus-sim is ",
		 torus_procs_max(app->fabric, own.failed || app->failed ?
				 processes->self + 1 : 1) - 1);
}

static int refused(struct replay_ranks *app)
{
	char who[32];
	u32 i;

	name_starved(app, who, sizeof(who));
	replay_gather(app);
	for (i = 0; i < app->job->size; i++)
		if (app->ranks[i].result.refused)
			return sim_error("rank %u: the NIC rejected a packet (code %u)", i,
					 app->ranks[i].result.refused);
	return sim_error("%sout of memory at tick %llu", who, torus_fabric_clock(app->fabric));
}

static int take_result(struct replay_ranks *app, struct replay_result *result)
{
	struct torus_stats stats;
	struct torus_check census;
	u32 i;

	if (result->outcome == REPLAY_DEADLOCK)
		replay_deadlock_note(app);
	replay_gather(app);
	torus_fabric_counters(app->fabric, &result->counters);
	if (torus_check_fabric(app->fabric, &census))
		return sim_error("out of memory for the self-check of %u nodes",
				 app->fabric->nodes);
	result->conservation = census.conserved;
	result->tokens = !census.wrong && !census.bubbles;
	torus_stats_sum(app->fabric, &stats);
	if (stats.population_ticks > 0)
		result->little = 1 - (double)stats.network_latency_sum / stats.population_ticks;
	if (result->little < 0)
		result->little = -result->little;
	for (i = 0; i < app->job->size; i++) {
		if (app->ranks[i].result.end > result->end)
			result->end = app->ranks[i].result.end;
		result->unclaimed += app->ranks[i].match.unclaimed;
	}
	/* the application has not ended, so report how far it has got */
	if (result->outcome == REPLAY_INTERRUPTED)
		result->end = torus_fabric_clock(app->fabric);
	if (result->outcome == REPLAY_DEADLOCK)
		replay_deadlock(app, result);
	return SIM_OK;
}

/**
 * replay_run - run all ranks
 * @app: all ranks, none of which has started
 * @threads: number of threads
 * @progress: true to show progress on standard error
 * @result: [out] the results
 *
 * Return: SIM_OK if @result is valid; SIM_FAILED after an error message.
 */
int replay_run(struct replay_ranks *app, u32 threads, bool progress,
	       struct replay_result *result)
{
	struct sim_progress shown;
	struct replay_threads *team;

	memset(result, 0, sizeof(*result));
	team = replay_threads_new(app->fabric, threads);
	if (!team && errno == ENOMEM)
		return sim_error("threads %u: out of memory", threads);
	if (!team)
		return sim_error("threads %u: the system cannot create more threads", threads);
	result->cpu_s = -sim_cpu_s();
	result->wall_s = -sim_wall_s();
	sim_progress_begin(&shown, progress && !sim_procs_silent(), 1);
	result->outcome = ranks_run(app, team, &shown);
	sim_progress_end(&shown);
	result->cpu_s += sim_cpu_s();
	result->cpu_s = torus_procs_sum_one(app->fabric, (u64)(result->cpu_s * NS_PER_S)) /
			NS_PER_S;
	result->wall_s += sim_wall_s();
	replay_threads_free(team);
	if (result->outcome == REPLAY_FAILED)
		return refused(app);
	return take_result(app, result);
}
