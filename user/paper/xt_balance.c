// SPDX-License-Identifier: GPL-2.0
/*
 * Figures 3 and 4 of Abts et al. (2007), and sections 3.3 to 3.5 about regions: VC balance of a
 * Cray XT's links under uniform traffic, from the routing tables of user/route/xt. The packet of
 * each pair of nodes is followed through the tables once, without a simulation.
 */
#include <math.h>
#include <stdio.h>

#include "../route/xt/vc_balance.h"
#include "../route/xt/check.h"
#include "figure.h"
#include "paper.h"
#include "../route/xt/build_tables.h"

#define POINTS		3.0	/* tolerance for the paper's mean balances, in percentage points */
#define HUNDRED		100.0
/* maximum distance in links: our value for the paper's "at or near the dateline" */
#define NEAR_LINE	1
/* relative tolerance: our value for the paper's "balanced traffic" */
#define BALANCED	0.1
/*
 * tolerance in points for the paper's "split between the two VCs", and for "all" packets on one VC
 */
#define SPLIT		5.0
/* horizontal distance in the picture between the first bins of two dimensions */
#define BINS_APART	5

/*
 * Means of figure 4 in percent, by policy and dimension. 0 if the paper's text does not print the
 * mean.
 */
static const double printed[XT_POLICIES][XT_DIMS] = {
	[XT_POLICY_INITIAL] = { 44, 42, 42 },
	[XT_POLICY_V3] = { 27, 28, 30 },
};

static const u32 paper_shape[XT_DIMS] = { 11, 12, 16 };
static const u32 ring_shape[XT_DIMS] = { 1, 1, 16 };

/**
 * struct machine - a machine for which tables are made
 * @shape: lengths
 * @mesh: bit i: dimension i is a mesh
 * @planes: number of YZ planes of a region; 0: one region
 * @line: coordinate of the dateline in x. In y and z, the dateline is at the highest coordinate
 */
struct machine {
	u32 shape[XT_DIMS];
	u32 mesh;
	u32 planes;
	u32 line;
};

/* Return a machine of one region, with datelines at the highest coordinates. */
static struct machine one_region(const u32 *shape)
{
	return (struct machine){
		.shape = { shape[0], shape[1], shape[2] }, .line = shape[0] - 1,
	};
}

/* Make the tables of a policy, and follow the packet of each pair of nodes through them. */
static int balance_check(const struct machine *machine, enum xt_policy policy, struct xt_map **map,
			 struct xt_check *found)
{
	const u32 *shape = machine->shape;
	const u32 lines[XT_DIMS] = { machine->mesh & 1 ? XT_NONE : machine->line, shape[1] - 1,
				     shape[2] - 1 };
	struct xt_tables *tables = NULL;
	struct xt_route route;
	struct xt_made made;
	int error;

	error = xt_map_new(map, shape, machine->mesh, machine->planes);
	if (error)
		return sim_error("out of memory for the tables");
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
		return sim_error("out of memory for the tables");
	}
	xt_check_run(found, tables);
	xt_tables_free(tables);
	return SIM_OK;
}

static int ring(struct paper_figure *figure, enum xt_policy policy)
{
	const struct machine machine = one_region(ring_shape);
	struct paper_series *series = paper_series(figure, xt_policy_name(policy));
	struct xt_check found;
	struct xt_map *map;
	struct paper_row *row;
	double most = 0, at_line, before;
	u32 z, near = ring_shape[2];
	int status = balance_check(&machine, policy, &map, &found);

	if (status)
		return status;
	for (z = 0; z < map->nodes; z++) {
		const u32 *load = found.load[z][XT_ZP];
		double balance = xt_balance_link(load[0], load[1]);

		paper_point(series, z + 1, balance);
		if (z + 2 < map->nodes && balance > most)
			most = balance;
	}
	/*
	 * distance in links between the dateline's links and the other link with the largest
	 * balance, in the direction in which it is shorter
	 */
	for (z = 0; z + 2 < map->nodes; z++)
		if (series->y[z] >= most)
			near = z < map->nodes - 2 - z ? fmin(near, z) :
							fmin(near, map->nodes - 3 - z);
	at_line = series->y[map->nodes - 1];
	before = series->y[map->nodes - 2];
	row = paper_value(figure, "", at_line,
			  "%s: the dateline's link, beside the largest elsewhere", series->name);
	paper_compare(row, PAPER_OURS, most);
	row = paper_row(figure, "%s: the link to the dateline, beside the largest elsewhere",
			series->name);
	row->ours = before;
	paper_compare(row, PAPER_OURS, most);
	row = paper_value(figure, "links", near,
			  "near-%s|%s: links between the dateline's two and the next largest",
			  series->name, series->name);
	if (policy == XT_POLICY_INITIAL)
		paper_bound(row, PAPER_PRINTED, PAPER_AT_MOST, NEAR_LINE);
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
			   "curve. All packets out of the dateline node are on VC 1 by every "
			   "policy, and all to it on VC 0 by the initial one: the balance of these "
			   "two links is 1 by definition, and not judged. Judged is how near the "
			   "largest balance of the others is.");
	figure->cpu_s += sim_cpu_s() - begin;
	return status;
}

/*
 * Select the largest machine that the request allows, or the smallest machine if it allows none.
 * The paper's means are compared only at the paper's size.
 */
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

static void balance_judge(struct paper_figure *figure, enum xt_policy policy, bool judged,
			  const struct xt_balance *balance, double *means)
{
	struct paper_series *series = paper_series(figure, xt_policy_name(policy));
	u32 dim, bin;

	for (dim = 0; dim < XT_DIMS; dim++) {
		struct paper_row *row = paper_row(figure, "%s: mean balance in %c", series->name,
						  "XYZ"[dim]);
		double links = (double)balance[dim].links;

		paper_id(row, "balance-%s-%c", series->name, "xyz"[dim]);
		row->unit = "%";
		for (bin = 0; bin < XT_BINS; bin++)
			paper_point(series, BINS_APART * dim + bin + 1,
				    (double)balance[dim].bins[bin]);
		if (!balance[dim].links)
			continue;
		row->ours = HUNDRED * balance[dim].sum / links;
		if (policy == XT_POLICY_V1 && judged)
			paper_bound(row, PAPER_OURS, PAPER_AT_MOST, means[dim]);
		else if (policy == XT_POLICY_V2)
			paper_compare(row, PAPER_OURS, means[dim]);
		else if (judged)
			paper_near(row, PAPER_PRINTED, printed[policy][dim], POINTS);
		means[dim] = row->ours;
	}
}

/*
 * Add rows for the paper's "Balanced traffic across the network links": the ratio of the busiest
 * link's load to the mean load.
 */
static void link_loads(struct paper_figure *figure, const struct xt_map *map,
		       const struct xt_check *found)
{
	u32 node, dir, dim;

	for (dim = 0; dim < XT_DIMS; dim++) {
		struct paper_row *row = paper_row(figure, "packets of the busiest %c link, over "
						  "the mean", "XYZ"[dim]);
		double sum = 0, most = 0;

		for (node = 0; node < map->nodes; node++)
			for (dir = 2 * dim; dir < 2 * dim + 2; dir++) {
				double load = found->load[node][dir][0] + found->load[node][dir][1];

				sum += load;
				most = fmax(most, load);
			}
		paper_id(row, "load-%c", "xyz"[dim]);
		row->unit = "times";
		if (map->dims[dim] < 2)
			continue;
		row->ours = most / (sum / (2.0 * map->nodes));
		paper_near(row, PAPER_PRINTED, 1, BALANCED);
	}
}

static int run_4(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	const u32 *shape = choose_shape(request);
	const struct machine machine = one_region(shape);
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
		int status = balance_check(&machine, policy, &map, &found);

		if (status)
			return status;
		if (policy == XT_POLICY_INITIAL)
			link_loads(figure, map, &found);
		xt_balance_all(map, &found, balance);
		balance_judge(figure, policy, shape == paper_shape, balance, means);
		xt_check_free(&found);
		xt_map_free(map);
	}
	paper_note(figure, "Version 2 changes the global table alone, and one region has none in "
			   "use: its numbers are version 1's by definition. xt-regions judges it.");
	paper_note(figure, "The paper calls a balance of 0.5 twice the packets on one VC: it is "
			   "three times. Its first bin is open at 0, so that a link in balance had "
			   "no bin; here it is in the first.");
	paper_note(figure, "The paper has 8 global entries in 2.2 and 16 in 3.3; we have 16. Its "
			   "footnote 2 (no dateline for k up to 4) holds for rings of 4 if ties "
			   "are split, not if they all go plus.");
	figure->cpu_s += sim_cpu_s() - begin;
	return SIM_OK;
}

/* ------------------------------------------------------------------- regions */

/* Compute the mean balance of the links in x, in percent. */
static int balance_x(const struct machine *machine, enum xt_policy policy, double *mean)
{
	struct xt_balance balance[XT_DIMS];
	struct xt_check found;
	struct xt_map *map;
	int status = balance_check(machine, policy, &map, &found);

	if (status)
		return status;
	xt_balance_all(map, &found, balance);
	*mean = HUNDRED * balance[0].sum / (double)balance[0].links;
	xt_check_free(&found);
	xt_map_free(map);
	return SIM_OK;
}

/* Add a row with the mean balance of the links in x, in percent. */
static int row_x(struct paper_figure *figure, const struct machine *machine, enum xt_policy policy,
		 const char *id, const char *label, struct paper_row **row)
{
	*row = paper_row(figure, "%s: %s", xt_policy_name(policy), label);
	paper_id(*row, "%s-%s", id, xt_policy_name(policy));
	(*row)->unit = "%";
	return balance_x(machine, policy, &(*row)->ours);
}

/*
 * Measure machines with traffic between regions: a mesh in x with regions of one plane, where all
 * traffic in x uses the global tables, and a torus of four regions.
 */
static int global_traffic(struct paper_figure *figure)
{
	static const struct machine mesh = { { 8, 6, 4 }, 1, 1, 0 };
	static const struct machine torus = { { 12, 6, 4 }, 0, 3, 11 };
	struct paper_row *row;
	double before;
	int status;

	status = row_x(figure, &mesh, XT_POLICY_V1, "mesh", "mesh in x, global traffic", &row);
	paper_near(row, PAPER_PRINTED, HUNDRED, SPLIT);
	if (!status)
		status = row_x(figure, &mesh, XT_POLICY_V2, "mesh", "mesh in x, global traffic",
			       &row);
	if (status)
		return status;
	paper_near(row, PAPER_PRINTED, 0, SPLIT);
	status = row_x(figure, &torus, XT_POLICY_V1, "regions", "four regions around a torus",
		       &row);
	before = row->ours;
	if (!status)
		status = row_x(figure, &torus, XT_POLICY_V2, "regions", "four regions; other: v1",
			       &row);
	if (status)
		return status;
	paper_bound(row, PAPER_OURS, PAPER_AT_MOST, before);
	before = row->ours;
	status = row_x(figure, &torus, XT_POLICY_V3, "regions", "four regions; other: v2", &row);
	paper_bound(row, PAPER_OURS, PAPER_AT_MOST, before);
	return status;
}

/*
 * Use regions of three planes and one region of a single plane. Try each x coordinate as the
 * dateline.
 */
static int dateline_places(struct paper_figure *figure)
{
	static const u32 shape[XT_DIMS] = { 10, 6, 4 };
	struct machine machine = { { shape[0], shape[1], shape[2] }, 0, 3, 0 };
	struct paper_series *series = paper_series(figure, "version 3");
	double mean[10], inside = HUNDRED, edge = HUNDRED;
	struct paper_row *row;
	u32 x, last = shape[0] - 1;

	for (x = 0; x < shape[0]; x++) {
		int status;

		machine.line = x;
		status = balance_x(&machine, XT_POLICY_V3, &mean[x]);
		if (status)
			return status;
		paper_point(series, x, mean[x]);
		if (x % machine.planes == 1)
			inside = fmin(inside, mean[x]);
		else if (x != last)
			edge = fmin(edge, mean[x]);
	}
	row = paper_value(figure, "%", edge, "edge|dateline at an edge, best; other: inside, best");
	paper_bound(row, PAPER_OURS, PAPER_AT_MOST, inside);
	row = paper_value(figure, "%", mean[last],
			  "single-plane|dateline at the single plane; other: edge, best");
	paper_bound(row, PAPER_OURS, PAPER_AT_MOST, edge);
	return SIM_OK;
}

static int run_regions(const struct paper_source *source, const struct paper_request *request,
		       struct paper_figure *figure)
{
	double begin = sim_cpu_s();
	int status;

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "Version 2 splits what is routed globally between the VCs, also \"in systems in "
		 "which there is no torus in the X dimension, as all global traffic was initially "
		 "using VC0\". By version 3 a packet that enters its region at the side away from "
		 "a dateline on the region's edge does not cross it, and a region of a single YZ "
		 "plane has both edges: \"that region would be considered the most likely "
		 "candidate for the dateline\". No number.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "VC balance of the links of x by tables, all pairs: 8x6x4, a mesh in x, regions "
		 "of one plane; 12x6x4, regions of three planes; 10x6x4, three regions of three "
		 "planes and one of a single plane, with the dateline at each x");
	figure->xlabel = "x of the dateline";
	figure->ylabel = "mean VC balance of the links of x, %";
	status = global_traffic(figure);
	if (!status)
		status = dateline_places(figure);
	paper_note(figure, "\"All\" and \"split\" are taken for 100 and 0 %% within %g points.",
		   SPLIT);
	figure->cpu_s += sim_cpu_s() - begin;
	return status;
}

const struct paper_source paper_xt_balance[] = {
	{ "xt-fig3", "Cray XT: VC balance around a ring of 16", run_3, NULL },
	{ "xt-fig4", "Cray XT: VC balance of 11x12x16 by policy", run_4, NULL },
	{ "xt-regions", "Cray XT: VC balance with several regions, by policy and dateline",
	  run_regions, NULL },
	{ }
};
