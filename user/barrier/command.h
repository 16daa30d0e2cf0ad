/* SPDX-License-Identifier: GPL-2.0 */
/* The command torus-sim barrier. */
#ifndef TORUS_BARRIER_COMMAND_H
#define TORUS_BARRIER_COMMAND_H

#include "../sim/base/command.h"

extern const struct sim_command sim_barrier_command;

#endif /* TORUS_BARRIER_COMMAND_H */
