// SPDX-License-Identifier: GPL-2.0
/*
 * Compute the exact load of links under uniform traffic: each node sends one packet to each other
 * node, over the paths of a policy. Loads are in twelfths of a packet, so that they remain integers
 * if a packet is spread over all twelve paths.
 */
#include <errno.h>
#include <stdlib.h>

#include "check.h"
#include "link_load.h"

/**
 * tofu_loads_init() - allocate the memory for the loads of all channels
 * @loads: [out] freed with tofu_loads_free()
 *
 * Return: 0, -ENOMEM.
 */
int tofu_loads_init(struct tofu_loads *loads, const struct torus_geometry *g)
{
	*loads = (struct tofu_loads){ .load = calloc(g->nodes, sizeof(*loads->load)) };
	return loads->load ? 0 : -ENOMEM;
}

/**
 * tofu_loads_free() - free the memory of the channels' loads
 */
void tofu_loads_free(struct tofu_loads *loads)
{
	free(loads->load);
	loads->load = NULL;
}

static void link_load_add(struct tofu_loads *loads, const struct torus_geometry *g, u32 source,
			  u32 dest, u32 path, u32 weight)
{
	u32 at[TOFU_AXES], node = source;
	struct tofu_path_iter walk;

	torus_geometry_coords(g, source, at);
	tofu_path_iter_init(&walk, g, source, dest, path, tofu_order_of(at));
	for (; tofu_path_iter_next(&walk); node = walk.node) {
		loads->load[node][walk.hop.dir][walk.hop.vc] += weight;
		loads->hops += weight;
	}
}

/**
 * tofu_loads_run() - compute the load of all channels
 * @loads: [in, out] loads of an earlier run are discarded
 * @policy: policy that selects the path of each pair of nodes
 *
 * Each source uses its own order of the axes, see tofu_order_of().
 */
void tofu_loads_run(struct tofu_loads *loads, const struct torus_geometry *g,
		    enum tofu_policy policy)
{
	u32 source, dest, path;

	memset(loads->load, 0, g->nodes * sizeof(*loads->load));
	loads->hops = 0;
	loads->packets = (u64)g->nodes * (g->nodes - 1);
	for (source = 0; source < g->nodes; source++)
		for (dest = 0; dest < g->nodes; dest++) {
			u32 one = tofu_path_of(g, policy, source, dest);

			if (source == dest)
				continue;
			if (one != TORUS_NONE) {
				link_load_add(loads, g, source, dest, one, TOFU_PATHS);
				continue;
			}
			for (path = 0; path < TOFU_PATHS; path++)
				link_load_add(loads, g, source, dest, path, 1);
		}
}

/**
 * tofu_loads_share() - sum up the load of the channels of one axis and VC
 * @loads: must be computed by tofu_loads_run()
 * @vc: the VC; with TOFU_VCS, the loads of all VCs of a link are added
 * @share: [out] number of links, sum of the loads, and load of the busiest link
 */
void tofu_loads_share(const struct tofu_loads *loads, const struct torus_geometry *g, u32 axis,
		      u32 vc, struct tofu_share *share)
{
	u32 node, dir, i;

	memset(share, 0, sizeof(*share));
	for (node = 0; node < g->nodes; node++)
		for (dir = 2 * axis; dir <= 2 * axis + 1; dir++) {
			u64 load = 0;

			if (torus_geometry_neighbor(g, node, dir) == TORUS_NONE)
				continue;
			for (i = 0; i < TOFU_VCS; i++)
				if (vc == TOFU_VCS || vc == i)
					load += loads->load[node][dir][i];
			share->links++;
			share->sum += load;
			if (load > share->most)
				share->most = load;
		}
}
