// SPDX-License-Identifier: GPL-2.0
/* Map of a Cray XT: nodes, NIDs, regions, cables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "machine_map.h"

/* Return the maximum number of planes in a region. */
static uint32_t planes_most(const uint32_t *dims)
{
	uint32_t planes = XT_REGION_NODES / (dims[1] * dims[2]);

	return planes < dims[0] ? planes : dims[0];
}

/**
 * xt_map_refusal() - check the shape of a machine
 * @dims: lengths, from 1 to 65535
 * @planes: number of YZ planes of a region; 0: as many as fit
 *
 * Return: the reason why the shape is rejected; NULL if it is valid.
 */
const char *xt_map_refusal(const uint32_t *dims, uint32_t planes)
{
	if ((uint64_t)dims[1] * dims[2] > XT_REGION_NODES)
		return "a YZ plane must have at most the 4096 nodes of a region";
	if (planes > dims[0])
		return "a region must not have more planes than the machine";
	if ((uint64_t)dims[1] * dims[2] * planes > XT_REGION_NODES)
		return "a region must have at most 4096 nodes";
	if (!planes)
		planes = planes_most(dims);
	if ((dims[0] + planes - 1) / planes > XT_REGIONS_MAX)
		return "there must be at most 8 regions";
	return NULL;
}

static void map_fill(struct xt_map *map)
{
	uint32_t node, dim, dir;

	for (node = 0; node < map->nodes; node++) {
		uint16_t *at = map->at[node];

		at[2] = node % map->dims[2];
		at[1] = node / map->dims[2] % map->dims[1];
		at[0] = node / map->dims[2] / map->dims[1];
	}
	for (node = 0; node < map->nodes; node++) {
		for (dir = 0; dir < XT_DIRS; dir++) {
			uint32_t to[XT_DIMS], edge;

			dim = XT_DIM(dir);
			to[0] = map->at[node][0];
			to[1] = map->at[node][1];
			to[2] = map->at[node][2];
			edge = XT_MINUS(dir) ? 0 : map->dims[dim] - 1;
			if (map->dims[dim] == 1 || (map->mesh >> dim & 1 && to[dim] == edge)) {
				map->next[node][dir] = XT_NONE;
				map->cable[node][dir] = XT_ABSENT;
				continue;
			}
			to[dim] = xt_along(map, to[dim], dir);
			map->next[node][dir] = xt_node(map, to[0], to[1], to[2]);
		}
	}
}

/**
 * xt_map_new() - allocate the map of a machine, with all cables live
 * @map: [out] freed with xt_map_free(); NULL after an error
 * @dims: three lengths
 * @mesh: bit i: dimension i is a line, not a ring
 * @planes: number of YZ planes of a region; 0: as many as fit
 *
 * Return: 0, -EINVAL (see xt_map_refusal()), -ENOMEM.
 */
int xt_map_new(struct xt_map **map, const uint32_t *dims, uint32_t mesh, uint32_t planes)
{
	struct xt_map *made;

	*map = NULL;
	if (!dims[0] || !dims[1] || !dims[2] || xt_map_refusal(dims, planes))
		return -EINVAL;
	made = calloc(1, sizeof(*made));
	if (!made)
		return -ENOMEM;
	memcpy(made->dims, dims, sizeof(made->dims));
	made->mesh = mesh & ((1u << XT_DIMS) - 1);
	made->planes = planes ? planes : planes_most(dims);
	made->regions = (dims[0] + made->planes - 1) / made->planes;
	made->region_nodes = made->planes * dims[1] * dims[2];
	made->nodes = dims[0] * dims[1] * dims[2];
	made->at = calloc(made->nodes, sizeof(*made->at));
	made->next = calloc(made->nodes, sizeof(*made->next));
	made->cable = calloc(made->nodes, sizeof(*made->cable));
	if (!made->at || !made->next || !made->cable) {
		xt_map_free(made);
		return -ENOMEM;
	}
	map_fill(made);
	*map = made;
	return 0;
}

/**
 * xt_map_free() - free a map
 * @map: may be NULL
 */
void xt_map_free(struct xt_map *map)
{
	if (!map)
		return;
	free(map->at);
	free(map->next);
	free(map->cable);
	free(map);
}

/**
 * xt_map_set() - break, remove or restore a cable
 * @node: node at one end of the cable
 * @dir: direction in which the cable leaves @node
 * @state: new state, for both directions
 *
 * Return: true if the shape has a cable there.
 */
bool xt_map_set(struct xt_map *map, uint32_t node, uint32_t dir, enum xt_cable state)
{
	uint32_t to = map->next[node][dir];

	if (to == XT_NONE)
		return false;
	map->out -= map->cable[node][dir] != XT_LIVE;
	map->out += state != XT_LIVE;
	map->cable[node][dir] = state;
	map->cable[to][XT_REVERSE(dir)] = state;
	return true;
}

/**
 * xt_map_find() - find the node with a NID
 *
 * Return: index of the node; XT_NONE if no node has this NID.
 */
uint32_t xt_map_find(const struct xt_map *map, uint32_t nid)
{
	uint32_t region = nid >> XT_LOCAL_BITS, local = nid & (XT_REGION_NODES - 1), node;

	if (region >= map->regions)
		return XT_NONE;
	node = xt_region_start(map, region) + local;
	return node < xt_region_start(map, region + 1) ? node : XT_NONE;
}
