/* SPDX-License-Identifier: GPL-2.0 */
/* Result of a workload: its ratios, and the result as text and as JSON. */
#ifndef TORUS_REPORT_H
#define TORUS_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/torus.h>

struct json_object;

/**
 * struct report_perf - cost of a run
 * @packet_hops: number of times that a packet was sent over a link, in the whole run
 * @cpu_s: CPU time of all threads of all processes in seconds
 * @wall_s: elapsed time in seconds
 * @rss_bytes: maximum memory of each process, summed over the processes
 *
 * The result contains the number of events.
 */
struct report_perf {
	uint64_t packet_hops;
	double cpu_s;
	double wall_s;
	uint64_t rss_bytes;
};

/**
 * struct report_context - options of a run
 * @arch: name of the machine
 * @dims: lengths of the dimensions
 * @nshape: number of lengths in @shape; 0: @dims is printed as the shape
 * @shape: shape in the form that the user specified
 * @mesh: bit i: dimension i is a mesh
 * @traffic: the workload
 * @pattern: name of the workload; NULL: the name of @traffic. A workload from a file has a name of
 *    its own
 * @seed: seed of the run
 * @threads: number of threads, of each process
 * @ranks: number of processes; 0 means one process
 * @domains: number of domains, which are simulated in parallel
 * @ticks_per_byte: ticks of a byte on a link; 0: use the table of machines
 * @vcs: names of the VCs, separated by blanks
 * @perf: cost of the run; NULL: do not print it
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
 * struct report_figures - ratios of a result
 * @window_ticks: length of the measured window
 * @latency_mean_ticks: mean time from generation to the last byte received
 * @hops_mean: mean hops of a delivered packet
 * @utilization: fraction of the window in which the links were busy
 * @dim_utilization: by dimension: utilization of its links
 * @payload_utilization: fraction of the links' capacity used by payload
 * @accepted_packets: packets received per node and tick
 * @accepted_bytes: bytes received per node and tick, with headers
 * @accepted_flits: number of chunks received per node and tick
 * @percent_of_peak: accepted packets in percent of the capacity of the busiest link or
 *    processor port; in a closed loop, the time that it needs in percent of the time of the run
 * @little: relative error of Little's law
 * @saturated: true if the offered load exceeds the accepted load
 * @steady: true if both halves of the window have similar rates and latencies
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
