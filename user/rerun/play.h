/* SPDX-License-Identifier: GPL-2.0 */
/* A record, once more. */
#ifndef TORUS_RERUN_PLAY_H
#define TORUS_RERUN_PLAY_H

#include "core/run/programs.h"
#include "record.h"

/**
 * struct rerun_result - what came of it
 * @counters: of the fabric
 * @clock: tick at which nothing was left to do
 * @unended: programs of which the record does not say that they left
 */
struct rerun_result {
	struct torus_fabric_counters counters;
	u64 clock;
	u32 unended;
};

int rerun_play(const struct rerun_record *record, struct rerun_result *result);

#endif /* TORUS_RERUN_PLAY_H */
