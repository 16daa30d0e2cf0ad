/* SPDX-License-Identifier: GPL-2.0 */
/* The number of windows of a run that are simulated in one step. */
#ifndef TORUS_SIM_PIECE_H
#define TORUS_SIM_PIECE_H

#include "core/env.h"

struct torus_config;

u64 sim_piece_windows(const struct torus_config *config);

#endif /* TORUS_SIM_PIECE_H */
