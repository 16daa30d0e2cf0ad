/* SPDX-License-Identifier: GPL-2.0 */
/* Run the members of a barrier on one fabric, from the first call to the last return. */
#ifndef TORUS_BARRIER_RUN_H
#define TORUS_BARRIER_RUN_H

#include "plan.h"

struct sim_progress;

enum barrier_outcome {
	BARRIER_DONE,
	BARRIER_INTERRUPTED,
	BARRIER_STANDS,		/* nothing moves, and members wait: a packet is missing */
	BARRIER_FAILED,		/* no memory, or something that should not have been refused */
};

/**
 * struct barrier_spread - what was measured of all operations, in ticks
 * @mean: mean
 * @min: least
 * @max: greatest
 */
struct barrier_spread {
	double mean;
	u64 min;
	u64 max;
};

/**
 * struct barrier_result - how it went
 * @outcome: how it ended
 * @operations: that the first member has done
 * @ended: members that have done all operations
 * @packets: delivered
 * @dropped: on the way or by gates
 * @sent: injected by gates, or by processors
 * @latency: from the last member's call to the last one's return
 * @arrival: from the first member's call to the last one's
 * @skew: from the first member's return to the last one's
 * @early: members that left an operation before the last had entered it
 * @wrong: results that are not what they must be
 * @refused: code of a gate or of the NIC that should not have been
 * @hash: of all results
 * @deliveries: of all deliveries
 * @clock: ticks in all
 * @tick_fs: femtoseconds of one
 * @conserved: each packet is accounted for
 * @tokens: likewise
 */
struct barrier_result {
	enum barrier_outcome outcome;
	u32 operations;
	u32 ended;
	u64 packets;
	u64 dropped;
	u64 sent;
	struct barrier_spread latency;
	struct barrier_spread arrival;
	struct barrier_spread skew;
	u64 early;
	u64 wrong;
	u32 refused;
	u64 hash;
	u64 deliveries;
	u64 clock;
	u64 tick_fs;
	bool conserved;
	bool tokens;
};

int barrier_run(const struct barrier_plan *plan, enum barrier_by by,
		struct sim_progress *progress, struct barrier_result *result);

#endif /* TORUS_BARRIER_RUN_H */
