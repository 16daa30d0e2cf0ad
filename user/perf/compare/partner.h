/* SPDX-License-Identifier: GPL-2.0 */
/* Select the pairs of ranks that exchange messages. */
#ifndef TORUS_PERF_COMPARE_PARTNER_H
#define TORUS_PERF_COMPARE_PARTNER_H

#include "perf.h"

unsigned int partner_steps(const struct call *call);
unsigned int partner_of(const struct call *call, unsigned int step, unsigned int rank);
bool partner_ever(const struct call *call, unsigned int a, unsigned int b);

#endif
