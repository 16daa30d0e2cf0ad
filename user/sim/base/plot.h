/* SPDX-License-Identifier: GPL-2.0 */
/* Draw a picture with gnuplot. */
#ifndef TORUS_SIM_PLOT_H
#define TORUS_SIM_PLOT_H

#include <stdbool.h>
#include <stdio.h>

struct sim_plot;

int sim_plot_open(const char *path, struct sim_plot **result);
FILE *sim_plot_script(struct sim_plot *plot);
int sim_plot_close(struct sim_plot *plot, bool keep);

#endif /* TORUS_SIM_PLOT_H */
