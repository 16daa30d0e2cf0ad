/* SPDX-License-Identifier: GPL-2.0 */
/* Run all ranks of a replay from their first tick to the end. */
#ifndef TORUS_REPLAY_RUN_H
#define TORUS_REPLAY_RUN_H

#include "rank.h"

#define REPLAY_TOLD_MAX	16	/* ranks of a deadlock that are told */

enum replay_outcome {
	REPLAY_DONE,
	REPLAY_INTERRUPTED,
	REPLAY_DEADLOCK,	/* of the application */
	REPLAY_STANDS,		/* packets are in flight, and nothing moves */
	REPLAY_FAILED,
};

/**
 * struct replay_result - how a replay went
 * @outcome: enum replay_outcome
 * @end: tick when the last rank had done all
 * @counters: of the machine
 * @conservation: every packet accounted for
 * @tokens: every token
 * @little: relative error of Little's law
 * @unclaimed: messages that no rank received
 * @waiting: ranks that wait
 * @told: some of those ranks
 * @ntold: ranks in @told
 * @cycle: ranks each of which waits for the next, the last for the first
 * @ncycle: ranks of the cycle; 0: the ranks wait for somebody who has ended
 * @cpu_s: seconds of processors
 * @wall_s: seconds on the wall
 */
struct replay_result {
	enum replay_outcome outcome;
	u64 end;
	struct torus_fabric_counters counters;
	bool conservation;
	bool tokens;
	double little;
	u64 unclaimed;
	u32 waiting;
	u32 told[REPLAY_TOLD_MAX];
	u32 ntold;
	u32 cycle[REPLAY_TOLD_MAX];
	u32 ncycle;
	double cpu_s;
	double wall_s;
};

int replay_run(struct replay_ranks *app, u32 threads, bool progress,
	       struct replay_result *result);

#endif /* TORUS_REPLAY_RUN_H */
