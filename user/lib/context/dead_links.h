/* SPDX-License-Identifier: GPL-2.0 */
/* The dead links and nodes of an attached fabric. */
#ifndef TORUS_LIB_DEAD_LINKS_H
#define TORUS_LIB_DEAD_LINKS_H

#include <stdint.h>

#include "context.h"

/**
 * struct dead_link - a dead link
 * @node: number of the node that sends on the link
 * @dir: direction of the link at that node
 * @down: the link is down, and its sender does not know that: the sender accepts packets and keeps
 *        them
 */
struct dead_link {
	uint32_t node;
	uint32_t dir;
	bool down;
};

struct dead_links {
	struct dead_link *link;
	uint32_t count;
};

int torus_route_given(struct torus_context *context, const struct dead_links *dead,
		      struct torus_route_map **map);
int torus_context_faults(struct torus_context *context, struct torus_route_map *map);

#endif /* TORUS_LIB_DEAD_LINKS_H */
