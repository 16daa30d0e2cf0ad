/* SPDX-License-Identifier: GPL-2.0 */
/* Packets of software: validate, build, assign a path, and read back from the wire. */
#ifndef TORUS_ARCH_TOFU_INJECT_H
#define TORUS_ARCH_TOFU_INJECT_H

#include "arch/tofu/tofu.h"

u32 tofu_size(const u8 *bytes);
u32 tofu_check(struct torus_fabric *f, u32 node, u32 group, u32 fifo, bool priority,
	       const u8 *bytes, struct torus_packet *packet);
bool tofu_sane(const struct torus_fabric *f, u32 node, const struct torus_packet *packet);
void tofu_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks);
u32 tofu_path_around(const struct torus_fabric *f, u32 node, u32 dest, u32 path, bool any);
u32 tofu_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet);
bool tofu_path_stays_in_partition(const struct torus_fabric *f, u32 node, u32 dest, u32 path);
bool tofu_stays_in_partition(struct torus_fabric *f, u32 node, const struct torus_packet *packet);
u32 tofu_loop(struct torus_fabric *f, u32 node, const struct torus_packet *packet, u32 *ticks);
void tofu_image(const struct torus_packet *packet, u32 seq, u8 *bytes);
bool tofu_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet);
u32 tofu_packet_crc(const u8 *bytes, u32 len);

#endif
