/* SPDX-License-Identifier: GPL-2.0 */
/* Measure all transports in turns, round after round. */
#ifndef TORUS_PERF_BESIDE_PLAY_H
#define TORUS_PERF_BESIDE_PLAY_H

#include "beside.h"

int play_rank(struct rank *rank);
size_t shared_bytes(const struct call *call);
struct sample *sample_of(const struct call *call, struct shared *shared, unsigned int round,
			 unsigned int size, unsigned int way);

#endif
