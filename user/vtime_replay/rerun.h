/* SPDX-License-Identifier: GPL-2.0 */
/* The command torus-sim rerun. */
#ifndef TORUS_VTIME_REPLAY_RERUN_H
#define TORUS_VTIME_REPLAY_RERUN_H

#include "../sim/base/command.h"

extern const struct sim_command sim_rerun_command;

#endif /* TORUS_VTIME_REPLAY_RERUN_H */
