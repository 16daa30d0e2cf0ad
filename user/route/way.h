/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ways from one node to another: in each dimension that differs plus or minus, also
 * the longer way round.  What a packet may do with such hints is judged here.
 */
#ifndef TORUS_USER_ROUTE_WAY_H
#define TORUS_USER_ROUTE_WAY_H

#include "map.h"

#define ROUTE_WAYS_MAX	(1u << DIMS)

/**
 * struct route_way - hints, as directions and hops
 * @from: the source's coordinates
 * @dir: direction taken in each dimension, DIRS: none
 * @hops: links in each dimension
 * @total: links
 * @hints: TORUS_BGL_HINT_*
 */
struct route_way {
	uint32_t from[DIMS];
	uint32_t dir[DIMS];
	uint32_t hops[DIMS];
	uint32_t total;
	uint8_t hints;
};

/* What may become of a dynamic packet. */
enum route_fate {
	ROUTE_SAFE,
	ROUTE_TRAPPED,		/* at some node every link that it may ask for is dead */
	ROUTE_NO_WAIT,		/* at some node its escape is dead, and nothing else may stand in */
};

unsigned int route_ways(const struct torus_route_map *map, uint32_t from, uint32_t to,
			struct route_way *ways);
bool route_path_clear(const struct torus_route_map *map, const struct route_way *way,
		      struct route_link *dead);

#endif /* TORUS_USER_ROUTE_WAY_H */
