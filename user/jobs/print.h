/* SPDX-License-Identifier: GPL-2.0 */
/* A study of jobs as text and as JSON. */
#ifndef TORUS_JOBS_PRINT_H
#define TORUS_JOBS_PRINT_H

#include "study.h"

void jobs_study_text(const struct jobs_study *study);
void jobs_study_json(const struct jobs_study *study);

#endif
