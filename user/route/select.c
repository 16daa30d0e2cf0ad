// SPDX-License-Identifier: GPL-2.0
/*
 * Choose a route for a pair of nodes: a clear deterministic path, hints that trap no
 * dynamic packet, or a relay.
 */
#include <string.h>
#include "core/platform.h"
#include "adaptive_check.h"
#include "select.h"

/**
 * route_direct() - find hints that lead from one node to another without a relay
 * @from: a living node
 * @to: another living node
 * @flags: with TORUS_ROUTE_IN_ORDER only a clear deterministic path is accepted
 * @leg: [out] the hints; not written if the pair is blocked
 *
 * The shortest clear path is taken. Among equally short paths, a path whose box has no dead link is
 * preferred, because dynamic packets may use its hints too.
 *
 * Return: TORUS_ROUTE_PATH, TORUS_ROUTE_ADAPTIVE or TORUS_ROUTE_BLOCKED.
 */
enum torus_route_class route_direct(struct torus_route_map *map, u32 from, u32 to, u32 flags,
				    struct torus_route_leg *leg)
{
	struct route_path ways[ROUTE_PATHS_MAX];
	unsigned int n = route_path_list(map, from, to, ways), i;
	bool found = false;

	for (i = 0; i < n; i++) {
		const struct route_path *way = &ways[i];

		if (found && (leg->dynamic || way->total > leg->hops))
			break;
		if (!route_path_clear(map, way, NULL))
			continue;
		if (found && !route_box_clean(map, way))
			continue;
		*leg = (struct torus_route_leg){
			.hints = way->hints, .hops = way->total, .deterministic = true,
			.dynamic = found || route_box_clean(map, way),
		};
		found = true;
	}
	if (found)
		return TORUS_ROUTE_PATH;
	if (flags & TORUS_ROUTE_IN_ORDER)
		return TORUS_ROUTE_BLOCKED;
	for (i = 0; i < n; i++) {
		if (route_dynamic(map, &ways[i], NULL) != ROUTE_SAFE)
			continue;
		*leg = (struct torus_route_leg){
			.hints = ways[i].hints, .hops = ways[i].total, .dynamic = true,
		};
		return TORUS_ROUTE_ADAPTIVE;
	}
	return TORUS_ROUTE_BLOCKED;
}

/*
 * Store the route over @relay in @best if @relay may be a relay, both legs exist, and @best has no
 * relay or a longer route. Return: true if stored.
 */
static bool relay_better(struct torus_route_map *map, u32 from, u32 relay, u32 to, u32 flags,
			 const unsigned char *relays, struct torus_route_choice *best)
{
	struct torus_route_leg leg[2];

	if (relay == from || relay == to || !torus_route_node_alive(map, relay) ||
	    (relays && !(relays[relay / 8] >> relay % 8 & 1)))
		return false;
	if (!route_direct(map, from, relay, flags, &leg[0]) ||
	    !route_direct(map, relay, to, flags, &leg[1]))
		return false;
	if (best->kind == TORUS_ROUTE_RELAY && leg[0].hops + leg[1].hops >= best->hops)
		return false;
	best->kind = TORUS_ROUTE_RELAY;
	best->relay = relay;
	memcpy(best->leg, leg, sizeof(leg));
	best->hops = leg[0].hops + leg[1].hops;
	return true;
}

/*
 * Try the corners of the box between source and destination as relays. A corner lies on a shortest
 * way within the box, so it adds no hops if both legs are shortest ways.
 */
static bool relay_corner(struct torus_route_map *map, u32 from, u32 to, u32 flags,
			 const unsigned char *relays, struct torus_route_choice *choice)
{
	u32 a[DIMS], b[DIMS], at[DIMS], corner, dim;

	route_coords(map, from, a);
	route_coords(map, to, b);
	for (corner = 1; corner < ROUTE_PATHS_MAX - 1; corner++) {
		for (dim = 0; dim < DIMS; dim++)
			at[dim] = corner >> dim & 1 ? b[dim] : a[dim];
		relay_better(map, from, route_number(map, at), to, flags, relays, choice);
	}
	return choice->kind == TORUS_ROUTE_RELAY;
}

static bool relay_any(struct torus_route_map *map, u32 from, u32 to, u32 flags,
		      const unsigned char *relays, struct torus_route_choice *choice)
{
	u32 relay;

	for (relay = 0; relay < map->nodes; relay++)
		relay_better(map, from, relay, to, flags, relays, choice);
	return choice->kind == TORUS_ROUTE_RELAY;
}

/**
 * torus_route_choose() - choose a route from one node to another
 * @flags: TORUS_ROUTE_*
 * @relays: nodes that may be relays, one bit per node (node 0: bit 0 of the first
 *    byte); NULL: all living nodes
 * @choice: [out] the route
 *
 * The legs to and from a relay are clear deterministic paths if possible, otherwise adaptive. The
 * choice depends on the map and the arguments only, so all programs with the same faults choose the
 * same route. Two threads must not use one map at the same time: the call writes to its scratch
 * memory.
 *
 * Return: true if there is a route. Otherwise @choice->kind is TORUS_ROUTE_BLOCKED;
 * that includes @from == @to and dead nodes.
 */
bool torus_route_choose(struct torus_route_map *map, u32 from, u32 to, u32 flags,
			const unsigned char *relays, struct torus_route_choice *choice)
{
	u32 ordered = flags | TORUS_ROUTE_IN_ORDER;

	memset(choice, 0, sizeof(*choice));
	choice->relay = TORUS_ROUTE_NONE;
	if (from == to || !torus_route_node_alive(map, from) || !torus_route_node_alive(map, to))
		return false;
	choice->kind = route_direct(map, from, to, flags, &choice->leg[0]);
	choice->hops = choice->leg[0].hops;
	if (choice->kind)
		return true;
	if (flags & TORUS_ROUTE_DIRECT)
		return false;
	return relay_corner(map, from, to, ordered, relays, choice) ||
	       relay_any(map, from, to, ordered, relays, choice) ||
	       (flags != ordered && relay_any(map, from, to, flags, relays, choice));
}
