// SPDX-License-Identifier: GPL-2.0
/*
 * The load from which a network accepts less than 0.99 of what is offered, by bisection: each
 * load on a fresh fabric, with the same seed.
 */
#include <math.h>
#include <stdio.h>

#include <json-c/json.h>

#include "interrupt.h"
#include "measure.h"
#include "saturation.h"
#include "sim.h"

#define JSON_FLAGS	(JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED)
#define ACCEPTED	0.99
#define LOAD_MAX	2.0
#define APART		(1.0 / 1024)	/* of the two loads between which it lies */

/**
 * struct search - loads that were tried
 * @options: what was asked for
 * @progress: told as it goes on
 * @below: the highest load of which enough was accepted
 * @above: the lowest of which less was
 * @rate: packets a node and tick that were accepted there
 * @tried: each load, and the part of it that was accepted
 */
struct search {
	struct sim_options *options;
	struct sim_progress *progress;
	double below;
	double above;
	double rate;
	struct json_object *tried;
};

/* One load; whether less than enough is accepted. */
static int search_try(struct search *search, double load, bool *less)
{
	struct sim_measure measure;
	struct torus_fabric *fabric;
	struct json_object *one;
	double accepted, ticks;
	int status;

	search->options->load.traffic.load = (u64)ldexp(load, 32);
	status = sim_fabric_new(search->options, &fabric);
	if (status)
		return status;
	status = sim_measure(fabric, search->options, search->progress, &measure);
	torus_fabric_destroy(fabric);
	if (status)
		return status;
	status = sim_measure_status(&measure);
	ticks = (double)(measure.result.window_end - measure.result.window_start);
	accepted = measure.result.win_generated ?
		   (double)measure.result.win_delivered / measure.result.win_generated : 1;
	*less = accepted < ACCEPTED;
	if (*less)
		search->rate = measure.result.win_delivered / ticks / measure.result.nodes;
	one = json_object_new_object();
	report_add_double(one, "load", load);
	report_add_double(one, "accepted", accepted);
	report_add_hash(one, "delivery_hash", measure.result.hash);
	json_object_array_add(search->tried, one);
	search->progress->done++;
	sim_measure_free(&measure);
	return status;
}

static int search_run(struct search *search)
{
	bool less;
	int status = search_try(search, search->above, &less);

	if (!status && !less)
		return sim_failed("--find-saturation: at load 2 more than %.2f are accepted still",
				  ACCEPTED);
	while (!status && search->above - search->below > APART) {
		double load = (search->below + search->above) / 2;

		status = search_try(search, load, &less);
		if (less)
			search->above = load;
		else
			search->below = load;
	}
	return status;
}

static void search_print(const struct search *search)
{
	struct json_object *doc;

	if (!search->options->json) {
		printf("saturated  from load %.4f on less than %.2f of what is offered is "
		       "accepted: %.6g packets a node and tick\n",
		       search->above, ACCEPTED, search->rate);
		return;
	}
	doc = json_object_new_object();
	report_add_double(doc, "saturation_load", search->above);
	report_add_double(doc, "accepted_load_below", search->below);
	report_add_double(doc, "accepted_packets_per_node_cycle", search->rate);
	json_object_object_add(doc, "tried", json_object_get(search->tried));
	puts(json_object_to_json_string_ext(doc, JSON_FLAGS));
	json_object_put(doc);
}

/**
 * sim_saturation - find the load from which less than 0.99 of what is offered is accepted
 * @typed: what was typed
 *
 * Return: how the call ends.
 */
int sim_saturation(const struct sim_typed *typed)
{
	struct sim_typed copy = *typed;
	struct sim_progress progress;
	struct sim_options options;
	struct search search = {
		.options = &options, .progress = &progress, .above = LOAD_MAX,
	};
	int status;

	if (typed->loads || typed->novers || typed->load || typed->packets || typed->replicate ||
	    typed->csv || typed->plot)
		return sim_bad("--find-saturation: finds the load of one setting, and answers with "
			       "text or JSON");
	copy.load = "1";
	status = sim_options_understand(&options, &copy, NULL);
	if (status)
		return status;
	search.tried = json_object_new_array();
	sim_interrupt_watch();
	sim_progress_begin(&progress, options.progress, 12);
	status = search_run(&search);
	sim_progress_end(&progress);
	if (!status)
		search_print(&search);
	json_object_put(search.tried);
	sim_options_free(&options);
	return status;
}
