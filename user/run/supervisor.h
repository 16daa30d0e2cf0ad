/* SPDX-License-Identifier: GPL-2.0 */
/* Keep the ranks by two processes, either of which ends everything if the other is killed. */
#ifndef TORUS_RUN_SUPERVISOR_H
#define TORUS_RUN_SUPERVISOR_H

#include "rank.h"

int run_supervise(const struct run_job *job);

#endif /* TORUS_RUN_SUPERVISOR_H */
