// SPDX-License-Identifier: GPL-2.0
/*
 * The option --statistics: histograms of latency, throughput in packets, bytes and flits, and
 * fairness between nodes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../../report/json.h"
#include "core/workload/backlog.h"
#include "core/workload/pattern.h"
#include "core/workload/workload.h"
#include "core/run/measure.h"
#include "measure.h"

/* The quantiles of latency in the output. */
static const struct {
	const char *name;
	double part;
} quantiles[] = {
	{ "p50", 0.5 }, { "p90", 0.9 }, { "p95", 0.95 }, { "p99", 0.99 }, { "p999", 0.999 },
};

/* Names of enum torus_latency_class. */
const char *const sim_latency_classes[TORUS_LATENCY_CLASSES] = {
	[TORUS_LATENCY_REQUEST] = "request",
	[TORUS_LATENCY_REPLY] = "reply",
	[TORUS_LATENCY_TRIP] = "round_trip",
};

#define QUANTILES	(sizeof(quantiles) / sizeof(quantiles[0]))

/* Combine the flags @sends of all processes: each process has set the flags of its own nodes. */
static void statistics_of_ranks(bool *sends, const struct torus_fabric *fabric)
{
	struct torus_procs *ranks = fabric->cfg.procs;
	const bool *all;
	size_t got, i;

	if (!ranks)
		return;
	all = ranks->pass(ranks, sends, fabric->nodes * sizeof(*sends), &got);
	for (i = 0; i < got / sizeof(*all); i++)
		sends[i % fabric->nodes] |= all[i];
}

/**
 * sim_statistics_take - collect the statistics of a fabric
 * @statistics: [out] the statistics, freed by sim_statistics_free()
 * @fabric: the fabric, with its workload and histograms
 *
 * Return: 0, or -1 if there is no memory.
 */
int sim_statistics_take(struct sim_statistics *statistics, struct torus_fabric *fabric)
{
	struct torus_latency *network = &statistics->network;
	u32 nodes = torus_fabric_config(fabric)->geo.nodes, node, i, j;
	const struct torus_workload *w = fabric->workload;
	struct torus_backlog backlog = { .packets = 0 };
	const struct torus_latencies *l;

	statistics->latencies = torus_latencies_take(fabric);
	statistics->sends = calloc(nodes, sizeof(*statistics->sends));
	if (!statistics->latencies || !statistics->sends)
		return -1;
	l = statistics->latencies;
	for (node = 0; node < nodes; node++) {
		statistics->sends[node] = torus_workload_open(w) &&
					  torus_pattern_sends(fabric, &w->traffic, node);
		if (statistics->sends[node] || !torus_node_here(fabric, node))
			continue;
		torus_backlog_count(torus_domain_of(fabric, node), node, &backlog);
		statistics->sends[node] = backlog.packets || backlog.waiting;
	}
	statistics_of_ranks(statistics->sends, fabric);
	for (i = 0; i < l->hops; i++) {
		network->sum += l->network[i].sum;
		network->max = l->network[i].max > network->max ? l->network[i].max : network->max;
		for (j = 0; j < TORUS_LATENCY_BUCKETS; j++)
			network->bucket[j] += l->network[i].bucket[j];
	}
	statistics->generated_chunks = torus_traffic_chunks(fabric, l);
	statistics->flit_bytes = torus_fabric_config(fabric)->arch->chunk_bytes;
	return 0;
}

/**
 * sim_statistics_free - free the statistics
 * @statistics: from sim_statistics_take(), or zeroed
 */
void sim_statistics_free(struct sim_statistics *statistics)
{
	torus_latencies_free(statistics->latencies);
	free(statistics->sends);
	statistics->latencies = NULL;
	statistics->sends = NULL;
}

/**
 * sim_latency_count - the number of packets in a histogram
 * @latency: the histogram
 *
 * Return: number of packets.
 */
u64 sim_latency_count(const struct torus_latency *latency)
{
	u64 count = 0;
	u32 i;

	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++)
		count += latency->bucket[i];
	return count;
}

/**
 * sim_latency_mean - the exact mean latency
 * @latency: the histogram
 *
 * Return: ticks; NAN if the histogram is empty.
 */
double sim_latency_mean(const struct torus_latency *latency)
{
	u64 count = sim_latency_count(latency);

	return count ? (double)latency->sum / count : NAN;
}

/**
 * sim_latency_quantile - the latency that a fraction of the packets does not exceed
 * @latency: the histogram
 * @part: the fraction, above 0 and up to 1
 *
 * Packets of a bucket are assumed to be distributed evenly over its ticks.
 *
 * Return: ticks, with a relative error of at most 1/32; NAN if the histogram is empty.
 */
double sim_latency_quantile(const struct torus_latency *latency, double part)
{
	double wanted = part * sim_latency_count(latency), seen = 0, width, value;
	u32 i;

	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++) {
		double here = latency->bucket[i];

		if (!(here > 0) || seen + here < wanted) {
			seen += here;
			continue;
		}
		width = (double)(torus_latency_floor(i + 1) - torus_latency_floor(i));
		value = torus_latency_floor(i) + ceil((wanted - seen) / here * width) - 1;
		return fmin(fmax(value, torus_latency_floor(i)), latency->max);
	}
	return NAN;
}

/**
 * sim_throughput - compute the offered and the accepted traffic
 * @measure: measurement with statistics
 * @t: [out] rates per node and tick
 */
void sim_throughput(const struct sim_measure *measure, struct sim_throughput *t)
{
	const struct torus_traffic *traffic = &measure->context.traffic;
	const struct torus_result *r = &measure->result;
	const struct sim_statistics *s = &measure->statistics;
	double share = (double)r->nodes * (r->window_end - r->window_start);

	if (!(share > 0))	/* the window has no ticks: leave all rates NAN */
		share = NAN;
	t->offered.packets = r->win_generated / share;
	t->offered.flits = s->generated_chunks / share;
	t->offered.bytes = t->offered.flits * s->flit_bytes;
	t->accepted.packets = r->win_delivered / share;
	t->accepted.flits = s->latencies->chunks / share;
	t->accepted.bytes = t->accepted.flits * s->flit_bytes;
	t->peak = traffic->load && r->peak_num ? (double)r->peak_den / r->peak_num : NAN;
}

/**
 * sim_spread - compute the fairness between nodes
 * @measure: measurement with statistics
 * @sent: true: sent packets of the nodes that have packets to send; false: received packets of
 *	all nodes
 * @spread: [out] mean, extremes and Jain's index
 */
void sim_spread(const struct sim_measure *measure, bool sent, struct sim_spread *spread)
{
	const struct sim_statistics *s = &measure->statistics;
	const u64 *packets = sent ? s->latencies->sent : s->latencies->received;
	double ticks = (double)(measure->result.window_end - measure->result.window_start);
	double sum = 0, squares = 0;
	u32 node;

	*spread = (struct sim_spread){ .mean = NAN, .min = NAN, .max = NAN, .jain = NAN };
	for (node = 0; node < s->latencies->nodes; node++) {
		double rate = ticks > 0 ? packets[node] / ticks : NAN;

		if (sent && !s->sends[node])
			continue;
		spread->min = fmin(spread->min, rate);
		spread->max = fmax(spread->max, rate);
		spread->nodes++;
		sum += rate;
		squares += rate * rate;
	}
	if (!spread->nodes)
		return;
	spread->mean = sum / spread->nodes;
	spread->jain = squares > 0 ? sum * sum / (spread->nodes * squares) : NAN;
}

/* ----------------------------------------------------------------------- JSON */

static struct json_object *json_latency(const struct torus_latency *latency)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *list = json_object_new_array();
	size_t i;

	report_add_u64(doc, "packets", sim_latency_count(latency));
	report_add_u64(doc, "sum", latency->sum);
	report_add_double(doc, "mean", sim_latency_mean(latency));
	for (i = 0; i < QUANTILES; i++)
		report_add_double(doc, quantiles[i].name,
				  sim_latency_quantile(latency, quantiles[i].part));
	if (sim_latency_count(latency))
		report_add_u64(doc, "max", latency->max);
	else
		json_object_object_add(doc, "max", NULL);
	/* write each non-empty bucket as first tick, last tick, number of packets */
	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++) {
		struct json_object *bucket;

		if (!latency->bucket[i])
			continue;
		bucket = json_object_new_array();
		json_object_array_add(bucket, json_object_new_uint64(torus_latency_floor(i)));
		json_object_array_add(bucket,
				      json_object_new_uint64(torus_latency_floor(i + 1) - 1));
		json_object_array_add(bucket, json_object_new_uint64(latency->bucket[i]));
		json_object_array_add(list, bucket);
	}
	json_object_object_add(doc, "histogram", list);
	return doc;
}

static struct json_object *json_by_hops(const struct torus_latencies *l)
{
	struct json_object *list = json_object_new_array();
	u32 i;

	for (i = 0; i < l->hops; i++) {
		struct json_object *row;

		if (!sim_latency_count(&l->network[i]))
			continue;
		row = json_latency(&l->network[i]);
		report_add_u64(row, "hops", i);
		if (i == l->hops - 1)
			report_add_bool(row, "or_more", true);
		json_object_array_add(list, row);
	}
	return list;
}

static struct json_object *json_by_class(const struct torus_latencies *l)
{
	struct json_object *doc = json_object_new_object();
	u32 i;

	for (i = 0; i < TORUS_LATENCY_CLASSES; i++)
		json_object_object_add(doc, sim_latency_classes[i], json_latency(&l->by_class[i]));
	return doc;
}

static struct json_object *json_rate(const struct sim_rate *rate)
{
	struct json_object *doc = json_object_new_object();

	report_add_double(doc, "packets", rate->packets);
	report_add_double(doc, "bytes", rate->bytes);
	report_add_double(doc, "flits", rate->flits);
	return doc;
}

static struct json_object *json_throughput(const struct sim_measure *measure)
{
	struct json_object *doc = json_object_new_object();
	struct sim_throughput t;

	sim_throughput(measure, &t);
	json_object_object_add(doc, "offered", json_rate(&t.offered));
	json_object_object_add(doc, "accepted", json_rate(&t.accepted));
	report_add_u64(doc, "flit_bytes", measure->statistics.flit_bytes);
	report_add_double(doc, "peak_packets", t.peak);
	report_add_double(doc, "offered_of_peak", t.offered.packets / t.peak);
	report_add_double(doc, "accepted_of_peak", t.accepted.packets / t.peak);
	return doc;
}

static struct json_object *json_spread(const struct sim_measure *measure, bool sent)
{
	struct json_object *doc = json_object_new_object();
	struct sim_spread spread;

	sim_spread(measure, sent, &spread);
	report_add_u64(doc, "nodes", spread.nodes);
	report_add_double(doc, "mean", spread.mean);
	report_add_double(doc, "min", spread.min);
	report_add_double(doc, "max", spread.max);
	report_add_double(doc, "jain", spread.jain);
	return doc;
}

/**
 * sim_statistics_json - convert the statistics to JSON
 * @measure: measurement with statistics
 *
 * Return: the object, owned by the caller.
 */
struct json_object *sim_statistics_json(const struct sim_measure *measure)
{
	const struct sim_statistics *s = &measure->statistics;
	struct json_object *doc = json_object_new_object();
	struct json_object *latency = json_object_new_object();
	struct json_object *nodes = json_object_new_object();

	json_object_object_add(latency, "source", json_latency(&s->latencies->source));
	json_object_object_add(latency, "network", json_latency(&s->network));
	json_object_object_add(latency, "total", json_latency(&s->latencies->total));
	json_object_object_add(latency, "network_by_hops", json_by_hops(s->latencies));
	if (measure->context.traffic.reply)
		json_object_object_add(latency, "by_class", json_by_class(s->latencies));
	json_object_object_add(doc, "latency_cycles", latency);
	json_object_object_add(doc, "per_node_cycle", json_throughput(measure));
	json_object_object_add(nodes, "sent", json_spread(measure, true));
	json_object_object_add(nodes, "received", json_spread(measure, false));
	json_object_object_add(doc, "nodes", nodes);
	return doc;
}
