/* SPDX-License-Identifier: GPL-2.0 */
/* Replay a log by several processes of torus-sim. */
#ifndef TORUS_REPLAY_DISTRIBUTED_H
#define TORUS_REPLAY_DISTRIBUTED_H

#include "rank.h"

/**
 * struct replay_agreed - state of all processes between two slices
 * @waiting: number of ranks that wait in a barrier
 * @ended: number of ranks that have ended
 * @failed: not 0 if a rank cannot continue
 * @last: tick at which the last rank entered the barrier; valid if all ranks wait there
 * @interrupted: number of the signal that interrupted a process; 0 if there was none
 * @due: true if a process wants to report progress
 */
struct replay_agreed {
	u64 waiting;
	u64 ended;
	u64 failed;
	u64 last;
	u64 interrupted;
	u64 due;
};

void replay_agree(const struct replay_ranks *app, bool due, struct replay_agreed *agreed);
void replay_gather(struct replay_ranks *app);

#endif /* TORUS_REPLAY_DISTRIBUTED_H */
