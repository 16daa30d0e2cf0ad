/* SPDX-License-Identifier: GPL-2.0 */
/* The same streams of jobs by several rules, and how far apart these are. */
#ifndef TORUS_JOBS_EXPERIMENT_H
#define TORUS_JOBS_EXPERIMENT_H

#include "jobs.h"

struct sim_progress;

#define STUDY_SEEDS_MAX	100u
#define STUDY_RULES_MAX	(JOBS_SHAPES * JOBS_ORDERS)
#define JOBS_LARGE_EIGHTH	(~0u)	/* an eighth of the machine's nodes */

/**
 * struct jobs_rule - where jobs go, and who may start
 * @shapes: where
 * @order: who
 */
struct jobs_rule {
	enum jobs_shapes shapes;
	enum jobs_order order;
};

/**
 * struct jobs_experiment - what was asked for, and what came of it
 * @g: the machine
 * @kinds: views
 * @law: of jobs
 * @log: a log in the place of drawn jobs, or NULL
 * @scaled: a log's arrivals are scaled to the law's load
 * @seed: of the first stream
 * @seeds: streams
 * @depth: of backfill
 * @redundancy: nodes from which on a job has redundancy nodes, 0: none
 * @rule: rules, in the order in which they are compared with the first
 * @rules: their number
 * @result: by rule and stream
 * @load: by stream: what it offered, NAN if it was not drawn
 * @jobs: jobs of the last stream
 * @skipped: jobs of a log that were left out
 */
struct jobs_experiment {
	struct torus_geometry g;
	struct jobs_kinds kinds;
	struct jobs_law law;
	const char *log;
	bool scaled;
	u64 seed;
	u32 seeds;
	u32 depth;
	u32 redundancy;
	struct jobs_rule rule[STUDY_RULES_MAX];
	u32 rules;
	struct jobs_result result[STUDY_RULES_MAX][STUDY_SEEDS_MAX];
	double load[STUDY_SEEDS_MAX];
	u32 jobs;
	u32 skipped;
};

/**
 * struct jobs_mean - a mean and its 95 % confidence interval
 * @mean: the mean
 * @half: half the interval's width; NAN of a single value
 */
struct jobs_mean {
	double mean;
	double half;
};

void jobs_experiment_begin(struct jobs_experiment *study);
int jobs_experiment_machine(struct jobs_experiment *study, const u32 *groups, u32 mesh, u32 large);
int jobs_experiment_run(struct jobs_experiment *study, struct sim_progress *progress);
struct jobs_mean jobs_experiment_mean(const struct jobs_experiment *study, u32 rule);
struct jobs_mean jobs_experiment_gain(const struct jobs_experiment *study, u32 rule);
bool jobs_experiment_stopped(const struct jobs_experiment *study, u32 *stream, u32 *rule);
bool jobs_experiment_counts(const struct jobs_experiment *study, u32 rule, u32 stream);

#endif /* TORUS_JOBS_EXPERIMENT_H */
