/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Enumerate the ways from one node to another. In each dimension whose coordinates differ, a way
 * uses the plus or the minus direction, even if it is the longer one. Also check which faults a
 * packet with such hints can meet.
 */
#ifndef TORUS_ROUTE_PATH_H
#define TORUS_ROUTE_PATH_H

#include "fault_map.h"

#define ROUTE_PATHS_MAX	(1u << DIMS)

/**
 * struct route_path - a way from one node to another, as directions and numbers of hops
 * @from: the source's coordinates
 * @dir: by dimension: direction taken; DIRS if the coordinates are equal
 * @hops: by dimension: number of links
 * @total: sum of @hops
 * @hints: TORUS_BGL_HINT_*
 */
struct route_path {
	uint32_t from[DIMS];
	uint32_t dir[DIMS];
	uint32_t hops[DIMS];
	uint32_t total;
	uint8_t hints;
};

/* Results of route_dynamic() for a dynamic packet. */
enum route_fate {
	ROUTE_SAFE,
	ROUTE_TRAPPED,		/* at some node every link that the packet may request is dead */
	/* at some node the escape link is dead, and the packet may wait for no other link */
	ROUTE_NO_WAIT,
};

unsigned int route_path_list(const struct torus_route_map *map, uint32_t from, uint32_t to,
			     struct route_path *ways);
bool route_path_clear(const struct torus_route_map *map, const struct route_path *way,
		      struct route_link *dead);

#endif /* TORUS_ROUTE_PATH_H */
