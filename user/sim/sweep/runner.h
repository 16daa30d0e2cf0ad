/* SPDX-License-Identifier: GPL-2.0 */
/* The runs of a sweep, with the results of each. */
#ifndef TORUS_SIM_SWEEP_RUNNER_H
#define TORUS_SIM_SWEEP_RUNNER_H

#include "metrics.h"
#include "../cmdline/sweep_axes.h"

struct json_object;

/**
 * struct sim_point - a run of a sweep
 * @measure: what was measured
 * @figures: those of a table
 * @measured: there is something in both
 * @status: how the run ended
 */
struct sim_point {
	struct sim_measure measure;
	double figures[SIM_METRICS];
	bool measured;
	int status;
};

/**
 * struct sim_points - the runs of a sweep: each setting, and each seed of it
 * @typed: what was typed
 * @axes: the settings
 * @base: what was asked for in the first setting
 * @replicas: seeds of each setting
 * @count: settings times seeds; the seed goes fastest
 * @point: by number
 * @next: the first that nobody has begun
 * @done: how many are simulated
 * @beside: how many are simulated side by side
 * @stop: begin none any more
 * @name: the command, in messages
 */
struct sim_points {
	const struct sim_cmdline *typed;
	struct sim_axes axes;
	struct sim_run_config base;
	u32 replicas;
	u32 count;
	struct sim_point *point;
	u32 next;
	u32 done;
	u32 beside;
	bool stop;
	const char *name;
};

/**
 * struct sim_setting - what was measured in a setting
 * @replicas: seeds that its figures are from; without --replicate 0 or 1
 * @mean: of each figure
 * @half: half the width of its 95 % interval; NAN of one seed
 * @hash: sum of the delivery hashes
 * @outcome: how its runs ended; if some did otherwise than others, how the first of them did
 * @first: one of the points; NULL: there is none
 */
struct sim_setting {
	u32 replicas;
	double mean[SIM_METRICS];
	double half[SIM_METRICS];
	u64 hash;
	enum sim_outcome outcome;
	const struct sim_measure *first;
};

int sim_points_init(struct sim_points *points, const char *name, const struct sim_cmdline *typed);
int sim_points_run(struct sim_points *points);
int sim_point_options(const struct sim_points *points, u32 number,
		      const struct sim_run_config *like, struct sim_run_config *options);
void sim_points_free(struct sim_points *points);
bool sim_points_any(const struct sim_points *points);
u32 sim_points_metrics(const struct sim_points *points);
struct json_object *sim_points_config(const struct sim_points *points, u32 number);
bool sim_points_setting(const struct sim_points *points, u32 number, struct sim_setting *setting);

/* The point of a setting and a seed. */
static inline const struct sim_point *sim_points_at(const struct sim_points *points, u32 setting,
						    u32 replica)
{
	return &points->point[(size_t)setting * points->replicas + replica];
}

#endif /* TORUS_SIM_SWEEP_RUNNER_H */
