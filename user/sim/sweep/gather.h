/* SPDX-License-Identifier: GPL-2.0 */
/* Gather the results of points that other processes have simulated. */
#ifndef TORUS_SIM_SWEEP_GATHER_H
#define TORUS_SIM_SWEEP_GATHER_H

#include "runner.h"

int sim_sweep_gather(struct sim_points *points);

#endif /* TORUS_SIM_SWEEP_GATHER_H */
