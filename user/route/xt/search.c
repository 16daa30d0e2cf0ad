// SPDX-License-Identifier: GPL-2.0
/*
 * Search for paths over all moves that Abts et al. (2007), 2.2.1, permits, for goals that the named
 * rules do not reach.
 *
 * The search goes backwards from the goal: first to nodes that need moves in z only, then to those
 * that need y and z, then to the others. Every move that may precede some path may also precede a
 * path whose highest dimension is lower. So the first path found for a node is as good as any
 * other, and the search finds a path if there is one.
 *
 * The search finds a node after the next node of its path. The path of that next node does not lead
 * back. So there are no turns of 180 degrees, and all inputs of a node can share one entry.
 */
#include <string.h>
#include "turns.h"
#include "next_hops.h"
#include "search.h"

struct search {
	const struct xt_route *route;
	struct xt_next_hops *plan;
	uint32_t *heads;	/* first node of the list for each number of hops */
	uint32_t *links;	/* next node in the same list, by node */
	uint32_t most;		/* largest number of hops of a node in the lists */
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

/*
 * Extend the search to the neighbours from which a packet may move to a node, for paths whose
 * highest dimension is @stage.
 */
static void step_back(struct search *search, uint32_t node, uint32_t hops, uint32_t stage)
{
	const struct xt_route *route = search->route;
	const struct xt_map *map = route->map;
	struct xt_next_hops *plan = search->plan;
	uint32_t class = plan->fates[node].class, in, from, dir;

	for (in = 0; in < XT_DIRS; in++) {
		dir = XT_REVERSE(in);
		if ((XT_DIM(dir) < class ? XT_DIM(dir) : class) != stage ||
		    !xt_live(map, node, in))
			continue;
		from = map->next[node][in];
		if (from < plan->first || from >= plan->end ||
		    (plan->goal.dest == XT_NONE && xt_next_hops_home(route, plan, from)))
			continue;
		if (!xt_turn_allowed(route, from, dir, class, plan->steps[node].port))
			reach(search, from,
			      (struct xt_step){ .port = (uint8_t)dir, .rule = XT_RULE_SEARCH },
			      stage, hops + 1);
	}
}

static void search_begin(struct search *search)
{
	const struct xt_map *map = search->route->map;
	struct xt_next_hops *plan = search->plan;
	uint32_t node, dir;

	if (plan->goal.dest != XT_NONE) {
		reach(search, plan->goal.dest, (struct xt_step){ .port = XT_PROCESSOR }, XT_DIMS,
		      0);
		return;
	}
	/* packets enter a region only along x */
	for (node = plan->first; node < plan->end; node++) {
		if (xt_next_hops_home(search->route, plan, node))
			continue;
		for (dir = XT_XP; dir <= XT_XM; dir++) {
			uint32_t to = map->next[node][dir];

			if (to != XT_NONE && xt_live(map, node, dir) &&
			    xt_next_hops_home(search->route, plan, to) &&
			    !search->route->landed[to])
				reach(search, node, (struct xt_step){ .port = (uint8_t)dir,
				      .rule = XT_RULE_SEARCH }, 0, 1);
		}
	}
}

/**
 * xt_search() - search for steps to a goal over all legal moves
 * @plan: [in, out] its steps are set, without VCs, and the class of each fate as scratch. Call
 *	  xt_walk() to set the fates, then xt_vc_assign() to set the VCs
 */
void xt_search(const struct xt_route *route, struct xt_next_hops *plan)
{
	uint32_t nodes = route->map->nodes, stage, hops, node;
	struct search search = { .route = route, .plan = plan, .heads = plan->queue,
				 .links = plan->queue + nodes + 1 };

	for (node = plan->first; node < plan->end; node++)
		plan->steps[node] = (struct xt_step){ .port = XT_NO_PORT };
	memset(search.heads, 0xff, (nodes + 1) * sizeof(*search.heads));
	search_begin(&search);
	for (stage = XT_DIMS; stage--;)
		for (hops = 0; hops <= search.most; hops++)
			for (node = search.heads[hops]; node != XT_NONE; node = search.links[node])
				step_back(&search, node, hops, stage);
}
