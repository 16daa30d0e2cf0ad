/* SPDX-License-Identifier: GPL-2.0 */
/* The runs (points) of a sweep, with the results of each. */
#ifndef TORUS_SIM_SWEEP_RUNNER_H
#define TORUS_SIM_SWEEP_RUNNER_H

#include "metrics.h"
#include "../cmdline/sweep_axes.h"

struct json_object;

/**
 * struct sim_point - one point of a sweep: a run with one setting and one seed
 * @measure: results of the run
 * @figures: metrics for tables and plots
 * @measured: @measure and @figures are valid
 * @status: exit status of the run
 */
struct sim_point {
	struct sim_measure measure;
	double figures[SIM_METRICS];
	bool measured;
	int status;
};

/**
 * struct sim_points - the runs of a sweep: one per setting and seed
 * @typed: the options as words
 * @axes: the settings
 * @base: options of the first setting
 * @replicas: number of seeds per setting
 * @count: number of points: settings times seeds. In @point the seed varies fastest
 * @point: array of points
 * @next: number of the next point to simulate
 * @done: number of simulated points
 * @beside: number of points that run in parallel
 * @stop: start no further points
 * @name: name of the command, for messages
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
 * struct sim_setting - summary of a setting's results over its seeds
 * @replicas: number of seeds that count; 0 or 1 without --replicate
 * @mean: mean of each metric
 * @half: half width of each mean's 95 % interval; NAN for one seed
 * @hash: sum of the delivery hashes of the seeds that count
 * @outcome: SIM_DONE if all measured runs finished, else the outcome of the first that did not
 * @first: results of the first seed that counts; NULL: none
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

/* Get the point of a setting and a seed. */
static inline const struct sim_point *sim_points_at(const struct sim_points *points, u32 setting,
						    u32 replica)
{
	return &points->point[(size_t)setting * points->replicas + replica];
}

#endif /* TORUS_SIM_SWEEP_RUNNER_H */
