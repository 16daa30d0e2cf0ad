/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_SWEEP_H
#define TORUS_SIM_SWEEP_H

#include "../cmdline/typed.h"

int sim_sweep(const char *name, const struct sim_typed *typed);

#endif /* TORUS_SIM_SWEEP_H */
