// SPDX-License-Identifier: GPL-2.0
/* A workload from its options to what was measured, as every figure that simulates needs it. */
#include "paper.h"

/**
 * paper_measure - run the workload of some options on a machine that there is
 * @fabric: the machine
 * @options: the workload
 * @found: gets what was measured, without a series
 *
 * Return: SIM_OK, or how the call is to end after telling why.
 */
int paper_measure(struct torus_fabric *fabric, const struct sim_options *options,
		  struct sim_measure *found)
{
	struct sim_progress progress;
	int status;

	sim_progress_begin(&progress, false, 1);
	status = sim_measure(fabric, options, &progress, found);
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
int paper_run(const struct sim_options *options, struct sim_measure *found)
{
	struct torus_fabric *fabric;
	int status = sim_fabric_new(options, &fabric);

	if (status)
		return status;
	status = paper_measure(fabric, options, found);
	torus_fabric_destroy(fabric);
	return status;
}
