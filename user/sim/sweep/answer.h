/* SPDX-License-Identifier: GPL-2.0 */
/* Print the results of a sweep as text, CSV or JSON. */
#ifndef TORUS_SIM_ANSWER_H
#define TORUS_SIM_ANSWER_H

#include <stdio.h>

#include "points.h"

void sim_answer_title(FILE *out, const struct sim_points *points);
void sim_answer_text(const struct sim_points *points);
void sim_answer_csv(const struct sim_points *points);
void sim_answer_json(const struct sim_points *points);

#endif /* TORUS_SIM_ANSWER_H */
