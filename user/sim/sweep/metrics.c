// SPDX-License-Identifier: GPL-2.0
/* The metrics of a point, which are columns of a table. */
#include <math.h>

#include "metrics.h"
#include "../../report/ratios.h"

static const char *const names[SIM_METRICS] = {
	[SIM_METRIC_PEAK] = "percent_of_peak",
	[SIM_METRIC_LINKS] = "link_utilization_fraction",
	[SIM_METRIC_PAYLOAD] = "payload_utilization_fraction",
	[SIM_METRIC_MEAN] = "latency_mean_cycles",
	[SIM_METRIC_P50] = "latency_p50_cycles",
	[SIM_METRIC_P99] = "latency_p99_cycles",
	[SIM_METRIC_MAX] = "latency_max_cycles",
	[SIM_METRIC_MEAN_NS] = "latency_mean_ns",
	[SIM_METRIC_HOPS] = "hops_mean",
	[SIM_METRIC_DELIVERED] = "packets_delivered",
	[SIM_METRIC_IN_FLIGHT] = "in_flight_packets",
	[SIM_METRIC_BACKLOG] = "backlog_packets",
	[SIM_METRIC_SATURATED] = "saturated",
	[SIM_METRIC_STEADY] = "steady",
	[SIM_METRIC_LITTLE] = "little_error_fraction",
	[SIM_METRIC_ACCEPTED] = "accepted_packets_per_node_cycle",
	[SIM_METRIC_ACCEPTED_BYTES] = "accepted_bytes_per_node_cycle",
	[SIM_METRIC_ACCEPTED_FLITS] = "accepted_flits_per_node_cycle",
	[SIM_METRIC_OFFERED] = "offered_packets_per_node_cycle",
	[SIM_METRIC_OFFERED_BYTES] = "offered_bytes_per_node_cycle",
	[SIM_METRIC_OF_PEAK] = "accepted_of_peak_fraction",
	[SIM_METRIC_NODE_MIN] = "sent_min_packets_per_cycle",
	[SIM_METRIC_JAIN] = "sent_jain_index",
	[SIM_METRIC_SOURCE] = "source_mean_cycles",
	[SIM_METRIC_NETWORK] = "network_mean_cycles",
	[SIM_METRIC_P50_EXACT] = "total_p50_cycles",
	[SIM_METRIC_P95_EXACT] = "total_p95_cycles",
	[SIM_METRIC_P99_EXACT] = "total_p99_cycles",
};

/**
 * sim_metric_name - the name of a metric in CSV and JSON
 * @figure: the metric
 *
 * Return: the name.
 */
const char *sim_metric_name(enum sim_metric figure)
{
	return names[figure];
}

/**
 * sim_metric_is_truth - check whether a metric is a truth value
 * @figure: the metric
 *
 * Return: true if it is. The mean of a truth value is the fraction of seeds for which it is true.
 */
bool sim_metric_is_truth(enum sim_metric figure)
{
	return figure == SIM_METRIC_SATURATED || figure == SIM_METRIC_STEADY;
}

static void figures_more(const struct sim_measure *measure, double values[SIM_METRICS])
{
	const struct sim_statistics *s = &measure->statistics;
	const struct torus_latency *total = &s->latencies->total;
	struct sim_throughput t;
	struct sim_spread sent;

	sim_throughput(measure, &t);
	sim_spread(measure, true, &sent);
	values[SIM_METRIC_OFFERED] = t.offered.packets;
	values[SIM_METRIC_OFFERED_BYTES] = t.offered.bytes;
	values[SIM_METRIC_OF_PEAK] = t.accepted.packets / t.peak;
	values[SIM_METRIC_NODE_MIN] = sent.min;
	values[SIM_METRIC_JAIN] = sent.jain;
	values[SIM_METRIC_SOURCE] = sim_latency_mean(&s->latencies->source);
	values[SIM_METRIC_NETWORK] = sim_latency_mean(&s->network);
	values[SIM_METRIC_P50_EXACT] = sim_latency_quantile(total, 0.5);
	values[SIM_METRIC_P95_EXACT] = sim_latency_quantile(total, 0.95);
	values[SIM_METRIC_P99_EXACT] = sim_latency_quantile(total, 0.99);
}

/**
 * sim_metrics - compute the metrics of a point
 * @measure: results of the point
 * @values: [out] the metrics; NAN if not measured
 */
void sim_metrics(const struct sim_measure *measure, double values[SIM_METRICS])
{
	const struct torus_result *result = &measure->result;
	struct report_figures figures;
	u32 i;

	report_figures(&measure->context, result, &figures);
	values[SIM_METRIC_PEAK] = figures.percent_of_peak;
	values[SIM_METRIC_LINKS] = figures.utilization;
	values[SIM_METRIC_PAYLOAD] = figures.payload_utilization;
	values[SIM_METRIC_MEAN] = figures.latency_mean_ticks;
	values[SIM_METRIC_P50] = result->win_delivered ? (double)result->win_latency_p50 : NAN;
	values[SIM_METRIC_P99] = result->win_delivered ? (double)result->win_latency_p99 : NAN;
	values[SIM_METRIC_MAX] = result->win_delivered ? (double)result->win_latency_max : NAN;
	values[SIM_METRIC_MEAN_NS] = figures.latency_mean_ticks * result->tick_fs / 1e6;
	values[SIM_METRIC_HOPS] = figures.hops_mean;
	values[SIM_METRIC_DELIVERED] = (double)result->win_delivered;
	values[SIM_METRIC_IN_FLIGHT] = (double)result->in_flight;
	values[SIM_METRIC_BACKLOG] = (double)result->backlog;
	values[SIM_METRIC_SATURATED] = figures.saturated;
	values[SIM_METRIC_STEADY] = figures.steady;
	values[SIM_METRIC_LITTLE] = figures.little;
	values[SIM_METRIC_ACCEPTED] = figures.accepted_packets;
	values[SIM_METRIC_ACCEPTED_BYTES] = figures.accepted_bytes;
	values[SIM_METRIC_ACCEPTED_FLITS] = figures.accepted_flits;
	for (i = SIM_METRICS_PLAIN; i < SIM_METRICS; i++)
		values[i] = NAN;
	if (measure->statistics.latencies)
		figures_more(measure, values);
}
