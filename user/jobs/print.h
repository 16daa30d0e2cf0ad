/* SPDX-License-Identifier: GPL-2.0 */
/* Print a study of jobs as text and as JSON. */
#ifndef TORUS_JOBS_PRINT_H
#define TORUS_JOBS_PRINT_H

#include "experiment.h"

void jobs_experiment_print(const struct jobs_experiment *study, bool json);

#endif
