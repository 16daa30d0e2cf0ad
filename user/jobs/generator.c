// SPDX-License-Identifier: GPL-2.0
/*
 * Generate random jobs.
 *
 * Sizes: the logarithm of the number of nodes is uniform. Views: one of the smallest view with
 * enough nodes and all views with up to a fifth more nodes, with equal probability. Run times:
 * log-normal, 10 s to a day. Requested times: the run time plus an exponential surplus with the
 * same mean. Arrivals: Poisson, at a rate that results in the offered load.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../common/array.h"
#include "core/base/random.h"
#include "jobs.h"
#include "views.h"
#include "generator.h"

#define RUN_MIN		10.0
#define RUN_MAX		86400.0
/* greatest ratio of a view's nodes to the job's nodes, except of the smallest view for the job */
#define SPREAD		1.2
/* number of the generator's random stream, combined with the seed */
#define STREAM		0x6a6f6273

/* Return a random number above 0 and up to 1. */
static double uniform(u64 *state)
{
	return ((double)(torus_random(state) >> 11) + 1) / 9007199254740992.0;
}

static double normal(u64 *state)
{
	double radius = sqrt(-2 * log(uniform(state)));

	return radius * cos(2 * M_PI * uniform(state));
}

/**
 * jobs_stream_add() - append a job to a stream
 *
 * Return: 0, -ENOMEM.
 */
int jobs_stream_add(struct jobs_stream *stream, const struct jobs_job *job)
{
	struct jobs_job *added = torus_array_add(&stream->job, &stream->count);

	if (!added)
		return -ENOMEM;
	*added = *job;
	return 0;
}

static u32 draw_kind(const struct jobs_kinds *kinds, const struct jobs_law *law, u64 *state)
{
	double nodes = law->least * pow((double)law->most / law->least, uniform(state));
	u32 first = jobs_kind_of(kinds, nodes), last = first;

	while (last + 1 < kinds->count && kinds->kind[last + 1].nodes <= SPREAD * nodes)
		last++;
	return first + torus_random_below(state, last - first + 1);
}

/**
 * jobs_stream_load() - compute the offered load of a stream
 * @kinds: views that the jobs request
 *
 * Return: node-seconds of all jobs, relative to the machine's capacity from the first to the last
 * arrival; 0 if that time is 0.
 */
double jobs_stream_load(const struct jobs_stream *stream, const struct jobs_kinds *kinds,
			const struct torus_geometry *g)
{
	double work = 0, span;
	u32 i;

	for (i = 0; i < stream->count; i++)
		work += stream->job[i].run * kinds->kind[stream->job[i].kind].nodes;
	span = stream->count ? stream->job[stream->count - 1].arrival - stream->job[0].arrival : 0;
	return span > 0 ? work / span / g->nodes : 0;
}

/**
 * jobs_stream_scale() - scale the arrival times to an offered load
 * @kinds: views that the jobs request
 * @load: offered load
 */
void jobs_stream_scale(struct jobs_stream *stream, const struct jobs_kinds *kinds,
		       const struct torus_geometry *g, double load)
{
	double factor = jobs_stream_load(stream, kinds, g) / load;
	u32 i;

	for (i = 0; factor > 0 && i < stream->count; i++)
		stream->job[i].arrival *= factor;
}

/**
 * jobs_stream_draw() - generate jobs
 * @stream: [out] freed by jobs_stream_free(), also after an error
 * @kinds: views that jobs may request
 * @law: distributions
 * @seed: seed of the random numbers
 * @watch: observer, called for each job; may stop the generator; may be NULL
 *
 * Return: 0, -ENOMEM; -EINTR if @watch stopped the generator.
 */
int jobs_stream_draw(struct jobs_stream *stream, const struct jobs_kinds *kinds,
		     const struct torus_geometry *g, const struct jobs_law *law, u64 seed,
		     const struct jobs_watch *watch)
{
	u64 state = torus_random_seed(seed, STREAM, 0);
	double clock = 0;
	int error = 0;
	u32 i;

	*stream = (struct jobs_stream){ .count = 0 };
	for (i = 0; i < law->count && !error; i++) {
		struct jobs_job job = { .kind = draw_kind(kinds, law, &state) };

		job.run = law->median * exp(law->sigma * normal(&state));
		job.run = job.run < RUN_MIN ? RUN_MIN : job.run > RUN_MAX ? RUN_MAX : job.run;
		job.estimate = job.run * (1 - log(uniform(&state)));
		clock -= log(uniform(&state));
		job.arrival = clock;
		error = jobs_stream_add(stream, &job);
		if (!error && watch && !watch->arrived(watch->data, 0))
			error = -EINTR;
	}
	if (!error)
		jobs_stream_scale(stream, kinds, g, law->load);
	return error;
}

/**
 * jobs_stream_free() - free the jobs of a stream
 */
void jobs_stream_free(struct jobs_stream *stream)
{
	free(stream->job);
	*stream = (struct jobs_stream){ .count = 0 };
}
