// SPDX-License-Identifier: GPL-2.0
/*
 * A replay by several processes of torus-sim, each of which has the ranks of the application that
 * live on its own nodes.  "Ranks" are the application's here; those of torus-sim are "processes".
 */
#include "../sim/interrupt.h"
#include "core/state/domain.h"
#include "together.h"

/* When the last of this process's ranks came into the barrier in which all of them wait. */
static u64 last_here(const struct replay_crowd *crowd)
{
	u64 last = 0;
	u32 i;

	if (crowd->waiting < crowd->here)
		return 0;
	for (i = 0; i < crowd->job->size; i++)
		if (crowd->ranks[i].here && crowd->ranks[i].since > last)
			last = crowd->ranks[i].since;
	return last;
}

static u64 most(u64 a, u64 b)
{
	return a > b ? a : b;
}

/**
 * replay_agree - what all processes know between two pieces, so that all go on alike
 * @crowd: all ranks
 * @due: this process is to tell how far it is
 * @agreed: gets it
 */
void replay_agree(const struct replay_crowd *crowd, bool due, struct replay_agreed *agreed)
{
	struct torus_ranks *processes = crowd->fabric->cfg.ranks;
	const struct replay_agreed *all;
	size_t got;
	u32 i;

	*agreed = (struct replay_agreed){
		.waiting = crowd->waiting,
		.ended = crowd->ended,
		.failed = crowd->failed,
		.last = last_here(crowd),
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
	/* an interrupt of one is one of all */
	sim_interrupt((int)agreed->interrupted);
}

/* What the others need to know of a rank to tell how it did. */
struct told {
	struct replay_posted receive;
	u32 number;
	u32 at;
	u32 unclaimed;
	u32 refused;
	u32 receives;
	u32 ended;
	u64 end;
	u64 time[REPLAY_TIMES];
	u64 sent;
	u64 sent_bytes;
	u64 received;
	u64 latency_sum;
	u64 latency_max;
};

static void tell(struct told *told, const struct replay_rank *rank)
{
	*told = (struct told){
		.receive = rank->receive,
		.number = rank->number,
		.at = rank->at,
		.unclaimed = rank->match.unclaimed,
		.refused = rank->refused,
		.receives = rank->receives,
		.ended = rank->ended,
		.end = rank->end,
		.sent = rank->sent,
		.sent_bytes = rank->sent_bytes,
		.received = rank->received,
		.latency_sum = rank->latency_sum,
		.latency_max = rank->latency_max,
	};
	memcpy(told->time, rank->time, sizeof(told->time));
}

static void learn(struct replay_rank *rank, const struct told *told)
{
	rank->receive = told->receive;
	rank->at = told->at;
	rank->match.unclaimed = told->unclaimed;
	rank->refused = told->refused;
	rank->receives = told->receives;
	rank->ended = told->ended;
	rank->end = told->end;
	rank->sent = told->sent;
	rank->sent_bytes = told->sent_bytes;
	rank->received = told->received;
	rank->latency_sum = told->latency_sum;
	rank->latency_max = told->latency_max;
	memcpy(rank->time, told->time, sizeof(rank->time));
}

/**
 * replay_gather - all processes learn how the others' ranks did
 * @crowd: all ranks, behind the last piece
 */
void replay_gather(struct replay_crowd *crowd)
{
	struct torus_ranks *processes = crowd->fabric->cfg.ranks;
	const struct told *all;
	struct told *own;
	size_t got, n = 0;
	u32 i;

	if (!processes)
		return;
	/* one for those that have no rank */
	own = torus_ranks_alloc(crowd->fabric, (crowd->here + 1) * sizeof(*own));
	for (i = 0; own && i < crowd->job->size; i++)
		if (crowd->ranks[i].here)
			tell(&own[n++], &crowd->ranks[i]);
	all = processes->pass(processes, own, n * sizeof(*own), &got);
	torus_free(own, (crowd->here + 1) * sizeof(*own));
	for (; got; got -= sizeof(*all), all++)
		if (!crowd->ranks[all->number].here)
			learn(&crowd->ranks[all->number], all);
}
