/* SPDX-License-Identifier: GPL-2.0 */
/* Jobs of Abts et al. (2007) on a Cray XT: partners of each rank, time of a job. */
#ifndef TORUS_PAPER_XT_WORK_H
#define TORUS_PAPER_XT_WORK_H

#include "paper.h"

#define PAPER_XT_DATA	64	/* bytes of a largest packet that are the job's */
#define PAPER_XT_MESSAGE_PACKETS 32	/* of paper_xt_messages() */

/**
 * struct paper_xt_job - ranks that exchange data
 * @ranks: how many
 * @rows: of the grid whose transposition they do; 0: all-to-all
 * @columns: of that grid; @rows times @columns are the ranks
 * @packets: of the largest size that a rank has for each partner
 */
struct paper_xt_job {
	u32 ranks;
	u32 rows;
	u32 columns;
	u32 packets;
};

/**
 * struct paper_xt - a job on a Cray XT, until its last packet is delivered or a window ends
 * @dims: lengths of its dimensions
 * @policy: of the routing tables
 * @datelines: words for the tables, NULL: chosen by them
 * @key: parameter that is not at its default, NULL: none
 * @value: its value
 * @pacing: fraction of the pattern's peak at which ranks inject, 0: all they can
 * @warmup: ticks before the window
 * @cycles: ticks of a window in which each rank has packets to send, whatever @job says of
 *          their number; 0: until the last packet is delivered
 * @job: who sends how much to whom
 * @node: index of the node of each rank
 * @seed: of the random streams
 * @threads: that simulate
 */
struct paper_xt {
	const u32 *dims;
	const char *policy;
	const char *datelines;
	const char *key;
	const char *value;
	double pacing;
	u64 warmup;
	u64 cycles;
	const struct paper_xt_job *job;
	const u32 *node;
	u64 seed;
	u32 threads;
};

/**
 * struct paper_xt_run - what came of it
 * @ticks: from the first packet to the last's delivery, or to the end of the window
 * @rate: bytes of data a second, in the window if there is one
 * @balance: mean VC balance of the links that were used
 * @cpu_s: seconds of processors
 */
struct paper_xt_run {
	double ticks;
	double rate;
	double balance;
	double cpu_s;
};

int paper_xt(const struct paper_xt *work, struct paper_xt_run *run);

#endif /* TORUS_PAPER_XT_WORK_H */
