/* SPDX-License-Identifier: GPL-2.0 */
/* The checked options of a run. */
#ifndef TORUS_SIM_CMDLINE_RUN_CONFIG_H
#define TORUS_SIM_CMDLINE_RUN_CONFIG_H

#include <stdbool.h>

#include "../../parse/parse.h"
#include "core/run/fabric.h"
#include "routing_tables.h"
#include "stop_at.h"
#include "../trace/trace.h"

/* Flags of the commands that accept an option. */
#define SIM_FOR_RUN	(1u << 0)
#define SIM_FOR_SWEEP	(1u << 1)

#define SIM_FAULTS_MAX	64
#define SIM_RDMA_LENGTH	8	/* default length of a put or get in bytes */

struct sim_cmdline;

/**
 * struct sim_run_config - options of a run, checked as far as possible without a fabric
 * @config: configuration of the fabric: machine, shape, seed, domains, parameters
 * @load: the workload
 * @pairs: array of source and destination pairs of the pattern file:NAME
 * @timed: file of the pattern timed:FILE, or NULL
 * @tables: options of routing tables
 * @shared_pairs: @pairs belongs to the options of another point, which free it
 * @threads: number of threads that simulate
 * @replicate: number of runs with consecutive seeds; 0: one run
 * @beside: number of fabrics that are simulated in parallel, each by one thread; 0: only this
 *          fabric
 * @json: print JSON
 * @csv: print CSV (run and sweep)
 * @progress: report progress on standard error
 * @series: print the results of each part of the window (--series)
 * @series_links: output file for the links' counters in each part, or NULL
 * @series_of: selectors of the links in @series_links
 * @nseries_of: number of selectors; 0: all links
 * @heatmap: output file for the map of link utilization, or NULL
 * @warmup_found: the run determines the length of the warm-up (--warmup auto)
 * @until: target precision of the mean latency, see struct sim_convergence; 0: the window has a
 *         fixed length
 * @limit: maximum ticks of a warm-up or window whose length the run determines
 * @window: ticks of the window, or its initial length
 * @statistics: print histograms, throughput and deliveries per node
 * @histogram: output file for the histograms, or NULL
 * @links: output file for the counters of all links, or NULL
 * @trace: output file and filter of a trace
 * @stop_at: where the run stops
 * @step: wait for a line on standard input before each step of one or more ticks
 * @checkpoint: file for periodic checkpoints, or NULL
 * @every: ticks between checkpoints; 0: write one only after an interrupt or a stop
 * @restore: checkpoint from which the run continues, or NULL
 * @typed: the words from which these options were parsed
 * @op: word of --op, or NULL
 * @length: word of --length (bytes of a put or get), or NULL
 * @loads: FIRST:LAST:STEP as typed (sweep)
 * @plot: file for a plot, or NULL (sweep)
 * @faults: faults of links, scheduled before the first tick
 * @nfaults: number of faults
 */
struct sim_run_config {
	struct torus_config config;
	struct parse_workload load;
	struct parse_pairs pairs;
	const char *timed;
	struct sim_tables tables;
	u32 threads;
	u32 replicate;
	u32 beside;
	bool shared_pairs;
	bool json;
	bool csv;
	bool progress;
	const char *series;
	const char *series_links;
	struct sim_links series_of[SIM_LINKS_MAX];
	unsigned int nseries_of;
	const char *heatmap;
	bool warmup_found;
	double until;
	u64 limit;
	u64 window;
	bool statistics;
	const char *histogram;
	const char *links;
	struct sim_trace_filter trace;
	struct sim_stop_at stop_at;
	bool step;
	const char *checkpoint;
	u64 every;
	const char *restore;
	const struct sim_cmdline *typed;
	const char *op;
	const char *length;
	const char *loads;
	const char *plot;
	struct torus_fault faults[SIM_FAULTS_MAX];
	unsigned int nfaults;
};

bool sim_rdma_requested(const struct sim_run_config *options);
void sim_run_config_free(struct sim_run_config *options);
int sim_run_config_parse(struct sim_run_config *options, const struct sim_cmdline *typed,
			 const struct sim_run_config *like);

#endif /* TORUS_SIM_CMDLINE_RUN_CONFIG_H */
