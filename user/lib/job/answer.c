// SPDX-License-Identifier: GPL-2.0
/* Answers of the ranks that probe.c asks whether they run. */
#include "answer.h"

/**
 * torus_probe_hear() - record the answer of a rank
 * @job: the job
 * @rank: the rank
 * @to: the incarnation that it answers to
 * @session: the session that it is in, 0: none yet
 */
void torus_probe_hear(struct torus_job *job, __u32 rank, __u32 to, __u32 session)
{
	struct probe *probe = &job->probe;
	unsigned char answer = ANSWER_ALIVE;

	if (!probe->answers || to != job->wireup.own || probe->answers[rank] != ANSWER_NONE)
		return;
	if (job->wireup.session && session != job->wireup.session)
		answer = ANSWER_OTHER;
	probe->answers[rank] = answer;
	probe->came++;
}

/**
 * torus_probe_lost() - record that the question to a rank was lost
 * @job: the job
 * @rank: the rank
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
