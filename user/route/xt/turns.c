// SPDX-License-Identifier: GPL-2.0
/*
 * Check which moves may follow a move (Abts et al. (2007), 2.2.1).
 *
 * A packet moves X+, X-, Y+, Z+; then Y+, Y-, Z+; then Z+, Z-. After a dateline it moves in no
 * higher dimension. Both rules limit the moves that may follow, so the highest dimension of the
 * remaining moves is sufficient state.
 *
 * These rules exclude cycles of waits. Order the planes of z from the one after the dateline on. Z+
 * leads to the next plane; after the dateline and after Z- a packet moves only along z. Order the
 * rows of a plane in the same way. After X a packet moves by Y+ to a later row; after the dateline
 * and after Y- it never moves along a row again. Within a row or a column the dateline cuts the
 * ring. A leg before a move in a higher dimension must not use the VC of packets that crossed a
 * dateline, see vc_assign.c.
 */
#include "turns.h"
#include "next_hops.h"

/*
 * Check whether a node is in row @row of a mesh, in a plane where packets of the top row may dodge
 * into the row below.
 */
static bool at_dodge(const struct xt_route *route, uint32_t node, uint32_t row)
{
	const struct xt_map *map = route->map;

	return map->mesh >> 1 & 1 && map->at[node][1] == row && route->dodge[map->at[node][2]];
}

/**
 * xt_turn_allowed() - check whether a packet may make a move, given its later moves
 * @node: node that the packet leaves
 * @dir: direction of the move
 * @class: highest dimension of later moves; XT_DIMS if there are none
 * @then: next output after this move
 *
 * A dodge out of a row and a detour into the same row would close a cycle. So if one of them is
 * allowed, the other is not.
 *
 * Return: XT_RULE_ARRIVED if the move is allowed, otherwise the rule that forbids it.
 */
enum xt_rule xt_turn_allowed(const struct xt_route *route, uint32_t node, uint32_t dir,
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
