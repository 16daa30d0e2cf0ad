// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl traffic: a workload that the core makes itself, with the options of
 * `torus-sim run`.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../netlink/traffic.h"
#include "../report/report.h"
#include "../words/words.h"
#include "ctl.h"
#include "output.h"
#include "param.h"
#include "place.h"
#include "target.h"

#define SHARE_BITS	16	/* of what is done */
#define CYCLES_DEFAULT	100000
#define WARMUP_DEFAULT	20000
#define RESULT_DEADLOCKED 2	/* torus_result.done */
#define RESULT_FAILED	3
#define POLL_FIRST_MS	10
#define POLL_LAST_MS	250

/**
 * struct order - what was asked for
 * @target: the fabric
 * @load: the workload
 * @pairs: of a pattern from a file
 * @params: of the fabric
 * @nparams: number of parameters
 * @cycles: the measured window
 * @warmup: before it
 * @seed: of every random stream
 * @has_load: --load was given; likewise the others
 * @progress: tell how far it is
 */
struct order {
	struct target target;
	struct word_workload load;
	struct word_pairs pairs;
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	size_t nparams;
	struct word_time cycles;
	struct word_time warmup;
	__u64 seed;
	bool has_load;
	bool has_packets;
	bool has_cycles;
	bool has_warmup;
	bool has_seed;
	bool progress;
};

static atomic_int interrupted;

static void on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

/* KEY=VALUE of --set: some belong to the workload, the others to the fabric. */
static int order_set(struct ctl *ctl, struct order *order, const char *pair)
{
	char key[TORUS_NL_KEY_MAX];
	struct word_why why;
	const char *word;
	bool taken;

	if (!word_pair(pair, key, sizeof(key), &word))
		return ctl_bad(ctl, "--set %s: not KEY=VALUE", pair);
	if (!word_workload_set(&order->load, key, word, &taken, &why))
		return ctl_bad(ctl, "--set %s", why.text);
	if (taken)
		return CTL_OK;
	if (order->nparams == TORUS_NL_PARAMS_MAX)
		return ctl_bad(ctl, "--set %s: more than %d parameters", pair,
			       TORUS_NL_PARAMS_MAX);
	if (!param_word(key, word, &order->params[order->nparams], &why))
		return ctl_bad(ctl, "--set %s", why.text);
	order->nparams++;
	return CTL_OK;
}

static int order_option(struct ctl *ctl, struct order *order, const char *option,
			const char *word)
{
	struct torus_traffic *traffic = &order->load.traffic;
	struct word_why why;
	bool good;

	if (!strcmp(option, "--set"))
		return order_set(ctl, order, word);
	if (!strcmp(option, "--pattern")) {
		good = word_workload_pattern(&order->load, word, &why);
	} else if (!strcmp(option, "--load")) {
		order->has_load = true;
		good = word_load("load", word, &traffic->load, &why);
	} else if (!strcmp(option, "--packets")) {
		order->has_packets = true;
		good = word_number("packets", word, 1, UINT64_MAX, &traffic->packets, &why);
	} else if (!strcmp(option, "--size")) {
		good = word_sizes(word, &traffic->size_min, &traffic->size_max, &why);
	} else if (!strcmp(option, "--cycles")) {
		order->has_cycles = true;
		good = word_time("cycles", word, &order->cycles, &why);
	} else if (!strcmp(option, "--warmup")) {
		order->has_warmup = true;
		good = word_time("warmup", word, &order->warmup, &why);
	} else if (!strcmp(option, "--seed")) {
		order->has_seed = true;
		good = word_number("seed", word, 0, UINT64_MAX, &order->seed, &why);
	} else {
		return ctl_usage(ctl, "%s: there is no such option", option);
	}
	return good ? CTL_OK : ctl_bad(ctl, "%s", why.text);
}

/* "--load 0.9" and "--load=0.9" are the same. */
static int order_words(struct ctl *ctl, struct order *order, struct ctl_args *args)
{
	char option[32];
	const char *equals;
	const char *word;
	int status = CTL_OK;

	while (!status && (word = ctl_next(args))) {
		if (!strcmp(word, "--progress")) {
			order->progress = true;
			continue;
		}
		equals = strchr(word, '=');
		snprintf(option, sizeof(option), "%.*s",
			 equals ? (int)(equals - word) : (int)strlen(word), word);
		if (strncmp(option, "--", 2))
			return ctl_usage(ctl, "%s: one word too many", word);
		word = equals ? equals + 1 : ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", option);
		status = order_option(ctl, order, option, word);
	}
	return status;
}

static int order_check(struct ctl *ctl, const struct order *order)
{
	struct word_why why;

	if (!order->load.pattern)
		return ctl_usage(ctl, "--pattern is missing");
	if (!word_workload_loop(order->has_load, order->has_packets, order->has_cycles,
				order->has_warmup, &why))
		return ctl_usage(ctl, "%s", why.text);
	if (order->has_cycles && !order->cycles.ticks && !order->cycles.fs)
		return ctl_bad(ctl, "cycles 0: nothing would be measured");
	return CTL_OK;
}

/* What needs the fabric: lengths of ticks, the number of dimensions. */
static int order_finish(struct ctl *ctl, struct order *order)
{
	const struct torus_nl_fabric *fabric = &order->target.fabric;
	const struct torus_machine_shape shape = place_shape(fabric);
	struct torus_traffic *traffic = &order->load.traffic;
	struct word_why why;

	word_workload_size(&order->load, torus_machine_find(fabric->arch));
	if (!word_workload_finish(&order->load, torus_machine_find(fabric->arch), &shape, &why))
		return ctl_bad(ctl, "%s", why.text);
	if (traffic->pattern == TORUS_PATTERN_TABLE &&
	    !word_pairs_read(&order->pairs, word_pattern_file(order->load.pattern),
			     torus_machine_find(fabric->arch), &shape, fabric->nodes, &why))
		return ctl_bad(ctl, "%s", why.text);
	if (order->has_load) {
		traffic->cycles = order->has_cycles ?
			target_ticks(&order->target, &order->cycles) : CYCLES_DEFAULT;
		traffic->warmup = order->has_warmup ?
			target_ticks(&order->target, &order->warmup) : WARMUP_DEFAULT;
	}
	return CTL_OK;
}

static void progress_show(const struct torus_nl_progress *progress)
{
	const struct torus_result *result = &progress->result;

	if (progress->has_share)
		fprintf(stderr, "\r%3.0f %%", 100 * word_double(progress->share, SHARE_BITS));
	else
		fprintf(stderr, "\rtick %" PRIu64, (uint64_t)result->clock);
	fprintf(stderr, ", %" PRIu64 " delivered, %" PRIu64 " in flight   ",
		(uint64_t)result->delivered, (uint64_t)result->in_flight);
}

static void progress_clear(const struct order *order)
{
	if (order->progress)
		fputs("\r\033[K", stderr);
}

static int traffic_wait(struct ctl *ctl, const struct order *order,
			struct torus_nl_progress *progress, bool *stopped)
{
	const char *name = order->target.name;
	unsigned int pause_ms = POLL_FIRST_MS;

	*stopped = false;
	for (;;) {
		struct timespec pause = { 0, pause_ms * 1000000l };

		if (torus_nl_traffic_get(ctl->nl, name, progress)) {
			progress_clear(order);
			return ctl_failed(ctl);
		}
		if (order->progress)
			progress_show(progress);
		if (progress->done)
			break;
		if (interrupted) {
			/* A workload that was stopped has no result: this is the last. */
			if (torus_nl_traffic_stop(ctl->nl, name))
				return ctl_failed(ctl);
			*stopped = true;
			break;
		}
		nanosleep(&pause, NULL);
		pause_ms = pause_ms * 2 < POLL_LAST_MS ? pause_ms * 2 : POLL_LAST_MS;
	}
	progress_clear(order);
	return CTL_OK;
}

/* The module says nothing of its threads; it has one a domain, at most one a processor. */
static uint32_t traffic_threads(uint32_t domains)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return processors > 0 && processors < (long)domains ? processors : domains;
}

static int traffic_report(struct ctl *ctl, const struct order *order, bool stopped,
			  const struct torus_result *result)
{
	const struct torus_nl_fabric *fabric = &order->target.fabric;
	struct report_context context = {
		.arch = fabric->arch,
		.ndims = fabric->ndims,
		.nshape = fabric->nshape,
		.mesh = fabric->mesh,
		.traffic = order->load.traffic,
		.pattern = order->load.pattern,
		.seed = order->has_seed ? order->seed : fabric->seed,
		.threads = traffic_threads(fabric->domains),
		.domains = fabric->domains,
		.vcs = fabric->vcs,
	};

	memcpy(context.dims, fabric->dims, sizeof(context.dims));
	memcpy(context.shape, fabric->shape, sizeof(context.shape));
	if (ctl->json)
		output_json(ctl, report_json(&context, result));
	else
		report_text(stdout, &context, result);
	if (stopped)
		ctl_tell(ctl, "stopped at tick %" PRIu64 ", before its end",
			 (uint64_t)result->clock);
	else if (result->done == RESULT_DEADLOCKED && !result->in_flight)
		ctl_tell(ctl, "stands still at tick %" PRIu64 ": %" PRIu64 " packets wait for "
			 "replies that were lost", (uint64_t)result->clock,
			 (uint64_t)result->backlog);
	else if (result->done == RESULT_DEADLOCKED)
		ctl_tell(ctl, "deadlocked at tick %" PRIu64, (uint64_t)result->clock);
	else if (result->done == RESULT_FAILED)
		ctl_tell(ctl, "failed at tick %" PRIu64 ": out of memory",
			 (uint64_t)result->clock);
	else
		return CTL_OK;
	return CTL_FAILED;
}

static int traffic_run(struct ctl *ctl, struct order *order)
{
	struct torus_nl_progress progress = { .done = false };
	struct sigaction action = { .sa_handler = on_interrupt };
	const char *name = order->target.name;
	uint64_t seed = order->seed;
	bool stopped;
	int status;

	if (order->nparams &&
	    torus_nl_fabric_set(ctl->nl, name, order->params, order->nparams))
		return ctl_failed(ctl);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (order->pairs.count &&
	    torus_nl_traffic_table(ctl->nl, name, order->pairs.pairs, order->pairs.count))
		return ctl_failed(ctl);
	if (torus_nl_traffic_start(ctl->nl, name, &order->load.traffic,
				   order->has_seed ? &seed : NULL))
		return ctl_failed(ctl);
	ctl_done(ctl);
	status = traffic_wait(ctl, order, &progress, &stopped);
	if (status)
		return status;
	return traffic_report(ctl, order, stopped, &progress.result);
}

static int traffic(struct ctl *ctl, struct ctl_args *args)
{
	struct order order = { .progress = isatty(STDERR_FILENO) };
	int status;

	word_workload_init(&order.load);
	status = target_parse(ctl, args, TARGET_FABRIC, &order.target);
	if (status)
		return status;
	status = order_words(ctl, &order, args);
	if (status)
		return status;
	status = order_check(ctl, &order);
	if (status)
		return status;
	status = target_find(ctl, &order.target);
	if (status)
		return status;
	status = order_finish(ctl, &order);
	if (!status)
		status = traffic_run(ctl, &order);
	word_pairs_free(&order.pairs);
	return status;
}

static const struct ctl_command commands[] = {
	{ "",
	  "FABRIC --pattern P --load F|--packets N [--size BYTES|MIN:MAX] [--cycles N] "
	  "[--warmup N] [--seed N] [--set KEY=VALUE]... [--progress]",
	  traffic },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_traffic = {
	.name = "traffic",
	.help = "a workload made by the core, on a reset fabric",
	.details = "P = uniform alltoall alltoall-line alltoall-plane hotregion neighbor "
		   "transpose\n"
		   "    bitcomp tornado linefill planefill bitrev shuffle permutation stencil\n"
		   "    hotspot, or file:NAME: lines SRC DST [WEIGHT]\n"
		   "--load F: open loop, offered load as a fraction of the peak, up to 2\n"
		   "--packets N: closed loop, N packets a pair (alltoall*, hotregion, file:NAME) "
		   "or a\n"
		   "    node, or a root of a fill\n"
		   "--set takes the parameters of `fabric add`; for hotregion region=2x2x2\n"
		   "    region_at=X,Y,Z share=F; for hotspot hot=\"NODE NODE ..\" share=F;\n"
		   "    for fills root_at=X,Y,Z; with --packets pacing=F, "
		   "the fraction of the peak's rate\n"
		   "    at which a node's packets enter; class=0|1 where packets have one;\n"
		   "    burst=N packets in the mean one after another; reply=BYTES that each\n"
		   "    packet makes its receiver send back, outstanding=N without one yet\n",
	.commands = commands,
};
