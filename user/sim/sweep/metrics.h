/* SPDX-License-Identifier: GPL-2.0 */
/* The metrics of a point, which are columns of a table. */
#ifndef TORUS_SIM_SWEEP_METRICS_H
#define TORUS_SIM_SWEEP_METRICS_H

#include "../run/measure.h"

/* The metrics of a point in a table or a plot, in the order of columns. */
enum sim_metric {
	SIM_METRIC_PEAK,
	SIM_METRIC_LINKS,
	SIM_METRIC_PAYLOAD,
	SIM_METRIC_MEAN,
	SIM_METRIC_P50,
	SIM_METRIC_P99,
	SIM_METRIC_MAX,
	SIM_METRIC_MEAN_NS,
	SIM_METRIC_HOPS,
	SIM_METRIC_DELIVERED,
	SIM_METRIC_IN_FLIGHT,
	SIM_METRIC_BACKLOG,
	SIM_METRIC_SATURATED,
	SIM_METRIC_STEADY,
	SIM_METRIC_LITTLE,
	SIM_METRIC_ACCEPTED,
	SIM_METRIC_ACCEPTED_BYTES,
	SIM_METRIC_ACCEPTED_FLITS,
	/* number of metrics without --statistics; the metrics below need it */
	SIM_METRICS_PLAIN,
	SIM_METRIC_OFFERED = SIM_METRICS_PLAIN,
	SIM_METRIC_OFFERED_BYTES,
	SIM_METRIC_OF_PEAK,
	SIM_METRIC_NODE_MIN,
	SIM_METRIC_JAIN,
	SIM_METRIC_SOURCE,
	SIM_METRIC_NETWORK,
	SIM_METRIC_P50_EXACT,
	SIM_METRIC_P95_EXACT,
	SIM_METRIC_P99_EXACT,
	SIM_METRICS,
};

void sim_metrics(const struct sim_measure *measure, double values[SIM_METRICS]);
const char *sim_metric_name(enum sim_metric figure);
bool sim_metric_is_truth(enum sim_metric figure);

#endif /* TORUS_SIM_SWEEP_METRICS_H */
