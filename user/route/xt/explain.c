// SPDX-License-Identifier: GPL-2.0
/*
 * List the path of one pair hop by hop: outputs and VCs from the tables, rules from the plans.
 */
#include "explain.h"
#include "rules.h"
#include "survey.h"

/* Return the goal of the table entry in which a node looks up a destination. */
static struct xt_dest goal_at(const struct xt_map *map, uint32_t node, uint32_t dst)
{
	struct xt_dest goal = { .dest = dst, .region = xt_region(map, dst),
				.bit = xt_nid(map, dst) & 1 };

	if (xt_region(map, node) != goal.region)
		goal.dest = XT_NONE;
	return goal;
}

/*
 * Set the rule of a hop from the plan of the hop's goal. A path needs at most two plans: one
 * towards the destination's region and one towards its node.
 */
static void name_rule(struct xt_route *route, struct xt_next_hops *plan, uint32_t dst, bool *made,
		      struct xt_hop *hop)
{
	struct xt_dest goal = goal_at(route->map, hop->node, dst);
	const struct xt_step *step;

	if (!*made || plan->goal.dest != goal.dest) {
		xt_next_hops_make(route, plan, &goal);
		*made = true;
	}
	step = &plan->steps[hop->node];
	hop->rule = step->rule;
	if (step->rule != XT_RULE_SEARCH && hop->node != dst)
		xt_rule_step(route, &goal, hop->node, &hop->avoids);
}

/**
 * xt_explain() - list the path of a pair through tables
 * @tables: the tables
 * @route: rules by which the tables were computed; NULL: unknown, do not set rules
 * @plan: scratch; not used without @route
 * @hops: [out] array of XT_PORTS times the number of nodes, plus one
 * @count: [out] number of hops. If the packet is not delivered to a processor, the last entry is
 *    the place where it ends
 *
 * Return: the way in which the packet ends.
 */
enum xt_end xt_explain(const struct xt_tables *tables, struct xt_route *route,
		       struct xt_next_hops *plan, uint32_t src, uint32_t dst, struct xt_hop *hops,
		       uint32_t *count)
{
	const struct xt_map *map = tables->map;
	uint32_t node = src, in = XT_PROCESSOR, vc = 0, nid = xt_nid(map, dst);
	uint32_t most = map->nodes * XT_PORTS;
	bool made = false;

	for (*count = 0;; ) {
		uint8_t entry = xt_tables_look(tables, node, in, nid);
		uint32_t port = XT_ENTRY_PORT(entry);
		struct xt_hop *hop = &hops[*count];

		*hop = (struct xt_hop){ .node = node, .in = in, .port = port, .vc = vc,
					.rule = XT_RULES, .avoids = { .node = XT_NONE } };
		if (port == XT_PROCESSOR)
			return node == dst ? XT_END_REACHED : XT_END_STRANGER;
		(*count)++;
		if (route)
			name_rule(route, plan, dst, &made, hop);
		if (entry == XT_MISSING || port > XT_PROCESSOR)
			return XT_END_MISSING;
		if (port == in)
			return XT_END_TURN_BACK;
		if (!xt_live(map, node, port))
			return XT_END_CABLE;
		if (*count > most)
			return XT_END_LOOP;
		if (in == XT_PROCESSOR || port != XT_REVERSE(in))
			hop->vc = XT_ENTRY_VC(entry);
		hop->crosses = map->at[node][XT_DIM(port)] == tables->dateline[XT_DIM(port)];
		if (hop->crosses && hop->vc)
			return XT_END_DATELINE;
		hop->vc |= hop->crosses;
		vc = hop->vc;
		node = map->next[node][port];
		in = XT_REVERSE(port);
	}
}

/**
 * xt_name_failures() - find the rule that fails for each pair that is not reached
 * @route: rules by which the tables were computed
 * @plan: scratch
 * @failures: [in, out] the pairs; the rule of each pair is set
 */
void xt_name_failures(struct xt_route *route, struct xt_next_hops *plan,
		      struct xt_failure *failures,
		      uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		struct xt_dest goal = goal_at(route->map, failures[i].src, failures[i].dst);

		xt_next_hops_make(route, plan, &goal);
		failures[i].rule = plan->steps[failures[i].src].rule;
	}
}
