// SPDX-License-Identifier: GPL-2.0
/* Enumerate the ways from one node to another, and check deterministic paths. */
#include <string.h>
#include "core/platform.h"
#include "path.h"

/*
 * Check whether the plus direction is tried first. If both directions need the same number of hops,
 * even coordinates take plus and odd ones minus, as the machine's software sets its cutoffs.
 */
static bool way_plus_first(u32 plus, u32 minus, u32 coord)
{
	return plus == minus ? !(coord & 1) : plus < minus;
}

/**
 * route_path_list() - list all ways from one node to another, shortest first
 * @to: number of the destination, not @from
 * @ways: [out] array of ROUTE_PATHS_MAX
 *
 * Return: number of ways; 0 if @from is @to.
 */
unsigned int route_path_list(const struct torus_route_map *map, u32 from, u32 to,
			     struct route_path *ways)
{
	u32 a[DIMS], b[DIMS], dim;
	unsigned int n = 1, i, j;

	route_coords(map, from, a);
	route_coords(map, to, b);
	memset(ways, 0, sizeof(*ways));
	memcpy(ways->from, a, sizeof(a));
	for (dim = 0; dim < DIMS; dim++) {
		u32 first = 2 * dim, second, plus, minus;

		for (i = 0; i < n; i++)
			ways[i].dir[dim] = DIRS;
		if (a[dim] == b[dim])
			continue;
		plus = route_hops(map, first, a[dim], b[dim]);
		minus = route_hops(map, first + 1, a[dim], b[dim]);
		if (map->mesh >> dim & 1)
			first += b[dim] < a[dim];
		else
			first += !way_plus_first(plus, minus, a[dim]);
		second = REVERSE(first);
		if (!(map->mesh >> dim & 1))
			memcpy(ways + n, ways, n * sizeof(*ways));
		for (i = 0; i < (map->mesh >> dim & 1 ? n : 2 * n); i++) {
			u32 dir = i < n ? first : second;

			ways[i].dir[dim] = dir;
			ways[i].hops[dim] = MINUS(dir) ? minus : plus;
			ways[i].total += ways[i].hops[dim];
			ways[i].hints |= HINT(dir);
		}
		n = i;
	}
	if (!ways->hints)
		return 0;
	for (i = 1; i < n; i++) {
		struct route_path way = ways[i];

		for (j = i; j && ways[j - 1].total > way.total; j--)
			ways[j] = ways[j - 1];
		ways[j] = way;
	}
	return n;
}

/**
 * route_path_clear() - check that a deterministic packet's path has no dead link
 * @way: the hints; the packet moves in x, then y, then z
 * @dead: [out] first dead link of the path; may be NULL
 */
bool route_path_clear(const struct torus_route_map *map, const struct route_path *way,
		      struct route_link *dead)
{
	u32 node = route_number(map, way->from);
	u32 dim;

	for (dim = 0; dim < DIMS; dim++) {
		u32 dir = way->dir[dim], hops = way->hops[dim];
		u32 coord = way->from[dim], run;

		if (!hops)
			continue;
		run = map->run[(size_t)node * DIRS + dir];
		if (run < hops) {
			node += (route_along(map, coord, dir, run) - coord) * map->stride[dim];
			if (dead)
				*dead = (struct route_link){ .node = node, .dir = dir };
			return false;
		}
		node += (route_along(map, coord, dir, hops) - coord) * map->stride[dim];
	}
	return true;
}
