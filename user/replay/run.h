/* SPDX-License-Identifier: GPL-2.0 */
/* Run all ranks of a replay from their first tick to the end. */
#ifndef TORUS_REPLAY_RUN_H
#define TORUS_REPLAY_RUN_H

#include "rank.h"

#define REPLAY_NAMED_MAX	16	/* maximum number of ranks that a deadlock report names */

enum replay_outcome {
	REPLAY_DONE,
	REPLAY_INTERRUPTED,
	REPLAY_DEADLOCK,	/* the ranks of the application wait for each other */
	REPLAY_STANDS,		/* packets are in flight, but none of them can move */
	REPLAY_FAILED,
};

/**
 * struct replay_result - results of a replay
 * @outcome: enum replay_outcome
 * @end: tick at which the last rank ended; after an interrupt the fabric's clock
 * @counters: counters of the fabric
 * @conservation: true if all packets are accounted for
 * @tokens: true if all tokens are accounted for
 * @little: relative error of Little's law
 * @unclaimed: number of messages that no rank received
 * @waiting: number of ranks that wait in a deadlock
 * @waiters: numbers of some ranks that wait in a deadlock
 * @nwaiters: number of entries in @waiters
 * @cycle: numbers of ranks in a cycle: each rank waits for the next, the last for the first
 * @ncycle: length of the cycle; 0: none was found
 * @cpu_s: CPU time in seconds
 * @wall_s: elapsed time in seconds
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
	u32 waiters[REPLAY_NAMED_MAX];
	u32 nwaiters;
	u32 cycle[REPLAY_NAMED_MAX];
	u32 ncycle;
	double cpu_s;
	double wall_s;
};

int replay_run(struct replay_ranks *app, u32 threads, bool progress,
	       struct replay_result *result);

#endif /* TORUS_REPLAY_RUN_H */
