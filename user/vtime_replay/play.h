/* SPDX-License-Identifier: GPL-2.0 */
/* A record, once more. */
#ifndef TORUS_VTIME_REPLAY_PLAY_H
#define TORUS_VTIME_REPLAY_PLAY_H

#include "core/run/virtual_time.h"
#include "record.h"

/**
 * struct vreplay_result - what came of it
 * @counters: of the fabric
 * @clock: tick at which nothing was left to do
 * @unended: programs of which the record does not say that they left
 */
struct vreplay_result {
	struct torus_fabric_counters counters;
	u64 clock;
	u32 unended;
};

int vreplay_play(const struct vreplay_record *record, struct vreplay_result *result);

#endif /* TORUS_VTIME_REPLAY_PLAY_H */
