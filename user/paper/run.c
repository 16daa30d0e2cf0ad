// SPDX-License-Identifier: GPL-2.0
/* Run a workload for a figure: from its options to the measurement. */
#include "../sim/transport/procs.h"
#include "paper.h"
#include "run.h"

/* How far the figure's runs are is told; how many have begun.  One begins when another is over. */
static struct {
	bool on;
	u32 runs;
} telling;

/**
 * paper_progress - tell how far each run of the figure is, on standard error
 * @on: or do not
 */
void paper_progress(bool on)
{
	telling.on = on && !sim_procs_silent();
}

/**
 * paper_progress_begin - the next run of the figure begins
 * @progress: to be filled in; sim_progress_end() follows
 */
void paper_progress_begin(struct sim_progress *progress)
{
	sim_progress_begin(progress, telling.on, 1);
	progress->run = ++telling.runs;
}

/**
 * paper_measure - run the workload of some options on a machine that there is
 * @fabric: the machine
 * @options: the workload
 * @found: gets what was measured, without a series
 *
 * Return: SIM_OK, or how the call is to end after telling why.
 */
int paper_measure(struct torus_fabric *fabric, const struct sim_run_config *options,
		  struct sim_measure *found)
{
	struct sim_progress progress;
	int status;

	paper_progress_begin(&progress);
	status = sim_measure(fabric, options, &progress, found);
	sim_progress_end(&progress);
	if (status)
		return status;
	sim_series_free(&found->series);
	return sim_measure_status(found);
}

/**
 * paper_run - run the workload of some options on a machine of its own
 * @options: machine and workload
 * @found: gets what was measured, without a series
 *
 * Return: SIM_OK, or how the call is to end after telling why.
 */
int paper_run(const struct sim_run_config *options, struct sim_measure *found)
{
	struct torus_fabric *fabric;
	int status = sim_fabric_new(options, &fabric);

	if (status)
		return status;
	status = paper_measure(fabric, options, found);
	torus_fabric_destroy(fabric);
	return status;
}
