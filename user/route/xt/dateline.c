// SPDX-License-Identifier: GPL-2.0
/*
 * Select the coordinates of datelines (Abts et al. (2007), 3.5 and 2.2.2).
 *
 * A dateline lies at the edge of a region. In y and z there is one region, whose edge is the
 * highest coordinate. Packets detour a broken cable by Y+ or Z+. After a dateline a packet could
 * not return to the higher dimension. So prefer coordinates without broken cables. All coordinates
 * between two neighbouring coordinates with broken cables are equivalent.
 */
#include "dateline.h"
#include "build_tables.h"
#include "survey.h"

#define PLACES_MAX	64u	/* maximum number of coordinates to try in a dimension */

struct places {
	uint32_t at[PLACES_MAX];
	uint32_t count;
};

/*
 * Return the dateline of x: the last plane. If regions have one plane, each plane is an edge; then
 * return plane 0.
 */
static uint32_t edge_x(const struct xt_map *map)
{
	uint32_t last = map->dims[0] - 1;

	return map->planes == 1 ? 0 : last;
}

/*
 * Check whether packets detour at a coordinate of dimension @dim, because a cable there is broken
 * or absent. Detours around x cables use y or z, those around y cables only z.
 */
static bool detoured(const struct xt_map *map, uint32_t dim, uint32_t coord)
{
	uint32_t node, dir;

	for (node = 0; node < map->nodes; node++) {
		if (map->at[node][dim] != coord)
			continue;
		for (dir = 0; dir < 2 * (dim + 1); dir++)
			if (map->cable[node][dir] != XT_LIVE && map->next[node][dir] != XT_NONE)
				return true;
	}
	return false;
}

static void find_places(const struct xt_map *map, uint32_t dim, struct places *places)
{
	uint32_t coord, pass;

	places->count = 0;
	if (map->mesh >> dim & 1 || map->dims[dim] == 1) {
		places->at[places->count++] = XT_NONE;
		return;
	}
	for (pass = 0; pass < 2; pass++) {
		/* true if the coordinate before this one belongs to the other pass */
		bool before = true;

		for (coord = map->dims[dim]; coord--;) {
			bool out = map->out && detoured(map, dim, coord);

			/*
			 * Pass 0 lists the first coordinate of each run without broken cables.
			 * Pass 1 lists all coordinates with broken cables.
			 */
			if (out == (pass == 1) && (before || out) && places->count < PLACES_MAX)
				places->at[places->count++] = coord;
			before = out != (pass == 1);
		}
	}
}

/**
 * xt_datelines_auto() - select the best coordinates for the datelines
 * @route: [in, out] the machine; its datelines are set
 * @plan: scratch
 *
 * Selects the first coordinates with which all pairs of nodes are reached. If there are none,
 * selects the coordinates with the fewest unreached pairs.
 */
void xt_datelines_auto(struct xt_route *route, struct xt_next_hops *plan)
{
	const struct xt_map *map = route->map;
	struct places y, z;
	uint64_t best = UINT64_MAX, lost;
	uint32_t i, j, best_y = 0, best_z = 0;

	route->dateline[0] = map->mesh & 1 || map->dims[0] == 1 ? XT_NONE : edge_x(map);
	find_places(map, 1, &y);
	find_places(map, 2, &z);
	/* Without broken cables the first coordinates are optimal. */
	for (i = 0; i < y.count && best && (map->out || !i); i++)
		for (j = 0; j < z.count && best && (map->out || !j); j++) {
			route->dateline[1] = y.at[i];
			route->dateline[2] = z.at[j];
			if (!map->out) {
				best = 0;
				continue;
			}
			xt_tables_try(route, plan, best, &lost);
			if (lost >= best)
				continue;
			best = lost;
			best_y = i;
			best_z = j;
		}
	route->dateline[1] = y.at[best_y];
	route->dateline[2] = z.at[best_z];
}
