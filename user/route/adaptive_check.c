// SPDX-License-Identifier: GPL-2.0
/*
 * Check whether a dynamic packet can get stuck at a dead link.
 *
 * A dynamic packet may take any order of its hinted dimensions, so it may visit every
 * node of the box between source and destination. The router never grants a link whose
 * sender software has disabled. Of the links that the packet requests, the router
 * grants a live one. A packet can get stuck only at a stub: a living node of the box
 * with a dead link in a hinted direction. There are two cases:
 *
 * - All links that the packet may request are dead: the packet is trapped.
 *
 * - The link of its escape is dead (the bubble VC, in the first dimension with hops
 *   left). Then the packet can only wait for a dynamic VC of another link, and that VC
 *   becomes part of the escape. Not every link may serve so, or packets could wait for
 *   each other in a cycle. user/route/README.md proves the rule below, and dependency_graph.c
 *   checks it.
 *
 * In general a packet may wait for a z link into a clean plane. A z+ link may also lead
 * into another plane, but not into the plane that breaks the cycle of planes. If the x
 * link is dead, the same rule allows y links: into a clean row of the plane, or y+ into
 * any row but the one that breaks the plane's cycle of rows.
 *
 * A plane is clean if it has no stubs in x or y, a row if it has none in x. The first
 * clean plane or row breaks the cycle, if there is one. Every packet may wait for a
 * link into a clean one.
 */
#include <string.h>
#include "core/platform.h"
#include "adaptive_check.h"
#include "path.h"

/**
 * route_in_box() - check whether a node is in the box that a packet may cross, ignoring faults
 * @at: the node's coordinates
 * @done: [out] hops in each dimension from the source to the node
 */
bool route_in_box(const struct torus_route_map *map, const struct route_path *way,
		  const u32 *at, u32 *done)
{
	u32 dim;

	for (dim = 0; dim < DIMS; dim++) {
		done[dim] = 0;
		if (way->from[dim] == at[dim])
			continue;
		if (!way->hops[dim])
			return false;
		done[dim] = route_hops(map, way->dir[dim], way->from[dim], at[dim]);
		if (done[dim] > way->hops[dim])
			return false;
	}
	return true;
}

/**
 * route_remaining() - list the directions in which a packet still has to move
 * @done: by dimension: number of hops that the packet has made
 *
 * Return: a mask, one bit per direction.
 */
u32 route_remaining(const struct route_path *way, const u32 *done)
{
	u32 dim, mask = 0;

	for (dim = 0; dim < DIMS; dim++)
		if (done[dim] < way->hops[dim])
			mask |= 1u << way->dir[dim];
	return mask;
}

/* Check whether a packet at @at may wait for the link in @dir if its escape link is dead. */
static bool stub_may_wait(const struct torus_route_map *map, const u32 *at, u32 dir)
{
	u32 to = route_along(map, at[DIM(dir)], dir, 1);

	if (DIM(dir) == 2)
		return !map->plane_dirty[to] || (!MINUS(dir) && to != map->plane_break);
	return !map->row_dirty[to + at[2] * map->dims[1]] ||
	       (!MINUS(dir) && to != map->row_break[at[2]]);
}

/**
 * route_waits() - list the links for which a dynamic packet may wait at a node
 * @at: the node's coordinates
 * @remaining: mask of the directions in which the packet still has to move
 *
 * Return: a mask, one bit per direction: the escape link if it is live, otherwise the links that
 * may replace the escape link; 0 if no link may.
 */
u32 route_waits(const struct torus_route_map *map, const struct route_path *way, u32 node,
		const u32 *at, u32 remaining)
{
	u32 first = remaining & -remaining;
	u32 live = remaining & map->live[node], waits = 0, dim;

	if (first & live)
		return first;
	for (dim = 1; dim < DIMS; dim++)
		if (way->hops[dim] && live >> way->dir[dim] & 1 &&
		    stub_may_wait(map, at, way->dir[dim]))
			waits |= 1u << way->dir[dim];
	return waits;
}

/*
 * Check whether a packet can reach a node over live links only. @done: by dimension: hops from the
 * source to that node.
 */
static bool stub_reachable(struct torus_route_map *map, const struct route_path *way,
			   const u32 *done)
{
	u32 size[DIMS] = { done[0] + 1, done[1] + 1, done[2] + 1 };
	u32 h[DIMS], i = 0;
	u8 *reached = map->scratch;

	for (h[2] = 0; h[2] < size[2]; h[2]++)
		for (h[1] = 0; h[1] < size[1]; h[1]++)
			for (h[0] = 0; h[0] < size[0]; h[0]++, i++) {
				u32 at[DIMS], dim, back = 1, node;

				for (dim = 0; dim < DIMS; dim++)
					at[dim] = h[dim] ? route_along(map, way->from[dim],
								       way->dir[dim], h[dim]) :
							   way->from[dim];
				node = route_number(map, at);
				reached[i] = !i;
				for (dim = 0; dim < DIMS; back *= size[dim++]) {
					u32 before;

					if (!h[dim] || !reached[i - back])
						continue;
					before = node + (route_along(map, at[dim],
								     REVERSE(way->dir[dim]), 1) -
							 at[dim]) * map->stride[dim];
					reached[i] |= map->live[before] >> way->dir[dim] & 1;
				}
			}
	return reached[i - 1];
}

static bool stub_concerns(const struct torus_route_map *map, const struct route_path *way,
			  const struct route_stub *stub, u32 *done)
{
	u32 dim = DIM(stub->dir);

	return way->dir[dim] == stub->dir && route_in_box(map, way, stub->at, done) &&
	       done[dim] < way->hops[dim];
}

/**
 * route_box_clean() - check that no link of the box in a hinted direction is dead
 *
 * Return: true if every packet may use these hints as on an intact machine.
 */
bool route_box_clean(const struct torus_route_map *map, const struct route_path *way)
{
	u32 done[DIMS];
	size_t i;

	for (i = 0; i < map->nstubs; i++)
		if (stub_concerns(map, way, &map->stubs[i], done))
			return false;
	return true;
}

/**
 * route_dynamic() - check whether a dynamic packet may use these hints
 * @dead: [out] dead link at which a packet may get stuck; may be NULL
 *
 * Only stubs are inspected: at other nodes all links that a packet may request are
 * live. Each hop brings the packet nearer to its destination, so it arrives unless it
 * gets stuck.
 *
 * Return: ROUTE_SAFE, or the way in which the packet gets stuck.
 */
enum route_fate route_dynamic(struct torus_route_map *map, const struct route_path *way,
			      struct route_link *dead)
{
	size_t i;

	for (i = 0; i < map->nstubs; i++) {
		const struct route_stub *stub = &map->stubs[i];
		u32 done[DIMS], remaining;
		enum route_fate fate;

		if (!stub_concerns(map, way, stub, done))
			continue;
		remaining = route_remaining(way, done);
		if (!(remaining & map->live[stub->node]))
			fate = ROUTE_TRAPPED;
		else if (!route_waits(map, way, stub->node, stub->at, remaining))
			fate = ROUTE_NO_WAIT;
		else
			continue;
		if (!stub_reachable(map, way, done))
			continue;
		if (dead)
			*dead = (struct route_link){ .node = stub->node, .dir = stub->dir };
		return fate;
	}
	return ROUTE_SAFE;
}
