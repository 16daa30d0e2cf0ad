// SPDX-License-Identifier: GPL-2.0
/*
 * System utilization in Ajima et al. (2009): compare studies of torus-sim jobs with the paper's
 * numbers. Also vary the parameters on which the difference depends.
 */
#include <stdio.h>

#include "../jobs/views.h"
#include "../jobs/experiment.h"
#include "../sim/base/progress.h"
#include "gather.h"
#include "figure.h"
#include "paper.h"
#include "run.h"

#define PERCENT		100.0
#define GAIN_LEAST	5.0	/* minimum gain by several shapes, in percentage points */
#define PRINTED_HALF	0.5	/* the paper prints ranges of one point: half of such a range */
/* the paper: backfill gains as much as this percentage of additional hardware */
#define PRINTED_WORTH	17.0

/**
 * struct utilization_size - size of the studies
 * @side: number of groups along each of x, y and z
 * @seeds: number of job streams
 * @jobs: jobs of a stream
 * @loose_jobs: jobs of a stream without shapes
 * @curve_seeds: number of streams per point of the curve
 * @curve_jobs: jobs of a stream for the curve
 * @seed: seed of the first stream
 * @judged: true if the machine has the size for which rows get verdicts
 */
struct utilization_size {
	u32 side;
	u32 seeds;
	u32 jobs;
	u32 loose_jobs;
	u32 curve_seeds;
	u32 curve_jobs;
	u64 seed;
	bool judged;
};

static const struct utilization_size whole = { 8, 10, 2000, 1000, 5, 500, 1, true };
static const struct utilization_size full = { 8, 10, 2000, 1000, 10, 1000, 1, true };

static struct utilization_size size_of(const struct paper_request *request)
{
	struct utilization_size size = request->full ? full : whole;

	size.seed = request->seed;
	if (!request->nodes || request->nodes >= TOFU_GROUP * size.side * size.side * size.side)
		return size;
	size = (struct utilization_size){
		size.side - 1, 3, 200, 200, 2, 100, request->seed, false,
	};
	while (size.side > 1 && TOFU_GROUP * size.side * size.side * size.side > request->nodes)
		size.side--;
	return size;
}

/* Set up a study with the README's distributions. The caller sets streams and rules. */
static int utilization_begin(struct jobs_experiment *study, const struct utilization_size *size)
{
	const u32 groups[TOFU_GROUP_AXES] = { size->side, size->side, size->side };

	jobs_experiment_begin(study);
	study->seed = size->seed;
	/* in a machine of one group no job can have redundancy nodes */
	return jobs_experiment_machine(study, groups, 0, size->side > 1 ? JOBS_LARGE_EIGHTH : 0);
}

static int run_study(struct jobs_experiment *study)
{
	struct sim_progress progress;
	int status;

	if (paper_gather(study->result, sizeof(study->result), &status))
		return status;
	paper_progress_begin(&progress);
	progress.all = study->seeds * study->rules;
	status = jobs_experiment_run(study, &progress);
	sim_progress_end(&progress);
	return paper_gather_keep(study->result, sizeof(study->result), status);
}

static void add_rule(struct jobs_experiment *study, enum jobs_shapes shapes, enum jobs_order order)
{
	study->rule[study->rules++] = (struct jobs_rule){ shapes, order };
}

static void use_row(struct paper_figure *figure, const struct utilization_size *size,
		    const char *id, const char *label, const struct jobs_mean *mean, double printed,
		    double half)
{
	struct paper_row *row = paper_id(paper_row(figure, "%s", label), "%s", id);

	row->unit = "%";
	row->ours = PERCENT * mean->mean;
	if (size->judged)
		paper_claim(row, printed, PERCENT * mean->half + half);
	else
		paper_compare(row, PAPER_PRINTED, printed);
}

/* Compare jobs that have one shape with jobs that have several shapes. Both use backfill. */
static int run_shapes(struct paper_figure *figure, struct jobs_experiment *study,
		      const struct utilization_size *size)
{
	struct jobs_mean many, one, gain;
	struct paper_row *row;
	int status = utilization_begin(study, size);

	study->seeds = size->seeds;
	study->law.count = size->jobs;
	add_rule(study, JOBS_MANY, JOBS_BACKFILL);
	add_rule(study, JOBS_ONE, JOBS_BACKFILL);
	if (!status)
		status = run_study(study);
	if (status)
		return status;
	many = jobs_experiment_mean(study, 0);
	one = jobs_experiment_mean(study, 1);
	gain = jobs_experiment_gain(study, 1);
	use_row(figure, size, "many", "many shapes, backfill", &many, 80, 0);
	use_row(figure, size, "one", "one shape, backfill", &one, 70, 0);
	row = paper_value(figure, "points", PERCENT * (gain.mean - gain.half),
			  "gain|many shapes above one, lower limit of 95 %%");
	if (size->judged)
		paper_bound(row, PAPER_GOAL, PAPER_AT_LEAST, GAIN_LEAST);
	paper_note(figure, "Many shapes above one, stream by stream: %.1f +- %.1f points "
		   "(95 %%); the paper's two numbers differ by 10.", PERCENT * gain.mean,
		   PERCENT * gain.half);
	return SIM_OK;
}

/*
 * Place jobs on any free nodes, as in a cluster. This models the RSCC, with and without backfill.
 */
static int run_loose(struct paper_figure *figure, struct jobs_experiment *study,
		     const struct utilization_size *size)
{
	struct jobs_mean mean, fcfs, gain;
	struct paper_row *row;
	int status = utilization_begin(study, size);

	study->seeds = size->seeds;
	study->law.count = size->loose_jobs;
	add_rule(study, JOBS_OFF, JOBS_BACKFILL);
	add_rule(study, JOBS_OFF, JOBS_FCFS);
	if (!status)
		status = run_study(study);
	if (status)
		return status;
	mean = jobs_experiment_mean(study, 0);
	use_row(figure, size, "off-backfill", "shapes off, backfill (RSCC 92 to 93)", &mean, 92.5,
		PRINTED_HALF);
	fcfs = jobs_experiment_mean(study, 1);
	use_row(figure, size, "off-fcfs", "shapes off, FCFS (RSCC 78 to 79)", &fcfs, 78.5,
		PRINTED_HALF);
	gain = jobs_experiment_gain(study, 1);
	row = paper_value(figure, "%", PERCENT * (mean.mean / fcfs.mean - 1),
			  "worth|backfill's worth in hardware, shapes off");
	if (size->judged)
		paper_claim(row, PRINTED_WORTH, PERCENT * gain.half / fcfs.mean + PRINTED_HALF);
	else
		paper_compare(row, PAPER_PRINTED, PRINTED_WORTH);
	return SIM_OK;
}

/* Vary the size of the largest job, from a 16th of the machine to the largest possible view. */
static int run_curve(struct paper_figure *figure, struct jobs_experiment *study,
		     const struct utilization_size *size)
{
	struct paper_series *many = paper_series(figure, "many shapes, backfill");
	struct paper_series *one = paper_series(figure, "one shape, backfill");
	u32 part, largest, most, before = 0;
	int status = utilization_begin(study, size);

	study->seeds = size->curve_seeds;
	study->law.count = size->curve_jobs;
	add_rule(study, JOBS_MANY, JOBS_BACKFILL);
	add_rule(study, JOBS_ONE, JOBS_BACKFILL);
	for (part = 16; part && !status; part /= 2) {
		struct jobs_mean gain;

		largest = study->kinds.kind[study->kinds.count - 1].nodes;
		most = study->g.nodes / part < largest ? study->g.nodes / part : largest;
		if (most < study->law.least || most == before)
			continue;
		before = most;
		study->law.most = most;
		status = run_study(study);
		if (status)
			break;
		gain = jobs_experiment_gain(study, 1);
		paper_point(many, most, PERCENT * jobs_experiment_mean(study, 0).mean);
		paper_point(one, most, PERCENT * jobs_experiment_mean(study, 1).mean);
		paper_value(figure, "points", PERCENT * gain.mean,
			    "many above one, jobs up to %u nodes", most);
		paper_note(figure, "Jobs up to %u nodes: many shapes above one by %.1f +- %.1f "
			   "points.", most, PERCENT * gain.mean, PERCENT * gain.half);
	}
	return status;
}

static int utilization_run(const struct paper_source *source, const struct paper_request *request,
			   struct paper_figure *figure)
{
	static int (*const parts[])(struct paper_figure *figure, struct jobs_experiment *study,
				    const struct utilization_size *size) = {
		run_shapes, run_loose, run_curve,
	};
	static struct jobs_experiment study;
	struct utilization_size size = size_of(request);
	double before = paper_cpu_s();
	int status = SIM_OK;
	u32 i;

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "\"We simulated system utilization using a real workload log from the Parallel "
		 "Workloads Archive. We scaled a job's number of nodes, with properties of "
		 "candidate mesh shapes corresponding to the number of nodes, and assumed a large "
		 "job had redundancy nodes for fault avoidance. The simulation results with "
		 "backfill job scheduling showed that system utilization of a single candidate job "
		 "shape was about 70 percent and that of multiple candidates improved to about 80 "
		 "percent.\" RSCC, a cluster, \"achieved 78-79 percent utilization during "
		 "2005-2006\"; backfill \"improved RSCC's system utilization to 92-93 percent\", "
		 "\"roughly equivalent to a 17 percent hardware enhancement\".");
	for (i = 0; i < 3 && !status; i++) {
		status = parts[i](figure, &study, &size);
		if (!i)
			snprintf(figure->configuration, PAPER_TEXT_MAX,
				 "%ux%ux%u groups, a torus of %u nodes; %u streams of %u jobs at a "
				 "load of 1.2, %u to %u nodes, log-uniform; run times log-normal, "
				 "median 1800 s, sigma 1.5; from %u nodes on a job has redundancy "
				 "nodes (0: none has)", size.side, size.side, size.side,
				 study.g.nodes, size.seeds, size.jobs, study.law.least,
				 study.law.most, study.redundancy);
		jobs_kinds_free(&study.kinds);
	}
	figure->xlabel = "nodes of the largest job";
	figure->ylabel = "utilisation, %";
	paper_note(figure, "The paper names neither its machine, nor the log, nor the laws by "
		   "which it scaled it, nor what a large job is. A cluster's users, holidays and "
		   "maintenance are not drawn here, so that both rules without shapes use more "
		   "than RSCC did. `torus-sim jobs` takes all of these as options.");
	figure->cpu_s += paper_cpu_s() - before;
	return status;
}

const struct paper_source paper_tofu_utilization[] = {
	{ "tofu-utilization", "Tofu: utilisation by jobs of many shapes, of one, and of none",
	  utilization_run, NULL },
	{ }
};
