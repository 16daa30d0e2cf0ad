// SPDX-License-Identifier: GPL-2.0
/* Store the shape of a machine, and its dead nodes and links. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fault_map.h"

#define NODE_DEAD	(1u << DIRS)
/* maximum length of a dimension: a coordinate in the packet header has 8 bits */
#define LENGTH_MAX	256u

/**
 * route_neighbor() - find the node at the other end of a link
 * @node: the sender
 *
 * Return: the node's number, or TORUS_ROUTE_NONE if the shape has no link there.
 */
uint32_t route_neighbor(const struct torus_route_map *map, uint32_t node, uint32_t dir)
{
	uint32_t dim = DIM(dir), length = map->dims[dim];
	uint32_t coord = node / map->stride[dim] % length;
	uint32_t edge = MINUS(dir) ? 0 : length - 1;

	if (length == 1 || (coord == edge && map->mesh >> dim & 1))
		return TORUS_ROUTE_NONE;
	return node + (route_along(map, coord, dir, 1) - coord) * map->stride[dim];
}

static bool link_dead(const struct torus_route_map *map, uint32_t node, uint32_t dir, uint32_t peer)
{
	return map->dead[node] & (NODE_DEAD | 1u << dir) || map->dead[peer] & NODE_DEAD;
}

/* Update @live and @run of the map for the line of nodes along @dim through @node. */
static void line_update(struct torus_route_map *map, uint32_t dim, uint32_t node)
{
	uint32_t length = map->dims[dim], stride = map->stride[dim];
	uint32_t first = node - node / stride % length * stride;
	uint32_t dir, i;

	for (dir = 2 * dim; dir < 2 * dim + 2; dir++) {
		uint32_t run = 0;

		for (i = 0; i < length; i++) {
			uint32_t at = first + i * stride;
			uint32_t peer = route_neighbor(map, at, dir);

			map->live[at] &= (uint8_t)~(1u << dir);
			if (peer != TORUS_ROUTE_NONE && !link_dead(map, at, dir, peer))
				map->live[at] |= (uint8_t)(1u << dir);
		}
		/*
		 * Compute run lengths against the direction, twice around the ring. The first round
		 * starts with an unknown run length, and the second round corrects the result.
		 */
		for (i = 0; i < 2 * length; i++) {
			uint32_t step = i % length;
			uint32_t at = first + (MINUS(dir) ? step : length - 1 - step) * stride;

			run = map->live[at] >> dir & 1 ? run + (run < length) : 0;
			map->run[at * DIRS + dir] = (uint16_t)run;
		}
	}
}

static void node_update(struct torus_route_map *map, uint32_t node)
{
	uint32_t dim;

	for (dim = 0; dim < DIMS; dim++)
		line_update(map, dim, node);
}

static void stub_add(struct torus_route_map *map, uint32_t node, uint32_t dir)
{
	struct route_stub *stub;
	size_t i;

	if (node == TORUS_ROUTE_NONE || map->dead[node] & NODE_DEAD || map->live[node] >> dir & 1 ||
	    route_neighbor(map, node, dir) == TORUS_ROUTE_NONE)
		return;
	for (i = 0; i < map->nstubs; i++)
		if (map->stubs[i].node == node && map->stubs[i].dir == dir)
			return;
	stub = &map->stubs[map->nstubs++];
	stub->node = node;
	stub->dir = dir;
	route_coords(map, node, stub->at);
	if (DIM(dir) == 0)
		map->row_dirty[stub->at[1] + stub->at[2] * map->dims[1]] = true;
	if (DIM(dir) <= 1)
		map->plane_dirty[stub->at[2]] = true;
}

/*
 * Return the number of the first clean row or plane, which breaks the cycle. Return 0 if all are
 * dirty.
 */
static uint32_t first_clean(const uint8_t *dirty, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (!dirty[i])
			return i;
	return 0;
}

/**
 * route_settle() - recompute the stubs of a map, its dirty rows and planes, and those that break a
 *    cycle, after its faults changed
 */
void route_settle(struct torus_route_map *map)
{
	uint32_t rows = map->dims[1], planes = map->dims[2], dir, z;
	size_t i;

	map->nstubs = 0;
	memset(map->row_dirty, 0, (size_t)rows * planes);
	memset(map->plane_dirty, 0, planes);
	for (i = 0; i < map->ndead_nodes; i++)
		for (dir = 0; dir < DIRS; dir++)
			stub_add(map, route_neighbor(map, map->dead_nodes[i], REVERSE(dir)), dir);
	for (i = 0; i < map->ndead_links; i++)
		stub_add(map, map->dead_links[i].node, map->dead_links[i].dir);
	map->plane_break = first_clean(map->plane_dirty, planes);
	for (z = 0; z < planes; z++)
		map->row_break[z] = first_clean(map->row_dirty + (size_t)z * rows, rows);
}

static int stubs_reserve(struct torus_route_map *map)
{
	size_t room = (map->ndead_nodes + 1) * DIRS + map->ndead_links + 1;
	struct route_stub *stubs = realloc(map->stubs, room * sizeof(*stubs));

	if (!stubs)
		return -ENOMEM;
	map->stubs = stubs;
	return 0;
}

/**
 * torus_route_kill_node() - mark a node and all links to and from this node dead
 *
 * Return: 0, -ERANGE (no such node), -ENOMEM.
 */
int torus_route_kill_node(struct torus_route_map *map, uint32_t node)
{
	uint32_t *grown;

	if (node >= map->nodes)
		return -ERANGE;
	if (map->dead[node] & NODE_DEAD)
		return 0;
	grown = realloc(map->dead_nodes, (map->ndead_nodes + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	map->dead_nodes = grown;
	if (stubs_reserve(map))
		return -ENOMEM;
	map->dead_nodes[map->ndead_nodes++] = node;
	map->dead[node] |= NODE_DEAD;
	node_update(map, node);
	route_settle(map);
	return 0;
}

/**
 * torus_route_kill_link() - mark one direction of a link dead
 * @node: the link's sender
 * @dir: the link's direction: 0 = x+, 1 = x-, 2 = y+ ..
 *
 * Return: 0, -ERANGE (no such node or direction), -ENOLINK (no link there), -ENOMEM.
 */
int torus_route_kill_link(struct torus_route_map *map, uint32_t node, uint32_t dir)
{
	struct route_link *grown;

	if (node >= map->nodes || dir >= DIRS)
		return -ERANGE;
	if (route_neighbor(map, node, dir) == TORUS_ROUTE_NONE)
		return -ENOLINK;
	if (map->dead[node] >> dir & 1)
		return 0;
	grown = realloc(map->dead_links, (map->ndead_links + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	map->dead_links = grown;
	if (stubs_reserve(map))
		return -ENOMEM;
	map->dead_links[map->ndead_links++] = (struct route_link){ .node = node, .dir = dir };
	map->dead[node] |= (uint8_t)(1u << dir);
	line_update(map, DIM(dir), node);
	route_settle(map);
	return 0;
}

/* Check whether all links to and from a node were marked dead one by one. */
static bool node_cut_off(const struct torus_route_map *map, uint32_t node)
{
	uint32_t dir, links = 0;

	for (dir = 0; dir < DIRS; dir++) {
		uint32_t peer = route_neighbor(map, node, dir);

		if (peer == TORUS_ROUTE_NONE)
			continue;
		links++;
		if (!(map->dead[node] >> dir & 1) || !(map->dead[peer] >> REVERSE(dir) & 1))
			return false;
	}
	return links;
}

/**
 * torus_route_find_nodes() - mark nodes dead if all links to and from them were marked one by one
 *
 * Links to and from dead nodes are removed from the list of dead links.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_route_find_nodes(struct torus_route_map *map)
{
	size_t i, kept = 0;

	for (i = 0; i < map->ndead_links; i++)
		if (node_cut_off(map, map->dead_links[i].node) &&
		    torus_route_kill_node(map, map->dead_links[i].node))
			return -ENOMEM;
	for (i = 0; i < map->ndead_links; i++) {
		struct route_link link = map->dead_links[i];

		if (map->dead[link.node] & NODE_DEAD ||
		    map->dead[route_neighbor(map, link.node, link.dir)] & NODE_DEAD)
			map->dead[link.node] &= (uint8_t)~(1u << link.dir);
		else
			map->dead_links[kept++] = link;
	}
	map->ndead_links = kept;
	route_settle(map);
	return 0;
}

/**
 * torus_route_revive() - remove all faults
 */
void torus_route_revive(struct torus_route_map *map)
{
	size_t nnodes = map->ndead_nodes, nlinks = map->ndead_links, i;

	map->ndead_nodes = 0;
	map->ndead_links = 0;
	for (i = 0; i < nnodes; i++)
		map->dead[map->dead_nodes[i]] = 0;
	for (i = 0; i < nlinks; i++)
		map->dead[map->dead_links[i].node] = 0;
	for (i = 0; i < nnodes; i++)
		node_update(map, map->dead_nodes[i]);
	for (i = 0; i < nlinks; i++)
		line_update(map, DIM(map->dead_links[i].dir), map->dead_links[i].node);
	route_settle(map);
}

/**
 * torus_route_node_alive() - check whether a node exists and is alive
 */
bool torus_route_node_alive(const struct torus_route_map *map, uint32_t node)
{
	return node < map->nodes && !(map->dead[node] & NODE_DEAD);
}

/**
 * torus_route_link_alive() - check whether a link exists and is alive
 * @node: the link's sender
 * @dir: the link's direction
 */
bool torus_route_link_alive(const struct torus_route_map *map, uint32_t node, uint32_t dir)
{
	return node < map->nodes && dir < DIRS && map->live[node] >> dir & 1;
}

/**
 * torus_route_intact() - check whether a machine has no faults
 *
 * Return: true if there are no faults. Then a program may leave the choice of hint bits to the
 * hardware.
 */
bool torus_route_intact(const struct torus_route_map *map)
{
	return !map->ndead_nodes && !map->ndead_links;
}

/**
 * torus_route_map_new() - allocate a map without faults
 * @map: [out] freed by torus_route_map_free()
 * @dims: lengths of the dimensions, 1 to 256 each
 * @ndims: number of dimensions, 1 to 3
 * @mesh: bit i: dimension i is a line, not a ring
 *
 * Return: 0, -EINVAL (shape), -ENOMEM.
 */
int torus_route_map_new(struct torus_route_map **map, const uint32_t *dims, uint32_t ndims,
			uint32_t mesh)
{
	struct torus_route_map *new;
	uint32_t i;

	if (!ndims || ndims > DIMS || mesh >> ndims)
		return -EINVAL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->nodes = 1;
	new->ndims = ndims;
	new->mesh = mesh;
	for (i = 0; i < DIMS; i++) {
		new->dims[i] = i < ndims ? dims[i] : 1;
		if (!new->dims[i] || new->dims[i] > LENGTH_MAX) {
			free(new);
			return -EINVAL;
		}
		new->stride[i] = new->nodes;
		new->nodes *= new->dims[i];
	}
	new->dead = calloc(new->nodes, 1);
	new->live = calloc(new->nodes, 1);
	new->run = calloc((size_t)new->nodes * DIRS, sizeof(*new->run));
	new->row_dirty = calloc((size_t)new->dims[1] * new->dims[2], 1);
	new->plane_dirty = calloc(new->dims[2], 1);
	new->row_break = calloc(new->dims[2], sizeof(*new->row_break));
	new->scratch = calloc(new->nodes, 1);
	if (!new->dead || !new->live || !new->run || !new->row_dirty || !new->plane_dirty ||
	    !new->row_break || !new->scratch || stubs_reserve(new)) {
		torus_route_map_free(new);
		return -ENOMEM;
	}
	for (i = 0; i < new->nodes; i++) {
		uint32_t dim;

		for (dim = 0; dim < DIMS; dim++)
			if (!(i / new->stride[dim] % new->dims[dim]))
				line_update(new, dim, i);
	}
	route_settle(new);
	*map = new;
	return 0;
}

/**
 * torus_route_map_free() - free a map
 * @map: may be NULL
 */
void torus_route_map_free(struct torus_route_map *map)
{
	if (!map)
		return;
	free(map->dead);
	free(map->live);
	free(map->run);
	free(map->dead_nodes);
	free(map->dead_links);
	free(map->stubs);
	free(map->row_dirty);
	free(map->plane_dirty);
	free(map->row_break);
	free(map->scratch);
	free(map);
}
