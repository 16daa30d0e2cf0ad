/* SPDX-License-Identifier: GPL-2.0 */
/* A sweep as a picture: latency and throughput against a key with numbers. */
#ifndef TORUS_SIM_SWEEP_PLOT_H
#define TORUS_SIM_SWEEP_PLOT_H

#include "output.h"

void sim_sweep_plot_draw(FILE *script, const struct sim_points *points);
bool sim_sweep_plot_fit(const struct sim_points *points);

#endif
