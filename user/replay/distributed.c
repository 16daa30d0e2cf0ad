// SPDX-License-Identifier: GPL-2.0
/*
 * Replay a log by several processes of torus-sim. Each process runs the ranks on the nodes that it
 * simulates. In this file a rank is always a process of the application; the processes of torus-sim
 * are called processes.
 */
#include "../sim/base/signals.h"
#include "core/state/domain.h"
#include "distributed.h"

/*
 * Return the tick at which the last of this process's ranks entered the barrier. Return 0 unless
 * all ranks of this process wait there.
 */
static u64 last_here(const struct replay_ranks *app)
{
	u64 last = 0;
	u32 i;

	if (app->waiting < app->here)
		return 0;
	for (i = 0; i < app->job->size; i++)
		if (app->ranks[i].here && app->ranks[i].since > last)
			last = app->ranks[i].since;
	return last;
}

static u64 most(u64 a, u64 b)
{
	return a > b ? a : b;
}

/**
 * replay_agree - exchange the state of all processes between two slices, so that all continue
 * in the same way
 * @due: true if this process wants to report progress
 * @agreed: [out] sums and maxima over all processes
 */
void replay_agree(const struct replay_ranks *app, bool due, struct replay_agreed *agreed)
{
	struct torus_procs *processes = app->fabric->cfg.procs;
	const struct replay_agreed *all;
	size_t got;
	u32 i;

	*agreed = (struct replay_agreed){
		.waiting = app->waiting,
		.ended = app->ended,
		.failed = app->failed,
		.last = last_here(app),
		.interrupted = (u64)sim_interrupted(),
		.due = due,
	};
	if (!processes)
		return;
	all = processes->pass(processes, agreed, sizeof(*agreed), &got);
	*agreed = (struct replay_agreed){ .waiting = 0 };
	for (i = 0; i < processes->count; i++) {
		agreed->waiting += all[i].waiting;
		agreed->ended += all[i].ended;
		agreed->failed += all[i].failed;
		agreed->last = most(agreed->last, all[i].last);
		agreed->interrupted = most(agreed->interrupted, all[i].interrupted);
		agreed->due |= all[i].due;
	}
	/* an interrupt of one process ends all processes */
	sim_interrupt((int)agreed->interrupted);
}

/**
 * replay_gather - exchange the results of all ranks
 * @app: [in, out] all ranks, after the last slice
 */
void replay_gather(struct replay_ranks *app)
{
	struct torus_procs *processes = app->fabric->cfg.procs;
	const struct replay_rank_result *all;
	struct replay_rank_result *own;
	struct replay_rank *rank;
	size_t got, n = 0;
	u32 i;

	if (!processes)
		return;
	/* allocate one entry more than needed, because a process may have no ranks */
	own = torus_procs_alloc(app->fabric, (app->here + 1) * sizeof(*own));
	for (i = 0; own && i < app->job->size; i++) {
		rank = &app->ranks[i];
		rank->result.unclaimed = rank->match.unclaimed;
		if (rank->here)
			own[n++] = rank->result;
	}
	all = processes->pass(processes, own, n * sizeof(*own), &got);
	torus_free(own, (app->here + 1) * sizeof(*own));
	for (; got; got -= sizeof(*all), all++) {
		rank = &app->ranks[all->number];
		rank->result = *all;
		rank->match.unclaimed = all->unclaimed;
	}
}
