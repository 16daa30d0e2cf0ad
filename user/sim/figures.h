/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_FIGURES_H
#define TORUS_SIM_FIGURES_H

#include "points.h"

/* The figures of a point that a table or a plot has, in the order of columns. */
enum sim_figure {
	SIM_FIGURE_PEAK,
	SIM_FIGURE_LINKS,
	SIM_FIGURE_PAYLOAD,
	SIM_FIGURE_MEAN,
	SIM_FIGURE_P50,
	SIM_FIGURE_P99,
	SIM_FIGURE_MAX,
	SIM_FIGURE_MEAN_NS,
	SIM_FIGURE_HOPS,
	SIM_FIGURE_DELIVERED,
	SIM_FIGURE_IN_FLIGHT,
	SIM_FIGURE_BACKLOG,
	SIM_FIGURE_SATURATED,
	SIM_FIGURE_STEADY,
	SIM_FIGURE_LITTLE,
	SIM_FIGURES,
};

/**
 * struct sim_setting - what was measured in a setting
 * @replicas: seeds that its figures are from; without --replicate 0 or 1
 * @mean: of each figure
 * @half: half the width of its 95 % interval; 0 of one seed
 * @hash: sum of the delivery hashes
 * @first: one of the points; NULL: there is none
 */
struct sim_setting {
	u32 replicas;
	double mean[SIM_FIGURES];
	double half[SIM_FIGURES];
	u64 hash;
	const struct sim_measure *first;
};

void sim_figures(const struct sim_measure *measure, double values[SIM_FIGURES]);
const char *sim_figure_name(enum sim_figure figure);
bool sim_setting(const struct sim_points *points, u32 number, struct sim_setting *setting);

#endif /* TORUS_SIM_FIGURES_H */
