// SPDX-License-Identifier: GPL-2.0
/*
 * Figures 3 and 4 of paper 001: VC balance of a Cray XT's links under uniform traffic, by
 * the routing tables of user/route/xt.  Nothing is simulated: every pair of nodes is
 * followed through the tables once.
 */
#include <stdio.h>

#include "../route/xt/check.h"
#include "paper.h"

#define POINTS		3.0	/* of a hundred, between ours and the paper's means */
#define HUNDRED		100.0
#define BINS_APART	5	/* along the picture, from a dimension's first bin to the next's */

/* Means of figure 4 in percent, that the text prints; 0: it does not. */
static const double printed[XT_POLICIES][XT_DIMS] = {
	[XT_POLICY_INITIAL] = { 44, 42, 42 },
	[XT_POLICY_V3] = { 27, 28, 30 },
};

static const u32 paper_shape[XT_DIMS] = { 11, 12, 16 };
static const u32 ring_shape[XT_DIMS] = { 1, 1, 16 };

/* Every pair through the tables of one policy, datelines at the highest coordinates. */
static int check(const u32 *shape, enum xt_policy policy, struct xt_map **map,
		 struct xt_check *found)
{
	const u32 lines[XT_DIMS] = { shape[0] - 1, shape[1] - 1, shape[2] - 1 };
	struct xt_tables *tables = NULL;
	struct xt_route route;
	struct xt_made made;
	int error;

	error = xt_map_new(map, shape, 0, 0);
	if (error)
		return sim_failed("no memory for the tables");
	error = xt_check_init(found, *map);
	if (!error) {
		error = xt_route_init(&route, *map, policy, true, lines);
		if (!error) {
			error = xt_tables_make(&route, &tables, &made);
			xt_route_free(&route);
		}
	}
	if (error) {
		xt_check_free(found);
		xt_map_free(*map);
		return sim_failed("no memory for the tables");
	}
	xt_check_run(found, tables);
	xt_tables_free(tables);
	return SIM_OK;
}

static int ring(struct paper_figure *figure, enum xt_policy policy)
{
	struct paper_series *series = paper_series(figure, xt_policy_name(policy));
	struct xt_check found;
	struct xt_map *map;
	struct paper_row *row;
	double most = 0, at_line, before;
	u32 z;
	int status = check(ring_shape, policy, &map, &found);

	if (status)
		return status;
	for (z = 0; z < map->nodes; z++) {
		const u32 *load = found.load[z][XT_ZP];
		double balance = xt_balance_link(load[0], load[1]);

		paper_point(series, z + 1, balance);
		if (z + 2 < map->nodes && balance > most)
			most = balance;
	}
	at_line = series->y[map->nodes - 1];
	before = series->y[map->nodes - 2];
	row = paper_row(figure, "%s: the dateline's link, beside the largest elsewhere",
			series->name);
	row->ours = at_line;
	paper_bound(row, PAPER_OURS, PAPER_AT_LEAST, most);
	row = paper_row(figure, "%s: the link to the dateline, beside the largest elsewhere",
			series->name);
	row->ours = before;
	paper_bound(row, PAPER_OURS, PAPER_AT_LEAST, most);
	xt_check_free(&found);
	xt_map_free(map);
	return SIM_OK;
}

static int run_3(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	double begin = sim_cpu_s();
	int status;

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "VC balance of the Z+ link of each node of a ring of 16, with node 16 as the "
		 "dateline, by the initial policy: the largest imbalance occurs at or near the "
		 "dateline node. The bars are not in the text.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "The tables of a ring of 16, all pairs, dateline at the last node, ties split; "
		 "balance is |P0 - P1| / (P0 + P1), packets counted behind the output");
	figure->xlabel = "node";
	figure->ylabel = "VC balance of its Z+ link";
	status = ring(figure, XT_POLICY_INITIAL);
	if (!status)
		status = ring(figure, XT_POLICY_V3);
	paper_note(figure, "Ours has the initial policy and version 3; the paper's figure has one "
			   "curve. Out of the dateline node all packets go on VC 1, by every "
			   "policy, so that link's balance is 1.");
	figure->cpu_s += sim_cpu_s() - begin;
	return status;
}

/* The largest machine that was asked for; what the paper prints is judged at its own size. */
static const u32 *choose_shape(const struct paper_request *request)
{
	static const u32 small[][XT_DIMS] = { { 5, 6, 8 }, { 3, 4, 4 }, { 1, 1, 4 } };
	u32 i = 0;

	if (!request->nodes || request->nodes >= 2112)
		return paper_shape;
	while (i < 2 && small[i][0] * small[i][1] * small[i][2] > request->nodes)
		i++;
	return small[i];
}

static void judge(struct paper_figure *figure, enum xt_policy policy, bool judged,
		  const struct xt_balance *balance, double *means)
{
	struct paper_series *series = paper_series(figure, xt_policy_name(policy));
	u32 dim, bin;

	for (dim = 0; dim < XT_DIMS; dim++) {
		struct paper_row *row = paper_row(figure, "%s: mean balance in %c", series->name,
						  "XYZ"[dim]);
		double links = (double)balance[dim].links;

		row->unit = "%";
		for (bin = 0; bin < XT_BINS; bin++)
			paper_point(series, BINS_APART * dim + bin + 1,
				    (double)balance[dim].bins[bin]);
		if (!balance[dim].links)
			continue;
		row->ours = HUNDRED * balance[dim].sum / links;
		if (policy == XT_POLICY_V1 && judged)
			paper_bound(row, PAPER_OURS, PAPER_AT_MOST, means[dim]);
		else if (policy == XT_POLICY_V2 && judged)
			paper_near(row, PAPER_OURS, means[dim], 0.001);
		else if (judged)
			paper_near(row, PAPER_PRINTED, printed[policy][dim], POINTS);
		means[dim] = row->ours;
	}
}

static int run_4(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	const u32 *shape = choose_shape(request);
	struct xt_balance balance[XT_DIMS];
	double means[XT_DIMS] = { 0 }, begin = sim_cpu_s();
	enum xt_policy policy;

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "Links by VC balance in four bins, for X, Y and Z and four versions of the "
		 "policy, uniform traffic on 11x12x16. Version 3 improves the mean from 44 to "
		 "27 %% in X, 42 to 28 in Y, 42 to 30 in Z. The bars are not in the text.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "The tables of %ux%ux%u, one region, all pairs, datelines at the highest "
		 "coordinates, ties split; bins to 0.25, 0.5, 0.75 and 1: 1 to 4 along are X's, 6 "
		 "to 9 Y's, 11 to 14 Z's", shape[0], shape[1], shape[2]);
	figure->xlabel = "bin";
	figure->ylabel = "links";
	for (policy = XT_POLICY_INITIAL; policy <= XT_POLICY_V3; policy++) {
		struct xt_check found;
		struct xt_map *map;
		int status = check(shape, policy, &map, &found);

		if (status)
			return status;
		xt_balance_all(map, &found, balance);
		judge(figure, policy, shape == paper_shape, balance, means);
		xt_check_free(&found);
		xt_map_free(map);
	}
	paper_note(figure, "Version 2 changes the global table alone, and one region has none in "
			   "use: its numbers are version 1's.");
	paper_note(figure, "The paper calls a balance of 0.5 twice the packets on one VC: it is "
			   "three times. Its first bin is open at 0, so that a link in balance had "
			   "no bin; here it is in the first.");
	paper_note(figure, "The paper has 8 global entries in 2.2 and 16 in 3.3; we have 16. Its "
			   "footnote 2 (no dateline for k up to 4) holds for rings of 4 if ties "
			   "are split, not if they all go plus.");
	figure->cpu_s += sim_cpu_s() - begin;
	return SIM_OK;
}

const struct paper_source paper_xt_balance[] = {
	{ "xt-fig3", "Cray XT: VC balance around a ring of 16", run_3, NULL },
	{ "xt-fig4", "Cray XT: VC balance of 11x12x16 by policy", run_4, NULL },
	{ }
};
