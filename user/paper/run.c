// SPDX-License-Identifier: GPL-2.0
/* Run one workload of a figure, from its options to its measurements. */
#include "../sim/transport/procs.h"
#include "paper.h"
#include "run.h"

/*
 * Progress reports: whether they are enabled, and the number of runs started. Runs never overlap.
 */
static struct {
	bool on;
	u32 runs;
} progress_state;

/**
 * paper_progress - enable or disable progress reports on standard error, in the process that
 * prints; other processes never report progress
 */
void paper_progress(bool on)
{
	progress_state.on = on && !sim_procs_silent();
}

/**
 * paper_progress_begin - start the progress report of the figure's next run
 * @progress: [out] ended by sim_progress_end()
 */
void paper_progress_begin(struct sim_progress *progress)
{
	sim_progress_begin(progress, progress_state.on, 1);
	progress->run = ++progress_state.runs;
}

/**
 * paper_measure - run a workload on an existing fabric
 * @options: the workload
 * @found: [out] measurements, without a time series
 *
 * Return: SIM_OK, or the exit status after an error message.
 */
int paper_measure(struct torus_fabric *fabric, const struct sim_run_config *options,
		  struct sim_measure *found)
{
	struct sim_progress progress;
	int status;

	paper_progress_begin(&progress);
	status = sim_measure(fabric, options, &progress, NULL, found);
	sim_progress_end(&progress);
	if (status)
		return status;
	sim_series_free(&found->series);
	return sim_measure_status(found);
}

/**
 * paper_run - run a workload on a new fabric
 * @options: configuration of the fabric, and the workload
 * @found: [out] measurements, without a time series
 *
 * Return: SIM_OK, or the exit status after an error message.
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
