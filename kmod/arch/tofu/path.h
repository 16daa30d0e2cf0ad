/* SPDX-License-Identifier: GPL-2.0 */
/* Paths through a Tofu machine, hop by hop, with the routing rule of the router. */
#ifndef TORUS_ARCH_TOFU_PATH_H
#define TORUS_ARCH_TOFU_PATH_H

#include "arch/tofu/route.h"

/**
 * struct tofu_path_iter - iterator over the hops of a packet's path
 *
 * @g: geometry of the machine
 * @way: routing fields of the packet's header
 * @node: index of the current node
 * @at: coordinates of the current node
 * @hop: link on which the packet reached the current node
 * @hops: number of links so far
 */
struct tofu_path_iter {
	const struct torus_geometry *g;
	struct tofu_way way;
	u32 node;
	u32 at[TOFU_AXES];
	struct tofu_hop hop;
	u32 hops;
};

void tofu_path_iter_init(struct tofu_path_iter *iter, const struct torus_geometry *g, u32 source,
			 u32 dest, u32 path, u32 order);
bool tofu_path_iter_next(struct tofu_path_iter *iter);
u32 tofu_relay(const struct torus_geometry *g, u32 source, u32 path);
u32 tofu_distance(const struct torus_geometry *g, u32 from, u32 to);
u32 tofu_path_hops(const struct torus_geometry *g, u32 source, u32 dest, u32 path);
bool tofu_path_clean(const struct torus_geometry *g, const u8 *dead, u32 source, u32 dest,
		     u32 path, u32 order);
u32 tofu_path_choose(const struct torus_geometry *g, const u8 *dead, u32 source, u32 dest,
		     u32 order);

#endif
