/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting of a process that polls, and error messages. */
#ifndef TORUS_PERF_BESIDE_WAIT_H
#define TORUS_PERF_BESIDE_WAIT_H

#include "beside.h"

void wait_begin(struct rank *rank);
void wait_more(struct rank *rank);
int wait_failed(struct rank *rank, const char *what, int error);

#endif
