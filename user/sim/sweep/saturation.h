/* SPDX-License-Identifier: GPL-2.0 */
/* The option --find-saturation: search for the load at which a network is saturated. */
#ifndef TORUS_SIM_SATURATION_H
#define TORUS_SIM_SATURATION_H

#include "../cmdline/cmdline.h"

int sim_saturation(const struct sim_cmdline *typed);

#endif /* TORUS_SIM_SATURATION_H */
