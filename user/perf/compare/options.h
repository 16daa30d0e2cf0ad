/* SPDX-License-Identifier: GPL-2.0 */
/* Options of torus-perf. */
#ifndef TORUS_PERF_COMPARE_OPTIONS_H
#define TORUS_PERF_COMPARE_OPTIONS_H

#include "perf.h"

extern const char *const measures[];
extern const char *const betweens[];
int perf_options(struct call *call, int argc, char **argv);

#endif
