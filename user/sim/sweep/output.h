/* SPDX-License-Identifier: GPL-2.0 */
/* Results of a sweep as text, CSV and JSON. */
#ifndef TORUS_SIM_SWEEP_OUTPUT_H
#define TORUS_SIM_SWEEP_OUTPUT_H

#include <stdio.h>

#include "runner.h"

void sim_sweep_print_title(FILE *out, const struct sim_points *points);
void sim_sweep_print_text(const struct sim_points *points);
void sim_sweep_print_csv(const struct sim_points *points);
void sim_sweep_print_json(const struct sim_points *points);

#endif /* TORUS_SIM_SWEEP_OUTPUT_H */
