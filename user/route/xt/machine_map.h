/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Map of a Cray XT: its nodes, their numbers (NIDs) and regions, and the cables between nodes.
 *
 * The index of a node counts z fastest, then y, then x, without gaps, so a region is a range of
 * indices. NIDs have gaps: their upper three bits are the region.
 */
#ifndef TORUS_ROUTE_XT_MACHINE_MAP_H
#define TORUS_ROUTE_XT_MACHINE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XT_ARCH		"xt"	/* name of the machine in torusctl's `arch xt` */
#define XT_DIMS		3
#define XT_DIRS		6u
/* number of the processor's port; ports 0 to 5 are those of the links */
#define XT_PROCESSOR	6u
#define XT_PORTS	7u
/* number of VCs between which a table selects; VCs 2 and 3 are used in the same way */
#define XT_VCS		2u
#define XT_LOCAL_BITS	12
#define XT_REGION_NODES	(1u << XT_LOCAL_BITS)
#define XT_REGIONS_MAX	8u
#define XT_NODES_MAX	(XT_REGIONS_MAX * XT_REGION_NODES)
#define XT_NONE		UINT32_MAX

/* Directions, which are also the ports of the links: 0 = x+, 1 = x-, 2 = y+ .. */
#define XT_DIM(dir)	((dir) >> 1)
#define XT_MINUS(dir)	((dir) & 1)
#define XT_REVERSE(dir)	((dir) ^ 1)

enum xt_dir { XT_XP, XT_XM, XT_YP, XT_YM, XT_ZP, XT_ZM };

/**
 * enum xt_cable - state of the connection between a node and its neighbour
 * @XT_LIVE: a working cable
 * @XT_ABSENT: no cable was ever there: the edge of a mesh, or of the service nodes
 * @XT_BROKEN: a cable that transmits nothing in either direction
 */
enum xt_cable { XT_LIVE, XT_ABSENT, XT_BROKEN };

/**
 * struct xt_link - one end of a cable
 * @dir: direction in which the cable leaves the node
 */
struct xt_link {
	uint32_t node;
	uint32_t dir;
};

/**
 * struct xt_map - a machine and its cables
 * @mesh: bit i: dimension i is a line, not a ring
 * @planes: number of YZ planes of a region; the last region may have fewer
 * @region_nodes: number of nodes in a full region
 * @at: coordinates of each node
 * @next: by node and direction: the neighbour; XT_NONE if the shape has none
 * @cable: by node and direction: enum xt_cable
 * @out: number of cables that are not XT_LIVE, of those that xt_map_set() changed
 */
struct xt_map {
	uint32_t dims[XT_DIMS];
	uint32_t mesh;
	uint32_t planes;
	uint32_t regions;
	uint32_t nodes;
	uint32_t region_nodes;
	uint16_t (*at)[XT_DIMS];
	uint32_t (*next)[XT_DIRS];
	uint8_t (*cable)[XT_DIRS];
	uint32_t out;
};

static inline uint32_t xt_region(const struct xt_map *map, uint32_t node)
{
	return map->at[node][0] / map->planes;
}

/*
 * Return the first node of a region. For the region after the last one, return the number of nodes.
 */
static inline uint32_t xt_region_start(const struct xt_map *map, uint32_t region)
{
	return region < map->regions ? region * map->region_nodes : map->nodes;
}

static inline uint32_t xt_nid(const struct xt_map *map, uint32_t node)
{
	uint32_t region = xt_region(map, node);

	return region << XT_LOCAL_BITS | (node - region * map->region_nodes);
}

static inline uint32_t xt_node(const struct xt_map *map, uint32_t x, uint32_t y, uint32_t z)
{
	return z + map->dims[2] * (y + map->dims[1] * x);
}

static inline bool xt_live(const struct xt_map *map, uint32_t node, uint32_t dir)
{
	return map->cable[node][dir] == XT_LIVE;
}

/* Return the next coordinate in a direction, with wrap-around. */
static inline uint32_t xt_along(const struct xt_map *map, uint32_t coord, uint32_t dir)
{
	uint32_t length = map->dims[XT_DIM(dir)];

	if (XT_MINUS(dir))
		return coord ? coord - 1 : length - 1;
	return coord + 1 == length ? 0 : coord + 1;
}

int xt_map_new(struct xt_map **map, const uint32_t *dims, uint32_t mesh, uint32_t planes);
void xt_map_free(struct xt_map *map);
bool xt_map_set(struct xt_map *map, uint32_t node, uint32_t dir, enum xt_cable state);
uint32_t xt_map_find(const struct xt_map *map, uint32_t nid);
const char *xt_map_refusal(const uint32_t *dims, uint32_t planes);

#endif /* TORUS_ROUTE_XT_MACHINE_MAP_H */
