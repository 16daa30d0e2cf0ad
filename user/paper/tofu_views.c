// SPDX-License-Identifier: GPL-2.0
/*
 * Figures 2 and 3 of Ajima et al. (2009) and its list of shapes: paths, torus views and boxes
 * of a Tofu machine. user/route/tofu computes them without a simulation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../route/tofu/check.h"
#include "../route/tofu/view_shapes.h"
#include "../route/tofu/view.h"
#include "figure.h"
#include "paper.h"

#define EXACT	0.5	/* tolerance of integers */

static void counted(struct paper_figure *figure, const char *id, const char *label,
		    const char *unit, enum paper_origin origin, double ours, double other)
{
	struct paper_row *row = paper_id(paper_row(figure, "%s", label), "%s", id);

	row->unit = unit;
	row->ours = ours;
	paper_near(row, origin, other, EXACT);
}

static int machine(struct torus_geometry *g, u32 x, u32 y, u32 z, u32 mesh)
{
	const u32 groups[TOFU_GROUP_AXES] = { x, y, z };

	return tofu_geometry_init(g, groups, mesh, UINT32_MAX) ? SIM_OK :
	       sim_error("%ux%ux%u groups: cannot create this machine", x, y, z);
}

/* ------------------------------------------------------------------ figure 2 */

static const u32 pair_from[TOFU_AXES] = { 0, 0, 0, 0, 2, 0 };
static const u32 pair_to[TOFU_AXES] = { 2, 0, 0, 0, 0, 1 };

/*
 * Follow a path with the router's function. @relay: [out] node at which the first phase ends.
 * Return: the length of the path in hops.
 */
static u32 views_follow(const struct torus_geometry *g, u32 from, u32 to, u32 path, u32 *relay)
{
	struct tofu_path_iter walk;

	tofu_path_iter_init(&walk, g, from, to, path, tofu_order_of(pair_from));
	*relay = from;
	while (tofu_path_iter_next(&walk))
		if (walk.hop.phase == TOFU_TO_RELAY)
			*relay = walk.node;
	return walk.hops;
}

static void figure_pair(struct paper_figure *figure, const struct torus_geometry *g)
{
	struct paper_series *series = paper_series(figure, "links of each path");
	u32 from = torus_geometry_node(g, pair_from), to = torus_geometry_node(g, pair_to);
	u32 least = tofu_distance(g, from, to), longer = 0, inside = 0, distinct = 0, path, other;
	u32 relay[TOFU_PATHS], at[TOFU_AXES];
	struct paper_row *row;

	for (path = 0; path < TOFU_PATHS; path++) {
		u32 hops = views_follow(g, from, to, path, &relay[path]);
		bool again = false;

		torus_geometry_coords(g, relay[path], at);
		inside += !memcmp(at, pair_from, TOFU_GROUP_AXES * sizeof(*at));
		for (other = 0; other < path; other++)
			again |= relay[other] == relay[path];
		distinct += !again;
		longer += hops > least;
		paper_point(series, path, hops);
	}
	counted(figure, "relays", "Figure 2: relays of the paths", "nodes",
		PAPER_PRINTED, distinct, 12);
	counted(figure, "relays-group", "Figure 2: relays in the source's group", "nodes",
		PAPER_PRINTED, inside, 12);
	row = paper_value(figure, "", longer, "not-minimal|Figure 2: paths that are not minimal");
	paper_bound(row, PAPER_DERIVED, PAPER_AT_LEAST, 1);
}

static int figure_all(struct paper_figure *figure, const struct torus_geometry *g)
{
	struct tofu_check check;
	int status = SIM_OK;

	if (tofu_check_init(&check, g))
		return sim_error("out of memory for the paths of %u nodes", g->nodes);
	tofu_check_run(&check, g, false);
	counted(figure, "few-relays", "all pairs: with fewer than twelve relays", "pairs",
		PAPER_PRINTED, (double)(check.pairs - check.relays), 0);
	counted(figure, "phase-not-minimal", "all paths: with a phase that is not minimal", "paths",
		PAPER_PRINTED, (double)check.broken[TOFU_MINIMAL], 0);
	counted(figure, "phase-other", "all paths: with other phases", "paths",
		PAPER_PRINTED, (double)check.broken[TOFU_PHASED], 0);
	counted(figure, "end-other", "all paths: with another end", "paths",
		PAPER_PRINTED, (double)check.broken[TOFU_REACHED], 0);
	paper_value(figure, "", (double)check.paths, "all paths, by both orders");
	tofu_check_free(&check);
	return status;
}

static int run_2(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	bool small = request->nodes && request->nodes < 12 * 27, full = request->full;
	double begin = sim_cpu_s();
	struct torus_geometry g;
	int status;

	status = small ? machine(&g, 3, 1, 1, 0) :
		 full ? machine(&g, 6, 4, 4, 0) : machine(&g, 3, 3, 3, 0);
	if (status)
		return status;
	snprintf(figure->says, PAPER_TEXT_MAX,
		 "Three phases: along a, b, c in the source's group to select a path, along x, y, "
		 "z to the destination's, along a, b, c to the destination. Each is minimal, the "
		 "whole need not be. \"Tofu routing can relay through an arbitrary node in a "
		 "source node group, so there are a total of 12 paths for an arbitrary "
		 "destination.\" The figure draws three of those from (0,0,0,0,2,0) to "
		 "(2,0,0,0,0,1); which three is not in the text.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "The route function of the router, followed for all pairs of %ux%ux%u groups",
		 g.dims[0], g.dims[1], g.dims[2]);
	figure->xlabel = "path";
	figure->ylabel = "links from (0,0,0,0,2,0) to (2,0,0,0,0,1)";
	figure_pair(figure, &g);
	status = figure_all(figure, &g);
	paper_note(figure, "The paper prints no size of a machine for this. A path that is no "
			   "longer than the distance is one whose relay is on a minimal way.");
	figure->cpu_s += sim_cpu_s() - begin;
	return status;
}

/* ------------------------------------------------------------------ figure 3 */

/* axis of the view that lies in the plane of the machine's axes x and b */
#define AXIS		0u

/* Place a view of 9x2x2 nodes in 3x1x1 groups. Dead nodes shorten the view. */
static int place(struct tofu_view *view, const struct torus_geometry *g, const u32 *dead,
		 u32 ndead)
{
	static const u32 asked[TOFU_VIEW_AXES] = { 9, 2, 2 };
	static const u32 at[TOFU_GROUP_AXES] = { 0, 0, 0 };
	struct tofu_shape shapes[TOFU_SHAPES_MAX];
	char why[TOFU_WHY_MAX];
	u32 n = tofu_shapes_find(asked, shapes, why), i;

	for (i = 0; i < n; i++)
		if (tofu_shape_fits(g, &shapes[i]) &&
		    !tofu_view_place(view, g, &shapes[i], dead, ndead, at))
			return SIM_OK;
	return sim_error("a view of 9x2x2 does not fit into the machine: %s", why);
}

/* Return the view's coordinate of a place in the plane; -1 if the place is not in the view. */
static double coordinate(const struct tofu_view *view, u32 along, u32 inside)
{
	u32 i;

	for (i = 0; i < view->length[AXIS]; i++)
		if (view->ring[AXIS][i].along == along && view->ring[AXIS][i].inside == inside)
			return i;
	return -1;
}

static void neighbours(struct paper_figure *figure, const char *id, const struct tofu_view *view,
		       const struct torus_geometry *g, const u32 *dead, u32 ndead)
{
	u64 bad;

	tofu_view_links(view, g, dead, ndead, &bad);
	counted(figure, id, "neighbours that are no link", "links",
		PAPER_DERIVED, (double)bad, 0);
}

static int whole(struct paper_figure *figure, const struct torus_geometry *g)
{
	struct paper_series *series = paper_series(figure, "x along, b up: the ring of 9");
	struct tofu_view view;
	u32 i;
	int status = place(&view, g, NULL, 0);

	if (status)
		return status;
	for (i = 0; i < view.length[AXIS]; i++)
		paper_point(series, view.ring[AXIS][i].along, view.ring[AXIS][i].inside);
	counted(figure, "length", "(a) length of the axis", "nodes",
		PAPER_PRINTED, view.length[AXIS], 9);
	counted(figure, "node-first", "(a) coordinate of node (0,0,0,0,0,0)", "places",
		PAPER_PRINTED, coordinate(&view, 0, 0), 0);
	counted(figure, "node-last", "(a) coordinate of node (2,0,0,0,0,0)", "places",
		PAPER_PRINTED, coordinate(&view, 2, 0), 5);
	neighbours(figure, "links", &view, g, NULL, 0);
	tofu_view_free(&view);
	return SIM_OK;
}

/* Return how many ranks of a view are on a node: 0 or 1. */
static u32 ranks_at(const struct tofu_view *view, const struct torus_geometry *g, u32 node)
{
	u32 rank, n = 0;

	for (rank = 0; rank < view->ranks; rank++)
		n += tofu_view_node(view, g, rank) == node;
	return n;
}

static int with_fault(struct paper_figure *figure, const struct torus_geometry *g)
{
	static const u32 faulty[TOFU_AXES] = { 1, 0, 0, 0, 1, 1 };
	static const u32 removed[TOFU_UNIT][TOFU_AXES] = {
		{ 1, 0, 0, 0, 1, 0 }, { 1, 0, 0, 0, 1, 1 },
		{ 1, 0, 0, 1, 1, 0 }, { 1, 0, 0, 1, 1, 1 },
	};
	u32 dead = torus_geometry_node(g, faulty), i, out = 0, named = 0;
	struct tofu_view view;
	int status = place(&view, g, &dead, 1);

	if (status)
		return status;
	for (i = 0; i < g->nodes; i++)
		out += !ranks_at(&view, g, i);
	for (i = 0; i < TOFU_UNIT; i++)
		named += !ranks_at(&view, g, torus_geometry_node(g, removed[i]));
	counted(figure, "fault-length", "(b) length of the axis, (1,0,0,0,1,1) down", "nodes",
		PAPER_PRINTED, view.length[AXIS], 8);
	counted(figure, "fault-out", "(b) nodes out of the allocation", "nodes",
		PAPER_PRINTED, out, 4);
	counted(figure, "fault-named", "(b) of the four that the paper names", "nodes",
		PAPER_PRINTED, named, 4);
	neighbours(figure, "fault-links", &view, g, &dead, 1);
	tofu_view_free(&view);
	return SIM_OK;
}

static int run_3(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	double begin = sim_cpu_s();
	struct torus_geometry g;
	int status = machine(&g, 3, 1, 1, 1);

	if (status)
		return status;
	snprintf(figure->says, PAPER_TEXT_MAX,
		 "(a) An application-view axis of length 9 in the plane of x and b: coordinate 0 "
		 "on node (0,0,0,0,0,0), 5 on node (2,0,0,0,0,0). (b) Node (1,0,0,0,1,1) is down, "
		 "and the length is reduced to 8: the four nodes (1,0,0,0..1,1,0..1) are removed.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "A view of 9x2x2 in 3x1x1 groups, x a mesh; then with that node faulty");
	figure->xlabel = "x";
	figure->ylabel = "b";
	status = whole(figure, &g);
	if (!status)
		status = with_fault(figure, &g);
	figure->cpu_s += sim_cpu_s() - begin;
	return status;
}

/* -------------------------------------------------------------------- shapes */

/* Shapes that the paper lists, as lengths in groups. */
static const u32 listed[][TOFU_GROUP_AXES] = {
	{ 6, 6, 2 }, { 6, 2, 6 }, { 2, 6, 6 }, { 6, 4, 3 }, { 6, 3, 4 }, { 4, 6, 3 },
	{ 4, 3, 6 }, { 3, 6, 4 }, { 3, 4, 6 },
};

#define LISTED	(sizeof(listed) / sizeof(listed[0]))

/* Return the number of different permutations of three lengths. */
static u32 orders(const u32 *length)
{
	u32 alike = (length[0] == length[1]) + (length[1] == length[2]) +
		    (length[0] == length[2]);

	return alike == 3 ? 1 : alike ? 3 : 6;
}

static int run_shapes(const struct paper_source *source, const struct paper_request *request,
		      struct paper_figure *figure)
{
	static const u32 view[TOFU_VIEW_AXES] = { 12, 12, 6 };
	struct tofu_shape shapes[TOFU_SHAPES_MAX];
	struct paper_series *series;
	char why[TOFU_WHY_MAX];
	u32 n = tofu_shapes_find(view, shapes, why), i, j, found = 0;
	double begin = sim_cpu_s();

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "\"Consider all the possible mesh/torus shapes that can map a 12x12x6 torus "
		 "view\": three of a 3D torus, nine of Tofu, which the text lists.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "Boxes of groups for a view of 12x12x6: each of its axes in the plane of one of "
		 "x, y, z and one of a, b, c");
	figure->xlabel = "groups in x";
	figure->ylabel = "groups in y";
	series = paper_series(figure, "shapes of 12x12x6");
	for (j = 0; j < n; j++)
		paper_point(series, shapes[j].groups[0], shapes[j].groups[1]);
	for (i = 0; i < LISTED; i++)
		for (j = 0; j < n; j++)
			found += !memcmp(listed[i], shapes[j].groups, sizeof(listed[i]));
	counted(figure, "shapes-3d", "shapes of a 3D torus", "shapes",
		PAPER_PRINTED, orders(view), 3);
	counted(figure, "shapes-tofu", "shapes of Tofu", "shapes", PAPER_PRINTED, n, 9);
	counted(figure, "listed", "of these, in the paper's list", "shapes",
		PAPER_PRINTED, found, LISTED);
	figure->cpu_s += sim_cpu_s() - begin;
	return SIM_OK;
}

const struct paper_source paper_tofu_views[] = {
	{ "tofu-fig2", "Tofu: twelve paths from one node to another", run_2, NULL },
	{ "tofu-fig3", "Tofu: an axis of a torus view, whole and with a faulty node", run_3, NULL },
	{ "tofu-shapes", "Tofu: boxes of groups for a view of 12x12x6", run_shapes, NULL },
	{ }
};
