/* SPDX-License-Identifier: GPL-2.0 */
/* Start all ranks, wait for them, and end them together. */
#ifndef TORUS_RUN_RANKS_H
#define TORUS_RUN_RANKS_H

#include <signal.h>

#include "rank.h"

int run_ranks(const struct run_job *job, int lifeline, const sigset_t *signals);

#endif /* TORUS_RUN_RANKS_H */
