/* SPDX-License-Identifier: GPL-2.0 */
/* The figures of a point of a sweep: columns of a table, axes of a plot. */
#ifndef TORUS_SIM_FIGURES_H
#define TORUS_SIM_FIGURES_H

#include "../run/measure.h"

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
	SIM_FIGURE_ACCEPTED,
	SIM_FIGURE_ACCEPTED_BYTES,
	SIM_FIGURE_ACCEPTED_FLITS,
	SIM_FIGURES_PLAIN,	/* the others only with --statistics */
	SIM_FIGURE_OFFERED = SIM_FIGURES_PLAIN,
	SIM_FIGURE_OFFERED_BYTES,
	SIM_FIGURE_OF_PEAK,
	SIM_FIGURE_NODE_MIN,
	SIM_FIGURE_JAIN,
	SIM_FIGURE_SOURCE,
	SIM_FIGURE_NETWORK,
	SIM_FIGURE_P50_EXACT,
	SIM_FIGURE_P95_EXACT,
	SIM_FIGURE_P99_EXACT,
	SIM_FIGURES,
};

void sim_figures(const struct sim_measure *measure, double values[SIM_FIGURES]);
const char *sim_figure_name(enum sim_figure figure);
bool sim_figure_is_truth(enum sim_figure figure);

#endif /* TORUS_SIM_FIGURES_H */
