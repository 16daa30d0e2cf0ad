// SPDX-License-Identifier: GPL-2.0
/* torus-sim run: one workload, and what it measured. */
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "config.h"
#include "faults.h"
#include "interrupt.h"
#include "measure.h"
#include "op.h"
#include "sim.h"
#include "sweep.h"
#include "typed.h"

#define JSON_FLAGS	(JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED)

static void print(const struct sim_options *options, const struct sim_typed *typed,
		  const struct sim_measure *measure)
{
	struct json_object *doc;

	if (!options->json) {
		report_text(stdout, &measure->context, &measure->result);
		if (measure->statistics.latencies)
			sim_statistics_text(measure, stdout);
		sim_balance_text(stdout, &measure->balance);
		sim_until_text(&measure->until, stdout);
		sim_series_text(&measure->series, stdout);
		if (options->series)
			sim_series_table(&measure->series, stdout);
		return;
	}
	doc = sim_measure_json(measure);
	json_object_object_add(doc, "config", sim_config_json(typed, SIM_FOR_RUN));
	puts(json_object_to_json_string_ext(doc, JSON_FLAGS));
	json_object_put(doc);
}

static bool to_file(const char *path)
{
	return path && strcmp(path, "-");
}

/* Of N runs there is no one document that these could belong to. */
static int run_replicas(const struct sim_typed *typed)
{
	if (typed->links || typed->series || typed->op || typed->histogram)
		return sim_bad("--replicate: without --series, --links, --histogram and --op");
	return sim_sweep("run", typed);
}

static int run_typed(const struct sim_typed *typed)
{
	struct sim_progress progress;
	struct sim_options options;
	struct sim_measure measure;
	struct torus_fabric *fabric;
	int status;

	if (typed->replicate)
		return run_replicas(typed);
	status = sim_options_understand(&options, typed, NULL);
	if (status)
		return status;
	if (sim_op_asked(&options)) {
		status = sim_op_run(&options, typed);
		sim_options_free(&options);
		return status;
	}
	status = sim_config_write(typed);
	if (!status && to_file(options.links))
		status = sim_writable("--links", options.links);
	if (!status && options.histogram)
		status = sim_histogram_check(options.histogram);
	if (!status)
		status = sim_fabric_new(&options, &fabric);
	if (status) {
		sim_options_free(&options);
		return status;
	}
	status = sim_faults_set(fabric, options.faults, options.nfaults);
	if (status) {
		torus_fabric_destroy(fabric);
		sim_options_free(&options);
		return status;
	}
	sim_interrupt_watch();
	sim_progress_begin(&progress, options.progress, 1);
	status = sim_measure(fabric, &options, &progress, &measure);
	sim_progress_end(&progress);
	if (status) {
		torus_fabric_destroy(fabric);
		sim_options_free(&options);
		return status;
	}
	if (options.links)
		status = sim_links_write(fabric, options.links);
	if (options.histogram && !status)
		status = sim_histogram_write(&measure, options.histogram);
	torus_fabric_destroy(fabric);
	sim_options_free(&options);
	print(&options, typed, &measure);
	sim_measure_free(&measure);
	return status ? status : sim_measure_status(&measure);
}

static int run(int argc, char **argv)
{
	struct sim_typed typed;
	int status = sim_typed_read(&typed, SIM_FOR_RUN, argc, argv);

	if (status)
		return status == SIM_HELP ? SIM_OK : status;
	status = run_typed(&typed);
	sim_typed_free(&typed);
	return status;
}

const struct sim_command sim_run_command = {
	.name = "run",
	.help = "one workload, and what it measured",
	.run = run,
};
