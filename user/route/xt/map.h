/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A Cray XT: its nodes, their numbers (NIDs) and regions, and the cables between them.
 *
 * Inside, nodes are counted z fastest, then y, then x, without gaps, so that a region is
 * a run of numbers.  The NID has gaps: its upper three bits are the region.
 */
#ifndef TORUS_USER_ROUTE_XT_MAP_H
#define TORUS_USER_ROUTE_XT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XT_ARCH		"xt"	/* its name, as in `arch xt` */
#define XT_DIMS		3
#define XT_DIRS		6u
#define XT_PROCESSOR	6u		/* the port behind the six links */
#define XT_PORTS	7u
#define XT_VCS		2u		/* in a table; 2 and 3 are the same pair again */
#define XT_LOCAL_BITS	12
#define XT_REGION_NODES	(1u << XT_LOCAL_BITS)
#define XT_REGIONS_MAX	8u
#define XT_NODES_MAX	(XT_REGIONS_MAX * XT_REGION_NODES)
#define XT_NONE		UINT32_MAX

/* Directions, and the ports that face there: 0 = x+, 1 = x-, 2 = y+ .. */
#define XT_DIM(dir)	((dir) >> 1)
#define XT_MINUS(dir)	((dir) & 1)
#define XT_REVERSE(dir)	((dir) ^ 1)

enum xt_dir { XT_XP, XT_XM, XT_YP, XT_YM, XT_ZP, XT_ZM };

/**
 * enum xt_cable - what is between a node and its neighbour
 * @XT_LIVE: a cable
 * @XT_ABSENT: none, and there never was: the edge of a mesh, or of the service nodes
 * @XT_BROKEN: a cable that carries nothing, either way
 */
enum xt_cable { XT_LIVE, XT_ABSENT, XT_BROKEN };

/**
 * struct xt_link - one end of a cable
 * @node: the node
 * @dir: the direction in which the cable leaves it
 */
struct xt_link {
	uint32_t node;
	uint32_t dir;
};

/**
 * struct xt_map - a machine and its cables
 * @dims: lengths
 * @mesh: bit i: dimension i does not close
 * @planes: YZ planes of a region; the last one may have fewer
 * @regions: number of regions
 * @nodes: number of nodes
 * @region_nodes: nodes of a full region
 * @at: coordinates of each node
 * @next: by node and direction: the neighbour, XT_NONE at the edge of a mesh
 * @cable: by node and direction: enum xt_cable
 * @out: cables that are broken, or absent by word rather than by shape
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

/* First node of a region, and with the number of regions the end of the machine. */
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

/* A coordinate one further in a direction, as on a torus. */
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

#endif /* TORUS_USER_ROUTE_XT_MAP_H */
