// SPDX-License-Identifier: GPL-2.0
/*
 * Find free places. A place is free if its node is alive, this user may attach to the node, and the
 * FIFO group has no owner or is being closed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "free_nodes.h"
#include "group_owner.h"
#include "run.h"
#include "log.h"

/* maximum number of places that an error message names because they are not free */
#define REASONS_MAX	16
#define WHY_BYTES	96
#define REASON_BYTES	(PARSE_COORDS_MAX + WHY_BYTES + 32)

static int group_order(const void *a, const void *b)
{
	const struct torus_group *left = a, *right = b;

	if (left->node != right->node)
		return left->node < right->node ? -1 : 1;
	return left->group - right->group;
}

/*
 * Check whether a place is free. @held: [out] true if a program owns the place and the node is
 * alive; @why: [out] the reason if the place is not free.
 */
static bool place_free(const struct torus_group *groups, size_t count,
		       const struct run_place *place, bool *held, char *why, size_t size)
{
	const struct torus_group key = { .node = place->node, .group = place->group };
	const struct torus_group *group;
	const char *reason = NULL;

	group = bsearch(&key, groups, count, sizeof(key), group_order);
	if (!group)
		reason = "the node has no such group";
	else if (group->flags & TORUS_GROUP_DEAD)
		reason = "the node is dead";
	else if (group->state == TORUS_GROUP_FORBIDDEN)
		reason = "the node does not belong to this user";
	else if (group->state == TORUS_GROUP_MINE)
		reason = "held by a program of this user";
	else if (group->state == TORUS_GROUP_HELD)
		reason = "held by a program of another user";
	else if (group->state == TORUS_GROUP_DRIVER)
		reason = "held by a driver";
	*held = group && !(group->flags & TORUS_GROUP_DEAD) &&
		(group->state == TORUS_GROUP_MINE || group->state == TORUS_GROUP_HELD);
	if (reason)
		snprintf(why, size, "%s", reason);
	/*
	 * a group that is being closed will be free when the program attaches, so it counts as free
	 */
	return !reason;
}

static void log_reasons(const struct run_fabric_info *machine, uint32_t ranks, size_t found,
			char (*reasons)[REASON_BYTES], size_t refused)
{
	size_t i;

	run_log("fabric %s: %u rank%s requested, but only %zu place%s free%s", machine->fabric.name,
		ranks, ranks == 1 ? "" : "s", found, found == 1 ? " is" : "s are",
		refused ? ":" : "");
	for (i = 0; i < refused && i < REASONS_MAX; i++)
		run_log("    %s", reasons[i]);
	if (refused > REASONS_MAX)
		run_log("    and %zu more", refused - REASONS_MAX);
}

/**
 * run_free_nodes_choose - keep the first free places of a list
 * @places: [in, out] places in the order of ranks; reduced to the places of the ranks
 * @machine: the fabric
 * @ranks: number of places that are needed
 *
 * Return: true if there are enough free places; false after an error message, which names places
 * that are not free, with the reasons, if the module can be queried.
 */
bool run_free_nodes_choose(struct run_places *places, const struct run_fabric_info *machine,
			   uint32_t ranks)
{
	char reasons[REASONS_MAX][REASON_BYTES];
	char node[PARSE_COORDS_MAX], text[WHY_BYTES];
	size_t found = 0, refused = 0, count, i;
	struct torus_group *groups;
	struct parse_error why;
	bool held;

	if (!query_groups(machine->device, &machine->fabric, &groups, &count, &why)) {
		run_log("%s", why.text);
		return false;
	}
	/*
	 * The module lists groups in order of node index, which may differ from the order of node
	 * numbers.
	 */
	qsort(groups, count, sizeof(*groups), group_order);
	for (i = 0; i < places->count && found < ranks; i++) {
		const struct run_place place = places->at[i];

		if (place_free(groups, count, &place, &held, text, sizeof(text))) {
			places->at[found++] = place;
			continue;
		}
		if (refused++ >= REASONS_MAX)
			continue;
		if (held)
			run_group_owner_text(machine, &place, text, sizeof(text));
		snprintf(reasons[refused - 1], REASON_BYTES, "node %s group %u: %s",
			 query_text(&machine->fabric, place.node, node, sizeof(node)),
			 place.group, text);
	}
	free(groups);
	places->count = found;
	if (found >= ranks)
		return true;
	log_reasons(machine, ranks, found, reasons, refused);
	return false;
}

/**
 * run_free_nodes_attached - query which ranks have attached to their nodes
 * @env: environment of the ranks
 * @attached: [out] by rank: true if a program has attached to the rank's place, and the node is
 *    alive
 *
 * Return: false if the module cannot be queried.
 */
bool run_free_nodes_attached(const struct run_env *env, bool *attached)
{
	const struct run_fabric_info *machine = env->machine;
	struct torus_group *groups;
	struct parse_error why;
	char text[WHY_BYTES];
	size_t count, i;

	if (!query_groups(machine->device, &machine->fabric, &groups, &count, &why))
		return false;
	qsort(groups, count, sizeof(*groups), group_order);
	for (i = 0; i < env->places.count; i++)
		place_free(groups, count, &env->places.at[i], &attached[i], text, sizeof(text));
	free(groups);
	return true;
}
