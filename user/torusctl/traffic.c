// SPDX-License-Identifier: GPL-2.0
/* torusctl traffic: run a synthetic workload of the core, with the options of `torus-sim run`. */
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
#include "../parse/integer.h"
#include "../parse/pair_file.h"
#include "../parse/pattern.h"
#include "../parse/parse.h"
#include "../config/args.h"
#include "../config/ctl.h"
#include "objects.h"
#include "snapshot/traffic_args.h"
#include "print/output.h"
#include "../parse/workload.h"
#include "../config/diag.h"
#include "../config/target.h"

#define SHARE_BITS	16	/* number of fractional bits in the completed share of a workload */
#define RESULT_DEADLOCKED 2	/* value of torus_result.done */
#define RESULT_FAILED	3
#define POLL_FIRST_MS	10
#define POLL_LAST_MS	250

static atomic_int interrupted;

static void on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

/* Parse the options of a workload. "--load 0.9" and "--load=0.9" are equivalent. */
static int args_words(struct ctl *ctl, struct traffic_args *wanted, struct ctl_args *args)
{
	char option[32];
	const char *equals;
	const char *word;
	int status = CTL_OK;

	while (!status && (word = ctl_next(args))) {
		if (!strcmp(word, "--progress")) {
			wanted->progress = true;
			continue;
		}
		if (!strcmp(word, "--follow")) {
			wanted->follow = true;
			continue;
		}
		equals = strchr(word, '=');
		snprintf(option, sizeof(option), "%.*s",
			 equals ? (int)(equals - word) : (int)strlen(word), word);
		if (strncmp(option, "--", 2))
			return ctl_usage(ctl, "unexpected argument: %s", word);
		word = equals ? equals + 1 : ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", option);
		status = traffic_args_option(ctl, wanted, option, word);
	}
	return status;
}

static void progress_show(const struct torus_nl_progress *progress)
{
	const struct torus_result *result = &progress->result;

	if (progress->has_share)
		fprintf(stderr, "\r%3.0f %%", 100 * parse_double(progress->share, SHARE_BITS));
	else
		fprintf(stderr, "\rtick %" PRIu64, (uint64_t)result->clock);
	fprintf(stderr, ", %" PRIu64 " delivered, %" PRIu64 " in flight   ",
		(uint64_t)result->delivered, (uint64_t)result->in_flight);
}

static void progress_clear(const struct traffic_args *wanted)
{
	if (wanted->progress)
		fputs("\r\033[K", stderr);
}

static int traffic_wait(struct ctl *ctl, const struct traffic_args *wanted,
			struct torus_nl_progress *progress, bool *stopped)
{
	const char *name = wanted->target.name;
	unsigned int pause_ms = POLL_FIRST_MS;

	*stopped = false;
	for (;;) {
		struct timespec pause = { 0, pause_ms * 1000000l };

		if (torus_nl_traffic_get(ctl->nl, name, progress)) {
			progress_clear(wanted);
			return ctl_failed(ctl);
		}
		if (wanted->progress)
			progress_show(progress);
		if (progress->done)
			break;
		if (interrupted) {
			/*
			 * stop the workload, except with --follow; @progress keeps the values that
			 * were read before the stop
			 */
			if (!wanted->follow && torus_nl_traffic_stop(ctl->nl, name))
				return ctl_failed(ctl);
			*stopped = true;
			break;
		}
		nanosleep(&pause, NULL);
		pause_ms = pause_ms * 2 < POLL_LAST_MS ? pause_ms * 2 : POLL_LAST_MS;
	}
	progress_clear(wanted);
	return CTL_OK;
}

/*
 * Estimate the number of threads, which the module does not report: one thread per domain, but at
 * most one per processor.
 */
static uint32_t traffic_threads(uint32_t domains)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return processors > 0 && processors < (long)domains ? processors : domains;
}

/*
 * Report a workload whose packets do not move. The state of the fabric says whether they wait for
 * links or for each other.
 */
static int traffic_stuck(struct ctl *ctl, const struct traffic_args *wanted,
			 const struct torus_result *result)
{
	struct torus_nl_fabric now;

	if (torus_nl_fabric_get(ctl->nl, wanted->target.name, &now))
		return ctl_failed(ctl);
	if (now.state == TORUS_FABRIC_DEADLOCKED) {
		ctl_error(ctl, "deadlocked at tick %" PRIu64, (uint64_t)result->clock);
		return CTL_DEADLOCK;
	}
	ctl_error(ctl, "no progress after tick %" PRIu64 ": %" PRIu64 " packets wait%s",
		  (uint64_t)result->clock, (uint64_t)result->in_flight,
		  now.state == TORUS_FABRIC_WAITING ?
		  " for links that are down or have stopped retransmitting" : "");
	return CTL_FAILED;
}

static int traffic_report(struct ctl *ctl, const struct traffic_args *wanted, bool stopped,
			  const struct torus_result *result)
{
	const struct torus_nl_fabric *fabric = &wanted->target.fabric;
	struct report_context context = {
		.arch = fabric->arch,
		.ndims = fabric->ndims,
		.nshape = fabric->nshape,
		.mesh = fabric->mesh,
		.traffic = wanted->load.traffic,
		.pattern = wanted->load.pattern,
		.seed = wanted->has_seed ? wanted->seed : fabric->seed,
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
	if (stopped && wanted->follow)
		ctl_error(ctl, "tick %" PRIu64 ": the workload continues", (uint64_t)result->clock);
	else if (stopped)
		ctl_error(ctl, "the workload was stopped at tick %" PRIu64 ", before its end",
			  (uint64_t)result->clock);
	else if (result->done == RESULT_DEADLOCKED && !result->in_flight)
		ctl_error(ctl,
			  "the workload makes no progress after tick %" PRIu64 ": %" PRIu64 " "
			  "packets wait for replies that were lost", (uint64_t)result->clock,
			  (uint64_t)result->backlog);
	else if (result->done == RESULT_DEADLOCKED)
		return traffic_stuck(ctl, wanted, result);
	else if (result->done == RESULT_FAILED)
		ctl_error(ctl, "failed at tick %" PRIu64 ": out of memory",
			  (uint64_t)result->clock);
	else
		return CTL_OK;
	return CTL_FAILED;
}

static void traffic_heed(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* Wait for the end of the workload that is already running. */
static int traffic_follow(struct ctl *ctl, struct traffic_args *wanted)
{
	struct torus_nl_progress progress = { .done = false };
	const char *name = wanted->target.name;
	bool stopped;
	int status;

	if (torus_nl_traffic_get(ctl->nl, name, &progress))
		return ctl_failed(ctl);
	if (!progress.has_traffic) {
		ctl_error(ctl, "fabric %s: has no workload, because programs have attached", name);
		return CTL_FAILED;
	}
	wanted->load.traffic = progress.traffic;
	wanted->load.pattern = parse_pattern_name(progress.traffic.pattern);
	traffic_heed();
	status = traffic_wait(ctl, wanted, &progress, &stopped);
	return status ? status : traffic_report(ctl, wanted, stopped, &progress.result);
}

static int traffic_run(struct ctl *ctl, struct traffic_args *wanted)
{
	struct torus_nl_progress progress = { .done = false };
	const char *name = wanted->target.name;
	uint64_t seed = wanted->seed;
	bool stopped;
	int status;

	if (wanted->nparams &&
	    torus_nl_fabric_set(ctl->nl, name, wanted->params, wanted->nparams))
		return ctl_failed(ctl);
	traffic_heed();
	if (wanted->pairs.count &&
	    torus_nl_traffic_pairs(ctl->nl, name, wanted->pairs.pairs, wanted->pairs.count))
		return ctl_failed(ctl);
	if (torus_nl_traffic_start(ctl->nl, name, &wanted->load.traffic,
				   wanted->has_seed ? &seed : NULL))
		return ctl_failed(ctl);
	ctl_done(ctl);
	status = traffic_wait(ctl, wanted, &progress, &stopped);
	if (status)
		return status;
	return traffic_report(ctl, wanted, stopped, &progress.result);
}

static int traffic(struct ctl *ctl, struct ctl_args *args)
{
	struct traffic_args wanted = { .progress = isatty(STDERR_FILENO) };
	int status;

	parse_workload_init(&wanted.load);
	status = target_parse(ctl, args, TARGET_FABRIC, &wanted.target);
	if (status)
		return status;
	status = args_words(ctl, &wanted, args);
	if (status)
		return status;
	if (wanted.follow && (wanted.load.pattern || wanted.has_load || wanted.has_packets))
		return ctl_usage(ctl, "--follow: no options of a new workload are accepted");
	status = wanted.follow ? CTL_OK : traffic_args_check(ctl, &wanted);
	if (status)
		return status;
	status = target_find(ctl, &wanted.target);
	if (status)
		return status;
	if (wanted.follow)
		return traffic_follow(ctl, &wanted);
	status = traffic_args_finish(ctl, &wanted);
	if (!status)
		status = traffic_run(ctl, &wanted);
	parse_pairs_free(&wanted.pairs);
	return status;
}

static const struct ctl_command commands[] = {
	{ "",
	  "FABRIC --pattern P --load F|--packets N [--size BYTES|MIN:MAX] [--cycles N] "
	  "[--warmup N] [--seed N] [--set KEY=VALUE]... [--progress]|--follow [--progress]",
	  traffic },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_traffic = {
	.name = "traffic",
	.help = "reset a fabric and run a synthetic workload",
	.details = "P = uniform alltoall alltoall-line alltoall-plane hotregion neighbor "
		   "transpose\n"
		   "    bitcomp tornado linefill planefill bitrev shuffle permutation stencil\n"
		   "    hotspot, or file:NAME: lines SRC DST [WEIGHT]\n"
		   "--load F: open loop with the offered load F, a fraction of the peak, up to 2\n"
		   "--packets N: closed loop, N packets per pair (alltoall*, hotregion, "
		   "file:NAME), per\n"
		   "    root (linefill, planefill), or per node\n"
		   "--set sets parameters of `fabric add`, or of the workload:\n"
		   "    hotregion: region=2x2x2 region_at=X,Y,Z share=F\n"
		   "    hotspot: hot=\"NODE NODE ..\" share=F    linefill, planefill: "
		   "root_at=X,Y,Z\n"
		   "    pacing=F with --packets: injection rate of a node, a fraction of the "
		   "peak\n"
		   "    class=0|1: class of the packets    burst=N: mean packets in a burst\n"
		   "    reply=BYTES: size of the reply to each packet\n"
		   "    outstanding=N: requests of a node without a reply\n"
		   "--follow: wait for the end of the running workload, for example after "
		   "load-state\n",
	.commands = commands,
};
