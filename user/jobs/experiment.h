/* SPDX-License-Identifier: GPL-2.0 */
/* Run the same job streams with several rules, and compare the rules. */
#ifndef TORUS_JOBS_EXPERIMENT_H
#define TORUS_JOBS_EXPERIMENT_H

#include "jobs.h"

struct sim_progress;

#define STUDY_SEEDS_MAX	100u
#define STUDY_RULES_MAX	(JOBS_SHAPES * JOBS_ORDERS)
/* value of @large: jobs of at least an eighth of the machine have redundancy nodes */
#define JOBS_LARGE_EIGHTH	(~0u)

/**
 * struct jobs_rule - a rule of placement and scheduling
 * @shapes: boxes that jobs may use
 * @order: scheduling policy
 */
struct jobs_rule {
	enum jobs_shapes shapes;
	enum jobs_order order;
};

/**
 * struct jobs_experiment - parameters and results of a study
 * @kinds: views that jobs request
 * @law: distributions of the generated jobs
 * @log: file name of a log that replaces generated jobs, or NULL
 * @scaled: scale the arrivals of the log to the load in @law
 * @seed: seed of the first stream
 * @seeds: number of streams
 * @depth: backfill tries the jobs at places 2 to @depth of the queue; the first one waits for nodes
 * @redundancy: minimum nodes of a job with redundancy nodes; 0: no job has them
 * @rule: array of rules; the first one is compared with each of the others
 * @rules: number of rules
 * @result: array of results by rule and stream
 * @load: array of offered loads by stream; NAN if the stream was not generated
 * @jobs: number of jobs of the last stream
 * @skipped: number of jobs of the log that were ignored
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
 * @half: half width of the interval; NAN for a single value
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
