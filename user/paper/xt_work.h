/* SPDX-License-Identifier: GPL-2.0 */
/* Run jobs of Abts et al. (2007) on a Cray XT: partners of each rank, rate and time of a job. */
#ifndef TORUS_PAPER_XT_WORK_H
#define TORUS_PAPER_XT_WORK_H

#include "paper.h"

#define PAPER_XT_DATA	64	/* data bytes of the largest packet */
#define PAPER_XT_MESSAGE_PACKETS 32	/* number of packets in a message of paper_xt_messages() */

/**
 * struct paper_xt_job - ranks that exchange data
 * @ranks: number of ranks
 * @rows: rows of the grid for a transposition; 0: all-to-all
 * @columns: columns of the grid; @rows times @columns is @ranks
 * @packets: number of packets that a rank sends to each partner; the packets have the largest size
 */
struct paper_xt_job {
	u32 ranks;
	u32 rows;
	u32 columns;
	u32 packets;
};

/**
 * struct paper_xt - a run of a job on a Cray XT, until the job's last packet is delivered or the
 * measured window ends
 * @dims: lengths of the dimensions
 * @policy: policy of the routing tables
 * @datelines: datelines as text; NULL: automatic
 * @key: name of a parameter to be set; NULL: none
 * @value: value of the parameter
 * @pacing: injection rate as a fraction of the pattern's peak; 0: no limit
 * @warmup: ticks before the window
 * @cycles: ticks of the window. Each rank has packets to send during the whole window, so the
 *    number of packets in @job is ignored. 0: run until the last packet is delivered
 * @job: the ranks that exchange data, and the number of packets
 * @node: by rank: index of its node
 * @seed: seed of the random streams
 * @threads: number of threads
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
 * struct paper_xt_run - results of a job
 * @ticks: ticks until the last delivery or the end of the window
 * @rate: bytes of data per second, in the window or in the whole run
 * @balance: mean VC balance of the links that were used
 * @cpu_s: CPU time in seconds
 */
struct paper_xt_run {
	double ticks;
	double rate;
	double balance;
	double cpu_s;
};

int paper_xt(const struct paper_xt *work, struct paper_xt_run *run);

#endif /* TORUS_PAPER_XT_WORK_H */
