// SPDX-License-Identifier: GPL-2.0
/*
 * Assign virtual channels (Abts et al. (2007), section 3).
 *
 * The VC of a table entry takes effect when a packet enters a dimension, by injection or by a turn.
 * The packet keeps this VC to the end of the leg, its moves in that dimension. Outputs of dateline
 * nodes change VC 0 to VC 1.
 */
#include "next_hops.h"
#include "vc_assign.h"

/* Check whether the policy treats a leg as one that crosses the dateline (sections 3 and 3.4). */
static bool takes_crossing(const struct xt_route *route, const struct xt_fate *leg)
{
	return route->policy >= XT_POLICY_V3 ? leg->crosses : leg->touches;
}

/* Check whether a node is the first node after the dateline in a direction (3.2). */
static bool beside_dateline(const struct xt_route *route, uint32_t node, uint32_t dir)
{
	uint32_t line = route->dateline[XT_DIM(dir)];

	return line != XT_NONE &&
	       xt_along(route->map, line, dir) == route->map->at[node][XT_DIM(dir)];
}

static uint8_t leg_vc(const struct xt_route *route, const struct xt_dest *goal, uint32_t node,
		      uint32_t dir, const struct xt_fate *leg)
{
	enum xt_policy policy = route->policy;

	/* A packet must start on VC 0: on VC 1 it would be dropped at the dateline. */
	if (takes_crossing(route, leg))
		return 0;
	/*
	 * Not in the paper: a detour that returns to a higher dimension must not use VC 1.
	 * Otherwise a packet that crossed the dateline could wait in a queue after a packet that
	 * then moves in a higher dimension.
	 */
	if (leg->end < XT_DIM(dir))
		return 0;
	if (policy == XT_POLICY_ONE)
		return 0;
	/* 3.3: before version 2, both global entries of a region had the same VC. */
	if (goal->dest == XT_NONE && policy < XT_POLICY_V2)
		return 0;
	if (policy >= XT_POLICY_V1 && beside_dateline(route, node, dir))
		return 0;
	return (xt_nid(route->map, node) ^ goal->bit) & 1;
}

/**
 * xt_vc_assign() - assign virtual channels to the steps of a plan
 * @plan: [in, out] xt_walk() must have set its fates
 */
void xt_vc_assign(const struct xt_route *route, struct xt_next_hops *plan)
{
	uint32_t node;

	for (node = plan->first; node < plan->end; node++) {
		struct xt_step *step = &plan->steps[node];

		if (plan->goal.dest == XT_NONE && xt_next_hops_home(route, plan, node))
			continue;
		if (step->port < XT_PROCESSOR)
			step->vc = leg_vc(route, &plan->goal, node, step->port,
					  &plan->fates[node]);
	}
}
