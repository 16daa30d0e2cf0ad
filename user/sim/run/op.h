/* SPDX-License-Identifier: GPL-2.0 */
/* The option --op: run puts or gets on a Tofu fabric. */
#ifndef TORUS_SIM_OP_H
#define TORUS_SIM_OP_H

#include "../cmdline/run_config.h"
#include "../cmdline/cmdline.h"

int sim_op_run(const struct sim_run_config *options, const struct sim_cmdline *typed);

#endif /* TORUS_SIM_OP_H */
