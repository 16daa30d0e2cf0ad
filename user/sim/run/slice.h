/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compute the length of a slice: the part of a run between two progress reports and checks for
 * Ctrl-C.
 */
#ifndef TORUS_SIM_RUN_SLICE_H
#define TORUS_SIM_RUN_SLICE_H

#include "core/platform.h"

struct torus_config;

u64 sim_slice_windows(const struct torus_config *config);

#endif /* TORUS_SIM_RUN_SLICE_H */
