// SPDX-License-Identifier: GPL-2.0
/*
 * Run job streams with several rules, average the results, and compare the rules stream by
 * stream.
 */
#include <errno.h>
#include <math.h>

#include "../sim/base/signals.h"
#include "../sim/base/progress.h"
#include "../sim/run/series.h"
#include "../sim/transport/procs.h"
#include "views.h"
#include "scheduler.h"
#include "generator.h"
#include "experiment.h"
#include "swf.h"

static struct jobs_mean mean_of(const double *value, u32 count)
{
	struct jobs_mean mean = { .mean = NAN, .half = NAN };

	if (count)
		mean.half = sim_half_width(value, count, &mean.mean);
	return mean;
}

/**
 * jobs_experiment_begin() - set the default distributions (see README.md), one stream, and no rule
 * @study: [out] the parameters
 */
void jobs_experiment_begin(struct jobs_experiment *study)
{
	*study = (struct jobs_experiment){
		.law = { .count = 2000, .load = 1.2, .median = 1800, .sigma = 1.5 },
		.seed = 1, .seeds = 1, .depth = 100,
	};
}

/**
 * jobs_experiment_machine() - set the machine, its views, and the sizes of jobs
 * @study: [in, out] from jobs_experiment_begin(); the caller frees @study->kinds, also after an
 *    error
 * @groups: lengths in x, y and z, at most 64 each
 * @mesh: bit i: axis i is a line, not a ring
 * @large: minimum nodes of a job with redundancy nodes; 0: no job has them; JOBS_LARGE_EIGHTH
 *
 * Return: SIM_OK; SIM_USAGE or SIM_FAILED after an error message.
 */
int jobs_experiment_machine(struct jobs_experiment *study, const u32 *groups, u32 mesh, u32 large)
{
	struct jobs_law *law = &study->law;

	tofu_geometry_init(&study->g, groups, mesh, ~0u);
	study->redundancy = large == JOBS_LARGE_EIGHTH ? study->g.nodes / 8 : large;
	if (jobs_kinds_make(&study->kinds, &study->g, study->redundancy))
		return sim_error("out of memory for views");
	if (!study->kinds.count)
		return sim_reject("--redundancy %u: the machine has no view that fits with "
				  "redundancy nodes", study->redundancy);
	law->least = study->kinds.kind[0].nodes;
	if (study->g.nodes / 64 > law->least)
		law->least = study->g.nodes / 64;
	law->most = study->g.nodes / 8 > law->least ? study->g.nodes / 8 : law->least;
	return SIM_OK;
}

/**
 * jobs_experiment_counts() - check whether a stream with a rule is included in means
 * @study: must have been run
 *
 * Return: true for a complete stream; also for an interrupted stream if it is the first and has
 * measurements.
 */
bool jobs_experiment_counts(const struct jobs_experiment *study, u32 rule, u32 stream)
{
	const struct jobs_result *result = &study->result[rule][stream];

	return result->whole || (!stream && !isnan(result->utilization));
}

/**
 * jobs_experiment_mean() - compute the mean utilization of a rule
 * @study: must have been run
 *
 * Return: the mean over the streams that jobs_experiment_counts() includes.
 */
struct jobs_mean jobs_experiment_mean(const struct jobs_experiment *study, u32 rule)
{
	double value[STUDY_SEEDS_MAX];
	u32 i, n = 0;

	for (i = 0; i < study->seeds; i++)
		if (jobs_experiment_counts(study, rule, i))
			value[n++] = study->result[rule][i].utilization;
	return mean_of(value, n);
}

/**
 * jobs_experiment_gain() - compute the gain in utilization of the first rule over another rule
 * @study: must have been run
 * @rule: the other rule
 *
 * Return: the mean difference over the streams that are complete with both rules.
 */
struct jobs_mean jobs_experiment_gain(const struct jobs_experiment *study, u32 rule)
{
	double value[STUDY_SEEDS_MAX];
	u32 i, n = 0;

	for (i = 0; i < study->seeds; i++)
		if (study->result[0][i].whole && study->result[rule][i].whole)
			value[n++] = study->result[0][i].utilization -
				     study->result[rule][i].utilization;
	return mean_of(value, n);
}

/**
 * jobs_experiment_stopped() - find where a study was interrupted
 * @study: must have been run
 * @stream: [out] the stream
 * @rule: [out] the rule
 *
 * Return: false if all streams are complete.
 */
bool jobs_experiment_stopped(const struct jobs_experiment *study, u32 *stream, u32 *rule)
{
	for (*stream = 0; *stream < study->seeds; ++*stream)
		for (*rule = 0; *rule < study->rules; ++*rule)
			if (!study->result[*rule][*stream].whole)
				return true;
	return false;
}

static int make_stream(struct jobs_experiment *study, u32 index, struct jobs_stream *stream,
		       const struct jobs_watch *watch)
{
	int status;

	if (!study->log) {
		study->jobs = study->law.count;
		status = jobs_stream_draw(stream, &study->kinds, &study->g, &study->law,
					  study->seed + index, watch);
		if (status == -ENOMEM)
			status = sim_error("out of memory for %u jobs", study->law.count);
		return status;
	}
	status = jobs_swf_read(stream, &study->kinds, study->log, &study->law, watch);
	study->jobs = stream->count;
	study->skipped = stream->skipped;
	if (!status && study->scaled)
		jobs_stream_scale(stream, &study->kinds, &study->g, study->law.load);
	return status;
}

/* Argument of the progress callback: the number of jobs of the stream. */
struct study_share {
	struct sim_progress *progress;
	u32 jobs;
};

static bool study_arrived(void *data, u32 arrived)
{
	const struct study_share *share = data;

	if (arrived)
		sim_progress_at(share->progress, (double)arrived / share->jobs, NULL);
	return !sim_interrupted();
}

static int run_stream(struct jobs_experiment *study, u32 index, struct sim_progress *progress)
{
	struct study_share share = { .progress = progress };
	const struct jobs_watch watch = { .arrived = study_arrived, .data = &share };
	struct jobs_stream stream;
	int status = make_stream(study, index, &stream, &watch);
	u32 rule;

	sim_procs_beat();
	/* after an error in a log, the jobs have no kinds yet: do not compute the load */
	if (!status)
		study->load[index] = jobs_stream_load(&stream, &study->kinds, &study->g);
	share.jobs = stream.count;
	for (rule = 0; rule < study->rules && !status; rule++) {
		status = jobs_run(&stream, &study->kinds, &study->g, study->rule[rule].shapes,
				  study->rule[rule].order, study->depth, &watch,
				  &study->result[rule][index]);
		if (status == -ENOMEM)
			status = sim_error("out of memory for %u jobs", stream.count);
		progress->done++;
	}
	jobs_stream_free(&stream);
	return status == -EINTR ? 128 + sim_interrupted() : status;
}

/**
 * jobs_experiment_run() - run each stream with each rule
 * @study: [in, out] its results are set; after an interrupt, only the results of completed runs and
 *         of the interrupted one
 * @progress: receives the progress; each run of a stream with a rule is one piece
 *
 * Return: SIM_OK; SIM_USAGE or SIM_FAILED after an error message; 128 plus the signal's number
 * after an interrupt. sim_signals_catch() must have been called to detect that.
 */
int jobs_experiment_run(struct jobs_experiment *study, struct sim_progress *progress)
{
	const struct jobs_result none = { .utilization = NAN, .allocated = NAN, .waited = NAN };
	int status = SIM_OK;
	u32 i, rule;

	for (i = 0; i < study->seeds; i++) {
		study->load[i] = NAN;
		for (rule = 0; rule < study->rules; rule++)
			study->result[rule][i] = none;
	}
	for (i = 0; i < study->seeds && !status; i++)
		status = run_stream(study, i, progress);
	return status;
}
