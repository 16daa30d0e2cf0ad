/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Plans for the content of routing tables, goal by goal.
 *
 * A goal is the target of one table entry: either a node of the same region, or another region
 * together with the lowest bit of the destination's NID (the index of the global table). A plan has
 * the step of each node towards one goal. The step is valid for all seven inputs of the node:
 * no packet arrives at the port through which it should leave, see search.c and check_next_hops.c.
 */
#ifndef TORUS_ROUTE_XT_NEXT_HOPS_H
#define TORUS_ROUTE_XT_NEXT_HOPS_H

#include "machine_map.h"

/**
 * enum xt_policy - methods to assign virtual channels
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
 * enum xt_rule - rule that a step follows, or rule that fails
 * @XT_RULE_ARRIVED: the node is the goal
 * @XT_RULE_ORDER: x, then y, then z
 * @XT_RULE_X_DETOUR_Y: the x link is broken: Y+
 * @XT_RULE_X_DETOUR_Z: the x link is broken, and Y+ is not usable: Z+
 * @XT_RULE_DODGE: at y_max of a mesh: Y-, then x
 * @XT_RULE_EARLY: Z+ before an x link, because Y+ and Z+ are broken after it
 * @XT_RULE_Y_DETOUR_Z: the y link is broken: Z+
 * @XT_RULE_LOOK_AHEAD: Z+ before a y link, because Z+ is needed and broken after it
 * @XT_RULE_Z_DETOUR_Y: the z+ link is broken: Y+
 * @XT_RULE_Z_DETOUR_YM: the z+ link is broken, and there is no Y+: Y-
 * @XT_RULE_LONG_WAY: a z link of the way by Z- is broken: Z+, the other way around the ring
 * @XT_RULE_SEARCH: the rules fail for this goal; a search over the moves of 2.2.1 found the step
 * @XT_RULE_PHASES: failure: the phase forbids the move
 * @XT_RULE_DATELINE: failure: a move in a higher dimension after a dateline
 * @XT_RULE_TURN_BACK: failure: a turn of 180 degrees
 * @XT_RULE_LOOP: failure: the steps form a loop
 * @XT_RULE_REGION: failure: the packet reaches the region, but from there it cannot reach each node
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
 * struct xt_step - one entry of a table and the reason for it
 * @port: output; XT_PROCESSOR: arrived; XT_NO_PORT: there is no path
 * @vc: virtual channel for packets that turn or are injected at the node
 * @rule: enum xt_rule; with XT_NO_PORT the rule that fails
 */
struct xt_step {
	uint8_t port;
	uint8_t vc;
	uint8_t rule;
};

/**
 * struct xt_dest - goal: the target of a table entry
 * @dest: index of the goal node; XT_NONE if the goal is a region
 * @region: the region, or the region of the node
 * @bit: lowest bit of the destination's NID
 */
struct xt_dest {
	uint32_t dest;
	uint32_t region;
	uint32_t bit;
};

/**
 * struct xt_fate - moves of a packet from one node to the goal
 * @class: highest dimension of all moves from the node on; XT_DIMS if there are none
 * @end: highest dimension of the moves after the current leg, which is a run of moves in one
 *    dimension
 * @crosses: the current leg leaves a dateline node by its output
 * @touches: the current leg enters, passes or leaves a dateline node
 * @known: state of the computation, see check_next_hops.c
 * @cause: enum xt_rule that fails if the state is bad
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
 * struct xt_next_hops - the steps of all nodes towards one goal
 * @first: first node with a step; for a local goal the first of its region
 * @end: end of the range of nodes. If the goal is a region, the steps of its nodes are not used
 * @searched: true if the rules do not lead to the goal from all nodes
 * @steps: by node
 * @fates: by node: the moves that follow its step
 * @stack: scratch
 * @queue: scratch of the search: head of the list of nodes for each number of hops, then the links
 *    of the lists
 * @causes: scratch of the search, by node: the rule that failed
 */
struct xt_next_hops {
	struct xt_dest goal;
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
 * struct xt_route - a machine and the parameters of its routing
 * @policy: assignment of VCs
 * @ties: if both directions are equally long, even coordinates use plus and odd ones minus
 * @dateline: by dimension: coordinate of the dateline's nodes; XT_NONE if there is none
 * @way: by dimension and pair of coordinates: direction to take within a region
 * @global: by x coordinate and region: direction in x towards the region
 * @touched: one byte per node: rules other than the order of dimensions may apply
 * @dodge: one byte per z: packets of the row at y_max may dodge into the row below
 * @landed: by node: number of nodes of the same region that a packet at this node cannot reach
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

/* Check whether the output of a node in a direction crosses the dateline. */
static inline bool xt_crossing(const struct xt_route *route, uint32_t node, uint32_t dir)
{
	uint32_t dim = XT_DIM(dir);

	return route->map->at[node][dim] == route->dateline[dim];
}

/* Check whether a node is the end of a plan: the goal node, or a node in the goal region. */
static inline bool xt_next_hops_home(const struct xt_route *route, const struct xt_next_hops *plan,
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
int xt_next_hops_init(struct xt_next_hops *plan, const struct xt_map *map);
void xt_next_hops_free(struct xt_next_hops *plan);
uint32_t xt_next_hops_make(struct xt_route *route, struct xt_next_hops *plan,
			   const struct xt_dest *goal);
const char *xt_rule_name(enum xt_rule rule);
const char *xt_policy_name(enum xt_policy policy);

#endif /* TORUS_ROUTE_XT_NEXT_HOPS_H */
