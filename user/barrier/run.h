/* SPDX-License-Identifier: GPL-2.0 */
/* Run all operations of a barrier's members on a new fabric. */
#ifndef TORUS_BARRIER_RUN_H
#define TORUS_BARRIER_RUN_H

#include "plan.h"

struct sim_progress;

enum barrier_outcome {
	BARRIER_DONE,
	BARRIER_INTERRUPTED,
	BARRIER_STANDS,		/* stalled: members wait for a packet that does not arrive */
	BARRIER_FAILED,		/* out of memory, or an unexpected error of a gate or of the NIC */
};

/**
 * struct barrier_spread - distribution of a time over all operations, in ticks
 * @mean: mean
 * @min: minimum
 * @max: maximum
 */
struct barrier_spread {
	double mean;
	u64 min;
	u64 max;
};

/**
 * struct barrier_result - result of a run
 * @outcome: how the run ended
 * @operations: number of operations that the first member has finished
 * @ended: number of members that have finished all operations
 * @packets: number of delivered packets
 * @dropped: number of packets dropped by the network or by gates
 * @sent: number of packets injected by gates or by processors
 * @latency: time from the last member's call to the last member's return
 * @arrival: time from the first member's call to the last member's call
 * @skew: time from the first member's return to the last member's return
 * @early: number of times that a member left an operation before all had entered it
 * @wrong: number of wrong results
 * @refused: unexpected error code of a gate or of the NIC, or 0
 * @hash: hash of all results
 * @deliveries: delivery hash
 * @clock: ticks of the whole run
 * @tick_fs: length of a tick in femtoseconds
 * @conserved: all packets are accounted for
 * @tokens: all tokens are accounted for
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
