/* SPDX-License-Identifier: GPL-2.0 */
/* Dead links of a Tofu machine. Find pairs of nodes whose packets may need a dead link. */
#ifndef TORUS_USER_ROUTE_TOFU_LINKS_H
#define TORUS_USER_ROUTE_TOFU_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "walk.h"

/**
 * struct tofu_links - a machine and its dead links
 * @policy: path policy of packets that specify no path
 * @exchanged: 1 if I/O nodes use the axis order of compute nodes, and the other way round
 * @dead: by node: mask of the directions whose link is dead
 */
struct tofu_links {
	struct torus_geometry g;
	enum tofu_policy policy;
	u32 exchanged;
	u16 *dead;
};

bool tofu_links_init(struct tofu_links *links, const u32 *groups, u32 mesh,
		     const char *policy, const char *io_order);
void tofu_links_free(struct tofu_links *links);
void tofu_links_kill(struct tofu_links *links, u32 node, u32 dir);
bool tofu_links_meet(const struct tofu_links *links, u32 from, u32 to, u32 *node, u32 *dir);

#endif /* TORUS_USER_ROUTE_TOFU_LINKS_H */
