/* SPDX-License-Identifier: GPL-2.0 */
/* The workload of Liu et al. (2012): uniform traffic on a k-ary n-cube. */
#ifndef TORUS_PAPER_KNCUBE_WORK_H
#define TORUS_PAPER_KNCUBE_WORK_H

#include "paper.h"
#include "../report/figures.h"

/**
 * struct paper_work - uniform traffic on a k-ary n-cube
 * @k: length of each dimension
 * @n: dimensions
 * @load: fraction of the peak
 * @rate: packets a nanosecond of the whole machine; instead of @load if above 0
 * @warmup: ticks
 * @cycles: ticks
 * @threads: that simulate
 * @seed: of the random streams
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
 * struct paper_cube - what came of it
 * @result: what the core measured
 * @figures: ratios
 * @by_hops: latency of the delivered packets by number of hops, ticks
 * @tick_ns: nanoseconds of a tick
 * @rate: packets a nanosecond that were generated
 * @population: packets in the network, mean
 * @cpu_s: seconds of processors
 * @wall_s: seconds on the wall
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

/* Of the model: ticks of a link, of a hop. */
#define PAPER_LINK_TICKS	440.0
#define PAPER_HOP_TICKS		462.0

int paper_cube(const struct paper_work *work, struct paper_cube *cube);
u32 paper_radix(u32 n, u32 k, u32 nodes);
double paper_hops(u32 k, u32 n);
double paper_gap(u32 k, u32 n, double load);
u64 paper_bytes(u32 k, u32 n);

#endif /* TORUS_PAPER_KNCUBE_WORK_H */
