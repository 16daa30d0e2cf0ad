/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine's shape, and what is dead in it.
 *
 * Faults are directed links: a dead node is its links to and from every neighbour.
 * What a choice of hints asks is kept ready: how far one can go from a node in a
 * direction, and where a link that a packet may ask for is dead (a stub).
 */
#ifndef TORUS_USER_ROUTE_MAP_H
#define TORUS_USER_ROUTE_MAP_H

#include <stdint.h>
#include <torus/route.h>

#define DIMS	TORUS_ROUTE_DIMS
#define DIRS	(2 * DIMS)

/* Directions: 0 = x+, 1 = x-, 2 = y+ .. */
#define DIM(dir)	((dir) >> 1)
#define MINUS(dir)	((dir) & 1)
#define REVERSE(dir)	((dir) ^ 1)
#define HINT(dir)	(TORUS_BGL_HINT_XP >> (dir))

/**
 * struct route_link - a directed link
 * @node: its sender
 * @dir: its direction
 */
struct route_link {
	uint32_t node;
	uint32_t dir;
};

/**
 * struct route_stub - a dead link whose sender lives
 * @node: the sender
 * @dir: the direction
 * @at: the sender's coordinates
 */
struct route_stub {
	uint32_t node;
	uint32_t dir;
	uint32_t at[DIMS];
};

/**
 * struct torus_route_map - a machine and its faults
 * @dims: lengths, 1 where there is no such dimension
 * @ndims: dimensions of the machine
 * @mesh: bit i: dimension i does not close
 * @nodes: number of nodes
 * @stride: node numbers between neighbours
 * @dead: a byte a node: bits 0..5 links killed, bit 6 the node itself
 * @live: a byte a node: bits 0..5 links that exist and live
 * @run: by node and direction: links that can be gone in a row, at most the
 *       length of the dimension
 * @dead_nodes: the nodes killed
 * @ndead_nodes: their number
 * @dead_links: the links killed one by one
 * @ndead_links: their number
 * @stubs: dead links of living nodes
 * @nstubs: their number
 * @row_dirty: by y + Y z: a row of which an x link is a stub
 * @plane_dirty: by z: a plane of which an x or y link is a stub
 * @row_break: by z: the row into which a wait may not close the circle of rows
 * @plane_break: likewise of the planes
 * @scratch: a byte a node
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

/* Coordinate @hops further in a direction; @hops is at most the length. */
static inline uint32_t route_along(const struct torus_route_map *map, uint32_t coord, uint32_t dir,
				   uint32_t hops)
{
	uint32_t length = map->dims[DIM(dir)];
	uint32_t sum = coord + (MINUS(dir) ? length - hops : hops);

	return sum >= length ? sum - length : sum;
}

/* Hops from one coordinate to another in a direction, as on a torus. */
static inline uint32_t route_hops(const struct torus_route_map *map, uint32_t dir, uint32_t from,
				  uint32_t to)
{
	uint32_t up = to >= from ? to - from : to + map->dims[DIM(dir)] - from;

	return MINUS(dir) && up ? map->dims[DIM(dir)] - up : up;
}

uint32_t route_neighbor(const struct torus_route_map *map, uint32_t node, uint32_t dir);
void route_settle(struct torus_route_map *map);

#endif /* TORUS_USER_ROUTE_MAP_H */
