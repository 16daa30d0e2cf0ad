/* SPDX-License-Identifier: GPL-2.0 */
/* The option --heatmap: how busy the links of each node are. */
#ifndef TORUS_SIM_HEAT_H
#define TORUS_SIM_HEAT_H

#include "use.h"

int sim_heat_write(const struct sim_use *use, const char *path);

#endif
