/* SPDX-License-Identifier: GPL-2.0 */
/* The option --op: run puts or gets on a Tofu fabric. */
#ifndef TORUS_SIM_OP_H
#define TORUS_SIM_OP_H

#include "../cmdline/options.h"
#include "../cmdline/typed.h"

int sim_op_run(const struct sim_options *options, const struct sim_typed *typed);

#endif /* TORUS_SIM_OP_H */
