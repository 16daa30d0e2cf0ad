/* SPDX-License-Identifier: GPL-2.0 */
/* The command job add. Also the parser of a job's name. */
#ifndef TORUS_TORUSCTL_JOB_ADD_H
#define TORUS_TORUSCTL_JOB_ADD_H

#include "ctl.h"

int job_name(struct ctl *ctl, struct ctl_args *args, const char **name);
int job_add(struct ctl *ctl, struct ctl_args *args);

#endif
