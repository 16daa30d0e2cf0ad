/* SPDX-License-Identifier: GPL-2.0 */
/* torus-sim replay: run the log of an application on a machine. */
#ifndef TORUS_REPLAY_H
#define TORUS_REPLAY_H

#include "../sim/base/command.h"
#include "../sim/base/message.h"

extern const struct sim_command sim_replay_command;

struct replay_result;

int replay_measure(const char *name, const char *text, struct replay_result *result);

#endif /* TORUS_REPLAY_H */
