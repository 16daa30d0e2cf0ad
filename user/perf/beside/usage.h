/* SPDX-License-Identifier: GPL-2.0 */
/* Processor time and context switches of this process and of a fabric's threads. */
#ifndef TORUS_PERF_BESIDE_USAGE_H
#define TORUS_PERF_BESIDE_USAGE_H

#include "beside.h"

void usage_own(struct usage *usage);
bool usage_engine(const char *fabric, struct usage *usage);
void usage_since(struct usage *usage, const struct usage *from);

#endif
