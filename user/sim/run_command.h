/* SPDX-License-Identifier: GPL-2.0 */
/* The command torus-sim run: simulate one workload and print its results. */
#ifndef TORUS_SIM_RUN_COMMAND_H
#define TORUS_SIM_RUN_COMMAND_H

#include "base/command.h"

extern const struct sim_command sim_run_command;

#endif /* TORUS_SIM_RUN_COMMAND_H */
