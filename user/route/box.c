// SPDX-License-Identifier: GPL-2.0
/*
 * What may become of a dynamic packet.
 *
 * It may take any order of its hinted dimensions, so it may come to every node of
 * the box between source and destination.  The router never grants a link whose
 * sender software has disabled; of the links that the packet asks for it takes one
 * that lives.  Two things can go wrong, both at a stub, a living node of the box
 * with a dead link in a hinted direction:
 *
 *  - nothing that it may ask for lives: the packet is trapped.
 *
 *  - the dead link is the one of its escape (the bubble VC, in the first dimension
 *    that is left).  Then it can only wait for a dynamic VC of another link, and
 *    that VC becomes part of the escape.  Not every link may serve so, or packets
 *    could wait for each other in a circle.  The rule, which user/route/README.md
 *    proves and depend.c checks:
 *
 *	A wait may be for the z link into a clean plane, or for the z+ link, but
 *	not into the plane that breaks the circle of planes; or, where the x link is
 *	dead, for the y link into a clean row of the plane, or for the y+ link, but
 *	not into the row that breaks the plane's circle of rows.
 *
 *    Clean is a plane without stubs in x or y, a row without stubs in x.  The first
 *    clean one breaks the circle, where there is one: into a clean one all may go.
 */
#include <string.h>
#include "core/env.h"
#include "box.h"
#include "way.h"

/**
 * route_in_box() - may a packet come to a node, were nothing dead?
 * @map: the machine
 * @way: its hints
 * @at: the node's coordinates
 * @done: out: hops made in each dimension when it is there
 *
 * Return: true if so.
 */
bool route_in_box(const struct torus_route_map *map, const struct route_way *way,
		  const uint32_t *at, uint32_t *done)
{
	uint32_t dim;

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
 * route_remaining() - the directions that a packet still has hints for
 * @way: its hints
 * @done: hops made in each dimension
 *
 * Return: a bit a direction.
 */
uint32_t route_remaining(const struct route_way *way, const uint32_t *done)
{
	uint32_t dim, mask = 0;

	for (dim = 0; dim < DIMS; dim++)
		if (done[dim] < way->hops[dim])
			mask |= 1u << way->dir[dim];
	return mask;
}

/* May a packet whose escape is dead wait for this link? */
static bool stub_may_wait(const struct torus_route_map *map, const uint32_t *at, uint32_t dir)
{
	uint32_t to = route_along(map, at[DIM(dir)], dir, 1);

	if (DIM(dir) == 2)
		return !map->plane_dirty[to] || (!MINUS(dir) && to != map->plane_break);
	return !map->row_dirty[to + at[2] * map->dims[1]] ||
	       (!MINUS(dir) && to != map->row_break[at[2]]);
}

/**
 * route_waits() - what a packet waits for at a node
 * @map: the machine
 * @way: its hints
 * @node: the node
 * @at: its coordinates
 * @remaining: directions that it still has hints for
 *
 * Return: the link of its escape if that lives, else those that may stand in for it:
 * a bit a direction; 0 if there is none.
 */
uint32_t route_waits(const struct torus_route_map *map, const struct route_way *way, uint32_t node,
		     const uint32_t *at, uint32_t remaining)
{
	uint32_t first = remaining & -remaining;
	uint32_t live = remaining & map->live[node], waits = 0, dim;

	if (first & live)
		return first;
	for (dim = 1; dim < DIMS; dim++)
		if (way->hops[dim] && live >> way->dir[dim] & 1 &&
		    stub_may_wait(map, at, way->dir[dim]))
			waits |= 1u << way->dir[dim];
	return waits;
}

/* Can a packet come to a node over living links? @done: hops it has made there. */
static bool stub_reachable(struct torus_route_map *map, const struct route_way *way,
			   const uint32_t *done)
{
	uint32_t size[DIMS] = { done[0] + 1, done[1] + 1, done[2] + 1 };
	uint32_t h[DIMS], i = 0;
	uint8_t *reached = map->scratch;

	for (h[2] = 0; h[2] < size[2]; h[2]++)
		for (h[1] = 0; h[1] < size[1]; h[1]++)
			for (h[0] = 0; h[0] < size[0]; h[0]++, i++) {
				uint32_t at[DIMS], dim, back = 1, node;

				for (dim = 0; dim < DIMS; dim++)
					at[dim] = h[dim] ? route_along(map, way->from[dim],
								       way->dir[dim], h[dim]) :
							   way->from[dim];
				node = route_number(map, at);
				reached[i] = !i;
				for (dim = 0; dim < DIMS; back *= size[dim++]) {
					uint32_t before;

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

static bool stub_concerns(const struct torus_route_map *map, const struct route_way *way,
			  const struct route_stub *stub, uint32_t *done)
{
	uint32_t dim = DIM(stub->dir);

	return way->dir[dim] == stub->dir && route_in_box(map, way, stub->at, done) &&
	       done[dim] < way->hops[dim];
}

/**
 * route_box_clean() - is nothing dead in the box?
 * @map: the machine
 * @way: the hints
 *
 * Return: true if so: every packet may go by these hints as on an intact machine.
 */
bool route_box_clean(const struct torus_route_map *map, const struct route_way *way)
{
	uint32_t done[DIMS];
	size_t i;

	for (i = 0; i < map->nstubs; i++)
		if (stub_concerns(map, way, &map->stubs[i], done))
			return false;
	return true;
}

/**
 * route_dynamic() - may a dynamic packet go by these hints?
 * @map: the machine
 * @way: the hints
 * @dead: out, unless NULL: the dead link at which it may get stuck
 *
 * Between stubs there is nothing to see: at all other nodes all links that a packet
 * may ask for live.  Each hop brings it nearer, so it arrives if it gets stuck nowhere.
 *
 * Return: ROUTE_SAFE or why not.
 */
enum route_fate route_dynamic(struct torus_route_map *map, const struct route_way *way,
			      struct route_link *dead)
{
	size_t i;

	for (i = 0; i < map->nstubs; i++) {
		const struct route_stub *stub = &map->stubs[i];
		uint32_t done[DIMS], remaining;
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
