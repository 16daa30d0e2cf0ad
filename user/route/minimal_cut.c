// SPDX-License-Identifier: GPL-2.0
/*
 * Find a minimal set of faults that blocks a pair of nodes. If any one fault of the set is
 * repaired, the others no longer block the pair.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fault_map.h"

struct cut_trial {
	const struct torus_route_map *map;
	struct torus_route_map *copy;
	struct torus_route_fault *faults;
	size_t count;
};

/*
 * Check whether packets from @from reach @to if all faults of the trial except number @left_out are
 * present. Return: 1, 0 or -ENOMEM.
 */
static int trial_reached(struct cut_trial *trial, uint32_t from, uint32_t to, uint32_t flags,
			 const unsigned char *relays, size_t left_out)
{
	struct torus_route_choice choice;
	size_t i;
	int ret = 0;

	torus_route_revive(trial->copy);
	for (i = 0; i < trial->count && !ret; i++) {
		const struct torus_route_fault *fault = &trial->faults[i];

		if (i == left_out)
			continue;
		ret = fault->dir == TORUS_ROUTE_NONE ?
		      torus_route_kill_node(trial->copy, fault->node) :
		      torus_route_kill_link(trial->copy, fault->node, fault->dir);
	}
	return ret ? ret : torus_route_choose(trial->copy, from, to, flags, relays, &choice);
}

static void trial_drop(struct cut_trial *trial, size_t i)
{
	memmove(&trial->faults[i], &trial->faults[i + 1],
		(--trial->count - i) * sizeof(*trial->faults));
}

/**
 * torus_route_blame() - find the faults that block a pair of nodes
 * @to: number of the destination, not @from
 * @flags: as for torus_route_choose()
 * @relays: nodes that may be relays, as for torus_route_choose()
 * @faults: [out] minimal set: without any one of these faults the pair is reached
 * @room: capacity of @faults
 *
 * Return: number of faults, even if the array is too small for all of them; or -ENOMEM. Returns 0
 * if the pair is reached, or if the pair is not connected even without faults.
 */
int torus_route_blame(const struct torus_route_map *map, uint32_t from, uint32_t to, uint32_t flags,
		      const unsigned char *relays, struct torus_route_fault *faults, size_t room)
{
	struct cut_trial trial = { .map = map };
	size_t total = map->ndead_nodes + map->ndead_links, i;
	int ret;

	ret = torus_route_map_new(&trial.copy, map->dims, map->ndims, map->mesh);
	if (ret)
		return ret;
	trial.faults = calloc(total + 1, sizeof(*trial.faults));
	if (!trial.faults) {
		torus_route_map_free(trial.copy);
		return -ENOMEM;
	}
	for (i = 0; i < map->ndead_nodes; i++)
		trial.faults[trial.count++] = (struct torus_route_fault){
			.node = map->dead_nodes[i], .dir = TORUS_ROUTE_NONE,
		};
	for (i = 0; i < map->ndead_links; i++)
		trial.faults[trial.count++] = (struct torus_route_fault){
			.node = map->dead_links[i].node, .dir = map->dead_links[i].dir,
		};
	ret = trial_reached(&trial, from, to, flags, relays, total);
	if (ret > 0)
		trial.count = 0;
	for (i = 0; !ret && i < trial.count;) {
		ret = trial_reached(&trial, from, to, flags, relays, i);
		if (ret > 0)
			i++;
		else if (!ret)
			trial_drop(&trial, i);
		ret = ret > 0 ? 0 : ret;
	}
	for (i = 0; i < trial.count && i < room; i++)
		faults[i] = trial.faults[i];
	ret = ret < 0 ? ret : (int)trial.count;
	free(trial.faults);
	torus_route_map_free(trial.copy);
	return ret;
}
