/* SPDX-License-Identifier: GPL-2.0 */
/* The commands of torus-sim. */
#ifndef TORUS_SIM_H
#define TORUS_SIM_H

#include "base/command.h"

extern const struct sim_command sim_run_command;
extern const struct sim_command sim_sweep_command;
extern const struct sim_command sim_replay_command;	/* user/replay */
extern const struct sim_command sim_paper_command;	/* user/paper */
extern const struct sim_command sim_jobs_command;	/* user/jobs */
extern const struct sim_command sim_barrier_command;	/* user/barrier */
extern const struct sim_command sim_rerun_command;	/* user/rerun */

#endif /* TORUS_SIM_H */
