// SPDX-License-Identifier: GPL-2.0
/*
 * Check whether the steps of a plan lead to the goal by legal moves.
 *
 * Follow the steps from each node until a node whose fate is known. Then compute the fates of the
 * nodes on this path, from its end backwards.
 */
#include <string.h>
#include "turns.h"
#include "next_hops.h"
#include "check_next_hops.h"

enum known { UNKNOWN, OPEN, GOOD, BAD };

static struct xt_fate bad(enum xt_rule cause)
{
	return (struct xt_fate){ .known = BAD, .cause = (uint8_t)cause };
}

/*
 * Check whether packets that enter a region in a direction may cross the dateline inside the
 * region.
 */
static bool region_crosses(const struct xt_route *route, uint32_t region, uint32_t dir)
{
	const struct xt_map *map = route->map;
	uint32_t first = region * map->planes, last = first + map->planes - 1;
	uint32_t line = route->dateline[0];

	if (last >= map->dims[0])
		last = map->dims[0] - 1;
	if (line == XT_NONE || line < first || line > last)
		return false;
	return line != (XT_MINUS(dir) ? first : last);
}

static bool region_touches(const struct xt_route *route, uint32_t region)
{
	return route->dateline[0] != XT_NONE &&
	       route->dateline[0] / route->map->planes == region;
}

/*
 * Return the fate of a step into the goal's region, where the region's local tables take over.
 */
static struct xt_fate land(const struct xt_route *route, const struct xt_next_hops *plan,
			   uint32_t node, uint32_t dir, uint32_t to)
{
	uint32_t region = plan->goal.region;

	if (route->landed[to])
		return bad(XT_RULE_REGION);
	return (struct xt_fate){
		.known = GOOD,
		.crosses = xt_crossing(route, node, dir) || region_crosses(route, region, dir),
		.touches = xt_crossing(route, node, dir) || region_touches(route, region),
	};
}

/* Combine the step of a node and the fate of the next node into the fate of the step. */
static struct xt_fate join(const struct xt_route *route, uint32_t node, uint32_t dir, uint32_t to,
			   const struct xt_step *then, const struct xt_fate *behind)
{
	uint32_t dim = XT_DIM(dir);
	struct xt_fate fate = { .known = GOOD };
	enum xt_rule broken;

	if (behind->known == BAD)
		return *behind;
	if (then->port == XT_REVERSE(dir))
		return bad(XT_RULE_TURN_BACK);
	broken = xt_turn_allowed(route, node, dir, behind->class, then->port);
	if (broken)
		return bad(broken);
	fate.class = dim < behind->class ? (uint8_t)dim : behind->class;
	fate.crosses = xt_crossing(route, node, dir);
	if (then->port == dir) {
		fate.end = behind->end;
		fate.touches = fate.crosses | behind->touches;
		fate.crosses |= behind->crosses;
	} else {
		fate.end = behind->class;
		fate.touches = fate.crosses || route->map->at[to][dim] == route->dateline[dim];
	}
	return fate;
}

/*
 * Follow the steps from a node until a node whose fate is known. Then compute the fates of all
 * nodes on this path.
 */
static void hops_follow(const struct xt_route *route, struct xt_next_hops *plan, uint32_t node)
{
	const struct xt_map *map = route->map;
	struct xt_fate *fates = plan->fates;
	uint32_t *stack = plan->stack;
	uint32_t depth = 0, to;

	for (;;) {
		const struct xt_step *step = &plan->steps[node];

		if (fates[node].known == OPEN)
			fates[node] = bad(XT_RULE_LOOP);
		if (fates[node].known)
			break;
		if (step->port >= XT_PROCESSOR) {
			fates[node] = step->port == XT_PROCESSOR ?
				(struct xt_fate){ .known = GOOD, .class = XT_DIMS,
						  .end = XT_DIMS } : bad(step->rule);
			break;
		}
		to = map->next[node][step->port];
		if (plan->goal.dest == XT_NONE && xt_next_hops_home(route, plan, to)) {
			fates[node] = land(route, plan, node, step->port, to);
			break;
		}
		fates[node].known = OPEN;
		stack[depth++] = node;
		node = to;
	}
	while (depth) {
		uint32_t before = stack[--depth];

		fates[before] = join(route, before, plan->steps[before].port, node,
				     &plan->steps[node], &fates[node]);
		node = before;
	}
}

/**
 * xt_walk() - follow the steps of a plan from all nodes
 * @plan: [in, out] the fates of its nodes are set
 *
 * Return: number of nodes from which packets do not reach the goal by legal moves.
 */
uint32_t xt_walk(const struct xt_route *route, struct xt_next_hops *plan)
{
	uint32_t lost = 0, node;

	memset(plan->fates + plan->first, 0, (plan->end - plan->first) * sizeof(*plan->fates));
	for (node = plan->first; node < plan->end; node++) {
		if (plan->goal.dest == XT_NONE && xt_next_hops_home(route, plan, node))
			continue;
		if (!plan->fates[node].known)
			hops_follow(route, plan, node);
		lost += plan->fates[node].known != GOOD;
	}
	return lost;
}
