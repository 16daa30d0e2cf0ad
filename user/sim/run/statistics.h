/* SPDX-License-Identifier: GPL-2.0 */
/* The option --statistics: histograms of latency, throughput, and fairness between nodes. */
#ifndef TORUS_SIM_STATISTICS_H
#define TORUS_SIM_STATISTICS_H

#include <stdbool.h>

#include "core/run/fabric.h"
#include "core/state/latency_histogram.h"

struct json_object;
struct sim_measure;

/**
 * struct sim_statistics - results of --statistics
 * @latencies: histograms, and deliveries per node; NULL without --statistics
 * @sends: for each node, true if it has packets to send
 * @network: histogram of the network latency of all packets, with any number of hops
 * @generated_chunks: chunks of all packets generated in the window
 * @flit_bytes: bytes of a flit, which is the machine's chunk
 */
struct sim_statistics {
	struct torus_latencies *latencies;
	bool *sends;
	struct torus_latency network;
	u64 generated_chunks;
	u32 flit_bytes;
};

extern const char *const sim_latency_classes[TORUS_LATENCY_CLASSES];

/**
 * struct sim_rate - a rate per node and tick, in three units
 */
struct sim_rate {
	double packets;
	double bytes;
	double flits;
};

/**
 * struct sim_throughput - offered and accepted traffic
 * @offered: packets generated in the window
 * @accepted: packets received in the window
 * @peak: packets per node and tick that the busiest link or port allows; NAN in closed loop, which
 *	has no load
 */
struct sim_throughput {
	struct sim_rate offered;
	struct sim_rate accepted;
	double peak;
};

/**
 * struct sim_spread - distribution of a rate over nodes, in packets per tick
 * @nodes: number of nodes
 * @mean: mean rate
 * @min: lowest rate
 * @max: highest rate
 * @jain: Jain's index of fairness: 1 if all rates are equal, 1 / @nodes if one node has all
 *	packets
 *
 * Rates are NAN if there is no node or no tick; @jain is NAN if there is no packet.
 */
struct sim_spread {
	u32 nodes;
	double mean;
	double min;
	double max;
	double jain;
};

int sim_statistics_take(struct sim_statistics *statistics, struct torus_fabric *fabric);
void sim_statistics_free(struct sim_statistics *statistics);
u64 sim_latency_count(const struct torus_latency *latency);
double sim_latency_mean(const struct torus_latency *latency);
double sim_latency_quantile(const struct torus_latency *latency, double part);
void sim_throughput(const struct sim_measure *measure, struct sim_throughput *throughput);
void sim_spread(const struct sim_measure *measure, bool sent, struct sim_spread *spread);
struct json_object *sim_statistics_json(const struct sim_measure *measure);

/* Form that prints the object "statistics" of a run as a table, see report_print(). */
#define SIM_STATISTICS_FORM \
	"{>statistics}{>latency_cycles}" \
	"latency       packets      mean      p50      p90      p95      p99     p999      max\n" \
	"{>source}source    " SIM_LATENCY_FORM "{/}{>network}network   " SIM_LATENCY_FORM "{/}" \
	"{#network_by_hops}{_-10}{hops} hops{?or_more}+{/}{/}" SIM_LATENCY_FORM "{/}" \
	"{>total}total     " SIM_LATENCY_FORM "{/}" \
	"{#by_class}{_-10}{@}{/}" SIM_LATENCY_FORM "{/}{/}" \
	"{>per_node_cycle}{>offered}offered    " SIM_RATE_FORM "{/}" \
	"{>accepted}accepted   " SIM_RATE_FORM "{/}" \
	"{?peak_packets}peak       {peak_packets%.6g} packets a node and tick: offered " \
	"{offered_of_peak%.4f}, accepted {accepted_of_peak%.4f} of it\n{/}{/}" \
	"{#nodes}{_-10}{@}{/} mean {mean%.6g}, least {min%.6g}, most {max%.6g} packets a tick, " \
	"Jain's index {jain%.4f}, {nodes} nodes\n{/}{/}"

#define SIM_LATENCY_FORM \
	" {packets%10u} {mean%9.1f} {p50%8.0f} {p90%8.0f} {p95%8.0f} {p99%8.0f} {p999%8.0f} " \
	"{max%8u}\n"

#define SIM_RATE_FORM \
	"{packets%.6g} packets, {bytes%.6g} bytes, {flits%.6g} flits a node and tick\n"

#endif /* TORUS_SIM_STATISTICS_H */
