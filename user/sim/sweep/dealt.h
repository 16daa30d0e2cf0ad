/* SPDX-License-Identifier: GPL-2.0 */
/* Collect the points of a sweep that other processes have measured. */
#ifndef TORUS_SIM_DEALT_H
#define TORUS_SIM_DEALT_H

#include "points.h"

int sim_dealt_gather(struct sim_points *points);

#endif /* TORUS_SIM_DEALT_H */
