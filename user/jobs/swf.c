// SPDX-License-Identifier: GPL-2.0
/*
 * Read logs in the Standard Workload Format, version 2.2 (Parallel Workloads Archive). A job is
 * a line of 18 numbers, with -1 for unknown values. Lines that start with ; are comments.
 *
 * Used fields are the submit time (2), the run time (4), the allocated processors (5) or else
 * the requested ones (8), and the requested time (9). A job that was checkpointed or swapped
 * out may have additional lines for the parts of its run, with a status (11) of 2, 3 or 4. They
 * are ignored: the line of status 0 or 1 describes the whole job. The largest job of the log is
 * scaled to the requested number of nodes, and all others in proportion. Each job gets the
 * smallest view with enough nodes.
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

/* Numbers of the fields in the format, from 1. */
enum { SUBMIT = 2, RUN = 4, ALLOCATED = 5, ASKED = 8, TIME_ASKED = 9, STATUS = 11 };

/*
 * First and last status of lines that describe a part of a job: the part continues, completed, or
 * failed.
 */
#define STATUS_PART	2
#define STATUS_PART_LAST	4

/*
 * Parse the numbers of a line. Return: false if the line has no job. Then @bad is the text from the
 * first invalid number on, or NULL if the line is a comment or empty.
 */
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
		/* reject nan, inf and hexadecimal numbers, which strtod() accepts */
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

/*
 * Add the job of a line. Until the largest job is known, job.kind stores the job's number of
 * processors.
 */
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

/*
 * Reject a line with an error message. If @length is negative, it is the error of
 * parse_line_read(); otherwise @bad is the first invalid number.
 */
static int refuse_line(const char *path, u32 number, ssize_t length, const char *bad)
{
	if (length == -1)
		return sim_reject("%s:%u: the line must have at most %u bytes", path, number,
				  PARSE_LINE_MAX);
	if (length == -2)
		return sim_error("%s:%u: out of memory for the line", path, number);
	return sim_reject("%s:%u: \"%.*s\": must be the %d numbers of a job", path, number,
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
		error = sim_error("%s:%u: out of memory for a job", path, number);
	else if (!error && ferror(file))
		error = sim_reject("%s: %s", path, strerror(errno));
	free(line);
	return error;
}

static int swf_compare(const void *a, const void *b)
{
	const struct jobs_job *one = a, *other = b;

	return one->arrival < other->arrival ? -1 : one->arrival > other->arrival;
}

/**
 * jobs_swf_read() - read the jobs of a log
 * @stream: [out] jobs by their arrival; freed by jobs_stream_free(), also after an error
 * @kinds: views that jobs may request
 * @path: name of the file
 * @law: @count is the maximum number of jobs, @most the nodes of the largest job
 * @watch: called for each line, and may interrupt the read; may be NULL
 *
 * Return: SIM_OK; SIM_USAGE or SIM_FAILED after an error message; -EINTR if @watch interrupted
 * the read.
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
		return sim_reject("%s: has %u jobs, must have at least two", path, stream->count);
	qsort(stream->job, stream->count, sizeof(*stream->job), swf_compare);
	if (stream->job[0].arrival >= stream->job[stream->count - 1].arrival)
		return sim_reject("%s: all jobs arrive at the same time, so the load cannot be "
				  "scaled", path);
	for (i = 0; i < stream->count; i++)
		if (stream->job[i].kind > most)
			most = stream->job[i].kind;
	for (i = 0; i < stream->count; i++)
		stream->job[i].kind =
			jobs_kind_of(kinds, (double)stream->job[i].kind / most * law->most);
	return SIM_OK;
}
