// SPDX-License-Identifier: GPL-2.0
/*
 * Plan the steps of all nodes towards one goal: by the rules of the paper, or by a search if the
 * rules fail.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "next_hops.h"
#include "rules.h"
#include "search.h"
#include "vc_assign.h"
#include "check_next_hops.h"

static const char *const rule_names[XT_RULES] = {
	[XT_RULE_ARRIVED] = "arrived",
	[XT_RULE_ORDER] = "dimension_order",
	[XT_RULE_X_DETOUR_Y] = "x_detour_y",
	[XT_RULE_X_DETOUR_Z] = "x_detour_z",
	[XT_RULE_DODGE] = "dodge_y_max",
	[XT_RULE_EARLY] = "early_detour",
	[XT_RULE_Y_DETOUR_Z] = "y_detour_z",
	[XT_RULE_LOOK_AHEAD] = "look_ahead",
	[XT_RULE_Z_DETOUR_Y] = "z_detour_y",
	[XT_RULE_Z_DETOUR_YM] = "z_detour_y_minus",
	[XT_RULE_LONG_WAY] = "z_long_way",
	[XT_RULE_SEARCH] = "search",
	[XT_RULE_PHASES] = "phases",
	[XT_RULE_DATELINE] = "dateline",
	[XT_RULE_TURN_BACK] = "turn_back",
	[XT_RULE_LOOP] = "loop",
	[XT_RULE_REGION] = "region",
};

static const char *const policy_names[XT_POLICIES] = {
	[XT_POLICY_INITIAL] = "initial",
	[XT_POLICY_V1] = "v1",
	[XT_POLICY_V2] = "v2",
	[XT_POLICY_V3] = "v3",
	[XT_POLICY_ONE] = "one",
};

/**
 * xt_rule_name() - get a rule's name
 */
const char *xt_rule_name(enum xt_rule rule)
{
	return rule_names[rule];
}

/**
 * xt_policy_name() - get a policy's name
 */
const char *xt_policy_name(enum xt_policy policy)
{
	return policy_names[policy];
}

/*
 * Check whether the minus direction is to be used because it is shorter. If both directions are
 * equally long, it is used with @split from odd coordinates.
 */
static uint8_t shorter(uint32_t plus, uint32_t minus, bool split, uint32_t from)
{
	if (plus == minus)
		return split && from & 1;
	return minus < plus;
}

/*
 * Select the direction for each pair of coordinates of a dimension. If a region is only a part of
 * the ring in x, packets within the region do not leave it (3.4); then x is treated as a line.
 */
static void fill_ways(struct xt_route *route)
{
	const struct xt_map *map = route->map;
	uint32_t dim, a, b;

	for (dim = 0; dim < XT_DIMS; dim++) {
		uint32_t length = map->dims[dim];
		bool line = map->mesh >> dim & 1 || (!dim && map->regions > 1);

		for (a = 0; a < length; a++)
			for (b = 0; b < length; b++) {
				uint32_t plus = (b + length - a) % length;
				bool minus = line ? b < a :
					shorter(plus, length - plus, route->ties, a);

				route->way[dim][a * length + b] = (uint8_t)(2 * dim + minus);
			}
	}
}

/*
 * Select the direction in x from each coordinate to each region: "Packets using the global table
 * will prefer to move in the X direction"
 */
static void fill_global(struct xt_route *route)
{
	const struct xt_map *map = route->map;
	uint32_t length = map->dims[0], x, region;

	for (region = 0; region < map->regions; region++) {
		uint32_t first = region * map->planes, last = first + map->planes - 1;

		if (last >= length)
			last = length - 1;
		for (x = 0; x < length; x++) {
			uint32_t plus = (first + length - x) % length;
			uint32_t minus = (x + length - last) % length;

			route->global[x * XT_REGIONS_MAX + region] = map->mesh & 1 ?
				x > last : shorter(plus, minus, route->ties, x);
		}
	}
}

/**
 * xt_route_settle() - recompute @touched and @dodge of a route after cables of its map changed
 */
void xt_route_settle(struct xt_route *route)
{
	const struct xt_map *map = route->map;
	uint32_t node, dir, top = map->dims[1] - 1;

	memset(route->touched, 0, map->nodes);
	memset(route->dodge, 0, map->dims[2]);
	if (!map->out)
		return;
	for (node = 0; node < map->nodes; node++) {
		const uint16_t *at = map->at[node];
		uint32_t column = node - at[2];
		bool out = false;

		for (dir = 0; dir < XT_DIRS; dir++)
			out |= map->cable[node][dir] != XT_LIVE && map->next[node][dir] != XT_NONE;
		if (!out)
			continue;
		memset(route->touched + column, 1, map->dims[2]);
		for (dir = XT_XP; dir < XT_ZP; dir++)
			if (map->next[node][dir] != XT_NONE)
				memset(route->touched + map->next[node][dir] - at[2], 1,
				       map->dims[2]);
		if (at[1] == top && !xt_live(map, node, XT_XP) &&
		    map->next[node][XT_XP] != XT_NONE)
			route->dodge[at[2]] |= 1;
		if (top && at[1] == top - 1 && !xt_live(map, node, XT_XP) &&
		    map->next[node][XT_XP] != XT_NONE)
			route->dodge[at[2]] |= 2;
	}
	for (node = 0; node < map->dims[2]; node++)
		route->dodge[node] = route->dodge[node] == 1;
}

/**
 * xt_route_init() - set up the routing of a machine
 * @route: [out] freed with xt_route_free() after success
 * @map: the machine; must outlive @route. Call xt_route_settle() after cables changed
 * @policy: assignment of VCs
 * @split: if both directions are equally long: true: even coordinates use plus, odd ones minus;
 *    false: all use plus
 * @dateline: by dimension: coordinate of the dateline; XT_NONE if there is none
 *
 * Return: 0, -ENOMEM.
 */
int xt_route_init(struct xt_route *route, struct xt_map *map, enum xt_policy policy, bool split,
		  const uint32_t *dateline)
{
	uint32_t dim;
	bool made = true;

	*route = (struct xt_route){ .map = map, .policy = policy, .ties = split };
	for (dim = 0; dim < XT_DIMS; dim++) {
		route->dateline[dim] = map->mesh >> dim & 1 || map->dims[dim] == 1 ?
			XT_NONE : dateline[dim];
		route->way[dim] = malloc((size_t)map->dims[dim] * map->dims[dim]);
		made = made && route->way[dim];
	}
	route->global = calloc(map->dims[0], XT_REGIONS_MAX);
	route->touched = calloc(map->nodes, 1);
	route->dodge = calloc(map->dims[2], 1);
	route->landed = calloc(map->nodes, sizeof(*route->landed));
	if (!made || !route->global || !route->touched || !route->dodge || !route->landed) {
		xt_route_free(route);
		return -ENOMEM;
	}
	fill_ways(route);
	fill_global(route);
	xt_route_settle(route);
	return 0;
}

/**
 * xt_route_free() - free the memory of a route, but not its map
 */
void xt_route_free(struct xt_route *route)
{
	uint32_t dim;

	for (dim = 0; dim < XT_DIMS; dim++)
		free(route->way[dim]);
	free(route->global);
	free(route->touched);
	free(route->dodge);
	free(route->landed);
	*route = (struct xt_route){ .map = NULL };
}

/**
 * xt_next_hops_init() - allocate the memory of a plan
 * @map: machine that is planned
 *
 * Return: 0, -ENOMEM.
 */
int xt_next_hops_init(struct xt_next_hops *plan, const struct xt_map *map)
{
	*plan = (struct xt_next_hops){ .searched = false };
	plan->steps = malloc(map->nodes * sizeof(*plan->steps));
	plan->fates = malloc(map->nodes * sizeof(*plan->fates));
	plan->stack = malloc(map->nodes * sizeof(*plan->stack));
	plan->queue = malloc((2 * (size_t)map->nodes + 1) * sizeof(*plan->queue));
	plan->causes = malloc(map->nodes);
	if (plan->steps && plan->fates && plan->stack && plan->queue && plan->causes)
		return 0;
	xt_next_hops_free(plan);
	return -ENOMEM;
}

/**
 * xt_next_hops_free() - free the memory of a plan
 */
void xt_next_hops_free(struct xt_next_hops *plan)
{
	free(plan->steps);
	free(plan->fates);
	free(plan->stack);
	free(plan->queue);
	free(plan->causes);
	*plan = (struct xt_next_hops){ .searched = false };
}

/* Return the output in dimension order, for a node without broken cables nearby. */
static uint8_t untouched(const struct xt_route *route, const struct xt_dest *goal, uint32_t node)
{
	const struct xt_map *map = route->map;
	const uint16_t *at = map->at[node], *to;
	uint32_t dim;

	if (goal->dest == XT_NONE)
		return route->global[at[0] * XT_REGIONS_MAX + goal->region];
	to = map->at[goal->dest];
	for (dim = 0; dim + 1 < XT_DIMS && at[dim] == to[dim]; dim++)
		;
	return route->way[dim][at[dim] * map->dims[dim] + to[dim]];
}

static void apply_rules(const struct xt_route *route, struct xt_next_hops *plan)
{
	struct xt_step *steps = plan->steps;
	uint32_t node;

	for (node = plan->first; node < plan->end; node++) {
		steps[node] = (struct xt_step){ .rule = XT_RULE_ORDER };
		if (xt_next_hops_home(route, plan, node))
			steps[node] = (struct xt_step){ .port = XT_PROCESSOR };
		else if (route->touched[node])
			steps[node] = xt_rule_step(route, &plan->goal, node, NULL);
		else
			steps[node].port = untouched(route, &plan->goal, node);
	}
}

/**
 * xt_next_hops_make() - plan the steps of all nodes to a goal
 * @route: the machine and its rules; the caller must plan all goals that are nodes before goals
 *    that are regions
 * @plan: [out] steps with their VCs
 * @goal: the goal
 *
 * If the rules lead to the goal from all nodes, the rules are used. Otherwise this function
 * searches for paths. A node without a path gets XT_NO_PORT and the rule that fails.
 *
 * Return: number of nodes without a path.
 */
uint32_t xt_next_hops_make(struct xt_route *route, struct xt_next_hops *plan,
			   const struct xt_dest *goal)
{
	const struct xt_map *map = route->map;
	bool local = goal->dest != XT_NONE;
	uint32_t lost, node;

	plan->goal = *goal;
	plan->first = local ? xt_region_start(map, goal->region) : 0;
	plan->end = local ? xt_region_start(map, goal->region + 1) : map->nodes;
	apply_rules(route, plan);
	lost = xt_walk(route, plan);
	plan->searched = lost;
	if (lost) {
		for (node = plan->first; node < plan->end; node++)
			plan->causes[node] = plan->fates[node].cause;
		xt_search(route, plan);
		lost = xt_walk(route, plan);
	}
	for (node = plan->first; lost && node < plan->end; node++) {
		if (plan->steps[node].port != XT_NO_PORT)
			continue;
		plan->steps[node].rule = plan->causes[node];
		/*
		 * A packet that enters a region at this node must reach each node of the region.
		 * Count the nodes that it cannot reach.
		 */
		route->landed[node] += local;
	}
	xt_vc_assign(route, plan);
	return lost;
}
