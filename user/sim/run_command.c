// SPDX-License-Identifier: GPL-2.0
/* The command torus-sim run: simulate one workload and print its results. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "../parse/pattern.h"
#include "../report/print.h"
#include "run/checkpoint.h"
#include "cmdline/config.h"
#include "cmdline/faults.h"
#include "run/heatmap.h"
#include "run/histogram.h"
#include "base/signals.h"
#include "base/json.h"
#include "run/link_csv.h"
#include "run/measure.h"
#include "run/rdma.h"
#include "run/step.h"
#include "base/output_file.h"
#include "cmdline/pin.h"
#include "base/message.h"
#include "sweep/output.h"
#include "sweep/sweep.h"
#include "cmdline/proc_timeout.h"
#include "transport/procs.h"
#include "cmdline/cmdline.h"
#include "run_command.h"

/* A run: its options, its fabric and its results. */
struct sim_run {
	const struct sim_cmdline *typed;
	struct sim_run_config options;
	struct torus_fabric *fabric;
	struct sim_trace trace;
	struct sim_step step;
	struct sim_measure measure;
};

/* Print the header and the line that a sweep with only this run prints. */
static void run_csv(const struct sim_run *run)
{
	struct sim_point point = { .measure = run->measure, .measured = true };
	struct sim_points points = {
		.typed = run->typed, .replicas = 1, .count = 1, .point = &point,
		.axes = { .settings = 1 },
	};

	sim_metrics(&run->measure, point.figures);
	sim_sweep_print_csv(&points);
}

static void run_print(const struct sim_run *run)
{
	const struct sim_measure *measure = &run->measure;
	const struct sim_run_config *options = &run->options;
	struct json_object *doc;

	if (options->csv) {
		run_csv(run);
		return;
	}
	doc = sim_measure_json(measure);
	if (!options->json) {
		report_text(stdout, &measure->context, &measure->result);
		report_print(stdout, doc, SIM_STATISTICS_FORM);
		sim_balance_text(stdout, &measure->balance);
		report_print(stdout, doc, SIM_CONVERGENCE_FORM SIM_SERIES_FORM);
		sim_trace_text(&run->trace, stdout);
		if (options->series) {
			sim_series_table(&measure->series, stdout);
			sim_link_usage_table(&measure->use, stdout);
		}
		json_object_put(doc);
		return;
	}
	sim_trace_json(doc, &run->trace);
	sim_step_json(doc, &run->step);
	json_object_object_add(doc, "config", sim_config_json(run->typed, SIM_FOR_RUN));
	sim_json_print(doc);
}

/* --replicate summarizes N runs, so options that report or stop a single run are rejected. */
static int run_replicas(const struct sim_cmdline *typed)
{
	if (typed->links || typed->series || typed->op || typed->histogram || typed->trace ||
	    typed->heatmap || typed->stop_at || typed->step)
		return sim_reject("--replicate: must not be combined with --series, --links, "
				  "--histogram, --heatmap, --trace, --stop-at, --step or --op");
	return sim_sweep("run", typed);
}

/*
 * Reject options of a run that is simulated by several processes, if these options work only with
 * one process.
 */
static int run_together(const struct sim_cmdline *typed)
{
	const char *what = typed->op ? "--op" : typed->trace ? "--trace" :
			   typed->stop_at ? "--stop-at" : typed->step ? "--step" :
			   typed->pattern && parse_pattern_timed(typed->pattern) ?
			   "--pattern timed:FILE" : NULL;

	return what ? sim_reject("%s: must run as one process, not as %u ranks", what,
				 sim_procs_count()) : SIM_OK;
}

/**
 * struct output - file that a run writes in addition to its results
 * @option: option that names the file
 * @place: offset of the file's name in struct sim_run_config
 * @endings: accepted file name extensions, for sim_extension()
 * @check: function that checks before the run whether the file can be written
 * @write: function that writes the file after the run; NULL if the file is written during the run
 */
struct output {
	const char *option;
	size_t place;
	const char *endings;
	int (*check)(const char *option, const char *path);
	int (*write)(struct sim_run *run, const char *path);
};

static int write_heatmap(struct sim_run *run, const char *path)
{
	return sim_heatmap_write(&run->measure.use, path);
}

static int write_links(struct sim_run *run, const char *path)
{
	return sim_link_csv_write(run->fabric, path);
}

static int write_trace(struct sim_run *run, const char *path)
{
	return sim_trace_write(&run->trace, path);
}

static int write_histogram(struct sim_run *run, const char *path)
{
	/*
	 * only process 0 draws: gnuplot cannot draw into /dev/null, the output of the other
	 * processes
	 */
	return sim_procs_silent() ? SIM_OK : sim_histogram_write(&run->measure, path);
}

#define PLACE(member)	offsetof(struct sim_run_config, member)

/* All output files, in the order in which they are written. */
static const struct output outputs[] = {
	{ "--series-links", PLACE(series_links), ".csv .txt", sim_writable, NULL },
	{ "--heatmap", PLACE(heatmap), ".txt .svg", sim_writable, write_heatmap },
	{ "--links", PLACE(links), ".csv .txt", sim_writable, write_links },
	{ "--trace", PLACE(trace.file), ".txt .json .jsonl", sim_writable, write_trace },
	{ "--histogram", PLACE(histogram), ".csv .svg .png", sim_histogram_check,
	  write_histogram },
	{ "--checkpoint", PLACE(checkpoint), ".state", sim_checkpoint_check, NULL },
};

#define OUTPUTS	(sizeof(outputs) / sizeof(outputs[0]))

static const char *path_of(const struct sim_run_config *options, const struct output *output)
{
	return *(const char *const *)((const char *)options + output->place);
}

/*
 * Reject two options with the same file (except in /dev), and standard output in addition to
 * --json and --csv.
 */
static int run_apart(const struct sim_run_config *options, const struct output *output)
{
	const char *path = path_of(options, output), *other;
	const struct output *o;

	if (!strcmp(path, "-"))
		return options->json || options->csv ?
		       sim_reject("%s -: must be a file, because --%s uses standard output",
				  output->option, options->json ? "json" : "csv") : SIM_OK;
	for (o = outputs; o < output; o++) {
		other = path_of(options, o);
		if (other && !strcmp(path, other) && strncmp(path, "/dev/", 5))
			return sim_reject("%s %s: must be a different file, because %s writes this "
					  "one", output->option, path, o->option);
	}
	return SIM_OK;
}

/* Check that output files are writable before a run that may take an hour. */
static int run_check(const struct sim_run_config *options)
{
	int status = SIM_OK;
	const char *path;
	size_t i;

	for (i = 0; i < OUTPUTS && !status; i++) {
		path = path_of(options, &outputs[i]);
		if (!path)
			continue;
		status = sim_extension(outputs[i].option, path, outputs[i].endings);
		if (!status)
			status = run_apart(options, &outputs[i]);
		if (!status && strcmp(path, "-"))
			status = outputs[i].check(outputs[i].option, path);
	}
	return status;
}

static int run_write(struct sim_run *run)
{
	int status = sim_link_usage_end(&run->measure.use);
	const char *path;
	size_t i;

	for (i = 0; i < OUTPUTS && !status; i++) {
		path = path_of(&run->options, &outputs[i]);
		if (path && outputs[i].write)
			status = outputs[i].write(run, path);
	}
	return status;
}

/* Run the workload on its fabric, then write the output files and print the results. */
static int run_fabric(struct sim_run *run)
{
	const struct sim_run_config *options = &run->options;
	struct sim_progress progress;
	int status;

	status = sim_faults_set(run->fabric, options->faults, options->nfaults);
	if (!status)
		status = sim_trace_start(&run->trace, &options->trace, run->fabric);
	if (status)
		return status;
	sim_signals_catch();
	sim_progress_begin(&progress, options->progress && !sim_procs_silent(), 1);
	if (options->trace.lines)
		sim_step_begin(&run->step, options, &run->trace, run->fabric);
	status = sim_measure(run->fabric, options, &progress,
			     options->trace.lines ? &run->step : NULL, &run->measure);
	sim_progress_end(&progress);
	if (status)
		return status;
	status = run_write(run);
	if (options->trace.lines && sim_step_end(&run->step))
		status = SIM_FAILED;
	run_print(run);
	if (!status)
		status = sim_measure_status(&run->measure);
	sim_measure_free(&run->measure);
	return status;
}

static int run_typed(struct sim_cmdline *typed)
{
	struct sim_run run = { .typed = typed };
	int status;

	if (typed->replicate)
		return run_replicas(typed);
	if (typed->csv && (typed->series || typed->stop_at || typed->step || typed->op))
		return sim_reject("--csv: must not be combined with --series, --stop-at, --step or "
				  "--op");
	typed->ranks = sim_procs();
	status = typed->ranks ? run_together(typed) : SIM_OK;
	if (status)
		return status;
	status = sim_run_config_parse(&run.options, typed, NULL);
	if (status)
		return status;
	if (sim_rdma_requested(&run.options)) {
		status = sim_rdma_run(&run.options, typed);
		sim_run_config_free(&run.options);
		return status;
	}
	status = sim_procs_silent() ? SIM_OK : sim_pin_write(typed, &run.options, NULL);
	if (!status)
		status = run_check(&run.options);
	if (!status)
		status = sim_fabric_new(&run.options, &run.fabric);
	if (!status) {
		status = run_fabric(&run);
		sim_trace_free(&run.trace);
		torus_fabric_destroy(run.fabric);
	}
	sim_run_config_free(&run.options);
	return status;
}

static int run_command_run(int argc, char **argv)
{
	struct sim_cmdline typed;
	int status = sim_cmdline_read(&typed, SIM_FOR_RUN, argc, argv);

	if (status)
		return status == OPTION_DONE ? SIM_OK : status;
	status = sim_proc_timeout_parse(typed.rank_timeout);
	if (!status && typed.restore)
		status = sim_checkpoint_options(&typed, SIM_FOR_RUN);
	if (!status)
		status = run_typed(&typed);
	sim_cmdline_free(&typed);
	return status;
}

const struct sim_command sim_run_command = {
	.name = "run",
	.help = "simulate one workload",
	.run = run_command_run,
	.ranks = true,
};
