/* SPDX-License-Identifier: GPL-2.0 */
/* Transports that torus-perf compares. */
#ifndef TORUS_PERF_COMPARE_TRANSPORT_H
#define TORUS_PERF_COMPARE_TRANSPORT_H

#include "perf.h"

extern const struct transport transports[];
extern const unsigned int transport_count;

#endif
