/* SPDX-License-Identifier: GPL-2.0 */
/* Run one workload on one fabric, and keep all results of it. */
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

/* torus_result.done, and why a workload that has not ended stopped. */
enum sim_outcome {
	SIM_RUNNING,		/* interrupted */
	SIM_DONE,
	SIM_DEADLOCKED,
	SIM_NO_MEMORY,
	SIM_WAITING,		/* nothing moves: what is left waits behind links that gave up */
	SIM_UNANSWERED,		/* nothing moves: nodes wait for replies that were lost */
	SIM_STUCK,		/* nothing moves, and there is no reason: a defect of the core */
};

/**
 * struct sim_measure - a workload that was run
 * @context: what was asked for; points to @perf and @vcs
 * @vcs: names of the VCs
 * @result: what the core measured
 * @perf: what that cost
 * @outcome: how it ended
 * @cycle: on deadlock: who waits for whom
 * @balance: of VCs, where the machine has routing tables
 * @series: the window part by part; sim_series_free() it
 * @tell_series: that was asked for
 * @until: what the run found by itself
 * @statistics: if asked for; sim_measure_free() them
 * @tnis: of each network interface what all nodes' have counted in the whole run
 * @ntnis: how many; 0 where the machine has none that count
 * @saved: the last checkpoint has been written
 * @unsaved: one has not
 * @starved: the rank that ran out of memory, from 1 on; 0: there are no ranks
 * @use: what links did, if asked for; as long as the fabric is there
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
	bool tell_series;
	struct sim_statistics statistics;
	struct sim_convergence until;
	struct torus_tni_counters tnis[TORUS_TNIS_MAX];
	u32 ntnis;
	bool saved;
	bool unsaved;
	u32 starved;
	struct sim_link_usage use;
};

int sim_fabric_new(const struct sim_run_config *options, struct torus_fabric **fabric);
int sim_measure_start(struct torus_fabric *fabric, const struct sim_run_config *options);
int sim_measure_agree(u64 mark);
int sim_measure(struct torus_fabric *fabric, const struct sim_run_config *options,
		struct sim_progress *progress, struct sim_measure *measure);
void sim_measure_free(struct sim_measure *measure);
int sim_measure_status(const struct sim_measure *measure);
struct json_object *sim_measure_json(const struct sim_measure *measure);

#endif /* TORUS_SIM_MEASURE_H */
