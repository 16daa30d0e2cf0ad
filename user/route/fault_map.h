/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shape of a machine and its dead nodes and links.
 *
 * A fault is a directed link that is dead; a dead node counts as all links to and from
 * it. Two results are kept up to date because each choice of hints needs them: the
 * number of live links in a row from each node in each direction, and the stubs: dead
 * links that a packet may request.
 */
#ifndef TORUS_ROUTE_FAULT_MAP_H
#define TORUS_ROUTE_FAULT_MAP_H

#include <stdint.h>
#include <torus/route.h>

#define DIMS	TORUS_ROUTE_DIMS
#define DIRS	(2 * DIMS)

/* Directions: 0 = x+, 1 = x-, 2 = y+ .. */
#define DIM(dir)	((dir) >> 1)
#define MINUS(dir)	((dir) & 1)
#define REVERSE(dir)	((dir) ^ 1)
#define HINT(dir)	(TORUS_BGL_HINT_XP >> (dir))

struct route_link {
	uint32_t node;
	uint32_t dir;
};

/**
 * struct route_stub - a dead link whose sender is alive
 * @at: the sender's coordinates
 */
struct route_stub {
	uint32_t node;
	uint32_t dir;
	uint32_t at[DIMS];
};

/**
 * struct torus_route_map - a machine and its faults
 * @dims: length of each dimension; 1 for a dimension that the machine does not have
 * @ndims: number of dimensions of the machine
 * @mesh: bit i: dimension i is a line, not a ring
 * @stride: by dimension: difference of the node numbers of neighbours
 * @dead: one byte per node: bits 0..5 are set for links that were marked dead one by one, bit 6 for
 *    a dead node
 * @live: one byte per node: bits 0..5 are set for links that exist and are alive
 * @run: by node and direction: number of live links in a row, at most the dimension's
 *    length
 * @dead_nodes: list of the nodes that were marked dead
 * @dead_links: list of the links that were marked dead one by one
 * @stubs: dead links of living nodes
 * @row_dirty: by row, which is y + z * (length of y): true if an x link of the row is a stub
 * @plane_dirty: by z: true if an x or y link of the plane is a stub
 * @row_break: by z: the row that breaks the cycle of rows, see adaptive_check.c
 * @plane_break: the plane that breaks the cycle of planes
 * @scratch: one byte per node
 */
struct torus_route_map {
	uint32_t dims[DIMS];
	uint32_t ndims;
	uint32_t mesh;
	uint32_t nodes;
	uint32_t stride[DIMS];
	uint8_t *dead;
	uint8_t *live;
	uint16_t *run;
	uint32_t *dead_nodes;
	size_t ndead_nodes;
	struct route_link *dead_links;
	size_t ndead_links;
	struct route_stub *stubs;
	size_t nstubs;
	uint8_t *row_dirty;
	uint8_t *plane_dirty;
	uint32_t *row_break;
	uint32_t plane_break;
	uint8_t *scratch;
};

static inline void route_coords(const struct torus_route_map *map, uint32_t node, uint32_t *at)
{
	at[0] = node % map->dims[0];
	node /= map->dims[0];
	at[1] = node % map->dims[1];
	at[2] = node / map->dims[1];
}

static inline uint32_t route_number(const struct torus_route_map *map, const uint32_t *at)
{
	return at[0] + at[1] * map->stride[1] + at[2] * map->stride[2];
}

/*
 * Return the coordinate @hops further in a direction, with wrap-around. @hops must be at most the
 * length of the dimension.
 */
static inline uint32_t route_along(const struct torus_route_map *map, uint32_t coord, uint32_t dir,
				   uint32_t hops)
{
	uint32_t length = map->dims[DIM(dir)];
	uint32_t sum = coord + (MINUS(dir) ? length - hops : hops);

	return sum >= length ? sum - length : sum;
}

/*
 * Return the number of hops from one coordinate to another in a direction, as if the dimension were
 * a ring.
 */
static inline uint32_t route_hops(const struct torus_route_map *map, uint32_t dir, uint32_t from,
				  uint32_t to)
{
	uint32_t up = to >= from ? to - from : to + map->dims[DIM(dir)] - from;

	return MINUS(dir) && up ? map->dims[DIM(dir)] - up : up;
}

uint32_t route_neighbor(const struct torus_route_map *map, uint32_t node, uint32_t dir);
void route_settle(struct torus_route_map *map);

#endif /* TORUS_ROUTE_FAULT_MAP_H */
