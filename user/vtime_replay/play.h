/* SPDX-License-Identifier: GPL-2.0 */
/* Replay a record of programs in virtual time. */
#ifndef TORUS_VTIME_REPLAY_PLAY_H
#define TORUS_VTIME_REPLAY_PLAY_H

#include "core/run/virtual_time.h"
#include "record.h"

/**
 * struct vreplay_result - result of a replay
 * @counters: counters of the fabric
 * @clock: tick at which the replay ended
 * @unended: number of programs without a recorded end
 */
struct vreplay_result {
	struct torus_fabric_counters counters;
	u64 clock;
	u32 unended;
};

int vreplay_play(const struct vreplay_record *record, struct vreplay_result *result);

#endif /* TORUS_VTIME_REPLAY_PLAY_H */
