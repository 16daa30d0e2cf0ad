// SPDX-License-Identifier: GPL-2.0
/* Paths through a Tofu machine: hops, lengths, and paths around dead nodes. */
#include "arch/tofu/hop.h"
#include "arch/tofu/path.h"

/*
 * Start an iteration over the hops of a path, at the source.
 *
 * @iter: [out] the iterator
 * @source: index of the source
 * @dest: index of the destination
 * @path: number of the path
 * @order: enum tofu_order
 */
void tofu_path_iter_init(struct tofu_path_iter *iter, const struct torus_geometry *g, u32 source,
			 u32 dest, u32 path, u32 order)
{
	*iter = (struct tofu_path_iter){ .g = g, .node = source, .hop = TOFU_HOP_FIRST };
	iter->way.path = path;
	iter->way.order = order;
	torus_geometry_coords(g, source, iter->at);
	torus_geometry_coords(g, dest, iter->way.dest);
}

/* Follow one link. Return false at the destination. */
bool tofu_path_iter_next(struct tofu_path_iter *iter)
{
	const struct torus_geometry *g = iter->g;
	u32 axis, last;

	if (!tofu_route_next(g, &iter->way, iter->at, &iter->hop))
		return false;
	axis = TORUS_DIM(iter->hop.dir);
	last = g->dims[axis] - 1;
	if (TORUS_MINUS(iter->hop.dir))
		iter->at[axis] = iter->at[axis] ? iter->at[axis] - 1 : last;
	else
		iter->at[axis] = iter->at[axis] < last ? iter->at[axis] + 1 : 0;
	iter->node = torus_geometry_neighbor(g, iter->node, iter->hop.dir);
	iter->hops++;
	return true;
}

/*
 * Return the index of a path's relay, a node of the source's group.
 *
 * @source: index of the source
 * @path: number of the path
 */
u32 tofu_relay(const struct torus_geometry *g, u32 source, u32 path)
{
	u32 at[TOFU_AXES];

	torus_geometry_coords(g, source, at);
	tofu_slot_coords(path, at);
	return torus_geometry_node(g, at);
}

/* Return the number of links on a shortest way between two nodes, which are given by index. */
u32 tofu_distance(const struct torus_geometry *g, u32 from, u32 to)
{
	u32 a[TOFU_AXES], b[TOFU_AXES], axis, hops = 0;

	torus_geometry_coords(g, from, a);
	torus_geometry_coords(g, to, b);
	for (axis = 0; axis < TOFU_AXES; axis++) {
		u32 one = a[axis] < b[axis] ? b[axis] - a[axis] : a[axis] - b[axis];
		u32 round = g->dims[axis] - one;

		hops += g->mesh >> axis & 1 || one < round ? one : round;
	}
	return hops;
}

/*
 * Return the number of links of a path.
 *
 * @source: index of the source
 * @dest: index of the destination
 * @path: number of the path
 */
u32 tofu_path_hops(const struct torus_geometry *g, u32 source, u32 dest, u32 path)
{
	u32 relay = tofu_relay(g, source, path);

	return tofu_distance(g, source, relay) + tofu_distance(g, relay, dest);
}

/*
 * Check that source, destination and all nodes of a path are alive.
 *
 * @dead: for each node: whether it is dead
 * @source: index of the source
 * @dest: index of the destination
 * @path: number of the path
 * @order: enum tofu_order
 */
bool tofu_path_clean(const struct torus_geometry *g, const u8 *dead, u32 source, u32 dest,
		     u32 path, u32 order)
{
	struct tofu_path_iter iter;

	if (dead[source])
		return false;
	tofu_path_iter_init(&iter, g, source, dest, path, order);
	while (tofu_path_iter_next(&iter))
		if (dead[iter.node])
			return false;
	return true;
}

/*
 * Choose a path around dead nodes.
 *
 * @dead: for each node: whether it is dead
 * @source: index of the source
 * @dest: index of the destination
 * @order: enum tofu_order
 *
 * Return: the fixed path if it has no dead node. Otherwise the shortest path without a dead node,
 * and among equally short paths the path with the lowest number. TORUS_NONE if each path has a dead
 * node.
 */
u32 tofu_path_choose(const struct torus_geometry *g, const u8 *dead, u32 source, u32 dest,
		     u32 order)
{
	u32 fixed = tofu_path_of(g, TOFU_FIXED, source, dest), best = TORUS_NONE;
	u32 path, hops, least = TORUS_NONE;

	if (tofu_path_clean(g, dead, source, dest, fixed, order))
		return fixed;
	for (path = 0; path < TOFU_PATHS; path++) {
		hops = tofu_path_hops(g, source, dest, path);
		if (hops >= least || !tofu_path_clean(g, dead, source, dest, path, order))
			continue;
		least = hops;
		best = path;
	}
	return best;
}
