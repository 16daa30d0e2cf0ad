// SPDX-License-Identifier: GPL-2.0
/*
 * Ask ranks after a time-out whether they run, so that the error text can name those that do not
 * answer.
 *
 * A process answers only during calls of the library with its job.  So a process that computes does
 * not answer, although it runs.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "../context/inject.h"
#include "../context/virtual_time.h"
#include "../context/wait.h"
#include "answer.h"
#include "job.h"
#include "liveness.h"
#include "member.h"
#include "move.h"
#include "wireup.h"

/* greatest number of ranks, with its own, that one rank asks, because all ranks may ask at once */
#define ASKED_MAX	1024
/* milliseconds without an answer after which no more answers are expected */
#define SILENCE_MS	1000
#define ASK_AGAIN_MS	150
#define NAMED_MAX	4	/* greatest number of ranks named in the text */

static bool probe_asks(const struct torus_job *job, uint32_t rank)
{
	return rank != job->rank && torus_job_member_alive(job, rank);
}

/*
 * Ask the ranks that have not answered, among the @asked ranks from @first on.  Start with the
 * *@at-th of them.
 * Return: 0 or a negative errno.
 */
static int probe_ask(struct torus_job *job, uint32_t first, uint32_t asked, uint32_t *at)
{
	uint32_t count = job->config.count;
	int ret;

	for (; *at < asked; ++*at) {
		uint32_t rank = (first + *at) % count;

		if (!probe_asks(job, rank) || job->liveness.answers[rank])
			continue;
		ret = torus_wireup_send(job, rank, WIREUP_PROBE, 0);
		if (ret == -EAGAIN)
			break;
		if (ret && ret != -EHOSTUNREACH)
			return ret;
	}
	return torus_inject_publish(job->context);
}

static uint32_t probe_silent(const struct torus_job *job, uint32_t first, uint32_t asked)
{
	uint32_t i, silent = 0;

	for (i = 0; i < asked; i++) {
		uint32_t rank = (first + i) % job->config.count;

		silent += probe_asks(job, rank) && !job->liveness.answers[rank];
	}
	return silent;
}

/* Ask the ranks, and wait until all have answered or no answer arrives any more. */
static void probe_run(struct torus_job *job, uint32_t first, uint32_t asked)
{
	struct liveness *liveness = &job->liveness;
	__u64 quiet = torus_context_now_ns(job->context), again = quiet;
	struct torus_waiter waiter;
	uint32_t at = 0, came = 0;

	torus_waiter_init(&waiter, job->context, -1);
	for (;;) {
		__u64 now;

		if (probe_ask(job, first, asked, &at) || torus_job_move(job) < 0)
			return;
		now = torus_context_now_ns(job->context);
		if (liveness->came != came) {
			came = liveness->came;
			quiet = now;
			if (!probe_silent(job, first, asked))
				return;
		}
		if (now - quiet > SILENCE_MS * 1000000ull)
			return;
		/* Ask a second time later: the first packets may have been lost. */
		if (at == asked && again && now - again > ASK_AGAIN_MS * 1000000ull) {
			at = 0;
			again = 0;
		}
		waiter.deadline_ns = now + 10 * 1000000ull;
		if (torus_waiter_step(&waiter, POLLIN) == -ENODEV)
			return;
	}
}

static const char *probe_word(unsigned char answer)
{
	if (answer == ANSWER_OTHER)
		return " is another process";
	return answer < ANSWER_LOST ? " does not answer" : "";
}

/* Append the places of the ranks that do not answer to @text. */
static void probe_name(const struct torus_job *job, uint32_t first, uint32_t asked, char *text,
		       size_t size)
{
	char where[TORUS_PLACE_MAX];
	uint32_t i, named = 0, silent = 0, there = 0;
	size_t end = strlen(text);

	for (i = 0; i < asked; i++) {
		uint32_t rank = (first + i) % job->config.count;

		if (!probe_asks(job, rank))
			continue;
		there += job->liveness.answers[rank] == ANSWER_ALIVE;
		silent += job->liveness.answers[rank] != ANSWER_ALIVE;
	}
	if (!silent) {
		snprintf(text + end, size - end, there == 1 ? ": the other rank answers" :
			 ": all other ranks answer");
		return;
	}
	for (i = 0; i < job->config.count && named < NAMED_MAX; i++) {
		/* name the ranks in ascending order, although they were asked from @first on */
		uint32_t from = (i + job->config.count - first) % job->config.count;

		if (from >= asked || !probe_asks(job, i) ||
		    job->liveness.answers[i] == ANSWER_ALIVE)
			continue;
		end += snprintf(text + end, size - end, "%s%s%s", named++ ? "; " : ": ",
				torus_job_place(job, i, where),
				probe_word(job->liveness.answers[i]));
		if (end < size && job->liveness.answers[i] >= ANSWER_LOST)
			end += snprintf(text + end, size - end, ": %s",
					torus_error_notice(job->liveness.answers[i] - ANSWER_LOST));
		if (end >= size)
			return;
	}
	if (silent > named)
		snprintf(text + end, size - end, "; %u more of %u ranks do not answer",
			 silent - named, silent + there);
}

/**
 * torus_liveness_explain() - set the text of a time-out, with the ranks that do not answer
 * @job: the job
 * @error: negative errno
 * @format: printf format of what the caller waited for
 *
 * All other ranks on live nodes are asked whether they run; in a large job only those among the
 * next ASKED_MAX - 1 ranks.
 *
 * Return: @error.
 */
int torus_liveness_explain(struct torus_job *job, int error, const char *format, ...)
{
	uint32_t asked = job->config.count, first = job->rank;
	char text[TORUS_ERROR_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* Asking may itself time out.  Then do not ask again. */
	if (job->liveness.answers || asked < 2)
		return torus_error_set(error, "%s", text);
	if (asked > ASKED_MAX)
		asked = ASKED_MAX;
	job->liveness = (struct liveness) { .answers = calloc(job->config.count, 1) };
	if (job->liveness.answers) {
		probe_run(job, first, asked);
		if (!torus_context_dead(job->context))
			probe_name(job, first, asked, text, sizeof(text));
	}
	free(job->liveness.answers);
	job->liveness.answers = NULL;
	return torus_error_set(error, "%s", text);
}
