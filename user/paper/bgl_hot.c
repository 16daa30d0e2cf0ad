// SPDX-License-Identifier: GPL-2.0
/*
 * Figures 3 and 5 of Adiga et al. (2005): throughput against time under hot-region
 * traffic, by size of the VC buffers and by arbitration policy.  "The destinations
 * of 25% of the packets are chosen randomly within a small hot contiguous submesh
 * region consisting of 12.5% of the machine.  The destinations for the remaining
 * 75% of the packets were chosen uniformly over the entire machine."
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bgl_hot.h"
#include "figure.h"

#define RANDOM		"injection=infinite jsq=off slq_fraction=0"
#define TWO_KB		" vc_bytes=2048"

#define NODES		4096
#define CYCLES		600000
#define CYCLES_FULL	1000000
#define KILO		1000.0

/*
 * LEVEL: relative tolerance of levels that the paper calls equal. HOT_USE: utilization of the links
 * into the hot region that the paper prints.
 */
#define LEVEL		0.05
/* minimum ratio of top and level of a curve: our value for the paper's "declines" */
#define DECLINE		1.1
#define HOT_USE		0.95
#define HOT_NEAR	0.04	/* our tolerance for the paper's "around 95%" */

static const u32 paper_dims[3] = { 16, 16, 16 };

/**
 * struct hot_policy - a curve
 * @id: part of the ids of its rows
 * @name: name in labels
 * @set: parameters of the fabric
 */
struct hot_policy {
	const char *id;
	const char *name;
	const char *set;
};

/**
 * struct hot - a figure
 * @says: statements of the paper
 * @runs: description of our configuration
 * @policies: curves of the figure; the levels of the others are compared with that of the first
 * @npolicies: number of entries in @policies
 * @slowest: index of the curve that declines slowest in the paper
 */
struct hot {
	const char *says;
	const char *runs;
	const struct hot_policy *policies;
	u32 npolicies;
	u32 slowest;
};

/**
 * struct shape - shape of a curve
 * @first: throughput in the first interval
 * @later: highest throughput in any other interval
 * @top: highest throughput
 * @level: mean throughput in the last third of the run, where the curve levels off
 * @half: ticks until throughput has declined half-way from @top to @level
 * @enter: utilization of the links into the hot region in the last third of the run
 */
struct shape {
	double first;
	double later;
	double top;
	double level;
	double half;
	double enter;
};

/**
 * paper_hot - run the hot-region workload
 * @cycles: ticks to simulate
 * @set: parameters of the fabric
 * @seed: number of the seed, from 0
 * @figure: [in, out] the CPU time of the run is added
 * @found: [out] results
 *
 * The load is twice the capacity of the links into the region, so the network fills as in the
 * figures.
 *
 * Return: SIM_OK, or the exit status after an error message.
 */
int paper_hot(const struct paper_request *request, u64 cycles, const char *set, u32 seed,
	      struct paper_figure *figure, struct paper_bgl_run *found)
{
	struct paper_bgl work = {
		.set = set,
		.pattern = TORUS_PATTERN_HOTREGION,
		.share = 0.25,
		.enter_load = PAPER_HOT_LOAD,
		.cycles = cycles,
		.parts = (u32)(cycles / PAPER_HOT_PART),
		.threads = request->threads,
		.seed = request->seed + seed,
	};
	int status;
	u32 i;

	paper_hot_shape(request, work.dims);
	for (i = 0; i < 3; i++)
		work.region[i] = work.dims[i] / 2;
	status = paper_bgl(&work, found);
	figure->cpu_s += found->cpu_s;
	return status;
}

/*
 * Set @dims to the shape of the workload: 16x16x16, or smaller if the request limits the nodes.
 */
void paper_hot_shape(const struct paper_request *request, u32 *dims)
{
	paper_bgl_shape(request, NODES, paper_dims, dims);
}

/* Describe the hot-region workload in words. */
const char *paper_hot_text(const struct paper_request *request, char *text, size_t size)
{
	char shape[PAPER_LABEL_MAX];
	u32 dims[3];

	paper_hot_shape(request, dims);
	snprintf(text, size, "%s (paper: 16x16x16), hot region %ux%ux%u at 0,0,0, a quarter of the "
			     "packets to it, the others uniform; packets of 256 bytes, offered: %g "
			     "times what the links into the region carry",
		 paper_bgl_shape_text(dims, shape, sizeof(shape)), dims[0] / 2, dims[1] / 2,
		 dims[2] / 2, PAPER_HOT_LOAD);
	return text;
}

/*
 * Check whether the shape is that of the paper. The paper's statements apply only to its own shape.
 */
bool paper_hot_is_papers(const struct paper_request *request)
{
	u32 dims[3];

	paper_hot_shape(request, dims);
	return paper_bgl_nodes(dims) == paper_bgl_nodes(paper_dims);
}

/* Add a curve of one value against time, with a point for each part of a run. */
void paper_hot_curve(struct paper_figure *figure, const char *name,
		     const struct paper_bgl_run *found, double (*value)(const struct paper_part *))
{
	struct paper_series *series = paper_series(figure, name);
	u32 i;

	for (i = 0; i < found->parts; i++)
		paper_point(series, found->part[i].end / KILO, value(&found->part[i]));
}

static struct shape shape_of(const struct paper_bgl_run *found)
{
	/* if another process simulated the run, there are no parts in this round */
	u64 end = found->parts ? found->part[found->parts - 1].end : 0;
	struct shape shape = {
		.first = found->part[0].use,
		.level = paper_bgl_mean(found, end * 2 / 3, paper_part_use),
		.enter = paper_bgl_mean(found, end * 2 / 3, paper_part_enter),
	};
	u32 i, top = 0;
	double half;

	for (i = 0; i < found->parts; i++) {
		if (i)
			shape.later = fmax(shape.later, found->part[i].use);
		if (found->part[i].use > found->part[top].use)
			top = i;
	}
	shape.top = found->part[top].use;
	half = (shape.top + shape.level) / 2;
	for (i = top; i + 1 < found->parts && found->part[i].use > half; i++)
		;
	/* find the tick at which the curve crosses @half, by interpolation between two parts */
	if (i > top) {
		const struct paper_part *p = &found->part[i];

		shape.half = p->end - PAPER_HOT_PART / 2.0 -
			     (half - p->use) / (p[-1].use - p->use) * PAPER_HOT_PART;
	}
	return shape;
}

static void hot_judge(struct paper_figure *figure, const struct hot *hot, const struct shape *shape,
		      bool papers)
{
	struct paper_row *row;
	u32 i;

	for (i = 0; i < hot->npolicies; i++) {
		row = paper_value(figure, "", shape[i].first,
				  "first-%s|%s: first interval; other: highest later",
				  hot->policies[i].id, hot->policies[i].name);
		if (papers)
			paper_bound(row, PAPER_OURS, PAPER_AT_MOST, shape[i].later);
	}
	for (i = 0; i < hot->npolicies; i++) {
		row = paper_value(figure, "", shape[i].top,
				  "top-%s|%s: top; other: where it levels off", hot->policies[i].id,
				  hot->policies[i].name);
		if (papers)
			paper_bound(row, PAPER_OURS, PAPER_AT_LEAST, DECLINE * shape[i].level);
	}
	for (i = 0; i < hot->npolicies; i++) {
		row = paper_value(figure, "", shape[i].level,
				  "level-%s|%s: levels off at, other: %s", hot->policies[i].id,
				  hot->policies[i].name, hot->policies[0].name);
		if (!i)
			snprintf(row->label, sizeof(row->label), "%s: levels off at",
				 hot->policies[i].name);
		else
			paper_compare(row, PAPER_OURS, shape[0].level);
		if (i && papers)
			row->tolerance = LEVEL;
	}
	for (i = 0; i < hot->npolicies; i++) {
		row = paper_value(figure, "K ticks", shape[i].half / KILO,
				  "half-%s|%s: half declined after", hot->policies[i].id,
				  hot->policies[i].name);
		if (!papers || i == hot->slowest)
			continue;
		paper_bound(row, PAPER_OURS, PAPER_AT_MOST, shape[hot->slowest].half / KILO);
	}
	for (i = 0; i < hot->npolicies; i++) {
		row = paper_value(figure, "of 1", shape[i].enter,
				  "enter-%s|%s: use of the links into the region",
				  hot->policies[i].id, hot->policies[i].name);
		if (papers)
			paper_near(row, PAPER_PRINTED, HOT_USE, HOT_NEAR);
		else
			paper_compare(row, PAPER_PRINTED, HOT_USE);
	}
}

static int hot_run(const struct paper_source *source, const struct paper_request *request,
		   struct paper_figure *figure)
{
	const struct hot *hot = source->argument;
	struct shape shape[PAPER_SERIES_MAX];
	u64 cycles = request->full ? CYCLES_FULL : CYCLES;
	char text[PAPER_TEXT_MAX];
	struct paper_bgl_run *found = malloc(sizeof(*found));
	int status = found ? SIM_OK : sim_error("out of memory");
	u32 i;

	snprintf(figure->says, PAPER_TEXT_MAX, "%s", hot->says);
	snprintf(figure->configuration, PAPER_TEXT_MAX, "%s; %llu ticks, throughput of every %u; "
							"%s",
		 paper_hot_text(request, text, sizeof(text)), cycles, PAPER_HOT_PART, hot->runs);
	figure->xlabel = "K ticks";
	figure->ylabel = "throughput: part of the time in which the links are busy";
	for (i = 0; !status && i < hot->npolicies; i++) {
		status = paper_hot(request, cycles, hot->policies[i].set, 0, figure, found);
		if (status)
			break;
		shape[i] = shape_of(found);
		paper_hot_curve(figure, hot->policies[i].name, found, paper_part_use);
	}
	free(found);
	if (status)
		return status;
	hot_judge(figure, hot, shape, paper_hot_is_papers(request));
	paper_note(figure, "Levels are means of the last third; \"half declined\" is when "
			   "throughput has come down half-way from its top to its level. The paper "
			   "gives no load and no number for either.");
	return SIM_OK;
}

static const struct hot_policy sizes[] = {
	{ "512b", "512 B", RANDOM " vc_bytes=512" },
	{ "1kb", "1 KB", RANDOM " vc_bytes=1024" },
	{ "2kb", "2 KB", RANDOM TWO_KB },
};

static const struct hot figure_3 = {
	.says = "4K nodes, a quarter of the packets to an eighth of the machine; VC FIFOs of 2 KB, "
		"1 KB and 512 bytes. Points are not in the text. It says: throughput, measured "
		"over 10K-cycle intervals, increases as packets enter the network, then declines "
		"as the buffers fill up, and levels off at a value approximately equal for the "
		"three sizes; the decline happens more quickly for smaller buffers; the links "
		"entering the hot region have a mean utilisation of around 95 %.",
	.runs = "two dynamic VCs, two paths, bubble escape of the same size, random arbitration "
		"(jsq=off slq_fraction=0), infinite injection FIFOs",
	.policies = sizes,
	.npolicies = sizeof(sizes) / sizeof(sizes[0]),
	.slowest = 2,
};

static const struct hot_policy policies[] = {
	{ "base", "base (random)", RANDOM TWO_KB },
	{ "jsq", "JSQ", "injection=infinite jsq=on slq_fraction=0" TWO_KB },
	{ "slq", "SLQ", "injection=infinite jsq=off slq_fraction=75" TWO_KB },
};

static const struct hot figure_5 = {
	.says = "4K nodes, a quarter of the packets to an eighth of the machine; arbitration "
		"policies. Points are not in the text. It says: while the throughputs of all "
		"policies stabilise near the same value, the decline is slowest for SLQ (75 % are "
		"SLQ cycles); JSQ provides little benefit for this traffic.",
	.runs = "two dynamic VCs of 2 KB, two paths, 2 KB of bubble escape, infinite injection "
		"FIFOs",
	.policies = policies,
	.npolicies = sizeof(policies) / sizeof(policies[0]),
	.slowest = 2,
};

const struct paper_source paper_bgl_hot[] = {
	{ "fig3", "throughput under a hot region, by buffer size", hot_run, &figure_3 },
	{ "fig5", "throughput under a hot region, by arbitration policy", hot_run, &figure_5 },
	{ }
};
