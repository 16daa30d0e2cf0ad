/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One node's arbitration, told by buffers filled by hand: who goes first where.
 * The node is (1,1,1) of 4x4x4.
 */
#ifndef TORUS_ARCH_TESTS_SCENE_H
#define TORUS_ARCH_TESTS_SCENE_H

#include "arch/tests/bgl_rig.h"

enum { XP, XM, YP, YM, ZP, ZM };

struct scene {
	struct torus_fabric *f;
	struct rig_trace trace;
	u32 node;
};

void scene_open(struct scene *s, const char *settings, u32 seed);

/* A census, then to the end, and another one: nothing is left over. */
void scene_close(struct scene *s);

/* The router's VC that packets of a header's VC, TORUS_BGL_*, use. */
u32 scene_vc(const struct scene *s, u32 vc);

/* The neighbour that the node's packets of these hints go to, one hop each way. */
u32 scene_target(const struct scene *s, u32 hints);

/* Packets that have arrived at the neighbour fill its buffer: fewer tokens here. */
void scene_fill(struct scene *s, u32 dir, u32 vc, u32 packets, u32 chunks);

/* A packet in the network, at the node, in the buffer of (@from, @vc); its number. */
u32 scene_transit(struct scene *s, u32 from, u32 vc, u32 hints, u32 chunks);

/* A packet in an injection FIFO of the node; its number. */
u32 scene_inject(struct scene *s, u32 fifo, u32 vc, u32 hints, u32 chunks);

/* Let ticks pass until @until; the @i-th packet that left the node, NULL if none. */
const struct rig_step *scene_left(struct scene *s, u64 until, u32 i);

/* When packet @seq left the node, ~0: not yet. */
u64 scene_when(struct scene *s, u32 seq);

#endif
