// SPDX-License-Identifier: GPL-2.0
/*
 * Routing rules of the Cray XT (Abts et al. (2007), 2.2.2 to 2.2.4), one function per group of
 * rules.
 *
 * The preferred order is x, then y, then z; a rule selects an alternative output. Rules use only
 * the cables at the node and at its neighbours, except for dodges and for the way by Z-.
 * check_next_hops.c checks that the steps of all nodes together lead to the destination with legal
 * moves.
 */
#include "next_hops.h"
#include "rules.h"

/* A node and a goal for which a rule selects an output. */
struct choice {
	const struct xt_route *route;
	const struct xt_dest *goal;
	uint32_t node;
	struct xt_link *avoids;
};

static struct xt_step step_by(uint32_t port, enum xt_rule rule)
{
	return (struct xt_step){ .port = (uint8_t)port, .rule = (uint8_t)rule };
}

static struct xt_step avoid(const struct choice *choice, uint32_t node, uint32_t dir,
			    uint32_t port, enum xt_rule rule)
{
	if (choice->avoids)
		*choice->avoids = (struct xt_link){ .node = node, .dir = dir };
	return step_by(port, rule);
}

/*
 * Check whether a packet can leave in a direction as a detour, and still move in a higher dimension
 * afterwards.
 */
static bool detours(const struct choice *choice, uint32_t dir)
{
	return xt_live(choice->route->map, choice->node, dir) &&
	       !xt_crossing(choice->route, choice->node, dir);
}

/*
 * Check whether packets of a node may dodge: move by Y- into the row below, then in x. The node
 * must be at the top of a mesh in y. Its Y- cable must be live, and all x cables of the row below.
 */
static bool dodges(const struct choice *choice)
{
	const struct xt_map *map = choice->route->map;
	const uint16_t *at = map->at[choice->node];

	return map->mesh >> 1 & 1 && at[1] == map->dims[1] - 1u &&
	       choice->route->dodge[at[2]] && xt_live(map, choice->node, XT_YM);
}

/*
 * "When the node at the other side of the X link has a broken Y+ and Z+ link": an absent cable
 * counts together with a broken one. If both are absent, there is nothing to detour around.
 */
static bool boxed(const struct xt_map *map, uint32_t node)
{
	uint8_t y = map->cable[node][XT_YP], z = map->cable[node][XT_ZP];

	return y != XT_LIVE && z != XT_LIVE && (y == XT_BROKEN || z == XT_BROKEN);
}

/* "If, in addition, the X link crosses a partition boundary into the destination .." */
static bool boxes_in(const struct choice *choice, uint32_t far)
{
	const struct xt_map *map = choice->route->map;
	const struct xt_dest *goal = choice->goal;

	if (far == goal->dest || !boxed(map, far))
		return false;
	if (xt_region(map, choice->node) != goal->region)
		return xt_region(map, far) == goal->region;
	return map->at[choice->node][1] == map->at[goal->dest][1];
}

/* Apply the rules for a goal that differs in x, see 2.2.2. */
static struct xt_step rule_x(const struct choice *choice, uint32_t want)
{
	const struct xt_map *map = choice->route->map;
	uint32_t node = choice->node, far = map->next[node][want];

	if (xt_live(map, node, want)) {
		if (boxes_in(choice, far) && detours(choice, XT_ZP))
			return avoid(choice, node, want, XT_ZP, XT_RULE_EARLY);
		return step_by(want, XT_RULE_ORDER);
	}
	if (detours(choice, XT_YP))
		return avoid(choice, node, want, XT_YP, XT_RULE_X_DETOUR_Y);
	if (detours(choice, XT_ZP))
		return avoid(choice, node, want, XT_ZP, XT_RULE_X_DETOUR_Z);
	if (dodges(choice))
		return avoid(choice, node, want, XT_YM, XT_RULE_DODGE);
	return avoid(choice, node, want, XT_NO_PORT, XT_RULE_X_DETOUR_Z);
}

/* Find the first broken or absent cable on the way along z from a node to a z coordinate. */
static bool z_out(const struct xt_map *map, uint32_t node, uint32_t dir, uint32_t to,
		  struct xt_link *found)
{
	while (map->at[node][2] != to) {
		if (!xt_live(map, node, dir)) {
			if (found)
				*found = (struct xt_link){ .node = node, .dir = dir };
			return true;
		}
		node = map->next[node][dir];
	}
	return false;
}

/*
 * Select the direction along z, see 2.2.4. If a cable of the way by Z- is broken, take the other
 * way around the ring. On a mesh there is no other way, so return XT_NO_PORT.
 */
static uint32_t z_wanted(const struct choice *choice, uint32_t node, struct xt_link *cut)
{
	const struct xt_map *map = choice->route->map;
	uint32_t to = map->at[choice->goal->dest][2];
	uint32_t want = choice->route->way[2][map->at[node][2] * map->dims[2] + to];

	if (want != XT_ZM || !z_out(map, node, XT_ZM, to, cut))
		return want;
	return map->mesh >> 2 & 1 ? XT_NO_PORT : XT_ZP;
}

/* Apply the rules for a goal that differs in y, see 2.2.3. */
static struct xt_step rule_y(const struct choice *choice, uint32_t want)
{
	const struct xt_map *map = choice->route->map;
	const uint16_t *to = map->at[choice->goal->dest];
	uint32_t node = choice->node, far = map->next[node][want];

	if (!xt_live(map, node, want)) {
		bool detour = detours(choice, XT_ZP);

		return avoid(choice, node, want, detour ? XT_ZP : XT_NO_PORT,
			     XT_RULE_Y_DETOUR_Z);
	}
	if (map->at[far][1] == to[1] && map->at[far][2] != to[2] &&
	    map->cable[far][XT_ZP] == XT_BROKEN && z_wanted(choice, far, NULL) == XT_ZP &&
	    detours(choice, XT_ZP))
		return avoid(choice, far, XT_ZP, XT_ZP, XT_RULE_LOOK_AHEAD);
	return step_by(want, XT_RULE_ORDER);
}

/* Apply the rules for a goal that differs in z, see 2.2.4. */
static struct xt_step rule_z(const struct choice *choice)
{
	const struct xt_map *map = choice->route->map;
	uint32_t node = choice->node;
	struct xt_link cut = { .node = XT_NONE };
	uint32_t want = z_wanted(choice, node, &cut);

	if (want == XT_NO_PORT)
		return avoid(choice, cut.node, cut.dir, XT_NO_PORT, XT_RULE_LONG_WAY);
	if (want == XT_ZM)
		return step_by(XT_ZM, XT_RULE_ORDER);
	if (xt_live(map, node, XT_ZP)) {
		if (cut.node != XT_NONE)
			return avoid(choice, cut.node, cut.dir, XT_ZP, XT_RULE_LONG_WAY);
		return step_by(XT_ZP, XT_RULE_ORDER);
	}
	if (xt_live(map, node, XT_YP))
		return avoid(choice, node, XT_ZP, XT_YP, XT_RULE_Z_DETOUR_Y);
	if (xt_live(map, node, XT_YM))
		return avoid(choice, node, XT_ZP, XT_YM, XT_RULE_Z_DETOUR_YM);
	return avoid(choice, node, XT_ZP, XT_NO_PORT, XT_RULE_Z_DETOUR_YM);
}

/**
 * xt_rule_step() - select the output of a node for packets of a goal
 * @node: the node; must not be the goal
 * @avoids: [out] cable that the rule detours around, set by rules other than the order of
 *    dimensions; may be NULL
 *
 * Return: the step. If its port is XT_NO_PORT, its rule is the rule that fails.
 */
struct xt_step xt_rule_step(const struct xt_route *route, const struct xt_dest *goal,
			    uint32_t node, struct xt_link *avoids)
{
	const struct choice choice = { route, goal, node, avoids };
	const struct xt_map *map = route->map;
	const uint16_t *at = map->at[node], *to;
	uint32_t want;

	if (goal->dest == XT_NONE)
		return rule_x(&choice, route->global[at[0] * XT_REGIONS_MAX + goal->region]);
	to = map->at[goal->dest];
	if (at[0] != to[0])
		return rule_x(&choice, route->way[0][at[0] * map->dims[0] + to[0]]);
	want = route->way[1][at[1] * map->dims[1] + to[1]];
	return at[1] != to[1] ? rule_y(&choice, want) : rule_z(&choice);
}
