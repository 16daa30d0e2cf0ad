// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual channels (Abts et al. (2007), section 3).
 *
 * An entry's VC counts where a packet enters a dimension, by injection or by a turn; it
 * holds to the end of the leg.  The dateline node's outputs make VC 0 into 1.
 */
#include "plan.h"
#include "vc.h"

/* 3, 3.4: is the leg taken to cross the dateline? */
static bool takes_crossing(const struct xt_route *route, const struct xt_fate *leg)
{
	return route->policy >= XT_POLICY_V3 ? leg->crosses : leg->touches;
}

/* 3.2: is the node the one behind the dateline, in this direction? */
static bool beside_dateline(const struct xt_route *route, uint32_t node, uint32_t dir)
{
	uint32_t line = route->dateline[XT_DIM(dir)];

	return line != XT_NONE &&
	       xt_along(route->map, line, dir) == route->map->at[node][XT_DIM(dir)];
}

static uint8_t leg_vc(const struct xt_route *route, const struct xt_goal *goal, uint32_t node,
		      uint32_t dir, const struct xt_fate *leg)
{
	enum xt_policy policy = route->policy;

	/* Must start on VC 0; VC 1 would be dropped at the dateline. */
	if (takes_crossing(route, leg))
		return 0;
	/*
	 * Not in the paper: behind those that have crossed wait only packets of the same or
	 * a lower dimension.  A detour that returns to a higher one stays out of their VC.
	 */
	if (leg->end < XT_DIM(dir))
		return 0;
	if (policy == XT_POLICY_ONE)
		return 0;
	/* 3.3: both entries said the same. */
	if (goal->dest == XT_NONE && policy < XT_POLICY_V2)
		return 0;
	if (policy >= XT_POLICY_V1 && beside_dateline(route, node, dir))
		return 0;
	return (xt_nid(route->map, node) ^ goal->bit) & 1;
}

/**
 * xt_vc_assign() - assign virtual channels to a plan's steps
 * @route: the machine and the policy
 * @plan: the plan, walked
 */
void xt_vc_assign(const struct xt_route *route, struct xt_plan *plan)
{
	uint32_t node;

	for (node = plan->first; node < plan->end; node++) {
		struct xt_step *step = &plan->steps[node];

		if (plan->goal.dest == XT_NONE && xt_plan_home(route, plan, node))
			continue;
		if (step->port < XT_PROCESSOR)
			step->vc = leg_vc(route, &plan->goal, node, step->port,
					  &plan->fates[node]);
	}
}
