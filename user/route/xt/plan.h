/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What routing tables shall say, goal by goal.
 *
 * A goal is what one entry of a table is for: a node of the own region, or another
 * region together with the lowest bit of the destination (the global table's index).
 * A plan is the step of every node towards one goal.  It holds for all seven inputs of a
 * node: search.c says why no packet can come by the very output that it should take.
 */
#ifndef TORUS_USER_ROUTE_XT_PLAN_H
#define TORUS_USER_ROUTE_XT_PLAN_H

#include "map.h"

/**
 * enum xt_policy - who assigns virtual channels, and how
 * @XT_POLICY_INITIAL: Abts et al. (2007), 3.1
 * @XT_POLICY_V1: 3.2, dateline neighbours
 * @XT_POLICY_V2: 3.3, global routing table
 * @XT_POLICY_V3: 3.4, changed dateline crossing
 * @XT_POLICY_ONE: VC 0 wherever that is legal, which is everywhere
 * @XT_POLICIES: number of policies
 */
enum xt_policy {
	XT_POLICY_INITIAL,
	XT_POLICY_V1,
	XT_POLICY_V2,
	XT_POLICY_V3,
	XT_POLICY_ONE,
	XT_POLICIES,
};

/**
 * enum xt_rule - the rule that a step follows, or the one that fails
 * @XT_RULE_ARRIVED: the node itself
 * @XT_RULE_ORDER: x, then y, then z
 * @XT_RULE_X_DETOUR_Y: the x link is out: Y+
 * @XT_RULE_X_DETOUR_Z: the x link is out, and Y+ does not serve: Z+
 * @XT_RULE_DODGE: at y_max of a mesh: Y-, then x
 * @XT_RULE_EARLY: Z+ before an x link behind which Y+ and Z+ are out
 * @XT_RULE_Y_DETOUR_Z: the y link is out: Z+
 * @XT_RULE_LOOK_AHEAD: Z+ before a y link behind which Z+ is wanted and out
 * @XT_RULE_Z_DETOUR_Y: the z+ link is out: Y+
 * @XT_RULE_Z_DETOUR_YM: the z+ link is out, and there is no Y+: Y-
 * @XT_RULE_LONG_WAY: a z link of the way down is out: Z+, round the ring
 * @XT_RULE_SEARCH: the rules fail for this goal; the moves of 2.2.1 were searched
 * @XT_RULE_PHASES: fails: a move that the phase forbids
 * @XT_RULE_DATELINE: fails: a higher dimension behind a dateline
 * @XT_RULE_TURN_BACK: fails: a turn of 180 degrees
 * @XT_RULE_LOOP: fails: the steps lead in a circle
 * @XT_RULE_REGION: fails: reached is the region, but not each of its nodes from there
 * @XT_RULES: number of rules
 */
enum xt_rule {
	XT_RULE_ARRIVED,
	XT_RULE_ORDER,
	XT_RULE_X_DETOUR_Y,
	XT_RULE_X_DETOUR_Z,
	XT_RULE_DODGE,
	XT_RULE_EARLY,
	XT_RULE_Y_DETOUR_Z,
	XT_RULE_LOOK_AHEAD,
	XT_RULE_Z_DETOUR_Y,
	XT_RULE_Z_DETOUR_YM,
	XT_RULE_LONG_WAY,
	XT_RULE_SEARCH,
	XT_RULE_PHASES,
	XT_RULE_DATELINE,
	XT_RULE_TURN_BACK,
	XT_RULE_LOOP,
	XT_RULE_REGION,
	XT_RULES,
};

#define XT_NO_PORT	7u

/**
 * struct xt_step - one entry of a table, and why it is so
 * @port: the output, XT_PROCESSOR: arrived, XT_NO_PORT: there is no way
 * @vc: virtual channel for who turns or is injected here
 * @rule: enum xt_rule; without a port the rule that fails
 */
struct xt_step {
	uint8_t port;
	uint8_t vc;
	uint8_t rule;
};

/**
 * struct xt_goal - what an entry is for
 * @dest: the node, XT_NONE: a region
 * @region: the region, of the node too
 * @bit: lowest bit of the destination's NID
 */
struct xt_goal {
	uint32_t dest;
	uint32_t region;
	uint32_t bit;
};

/**
 * struct xt_fate - what lies behind a step
 * @class: highest dimension that is still moved in, XT_DIMS: none
 * @end: highest dimension that is moved in after the leg that begins or goes on here
 * @crosses: the leg leaves the dateline node by its output
 * @touches: the leg enters, passes or leaves the dateline node
 * @known: whether it is, see walk.c
 * @cause: of a bad state, enum xt_rule
 */
struct xt_fate {
	uint8_t class;
	uint8_t end;
	uint8_t crosses;
	uint8_t touches;
	uint8_t known;
	uint8_t cause;
};

/**
 * struct xt_plan - the steps of all nodes towards one goal
 * @goal: the goal
 * @first: first node that has a step; local goals: of the region
 * @end: node behind the last one; nodes of the goal's region have none if it is global
 * @searched: the rules do not lead every node home
 * @steps: by node
 * @fates: what lies behind each
 * @stack: work
 * @queue: work of the search: heads of a list for each number of hops, and links
 * @causes: by node: the rule that fails, where the search is called
 */
struct xt_plan {
	struct xt_goal goal;
	uint32_t first;
	uint32_t end;
	bool searched;
	struct xt_step *steps;
	struct xt_fate *fates;
	uint32_t *stack;
	uint32_t *queue;
	uint8_t *causes;
};

/**
 * struct xt_route - a machine and what was chosen for it
 * @map: the machine
 * @policy: how VCs are assigned
 * @ties: both ways equally long: true: even coordinates go plus, odd ones minus
 * @dateline: by dimension: coordinate of the dateline's nodes, XT_NONE: there is none
 * @way: by dimension: the shorter way from a coordinate to another inside a region
 * @global: the shorter way along x from a coordinate to a region
 * @touched: a byte a node: rules other than the order of dimensions may apply
 * @dodge: a byte a z: the row at y_max may dodge into the one below it
 * @landed: by node: nodes of its region that are not reached from there
 */
struct xt_route {
	struct xt_map *map;
	enum xt_policy policy;
	bool ties;
	uint32_t dateline[XT_DIMS];
	uint8_t *way[XT_DIMS];
	uint8_t *global;
	uint8_t *touched;
	uint8_t *dodge;
	uint32_t *landed;
};

/* Does the output that leads there cross the dateline? */
static inline bool xt_crossing(const struct xt_route *route, uint32_t node, uint32_t dir)
{
	uint32_t dim = XT_DIM(dir);

	return route->map->at[node][dim] == route->dateline[dim];
}

/* Is the node where packets of the plan are handed over? */
static inline bool xt_plan_home(const struct xt_route *route, const struct xt_plan *plan,
				uint32_t node)
{
	if (plan->goal.dest != XT_NONE)
		return node == plan->goal.dest;
	return xt_region(route->map, node) == plan->goal.region;
}

int xt_route_init(struct xt_route *route, struct xt_map *map, enum xt_policy policy, bool split,
		  const uint32_t *dateline);
void xt_route_free(struct xt_route *route);
void xt_route_settle(struct xt_route *route);
int xt_plan_init(struct xt_plan *plan, const struct xt_map *map);
void xt_plan_free(struct xt_plan *plan);
uint32_t xt_plan_make(struct xt_route *route, struct xt_plan *plan, const struct xt_goal *goal);
const char *xt_rule_name(enum xt_rule rule);
const char *xt_policy_name(enum xt_policy policy);

#endif /* TORUS_USER_ROUTE_XT_PLAN_H */
