/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_OP_H
#define TORUS_SIM_OP_H

#include <stdbool.h>

#include "options.h"
#include "typed.h"

#define SIM_OP_LENGTH	8	/* bytes of an operation, unless typed */

bool sim_op_asked(const struct sim_options *options);
int sim_op_run(const struct sim_options *options, const struct sim_typed *typed);

#endif /* TORUS_SIM_OP_H */
