/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Run workloads of Adiga et al. (2005), and of its earlier report Blumrich et al. (2003), on Blue
 * Gene/L, with counters for each part of a window.
 */
#ifndef TORUS_PAPER_BGL_WORK_H
#define TORUS_PAPER_BGL_WORK_H

#include "paper.h"
#include "../report/ratios.h"

/**
 * struct paper_bgl - a workload on Blue Gene/L
 * @dims: lengths of the dimensions
 * @mesh: mask of dimensions that are a mesh
 * @set: parameters of the fabric, "KEY=VALUE KEY=VALUE .."
 * @pattern: enum torus_pattern
 * @size: bytes of a packet; 0: 256
 * @load: open loop: load as a fraction of the pattern's peak
 * @enter_load: load of the links into the hot region, used in place of @load. At 1, these links are
 *    always busy if they share the load equally
 * @packets: closed loop: number of packets, per pair, per root or per node as for --packets
 * @pacing: closed loop: injection rate of a node as a fraction of the peak's rate; 0: no limit
 * @warmup: ticks before the measured window
 * @cycles: ticks of the measured window; 0: until the last packet is delivered
 * @parts: number of parts into which the window is divided
 * @region: lengths of the hot region
 * @at: lowest corner of the hot region
 * @share: fraction of the packets that go to the hot region
 * @seed: seed of the random streams; 0: 1
 * @threads: number of threads
 */
struct paper_bgl {
	u32 dims[3];
	u32 mesh;
	const char *set;
	u32 pattern;
	u32 size;
	double load;
	double enter_load;
	u64 packets;
	double pacing;
	u64 warmup;
	u64 cycles;
	u32 parts;
	u32 region[3];
	u32 at[3];
	double share;
	u64 seed;
	u32 threads;
};

/**
 * struct paper_part - a part of the window
 * @end: tick at which the part ends
 * @use: mean utilization of the links, 0 to 1
 * @vc: by VC: utilization of the links by packets on the VC
 * @enter: utilization of the links into the hot region
 * @latency: mean latency of the packets delivered, in ticks
 * @needed: fraction of the returned tokens that reach a node with a blocked packet
 *    (unblocking=on)
 * @unblocking: fraction of the tokens in @needed that free such a packet
 * @freed: number of tokens that free a packet, per tick and link
 * @held: by VC: mean number of chunks in a buffer at the end of the part
 * @in_flight: packets in the network at the end of the part
 */
struct paper_part {
	u64 end;
	double use;
	double vc[TORUS_VCS_MAX];
	double enter;
	double latency;
	double needed;
	double unblocking;
	double freed;
	double held[TORUS_VCS_MAX];
	double in_flight;
};

#define PAPER_NAME_MAX	8	/* maximum bytes of a VC's name */

/**
 * struct paper_bgl_run - results of a run, without pointers
 * @result: measurements of the core
 * @figures: ratios computed from @result
 * @enter_links: number of links into the hot region
 * @enter_least: utilization of the least busy link into the hot region
 * @enter_most: utilization of the busiest link into the hot region
 * @enter_percent: closed loop: time that the links into the hot region need if they share the load
 *    equally, in percent of the run's time
 * @tick_ns: nanoseconds of a tick
 * @cpu_s: CPU time in seconds
 * @wall_s: elapsed time in seconds
 */
struct paper_bgl_run {
	struct torus_result result;
	struct report_figures figures;
	char vc_names[TORUS_VCS_MAX][PAPER_NAME_MAX];
	u32 vcs;
	struct paper_part part[PAPER_POINTS_MAX];
	u32 parts;
	u32 enter_links;
	double enter_least;
	double enter_most;
	double enter_percent;
	double tick_ns;
	double cpu_s;
	double wall_s;
};

int paper_bgl(const struct paper_bgl *work, struct paper_bgl_run *run);
int paper_bgl_tune(const struct paper_bgl *work, double use, struct paper_bgl_run *run);
double paper_bgl_mean(const struct paper_bgl_run *run, u64 from,
		      double (*value)(const struct paper_part *part));
u32 paper_bgl_nodes(const u32 *dims);
void paper_bgl_shape(const struct paper_request *request, u32 nodes, const u32 *paper, u32 *dims);
const char *paper_bgl_shape_text(const u32 *dims, char *text, size_t size);

double paper_bgl_spread(const struct paper_bgl_run *run, u64 from,
			double (*value)(const struct paper_part *part));

/* Values of a part, for the argument @value of paper_bgl_mean() and paper_bgl_spread(). */
double paper_part_use(const struct paper_part *part);
double paper_part_enter(const struct paper_part *part);
double paper_part_latency(const struct paper_part *part);
double paper_part_needed(const struct paper_part *part);
double paper_part_unblocking(const struct paper_part *part);
double paper_part_returned(const struct paper_part *part);
double paper_part_freed(const struct paper_part *part);
double paper_part_held(const struct paper_part *part);

/*
 * Number of parts of a window from which confidence intervals are computed, and Student's t for
 * 95 % of their mean.
 */
#define PAPER_PARTS	16
#define PAPER_STUDENT	2.131

#endif /* TORUS_PAPER_BGL_WORK_H */
