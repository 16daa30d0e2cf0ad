// SPDX-License-Identifier: GPL-2.0
/*
 * The extended dependency check.
 *
 * Vertices of the graph are the bubble VC of every live link, and the dynamic VCs of a
 * link (both as one vertex) if packets in use wait for that link because their escape
 * is dead. An edge leads from a VC to another VC for which a packet in the first may
 * wait at the other end of its link.
 *
 * Edges of bubble VCs cover all possible packets: straight on and into every later
 * dimension, in both directions. That is a superset of the needs of any pairs in use:
 * deterministic packets, legs to and from relays, dynamic packets on their escape. In a
 * ring whose links all live the bubble rule keeps a packet's space free. So the ring is
 * one vertex, and waiting around it is no cycle. A ring with a dead link is a chain.
 *
 * A dynamic VC that is waited for has edges to everything at the other end of its link,
 * because it may store any dynamic packet: cross dependencies (Duato (1995)). No packet
 * must wait for one of the other dynamic VCs, so no edge leads to them.
 *
 * A waiting packet occupies exactly one buffer (virtual cut-through: "a VC is marked
 * unavailable unless space is available to handle a full-sized packet"). So there are
 * no indirect dependencies in Duato's sense, of a packet that spans several VCs.
 *
 * An acyclic graph proves freedom from deadlock: assume that some VCs stay full
 * indefinitely. The packet at the head of the last of these in topological order waits
 * for a later VC, which does not stay full. So the packet moves, a contradiction.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core/platform.h"
#include "adaptive_check.h"
#include "dependency_graph.h"

/*
 * Vertices per node: DIRS for the bubble VCs, one per direction; DIRS for the dynamic VCs of each
 * link.
 */
#define VERTICES	(2 * DIRS)

/**
 * route_cdg_init() - set up a dependency check without any waits
 *
 * Return: 0 or -ENOMEM.
 */
int route_cdg_init(struct route_cdg *depend, struct torus_route_map *map)
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
	route_cdg_free(depend);
	return -ENOMEM;
}

/**
 * route_cdg_free() - free the memory of a dependency check
 */
void route_cdg_free(struct route_cdg *depend)
{
	free(depend->waits);
	free(depend->used);
	free(depend->degree);
	free(depend->queue);
}

/**
 * route_cdg_clear() - remove all recorded waits from a dependency check
 */
void route_cdg_clear(struct route_cdg *depend)
{
	u32 i;

	for (i = 0; i < depend->nused; i++)
		memset(depend->waits + (size_t)depend->used[i] * DIMS, 0, DIMS);
	depend->nused = 0;
}

static u32 waits_at(const struct route_cdg *depend, u32 node)
{
	const u8 *waits = depend->waits + (size_t)node * DIMS;

	return waits[0] | waits[1] | waits[2];
}

/**
 * route_cdg_wait() - record that dynamic packets may wait at a node where their escape link is dead
 * @dim: dimension of the dead escape link
 * @dirs: links whose dynamic VCs the packets wait for, one bit per direction
 */
void route_cdg_wait(struct route_cdg *depend, u32 node, u32 dim, u32 dirs)
{
	if (!waits_at(depend, node))
		depend->used[depend->nused++] = node;
	depend->waits[(size_t)node * DIMS + dim] |= (u8)dirs;
}

/**
 * route_cdg_add() - record the waits of dynamic packets from one node to another
 * @from: number of the source
 * @to: number of the destination
 * @hints: hint bits of the packets
 *
 * Deterministic packets need no call: their edges are always part of the graph.
 */
void route_cdg_add(struct route_cdg *depend, u32 from, u32 to, u8 hints)
{
	const struct torus_route_map *map = depend->map;
	struct route_path ways[ROUTE_PATHS_MAX];
	unsigned int n = route_path_list(map, from, to, ways), w;
	size_t i;

	for (w = 0; w < n && ways[w].hints != hints; w++)
		;
	for (i = 0; w < n && i < map->nstubs; i++) {
		const struct route_stub *stub = &map->stubs[i];
		u32 done[DIMS], remaining, waits;

		if (!route_in_box(map, &ways[w], stub->at, done))
			continue;
		remaining = route_remaining(&ways[w], done);
		if ((remaining & -remaining) != 1u << stub->dir)
			continue;
		waits = route_waits(map, &ways[w], stub->node, stub->at, remaining);
		if (waits)
			route_cdg_wait(depend, stub->node, DIM(stub->dir), waits);
	}
}

/*
 * Return the vertex of a bubble VC. All links of a live ring share the vertex of the
 * ring's first node.
 */
static u32 bubble(const struct torus_route_map *map, u32 node, u32 dir)
{
	u32 length = map->dims[DIM(dir)], stride = map->stride[DIM(dir)];

	if (map->run[(size_t)node * DIRS + dir] == length)
		node -= node / stride % length * stride;
	return node * VERTICES + dir;
}

/*
 * List the vertices for which a packet may wait after it has crossed link @dir of node @sender.
 * @to: [out] array of vertices. Return: the number of vertices.
 */
static unsigned int link_edges(const struct route_cdg *depend, u32 sender, u32 dir,
			       bool dynamic, u32 *to)
{
	const struct torus_route_map *map = depend->map;
	u32 node = route_neighbor(map, sender, dir);
	const u8 *waits = depend->waits + (size_t)node * DIMS;
	u32 own = dynamic ? 0 : bubble(map, sender, dir);
	u32 dim, d, wanted = 0;
	unsigned int n = 0;

	for (d = 0; d < DIRS; d++) {
		if (!(map->live[node] >> d & 1) ||
		    (!dynamic && d != dir && DIM(d) <= DIM(dir)))
			continue;
		to[n] = bubble(map, node, d);
		n += dynamic || to[n] != own;
	}
	/*
	 * A packet on the bubble VC of a dimension has no hops left in earlier
	 * dimensions.
	 */
	for (dim = dynamic ? 0 : DIM(dir); dim < DIMS; dim++)
		wanted |= waits[dim];
	for (d = 0; d < DIRS; d++)
		if (wanted >> d & 1)
			to[n++] = node * VERTICES + DIRS + d;
	return n;
}

#define EDGES_MAX	(2 * DIRS)

/*
 * Add @by (1 or -1) to the degree of each vertex that packets of @vertex may wait for. If a degree
 * drops to zero, append that vertex to the queue. @end: number of entries in the queue. Return: the
 * new number of entries.
 */
static u32 count_edges(struct route_cdg *depend, u32 vertex, int by, u32 end)
{
	const struct torus_route_map *map = depend->map;
	u32 node = vertex / VERTICES, dir = vertex % VERTICES % DIRS;
	bool dynamic = vertex % VERTICES >= DIRS;
	u32 to[EDGES_MAX], links = 1, i;
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

/* Write all vertices of the graph into the queue. Return: the number of vertices. */
static u32 all_vertices(struct route_cdg *depend)
{
	const struct torus_route_map *map = depend->map;
	u32 node, dir, n = 0, i;

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
 * route_cdg_acyclic() - check that no packets can wait for each other in a cycle
 * @left: [out] a link whose dynamic VCs are on a cycle, or are reached from a cycle. Unchanged if
 *    there is no cycle; may be NULL
 *
 * Removes vertices for which no packet waits, one after the other. Each remaining vertex is on a
 * cycle or is reached from a cycle.
 *
 * Return: true if all vertices are removed: there is no cycle.
 */
bool route_cdg_acyclic(struct route_cdg *depend, struct route_link *left)
{
	u32 total, head, end = 0, i;

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
		u32 node = depend->used[i], dir;

		for (dir = 0; dir < DIRS; dir++)
			if (depend->degree[node * VERTICES + DIRS + dir])
				*left = (struct route_link){ .node = node, .dir = dir };
	}
	return false;
}
