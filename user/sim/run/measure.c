// SPDX-License-Identifier: GPL-2.0
/* Run one workload on one fabric from its first tick to its results. */
#include <errno.h>
#include <string.h>

#include <json-c/json.h>

#include "../../report/tni.h"
#include "../../parse/shape.h"
#include "core/workload/pair_list.h"
#include "core/run/snapshot.h"
#include "core/run/census.h"
#include "core/run/fabric.h"
#include "core/state/tni.h"
#include "../../parse/parse.h"
#include "checkpoint.h"
#include "../cmdline/config.h"
#include "../base/signals.h"
#include "measure.h"
#include "../base/memory.h"
#include "slice.h"
#include "step.h"
#include "../base/message.h"
#include "threads.h"
#include "timed.h"
#include "../transport/procs.h"

/* Memory that a growing fabric must leave free for other programs. */
#define MEMORY_SPARE_BYTES	(64ull << 20)

#define MIB			1048576.0
#define NS_PER_S		1e9

/*
 * Memory available to each process. Processes on one machine share its memory. So if several
 * processes simulate a fabric, all make this collective call. A single process simulates a point of
 * a sweep, and makes no collective call.
 */
static u64 measure_memory(const struct torus_config *config)
{
	u64 available = sim_memory_available();

	return config->procs ? sim_procs_memory(available) : available;
}

/**
 * sim_fabric_new - create the fabric of a run if there is enough memory for it
 * @options: the options
 * @fabric: [out] the fabric
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_fabric_new(const struct sim_run_config *options, struct torus_fabric **fabric)
{
	const struct torus_config *config = &options->config;
	u64 bytes = torus_config_bytes(config);
	u64 available = measure_memory(config);
	char shape[PARSE_SHAPE_MAX];
	struct torus_error err;
	int ret;

	if (bytes > available)
		return sim_reject("shape %s: %u nodes need at least %llu bytes (%.0f MiB), but "
				  "only %llu (%.0f MiB) are available%s",
				  parse_shape_text(config->geo.nshape, config->geo.shape, shape,
						   sizeof(shape)),
				  config->geo.nodes, bytes, bytes / MIB, available, available / MIB,
				  config->procs ? " to each rank" : "");
	ret = torus_fabric_create(config, fabric, &err);
	if (ret)
		return ret == -ENOMEM ? sim_error("%s", err.text) : sim_reject("%s", err.text);
	ret = sim_tables_load(&options->tables, *fabric);
	if (ret)
		torus_fabric_destroy(*fabric);
	return ret;
}

static void measure_context(struct sim_measure *measure, const struct sim_run_config *options)
{
	const struct torus_config *config = &options->config;
	const struct torus_arch *arch = config->arch;
	const struct torus_router_ops *router = arch->router(config);
	size_t used = 0;
	u32 vc;

	for (vc = 0; vc < router->vcs && used < sizeof(measure->vcs); vc++)
		used += snprintf(measure->vcs + used, sizeof(measure->vcs) - used,
				 vc ? " %s" : "%s", router->vc_names[vc]);
	measure->context = (struct report_context){
		.arch = arch->name,
		.ndims = config->geo.ndims,
		.nshape = config->geo.nshape,
		.mesh = config->geo.mesh,
		.traffic = options->load.traffic,
		.pattern = options->load.pattern,
		.seed = config->seed,
		.threads = options->threads,
		.domains = config->domains,
		.ranks = config->procs ? config->procs->count : 0,
		.ticks_per_byte = (double)arch->ticks_per_chunk / arch->chunk_bytes,
		.vcs = measure->vcs,
		.perf = &measure->perf,
	};
	memcpy(measure->context.dims, config->geo.dims, sizeof(measure->context.dims));
	memcpy(measure->context.shape, config->geo.shape, sizeof(measure->context.shape));
}

/*
 * Determine how a workload ended. @done: the core's result, finished or nothing moves. Call the
 * watchdog in both cases, because a part of the fabric may be deadlocked while the rest continues.
 */
static enum sim_outcome measure_judge(struct torus_fabric *fabric, u64 done,
				      struct torus_cycle *cycle)
{
	bool still = done == SIM_DEADLOCKED;

	if (done != SIM_DONE && !still)
		return (enum sim_outcome)done;
	switch (torus_watchdog_check(fabric, cycle)) {
	case TORUS_VERDICT_DEADLOCK:
		return SIM_DEADLOCKED;
	case TORUS_VERDICT_WAITING:
		return still ? SIM_WAITING : SIM_DONE;
	case -ENOMEM:
		return SIM_NO_MEMORY;
	default:
		if (still && !torus_fabric_in_flight(fabric))
			return SIM_UNANSWERED;
		return still ? SIM_STUCK : SIM_DONE;
	}
}

/* Check whether any process has received an interrupt, which ends the run of all processes. */
static bool measure_interrupted(const struct torus_fabric *fabric)
{
	sim_procs_beat();
	sim_interrupt((int)torus_procs_max(fabric, (u64)sim_interrupted()));
	return sim_interrupted();
}

/*
 * Write a checkpoint. If that fails, print a message and continue the run; the exit status reports
 * the failure, too.
 */
static void measure_checkpoint(struct torus_fabric *fabric, const struct sim_run_config *options,
			       struct sim_measure *measure)
{
	if (!options->checkpoint)
		return;
	measure->saved = !sim_checkpoint_write(options, fabric, measure);
	measure->unsaved |= !measure->saved;
}

/* Return the earlier one of two ticks. 0: there is none. */
static u64 measure_earlier(u64 one, u64 other)
{
	return !one || (other && other < one) ? other : one;
}

/* Pause the traffic at the next sample, checkpoint, stop or horizon, whichever is earliest. */
static void measure_pause(struct torus_fabric *fabric, const struct sim_measure *measure,
			  u64 checkpoint)
{
	u64 stop = measure->step ? sim_step_next(measure->step) : 0;
	u64 read = measure->timed ? sim_timed_next(measure->timed) : 0;

	stop = measure_earlier(stop, read);
	torus_traffic_pause(fabric, measure_earlier(measure_earlier(measure->until.next,
								    checkpoint), stop));
}

/* Show the progress of the workload; of a file, the share that was read. */
static void measure_progress(struct torus_fabric *fabric, struct sim_progress *progress,
			     const struct sim_measure *measure)
{
	if (!measure->timed)
		sim_progress_show(progress, fabric);
	else if (sim_progress_due(progress))
		sim_progress_at(progress, sim_timed_share(measure->timed), fabric);
}

/*
 * Run until the workload ends, until sim_convergence_check(), a stop or an interrupt ends the run,
 * or until memory runs out. @status: [out] SIM_USAGE or SIM_FAILED after an error message if the
 * file of the workload is rejected; then there is no result.
 */
static enum sim_outcome measure_loop(struct torus_fabric *fabric, struct sim_team *team,
				     const struct sim_run_config *options,
				     struct sim_progress *progress, struct sim_measure *measure,
				     int *status)
{
	struct sim_convergence *until = &measure->until;
	u64 budget = sim_slice_windows(torus_fabric_config(fabric));
	u64 memory = torus_fabric_memory(fabric);
	u64 available = measure_memory(&options->config);
	u64 next = sim_checkpoint_next(options, fabric);
	bool full = false;
	u64 limit;

	available = available > MEMORY_SPARE_BYTES ? available - MEMORY_SPARE_BYTES : 0;
	/* leave memory for the fabrics of other threads, which grow, too */
	if (options->beside > 1)
		available /= options->beside;
	/*
	 * The limit includes the fabric's present memory, because pages that are allocated but not
	 * touched count as available.
	 */
	limit = available > ~0ull - memory ? ~0ull : available + memory;
	do {
		*status = measure->timed ? sim_timed_feed(measure->timed, &full) : SIM_OK;
		if (*status || full)
			return SIM_CROWDED;
		sim_link_usage_sample(&measure->use);
		if (measure_interrupted(fabric)) {
			measure_checkpoint(fabric, options, measure);
			return SIM_RUNNING;
		}
		measure->starved = torus_fabric_memory(fabric) > limit;
		if (torus_procs_sum_one(fabric, measure->starved))
			return SIM_NO_MEMORY;
		measure_progress(fabric, progress, measure);
		if (measure->step && !sim_step_continue(measure->step)) {
			measure_checkpoint(fabric, options, measure);
			return SIM_RUNNING;
		}
		if (next && torus_fabric_clock(fabric) >= next) {
			measure_checkpoint(fabric, options, measure);
			next = sim_checkpoint_next(options, fabric);
		}
		measure_pause(fabric, measure, next);
	} while (sim_team_step(team, budget) && sim_convergence_check(until, fabric));
	return until->failed ? SIM_NO_MEMORY : SIM_DONE;
}

/*
 * Processor time that simulates this fabric: of this thread if other threads simulate other
 * fabrics, else of the process.
 */
static double measure_cpu_s(const struct sim_run_config *options)
{
	return options->beside > 1 ? sim_cpu_thread_s() : sim_cpu_s();
}

/*
 * Average the occupancy of the VCs at the ends of the window's parts, in units of 1/256 chunk, as
 * torus_traffic_result() does for the core's parts.
 */
static void measure_occupancy(struct torus_result *result, const struct sim_series *series)
{
	u64 chunks;
	u32 vc, i;

	for (vc = 0; vc < TORUS_VCS_MAX; vc++) {
		for (i = 1, chunks = 0; i < series->npoints; i++)
			chunks += series->points[i].vc_chunks[vc];
		result->vc_occupancy[vc] = (chunks << 8) / (series->npoints - 1);
	}
}

/*
 * Take the parts of the window. If the convergence check determined the end of the window, its
 * batches are the parts.
 */
static int measure_series(struct sim_measure *measure, struct torus_fabric *fabric)
{
	if (!measure->until.series.npoints)
		return sim_series_take(&measure->series, fabric);
	measure->series = measure->until.series;
	measure_occupancy(&measure->result, &measure->series);
	measure->until.series = (struct sim_series){ .npoints = 0 };
	return 0;
}

/* Check whether the census failed only because it had no memory. */
static bool no_census(struct torus_fabric *fabric, const struct torus_result *result)
{
	struct torus_check census;

	/* the census below is a collective call, which the other processes do not make */
	if (fabric->cfg.procs)
		return false;
	return !result->conservation && (torus_check_fabric(fabric, &census) || census.conserved);
}

/*
 * Find the process that ran out of memory. Return its number plus 1; 0 if there is only one
 * process.
 */
static u32 measure_starved(const struct torus_fabric *fabric, bool here)
{
	const struct torus_procs *ranks = fabric->cfg.procs;
	struct torus_window_summary own;

	if (!ranks)
		return 0;
	torus_procs_summarize(fabric, 0, &own);
	return (u32)torus_procs_max(fabric, here || own.failed ? ranks->self + 1 : 0);
}

/**
 * sim_measure_start - start the workload on a fabric
 * @fabric: a new fabric, or one that was reset
 * @options: the options
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_measure_start(struct torus_fabric *fabric, const struct sim_run_config *options)
{
	struct torus_error err;
	int ret;

	if (options->statistics && torus_latencies_start(fabric))
		return sim_error("--statistics: out of memory for the histograms of %u nodes",
				 options->config.geo.nodes);
	ret = options->pairs.count ? torus_traffic_pairs(fabric, options->pairs.pairs,
							 options->pairs.count, &err) : 0;
	if (!ret)
		ret = torus_traffic_start(fabric, &options->load.traffic, &err);
	if (!ret)
		return SIM_OK;
	return ret == -ENOMEM ? sim_error("%s", err.text) : sim_reject("%s", err.text);
}

/**
 * sim_measure_free - free the buffers of a measurement
 * @measure: the measurement
 */
void sim_measure_free(struct sim_measure *measure)
{
	sim_series_free(&measure->series);
	sim_series_free(&measure->until.series);
	sim_link_usage_free(&measure->use);
	sim_statistics_free(&measure->statistics);
	sim_timed_end(measure->timed);
	measure->timed = NULL;
}

/* Run the workload that was started on a fabric, and collect its results. */
static int measure_run(struct torus_fabric *fabric, const struct sim_run_config *options,
		       struct sim_progress *progress, struct sim_measure *measure)
{
	struct torus_result *result = &measure->result;
	u32 threads = options->beside > 1 ? 1 : options->threads;
	struct sim_team *team;
	double cpu_s;
	double wall_s;
	int status;
	u32 tni;

	team = sim_team_new(fabric, threads);
	if (!team && errno == ENOMEM)
		return sim_error("threads %u: out of memory", options->threads);
	if (!team)
		return sim_error("threads %u: the system cannot create more threads",
				 options->threads);

	sim_convergence_begin(&measure->until, fabric, options);
	if (options->restore) {
		status = sim_checkpoint_read(options, fabric, measure);
		if (status) {
			sim_team_free(team);
			sim_convergence_free(&measure->until);
			return status;
		}
	}
	cpu_s = measure_cpu_s(options);
	wall_s = sim_wall_s();
	measure->outcome = measure_loop(fabric, team, options, progress, measure, &status);
	sim_link_usage_sample(&measure->use);
	cpu_s = measure_cpu_s(options) - cpu_s;
	measure->perf.cpu_s = torus_procs_sum_one(fabric, (u64)(cpu_s * NS_PER_S)) / NS_PER_S;
	measure->perf.wall_s = sim_wall_s() - wall_s;
	sim_team_free(team);
	sim_convergence_free(&measure->until);
	if (status)
		return status;

	torus_traffic_result(fabric, result);
	if (no_census(fabric, result))
		return sim_error("out of memory for the self-check of %u nodes", fabric->nodes);
	if (!result->nodes || measure_series(measure, fabric))
		return sim_error("out of memory for the result");
	measure->context.traffic.warmup = result->window_start;
	if (measure->timed)
		sim_timed_totals(measure->timed, &measure->context.traffic);
	measure->ntnis = fabric->router->ports;
	for (tni = 0; tni < measure->ntnis; tni++)
		torus_tni_counters(fabric, TORUS_NONE, tni, &measure->tnis[tni]);
	if (options->statistics && sim_statistics_take(&measure->statistics, fabric))
		return sim_error("--statistics: out of memory for the sums over %u nodes",
				 options->config.geo.nodes);
	measure->print_series = options->series && options->json;
	sim_balance_take(&measure->balance, fabric);
	if (measure->outcome == SIM_DONE)
		measure->outcome = measure_judge(fabric, result->done, &measure->cycle);
	if (measure->outcome == SIM_NO_MEMORY)
		measure->starved = measure_starved(fabric, measure->starved);
	/* struct torus_result has only the first four outcomes. */
	result->done = measure->outcome <= SIM_NO_MEMORY ? measure->outcome : SIM_NO_MEMORY;
	measure->perf.packet_hops = result->hops_total;
	measure->perf.rss_bytes = torus_procs_sum_one(fabric, sim_memory_peak());
	return SIM_OK;
}

/**
 * sim_measure_agree - check that all processes are about to run the same workload
 * @mark: hash of this process's workload
 *
 * If processes had read different files, they would wait for each other indefinitely.
 *
 * Return: SIM_OK, or SIM_USAGE after an error message that names a process that differs.
 */
int sim_measure_agree(u64 mark)
{
	u32 other = sim_procs_other(mark);

	return other ? sim_reject("rank %u has read other input files than rank 0", other) : SIM_OK;
}

/**
 * sim_measure - start and run a workload
 * @fabric: a new fabric, or one that was reset
 * @options: the options
 * @progress: progress report
 * @step: stops of the run, or NULL
 * @measure: [out] the results
 *
 * Return: SIM_OK if @measure is filled in, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_measure(struct torus_fabric *fabric, const struct sim_run_config *options,
		struct sim_progress *progress, struct sim_step *step, struct sim_measure *measure)
{
	int ret;

	*measure = (struct sim_measure){ .step = step };
	measure_context(measure, options);
	ret = options->timed ? sim_timed_begin(&measure->timed, options->timed, fabric) : SIM_OK;
	if (!ret)
		ret = sim_measure_start(fabric, options);
	if (!ret && fabric->cfg.procs)
		ret = sim_measure_agree(torus_mix(torus_fabric_fingerprint(fabric) ^
						  sim_config_mark(options->typed, SIM_FOR_RUN)));
	if (!ret)
		ret = sim_link_usage_begin(&measure->use, fabric, options);
	if (!ret)
		ret = measure_run(fabric, options, progress, measure);
	if (ret)
		sim_measure_free(measure);
	return ret;
}

static int report_outcome(const struct sim_measure *measure)
{
	const struct torus_result *result = &measure->result;
	const struct torus_cycle *cycle = &measure->cycle;
	char who[32] = "";

	switch (measure->outcome) {
	case SIM_RUNNING:
		if (measure->step && measure->step->stopped)
			return SIM_OK;
		sim_message("interrupted at tick %llu: the results so far are printed%s",
			    result->clock,
			    measure->saved ? ", and --checkpoint has saved the run" : "");
		return 128 + sim_interrupted();
	case SIM_DEADLOCKED:
		sim_message("deadlocked at tick %llu: the packets in %u buffers can never move "
			    "again, %u of these buffers form a cycle: %s",
			    result->clock, cycle->stuck, cycle->length, cycle->text);
		return SIM_DEADLOCK;
	case SIM_NO_MEMORY:
		if (measure->starved)
			snprintf(who, sizeof(who), "rank %u is ", measure->starved - 1);
		return sim_error("%sout of memory at tick %llu: the fabric has %llu bytes (%.0f "
				 "MiB)",
				 who, result->clock, result->memory, result->memory / MIB);
	case SIM_WAITING:
		return sim_error("no progress after tick %llu: %llu packets wait for links that "
				 "have stopped retransmitting", result->clock, result->in_flight);
	case SIM_UNANSWERED:
		return sim_error("no progress after tick %llu: %llu packets wait for replies, and "
				 "a request or reply was lost", result->clock, result->backlog);
	case SIM_STUCK:
		return sim_error("no progress after tick %llu: %llu packets are in flight, and the "
				 "watchdog finds no cause", result->clock, result->in_flight);
	case SIM_CROWDED:
		return sim_timed_report(measure->timed);
	case SIM_DONE:
		break;
	}
	return SIM_OK;
}

/**
 * sim_measure_status - report a workload that did not end normally or fails its self-checks
 * @measure: the measurement
 *
 * Return: exit status of the command.
 */
int sim_measure_status(const struct sim_measure *measure)
{
	const struct torus_result *result = &measure->result;
	int status = report_outcome(measure);

	/* the process that ran out of memory has already reported the packets that it discarded */
	if (measure->starved)
		return status;
	if (!result->conservation)
		return sim_error("self-check failed: %llu packets injected do not equal %llu "
				 "delivered, %llu dropped and %llu in flight",
				 result->injected, result->delivered, result->dropped,
				 result->in_flight);
	/*
	 * After a deadlock, report only the deadlock: without the bubble rule, the token check may
	 * fail.
	 */
	if (!result->tokens && measure->outcome != SIM_DEADLOCKED)
		return sim_error("self-check failed: the tokens of a link do not add up");
	return status == SIM_OK && measure->unsaved ? SIM_FAILED : status;
}

/* Add the parts of the window, each with its utilization of links. */
static void measure_series_json(struct json_object *doc, const struct sim_measure *measure)
{
	struct json_object *parts = sim_series_json(&measure->series);
	u32 i;

	for (i = 0; i + 1 < measure->series.npoints; i++)
		sim_link_usage_json(json_object_array_get_idx(parts, i), &measure->use, i);
	json_object_object_add(doc, "series", parts);
}

/**
 * sim_measure_json - convert the results to JSON
 * @measure: the measurement
 *
 * Return: the document, which json_object_put() frees.
 */
struct json_object *sim_measure_json(const struct sim_measure *measure)
{
	struct json_object *doc = report_json(&measure->context, &measure->result);
	const struct torus_cycle *cycle = &measure->cycle;
	struct json_object *deadlock;

	sim_balance_json(doc, &measure->balance);
	if (measure->ntnis)
		json_object_object_add(doc, "tnis",
				       report_tnis_json(measure->tnis, measure->ntnis));
	if (measure->series.batches)
		json_object_object_add(doc, "confidence", sim_series_confidence(&measure->series));
	if (measure->print_series)
		measure_series_json(doc, measure);
	sim_convergence_json(doc, &measure->until);
	if (measure->statistics.latencies)
		json_object_object_add(doc, "statistics", sim_statistics_json(measure));
	if (measure->outcome != SIM_DEADLOCKED)
		return doc;
	deadlock = json_object_new_object();
	json_object_object_add(deadlock, "stuck", json_object_new_uint64(cycle->stuck));
	json_object_object_add(deadlock, "length", json_object_new_uint64(cycle->length));
	json_object_object_add(deadlock, "cycle", json_object_new_string(cycle->text));
	json_object_object_add(doc, "deadlock", deadlock);
	return doc;
}
