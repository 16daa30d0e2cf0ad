/* SPDX-License-Identifier: GPL-2.0 */
/* The checked options of a run. */
#ifndef TORUS_SIM_CMDLINE_RUN_CONFIG_H
#define TORUS_SIM_CMDLINE_RUN_CONFIG_H

#include <stdbool.h>

#include "../../parse/parse.h"
#include "core/run/fabric.h"
#include "routing_tables.h"
#include "../trace/trace.h"

/* Which command takes an option. */
#define SIM_FOR_RUN	(1u << 0)
#define SIM_FOR_SWEEP	(1u << 1)

#define SIM_FAULTS_MAX	64
#define SIM_RDMA_LENGTH	8	/* bytes of a put or get by default */

struct sim_cmdline;

/**
 * struct sim_run_config - options of a run, checked as far as possible without a fabric
 * @config: of the fabric: machine, shape, seed, domains, parameters
 * @load: the workload
 * @pairs: of a pattern from a file
 * @tables: routing tables, where the machine has any
 * @shared_pairs: those are another's, who frees them
 * @threads: that simulate
 * @replicate: runs with seeds one apart; 0: one run
 * @beside: fabrics that are simulated side by side, each by one thread; 0: this one alone
 * @json: answer as JSON
 * @csv: answer as CSV (sweep)
 * @progress: tell how far it is, on standard error
 * @series: the window is told part by part
 * @series_links: file for what links did in each part, or NULL
 * @series_of: links of which that tells
 * @nseries_of: how many; 0: all links
 * @heatmap: file for a map of how busy links were, or NULL
 * @warmup_found: the warm-up is to be found by the run
 * @until: see struct sim_convergence; 0: the window has its length
 * @limit: ticks of warm-up or window at most, where they are to be found
 * @window: ticks of the window, or of its first length
 * @statistics: histograms, throughput and deliveries by node are told
 * @histogram: file for the histograms, or NULL
 * @links: file for every link's counters, or NULL
 * @trace: what a trace is to tell of, if there is to be one
 * @checkpoint: file that is to be written now and then, or NULL
 * @every: ticks from one to the next; 0: only when it is interrupted
 * @restore: file from which the run goes on, or NULL
 * @typed: what this was understood from
 * @op: what nodes do, as it was typed, or NULL
 * @length: of a put or get, likewise
 * @loads: FIRST:LAST:STEP as it was typed (sweep)
 * @plot: file for a plot, or NULL (sweep)
 * @faults: of links, to be set before the first tick
 * @nfaults: number of faults
 */
struct sim_run_config {
	struct torus_config config;
	struct parse_workload load;
	struct parse_pairs pairs;
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
