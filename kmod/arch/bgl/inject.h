/* SPDX-License-Identifier: GPL-2.0 */
/* Packets of programs: validate their headers, and route them when they are injected. */
#ifndef TORUS_ARCH_BGL_INJECT_H
#define TORUS_ARCH_BGL_INJECT_H

#include "arch/bgl/bgl.h"

u32 bgl_size(const u8 *bytes);
u32 bgl_check(struct torus_fabric *f, u32 node, u32 group, u32 fifo, bool priority,
	      const u8 *bytes, struct torus_packet *packet);
void bgl_deposit(struct torus_fabric *f, struct torus_packet *packet, u32 chunks, u32 dir,
		 u32 hops);
bool bgl_sane(const struct torus_fabric *f, u32 node, const struct torus_packet *packet);
void bgl_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks);
u32 bgl_checksum_skip(const struct torus_packet *packet);
u32 bgl_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet);
s32 bgl_steps(struct torus_fabric *f, u32 dim, u32 from, u32 to);
void bgl_image(const struct torus_packet *packet, u32 seq, u8 *bytes);
bool bgl_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet);

#endif
