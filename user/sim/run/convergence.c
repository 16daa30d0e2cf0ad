// SPDX-License-Identifier: GPL-2.0
/*
 * Runs that determine the length of their warm-up and of their window.
 *
 * Warm-up, by MSER-5 (White, 1997): the latency is sampled LOOKS times in the initial window
 * length, and the mean of each five samples is taken. The transient ends at the cut that minimizes
 * the standard error of the samples after the cut. A cut in the second half of the samples is
 * rejected, and the number of samples is doubled. The window opens at the time of this decision, so
 * all samples of the warm-up are discarded.
 *
 * End of the window, by BATCHES batch means: the length is doubled until the 95 % interval of the
 * mean latency is narrow enough at two checks in succession. One check is not enough, because it
 * succeeds too often by chance. Means of adjacent batches are correlated. The interval is widened
 * as for a first-order autoregressive process with the measured correlation. Batches with a
 * correlation of ALIKE or more are rejected.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../../report/json.h"
#include "../../report/report.h"
#include "core/state/snapshot.h"
#include "convergence.h"

#define LOOKS		320	/* number of samples in the initial length of a window */
/* limit of the number of samples; twice this number must fit into 32 bits */
#define LOOKS_MAX	(1u << 30)
#define GROUP		5
#define BATCHES		32
#define ALIKE		0.5	/* the lag-1 correlation of batches must be below this */
#define NOT_FOUND	(~0ull)

/* Mean latency of the packets delivered between two samples; NAN if there are none. */
static double mean_between(const struct sim_convergence *until, u32 from, u32 to)
{
	const struct torus_point *a = &until->points[from], *b = &until->points[to];

	return b->delivered > a->delivered ?
	       (double)(b->latency_sum - a->latency_sum) / (b->delivered - a->delivered) : NAN;
}

/*
 * Index of the sample at which the transient ends, by MSER-5. If there is no valid cut, return the
 * end of the last group.
 */
static u32 transient(const struct sim_convergence *until)
{
	u32 groups = (until->npoints - 1) / GROUP, best = groups, i;
	double sum = 0, squares = 0, least = 0, n = 0;

	/* iterate backwards: the sums over all groups after a cut grow by one group per step */
	for (i = groups; i-- > 0; ) {
		double mean = mean_between(until, i * GROUP, (i + 1) * GROUP), error;

		if (isnan(mean))
			continue;
		n++;
		sum += mean;
		squares += mean * mean;
		error = (squares - sum * sum / n) / (n * n);
		/* with fewer groups after the cut, the standard error is too random */
		if (n < GROUP)
			continue;
		if (best == groups || error <= least) {
			best = i;
			least = error;
		}
	}
	return best * GROUP;
}

static void look_for_warmup(struct sim_convergence *until, struct torus_fabric *fabric)
{
	u32 end = transient(until);

	if (2 * end > until->npoints - 1 && until->looks < until->limit) {
		until->looks = 2 * until->looks < until->limit ? 2 * until->looks : until->limit;
		return;
	}
	until->settled = 2 * end > until->npoints - 1 ? NOT_FOUND : until->points[end].clock;
	torus_traffic_open(fabric);
	until->window = true;
	until->looks = LOOKS;
	until->npoints = 0;
}

/* Lag-1 autocorrelation of @values, at least 0. */
static double alike(const double *values, u32 n, double mean)
{
	double above = 0, below = 0;
	u32 i;

	for (i = 0; i < n; i++) {
		below += pow(values[i] - mean, 2);
		if (i)
			above += (values[i] - mean) * (values[i - 1] - mean);
	}
	/* the estimate has a bias of -1 / n: correct it */
	return below > 0 ? fmax(above / below + 1.0 / n, 0) : 0;
}

/*
 * Save the counters at the boundaries of the batches as a series for the output. @each: samples per
 * batch.
 */
static void keep_batches(struct sim_convergence *until, u32 each)
{
	struct torus_point batches[BATCHES + 1];
	u32 i;

	for (i = 0; i <= BATCHES; i++)
		batches[i] = until->points[i * each];
	until->failed = sim_series_set(&until->series, batches, BATCHES + 1);
}

/*
 * Check whether the interval was narrow enough at two checks in succession, or the limit is
 * reached. Close the window if so.
 */
static bool look_for_end(struct sim_convergence *until, struct torus_fabric *fabric)
{
	u32 each = (until->npoints - 1) / BATCHES, i;
	double means[BATCHES], mean, likeness;
	bool narrow;

	for (i = 0; i < BATCHES; i++)
		means[i] = mean_between(until, i * each, (i + 1) * each);
	until->half = sim_half_width(means, BATCHES, &mean) / mean;
	likeness = alike(means, BATCHES, mean);
	until->half *= sqrt((1 + likeness) / (1 - likeness));
	/* if a batch had no delivery, the mean is NAN, and this comparison is false */
	narrow = until->half <= until->target && likeness < ALIKE;
	until->reached = narrow && until->narrow;
	until->narrow = narrow;
	if (!until->reached && until->looks < until->limit) {
		until->looks *= 2;
		until->looks = until->looks < until->limit ? until->looks : until->limit;
		return false;
	}
	keep_batches(until, each);
	until->series.latency_ticks = until->half * mean;
	/* JSON cannot represent NAN and infinity */
	if (!isfinite(until->half))
		until->series.batches = 0;
	torus_traffic_close(fabric, &until->points[BATCHES / 2 * each]);
	return true;
}

/* Append a sample of the current counters; false if there is no memory. */
static bool take_point(struct sim_convergence *until, struct torus_fabric *fabric)
{
	if (until->npoints == until->room) {
		u32 room = until->room ? 2 * until->room : LOOKS + 1;
		struct torus_point *points = realloc(until->points, room * sizeof(*points));

		if (!points)
			return false;
		until->points = points;
		until->room = room;
	}
	torus_traffic_point(fabric, &until->points[until->npoints++]);
	return true;
}

/**
 * sim_convergence_begin - prepare a run that determines its warm-up or its window, before the first
 * step
 * @until: [out] initialized; freed by sim_convergence_free()
 * @fabric: the fabric, with its workload
 * @options: the options
 */
void sim_convergence_begin(struct sim_convergence *until, struct torus_fabric *fabric,
			   const struct sim_run_config *options)
{
	u64 window = options->window, limit;

	*until = (struct sim_convergence){
		.warmup = options->warmup_found, .target = options->until,
		.window = !options->warmup_found, .looks = LOOKS, .settled = NOT_FOUND,
		.half = NAN,
	};
	if (!until->warmup && !(until->target > 0))
		return;
	until->step = window > LOOKS ? window / LOOKS : 1;
	limit = options->limit / until->step / BATCHES * BATCHES;
	limit = limit < LOOKS_MAX ? limit : LOOKS_MAX;
	until->limit = limit > LOOKS ? (u32)limit : LOOKS;
	/* The first sample is at the start of the window, or at tick 0 for a warm-up. */
	if (until->warmup || !options->load.traffic.warmup)
		until->failed = !take_point(until, fabric);
	until->next = until->npoints ? until->step : options->load.traffic.warmup;
}

/**
 * sim_convergence_check - sample the latency between two steps, and decide whether to continue
 * @until: the state
 * @fabric: the fabric, with its workload
 *
 * The ticks of the samples depend only on the options, so that a run is reproducible.
 *
 * Return: true to continue; false if the run is finished or memory ran out.
 */
bool sim_convergence_check(struct sim_convergence *until, struct torus_fabric *fabric)
{
	u64 clock = torus_fabric_clock(fabric);
	const struct torus_point *points;
	bool opened = false;

	if (until->next && clock >= until->next)
		until->next = 0;
	if (!until->step || until->failed)
		return !until->failed;
	if (until->npoints && clock < until->points[until->npoints - 1].clock + until->step)
		return true;
	/* after a warm-up of fixed length, the first sample is the start of the window */
	if (!until->npoints && !torus_traffic_points(fabric, &points))
		return true;
	until->failed = !take_point(until, fabric);
	if (until->failed)
		return false;
	if (until->npoints - 1 == until->looks) {
		if (!until->window) {
			look_for_warmup(until, fabric);
			opened = until->window;
		} else if (look_for_end(until, fabric)) {
			return false;
		}
	}
	if (opened && !(until->target > 0)) {
		until->step = 0;
		return true;
	}
	if (opened)
		until->failed = !take_point(until, fabric);
	until->next = clock + until->step;
	return !until->failed;
}

/**
 * sim_convergence_snapshot - save or restore the samples and decisions
 * @snap: the snapshot
 * @until: the state, initialized with the same options
 */
void sim_convergence_snapshot(struct torus_snapshot *snap, struct sim_convergence *until)
{
	u32 npoints = until->npoints;

	SNAPSHOT_FIELD(snap, until->step);
	SNAPSHOT_FIELD(snap, until->looks);
	SNAPSHOT_FIELD(snap, until->settled);
	SNAPSHOT_FIELD(snap, until->half);
	SNAPSHOT_FIELD(snap, until->next);
	torus_snapshot_flag(snap, &until->window);
	torus_snapshot_flag(snap, &until->narrow);
	SNAPSHOT_FIELD(snap, npoints);
	torus_snapshot_check(snap, npoints <= until->looks + 1u && until->looks <= LOOKS_MAX,
			     "number of checks of a window =", npoints);
	if (snap->reading && torus_snapshot_ok(snap) && npoints > until->room) {
		struct torus_point *points = realloc(until->points, npoints * sizeof(*points));

		if (!points) {
			torus_snapshot_no_memory(snap);
			return;
		}
		until->points = points;
		until->room = npoints;
	}
	if (!torus_snapshot_ok(snap))
		return;
	until->npoints = npoints;
	torus_snapshot_bytes(snap, until->points, npoints * sizeof(*until->points));
}

/**
 * sim_convergence_free - free the samples and keep the results
 * @until: the state
 */
void sim_convergence_free(struct sim_convergence *until)
{
	free(until->points);
	until->points = NULL;
	until->npoints = 0;
}

/**
 * sim_convergence_json - add the results to a document
 * @doc: [in, out] the document
 * @until: the state
 */
void sim_convergence_json(struct json_object *doc, const struct sim_convergence *until)
{
	struct json_object *object;

	if (until->warmup) {
		object = json_object_new_object();
		report_add_bool(object, "found", until->settled != NOT_FOUND);
		if (until->settled != NOT_FOUND)
			report_add_u64(object, "settled", until->settled);
		else
			json_object_object_add(object, "settled", NULL);
		json_object_object_add(doc, "warmup_rule", object);
	}
	if (until->target > 0) {
		object = json_object_new_object();
		report_add_double(object, "target", until->target);
		report_add_bool(object, "reached", until->reached);
		report_add_double(object, "half_width", until->half);
		json_object_object_add(doc, "until", object);
	}
}
