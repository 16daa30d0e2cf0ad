// SPDX-License-Identifier: GPL-2.0
/* The command torus-sim sweep: one workload in many settings, such as latency against load. */
#include "output.h"
#include "plot.h"
#include "../cmdline/pin.h"
#include "../base/plot.h"
#include "saturation.h"
#include "../base/message.h"
#include "sweep.h"
#include "../cmdline/proc_timeout.h"
#include "../transport/procs.h"

/* Simulate all points, draw them if @plot is not NULL, and print them. */
static int sweep_points(struct sim_points *points, struct sim_plot *plot)
{
	int status = sim_points_run(points), drawn = SIM_OK;
	bool any = sim_points_any(points);

	if (plot && any)
		sim_sweep_plot_draw(sim_plot_script(plot), points);
	if (plot)
		drawn = sim_plot_close(plot, any);
	/*
	 * Without a measured point there is nothing to print: the first error was already reported.
	 */
	if (any && points->base.json)
		sim_sweep_print_json(points);
	else if (any && points->base.csv)
		sim_sweep_print_csv(points);
	else if (any)
		sim_sweep_print_text(points);
	return status ? status : drawn;
}

/**
 * sim_sweep - simulate a workload in each setting and with each seed
 * @name: name of the command, for messages
 * @typed: the options
 *
 * Return: exit status of the command.
 */
int sim_sweep(const char *name, const struct sim_cmdline *typed)
{
	struct sim_plot *plot = NULL;
	struct sim_points points;
	int status = sim_points_init(&points, name, typed);

	if (!status && typed->plot && !sim_sweep_plot_fit(&points))
		status = sim_reject("plot %s: a key of --over must have numbers as values",
				    typed->plot);
	if (!status && !sim_procs_silent())
		status = sim_pin_write(typed, &points.base, &points.axes);
	if (!status && typed->plot && !sim_procs_silent())
		status = sim_plot_open(typed->plot, &plot);
	if (!status)
		status = sweep_points(&points, plot);
	sim_points_free(&points);
	return status;
}

static int sweep_run(int argc, char **argv)
{
	struct sim_cmdline typed;
	int status = sim_cmdline_read(&typed, SIM_FOR_SWEEP, argc, argv);

	if (status)
		return status == OPTION_DONE ? SIM_OK : status;
	status = sim_proc_timeout_parse(typed.rank_timeout);
	if (!status && typed.saturation && sim_procs())
		status = sim_reject("--find-saturation: must run as one process, not as %u ranks",
				    sim_procs_count());
	else if (!status && typed.saturation)
		status = sim_saturation(&typed);
	else if (!status && !typed.loads && !typed.novers)
		status = sim_reject("--loads or --over is missing");
	else if (!status)
		status = sim_sweep("sweep", &typed);
	sim_cmdline_free(&typed);
	return status;
}

const struct sim_command sim_sweep_command = {
	.name = "sweep",
	.help = "simulate a workload with many settings: latency and throughput against load",
	.run = sweep_run,
	.ranks = true,
};
