/* SPDX-License-Identifier: GPL-2.0 */
/* The option --heatmap: utilization of each node's links, one map per dimension. */
#ifndef TORUS_SIM_RUN_HEATMAP_H
#define TORUS_SIM_RUN_HEATMAP_H

#include "link_usage.h"

int sim_heatmap_write(const struct sim_link_usage *use, const char *path);

#endif
