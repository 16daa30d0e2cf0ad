// SPDX-License-Identifier: GPL-2.0
/*
 * Section 3.6 of Abts et al. (2007): "jobs that are kept away from the datelines do better as
 * they can take advantage of more VC load balancing by not being skewed due to the dateline".
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../sim/run/series.h"
#include "figure.h"
#include "xt_ranks.h"
#include "xt_work.h"

#define SEEDS_FULL	10
#define SEEDS		4
#define PACKETS		8	/* packets per pair */
#define HUNDRED		100.0

/**
 * struct placement_size - a machine, and the box of a job
 * @dims: lengths of the machine
 * @box: lengths of the box. Each is so short that no path between nodes of the box is shorter
 *    outside of the box
 */
struct placement_size {
	u32 dims[3];
	u32 box[3];
};

/* Sizes to choose from. The first one is the paper's machine. */
static const struct placement_size sizes[] = {
	{ { 11, 12, 16 }, { 5, 6, 8 } },
	{ { 7, 8, 8 }, { 3, 4, 4 } },
	{ { 4, 4, 4 }, { 2, 2, 2 } },
};

#define SIZES	(sizeof(sizes) / sizeof(sizes[0]))

/**
 * struct placement - position of the job's box in the machine
 * @name: name in labels
 * @across: mask of the dimensions whose dateline crosses the box
 */
struct placement {
	const char *name;
	u32 across;
};

static const struct placement places[] = {
	{ "away from all datelines", 0 },
	{ "across x's", 1 },
	{ "across y's", 2 },
	{ "across z's", 4 },
	{ "across all three", 7 },
};

#define PLACES	(sizeof(places) / sizeof(places[0]))

static const char *const policies[] = { "initial", "v3" };

#define POLICIES	(sizeof(policies) / sizeof(policies[0]))

/*
 * Run the job with its box at one position. Datelines are at the highest coordinates. If the box
 * lies across a dateline, the dateline is in the middle of the box.
 */
static int run_place(const struct placement_size *size, const char *policy, u32 across, u64 seed,
		     u32 threads, struct paper_xt_run *run)
{
	struct paper_xt_job job = { .packets = PACKETS };
	struct paper_xt work = {
		.dims = size->dims, .policy = policy, .job = &job, .seed = seed,
		.threads = threads,
	};
	char datelines[32];
	u32 at[3], i, *node;
	int status;

	snprintf(datelines, sizeof(datelines), "%u,%u,%u", size->dims[0] - 1, size->dims[1] - 1,
		 size->dims[2] - 1);
	for (i = 0; i < 3; i++)
		at[i] = across >> i & 1 ? size->dims[i] - 1 - (size->box[i] - 1) / 2 :
					  (size->dims[i] - size->box[i]) / 2;
	job.ranks = size->box[0] * size->box[1] * size->box[2];
	node = paper_xt_ranks_box(size->dims, at, size->box);
	if (!node)
		return sim_error("out of memory for the places of %u ranks", job.ranks);
	work.datelines = datelines;
	work.node = node;
	status = paper_xt(&work, run);
	free(node);
	return status;
}

/**
 * struct placement_gains - results at one position
 * @gain: by seed: gain in percent if the job moves from this position to the one away from all
 *    datelines
 * @rate: sum over all seeds of the bytes per second
 * @balance: sum over all seeds of the VC balance
 */
struct placement_gains {
	double gain[SEEDS_FULL];
	double rate;
	double balance;
};

static void placement_add(struct paper_figure *figure, const char *policy, u32 place, u32 seeds,
			  const struct placement_gains *found)
{
	double mean, half;
	struct paper_row *row;

	row = paper_value(figure, "%", HUNDRED * found[place].balance / seeds, "%s, %s: VC balance",
			  policy, places[place].name);
	if (!place)
		return;
	paper_compare(row, PAPER_OURS, HUNDRED * found[0].balance / seeds);
	half = sim_half_width(found[place].gain, seeds, &mean);
	paper_value(figure, "%", mean, "%s: gain away from it, of a job %s", policy,
		    places[place].name);
	paper_value(figure, "%", half, "%s: half of its 95 %% interval", policy);
}

/*
 * Add a row for the paper's word "generally": the comparison with the box across all three
 * datelines.
 */
static void placement_judge(struct paper_figure *figure, const char *policy, u32 seeds,
			    const struct placement_gains *found)
{
	double mean, half = sim_half_width(found[PLACES - 1].gain, seeds, &mean);
	struct paper_row *row = paper_value(figure, "%", mean - half,
					    "away-%s|%s: least of the interval, across all three",
					    policy, policy);

	paper_bound(row, PAPER_DERIVED, PAPER_AT_LEAST, 0);
}

static int run_policy(const struct placement_size *size, const char *policy, u32 seeds,
		      const struct paper_request *request, struct paper_figure *figure)
{
	struct placement_gains found[PLACES] = { 0 };
	u32 place, seed;

	for (seed = 0; seed < seeds; seed++) {
		double away = 0;

		for (place = 0; place < PLACES; place++) {
			struct paper_xt_run one;
			int status = run_place(size, policy, places[place].across,
					       request->seed + seed,
					       request->threads, &one);

			if (status)
				return status;
			figure->cpu_s += one.cpu_s;
			away = place ? away : one.ticks;
			found[place].gain[seed] = HUNDRED * (one.ticks / away - 1);
			found[place].rate += one.rate;
			found[place].balance += one.balance;
		}
	}
	for (place = 0; place < PLACES; place++)
		placement_add(figure, policy, place, seeds, found);
	if (size == &sizes[0])
		placement_judge(figure, policy, seeds, found);
	return SIM_OK;
}

static int placement_run(const struct paper_source *source, const struct paper_request *request,
			 struct paper_figure *figure)
{
	u32 seeds = request->full ? SEEDS_FULL : SEEDS, i = 0, policy;
	int status = SIM_OK;

	while (i + 1 < SIZES && request->nodes &&
	       sizes[i].dims[0] * sizes[i].dims[1] * sizes[i].dims[2] > request->nodes)
		i++;
	snprintf(figure->says, PAPER_TEXT_MAX,
		 "\"We have found that some jobs perform better depending on how they are placed. "
		 "Generally, jobs that are kept away from the datelines do better as they can take "
		 "advantage of more VC load balancing by not being skewed due to the dateline.\" "
		 "No numbers.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "%ux%ux%u, datelines at the highest coordinates; an all-to-all in a box of "
		 "%ux%ux%u, alone on the machine, %d packets of 64 bytes of data for each pair, %u "
		 "seeds; the box has a dateline in its middle, or none in it. Bytes by completion "
		 "time.",
		 sizes[i].dims[0], sizes[i].dims[1], sizes[i].dims[2], sizes[i].box[0],
		 sizes[i].box[1], sizes[i].box[2], PACKETS, seeds);
	for (policy = 0; policy < POLICIES && !status; policy++)
		status = run_policy(&sizes[i], policies[policy], seeds, request, figure);
	paper_note(figure, "The VC balance away from all datelines is chance alone, a few percent: "
			   "that it is larger across one can hardly fail, and is not judged.");
	paper_note(figure, "What a job sends never leaves its box: along each dimension the way "
			   "within it is the shorter one.");
	return status;
}

const struct paper_source paper_xt_placement[] = {
	{ "xt-placement", "Cray XT: jobs away from datelines beside across them", placement_run,
	  NULL },
	{ }
};
