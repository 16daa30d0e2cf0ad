// SPDX-License-Identifier: GPL-2.0
/*
 * Logs in the Standard Workload Format, version 2.2 (Parallel Workloads Archive): a line a job, 18
 * numbers, -1 where one is not known; lines that begin with ; are remarks.
 *
 * Taken are the submit time (2), the run time (4), the processors allocated (5) or else those asked
 * for (8), and the time asked for (9).  Of a job that was checkpointed or swapped out there may be
 * further lines, a part of its run each, with a status (11) of 2, 3 or 4: the line of status 0 or
 * 1 tells of the whole job, and it alone is taken.  The log's largest job becomes as large as it is
 * asked for; all others in proportion, each the smallest view that has as many nodes.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../parse/script_lines.h"
#include "../parse/parse.h"
#include "jobs.h"
#include "views.h"
#include "generator.h"
#include "swf.h"

#define FIELDS	18

/* Fields, as they are numbered in the format, from 1. */
enum { SUBMIT = 2, RUN = 4, ALLOCATED = 5, ASKED = 8, TIME_ASKED = 9, STATUS = 11 };

/* Of a line that tells of a part of a job: it goes on, or ended well, or failed. */
#define STATUS_PART	2
#define STATUS_PART_LAST	4

/* A line's numbers; false: it is none of a job. */
static bool take_line(const char *line, double *fields, const char **bad)
{
	char *end;
	int i;

	*bad = NULL;
	line += strspn(line, " \t\r\n");
	if (!*line || *line == ';')
		return false;
	for (i = 1; i <= FIELDS; i++) {
		fields[i] = strtod(line, &end);
		/* nan, inf and hexadecimal are numbers of C's, not of a log's */
		if (end == line || strspn(line, "+-.0123456789eE") < (size_t)(end - line) ||
		    !isfinite(fields[i]) || !strchr(" \t\r\n", *end)) {
			*bad = line;
			return false;
		}
		line = end + strspn(end, " \t\r\n");
	}
	if (*line)
		*bad = line;
	return !*line;
}

/* Processors stand in the kind until the largest job is known. */
static int take_job(struct jobs_stream *stream, const double *fields)
{
	double processors = fields[ALLOCATED] > 0 ? fields[ALLOCATED] : fields[ASKED];
	struct jobs_job job = { .arrival = fields[SUBMIT], .run = fields[RUN] };

	if (fields[STATUS] >= STATUS_PART && fields[STATUS] <= STATUS_PART_LAST)
		return 0;
	if (!(processors >= 1) || processors > 1e9 || !(job.run > 0) || !(job.arrival >= 0)) {
		stream->skipped++;
		return 0;
	}
	job.kind = (u32)processors;
	job.estimate = fields[TIME_ASKED] > job.run ? fields[TIME_ASKED] : job.run;
	return jobs_stream_add(stream, &job);
}

/* Why a line cannot be taken: what parse_line_read() has returned, or its first bad number. */
static int refuse_line(const char *path, u32 number, ssize_t length, const char *bad)
{
	if (length == -1)
		return sim_reject("%s:%u: the line has more than %u bytes", path, number,
				  PARSE_LINE_MAX);
	if (length == -2)
		return sim_error("%s:%u: no memory for the line", path, number);
	return sim_reject("%s:%u: \"%.*s\": not the %d numbers of a job", path, number,
			  (int)strcspn(bad, "\r\n") > 20 ? 20 : (int)strcspn(bad, "\r\n"), bad,
			  FIELDS);
}

static int read_lines(struct jobs_stream *stream, const char *path, FILE *file, u32 count,
		      const struct jobs_watch *watch)
{
	double fields[FIELDS + 1];
	const char *bad = NULL;
	char *line = NULL;
	size_t room = 0;
	u32 number = 0;
	int error = 0;
	ssize_t length = 0;

	errno = 0;
	while (!error && stream->count < count) {
		length = parse_line_read(file, &line, &room);
		if (watch && !watch->arrived(watch->data, 0))
			error = -EINTR;
		if (error || !length)
			break;
		number++;
		if (length > 0 && memchr(line, '\0', length))
			bad = line + strlen(line);
		else if (length > 0 && take_line(line, fields, &bad))
			error = take_job(stream, fields);
		if (length < 0 || bad)
			break;
	}
	if (length < 0 || bad)
		error = refuse_line(path, number, length, bad);
	else if (error == -ENOMEM)
		error = sim_error("%s:%u: no memory for a job", path, number);
	else if (!error && ferror(file))
		error = sim_reject("%s: %s", path, strerror(errno));
	free(line);
	return error;
}

static int compare(const void *a, const void *b)
{
	const struct jobs_job *one = a, *other = b;

	return one->arrival < other->arrival ? -1 : one->arrival > other->arrival;
}

/**
 * jobs_swf_read() - jobs of a log
 * @stream: gets them, by their arrival; to be freed, whatever comes back
 * @kinds: what they may ask for
 * @path: the log
 * @law: its count, at most so many jobs are taken, and its most, the nodes of the largest of them
 * @watch: is called now and then, and may give the stream up; or NULL
 *
 * Return: SIM_OK; SIM_USAGE or SIM_FAILED after telling why; -EINTR: @watch has given it up.
 */
int jobs_swf_read(struct jobs_stream *stream, const struct jobs_kinds *kinds,
		  const char *path, const struct jobs_law *law, const struct jobs_watch *watch)
{
	u32 most = 1, i;
	FILE *file = fopen(path, "re");
	int status;

	*stream = (struct jobs_stream){ .count = 0 };
	if (!file)
		return sim_reject("%s: %s", path, strerror(errno));
	status = read_lines(stream, path, file, law->count, watch);
	fclose(file);
	if (status)
		return status;
	if (stream->count < 2)
		return sim_reject("%s: %u jobs: two are needed at least", path, stream->count);
	qsort(stream->job, stream->count, sizeof(*stream->job), compare);
	if (stream->job[0].arrival >= stream->job[stream->count - 1].arrival)
		return sim_reject("%s: all jobs arrive at once", path);
	for (i = 0; i < stream->count; i++)
		if (stream->job[i].kind > most)
			most = stream->job[i].kind;
	for (i = 0; i < stream->count; i++)
		stream->job[i].kind =
			jobs_kind_of(kinds, (double)stream->job[i].kind / most * law->most);
	return SIM_OK;
}
