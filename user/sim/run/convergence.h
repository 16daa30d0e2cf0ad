/* SPDX-License-Identifier: GPL-2.0 */
/* Runs that find their warm-up and their end. */
#ifndef TORUS_SIM_RUN_CONVERGENCE_H
#define TORUS_SIM_RUN_CONVERGENCE_H

#include <stdio.h>

#include "../cmdline/run_config.h"
#include "series.h"

struct json_object;
struct torus_carrier;

/**
 * struct sim_convergence - a run that finds its warm-up, or its end
 * @warmup: the warm-up is to be found
 * @target: width of the mean latency's 95 % interval, of each side, as a fraction of the mean;
 *          0: the window has its length
 * @step: ticks between two looks
 * @window: the window is open
 * @looks: looks of the phase until something is decided
 * @limit: looks of the phase at most
 * @points: the counts at each look of the phase, its start first
 * @npoints: number of points
 * @room: how many there is memory for
 * @failed: memory ran out
 * @settled: tick from which on the latency is steady; ~0: not found
 * @half: what the interval came to; NAN: there is none
 * @narrow: it was so at the last look
 * @reached: it is as narrow as was asked for
 * @series: the window's batches
 * @next: tick of the next look; 0: there is none
 */
struct sim_convergence {
	bool warmup;
	double target;
	u64 step;
	bool window;
	u32 looks;
	u32 limit;
	struct torus_point *points;
	u32 npoints;
	u32 room;
	bool failed;
	u64 settled;
	double half;
	bool narrow;
	bool reached;
	struct sim_series series;
	u64 next;
};

void sim_convergence_begin(struct sim_convergence *until, struct torus_fabric *fabric,
			   const struct sim_run_config *options);
bool sim_convergence_check(struct sim_convergence *until, struct torus_fabric *fabric);
void sim_convergence_carry(struct torus_carrier *c, struct sim_convergence *until);
void sim_convergence_free(struct sim_convergence *until);
void sim_convergence_json(struct json_object *doc, const struct sim_convergence *until);
void sim_convergence_text(const struct sim_convergence *until, FILE *out);

#endif /* TORUS_SIM_RUN_CONVERGENCE_H */
