/* SPDX-License-Identifier: GPL-2.0 */
/* Wait by polling. Also set the error message of a rank. */
#ifndef TORUS_PERF_COMPARE_POLL_WAIT_H
#define TORUS_PERF_COMPARE_POLL_WAIT_H

#include "perf.h"

void poll_wait_begin(struct perf_rank *rank);
void poll_wait_more(struct perf_rank *rank);
int poll_wait_failed(struct perf_rank *rank, const char *what, int error);

#endif
