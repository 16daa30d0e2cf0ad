// SPDX-License-Identifier: GPL-2.0
/*
 * Scheduler: jobs arrive, wait, start and end.
 *
 * Backfill works as in the EASY scheduler. From the requested run times, the scheduler computes
 * the latest start and the place of the first waiting job: its reservation. Another job may start
 * now if it ends before that start, or does not use groups of that place.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "box_allocator.h"
#include "scheduler.h"

/* the measurement starts after this fraction of the time until the last arrival */
#define WARMUP	0.2

/* A running job. */
struct running {
	double end;
	double expected;	/* time at which the job ends if it takes the requested run time */
	struct jobs_place place;
	u32 nodes;
};

/**
 * struct schedule - state of the scheduler
 * @kinds: views that the jobs request
 * @shapes: boxes that jobs may use
 * @now: allocated groups
 * @beside: grid in which both allocated and reserved groups are marked
 * @later: grid of allocated groups at a later time, used to find the reservation
 * @running: running jobs, by their end
 * @nrunning: number of running jobs
 * @list: indices of jobs by their arrival
 * @waiting: indices of waiting jobs in order of arrival; points into @list
 * @nwaiting: number of waiting jobs
 * @work: scratch for sorting
 * @pass: number of the current pass, which tries to start waiting jobs
 * @shadow: latest start of the first waiting job in seconds (EASY's shadow time)
 * @clock: seconds
 * @nodes: nodes of the views of running jobs
 * @watch: observer of the stream, or NULL
 * @result: [out] the results
 */
struct schedule {
	const struct jobs_stream *stream;
	struct jobs_kinds *kinds;
	enum jobs_shapes shapes;
	struct jobs_grid now;
	struct jobs_grid beside;
	struct jobs_grid later;
	struct running *running;
	u32 nrunning;
	u32 *list;
	u32 *waiting;
	u32 nwaiting;
	u32 *work;
	u64 pass;
	double shadow;
	double clock;
	u64 nodes;
	const struct jobs_watch *watch;
	struct jobs_result *result;
};

static const struct jobs_job *job_of(const struct schedule *s, u32 job)
{
	return &s->stream->job[job];
}

static struct jobs_kind *kind_of(const struct schedule *s, u32 job)
{
	return &s->kinds->kind[job_of(s, job)->kind];
}

static void schedule_start(struct schedule *s, u32 job, const struct jobs_place *place)
{
	const struct jobs_job *what = job_of(s, job);
	struct running one = { .end = s->clock + what->run, .place = *place,
			       .expected = s->clock + what->estimate,
			       .nodes = kind_of(s, job)->nodes };
	u32 at = s->nrunning++;

	for (; at && s->running[at - 1].end > one.end; at--)
		s->running[at] = s->running[at - 1];
	s->running[at] = one;
	jobs_grid_set(&s->now, place, 1);
	jobs_grid_set(&s->beside, place, 1);
	s->nodes += one.nodes;
	s->result->started++;
	s->result->waited += s->clock - what->arrival;
}

/*
 * Find a position for a job. If the search has failed for another job of the same kind in this
 * pass, do not search again.
 */
static bool schedule_find(struct schedule *s, u32 job, bool beside, struct jobs_place *place)
{
	struct jobs_kind *kind = kind_of(s, job);

	if (kind->failed[beside] == s->pass)
		return false;
	if (jobs_grid_find(beside ? &s->beside : &s->now, kind, s->shapes, place))
		return true;
	kind->failed[beside] = s->pass;
	return false;
}

/*
 * Close the gap by moving the jobs before it: they are few, while millions may wait after the gap.
 */
static void remove_waiting(struct schedule *s, u32 at)
{
	memmove(s->waiting + 1, s->waiting, at * sizeof(*s->waiting));
	s->waiting++;
	s->nwaiting--;
}

static int by_expected(const void *a, const void *b, void *list)
{
	const struct running *running = list;
	double one = running[*(const u32 *)a].expected, other = running[*(const u32 *)b].expected;

	return one < other ? -1 : one > other;
}

/*
 * Check whether the first waiting job finds a place when the @ended running jobs with the earliest
 * expected ends have ended.
 */
static bool fits_after(struct schedule *s, u32 ended, struct jobs_place *place)
{
	u32 i;

	jobs_grid_copy(&s->later, &s->now);
	for (i = 0; i < ended; i++)
		jobs_grid_set(&s->later, &s->running[s->work[i]].place, 0);
	return jobs_grid_find(&s->later, kind_of(s, s->waiting[0]), s->shapes, place);
}

/* Reserve the latest start and the place of the first waiting job. */
static void reserve(struct schedule *s)
{
	struct jobs_place place = { .groups = 0 };
	u32 low = 0, high = s->nrunning, i;

	for (i = 0; i < s->nrunning; i++)
		s->work[i] = i;
	qsort_r(s->work, s->nrunning, sizeof(*s->work), by_expected, s->running);
	/*
	 * Binary search for the least number of ended jobs; it succeeds because each kind fits into
	 * the empty machine.
	 */
	while (low < high) {
		u32 middle = (low + high) / 2;

		if (fits_after(s, middle, &place))
			high = middle;
		else
			low = middle + 1;
	}
	fits_after(s, low, &place);
	s->shadow = low ? s->running[s->work[low - 1]].expected : s->clock;
	jobs_grid_copy(&s->beside, &s->now);
	if (s->shapes == JOBS_OFF)
		/*
		 * without boxes: other jobs may use the groups that remain free when the first
		 * waiting job starts, but not more than are free now
		 */
		s->beside.free = s->later.free - place.groups < s->now.free ?
				 s->later.free - place.groups : s->now.free;
	else
		jobs_grid_set(&s->beside, &place, 1);
}

static void backfill(struct schedule *s, u32 depth)
{
	struct jobs_place place;
	u32 at;

	reserve(s);
	for (at = 1; at < s->nwaiting && at < depth;) {
		u32 job = s->waiting[at];
		bool gone = s->clock + job_of(s, job)->estimate <= s->shadow;
		u32 beside = s->beside.free;

		if (!schedule_find(s, job, !gone, &place)) {
			at++;
			continue;
		}
		schedule_start(s, job, &place);
		/*
		 * without boxes: a job that ends before the reservation starts does not use groups
		 * that others need then
		 */
		if (s->shapes == JOBS_OFF && gone)
			s->beside.free = beside < s->now.free ? beside : s->now.free;
		remove_waiting(s, at);
	}
}

static void start_jobs(struct schedule *s, enum jobs_order order, u32 depth)
{
	struct jobs_place place;

	s->pass++;
	while (s->nwaiting && schedule_find(s, s->waiting[0], false, &place)) {
		schedule_start(s, s->waiting[0], &place);
		remove_waiting(s, 0);
	}
	if (s->nwaiting && order == JOBS_BACKFILL)
		backfill(s, depth);
}

static void end_jobs(struct schedule *s)
{
	u32 n = 0;

	while (n < s->nrunning && s->running[n].end <= s->clock) {
		s->nodes -= s->running[n].nodes;
		jobs_grid_set(&s->now, &s->running[n++].place, 0);
	}
	s->nrunning -= n;
	memmove(s->running, s->running + n, s->nrunning * sizeof(*s->running));
}

/*
 * Add the node-seconds from now until the next event, as far as they are after the start of the
 * measurement.
 */
static void account(struct schedule *s, double next, double first)
{
	double from = s->clock > first ? s->clock : first;
	u32 groups = s->now.g->nodes / TOFU_GROUP - s->now.free;

	if (next <= from)
		return;
	s->result->utilization += (double)s->nodes * (next - from);
	s->result->allocated += (double)groups * TOFU_GROUP * (next - from);
}

/* Convert sums to fractions and means. @seconds: length of the measurement. */
static void schedule_measure(struct schedule *s, double seconds)
{
	struct jobs_result *r = s->result;

	r->queue = s->nwaiting;
	r->utilization = seconds > 0 ? r->utilization / seconds / s->now.g->nodes : NAN;
	r->allocated = seconds > 0 ? r->allocated / seconds / s->now.g->nodes : NAN;
	r->waited = r->started ? r->waited / r->started : NAN;
}

/*
 * Run all jobs until the last has arrived. Return: false if the observer interrupted the
 * stream.
 */
static bool schedule_run(struct schedule *s, enum jobs_order order, u32 depth)
{
	u32 count = s->stream->count, arrived = 0;
	bool goes_on = true;
	double begin = s->stream->job[0].arrival, last = s->stream->job[count - 1].arrival;
	double first = begin + WARMUP * (last - begin);

	s->clock = begin;
	while (arrived < count && goes_on) {
		double next = s->stream->job[arrived].arrival;

		if (s->nrunning && s->running[0].end < next)
			next = s->running[0].end;
		account(s, next, first);
		s->clock = next;
		end_jobs(s);
		while (arrived < count && s->stream->job[arrived].arrival <= next)
			s->waiting[s->nwaiting++] = arrived++;
		start_jobs(s, order, depth);
		goes_on = !s->watch || s->watch->arrived(s->watch->data, arrived);
	}
	s->result->arrived = arrived;
	s->result->whole = arrived == count;
	schedule_measure(s, s->clock - first);
	return goes_on;
}

/**
 * jobs_run() - run a stream of jobs until the last arrival
 * @stream: the jobs, at least one
 * @kinds: [in, out] views that the jobs request
 * @shapes: boxes that jobs may use
 * @order: scheduling policy
 * @depth: as in struct jobs_experiment
 * @watch: called after each event, and may interrupt the stream; may be NULL
 * @result: [out] the results, also after an interrupt
 *
 * Return: 0, -ENOMEM; -EINTR if @watch interrupted the stream.
 */
int jobs_run(const struct jobs_stream *stream, struct jobs_kinds *kinds,
	     const struct torus_geometry *g, enum jobs_shapes shapes, enum jobs_order order,
	     u32 depth, const struct jobs_watch *watch, struct jobs_result *result)
{
	struct schedule s = { .stream = stream, .kinds = kinds, .shapes = shapes,
			      .watch = watch, .result = result };
	u32 groups = g->nodes / TOFU_GROUP, i;
	int error = jobs_grid_init(&s.now, g) | jobs_grid_init(&s.beside, g) |
		    jobs_grid_init(&s.later, g);

	*result = (struct jobs_result){ .started = 0 };
	for (i = 0; i < kinds->count; i++)
		memset(kinds->kind[i].failed, 0, sizeof(kinds->kind[i].failed));
	s.running = malloc((groups + 1) * sizeof(*s.running));
	s.work = malloc((groups + 1) * sizeof(*s.work));
	s.list = malloc((stream->count + 1) * sizeof(*s.list));
	s.waiting = s.list;
	if (error || !s.running || !s.work || !s.list)
		error = -ENOMEM;
	else if (!schedule_run(&s, order, depth))
		error = -EINTR;
	free(s.running);
	free(s.work);
	free(s.list);
	jobs_grid_free(&s.now);
	jobs_grid_free(&s.beside);
	jobs_grid_free(&s.later);
	return error;
}
