// SPDX-License-Identifier: GPL-2.0
/*
 * Ways by all moves of 2.2.1, where the rules by name find none.
 *
 * From the goal backwards: first those that move in z alone, then those in y and z, then
 * the others.  A way whose highest dimension is lower may follow whatever another may
 * follow, so the first way that is found for a node and input is as good as any: what
 * is not found is not there.
 */
#include <string.h>
#include "plan.h"

/* Lists of states, one for each number of hops: queue[hops] is the head. */
struct search {
	const struct xt_route *route;
	struct xt_plan *plan;
	uint32_t *heads;	/* by hops */
	uint32_t *links;	/* by state */
	uint16_t *hops;		/* by state */
	uint32_t most;		/* hops */
};

#define LISTS(map)	((map)->nodes * XT_PORTS)

static void put(struct search *search, uint32_t state, uint32_t hops)
{
	search->links[state] = search->heads[hops];
	search->heads[hops] = state;
	if (hops > search->most)
		search->most = hops;
}

/* A way for packets that come to a node by any input but that of the way itself. */
static void reach(struct search *search, uint32_t node, uint32_t dir, uint32_t class, uint32_t hops)
{
	struct xt_plan *plan = search->plan;
	uint32_t in, state;

	for (in = 0; in < XT_PORTS; in++) {
		state = node * XT_PORTS + in;
		if (in == dir || plan->steps[state].port != XT_NO_PORT)
			continue;
		plan->steps[state] = (struct xt_step){ .port = (uint8_t)dir,
						       .rule = XT_RULE_SEARCH };
		plan->fates[state].class = (uint8_t)class;
		search->hops[state] = (uint16_t)hops;
		put(search, state, hops);
	}
}

/* The node from which a packet comes to this one by an input, if its way may go on here. */
static void step_back(struct search *search, uint32_t state, uint32_t stage)
{
	const struct xt_route *route = search->route;
	const struct xt_map *map = route->map;
	struct xt_plan *plan = search->plan;
	uint32_t node = state / XT_PORTS, in = state % XT_PORTS;
	uint32_t dir = XT_REVERSE(in), class = plan->fates[state].class;
	uint32_t from;

	if (in == XT_PROCESSOR || !xt_live(map, node, in))
		return;
	if ((XT_DIM(dir) < class ? XT_DIM(dir) : class) != stage)
		return;
	from = map->next[node][in];
	if (from < plan->first || from >= plan->end)
		return;
	if (plan->goal.dest == XT_NONE && xt_plan_home(route, plan, from))
		return;
	if (!xt_phase_check(route, from, dir, class, plan->steps[state].port))
		reach(search, from, dir, stage, search->hops[state] + 1u);
}

static void begin(struct search *search)
{
	const struct xt_map *map = search->route->map;
	struct xt_plan *plan = search->plan;
	uint32_t node, in, dir;

	if (plan->goal.dest != XT_NONE) {
		for (in = 0; in < XT_PORTS; in++) {
			uint32_t state = plan->goal.dest * XT_PORTS + in;

			plan->steps[state] = (struct xt_step){ .port = XT_PROCESSOR };
			plan->fates[state].class = XT_DIMS;
			search->hops[state] = 0;
			put(search, state, 0);
		}
		return;
	}
	/* Only along x does one come into a region. */
	for (node = plan->first; node < plan->end; node++) {
		if (xt_plan_home(search->route, plan, node))
			continue;
		for (dir = XT_XP; dir <= XT_XM; dir++) {
			uint32_t to = map->next[node][dir];

			if (to != XT_NONE && xt_live(map, node, dir) &&
			    xt_plan_home(search->route, plan, to) &&
			    !search->route->landed[to * XT_PORTS + XT_REVERSE(dir)])
				reach(search, node, dir, 0, 1);
		}
	}
}

/* Inputs by which nothing comes say what the processor's says: fewer tables. */
static void make_alike(struct search *search)
{
	const struct xt_map *map = search->route->map;
	struct xt_plan *plan = search->plan;
	uint32_t node, in;

	for (node = plan->first; node < plan->end; node++)
		for (in = 0; in < XT_PORTS; in++)
			plan->fates[node * XT_PORTS + in].known = 0;
	for (node = plan->first; node < plan->end; node++) {
		uint32_t at = node;

		for (in = XT_PROCESSOR;;) {
			uint32_t state = at * XT_PORTS + in, port = plan->steps[state].port;

			if (plan->fates[state].known || port == XT_NO_PORT)
				break;
			plan->fates[state].known = 1;
			if (port == XT_PROCESSOR)
				break;
			at = map->next[at][port];
			if (plan->goal.dest == XT_NONE && xt_plan_home(search->route, plan, at))
				break;
			in = XT_REVERSE(port);
		}
	}
	/* A region is entered by inputs that nobody of it uses. */
	for (node = plan->first; node < plan->end; node++)
		for (in = map->regions > 1 ? 2 : 0; in < XT_PROCESSOR; in++)
			if (!plan->fates[node * XT_PORTS + in].known)
				plan->steps[node * XT_PORTS + in] =
					plan->steps[node * XT_PORTS + XT_PROCESSOR];
}

/**
 * xt_search() - find steps to a goal by all legal moves
 * @route: the machine
 * @plan: the plan; its steps are set, by input
 *
 * What is found has no VC and is not walked.
 */
void xt_search(const struct xt_route *route, struct xt_plan *plan)
{
	const struct xt_map *map = route->map;
	uint32_t lists = LISTS(map), stage, hops, state;
	struct search search = { .route = route, .plan = plan };

	search.heads = plan->queue;
	search.links = plan->queue + lists;
	search.hops = (uint16_t *)(plan->queue + 2 * lists);
	plan->by_input = true;
	for (state = plan->first * XT_PORTS; state < plan->end * XT_PORTS; state++)
		plan->steps[state] = (struct xt_step){ .port = XT_NO_PORT };
	memset(search.heads, 0xff, lists * sizeof(*search.heads));
	begin(&search);
	for (stage = XT_DIMS; stage--;) {
		for (hops = 0; hops <= search.most; hops++)
			for (state = search.heads[hops]; state != XT_NONE;
			     state = search.links[state])
				step_back(&search, state, stage);
	}
	make_alike(&search);
}
