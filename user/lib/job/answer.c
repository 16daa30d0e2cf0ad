// SPDX-License-Identifier: GPL-2.0
/* Answers of ranks that probe.c asks whether they are there. */
#include "answer.h"

/**
 * torus_probe_hear() - a rank has answered
 * @job: the job
 * @rank: which
 * @to: the incarnation that it answers to
 * @session: the session that it is in, 0: none yet
 */
void torus_probe_hear(struct torus_job *job, __u32 rank, __u32 to, __u32 session)
{
	struct probe *probe = &job->probe;
	unsigned char answer = ANSWER_ALIVE;

	if (!probe->answers || to != job->connect.own || probe->answers[rank] != ANSWER_NONE)
		return;
	if (job->connect.session && session != job->connect.session)
		answer = ANSWER_OTHER;
	probe->answers[rank] = answer;
	probe->came++;
}

/**
 * torus_probe_lost() - a question did not arrive
 * @job: the job
 * @rank: who was asked
 * @reason: of the kernel's notice
 */
void torus_probe_lost(struct torus_job *job, __u32 rank, __u32 reason)
{
	struct probe *probe = &job->probe;

	if (!probe->answers || probe->answers[rank] != ANSWER_NONE)
		return;
	probe->answers[rank] = ANSWER_LOST + reason;
	probe->came++;
}
