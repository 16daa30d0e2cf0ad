// SPDX-License-Identifier: GPL-2.0
/*
 * Figure 6 of Ajima et al. (2009): a chain of four barrier gates synchronizes 16 nodes. Compare the
 * time of a chain of gates with the time of the same chain in software, for several numbers of
 * nodes, and with random delays of the processors.
 */
#include <stdio.h>

#include "../barrier/run.h"
#include "../sim/base/signals.h"
#include "../sim/base/progress.h"
#include "../tofu/chain.h"
#include "arch/arch.h"
#include "core/run/config.h"
#include "gather.h"
#include "figure.h"
#include "paper.h"
#include "run.h"

#define MEMBERS		16	/* number of nodes in the paper's figure */
#define GATES		4	/* number of barrier gates per node */
#define TIMES		100
#define MOST		1024	/* maximum number of nodes of a curve */
#define CURVE_TIMES	10
#define LATE_TICKS	1250	/* mean random delay of a processor in ticks: 1 us */
#define US_FS		1e9
#define WHOLE		0.01	/* tolerance of integers */

static const u32 groups[] = { 8, 4, 3 };

/*
 * Simulate @times barriers, or @times sums of doubles, with gates and in software. If @delay is not
 * 0, processors are delayed at random.
 */
static int barrier_simulate(const struct paper_request *request, u32 members, u32 times, u64 delay,
			    u32 op, struct barrier_result *results)
{
	struct barrier_plan plan = {
		.members = members, .times = times, .delay = delay, .op = op, .random = true,
		.threads = request->threads ? request->threads : 1,
		.count = op == TOFU_OP_BFPSUM ? TOFU_DOUBLES_MAX : 0,
	};
	struct sim_progress progress;
	struct torus_error err;
	int status;
	u32 by;

	if (torus_arch_config(&plan.config, "tofu", &err) ||
	    torus_config_shape(&plan.config, 3, groups, 0, &err))
		return sim_reject("%s", err.text);
	plan.config.seed = request->seed;
	plan.config.domains = plan.threads;
	barrier_costs(&plan.config);
	status = barrier_plan_make(&plan);
	for (by = 0; by < BARRIER_BYS && !status; by++) {
		paper_progress_begin(&progress);
		status = barrier_run(&plan, by, &progress, &results[by]);
		sim_progress_end(&progress);
	}
	barrier_plan_free(&plan);
	for (by = 0; by < BARRIER_BYS && !status; by++) {
		if (results[by].outcome == BARRIER_INTERRUPTED)
			return 128 + sim_interrupted();
		if (results[by].outcome != BARRIER_DONE)
			return sim_error("%u members did not complete their operations", members);
	}
	return status;
}

static int barrier_measure(const struct paper_request *request, u32 members, u32 times, u64 delay,
			   u32 op, struct barrier_result *results)
{
	size_t bytes = BARRIER_BYS * sizeof(*results);
	int status;

	if (paper_gather(results, bytes, &status))
		return status;
	return paper_gather_keep(results, bytes,
				 barrier_simulate(request, members, times, delay, op, results));
}

static double microseconds(const struct barrier_result *result)
{
	return result->latency.mean * result->tick_fs / US_FS;
}

/*
 * Add rows for the figure's 16 nodes: numbers of gates and packets, correct results, and the time
 * with gates compared with software.
 */
static int figure_counts(const struct paper_request *request, struct paper_figure *figure)
{
	struct barrier_result results[BARRIER_BYS], sums[BARRIER_BYS];
	struct paper_row *row = paper_id(paper_row(figure, "gates of each of 16 nodes"), "gates");
	int status = barrier_measure(request, MEMBERS, TIMES, 0, TOFU_OP_BARRIER, results);

	if (!status)
		status = barrier_measure(request, MEMBERS, TIMES, 0, TOFU_OP_BFPSUM, sums);
	if (status)
		return status;
	row->unit = "gates";
	row->ours = tofu_chain_gates(MEMBERS, 0);
	paper_near(row, PAPER_PRINTED, GATES, WHOLE);
	row = paper_value(figure, "packets", (double)results[BARRIER_GATES].packets / TIMES,
			  "packets|packets of a barrier of 16 nodes");
	paper_near(row, PAPER_DERIVED, MEMBERS * GATES, WHOLE);
	row = paper_row(figure, "nodes that left before the last had entered");
	paper_id(row, "early");
	row->ours = (double)(results[BARRIER_GATES].early + sums[BARRIER_GATES].early);
	paper_bound(row, PAPER_GOAL, PAPER_AT_MOST, 0);
	row = paper_value(figure, "", (double)sums[BARRIER_GATES].wrong,
			  "sums|sums of doubles that are not the same at all nodes");
	paper_bound(row, PAPER_GOAL, PAPER_AT_MOST, 0);
	row = paper_row(figure, "software's barrier of 16 nodes over that of gates");
	paper_id(row, "software");
	row->ours = results[BARRIER_SOFTWARE].latency.mean / results[BARRIER_GATES].latency.mean;
	paper_bound(row, PAPER_GOAL, PAPER_AT_LEAST, 1);
	return SIM_OK;
}

/* Add curves of latency against the number of nodes, with and without random delays. */
static int figure_curves(const struct paper_request *request, struct paper_figure *figure)
{
	static const u64 delays[] = { 0, LATE_TICKS };
	u32 most = request->nodes && request->nodes < MOST ? request->nodes : MOST, members, i;
	struct barrier_result results[2][BARRIER_BYS];
	struct paper_series *series[2][BARRIER_BYS] = {
		{ paper_series(figure, "gates"), paper_series(figure, "software") },
		{ paper_series(figure, "gates, random delays"),
		  paper_series(figure, "software, random delays") },
	};
	struct paper_row *row;

	for (members = 2; members <= most || members <= MEMBERS; members *= 2) {
		for (i = 0; i < 2; i++) {
			int status = barrier_measure(request, members, CURVE_TIMES, delays[i],
						     TOFU_OP_BARRIER, results[i]);
			u32 by;

			if (status)
				return status;
			for (by = 0; by < BARRIER_BYS; by++)
				paper_point(series[i][by], members, microseconds(&results[i][by]));
		}
	}
	row = paper_row(figure, "%u nodes: what random delays add to software, over gates",
			members / 2);
	paper_id(row, "delays");
	row->ours = (microseconds(&results[1][BARRIER_SOFTWARE]) -
		     microseconds(&results[0][BARRIER_SOFTWARE])) /
		    (microseconds(&results[1][BARRIER_GATES]) -
		     microseconds(&results[0][BARRIER_GATES]));
	paper_bound(row, PAPER_GOAL, PAPER_AT_LEAST, 1);
	return SIM_OK;
}

static int run_6(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	int status;

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "\"This chain of barrier gates repeats transmission and reception of a barrier "
		 "packet four times to synchronize 16 nodes\", \"without any CPU intervention\". "
		 "Sums of doubles have \"the same result at all nodes with a single barrier "
		 "synchronization sequence\". In software \"each point-to-point communication "
		 "involves CPU processing time that often gets unexpectedly longer\". No time is "
		 "printed.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "8x4x3 groups, nodes at random, %u barriers and sums of 16 nodes, %u barriers of "
		 "2 to %u; a processor takes 0.4 us for a packet, either way, with gates for the "
		 "call and for the result; with random delays 1 us more on average each time, "
		 "exponential", TIMES, CURVE_TIMES, MOST);
	figure->xlabel = "nodes";
	figure->ylabel = "us from the last call to the last return";
	figure->cpu_s = -paper_cpu_s();
	status = figure_counts(request, figure);
	if (!status)
		status = figure_curves(request, figure);
	figure->cpu_s += paper_cpu_s();
	paper_note(figure, "Software is the same chain, worked by the nodes' processors. What a "
			   "processor and a gate take is ours: torus-sim barrier has them as "
			   "parameters.");
	return status;
}

const struct paper_source paper_tofu_barrier[] = {
	{ "tofu-fig6", "Tofu: barriers and reductions in the network, beside software's", run_6,
	  NULL },
	{ }
};
