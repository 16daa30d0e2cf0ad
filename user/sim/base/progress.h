/* SPDX-License-Identifier: GPL-2.0 */
/* Report on standard error how much of the work is done. */
#ifndef TORUS_SIM_PROGRESS_H
#define TORUS_SIM_PROGRESS_H

#include <stdbool.h>

#include "core/platform.h"

struct torus_fabric;

/**
 * struct sim_progress - progress report on standard error
 * @on: report progress
 * @terminal: standard error is a terminal: each report overwrites the last one
 * @shown: a report has been printed and not erased
 * @done: finished parts, out of @all; all parts are equal work
 * @all: number of parts
 * @run: number of the current run, from 1, if the total is unknown; else 0
 * @began_s: start of the work, by sim_wall_s()
 * @reported_s: last report, by sim_wall_s()
 */
struct sim_progress {
	bool on;
	bool terminal;
	bool shown;
	u32 done;
	u32 all;
	u32 run;
	double began_s;
	double reported_s;
};

double sim_wall_s(void);
double sim_cpu_s(void);
double sim_cpu_thread_s(void);
void sim_progress_begin(struct sim_progress *progress, bool on, u32 all);
void sim_progress_show(struct sim_progress *progress, struct torus_fabric *fabric);
void sim_progress_at(struct sim_progress *progress, double share, struct torus_fabric *fabric);
bool sim_progress_due(const struct sim_progress *progress);
void sim_progress_report(struct sim_progress *progress, double share, struct torus_fabric *fabric);
void sim_progress_end(struct sim_progress *progress);

#endif /* TORUS_SIM_PROGRESS_H */
