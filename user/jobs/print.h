/* SPDX-License-Identifier: GPL-2.0 */
/* Print a study of jobs as text and as JSON. */
#ifndef TORUS_JOBS_PRINT_H
#define TORUS_JOBS_PRINT_H

#include "experiment.h"

void jobs_experiment_text(const struct jobs_experiment *study);
void jobs_experiment_json(const struct jobs_experiment *study);

#endif
