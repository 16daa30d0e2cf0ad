/* SPDX-License-Identifier: GPL-2.0 */
/* A packet's way through a Tofu machine, link by link, as the router's function leads it. */
#ifndef TORUS_ARCH_TOFU_WALK_H
#define TORUS_ARCH_TOFU_WALK_H

#include "arch/tofu/route.h"

/**
 * struct tofu_walk - a packet on its way
 * @g: the machine
 * @way: what its header says
 * @node: index of the node where it is
 * @at: the same, coordinates
 * @hop: the link it came by
 * @hops: links so far
 */
struct tofu_walk {
	const struct torus_geometry *g;
	struct tofu_way way;
	u32 node;
	u32 at[TOFU_AXES];
	struct tofu_hop hop;
	u32 hops;
};

void tofu_walk_begin(struct tofu_walk *walk, const struct torus_geometry *g, u32 source, u32 dest,
		     u32 path, u32 order);
bool tofu_walk_step(struct tofu_walk *walk);
u32 tofu_relay(const struct torus_geometry *g, u32 source, u32 path);
u32 tofu_distance(const struct torus_geometry *g, u32 from, u32 to);
u32 tofu_path_hops(const struct torus_geometry *g, u32 source, u32 dest, u32 path);
bool tofu_path_clean(const struct torus_geometry *g, const u8 *dead, u32 source, u32 dest,
		     u32 path, u32 order);
u32 tofu_path_choose(const struct torus_geometry *g, const u8 *dead, u32 source, u32 dest,
		     u32 order);

#endif
