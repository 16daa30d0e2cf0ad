/* SPDX-License-Identifier: GPL-2.0 */
/* Report the ranks for which other ranks wait. */
#ifndef TORUS_RUN_MISSING_H
#define TORUS_RUN_MISSING_H

#include "rank.h"

#define RUN_NEVER	UINT64_MAX

/**
 * struct run_missing - state of the report of missing ranks
 * @at: time of the next check, in ms; RUN_NEVER: no check
 * @from: earliest time of the report, in ms
 * @count: number of missing ranks at the last check
 * @joining: true if all started ranks had begun to open the job at the last check
 * @reported: true if the report was made
 */
struct run_missing {
	uint64_t at;
	uint64_t from;
	uint32_t count;
	bool joining;
	bool reported;
};

void run_missing_start(struct run_missing *missing, const struct run_job *job, uint64_t now);
void run_missing_report(struct run_missing *missing, const struct run_job *job,
			const struct run_rank *ranks, uint32_t started, uint64_t now);

#endif /* TORUS_RUN_MISSING_H */
