/* SPDX-License-Identifier: GPL-2.0 */
/* Checkpoints: files from which an interrupted run continues. */
#ifndef TORUS_SIM_CHECKPOINT_H
#define TORUS_SIM_CHECKPOINT_H

#include "measure.h"
#include "../cmdline/cmdline.h"

int sim_checkpoint_options(struct sim_cmdline *typed, unsigned int command);
int sim_checkpoint_check(const char *option, const char *path);
u64 sim_checkpoint_next(const struct sim_run_config *options, const struct torus_fabric *fabric);
int sim_checkpoint_write(const struct sim_run_config *options, struct torus_fabric *fabric,
			 struct sim_measure *measure);
int sim_checkpoint_read(const struct sim_run_config *options, struct torus_fabric *fabric,
			struct sim_measure *measure);

#endif /* TORUS_SIM_CHECKPOINT_H */
