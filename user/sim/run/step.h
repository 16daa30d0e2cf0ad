/* SPDX-License-Identifier: GPL-2.0 */
/* The options --stop-at and --step of a run. */
#ifndef TORUS_SIM_STEP_H
#define TORUS_SIM_STEP_H

#include <stdbool.h>
#include <stdio.h>

#include "../cmdline/run_config.h"
#include "../trace/trace.h"

struct json_object;

/**
 * struct sim_step - state of --stop-at and --step
 * @options: options of the run
 * @trace: records the events that are printed
 * @fabric: the fabric
 * @stepping: the run waits for a line on standard input before it continues
 * @next: tick at which the run stops next; ~0: none
 * @met: the run has stopped after the event of --stop-at, and has not continued
 * @why: this event
 * @stopped: the run has ended at --stop-at, or at the end of standard input
 * @clock: tick of the last stop
 */
struct sim_step {
	const struct sim_run_config *options;
	struct sim_trace *trace;
	struct torus_fabric *fabric;
	bool stepping;
	u64 next;
	bool met;
	struct torus_stopped why;
	bool stopped;
	u64 clock;
};

void sim_step_begin(struct sim_step *step, const struct sim_run_config *options,
		    struct sim_trace *trace, struct torus_fabric *fabric);
bool sim_step_continue(struct sim_step *step);
u64 sim_step_next(const struct sim_step *step);
int sim_step_end(struct sim_step *step);
void sim_step_json(struct json_object *doc, const struct sim_step *step);

#endif /* TORUS_SIM_STEP_H */
