/* SPDX-License-Identifier: GPL-2.0 */
/* The pairs of ranks that exchange messages. */
#ifndef TORUS_PERF_BESIDE_PAIR_H
#define TORUS_PERF_BESIDE_PAIR_H

#include "beside.h"

unsigned int pair_steps(const struct call *call);
unsigned int pair_partner(const struct call *call, unsigned int step, unsigned int rank);
bool pair_ever(const struct call *call, unsigned int a, unsigned int b);

#endif
