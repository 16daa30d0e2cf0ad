/* SPDX-License-Identifier: GPL-2.0 */
/* Run one workload on one fabric, and keep all its results. */
#ifndef TORUS_SIM_MEASURE_H
#define TORUS_SIM_MEASURE_H

#include "../../report/report.h"
#include "core/run/fabric.h"
#include "../cmdline/run_config.h"
#include "../base/progress.h"
#include "series.h"
#include "statistics.h"
#include "convergence.h"
#include "link_usage.h"

struct json_object;
struct sim_step;
struct sim_timed;

/* Outcome of a workload; the first four values are also those of torus_result.done. */
enum sim_outcome {
	SIM_RUNNING,		/* interrupted, or stopped by --stop-at or --step */
	SIM_DONE,
	SIM_DEADLOCKED,
	SIM_NO_MEMORY,
	SIM_WAITING,		/* nothing moves: packets wait, for example for parked links */
	SIM_UNANSWERED,		/* nothing moves: nodes wait for replies, no packet is in flight */
	SIM_STUCK,		/* nothing moves, without a known reason: a defect of the core */
	SIM_CROWDED,		/* too many packets of timed:FILE wait at their sources */
};

/**
 * struct sim_measure - a workload that was run
 * @context: description of the run for reports; points to @perf and @vcs
 * @vcs: names of the VCs
 * @result: results of the core
 * @perf: processor time, wall time and memory of the run
 * @outcome: how the run ended
 * @cycle: cycle of waiting buffers after a deadlock
 * @balance: balance of VCs, if the machine has routing tables
 * @series: parts of the window; freed by sim_measure_free()
 * @print_series: add the parts of the window to JSON (--series)
 * @until: warm-up and window length that the run determined
 * @statistics: histograms, if requested; freed by sim_measure_free()
 * @tnis: counters of each network interface over the whole run, summed over all nodes
 * @ntnis: number of network interfaces with counters; 0 if the machine has none
 * @saved: the last checkpoint has been written
 * @unsaved: a checkpoint could not be written
 * @step: stops of the run, or NULL
 * @starved: number plus 1 of the process that ran out of memory; 0: none did, or a single process
 * @use: utilization of links, if requested; valid as long as the fabric
 * @timed: packets of the pattern timed:FILE, or NULL
 */
struct sim_measure {
	struct report_context context;
	char vcs[64];
	struct torus_result result;
	struct report_perf perf;
	enum sim_outcome outcome;
	struct torus_cycle cycle;
	struct sim_balance balance;
	struct sim_series series;
	bool print_series;
	struct sim_statistics statistics;
	struct sim_convergence until;
	struct torus_tni_counters tnis[TORUS_TNIS_MAX];
	u32 ntnis;
	bool saved;
	bool unsaved;
	struct sim_step *step;
	u32 starved;
	struct sim_link_usage use;
	struct sim_timed *timed;
};

int sim_fabric_new(const struct sim_run_config *options, struct torus_fabric **fabric);
int sim_measure_start(struct torus_fabric *fabric, const struct sim_run_config *options);
int sim_measure_agree(u64 mark);
int sim_measure(struct torus_fabric *fabric, const struct sim_run_config *options,
		struct sim_progress *progress, struct sim_step *step, struct sim_measure *measure);
void sim_measure_free(struct sim_measure *measure);
int sim_measure_status(const struct sim_measure *measure);
struct json_object *sim_measure_json(const struct sim_measure *measure);

#endif /* TORUS_SIM_MEASURE_H */
