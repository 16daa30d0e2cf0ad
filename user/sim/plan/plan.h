/* SPDX-License-Identifier: GPL-2.0 */
/* torus-sim plan: what a run will take, before it. */
#ifndef TORUS_SIM_PLAN_H
#define TORUS_SIM_PLAN_H

#include <stdio.h>

#include "../typed.h"
#include "model.h"

struct json_object;

#define PLAN_SIZES	3	/* of a table: 10^6, 10^7 and 10^8 nodes */
#define PLAN_CORES	5	/* 1, 16, .. 65,536 */

/**
 * struct plan_point - a machine on a number of cores
 * @nodes: of the machine
 * @cores: that simulate it, each a rank
 * @bytes: that one takes
 * @ms: seconds of a simulated millisecond
 * @alone: of one core that had memory for it
 */
struct plan_point {
	double nodes;
	double cores;
	double bytes;
	double ms;
	double alone;
};

/**
 * struct plan - a run that is planned
 * @options: what was asked for
 * @ranks: of which it is to be simulated, for the core's arithmetic; @count 1: no ranks
 * @ticks: of the run
 * @c: what has been measured
 * @load: what the machine does
 * @course: the run
 * @boxes: how the machine is cut
 * @parallel: who simulates it
 * @memory: what it takes
 * @time: how long it takes
 * @available: bytes that there are for @needed
 * @needed: bytes of all ranks of this machine, or of one rank where it is another
 * @points: of the table
 * @npoints: how many
 */
struct plan {
	struct sim_options options;
	struct torus_ranks ranks;
	double ticks;
	struct plan_constants c;
	struct plan_load load;
	struct plan_course course;
	struct plan_boxes boxes;
	struct plan_parallel parallel;
	struct plan_memory memory;
	struct plan_time time;
	double available;
	double needed;
	struct plan_point points[PLAN_SIZES * PLAN_CORES];
	u32 npoints;
};

int plan_measure(struct plan *plan);
void plan_table(struct plan *plan);
void plan_text(const struct plan *plan, FILE *out);
struct json_object *plan_json(const struct plan *plan, const struct sim_typed *typed);

#endif /* TORUS_SIM_PLAN_H */
