/* SPDX-License-Identifier: GPL-2.0 */
/* The command torus-sim keys. */
#ifndef TORUS_SIM_KEYS_COMMAND_H
#define TORUS_SIM_KEYS_COMMAND_H

#include "base/command.h"

extern const struct sim_command sim_keys_command;

#endif /* TORUS_SIM_KEYS_COMMAND_H */
