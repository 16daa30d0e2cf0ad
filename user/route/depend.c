// SPDX-License-Identifier: GPL-2.0
/*
 * The extended dependency check.
 *
 * Vertices are the bubble VC of every living link, and the dynamic VCs (both as one)
 * of every link for which a packet in use waits because its escape is dead.  An edge
 * leads from a VC to one that a packet in it may be waiting for at its other end.
 *
 * The bubble VCs' edges are those of all packets that could be: straight on and into
 * every later dimension, both ways.  That is more than the pairs in use need, whatever
 * they are: deterministic ones, the legs to and from relays, dynamic packets on their
 * escape.  Around a ring of which all links live the bubble rule keeps a place free,
 * so it counts as one vertex, and waiting round it is no circle; a ring with a dead
 * link is a chain.  From a dynamic VC that is waited for, everything at its other end
 * may be wanted, because any dynamic packet may be in it: cross dependencies (Duato (1995)).
 * Other dynamic VCs nobody has to wait for: no edge leads to them.
 *
 * A packet that waits stands whole in one buffer (virtual cut-through: "a VC is marked
 * unavailable unless space is available to handle a full-sized packet"), so it holds
 * nothing else: Duato's indirect dependencies, of a packet that is stretched over
 * several VCs, do not exist.
 *
 * Without a circle, of all VCs that are full for good the last one in the order has a
 * packet at its head that waits for one behind it, which is not full for good: so
 * there are none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core/env.h"
#include "box.h"
#include "depend.h"

/* A vertex: node, and direction (bubble VC) or DIRS + direction (dynamic VCs). */
#define VERTICES	(2 * DIRS)

/**
 * route_depend_init() - nobody waits
 * @depend: the check
 * @map: the machine
 *
 * Return: 0 or -ENOMEM.
 */
int route_depend_init(struct route_depend *depend, struct torus_route_map *map)
{
	size_t vertices = (size_t)map->nodes * VERTICES;

	depend->map = map;
	depend->nused = 0;
	depend->waits = calloc((size_t)map->nodes * DIMS, 1);
	depend->used = calloc(map->nodes, sizeof(*depend->used));
	depend->degree = calloc(vertices, sizeof(*depend->degree));
	depend->queue = calloc(vertices, sizeof(*depend->queue));
	if (depend->waits && depend->used && depend->degree && depend->queue)
		return 0;
	route_depend_free(depend);
	return -ENOMEM;
}

/**
 * route_depend_free() - done with a check
 * @depend: the check
 */
void route_depend_free(struct route_depend *depend)
{
	free(depend->waits);
	free(depend->used);
	free(depend->degree);
	free(depend->queue);
}

/**
 * route_depend_clear() - nobody waits any more
 * @depend: the check
 */
void route_depend_clear(struct route_depend *depend)
{
	uint32_t i;

	for (i = 0; i < depend->nused; i++)
		memset(depend->waits + (size_t)depend->used[i] * DIMS, 0, DIMS);
	depend->nused = 0;
}

static uint32_t waits_at(const struct route_depend *depend, uint32_t node)
{
	const uint8_t *waits = depend->waits + (size_t)node * DIMS;

	return waits[0] | waits[1] | waits[2];
}

/**
 * route_depend_wait() - packets wait at a node whose escape is dead
 * @depend: the check
 * @node: the node
 * @dim: dimension of the dead escape
 * @dirs: the links whose dynamic VCs they wait for, a bit a direction
 */
void route_depend_wait(struct route_depend *depend, uint32_t node, uint32_t dim, uint32_t dirs)
{
	if (!waits_at(depend, node))
		depend->used[depend->nused++] = node;
	depend->waits[(size_t)node * DIMS + dim] |= (uint8_t)dirs;
}

/**
 * route_depend_add() - dynamic packets from one node to another are in use
 * @depend: the check
 * @from: the source
 * @to: the destination
 * @hints: their hints
 *
 * (Deterministic ones are always counted with.)
 */
void route_depend_add(struct route_depend *depend, uint32_t from, uint32_t to, uint8_t hints)
{
	const struct torus_route_map *map = depend->map;
	struct route_way ways[ROUTE_WAYS_MAX];
	unsigned int n = route_ways(map, from, to, ways), w;
	size_t i;

	for (w = 0; w < n && ways[w].hints != hints; w++)
		;
	for (i = 0; w < n && i < map->nstubs; i++) {
		const struct route_stub *stub = &map->stubs[i];
		uint32_t done[DIMS], remaining, waits;

		if (!route_in_box(map, &ways[w], stub->at, done))
			continue;
		remaining = route_remaining(&ways[w], done);
		if ((remaining & -remaining) != 1u << stub->dir)
			continue;
		waits = route_waits(map, &ways[w], stub->node, stub->at, remaining);
		if (waits)
			route_depend_wait(depend, stub->node, DIM(stub->dir), waits);
	}
}

/* A living ring is one vertex, its first node's. */
static uint32_t bubble(const struct torus_route_map *map, uint32_t node, uint32_t dir)
{
	uint32_t length = map->dims[DIM(dir)], stride = map->stride[DIM(dir)];

	if (map->run[(size_t)node * DIRS + dir] == length)
		node -= node / stride % length * stride;
	return node * VERTICES + dir;
}

/* What a packet may wait for at the end of a link that it came over: vertices, their number. */
static unsigned int link_edges(const struct route_depend *depend, uint32_t sender, uint32_t dir,
			       bool dynamic, uint32_t *to)
{
	const struct torus_route_map *map = depend->map;
	uint32_t node = route_neighbor(map, sender, dir);
	const uint8_t *waits = depend->waits + (size_t)node * DIMS;
	uint32_t own = dynamic ? 0 : bubble(map, sender, dir);
	uint32_t dim, d, wanted = 0;
	unsigned int n = 0;

	for (d = 0; d < DIRS; d++) {
		if (!(map->live[node] >> d & 1) ||
		    (!dynamic && d != dir && DIM(d) <= DIM(dir)))
			continue;
		to[n] = bubble(map, node, d);
		n += dynamic || to[n] != own;
	}
	/* On the bubble VC of a dimension all before it are done. */
	for (dim = dynamic ? 0 : DIM(dir); dim < DIMS; dim++)
		wanted |= waits[dim];
	for (d = 0; d < DIRS; d++)
		if (wanted >> d & 1)
			to[n++] = node * VERTICES + DIRS + d;
	return n;
}

#define EDGES_MAX	(2 * DIRS)

/* One more (@by 1) or less (-1) waits for what packets of a vertex wait for. */
static uint32_t count_edges(struct route_depend *depend, uint32_t vertex, int by, uint32_t end)
{
	const struct torus_route_map *map = depend->map;
	uint32_t node = vertex / VERTICES, dir = vertex % VERTICES % DIRS;
	bool dynamic = vertex % VERTICES >= DIRS;
	uint32_t to[EDGES_MAX], links = 1, i;
	unsigned int n, j;

	if (!dynamic && map->run[(size_t)node * DIRS + dir] == map->dims[DIM(dir)])
		links = map->dims[DIM(dir)];
	for (i = 0; i < links; i++, node = route_neighbor(map, node, dir)) {
		n = link_edges(depend, node, dir, dynamic, to);
		for (j = 0; j < n; j++) {
			depend->degree[to[j]] += by;
			if (by < 0 && !depend->degree[to[j]])
				depend->queue[end++] = to[j];
		}
	}
	return end;
}

/* The vertices that there are, into the queue. */
static uint32_t all_vertices(struct route_depend *depend)
{
	const struct torus_route_map *map = depend->map;
	uint32_t node, dir, n = 0, i;

	for (node = 0; node < map->nodes; node++)
		for (dir = 0; dir < DIRS; dir++)
			if (map->live[node] >> dir & 1 &&
			    bubble(map, node, dir) == node * VERTICES + dir)
				depend->queue[n++] = node * VERTICES + dir;
	for (i = 0; i < depend->nused; i++)
		for (dir = 0; dir < DIRS; dir++)
			if (waits_at(depend, depend->used[i]) >> dir & 1)
				depend->queue[n++] = depend->used[i] * VERTICES + DIRS + dir;
	return n;
}

/**
 * route_depend_acyclic() - is there no circle of waiting?
 * @depend: the check
 * @left: out, unless NULL: a link whose dynamic VCs are on a circle or behind one
 *
 * Takes one after the other out what nobody waits for; what is left is a circle, and
 * what is behind it.
 *
 * Return: true if all is taken out.
 */
bool route_depend_acyclic(struct route_depend *depend, struct route_link *left)
{
	uint32_t total, head, end = 0, i;

	memset(depend->degree, 0,
	       (size_t)depend->map->nodes * VERTICES * sizeof(*depend->degree));
	total = all_vertices(depend);
	for (i = 0; i < total; i++)
		count_edges(depend, depend->queue[i], 1, 0);
	for (i = 0; i < total; i++)
		if (!depend->degree[depend->queue[i]])
			depend->queue[end++] = depend->queue[i];
	for (head = 0; head < end; head++)
		end = count_edges(depend, depend->queue[head], -1, end);
	if (end == total)
		return true;
	for (i = 0; left && i < depend->nused; i++) {
		uint32_t node = depend->used[i], dir;

		for (dir = 0; dir < DIRS; dir++)
			if (depend->degree[node * VERTICES + DIRS + dir])
				*left = (struct route_link){ .node = node, .dir = dir };
	}
	return false;
}
