// SPDX-License-Identifier: GPL-2.0
/* Report the ranks for which other ranks wait. The report is made once. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/progress.h"
#include "missing.h"
#include "run.h"
#include "log.h"

/* minimum time in ms from the start of the last rank until the report */
#define REPORT_MS	3000
/* time in ms between two checks; the report is delayed while ranks make progress */
#define STEP_MS		1000
#define NAMED_MAX	8	/* maximum number of ranks that the report names */

/**
 * struct survey - progress of the ranks
 * @ranks: processes of the ranks
 * @started: number of ranks that have been started
 * @attached: by rank: true if the rank has attached to its node
 * @progress: by rank: enum torus_progress
 * @opening: true if at least one rank has started to open the job
 * @joining: true if all started ranks have started to open the job
 */
struct survey {
	const struct run_rank *ranks;
	uint32_t started;
	bool *attached;
	uint8_t *progress;
	bool opening;
	bool joining;
};

/* Return the reason why other ranks wait for a rank; NULL if no rank waits for it. */
static const char *survey_reason(const struct survey *survey, uint32_t rank)
{
	enum torus_progress progress = survey->progress[rank];

	if (progress == TORUS_PROGRESS_JOINED)
		return NULL;
	if (progress == TORUS_PROGRESS_OPENING)
		return survey->joining ? "waits in torus_job_open()" : NULL;
	if (survey->ranks[rank].starting >= 0)
		return "has not started its program yet";
	if (!survey->attached[rank])
		return survey->ranks[rank].over ? "has ended" : "runs but has not attached";
	return survey->opening ? "has attached but has not opened the job" : NULL;
}

static bool survey_take(struct survey *survey, const struct run_job *job)
{
	uint32_t rank;

	if (!survey->attached || !survey->progress || !job->attached(&job->env, survey->attached))
		return false;
	if (job->progress >= 0 &&
	    !torus_progress_read(job->progress, survey->progress, job->env.places.count))
		return false;
	survey->joining = true;
	for (rank = 0; rank < survey->started; rank++) {
		bool opening = survey->progress[rank] != TORUS_PROGRESS_NONE;

		survey->opening |= opening;
		survey->joining &= opening;
	}
	return true;
}

/* Count the missing ranks. @text: [out] names of the first few ranks, with reasons. */
static uint32_t survey_missing(const struct survey *survey, const struct run_job *job, char *text,
			       size_t size)
{
	uint32_t rank, missing = 0;
	char one[RUN_RANK_TEXT];
	size_t used = 0;

	for (rank = 0; rank < survey->started; rank++) {
		const char *reason = survey_reason(survey, rank);

		if (!reason || missing++ >= NAMED_MAX)
			continue;
		used += snprintf(text + used, size - used, "%s%s %s", missing > 1 ? ", " : "",
				 run_rank_text(job, rank, &survey->ranks[rank], one, sizeof(one)),
				 reason);
	}
	return missing;
}

/*
 * Report missing ranks once. There is no report if no rank attaches or opens the job, because then
 * the program does not use the fabric. The report is delayed while ranks make progress: on a slow
 * host, starting many ranks takes long.
 */
static void missing_log(struct run_missing *missing, const struct run_job *job,
			const struct survey *survey, uint64_t now)
{
	char text[NAMED_MAX * (RUN_RANK_TEXT + 48)] = "";
	uint32_t count = survey_missing(survey, job, text, sizeof(text));
	bool changed = count != missing->count || survey->joining != missing->joining;

	missing->count = count;
	missing->joining = survey->joining;
	if (now < missing->from || (count && changed)) {
		missing->at = now + STEP_MS;
		return;
	}
	if (!count || (count == survey->started && !survey->opening))
		return;
	run_log("waiting for %" PRIu32 " of %zu ranks: %s%s", count, job->env.places.count, text,
		count > NAMED_MAX ? " .." : "");
	missing->reported = true;
}

/**
 * run_missing_start - restart the time until the report, because a rank has been started
 * @missing: state of the report
 * @job: the job
 * @now: current time in ms, by now_ms()
 */
void run_missing_start(struct run_missing *missing, const struct run_job *job, uint64_t now)
{
	if (!job->attached || missing->reported)
		return;
	missing->at = now + STEP_MS;
	missing->from = now + REPORT_MS;
}

/**
 * run_missing_report - check for missing ranks, and report them if it is time
 * @missing: state of the report; its time @at has passed
 * @job: the job
 * @ranks: processes of the ranks
 * @started: number of ranks that have been started; 0: the job is ending, no report
 * @now: current time in ms
 */
void run_missing_report(struct run_missing *missing, const struct run_job *job,
			const struct run_rank *ranks, uint32_t started, uint64_t now)
{
	struct survey survey = {
		.ranks = ranks, .started = started,
		.attached = calloc(job->env.places.count, sizeof(*survey.attached)),
		.progress = calloc(job->env.places.count, sizeof(*survey.progress)),
	};

	missing->at = RUN_NEVER;
	if (started && survey_take(&survey, job))
		missing_log(missing, job, &survey, now);
	free(survey.attached);
	free(survey.progress);
}
