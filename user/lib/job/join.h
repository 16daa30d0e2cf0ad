/* SPDX-License-Identifier: GPL-2.0 */
/* Wait until all processes of a job have joined it. */
#ifndef TORUS_LIB_JOIN_H
#define TORUS_LIB_JOIN_H

#include "job.h"

int torus_wireup_open(struct torus_job *job);
int torus_wireup_wait(struct torus_job *job, int timeout_ms);
void torus_wireup_close(struct torus_job *job);

#endif /* TORUS_LIB_JOIN_H */
