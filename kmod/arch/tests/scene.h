/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scene for tests of arbitration: node (1,1,1) of a 4x4x4 fabric, with buffers that the test
 * fills.
 */
#ifndef TORUS_ARCH_TESTS_SCENE_H
#define TORUS_ARCH_TESTS_SCENE_H

#include "arch/tests/bgl_rig.h"

enum { XP, XM, YP, YM, ZP, ZM };

struct trace_scene {
	struct torus_fabric *f;
	struct rig_trace trace;
	u32 node;
};

void scene_open(struct trace_scene *s, const char *settings, u32 seed);

/* Take a census, run until the network is empty, and check that all tokens are back. */
void scene_close(struct trace_scene *s);

/* Convert the VC of a header, TORUS_BGL_*, to the VC number of the router. */
u32 scene_vc(const struct trace_scene *s, u32 vc);

/* Find the node that a packet with hint bits @hints reaches in one hop per hinted dimension. */
u32 scene_target(const struct trace_scene *s, u32 hints);

/*
 * Place @packets packets into buffer (@dir, @vc) of the neighbour, so that the node has fewer
 * tokens.
 */
void scene_fill(struct trace_scene *s, u32 dir, u32 vc, u32 packets, u32 chunks);

/* Place a packet of the network into buffer (@from, @vc) of the node. Return: its number. */
u32 scene_transit(struct trace_scene *s, u32 from, u32 vc, u32 hints, u32 chunks);

/* Put a packet into injection FIFO @fifo of the node. Return: its number. */
u32 scene_inject(struct trace_scene *s, u32 fifo, u32 vc, u32 hints, u32 chunks);

/* Run until tick @until. Return: the @i-th packet that left the node, or NULL. */
const struct rig_step *scene_left(struct trace_scene *s, u64 until, u32 i);

/* Return: the tick at which packet @seq left the node, or ~0 if it has not left. */
u64 scene_when(struct trace_scene *s, u32 seq);

#endif
