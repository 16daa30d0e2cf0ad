// SPDX-License-Identifier: GPL-2.0
/*
 * The choice for a pair of nodes: a clear deterministic path, hints that trap no
 * dynamic packet, a relay.
 */
#include <string.h>
#include "core/env.h"
#include "box.h"
#include "choose.h"

/**
 * route_direct() - hints from one node to another
 * @map: the machine
 * @from: a living node
 * @to: another
 * @flags: TORUS_ROUTE_IN_ORDER: only a clear deterministic path will do
 * @leg: out
 *
 * Of the clear paths the shortest, of those one in whose box nothing is dead, so that
 * dynamic packets may use it too.
 *
 * Return: TORUS_ROUTE_PATH, TORUS_ROUTE_ADAPTIVE or TORUS_ROUTE_BLOCKED.
 */
enum torus_route_class route_direct(struct torus_route_map *map, uint32_t from, uint32_t to,
				    uint32_t flags, struct torus_route_leg *leg)
{
	struct route_way ways[ROUTE_WAYS_MAX];
	unsigned int n = route_ways(map, from, to, ways), i;
	bool found = false;

	for (i = 0; i < n; i++) {
		const struct route_way *way = &ways[i];

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

/* A relay's two legs; true if both are there and shorter than what @best has. */
static bool relay_better(struct torus_route_map *map, uint32_t from, uint32_t relay, uint32_t to,
			 uint32_t flags, const unsigned char *relays,
			 struct torus_route_choice *best)
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

/* The corners of the box first: through them nothing is longer than the way itself. */
static bool relay_corner(struct torus_route_map *map, uint32_t from, uint32_t to, uint32_t flags,
			 const unsigned char *relays, struct torus_route_choice *choice)
{
	uint32_t a[DIMS], b[DIMS], at[DIMS], corner, dim;

	route_coords(map, from, a);
	route_coords(map, to, b);
	for (corner = 1; corner < ROUTE_WAYS_MAX - 1; corner++) {
		for (dim = 0; dim < DIMS; dim++)
			at[dim] = corner >> dim & 1 ? b[dim] : a[dim];
		relay_better(map, from, route_number(map, at), to, flags, relays, choice);
	}
	return choice->kind == TORUS_ROUTE_RELAY;
}

static bool relay_any(struct torus_route_map *map, uint32_t from, uint32_t to, uint32_t flags,
		      const unsigned char *relays, struct torus_route_choice *choice)
{
	uint32_t relay;

	for (relay = 0; relay < map->nodes; relay++)
		relay_better(map, from, relay, to, flags, relays, choice);
	return choice->kind == TORUS_ROUTE_RELAY;
}

/**
 * torus_route_choose() - how to get from one node to another
 * @map: the machine
 * @from: number of the source
 * @to: number of the destination
 * @flags: TORUS_ROUTE_*
 * @relays: nodes that may be relays, a bit a node (node 0: bit 0 of the first byte);
 *          NULL: all that live
 * @choice: out
 *
 * A relay's legs are clear deterministic paths if there are such, else what there is.
 * It depends on the map alone: all who know the same faults choose alike.  Not for
 * two threads with one map at a time.
 *
 * Return: true, or false if there is no way (also from a node to itself, and where
 * one of the two is dead): @choice->kind is TORUS_ROUTE_BLOCKED.
 */
bool torus_route_choose(struct torus_route_map *map, __u32 from, __u32 to, __u32 flags,
			const unsigned char *relays, struct torus_route_choice *choice)
{
	uint32_t ordered = flags | TORUS_ROUTE_IN_ORDER;

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
