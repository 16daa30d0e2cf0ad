/* SPDX-License-Identifier: GPL-2.0 */
/* Measure all transports of the command line in turns, round after round. */
#ifndef TORUS_PERF_COMPARE_MEASURE_H
#define TORUS_PERF_COMPARE_MEASURE_H

#include "perf.h"

int measure_rank(struct perf_rank *rank);
size_t shared_bytes(const struct call *call);
struct sample *sample_of(const struct call *call, struct perf_shared *shared, unsigned int round,
			 unsigned int size, unsigned int way);

#endif
