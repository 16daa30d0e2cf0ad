// SPDX-License-Identifier: GPL-2.0
/* Count FIFO groups by their state for this user. */
#include <stdlib.h>

#include "group_count.h"

/**
 * info_group - classify a group for this user
 * @group: the group
 *
 * Return: the kind.
 */
enum info_group info_group(const struct torus_group *group)
{
	if (group->flags & TORUS_GROUP_DEAD)
		return INFO_DEAD;
	switch (group->state) {
	case TORUS_GROUP_FREE:
	case TORUS_GROUP_CLOSING:
		return INFO_FREE;
	case TORUS_GROUP_MINE:
		return INFO_MINE;
	case TORUS_GROUP_FORBIDDEN:
		return INFO_FORBIDDEN;
	default:
		return INFO_HELD;
	}
}

/**
 * info_group_name - name a kind of groups
 * @kind: the kind
 *
 * Return: a static string.
 */
const char *info_group_name(enum info_group kind)
{
	static const char *const names[INFO_GROUP_MAX] = {
		[INFO_FREE] = "free",
		[INFO_MINE] = "yours",
		[INFO_HELD] = "held",
		[INFO_FORBIDDEN] = "forbidden",
		[INFO_DEAD] = "dead",
	};

	return names[kind];
}

/**
 * info_state_name - name the state of a fabric
 * @state: enum torus_fabric_state
 *
 * Return: a static string.
 */
const char *info_state_name(uint32_t state)
{
	static const char *const names[] = {
		[TORUS_FABRIC_IDLE] = "idle",
		[TORUS_FABRIC_RUNNING] = "running",
		[TORUS_FABRIC_WAITING] = "waiting",
		[TORUS_FABRIC_DEADLOCKED] = "deadlocked",
		[TORUS_FABRIC_FAILED] = "failed",
	};

	return state < sizeof(names) / sizeof(names[0]) ? names[state] : "unknown";
}

/**
 * info_census_take - count the groups of a fabric
 * @census: [out] counts, freed by info_census_free()
 * @device: descriptor from query_open()
 * @fabric: the fabric
 * @why: [out] error message
 *
 * Return: true on success.
 */
bool info_census_take(struct info_census *census, int device,
		      const struct torus_ioc_fabric *fabric, struct parse_error *why)
{
	size_t place, free_here = 0;

	*census = (struct info_census){ .fabric = *fabric };
	/* Programs cannot attach to this machine, so there are no groups. */
	if (!fabric->inject_fifos)
		return true;
	if (!query_groups(device, fabric, &census->groups, &census->count, why))
		return false;
	for (place = 0; place < census->count; place++) {
		enum info_group kind = info_group(&census->groups[place]);

		census->of[kind]++;
		free_here += kind == INFO_FREE;
		if ((place + 1) % fabric->groups)
			continue;
		census->nodes_free += free_here > 0;
		census->nodes_whole += free_here == fabric->groups;
		free_here = 0;
	}
	return true;
}

/**
 * info_census_free - free the memory of a census
 * @census: the census
 */
void info_census_free(struct info_census *census)
{
	free(census->groups);
}
