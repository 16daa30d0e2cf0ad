/* SPDX-License-Identifier: GPL-2.0 */
/* Options of torus-pingpong. */
#ifndef TORUS_PERF_OPTIONS_H
#define TORUS_PERF_OPTIONS_H

#include "pingpong.h"

int pingpong_options(struct pingpong *call, int argc, char **argv);

#endif
