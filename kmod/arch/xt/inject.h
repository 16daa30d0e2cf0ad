/* SPDX-License-Identifier: GPL-2.0 */
/* Packets of software: validated, built, and read back from the wire. */
#ifndef TORUS_ARCH_XT_INJECT_H
#define TORUS_ARCH_XT_INJECT_H

#include "arch/xt/xt.h"

u32 xt_size(const u8 *bytes);
u32 xt_check(struct torus_fabric *f, u32 node, u32 group, u32 fifo, bool priority,
	     const u8 *bytes, struct torus_packet *packet);
bool xt_sane(const struct torus_fabric *f, u32 node, const struct torus_packet *packet);
void xt_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks);
u32 xt_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet);
bool xt_stays_in_partition(struct torus_fabric *f, u32 node, const struct torus_packet *packet);
u32 xt_loop(struct torus_fabric *f, u32 node, const struct torus_packet *packet, u32 *ticks);
void xt_image(const struct torus_packet *packet, u32 seq, u8 *bytes);
bool xt_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet);
u32 xt_packet_crc(const u8 *bytes, u32 len);

#endif
