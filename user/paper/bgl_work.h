/* SPDX-License-Identifier: GPL-2.0 */
/* Workloads of Adiga et al. (2005) on Blue Gene/L, with counters of each part of a window. */
#ifndef TORUS_PAPER_BGL_WORK_H
#define TORUS_PAPER_BGL_WORK_H

#include "paper.h"
#include "../report/figures.h"

/**
 * struct paper_bgl - a workload on Blue Gene/L
 * @dims: lengths of its dimensions
 * @mesh: dimensions that are a mesh
 * @set: parameters, "KEY=VALUE KEY=VALUE .."
 * @pattern: enum torus_pattern
 * @size: bytes of a packet, 0: 256
 * @load: open loop: fraction of the pattern's peak
 * @enter_load: hot region: instead of @load, what the links into the region would carry if they
 *              shared alike, 1: they are always busy
 * @packets: closed loop
 * @pacing: closed loop: fraction of the peak's rate at which a node's packets enter, 0: none
 * @warmup: ticks before the window
 * @cycles: ticks of the window; 0: until the last packet is delivered
 * @parts: of the window
 * @region: hot region
 * @at: its lowest corner
 * @share: part of the packets that goes there
 * @seed: of the random streams, 0: 1
 * @threads: that simulate
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
 * @end: tick
 * @use: part of it in which the links were busy
 * @vc: the same of each VC's packets
 * @enter: the same of the links that enter the hot region, all VCs
 * @latency: mean of the packets delivered, ticks
 * @needed: of the tokens returned, those to a node with a blocked packet (unblocking=on)
 * @unblocking: of those, the ones that freed such a packet
 * @freed: tokens that did, a tick and link
 * @held: chunks that a buffer of each VC holds at its end, mean
 * @in_flight: packets in the network at its end
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

#define PAPER_NAME_MAX	8	/* of a VC's name */

/**
 * struct paper_bgl_run - what came of it: plain values
 * @result: what the core measured
 * @figures: ratios
 * @vc_names: names of the VCs
 * @vcs: number of VCs
 * @part: parts of the window
 * @parts: number of parts
 * @enter_links: links that enter the hot region
 * @enter_least: of them, the one that was busy least: part of the window
 * @enter_most: the one that was busy most
 * @enter_percent: closed loop: the time that they need if they share alike, of the time that
 *                 it took
 * @tick_ns: nanoseconds of a tick
 * @cpu_s: seconds of processors
 * @wall_s: seconds on the wall
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

/* Values of a part, for paper_bgl_mean() and paper_bgl_spread(). */
double paper_part_use(const struct paper_part *part);
double paper_part_enter(const struct paper_part *part);
double paper_part_latency(const struct paper_part *part);
double paper_part_needed(const struct paper_part *part);
double paper_part_unblocking(const struct paper_part *part);
double paper_part_returned(const struct paper_part *part);
double paper_part_freed(const struct paper_part *part);
double paper_part_held(const struct paper_part *part);

/* Parts of a window that tell how sure its means are, and Student's t for 95 % of their mean. */
#define PAPER_PARTS	16
#define PAPER_STUDENT	2.131

#endif /* TORUS_PAPER_BGL_WORK_H */
