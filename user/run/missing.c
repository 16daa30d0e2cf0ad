// SPDX-License-Identifier: GPL-2.0
/* The ranks that the others wait for, reported once. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/progress.h"
#include "missing.h"
#include "run.h"
#include "log.h"

#define REPORT_MS	3000	/* from the start of the last rank until the report */
#define STEP_MS		1000	/* between checks; while ranks proceed, the report waits */
#define NAMED_MAX	8	/* ranks that the report names */

/**
 * struct survey - how far the ranks have come
 * @ranks: their processes
 * @started: number of ranks that have been started
 * @attached: by rank
 * @progress: by rank, enum torus_progress
 * @opening: a rank has begun to open the job
 * @joining: all that have been started have
 */
struct survey {
	const struct run_rank *ranks;
	uint32_t started;
	bool *attached;
	uint8_t *progress;
	bool opening;
	bool joining;
};

/* The reason why the others wait for a rank, or NULL. */
static const char *survey_reason(const struct survey *survey, uint32_t rank)
{
	enum torus_progress progress = survey->progress[rank];

	if (progress == TORUS_PROGRESS_JOINED)
		return NULL;
	if (progress == TORUS_PROGRESS_OPENING)
		return survey->joining ? "waits in torus_job_open()" : NULL;
	if (survey->ranks[rank].starting >= 0)
		return "does not run its program yet";
	if (!survey->attached[rank])
		return survey->ranks[rank].over ? "has ended" : "runs and has not attached";
	return survey->opening ? "has attached and has not opened the job" : NULL;
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

/* The ranks that are missing: their number, and @text names the first few. */
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
 * A program in which no rank attaches needs no fabric.  On a slow host many ranks may take long to
 * start: while some proceed, the report waits.
 */
static void missing_tell(struct run_missing *missing, const struct run_job *job,
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
	missing->told = true;
}

/**
 * run_missing_start - count the time until the report from now
 * @missing: the report
 * @job: the job, one more of whose ranks has been started
 * @now: the time in ms
 */
void run_missing_start(struct run_missing *missing, const struct run_job *job, uint64_t now)
{
	if (!job->attached || missing->told)
		return;
	missing->at = now + STEP_MS;
	missing->from = now + REPORT_MS;
}

/**
 * run_missing_tell - report once the ranks that the others wait for
 * @missing: the report, whose time of the next check has come
 * @job: the job
 * @ranks: their processes
 * @started: number of ranks that have been started; 0: the job ends, no report
 * @now: the time in ms
 */
void run_missing_tell(struct run_missing *missing, const struct run_job *job,
		      const struct run_rank *ranks, uint32_t started, uint64_t now)
{
	struct survey survey = {
		.ranks = ranks, .started = started,
		.attached = calloc(job->env.places.count, sizeof(*survey.attached)),
		.progress = calloc(job->env.places.count, sizeof(*survey.progress)),
	};

	missing->at = RUN_NEVER;
	if (started && survey_take(&survey, job))
		missing_tell(missing, job, &survey, now);
	free(survey.attached);
	free(survey.progress);
}
