// SPDX-License-Identifier: GPL-2.0
/*
 * Enumerate all states that packets can reach, and find the largest set of VCs that could stay full
 * indefinitely.
 *
 * A VC stays in the set as long as some packet that the VC may store wants only VCs of the set. A
 * ring whose links all live counts as one bubble VC. The bubble rule keeps one space of the ring
 * free. So the ring is stuck only if a packet in the ring wants to leave it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "exact.h"

#define VCS	(2 * DIRS)	/* VCs of a node: bubble VCs of its links, then dynamic VCs */

struct exact_wish {
	uint32_t in;		/* VC in which the packet is stored */
	uint32_t node;		/* node at the receiving end of VC @in */
	uint16_t wants;		/* mask of the VCs of @node that the packet wants */
};

struct exact {
	struct torus_route_map *map;
	struct exact_wish *wishes;
	size_t count, room;
	uint8_t *stuck;
	uint8_t *seen;
};

struct exact *exact_new(struct torus_route_map *map)
{
	struct exact *exact = calloc(1, sizeof(*exact));

	assert_non_null(exact);
	exact->map = map;
	exact->stuck = calloc((size_t)map->nodes * VCS, 1);
	exact->seen = calloc((size_t)map->nodes * VCS, 8);
	return exact;
}

void exact_free(struct exact *exact)
{
	free(exact->wishes);
	free(exact->stuck);
	free(exact->seen);
	free(exact);
}

void exact_clear(struct exact *exact)
{
	exact->count = 0;
}

static void wish_add(struct exact *exact, uint32_t in, uint32_t node, uint16_t wants)
{
	if (exact->count == exact->room) {
		exact->room = exact->room ? 2 * exact->room : 1024;
		exact->wishes = realloc(exact->wishes, exact->room * sizeof(*exact->wishes));
		assert_non_null(exact->wishes);
	}
	exact->wishes[exact->count++] = (struct exact_wish){
		.in = in, .node = node, .wants = wants,
	};
}

/* Return the mask of directions that a packet's hints allow, as the router computes it. */
static uint32_t left(const struct exact *exact, uint8_t hints)
{
	uint32_t dir, mask = 0;

	for (dir = 0; dir < DIRS; dir++)
		if (hints & HINT(dir))
			mask |= 1u << dir;
	return mask;
}

/*
 * Update hints as the router does: remove a hint if the neighbour has the destination's coordinate
 * in that dimension.
 */
static uint8_t departed(const struct exact *exact, uint8_t hints, uint32_t node, uint32_t dir,
			uint32_t to)
{
	uint32_t a[DIMS], b[DIMS];

	route_coords(exact->map, route_neighbor(exact->map, node, dir), a);
	route_coords(exact->map, to, b);
	return a[DIM(dir)] == b[DIM(dir)] ? hints & (uint8_t)~HINT(dir) : hints;
}

static bool visit(struct exact *exact, uint32_t in, uint32_t node, uint8_t hints, uint32_t to,
		  bool dynamic)
{
	uint32_t dirs = left(exact, hints), live = dirs & exact->map->live[node];
	uint32_t first = dirs & -dirs, dir;
	uint16_t wants;

	if (!dirs)
		return node == to;
	/*
	 * visit each combination of VC and hints once, because they determine the rest of the path
	 */
	if (in != ~0u) {
		uint8_t *seen = &exact->seen[(size_t)in * 8];
		uint32_t key = 0, dim;

		for (dim = 0; dim < DIMS; dim++)
			key |= (dirs >> 2 * dim & 3 ? 1u : 0u) << dim;
		if (seen[key] && dynamic)
			return true;
		seen[key] = 1;
	}
	wants = (uint16_t)(live & first);
	if (dynamic)
		wants |= (uint16_t)(live << DIRS);
	if (!wants)
		return false;
	if (in != ~0u)
		wish_add(exact, in, node, wants);
	for (dir = 0; dir < DIRS; dir++) {
		uint32_t peer = route_neighbor(exact->map, node, dir);
		uint8_t rest;

		if (!((wants | wants >> DIRS) >> dir & 1))
			continue;
		rest = departed(exact, hints, node, dir, to);
		if (wants >> dir & 1 &&
		    !visit(exact, node * VCS + dir, peer, rest, to, dynamic))
			return false;
		if (wants >> DIRS >> dir & 1 &&
		    !visit(exact, node * VCS + DIRS + dir, peer, rest, to, dynamic))
			return false;
	}
	return true;
}

bool exact_add(struct exact *exact, uint32_t from, uint32_t to, uint8_t hints, bool dynamic)
{
	size_t count = exact->count;

	memset(exact->seen, 0, (size_t)exact->map->nodes * VCS * 8);
	if (visit(exact, ~0u, from, hints, to, dynamic))
		return true;
	exact->count = count;
	return false;
}

static bool ring(const struct exact *exact, uint32_t vc)
{
	uint32_t dir = vc % VCS;
	const struct torus_route_map *map = exact->map;

	return dir < DIRS && map->run[(size_t)(vc / VCS) * DIRS + dir] == map->dims[DIM(dir)];
}

/*
 * Return the VC that represents a VC. In a ring without dead links, the bubble VC of the first link
 * represents all of them.
 */
static uint32_t name(const struct exact *exact, uint32_t vc)
{
	const struct torus_route_map *map = exact->map;
	uint32_t at[DIMS];

	if (!ring(exact, vc))
		return vc;
	route_coords(map, vc / VCS, at);
	at[DIM(vc % VCS)] = 0;
	return route_number(map, at) * VCS + vc % VCS;
}

static bool hopeless(const struct exact *exact, const struct exact_wish *wish)
{
	uint32_t own = name(exact, wish->in), i;

	for (i = 0; i < VCS; i++) {
		uint32_t wanted;

		if (!(wish->wants >> i & 1))
			continue;
		wanted = name(exact, wish->node * VCS + i);
		if (!exact->stuck[wanted] || (wanted == own && ring(exact, wish->in)))
			return false;
	}
	return true;
}

uint32_t exact_deadlocked(struct exact *exact)
{
	size_t vcs = (size_t)exact->map->nodes * VCS, i;
	uint8_t *next = malloc(vcs);
	uint32_t count = 0, before;

	assert_non_null(next);
	memset(exact->stuck, 1, vcs);
	do {
		before = count;
		memset(next, 0, vcs);
		for (i = 0; i < exact->count; i++) {
			uint32_t in = name(exact, exact->wishes[i].in);

			if (!next[in] && exact->stuck[in])
				next[in] = hopeless(exact, &exact->wishes[i]);
		}
		memcpy(exact->stuck, next, vcs);
		for (count = 0, i = 0; i < vcs; i++)
			count += next[i];
	} while (count && count != before);
	free(next);
	return count;
}
