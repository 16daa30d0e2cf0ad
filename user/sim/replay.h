/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_REPLAY_H
#define TORUS_SIM_REPLAY_H

#include "sim.h"

struct replay_result;

extern const struct sim_command sim_replay_command;

int replay_measure(const char *name, const char *text, struct replay_result *result);

#endif /* TORUS_SIM_REPLAY_H */
