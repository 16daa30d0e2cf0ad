/* SPDX-License-Identifier: GPL-2.0 */
/* Supervise the ranks by two processes. If one is killed, the other ends all ranks. */
#ifndef TORUS_RUN_SUPERVISOR_H
#define TORUS_RUN_SUPERVISOR_H

#include "rank.h"

int run_supervise(const struct run_job *job);

#endif /* TORUS_RUN_SUPERVISOR_H */
