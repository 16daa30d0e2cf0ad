/* SPDX-License-Identifier: GPL-2.0 */
/* Command torus-sim jobs. */
#ifndef TORUS_JOBS_COMMAND_H
#define TORUS_JOBS_COMMAND_H

#include "../sim/base/command.h"

extern const struct sim_command sim_jobs_command;

#endif /* TORUS_JOBS_COMMAND_H */
