/* SPDX-License-Identifier: GPL-2.0 */
/* The option --statistics: histograms of latency, throughput, and fairness between nodes. */
#ifndef TORUS_SIM_STATISTICS_H
#define TORUS_SIM_STATISTICS_H

#include <stdbool.h>
#include <stdio.h>

#include "core/run/fabric.h"
#include "core/state/latency.h"

struct json_object;
struct sim_measure;

/**
 * struct sim_statistics - what --statistics asks for
 * @latencies: histograms and deliveries by node; NULL: nobody asked
 * @sends: by node: it has packets to send
 * @network: the histogram over any number of hops
 * @generated_chunks: size of the packets generated in the window
 * @flit_bytes: of a flit, which is a chunk
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
 * struct sim_rate - a rate, a node and tick
 */
struct sim_rate {
	double packets;
	double bytes;
	double flits;
};

/**
 * struct sim_throughput - what was offered and what was accepted
 * @offered: generated in the window
 * @accepted: received in the window
 * @peak: packets that the busiest link or port allows; NAN in closed loop, which has no load
 */
struct sim_throughput {
	struct sim_rate offered;
	struct sim_rate accepted;
	double peak;
};

/**
 * struct sim_spread - a rate over nodes, packets a tick
 * @nodes: how many
 * @mean: of them
 * @min: the least
 * @max: the most
 * @jain: Jain's index of fairness, 1 where all are alike, 1 / @nodes where one has all
 *
 * Rates are NAN without a node or a tick, @jain without a packet.
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
void sim_statistics_text(const struct sim_measure *measure, FILE *out);

#endif /* TORUS_SIM_STATISTICS_H */
