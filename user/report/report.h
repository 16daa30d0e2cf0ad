/* SPDX-License-Identifier: GPL-2.0 */
/* The result of a workload: its ratios, and the result as text and as JSON. */
#ifndef TORUS_REPORT_H
#define TORUS_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/torus.h>

struct json_object;

/**
 * struct report_perf - what a run cost
 * @packet_hops: packets sent over links in the whole run
 * @cpu_s: seconds of processors, all threads
 * @wall_s: seconds on the wall
 * @rss_bytes: greatest memory of the process
 *
 * The events stand in the result.
 */
struct report_perf {
	uint64_t packet_hops;
	double cpu_s;
	double wall_s;
	uint64_t rss_bytes;
};

/**
 * struct report_context - what was asked for, beside what was measured
 * @arch: the machine
 * @ndims: its dimensions
 * @dims: their lengths
 * @nshape: lengths in @shape; 0: @dims are what was asked for
 * @shape: the shape as it was asked for
 * @mesh: bit i: dimension i is a mesh
 * @traffic: the workload
 * @pattern: its name; NULL for that of @traffic (a workload from a file has another)
 * @seed: of the run
 * @threads: that simulated
 * @ranks: processes with so many threads each; 0: one
 * @domains: parts that were simulated side by side
 * @ticks_per_byte: of a link; 0 for what the machine is known to have
 * @vcs: names of the VCs, a blank between them
 * @perf: what it cost, or NULL to leave it out
 */
struct report_context {
	const char *arch;
	unsigned int ndims;
	uint32_t dims[TORUS_DIMS_MAX];
	unsigned int nshape;
	uint32_t shape[TORUS_DIMS_MAX];
	uint32_t mesh;
	struct torus_traffic traffic;
	const char *pattern;
	uint64_t seed;
	uint32_t threads;
	uint32_t ranks;
	uint32_t domains;
	double ticks_per_byte;
	const char *vcs;
	const struct report_perf *perf;
};

/**
 * struct report_figures - the ratios of a result
 * @window_ticks: length of the measured window
 * @latency_mean_ticks: from generation to the last byte received
 * @hops_mean: hops of a delivered packet
 * @utilization: part of the window in which the links were busy
 * @dim_utilization: the same of each dimension's links
 * @payload_utilization: part of the links' bytes that was payload
 * @accepted_packets: received by a node in a tick, mean of all nodes
 * @accepted_bytes: their bytes, headers included
 * @accepted_flits: the same in the machine's chunks
 * @percent_of_peak: of the packets that the busiest link or processor port can carry
 * @little: relative error of Little's law
 * @saturated: more was offered than carried
 * @steady: both halves of the window say the same
 */
struct report_figures {
	double window_ticks;
	double latency_mean_ticks;
	double hops_mean;
	double utilization;
	double dim_utilization[TORUS_DIMS_MAX];
	double payload_utilization;
	double accepted_packets;
	double accepted_bytes;
	double accepted_flits;
	double percent_of_peak;
	double little;
	bool saturated;
	bool steady;
};

struct json_object *report_json(const struct report_context *context,
				const struct torus_result *result);
void report_text(FILE *out, const struct report_context *context,
		 const struct torus_result *result);

unsigned int report_vcs(const struct report_context *context);
const char *report_vc_name(const struct report_context *context, unsigned int vc, char *text,
			   size_t size);
struct json_object *report_double(double value);
void report_put(FILE *out, int width, int digits, double value);

#endif /* TORUS_REPORT_H */
