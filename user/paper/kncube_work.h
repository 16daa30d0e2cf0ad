/* SPDX-License-Identifier: GPL-2.0 */
/* Run the workload of Liu et al. (2012): uniform traffic on a k-ary n-cube. */
#ifndef TORUS_PAPER_KNCUBE_WORK_H
#define TORUS_PAPER_KNCUBE_WORK_H

#include "paper.h"
#include "../report/ratios.h"

/**
 * struct paper_work - uniform traffic on a k-ary n-cube
 * @k: length of each dimension
 * @n: number of dimensions
 * @load: load as a fraction of the peak
 * @rate: packets that the whole machine sends per nanosecond; used in place of @load if above 0
 * @warmup: ticks before the measured window
 * @cycles: ticks of the measured window
 * @threads: number of threads
 * @seed: seed of the random streams; 0: 1
 */
struct paper_work {
	u32 k;
	u32 n;
	double load;
	double rate;
	u64 warmup;
	u64 cycles;
	u32 threads;
	u64 seed;
};

/**
 * struct paper_cube - results of a run
 * @result: measurements of the core
 * @figures: ratios computed from @result
 * @by_hops: by number of hops: mean latency of the delivered packets in ticks
 * @tick_ns: nanoseconds of a tick
 * @rate: packets generated per nanosecond
 * @population: mean number of packets in the network
 * @cpu_s: CPU time in seconds
 * @wall_s: elapsed time in seconds
 */
struct paper_cube {
	struct torus_result result;
	struct report_figures figures;
	double by_hops[32];
	double tick_ns;
	double rate;
	double population;
	double cpu_s;
	double wall_s;
};

/* Ticks that a packet occupies a link, and ticks of a hop, in the paper's model. */
#define PAPER_LINK_TICKS	440.0
#define PAPER_HOP_TICKS		462.0

int paper_cube(const struct paper_work *work, struct paper_cube *cube);
u32 paper_radix(u32 n, u32 k, u32 nodes);
double paper_hops(u32 k, u32 n);
double paper_gap(u32 k, u32 n, double load);
u64 paper_bytes(u32 k, u32 n);

#endif /* TORUS_PAPER_KNCUBE_WORK_H */
