/* SPDX-License-Identifier: GPL-2.0 */
/* A replay by several processes of torus-sim. */
#ifndef TORUS_REPLAY_DISTRIBUTED_H
#define TORUS_REPLAY_DISTRIBUTED_H

#include "rank.h"

/**
 * struct replay_agreed - what all processes of torus-sim know of a replay between two pieces
 * @waiting: ranks that wait in a barrier
 * @ended: ranks that have done all
 * @failed: ranks that cannot go on
 * @last: when the last came into the barrier; good while all wait there
 * @interrupted: a signal's number, 0: there was none
 * @due: it is time to tell how far it is
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
