/* SPDX-License-Identifier: GPL-2.0 */
/* Record the answers of ranks to the question whether they run, which liveness.c sends. */
#ifndef TORUS_LIB_ANSWER_H
#define TORUS_LIB_ANSWER_H

#include <stdint.h>

#include "job.h"

enum answer {
	ANSWER_NONE,
	ANSWER_ALIVE,
	ANSWER_OTHER,		/* another process has attached to the rank's group */
	/* the question did not arrive; the notice's reason is added to this value */
	ANSWER_LOST,
};

void torus_liveness_receive(struct torus_job *job, uint32_t rank, uint32_t to, uint32_t session);
void torus_liveness_lost(struct torus_job *job, uint32_t rank, uint32_t reason);

#endif /* TORUS_LIB_ANSWER_H */
