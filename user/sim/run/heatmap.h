/* SPDX-License-Identifier: GPL-2.0 */
/* The option --heatmap: how busy the links of each node are. */
#ifndef TORUS_SIM_RUN_HEATMAP_H
#define TORUS_SIM_RUN_HEATMAP_H

#include "link_usage.h"

int sim_heatmap_write(const struct sim_link_usage *use, const char *path);

#endif
