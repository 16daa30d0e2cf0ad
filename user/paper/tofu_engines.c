// SPDX-License-Identifier: GPL-2.0
/*
 * Figure 5 of Ajima et al. (2009) and its claims about throughput: four engines that send and
 * receive at once, links of 10 GB/s in both directions together, several paths between two nodes,
 * packets of any length. In the simulated machine of 3x3x3 groups, a node and its ten neighbours
 * exchange packets as fast as their engines can.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../sim/cmdline/run_config.h"
#include "arch/arch.h"
#include "arch/tofu/geometry.h"
#include "arch/tofu/header.h"
#include "core/base/node_number.h"
#include "gather.h"
#include "figure.h"
#include "paper.h"
#include "run.h"

#define LONGEST		2048	/* maximum bytes of a packet with header and CRC, from the paper */
#define SHORTEST	32
/* GB/s of a link in one direction: half of the 10 GB/s that the paper states for both directions */
#define LINK		5.0
#define ENGINES		4
/* relative tolerance of derived numbers, because packets of several engines share links */
#define PARTS		0.05
#define EXACT		0.01	/* relative tolerance of numbers from closed forms */
#define FS_PER_NS	1e6
/* packets per pair of nodes, if the packets have the maximum length */
#define PACKETS		2000

/* mask of directions: packets from the middle node, and packets to it */
#define BOTH		3
#define FROM		1
#define TO		2

/* A run: packets between the middle node and some of its neighbours. */
struct engines_work {
	const char *path;	/* path policy */
	u32 size;		/* bytes of a packet */
	u32 ways;
	const u32 (*to)[TOFU_AXES];
	u32 count;
};

static const u32 middle[TOFU_AXES] = { 1, 1, 1, 0, 0, 0 };
static const u32 neighbours[][TOFU_AXES] = {
	{ 2, 1, 1 }, { 0, 1, 1 }, { 1, 2, 1 }, { 1, 0, 1 }, { 1, 1, 2 }, { 1, 1, 0 },
	{ 1, 1, 1, 1 }, { 1, 1, 1, 0, 1 }, { 1, 1, 1, 0, 2 }, { 1, 1, 1, 0, 0, 1 },
};

static const u32 across[][TOFU_AXES] = { { 2, 2, 2, 1, 1, 1 } };

#define NEIGHBOURS	(sizeof(neighbours) / sizeof(neighbours[0]))

static int add_pairs(struct parse_pairs *pairs, const struct torus_geometry *g,
		     const struct engines_work *work)
{
	u32 centre = torus_node_number(g, torus_geometry_node(g, middle)), i;

	pairs->pairs = calloc(2 * work->count, sizeof(*pairs->pairs));
	if (!pairs->pairs)
		return sim_error("out of memory for %u pairs of nodes", 2 * work->count);
	for (i = 0; i < work->count; i++) {
		u32 other = torus_node_number(g, torus_geometry_node(g, work->to[i]));

		if (work->ways & FROM)
			pairs->pairs[pairs->count++] =
				(struct torus_pair){ .src = centre, .dst = other, .weight = 1 };
		if (work->ways & TO)
			pairs->pairs[pairs->count++] =
				(struct torus_pair){ .src = other, .dst = centre, .weight = 1 };
	}
	return SIM_OK;
}

static int engines_options(struct sim_run_config *options, const struct engines_work *work)
{
	static const u32 groups[TOFU_GROUP_AXES] = { 3, 3, 3 };
	struct torus_error err;

	*options = (struct sim_run_config){ .threads = 1 };
	if (torus_arch_config(&options->config, "tofu", &err) ||
	    torus_config_shape(&options->config, TOFU_GROUP_AXES, groups, 0, &err) ||
	    torus_config_set(&options->config, "path", work->path, &err))
		return sim_reject("%s", err.text);
	options->config.domains = 1;
	options->config.seed = 1;
	options->load.traffic = (struct torus_traffic){
		.pattern = TORUS_PATTERN_TABLE, .size_min = work->size, .size_max = work->size,
		.packets = PACKETS * LONGEST / work->size,
	};
	return add_pairs(&options->pairs, &options->config.geo, work);
}

/* Results of a run. */
struct engines_result {
	double rate;
	double cpu_s;
};

static int engines_measure(const struct sim_run_config *options, const struct engines_work *work,
			   struct engines_result *run)
{
	struct sim_measure found;
	int status = paper_run(options, &found);

	if (status)
		return status;
	run->rate = (double)found.result.delivered * work->size * FS_PER_NS /
		    ((double)found.result.clock * (double)found.result.tick_fs);
	run->cpu_s = found.perf.cpu_s;
	return SIM_OK;
}

static int engines_simulate(const struct engines_work *work, struct engines_result *run)
{
	struct sim_run_config options;
	int status = engines_options(&options, work);

	if (!status)
		status = engines_measure(&options, work, run);
	free(options.pairs.pairs);
	return status;
}

/*
 * Run packets until the last delivery. @rate: [out] data rate of all packets in GB/s, including
 * headers.
 */
static int run_work(const struct engines_work *work, double *rate, double *cpu_s)
{
	struct engines_result run;
	int status;

	if (!paper_gather(&run, sizeof(run), &status))
		status = paper_gather_keep(&run, sizeof(run), engines_simulate(work, &run));
	if (status)
		return status;
	*rate = run.rate;
	*cpu_s += run.cpu_s;
	return SIM_OK;
}

static int engines(struct paper_figure *figure)
{
	static const struct {
		const char *id;
		const char *label;
		u32 ways;
		double derived;
	} rows[] = {
		{ "ten-out", "from a node to ten neighbours", FROM, ENGINES * LINK },
		{ "ten-in", "from ten neighbours to a node", TO, ENGINES * LINK },
		{ "ten-both", "both at once", BOTH, 2 * ENGINES * LINK },
	};
	u32 i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct engines_work work = { "fixed", LONGEST, rows[i].ways, neighbours,
						   NEIGHBOURS };
		struct paper_row *row = paper_row(figure, "%s", rows[i].label);
		int status = run_work(&work, &row->ours, &figure->cpu_s);

		if (status)
			return status;
		paper_id(row, "%s", rows[i].id);
		row->unit = "GB/s";
		paper_near(row, PAPER_DERIVED, rows[i].derived, PARTS * rows[i].derived);
	}
	return SIM_OK;
}

static int links(struct paper_figure *figure)
{
	const struct engines_work both = { "fixed", LONGEST, BOTH, neighbours, 1 };
	const struct engines_work one = { "fixed", LONGEST, FROM, across, 1 };
	const struct engines_work many = { "roundrobin", LONGEST, FROM, across, 1 };
	struct paper_row *row = paper_row(figure, "over a link, both ways");
	double alone;
	int status = run_work(&both, &row->ours, &figure->cpu_s);

	if (status)
		return status;
	paper_id(row, "link");
	row->unit = "GB/s";
	paper_near(row, PAPER_PRINTED, 2 * LINK, EXACT * 2 * LINK);
	row = paper_row(figure, "path-one|to a node, one path");
	status = run_work(&one, &row->ours, &figure->cpu_s);
	if (status)
		return status;
	row->unit = "GB/s";
	alone = row->ours;
	paper_near(row, PAPER_DERIVED, LINK, EXACT * LINK);
	row = paper_row(figure, "path-all|to a node, all twelve paths in turn");
	status = run_work(&many, &row->ours, &figure->cpu_s);
	row->unit = "GB/s";
	paper_bound(row, PAPER_OURS, PAPER_AT_LEAST, alone);
	return status;
}

static int sizes(struct paper_figure *figure)
{
	struct paper_series *series = paper_series(figure, "data over a link, one way");
	u32 size;

	for (size = SHORTEST; size <= LONGEST; size *= 2) {
		const struct engines_work work = { "fixed", size, FROM, neighbours, 1 };
		struct paper_row *row = paper_row(figure, "data, packets of %u bytes", size);
		double part = (double)(size - TORUS_TOFU_HEADER_BYTES) / size, rate;
		int status = run_work(&work, &rate, &figure->cpu_s);

		if (status)
			return status;
		paper_id(row, "data-%u", size);
		row->unit = "GB/s";
		row->ours = part * rate;
		paper_near(row, PAPER_FORMULA, part * LINK, EXACT * part * LINK);
		paper_point(series, size, row->ours);
	}
	return SIM_OK;
}

static int run_5(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	int status;

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "Four engines a node: \"each engine can transmit and receive packets "
		 "simultaneously, transmit packets to any direction, and receive packets from any "
		 "direction\"; several paths at once can improve throughput between two nodes. "
		 "Links have 10 GB/s, both ways together. \"Packet length is variable to minimize "
		 "packet header overhead\": 32 to 2,048 bytes. Only the link's number is printed.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "3x3x3 groups, a node and its ten neighbours, %u packets of 2,048 bytes a pair or "
		 "as many bytes of others; bytes of all packets, headers included, by the time to "
		 "the last delivery; an engine is as fast as a link one way", PACKETS);
	figure->xlabel = "bytes of a packet";
	figure->ylabel = "GB/s";
	status = engines(figure);
	if (!status)
		status = links(figure);
	if (!status)
		status = sizes(figure);
	paper_note(figure, "An engine serves its packets in order, so that one for a link that "
			   "is busy holds up those behind it: what is missing to 20 GB/s.");
	paper_note(figure, "Paths in turn share the links out of a group. Four that share none, "
			   "one for each engine, are a program's to choose.");
	return status;
}

const struct paper_source paper_tofu_engines[] = {
	{ "tofu-fig5", "Tofu: throughput of engines, links, paths and packets", run_5, NULL },
	{ }
};
