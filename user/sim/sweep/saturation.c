// SPDX-License-Identifier: GPL-2.0
/*
 * The option --find-saturation: find the load above which a network accepts less than 0.99 of the
 * offered packets. The search is a bisection. Each load runs on a new fabric with the same seed.
 *
 * The difference between offered and accepted packets in a window is the growth of the queues. This
 * difference fluctuates. A result is final if the window has PACKETS_ENOUGH packets, or if it has
 * PACKETS_LEAST packets and the window of half the length gave the same result.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "../cmdline/config.h"
#include "../base/signals.h"
#include "../base/json.h"
#include "../run/measure.h"
#include "../cmdline/pin.h"
#include "saturation.h"
#include "../base/message.h"
#include "../../report/json.h"

#define ACCEPTED	0.99
#define WORD(number)	#number
#define FORM_OF(accepted)	"saturated  above load {saturation_load%.4f} less than " \
	WORD(accepted) " of the offered packets are accepted: " \
	"{accepted_packets_per_node_cycle%.6g} packets per node and tick\n"
#define LOAD_MAX	2.0
/* the search ends when its bounds differ by at most this load */
#define APART		(1.0 / 1024)
/* least number of packets that must be generated in the window of a final result */
#define PACKETS_LEAST	30000
/* with this number of packets, the result of a single window is final */
#define PACKETS_ENOUGH	1000000

/**
 * struct saturation_search - state of the bisection
 * @options: the options
 * @progress: progress report
 * @below: highest tried load at which the network accepts enough; 0: none
 * @above: lowest tried load at which the network accepts less
 * @rate: packets accepted per node and tick at @above
 * @tried: JSON array of the tried loads, each with the accepted fraction
 */
struct saturation_search {
	struct sim_run_config *options;
	struct sim_progress *progress;
	double below;
	double above;
	double rate;
	struct json_object *tried;
};

/**
 * struct saturation_trial - result of a load in one window
 * @generated: number of generated packets
 * @delivered: number of delivered packets
 * @ticks: length of the window
 * @nodes: number of nodes
 * @hash: delivery hash
 */
struct saturation_trial {
	double generated;
	double delivered;
	double ticks;
	double nodes;
	u64 hash;
};

static double trial_accepted(const struct saturation_trial *trial)
{
	return trial->generated ? trial->delivered / trial->generated : 1;
}

static int trial_run(struct saturation_search *search, struct saturation_trial *trial)
{
	struct sim_measure measure;
	struct torus_fabric *fabric;
	int status = sim_fabric_new(search->options, &fabric);

	if (status)
		return status;
	status = sim_measure(fabric, search->options, search->progress, NULL, &measure);
	torus_fabric_destroy(fabric);
	if (status)
		return status;
	status = sim_measure_status(&measure);
	*trial = (struct saturation_trial){
		.generated = measure.result.win_generated,
		.delivered = measure.result.win_delivered,
		.ticks = measure.result.window_end - measure.result.window_start,
		.nodes = measure.result.nodes, .hash = measure.result.hash,
	};
	sim_measure_free(&measure);
	return status;
}

/*
 * Try one load in windows of doubling length until the result is final. @less: [out] the network
 * accepts less than 0.99 of the offered packets.
 */
static int search_try(struct saturation_search *search, double load, bool *less)
{
	struct torus_traffic *traffic = &search->options->load.traffic;
	u64 warmup = traffic->warmup, cycles = traffic->cycles;
	bool before = false, sure = false;
	struct json_object *one;
	struct saturation_trial trial;
	int status = SIM_OK;
	u32 windows;

	traffic->load = (u64)ldexp(load, 32);
	for (windows = 0; !status && !sure; windows++) {
		status = trial_run(search, &trial);
		if (status)
			break;
		*less = trial_accepted(&trial) < ACCEPTED;
		sure = trial.generated >= PACKETS_ENOUGH ||
		       (windows && *less == before && trial.generated >= PACKETS_LEAST);
		before = *less;
		traffic->warmup *= 2;
		traffic->cycles *= 2;
	}
	traffic->warmup = warmup;
	traffic->cycles = cycles;
	if (status)
		return status;
	if (*less)
		search->rate = trial.delivered / trial.ticks / trial.nodes;
	one = json_object_new_object();
	report_add_double(one, "load", load);
	report_add_double(one, "accepted", trial_accepted(&trial));
	report_add_u64(one, "window", (u64)trial.ticks);
	report_add_hash(one, "delivery_hash", trial.hash);
	json_object_array_add(search->tried, one);
	search->progress->done++;
	return status;
}

static int search_run(struct saturation_search *search)
{
	bool less;
	int status = search_try(search, search->above, &less);

	if (!status && !less)
		return sim_error("--find-saturation: no saturation: even at load 2 more than %.2f "
				 "of the packets are accepted", ACCEPTED);
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

static void search_print(const struct saturation_search *search, const struct sim_cmdline *typed)
{
	struct json_object *doc = json_object_new_object();

	report_add_double(doc, "saturation_load", search->above);
	report_add_double(doc, "accepted_load_below", search->below);
	report_add_double(doc, "accepted_packets_per_node_cycle", search->rate);
	json_object_object_add(doc, "tried", json_object_get(search->tried));
	json_object_object_add(doc, "config", sim_config_json(typed, SIM_FOR_SWEEP));
	sim_json_answer(doc, search->options->json, FORM_OF(ACCEPTED));
}

/**
 * sim_saturation - find the load above which less than 0.99 of the offered packets is accepted
 * @typed: the options
 *
 * Return: exit status of the command.
 */
int sim_saturation(const struct sim_cmdline *typed)
{
	struct sim_cmdline copy = *typed;
	struct sim_progress progress;
	struct sim_run_config options;
	struct saturation_search search = {
		.options = &options, .progress = &progress, .above = LOAD_MAX,
	};
	int status;

	if (typed->loads || typed->novers || typed->load || typed->packets || typed->replicate ||
	    typed->csv || typed->plot)
		return sim_reject("--find-saturation: requires one setting, and prints text "
				  "or JSON");
	if (typed->until || (typed->warmup && !strcmp(typed->warmup, "auto")))
		return sim_reject("--find-saturation: must not be combined with --until or "
				  "--warmup auto, because it extends its windows itself");
	copy.load = "1";
	status = sim_run_config_parse(&options, &copy, NULL);
	if (status)
		return status;
	status = sim_pin_write(typed, &options, NULL);
	if (status) {
		sim_run_config_free(&options);
		return status;
	}
	search.tried = json_object_new_array();
	sim_signals_catch();
	sim_progress_begin(&progress, options.progress, 12);
	status = search_run(&search);
	sim_progress_end(&progress);
	if (!status)
		search_print(&search, typed);
	json_object_put(search.tried);
	sim_run_config_free(&options);
	return status;
}
