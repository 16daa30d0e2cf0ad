// SPDX-License-Identifier: GPL-2.0
/*
 * Run the points of a sweep in parallel. Each point has its own fabric, so the results do not
 * depend on the order. If memory is short, fewer points run in parallel. One thread simulates each
 * of several parallel points. If points run one at a time, --threads threads simulate each point.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cmdline/config.h"
#include "gather.h"
#include "../cmdline/faults.h"
#include "../base/signals.h"
#include "../base/memory.h"
#include "../transport/marshal.h"
#include "runner.h"
#include "../base/message.h"
#include "../../report/json.h"
#include "core/run/fabric.h"
#include "../transport/procs.h"

#define NAME_MAX_BYTES	256

/* Arguments of a worker thread. */
struct worker {
	struct sim_points *points;
	struct sim_progress *progress;
	pthread_t thread;
};

/* Set the options of a point, except for its seed. */
static int point_typed(const struct sim_points *points, u32 number, struct sim_cmdline *typed)
{
	*typed = *points->typed;
	typed->loads = NULL;
	return sim_axes_apply(&points->axes, number / points->replicas, typed);
}

/**
 * sim_point_options - parse the options of a point
 * @points: the points
 * @number: number of the point
 * @like: options of the sweep whose pairs the result uses, too; or NULL
 * @options: [out] the options, freed by sim_run_config_free()
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_point_options(const struct sim_points *points, u32 number,
		      const struct sim_run_config *like, struct sim_run_config *options)
{
	struct sim_cmdline typed;
	int status = point_typed(points, number, &typed);

	if (!status)
		status = sim_run_config_parse(options, &typed, like);
	if (!status)
		options->config.seed += number % points->replicas;
	return status;
}

static void point_name(const struct sim_points *points, u32 number, char *text, size_t size)
{
	u32 replica = number % points->replicas;
	size_t used = (size_t)snprintf(text, size, "%s%s", points->name,
				       points->axes.count ? ": " : "");

	sim_axes_name(&points->axes, number / points->replicas, text + used, size - used);
	used = strlen(text);
	if (points->replicas > 1)
		snprintf(text + used, size - used, "%s seed %llu", points->axes.count ? "," : ":",
			 points->base.config.seed + replica);
}

static int point_measure(struct sim_points *points, const struct sim_run_config *options,
			 struct sim_progress *progress, struct sim_point *point)
{
	struct torus_fabric *fabric;
	int status = sim_fabric_new(options, &fabric);

	if (status)
		return status;
	status = sim_faults_set(fabric, options->faults, options->nfaults);
	if (!status)
		status = sim_measure(fabric, options, progress, NULL, &point->measure);
	point->measured = !status;
	if (point->measured)
		sim_metrics(&point->measure, point->figures);
	/*
	 * Free the histograms unless JSON prints them: those of all points would take most of the
	 * memory.
	 */
	if (!points->base.json)
		sim_statistics_free(&point->measure.statistics);
	torus_fabric_destroy(fabric);
	/*
	 * If sim_measure_status() reports an error, the results up to the error are kept: they are
	 * printed.
	 */
	return status ? status : sim_measure_status(&point->measure);
}

static void point_run(struct sim_points *points, u32 number, struct sim_progress *progress)
{
	struct sim_point *point = &points->point[number];
	struct sim_run_config options;
	char name[NAME_MAX_BYTES];

	point_name(points, number, name, sizeof(name));
	sim_command_set(name);
	point->status = sim_point_options(points, number, &points->base, &options);
	if (!point->status) {
		if (points->beside > 1)
			options.config.threads = options.config.threads ? 1 : 0;
		options.beside = points->beside;
		point->status = point_measure(points, &options, progress, point);
		sim_run_config_free(&options);
	}
	if (!point->measured || sim_interrupted())
		__atomic_store_n(&points->stop, true, __ATOMIC_RELAXED);
	sim_command_set(NULL);
}

static void *work(void *data)
{
	struct worker *worker = data;
	struct sim_points *points = worker->points;
	u32 number;

	while (!__atomic_load_n(&points->stop, __ATOMIC_RELAXED)) {
		number = __atomic_fetch_add(&points->next, 1, __ATOMIC_RELAXED);
		if (number >= points->count)
			break;
		if (!sim_point_is_local(number))
			continue;
		if (worker->progress->on)
			worker->progress->done = __atomic_load_n(&points->done, __ATOMIC_RELAXED);
		point_run(points, number, worker->progress);
		__atomic_fetch_add(&points->done, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* Number of points to run in parallel, limited by threads or processors, and by memory. */
static u32 points_beside(const struct sim_points *points)
{
	u64 fabric = torus_config_bytes(&points->base.config);
	u64 memory = sim_memory_available() / (fabric ? fabric : 1);
	u64 beside = points->base.threads;

	/*
	 * processes that a launcher started may share a machine: use one processor in each process
	 */
	if (!points->typed->threads && sim_procs())
		beside = 1;
	else if (!points->typed->threads)
		beside = (u64)sysconf(_SC_NPROCESSORS_ONLN);
	if (beside > points->count)
		beside = points->count;
	if (beside > memory)
		beside = memory;
	return beside ? (u32)beside : 1;
}

/**
 * sim_points_init - parse the options of every setting
 * @points: [out] the points; the caller calls sim_points_free(), also after a failure
 * @name: name of the command, for messages
 * @typed: the options, which must outlive @points
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_points_init(struct sim_points *points, const char *name, const struct sim_cmdline *typed)
{
	struct sim_run_config options;
	int status;
	u32 i;

	*points = (struct sim_points){ .typed = typed, .name = name, .replicas = 1 };
	status = sim_axes_take(&points->axes, typed);
	if (!status)
		status = sim_point_options(points, 0, NULL, &points->base);
	for (i = 1; i < points->axes.settings && !status; i++) {
		status = sim_point_options(points, i, &points->base, &options);
		if (!status)
			sim_run_config_free(&options);
	}
	if (status)
		return status;
	if (points->base.replicate)
		points->replicas = points->base.replicate;
	points->count = points->axes.settings * points->replicas;
	points->point = calloc(points->count, sizeof(*points->point));
	return points->point ? SIM_OK : sim_error("out of memory for %u points", points->count);
}

/*
 * Check that the fabric and the workload of the first point can be created. Without this check, all
 * points that run in parallel would report the same error.
 */
static int points_check(const struct sim_points *points)
{
	struct torus_fabric *fabric;
	struct sim_run_config options;
	char name[NAME_MAX_BYTES];
	int status;

	point_name(points, 0, name, sizeof(name));
	sim_command_set(name);
	status = sim_point_options(points, 0, &points->base, &options);
	if (!status) {
		status = sim_fabric_new(&options, &fabric);
		if (!status) {
			status = sim_measure_start(fabric, &options);
			torus_fabric_destroy(fabric);
		}
		sim_run_config_free(&options);
	}
	sim_command_set(NULL);
	return status;
}

/**
 * sim_points_run - simulate all points, or until an interrupt or a point without results
 * @points: the points
 *
 * Return: exit status of the first point that failed; SIM_OK if none did; SIM_USAGE or SIM_FAILED
 * after another error, which is reported.
 */
int sim_points_run(struct sim_points *points)
{
	struct sim_progress progress, silent;
	struct worker *workers;
	u32 started = 0, i;
	int status = SIM_OK;

	points->beside = points_beside(points);
	if (points->beside > 1)
		status = points_check(points);
	if (!status)
		status = sim_measure_agree(sim_config_mark(points->typed,
							   SIM_FOR_RUN | SIM_FOR_SWEEP));
	if (status)
		return status;
	workers = calloc(points->beside, sizeof(*workers));
	if (!workers)
		return sim_error("out of memory for %u threads", points->beside);
	sim_signals_catch();
	sim_progress_begin(&silent, false, points->count);
	sim_progress_begin(&progress, points->base.progress && !sim_procs_silent(),
			   (points->count + sim_procs_count() - 1) / sim_procs_count());
	workers[0] = (struct worker){ .points = points, .progress = &progress };
	/* If a thread cannot be created, the existing threads simulate all points. */
	for (i = 1; i < points->beside; i++) {
		workers[i] = (struct worker){ .points = points, .progress = &silent };
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			break;
		started++;
	}
	work(&workers[0]);
	for (i = 1; i <= started; i++)
		pthread_join(workers[i].thread, NULL);
	free(workers);
	sim_progress_end(&progress);
	status = sim_sweep_gather(points);
	for (i = 0; i < points->count && !status; i++)
		status = points->point[i].status;
	return status;
}

/**
 * sim_points_free - free all points
 * @points: the points
 */
void sim_points_free(struct sim_points *points)
{
	u32 i;

	for (i = 0; points->point && i < points->count; i++)
		sim_measure_free(&points->point[i].measure);
	free(points->point);
	sim_run_config_free(&points->base);
	sim_axes_free(&points->axes);
}

/**
 * sim_points_any - check whether any point has results
 * @points: the points
 *
 * Return: true if so.
 */
bool sim_points_any(const struct sim_points *points)
{
	u32 i;

	for (i = 0; i < points->count; i++)
		if (points->point[i].measured)
			return true;
	return false;
}

/**
 * sim_points_metrics - the number of metrics in the output
 * @points: the points
 *
 * Return: number of metrics, counted from the first of enum sim_metric.
 */
u32 sim_points_metrics(const struct sim_points *points)
{
	return points->base.statistics ? SIM_METRICS : SIM_METRICS_PLAIN;
}

/**
 * sim_points_config - the configuration of a point
 * @points: the points
 * @number: number of the point
 *
 * Return: a configuration with which `run --config` repeats the point; json_object_put() frees
 * it.
 */
struct json_object *sim_points_config(const struct sim_points *points, u32 number)
{
	struct json_object *config;
	struct sim_cmdline typed;

	/* ignore the result: these options are valid, because sim_points_init() has parsed them */
	point_typed(points, number, &typed);
	typed.replicate = NULL;
	config = sim_config_json(&typed, SIM_FOR_RUN);
	if (points->replicas > 1)
		report_add_u64(config, "seed", points->point[number].measure.context.seed);
	return config;
}

/* Check whether a point counts in its setting. With several seeds, only finished runs count. */
static bool counts(const struct sim_points *points, const struct sim_point *point)
{
	return point->measured &&
	       (points->replicas == 1 || point->measure.outcome == SIM_DONE);
}

/*
 * Outcome of a setting: the first outcome of a seed that is not SIM_DONE. Seeds that do not count
 * in the means are included.
 */
static enum sim_outcome setting_outcome(const struct sim_points *points, u32 number)
{
	u32 i;

	for (i = 0; i < points->replicas; i++) {
		const struct sim_point *point = sim_points_at(points, number, i);

		if (point->measured && point->measure.outcome != SIM_DONE)
			return point->measure.outcome;
	}
	return SIM_DONE;
}

/**
 * sim_points_setting - summarize the results of a setting over its seeds
 * @points: the points
 * @number: number of the setting
 * @setting: [out] the summary; if there is no memory, the metrics of the first seed
 *
 * Return: true if a point of the setting counts.
 */
bool sim_points_setting(const struct sim_points *points, u32 number, struct sim_setting *setting)
{
	double *values = calloc(points->replicas, sizeof(*values));
	u32 i, f;

	memset(setting, 0, sizeof(*setting));
	setting->outcome = setting_outcome(points, number);
	for (f = 0; f < SIM_METRICS; f++) {
		u32 n = 0;

		for (i = 0; i < points->replicas; i++) {
			const struct sim_point *point = sim_points_at(points, number, i);

			if (!counts(points, point))
				continue;
			if (!f) {
				setting->replicas++;
				setting->hash += point->measure.result.hash;
				if (!setting->first)
					setting->first = &point->measure;
			}
			if (!n)
				setting->mean[f] = point->figures[f];
			/* a value that was not measured does not count in the mean */
			if (isnan(point->figures[f]))
				continue;
			setting->mean[f] = n ? setting->mean[f] : point->figures[f];
			if (values)
				values[n] = point->figures[f];
			n++;
		}
		setting->half[f] = values && n > 1 ?
				   sim_half_width(values, n, &setting->mean[f]) : NAN;
	}
	free(values);
	return setting->first;
}
