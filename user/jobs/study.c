// SPDX-License-Identifier: GPL-2.0
/* Streams by rules: run, averaged, compared pair by pair. */
#include <math.h>

#include "../sim/series.h"
#include "study.h"

static struct jobs_mean mean_of(const double *value, u32 count)
{
	struct jobs_mean mean;

	mean.half = sim_half_width(value, count, &mean.mean);
	return mean;
}

/**
 * jobs_study_mean() - utilisation by a rule
 * @study: a study that was run
 * @rule: the rule
 *
 * Return: the mean over all streams.
 */
struct jobs_mean jobs_study_mean(const struct jobs_study *study, u32 rule)
{
	double value[STUDY_SEEDS_MAX];
	u32 i;

	for (i = 0; i < study->seeds; i++)
		value[i] = study->result[rule][i].utilization;
	return mean_of(value, study->seeds);
}

/**
 * jobs_study_gain() - how much more the first rule uses than another
 * @study: a study that was run
 * @rule: the other rule
 *
 * Return: the mean over all streams of the difference.
 */
struct jobs_mean jobs_study_gain(const struct jobs_study *study, u32 rule)
{
	double value[STUDY_SEEDS_MAX];
	u32 i;

	for (i = 0; i < study->seeds; i++)
		value[i] = study->result[0][i].utilization - study->result[rule][i].utilization;
	return mean_of(value, study->seeds);
}

static int make_stream(struct jobs_study *study, u32 index, struct jobs_stream *stream)
{
	int status;

	if (!study->log) {
		status = jobs_stream_draw(stream, &study->kinds, &study->g, &study->law,
					  study->seed + index);
		return status ? sim_failed("no memory for %u jobs", study->law.count) : SIM_OK;
	}
	status = jobs_swf_read(stream, &study->kinds, &study->g, study->log, study->law.count);
	if (!status && study->scaled)
		jobs_stream_scale(stream, &study->kinds, &study->g, study->law.load);
	return status;
}

static int run_stream(struct jobs_study *study, u32 index)
{
	struct jobs_stream stream;
	int status = make_stream(study, index, &stream);
	u32 rule;

	/* what a log has left after a bad line has no kinds yet */
	if (!status)
		study->load[index] = jobs_stream_load(&stream, &study->kinds, &study->g);
	study->jobs = stream.count;
	study->skipped = stream.skipped;
	for (rule = 0; rule < study->rules && !status; rule++)
		if (jobs_run(&stream, &study->kinds, &study->g, study->rule[rule].shapes,
			     study->rule[rule].order, study->depth, &study->result[rule][index]))
			status = sim_failed("no memory for %u jobs", stream.count);
	jobs_stream_free(&stream);
	return status;
}

/**
 * jobs_study_run() - run every stream by every rule
 * @study: the study; its results are set
 *
 * Return: SIM_OK; SIM_USAGE or SIM_FAILED after telling why.
 */
int jobs_study_run(struct jobs_study *study)
{
	int status = SIM_OK;
	u32 i;

	for (i = 0; i < study->seeds && !status; i++)
		status = run_stream(study, i);
	return status;
}
