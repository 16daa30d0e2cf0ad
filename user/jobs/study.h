/* SPDX-License-Identifier: GPL-2.0 */
/* The same streams of jobs by several rules, and how far apart these are. */
#ifndef TORUS_JOBS_STUDY_H
#define TORUS_JOBS_STUDY_H

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
 * struct jobs_study - what was asked for, and what came of it
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
struct jobs_study {
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

void jobs_study_begin(struct jobs_study *study);
int jobs_study_machine(struct jobs_study *study, const u32 *groups, u32 mesh, u32 large);
int jobs_study_run(struct jobs_study *study, struct sim_progress *progress);
struct jobs_mean jobs_study_mean(const struct jobs_study *study, u32 rule);
struct jobs_mean jobs_study_gain(const struct jobs_study *study, u32 rule);
bool jobs_study_stopped(const struct jobs_study *study, u32 *stream, u32 *rule);
bool jobs_study_counts(const struct jobs_study *study, u32 rule, u32 stream);

#endif /* TORUS_JOBS_STUDY_H */
