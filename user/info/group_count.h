/* SPDX-License-Identifier: GPL-2.0 */
/* Count the FIFO groups of a fabric by their state for this user. */
#ifndef TORUS_INFO_GROUP_COUNT_H
#define TORUS_INFO_GROUP_COUNT_H

#include <stdint.h>

#include "../devquery/query.h"

/* State of a group for this user. */
enum info_group {
	INFO_FREE,
	INFO_MINE,
	INFO_HELD,
	INFO_FORBIDDEN,
	INFO_DEAD,
	INFO_GROUP_MAX,
};

/**
 * struct info_census - a fabric and the counts of its groups
 * @fabric: the fabric
 * @groups: its groups, by node and number
 * @count: number of @groups
 * @of: number of groups of each kind
 * @nodes_free: nodes with at least one free group
 * @nodes_whole: nodes whose groups are all free
 */
struct info_census {
	struct torus_ioc_fabric fabric;
	struct torus_group *groups;
	size_t count;
	size_t of[INFO_GROUP_MAX];
	size_t nodes_free;
	size_t nodes_whole;
};

bool info_census_take(struct info_census *census, int device,
		      const struct torus_ioc_fabric *fabric, struct parse_error *why);
void info_census_free(struct info_census *census);
enum info_group info_group(const struct torus_group *group);
const char *info_group_name(enum info_group kind);
const char *info_state_name(uint32_t state);

struct json_object;

#endif /* TORUS_INFO_GROUP_COUNT_H */
