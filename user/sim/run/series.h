/* SPDX-License-Identifier: GPL-2.0 */
/* The measured window in parts, and confidence intervals from the means of these parts. */
#ifndef TORUS_SIM_SERIES_H
#define TORUS_SIM_SERIES_H

#include <stdio.h>

#include "core/run/fabric.h"

struct json_object;

/**
 * struct sim_series - the parts of a measured window
 * @npoints: number of boundaries of parts (parts + 1); 0: no window was measured
 * @points: counters at each boundary
 * @latency_ticks: half width of the 95 % confidence interval of the mean latency, in ticks
 * @rate: half width of the 95 % confidence interval of the delivery rate, as a fraction of the rate
 * @batches: number of parts for the intervals; 0: no intervals, because there are too few parts or,
 *  with --until, the half width of the latency is not finite
 */
struct sim_series {
	unsigned int npoints;
	struct torus_point *points;
	double latency_ticks;
	double rate;
	unsigned int batches;
};

double sim_half_width(const double *values, unsigned int n, double *mean);
int sim_series_set(struct sim_series *series, const struct torus_point *points,
		   unsigned int npoints);
int sim_series_take(struct sim_series *series, struct torus_fabric *fabric);
void sim_series_free(struct sim_series *series);
void sim_series_table(const struct sim_series *series, FILE *out);
struct json_object *sim_series_json(const struct sim_series *series);
struct json_object *sim_series_confidence(const struct sim_series *series);

/* Form that prints the object "confidence" of a run in one line, see report_print(). */
#define SIM_SERIES_FORM \
	"{>confidence}95 %       mean latency +- {latency_cycles%.1f} ticks, " \
	"rate +- {rate*100%.2f} % (means of {batches} batches)\n{/}"

#endif /* TORUS_SIM_SERIES_H */
