/* SPDX-License-Identifier: GPL-2.0 */
/* Options of torus-perf. */
#ifndef TORUS_PERF_BESIDE_OPTIONS_H
#define TORUS_PERF_BESIDE_OPTIONS_H

#include "beside.h"

extern const char *const measures[];
extern const char *const betweens[];
int beside_options(struct call *call, int argc, char **argv);

#endif
