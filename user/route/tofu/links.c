// SPDX-License-Identifier: GPL-2.0
/* Dead links of a Tofu machine. Find pairs of nodes whose packets may need a dead link. */
#include <stdlib.h>
#include <string.h>

#include "core/base/node_number.h"
#include "links.h"
#include "names.h"

#define NODES_MAX	(1u << 20)

/**
 * tofu_links_init - set up a machine without dead links
 * @links: [out] freed by tofu_links_free()
 * @groups: lengths of x, y and z
 * @mesh: bit i: axis i is a line, not a ring
 * @policy: value of the fabric's parameter `path`
 * @io_order: value of the fabric's parameter `io_order`
 *
 * Return: false if the shape is invalid, or without memory.
 */
bool tofu_links_init(struct tofu_links *links, const u32 *groups, u32 mesh,
		     const char *policy, const char *io_order)
{
	*links = (struct tofu_links){ .exchanged = !strcmp(io_order, "first") };
	if (!tofu_geometry_init(&links->g, groups, mesh & ((1u << TOFU_GROUP_AXES) - 1),
				NODES_MAX))
		return false;
	while (links->policy < TOFU_ROUNDROBIN && strcmp(tofu_policy_name(links->policy), policy))
		links->policy++;
	links->dead = calloc(links->g.nodes, sizeof(*links->dead));
	return links->dead;
}

void tofu_links_free(struct tofu_links *links)
{
	free(links->dead);
}

/**
 * tofu_links_kill - mark a link dead
 * @node: number of the link's sender
 * @dir: the link's direction
 */
void tofu_links_kill(struct tofu_links *links, u32 node, u32 dir)
{
	u32 index = torus_node_index(&links->g, node);

	if (index != TORUS_NONE && dir < TOFU_DIRS)
		links->dead[index] |= (u16)(1u << dir);
}

/*
 * Return the mask of paths that packets of a pair of nodes may take: the path that the policy
 * selects, the fixed path and those that share no link; or all paths if the policy is round-robin.
 */
static u32 paths_of(const struct tofu_links *links, u32 source, u32 dest)
{
	const struct torus_geometry *g = &links->g;
	u32 from[TORUS_DIMS_MAX], to[TORUS_DIMS_MAX], path, i, paths;

	path = tofu_path_of(g, links->policy, source, dest);
	if (path == TORUS_NONE)
		return (1u << TOFU_PATHS) - 1;
	torus_geometry_coords(g, source, from);
	torus_geometry_coords(g, dest, to);
	paths = 1u << path | 1u << tofu_path_fixed(to);
	for (i = 0; i < TORUS_TOFU_GROUPS; i++)
		paths |= 1u << tofu_path_apart(from, to, i);
	return paths;
}

/**
 * tofu_links_meet - check whether a packet between two nodes may need a dead link
 * @from: number of the source
 * @to: number of the destination
 * @node: [out] sender of the dead link
 * @dir: [out] direction of the dead link
 */
bool tofu_links_meet(const struct tofu_links *links, u32 from, u32 to, u32 *node, u32 *dir)
{
	const struct torus_geometry *g = &links->g;
	u32 source = torus_node_index(g, from), dest = torus_node_index(g, to), paths, order, at;
	u32 coords[TORUS_DIMS_MAX];
	struct tofu_path_iter walk;

	if (source == TORUS_NONE || dest == TORUS_NONE || source == dest)
		return false;
	torus_geometry_coords(g, source, coords);
	order = tofu_order_of(coords) ^ links->exchanged;
	for (paths = paths_of(links, source, dest); paths; paths &= paths - 1) {
		tofu_path_iter_init(&walk, g, source, dest, torus_ctz(paths), order);
		for (at = source; tofu_path_iter_next(&walk); at = walk.node)
			if (links->dead[at] >> walk.hop.dir & 1) {
				*node = torus_node_number(g, at);
				*dir = walk.hop.dir;
				return true;
			}
	}
	return false;
}
