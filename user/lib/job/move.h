/* SPDX-License-Identifier: GPL-2.0 */
/* Move packets of a job in both directions, or wait until some can be moved. */
#ifndef TORUS_LIB_MOVE_H
#define TORUS_LIB_MOVE_H

#include "job.h"

struct torus_waiter;

int torus_job_move(struct torus_job *job);
int torus_job_wait(struct torus_job *job, struct torus_waiter *waiter, bool sending);

#endif /* TORUS_LIB_MOVE_H */
