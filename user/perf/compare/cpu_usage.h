/* SPDX-License-Identifier: GPL-2.0 */
/* Measure processor time and context switches of this process and of a fabric's threads. */
#ifndef TORUS_PERF_COMPARE_CPU_USAGE_H
#define TORUS_PERF_COMPARE_CPU_USAGE_H

#include "perf.h"

void cpu_usage_own(struct usage *usage);
bool cpu_usage_engine(const char *fabric, struct usage *usage);
void cpu_usage_since(struct usage *usage, const struct usage *from);

#endif
