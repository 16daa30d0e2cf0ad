/* SPDX-License-Identifier: GPL-2.0 */
/* Runs that determine the length of their warm-up and of their window. */
#ifndef TORUS_SIM_RUN_CONVERGENCE_H
#define TORUS_SIM_RUN_CONVERGENCE_H

#include "../cmdline/run_config.h"
#include "series.h"

struct json_object;
struct torus_snapshot;

/**
 * struct sim_convergence - state of a run that determines its warm-up or its end
 * @warmup: determine the length of the warm-up
 * @target: half width of the 95 % interval of the mean latency, as a fraction of the mean; 0: the
 *	window has a fixed length
 * @step: ticks between two samples
 * @window: true: the samples are for the window; false: for the warm-up that the run determines
 * @looks: the next decision is made at this number of samples after the start of the phase
 * @limit: maximum number of samples in a phase
 * @points: counters at each sample of the phase; the first sample is the start of the phase
 * @npoints: number of points
 * @room: capacity of @points, in points
 * @failed: memory ran out
 * @settled: tick after which the latency is steady (end of the transient); ~0: not found
 * @half: half width of the 95 % interval, as a fraction of the mean; NAN: no interval was computed
 * @narrow: the interval was narrow enough at the last check
 * @reached: the target was reached
 * @series: batches of the window
 * @next: tick of the next sample; 0: none
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
void sim_convergence_snapshot(struct torus_snapshot *snap, struct sim_convergence *until);
void sim_convergence_free(struct sim_convergence *until);
void sim_convergence_json(struct json_object *doc, const struct sim_convergence *until);

/* Form that prints the members of sim_convergence_json() in a line each, see report_print(). */
#define SIM_CONVERGENCE_FORM \
	"{>warmup_rule}warm-up    {?found}steady from tick {settled} on{:}" \
	"no steady state was found{/}\n{/}" \
	"{>until}until      {+half_width}mean latency +- {half_width*100%.2f} %{:}" \
	"no interval of the mean latency{/}, requested {target*100%.2f} %" \
	"{+half_width}: {?reached}reached{:}stopped by the limit{/}{/}\n{/}"

#endif /* TORUS_SIM_RUN_CONVERGENCE_H */
