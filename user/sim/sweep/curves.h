/* SPDX-License-Identifier: GPL-2.0 */
/* A sweep as a picture: latency and throughput against a key with numbers. */
#ifndef TORUS_SIM_CURVES_H
#define TORUS_SIM_CURVES_H

#include "answer.h"

void sim_curves_draw(FILE *script, const struct sim_points *points);
bool sim_curves_fit(const struct sim_points *points);

#endif
