// SPDX-License-Identifier: GPL-2.0
/* torus-sim run: one workload, and what it measured. */
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "checkpoint.h"
#include "config.h"
#include "faults.h"
#include "interrupt.h"
#include "json.h"
#include "measure.h"
#include "op.h"
#include "out.h"
#include "sim.h"
#include "sweep.h"
#include "timeout.h"
#include "transport/ranks.h"
#include "typed.h"

/* What a run has beside its measurement. */
struct run {
	const struct sim_typed *typed;
	struct sim_options options;
	struct sim_trace trace;
};

static void print(const struct run *run, const struct sim_measure *measure)
{
	const struct sim_options *options = &run->options;
	struct json_object *doc;

	if (!options->json) {
		report_text(stdout, &measure->context, &measure->result);
		if (measure->statistics.latencies)
			sim_statistics_text(measure, stdout);
		sim_balance_text(stdout, &measure->balance);
		sim_until_text(&measure->until, stdout);
		sim_series_text(&measure->series, stdout);
		sim_trace_text(&run->trace, stdout);
		if (options->series) {
			sim_series_table(&measure->series, stdout);
			sim_use_table(&measure->use, stdout);
		}
		return;
	}
	doc = sim_measure_json(measure);
	sim_trace_json(doc, &run->trace);
	json_object_object_add(doc, "config", sim_config_json(run->typed, SIM_FOR_RUN));
	sim_json_print(doc);
}

static bool to_file(const char *path)
{
	return path && strcmp(path, "-");
}

/* Of N runs there is no one document that these could belong to. */
static int run_replicas(const struct sim_typed *typed)
{
	if (typed->links || typed->series || typed->op || typed->histogram || typed->trace ||
	    typed->heatmap)
		return sim_bad("--replicate: without --series, --links, --histogram, --heatmap, "
			       "--trace and --op");
	return sim_sweep("run", typed);
}

/* What several ranks do not do together. */
static int run_together(const struct sim_typed *typed)
{
	const char *what = typed->op ? "--op" : typed->trace ? "--trace" : NULL;

	return what ? sim_bad("%s: not by several ranks, and %u were started: one does it", what,
			      sim_ranks_count()) : SIM_OK;
}

/* Neither two of them in one file, nor one in the midst of a JSON document. */
static int run_apart(const struct sim_options *options)
{
	const struct {
		const char *option, *path, *writes;
	} outs[] = {
		{ "--links", options->links, ".csv .txt" },
		{ "--series-links", options->series_links, ".csv .txt" },
		{ "--heatmap", options->heatmap, ".txt .svg" },
		{ "--histogram", options->histogram, ".csv .svg .png" },
		{ "--trace", options->trace.file, ".txt .jsonl" },
	};
	size_t i, j;

	for (i = 0; i < sizeof(outs) / sizeof(outs[0]); i++) {
		if (!outs[i].path)
			continue;
		if (sim_extension(outs[i].option, outs[i].path, outs[i].writes))
			return SIM_USAGE;
		if (options->json && !strcmp(outs[i].path, "-"))
			return sim_bad("%s -: standard output is --json's alone", outs[i].option);
		for (j = 0; j < i && to_file(outs[i].path); j++)
			if (outs[j].path && !strcmp(outs[i].path, outs[j].path) &&
			    strncmp(outs[i].path, "/dev/", 5))
				return sim_bad("%s %s: %s is written there", outs[i].option,
					       outs[i].path, outs[j].option);
	}
	return SIM_OK;
}

/* Can the files be written?  Nobody is to wait for an hour to hear that they cannot. */
static int run_check(const struct sim_options *options)
{
	int status = run_apart(options);

	if (!status && to_file(options->links))
		status = sim_writable("--links", options->links);
	if (!status && to_file(options->series_links))
		status = sim_writable("--series-links", options->series_links);
	if (!status && to_file(options->heatmap))
		status = sim_writable("--heatmap", options->heatmap);
	if (!status && to_file(options->trace.file))
		status = sim_writable("--trace", options->trace.file);
	if (!status && options->histogram)
		status = sim_histogram_check(options->histogram);
	if (!status)
		status = sim_checkpoint_check(options);
	return status;
}

static int run_write(struct run *run, struct torus_fabric *fabric,
		     struct sim_measure *measure)
{
	const struct sim_options *options = &run->options;
	int status = sim_use_end(&measure->use);

	if (options->heatmap && !status)
		status = sim_heat_write(&measure->use, options->heatmap);
	if (options->links && !status)
		status = sim_links_write(fabric, options->links);
	if (options->trace.file && !status)
		status = sim_trace_write(&run->trace);
	if (options->histogram && !status && !sim_ranks_silent())
		status = sim_histogram_write(measure, options->histogram);
	return status;
}

/* The workload on its fabric, and what is told of it. */
static int run_fabric(struct run *run, struct torus_fabric *fabric)
{
	const struct sim_options *options = &run->options;
	struct sim_progress progress;
	struct sim_measure measure;
	int status;

	status = sim_faults_set(fabric, options->faults, options->nfaults);
	if (!status)
		status = sim_trace_start(&run->trace, &options->trace, fabric);
	if (status)
		return status;
	sim_interrupt_watch();
	sim_progress_begin(&progress, options->progress && !sim_ranks_silent(), 1);
	status = sim_measure(fabric, options, &progress, &measure);
	sim_progress_end(&progress);
	if (status)
		return status;
	status = run_write(run, fabric, &measure);
	print(run, &measure);
	sim_measure_free(&measure);
	return status ? status : sim_measure_status(&measure);
}

static int run_typed(struct sim_typed *typed)
{
	struct torus_fabric *fabric;
	struct run run = { .typed = typed };
	int status;

	if (typed->replicate)
		return run_replicas(typed);
	typed->ranks = sim_ranks();
	status = typed->ranks ? run_together(typed) : SIM_OK;
	if (status)
		return status;
	status = sim_options_understand(&run.options, typed, NULL);
	if (status)
		return status;
	if (sim_op_asked(&run.options)) {
		status = sim_op_run(&run.options, typed);
		sim_options_free(&run.options);
		return status;
	}
	status = sim_ranks_silent() ? SIM_OK : sim_pin_write(typed, &run.options, NULL);
	if (!status)
		status = run_check(&run.options);
	if (!status)
		status = sim_fabric_new(&run.options, &fabric);
	if (!status) {
		status = run_fabric(&run, fabric);
		sim_trace_free(&run.trace);
		torus_fabric_destroy(fabric);
	}
	sim_options_free(&run.options);
	return status;
}

static int run(int argc, char **argv)
{
	struct sim_typed typed;
	int status = sim_typed_read(&typed, SIM_FOR_RUN, argc, argv);

	if (status)
		return status == SIM_HELP ? SIM_OK : status;
	status = sim_timeout_take(typed.rank_timeout);
	if (!status && typed.restore)
		status = sim_checkpoint_options(&typed, SIM_FOR_RUN);
	if (!status)
		status = run_typed(&typed);
	sim_typed_free(&typed);
	return status;
}

const struct sim_command sim_run_command = {
	.name = "run",
	.help = "one workload, and what it measured",
	.run = run,
	.ranks = true,
};
