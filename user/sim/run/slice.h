/* SPDX-License-Identifier: GPL-2.0 */
/* The length of a slice of a run. */
#ifndef TORUS_SIM_RUN_SLICE_H
#define TORUS_SIM_RUN_SLICE_H

#include "core/env.h"

struct torus_config;

u64 sim_slice_windows(const struct torus_config *config);

#endif /* TORUS_SIM_RUN_SLICE_H */
