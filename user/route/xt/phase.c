// SPDX-License-Identifier: GPL-2.0
/*
 * The moves that may follow a move (Abts et al. (2007), 2.2.1).
 *
 * A packet moves X+, X-, Y+, Z+; then Y+, Y-, Z+; then Z+, Z-.  After a dateline it moves in
 * no higher dimension.  Both rules limit the moves that may follow, so the highest dimension
 * of the remaining moves is sufficient state.
 *
 * Why nothing can wait in a circle then: order the planes of z from the one behind the
 * dateline on.  Z+ leads to the next plane, across the dateline and by Z- only along z.
 * In a plane, order the rows likewise: from x one comes by Y+ to a later row; across the
 * dateline, and by Y-, never to a row again.  In a row, and along a column, a ring is cut
 * by its dateline.  A leg that is followed by a higher dimension must not share the VC of
 * those that have crossed: see vc.c.
 */
#include "phase.h"
#include "plan.h"

/* The row at the top of a mesh, where packets may dodge into the one below. */
static bool at_dodge(const struct xt_route *route, uint32_t node, uint32_t row)
{
	const struct xt_map *map = route->map;

	return map->mesh >> 1 & 1 && map->at[node][1] == row && route->dodge[map->at[node][2]];
}

/**
 * xt_phase_check() - may a packet make a move, with what comes behind it?
 * @route: the machine
 * @node: the node that it leaves
 * @dir: the direction
 * @class: highest dimension that it moves in afterwards, XT_DIMS: none
 * @then: the output that it takes next
 *
 * A dodge and a detour into the row that dodges would close a circle, so where one is
 * allowed the other is not.
 *
 * Return: XT_RULE_ARRIVED: it may; else the rule that forbids it.
 */
enum xt_rule xt_phase_check(const struct xt_route *route, uint32_t node, uint32_t dir,
			    uint32_t class, uint32_t then)
{
	uint32_t top = route->map->dims[1] - 1;

	switch (dir) {
	case XT_YP:
		if (class < 1 && xt_crossing(route, node, dir))
			return XT_RULE_DATELINE;
		if (class < 1 && at_dodge(route, node, top - 1))
			return XT_RULE_PHASES;
		break;
	case XT_YM:
		if (class < 1 && !(at_dodge(route, node, top) && then <= XT_XM))
			return XT_RULE_PHASES;
		break;
	case XT_ZP:
		if (class < 2 && xt_crossing(route, node, dir))
			return XT_RULE_DATELINE;
		break;
	case XT_ZM:
		if (class < 2)
			return XT_RULE_PHASES;
		break;
	}
	return XT_RULE_ARRIVED;
}
