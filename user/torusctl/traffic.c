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
#include "../report/fraction.h"
#include "../report/pattern.h"
#include "../report/report.h"
#include "../report/table.h"
#include "ctl.h"
#include "output.h"
#include "place.h"
#include "target.h"

#define LOAD_BITS	32	/* of a load, and of hotregion's share */
#define LOAD_MAX	2
#define PACING_MAX	2
#define SHARE_BITS	16	/* of what is done */
#define SIZE_DEFAULT	256
#define CYCLES_DEFAULT	100000
#define WARMUP_DEFAULT	20000
#define RESULT_DEADLOCKED 2	/* torus_result.done */
#define RESULT_FAILED	3
#define POLL_FIRST_MS	10
#define POLL_LAST_MS	250

/* What was asked for. */
struct order {
	struct target target;
	struct torus_traffic traffic;
	const char *pattern;
	struct pattern_table table;
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	size_t nparams;
	struct parse_duration cycles;
	struct parse_duration warmup;
	struct parse_shape region;
	struct parse_shape region_at;
	uint64_t load;
	uint64_t packets;
	uint64_t share;
	uint64_t pacing;
	uint64_t seed;
	bool has_pattern;
	bool has_load;
	bool has_packets;
	bool has_cycles;
	bool has_warmup;
	bool has_seed;
	bool has_share;
	bool has_root;
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
	const char *equals = strchr(pair, '=');
	char key[TORUS_NL_KEY_MAX];
	struct parse_why why;
	const char *word;
	bool good;

	if (!equals || equals == pair || (size_t)(equals - pair) >= sizeof(key))
		return ctl_bad(ctl, "--set %s: not KEY=VALUE", pair);
	snprintf(key, sizeof(key), "%.*s", (int)(equals - pair), pair);
	word = equals + 1;
	if (!strcmp(key, "region")) {
		good = parse_shape(key, word, &order->region, &why);
	} else if (!strcmp(key, "region_at") || !strcmp(key, "root_at")) {
		order->has_root = key[1] == 'o';
		good = parse_coords(key, word, &order->region_at, &why);
	} else if (!strcmp(key, "share")) {
		good = parse_fraction(key, word, LOAD_BITS, 1, &order->share, &why);
		order->has_share = true;
	} else if (!strcmp(key, "pacing")) {
		good = parse_fraction(key, word, LOAD_BITS, PACING_MAX, &order->pacing, &why);
	} else if (!strcmp(key, "arrivals")) {
		good = !strcmp(word, "poisson") || !strcmp(word, "bernoulli");
		order->traffic.arrivals = *word == 'b';
		if (!good)
			snprintf(why.text, sizeof(why.text),
				 "arrivals %s: neither poisson nor bernoulli", word);
	} else {
		if (order->nparams == TORUS_NL_PARAMS_MAX)
			return ctl_bad(ctl, "--set %s: more than %d parameters", pair,
				       TORUS_NL_PARAMS_MAX);
		good = parse_param(key, word, &order->params[order->nparams], &why);
		order->nparams++;
	}
	return good ? CTL_OK : ctl_bad(ctl, "--set %s", why.text);
}

static int order_pattern(struct ctl *ctl, struct order *order, const char *word)
{
	char list[256];

	order->has_pattern = pattern_find(word, &order->traffic.pattern);
	order->pattern = word;
	if (order->has_pattern)
		return CTL_OK;
	pattern_list(list, sizeof(list));
	return ctl_bad(ctl, "pattern %s: there is none of that name (there are: %s)", word, list);
}

static int order_option(struct ctl *ctl, struct order *order, const char *option,
			const char *word)
{
	struct torus_traffic *traffic = &order->traffic;
	struct parse_why why;
	bool good;

	if (!strcmp(option, "--pattern"))
		return order_pattern(ctl, order, word);
	if (!strcmp(option, "--set"))
		return order_set(ctl, order, word);
	if (!strcmp(option, "--load")) {
		order->has_load = true;
		good = parse_fraction("load", word, LOAD_BITS, LOAD_MAX, &order->load, &why);
		if (good && !order->load)
			return ctl_bad(ctl, "load %s: must be more than 0", word);
	} else if (!strcmp(option, "--packets")) {
		order->has_packets = true;
		good = parse_number("packets", word, 1, UINT64_MAX, &order->packets, &why);
	} else if (!strcmp(option, "--size")) {
		good = parse_sizes(word, &traffic->size_min, &traffic->size_max, &why);
	} else if (!strcmp(option, "--cycles")) {
		order->has_cycles = true;
		good = parse_duration("cycles", word, &order->cycles, &why);
	} else if (!strcmp(option, "--warmup")) {
		order->has_warmup = true;
		good = parse_duration("warmup", word, &order->warmup, &why);
	} else if (!strcmp(option, "--seed")) {
		order->has_seed = true;
		good = parse_number("seed", word, 0, UINT64_MAX, &order->seed, &why);
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
	if (!order->has_pattern)
		return ctl_usage(ctl, "--pattern is missing");
	if (order->has_load == order->has_packets)
		return ctl_usage(ctl, order->has_load ?
				 "--load and --packets: a workload has one of them" :
				 "--load or --packets is missing");
	if (order->has_packets && (order->has_cycles || order->has_warmup))
		return ctl_usage(ctl, "--packets: measured to the last delivery, without %s",
				 order->has_cycles ? "--cycles" : "--warmup");
	if (order->has_cycles && !order->cycles.ticks && !order->cycles.fs)
		return ctl_bad(ctl, "cycles 0: nothing would be measured");
	return CTL_OK;
}

/* What needs the fabric: lengths of ticks, the number of dimensions. */
static int order_finish(struct ctl *ctl, struct order *order)
{
	const struct torus_nl_fabric *fabric = &order->target.fabric;
	const struct parse_shape *region = &order->region;
	const struct parse_shape *at = &order->region_at;

	if ((region->ndims && region->ndims != fabric->ndims) ||
	    (at->ndims && at->ndims != fabric->ndims)) {
		ctl_tell(ctl, "%s: fabric %s has %u dimensions",
			 region->ndims && region->ndims != fabric->ndims ? "region" :
			 order->has_root ? "root_at" : "region_at",
			 fabric->name, fabric->ndims);
		return CTL_FAILED;
	}
	if (order->has_root && order->traffic.pattern != TORUS_PATTERN_LINEFILL &&
	    order->traffic.pattern != TORUS_PATTERN_PLANEFILL)
		return ctl_bad(ctl, "--set root_at: pattern %s has no root", order->pattern);
	order->traffic.load = order->load;
	order->traffic.packets = order->packets;
	order->traffic.share = order->share;
	order->traffic.pacing = order->pacing;
	if (order->traffic.pattern == TORUS_PATTERN_HOTREGION && !order->has_share)
		order->traffic.share = 1ull << LOAD_BITS;
	memcpy(order->traffic.region, region->dims, region->ndims * sizeof(region->dims[0]));
	memcpy(order->traffic.region_at, at->dims, at->ndims * sizeof(at->dims[0]));
	if (order->traffic.pattern == TORUS_PATTERN_TABLE) {
		const struct pattern_shape shape = {
			.ndims = fabric->ndims, .dims = fabric->dims,
			.order = place_order(fabric), .nodes = fabric->nodes,
		};
		char why[PATTERN_WHY_MAX];

		if (!pattern_table_read(&order->table, pattern_file(order->pattern), &shape, why))
			return ctl_bad(ctl, "%s", why);
	}
	if (order->has_load) {
		order->traffic.cycles = order->has_cycles ?
			target_ticks(&order->target, &order->cycles) : CYCLES_DEFAULT;
		order->traffic.warmup = order->has_warmup ?
			target_ticks(&order->target, &order->warmup) : WARMUP_DEFAULT;
	}
	return CTL_OK;
}

static void progress_show(const struct torus_nl_progress *progress)
{
	const struct torus_result *result = &progress->result;

	if (progress->has_share)
		fprintf(stderr, "\r%3.0f %%", 100 * fraction_double(progress->share, SHARE_BITS));
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
		.mesh = fabric->mesh,
		.traffic = order->traffic,
		.pattern = order->pattern,
		.seed = order->has_seed ? order->seed : fabric->seed,
		.threads = traffic_threads(fabric->domains),
		.domains = fabric->domains,
		.vcs = fabric->vcs,
	};

	memcpy(context.dims, fabric->dims, sizeof(context.dims));
	if (ctl->json)
		output_json(ctl, report_json(&context, result));
	else
		report_text(stdout, &context, result);
	if (stopped)
		ctl_tell(ctl, "stopped at tick %" PRIu64 ", before its end",
			 (uint64_t)result->clock);
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
	bool stopped;
	int status;

	if (order->nparams &&
	    torus_nl_fabric_set(ctl->nl, name, order->params, order->nparams))
		return ctl_failed(ctl);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (order->table.count &&
	    torus_nl_traffic_table(ctl->nl, name, order->table.pairs, order->table.count))
		return ctl_failed(ctl);
	if (torus_nl_traffic_start(ctl->nl, name, &order->traffic,
				   order->has_seed ? &order->seed : NULL))
		return ctl_failed(ctl);
	ctl_done(ctl);
	status = traffic_wait(ctl, order, &progress, &stopped);
	if (status)
		return status;
	return traffic_report(ctl, order, stopped, &progress.result);
}

static int traffic(struct ctl *ctl, struct ctl_args *args)
{
	struct order order = {
		.traffic = { .size_min = SIZE_DEFAULT, .size_max = SIZE_DEFAULT },
		.progress = isatty(STDERR_FILENO),
	};
	int status;

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
	pattern_table_free(&order.table);
	return status;
}

static const struct ctl_command commands[] = {
	{ "",
	  "FABRIC --pattern P --load F|--packets N [--size BYTES|MIN:MAX] [--cycles N] [--warmup "
	  "N] [--seed N] [--set KEY=VALUE]... [--progress]",
	  traffic },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_traffic = {
	.name = "traffic",
	.help = "a workload made by the core, on a reset fabric",
	.details = "P = uniform alltoall alltoall-line alltoall-plane hotregion neighbor "
		   "transpose\n"
		   "    bitcomp tornado linefill planefill, or file:NAME: lines SRC DST [WEIGHT]\n"
		   "--load F: open loop, offered load as a fraction of the peak, up to 2\n"
		   "--packets N: closed loop, N packets a pair (alltoall*, hotregion, file:NAME) "
		   "or a\n"
		   "    node, or a root of a fill\n"
		   "--set takes the parameters of `fabric add`; for hotregion region=2x2x2\n"
		   "    region_at=X,Y,Z share=F; for fills root_at=X,Y,Z; with --packets pacing=F, "
		   "the fraction of the peak's rate\n"
		   "    at which a node's packets enter\n",
	.commands = commands,
};
