/* SPDX-License-Identifier: GPL-2.0 */
/* The command torus-sim sweep: one workload in many settings. */
#ifndef TORUS_SIM_SWEEP_H
#define TORUS_SIM_SWEEP_H

#include "../base/command.h"
#include "../cmdline/cmdline.h"

extern const struct sim_command sim_sweep_command;

int sim_sweep(const char *name, const struct sim_cmdline *typed);

#endif /* TORUS_SIM_SWEEP_H */
