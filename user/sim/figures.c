// SPDX-License-Identifier: GPL-2.0
/* The figures of points, and their means over seeds. */
#include <stdlib.h>
#include <string.h>

#include "figures.h"

static const char *const names[SIM_FIGURES] = {
	[SIM_FIGURE_PEAK] = "percent_of_peak",
	[SIM_FIGURE_LINKS] = "link_utilization",
	[SIM_FIGURE_PAYLOAD] = "payload_utilization",
	[SIM_FIGURE_MEAN] = "latency_mean_cycles",
	[SIM_FIGURE_P50] = "latency_p50_cycles",
	[SIM_FIGURE_P99] = "latency_p99_cycles",
	[SIM_FIGURE_MAX] = "latency_max_cycles",
	[SIM_FIGURE_MEAN_NS] = "latency_mean_ns",
	[SIM_FIGURE_HOPS] = "hops_mean",
	[SIM_FIGURE_DELIVERED] = "packets_delivered",
	[SIM_FIGURE_IN_FLIGHT] = "in_flight",
	[SIM_FIGURE_BACKLOG] = "backlog",
	[SIM_FIGURE_SATURATED] = "saturated",
	[SIM_FIGURE_STEADY] = "steady",
	[SIM_FIGURE_LITTLE] = "little",
};

/**
 * sim_figure_name - a figure's name in CSV and JSON
 * @figure: the figure
 *
 * Return: its name.
 */
const char *sim_figure_name(enum sim_figure figure)
{
	return names[figure];
}

/**
 * sim_figures - the figures of a point
 * @measure: what was measured
 * @values: gets them
 */
void sim_figures(const struct sim_measure *measure, double values[SIM_FIGURES])
{
	const struct torus_result *result = &measure->result;
	struct report_figures figures;

	report_figures(&measure->context, result, &figures);
	values[SIM_FIGURE_PEAK] = figures.percent_of_peak;
	values[SIM_FIGURE_LINKS] = figures.utilization;
	values[SIM_FIGURE_PAYLOAD] = figures.payload_utilization;
	values[SIM_FIGURE_MEAN] = figures.latency_mean_ticks;
	values[SIM_FIGURE_P50] = (double)result->win_latency_p50;
	values[SIM_FIGURE_P99] = (double)result->win_latency_p99;
	values[SIM_FIGURE_MAX] = (double)result->win_latency_max;
	values[SIM_FIGURE_MEAN_NS] = figures.latency_mean_ticks * result->tick_fs / 1e6;
	values[SIM_FIGURE_HOPS] = figures.hops_mean;
	values[SIM_FIGURE_DELIVERED] = (double)result->win_delivered;
	values[SIM_FIGURE_IN_FLIGHT] = (double)result->in_flight;
	values[SIM_FIGURE_BACKLOG] = (double)result->backlog;
	values[SIM_FIGURE_SATURATED] = figures.saturated;
	values[SIM_FIGURE_STEADY] = figures.steady;
	values[SIM_FIGURE_LITTLE] = figures.little;
}

/* A point whose figures count: among several seeds, those that ended are alike. */
static bool counts(const struct sim_points *points, const struct sim_point *point)
{
	return point->measured &&
	       (points->replicas == 1 || point->measure.outcome == SIM_DONE);
}

/**
 * sim_setting - what was measured in a setting, over its seeds
 * @points: the points
 * @number: of the setting
 * @setting: gets it; its @half is 0 without memory for the seeds' figures
 *
 * Return: whether anything was.
 */
bool sim_setting(const struct sim_points *points, u32 number, struct sim_setting *setting)
{
	double *values = calloc(points->replicas, sizeof(*values));
	double of_point[SIM_FIGURES];
	u32 i, f;

	memset(setting, 0, sizeof(*setting));
	for (f = 0; f < SIM_FIGURES; f++) {
		u32 n = 0;

		for (i = 0; i < points->replicas; i++) {
			const struct sim_point *point = sim_points_at(points, number, i);

			if (!counts(points, point))
				continue;
			sim_figures(&point->measure, of_point);
			setting->mean[f] += (of_point[f] - setting->mean[f]) / ++n;
			if (values)
				values[n - 1] = of_point[f];
			if (f)
				continue;
			setting->hash += point->measure.result.hash;
			if (!setting->first)
				setting->first = &point->measure;
		}
		setting->replicas = n;
		if (values && n > 1)
			setting->half[f] = sim_half_width(values, n, &setting->mean[f]);
		/* A column of whole numbers stays one. */
		else if (values && n)
			setting->mean[f] = values[0];
	}
	free(values);
	return setting->first;
}
