/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_REPLAY_H
#define TORUS_SIM_REPLAY_H

#include "sim.h"

extern const struct sim_command sim_replay_command;

#endif /* TORUS_SIM_REPLAY_H */
