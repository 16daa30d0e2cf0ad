// SPDX-License-Identifier: GPL-2.0
/* Record the answers of ranks to the question whether they run, which liveness.c sends. */
#include "answer.h"

/**
 * torus_liveness_receive() - record the answer of a rank
 * @job: the job
 * @rank: the rank
 * @to: incarnation to which the answer is addressed
 * @session: session of the rank; 0: it has none yet
 */
void torus_liveness_receive(struct torus_job *job, uint32_t rank, uint32_t to, uint32_t session)
{
	struct liveness *liveness = &job->liveness;
	unsigned char answer = ANSWER_ALIVE;

	if (!liveness->answers || to != job->wireup.own || liveness->answers[rank] != ANSWER_NONE)
		return;
	if (job->wireup.session && session != job->wireup.session)
		answer = ANSWER_OTHER;
	liveness->answers[rank] = answer;
	liveness->came++;
}

/**
 * torus_liveness_lost() - record that the question to a rank was lost
 * @job: the job
 * @rank: the rank
 * @reason: reason in the kernel's notice
 */
void torus_liveness_lost(struct torus_job *job, uint32_t rank, uint32_t reason)
{
	struct liveness *liveness = &job->liveness;

	if (!liveness->answers || liveness->answers[rank] != ANSWER_NONE)
		return;
	liveness->answers[rank] = ANSWER_LOST + reason;
	liveness->came++;
}
