// SPDX-License-Identifier: GPL-2.0
/*
 * Ways by all moves of 2.2.1, where the rules by name find none.
 *
 * From the goal backwards: first nodes that come home in z alone, then those in y and z,
 * then the others.  A way whose highest dimension is lower may follow whatever another may
 * follow, so the first way that is found for a node is as good as any: what is not found
 * is not there.
 *
 * A node is found after the one that its way leads to, so that one's way does not lead
 * back: no turn of 180 degrees, and no need for inputs that differ.
 */
#include <string.h>
#include "phase.h"
#include "plan.h"
#include "search.h"

struct search {
	const struct xt_route *route;
	struct xt_plan *plan;
	uint32_t *heads;	/* by hops: the first node of a list */
	uint32_t *links;	/* by node: the next one of its list */
	uint32_t most;		/* hops */
};

static void reach(struct search *search, uint32_t node, struct xt_step step, uint32_t class,
		  uint32_t hops)
{
	if (search->plan->steps[node].port != XT_NO_PORT)
		return;
	search->plan->steps[node] = step;
	search->plan->fates[node].class = (uint8_t)class;
	search->links[node] = search->heads[hops];
	search->heads[hops] = node;
	if (hops > search->most)
		search->most = hops;
}

/* The neighbours that may come by a node, with ways of one highest dimension. */
static void step_back(struct search *search, uint32_t node, uint32_t hops, uint32_t stage)
{
	const struct xt_route *route = search->route;
	const struct xt_map *map = route->map;
	struct xt_plan *plan = search->plan;
	uint32_t class = plan->fates[node].class, in, from, dir;

	for (in = 0; in < XT_DIRS; in++) {
		dir = XT_REVERSE(in);
		if ((XT_DIM(dir) < class ? XT_DIM(dir) : class) != stage ||
		    !xt_live(map, node, in))
			continue;
		from = map->next[node][in];
		if (from < plan->first || from >= plan->end ||
		    (plan->goal.dest == XT_NONE && xt_plan_home(route, plan, from)))
			continue;
		if (!xt_phase_check(route, from, dir, class, plan->steps[node].port))
			reach(search, from,
			      (struct xt_step){ .port = (uint8_t)dir, .rule = XT_RULE_SEARCH },
			      stage, hops + 1);
	}
}

static void begin(struct search *search)
{
	const struct xt_map *map = search->route->map;
	struct xt_plan *plan = search->plan;
	uint32_t node, dir;

	if (plan->goal.dest != XT_NONE) {
		reach(search, plan->goal.dest, (struct xt_step){ .port = XT_PROCESSOR }, XT_DIMS,
		      0);
		return;
	}
	/* Only along x does one come into a region. */
	for (node = plan->first; node < plan->end; node++) {
		if (xt_plan_home(search->route, plan, node))
			continue;
		for (dir = XT_XP; dir <= XT_XM; dir++) {
			uint32_t to = map->next[node][dir];

			if (to != XT_NONE && xt_live(map, node, dir) &&
			    xt_plan_home(search->route, plan, to) && !search->route->landed[to])
				reach(search, node, (struct xt_step){ .port = (uint8_t)dir,
				      .rule = XT_RULE_SEARCH }, 0, 1);
		}
	}
}

/**
 * xt_search() - find steps to a goal by all legal moves
 * @route: the machine
 * @plan: the plan; its steps are set
 *
 * What is found has no VC and is not walked.
 */
void xt_search(const struct xt_route *route, struct xt_plan *plan)
{
	uint32_t nodes = route->map->nodes, stage, hops, node;
	struct search search = { .route = route, .plan = plan, .heads = plan->queue,
				 .links = plan->queue + nodes + 1 };

	for (node = plan->first; node < plan->end; node++)
		plan->steps[node] = (struct xt_step){ .port = XT_NO_PORT };
	memset(search.heads, 0xff, (nodes + 1) * sizeof(*search.heads));
	begin(&search);
	for (stage = XT_DIMS; stage--;)
		for (hops = 0; hops <= search.most; hops++)
			for (node = search.heads[hops]; node != XT_NONE; node = search.links[node])
				step_back(&search, node, hops, stage);
}
