/* SPDX-License-Identifier: GPL-2.0 */
/* Header of a packet; the ABI's header defines the bits. */
#ifndef TORUS_ARCH_TOFU_HEADER_H
#define TORUS_ARCH_TOFU_HEADER_H

#include "arch/tofu/geometry.h"

/**
 * struct tofu_header - parsed header of a packet
 *
 * @dest: coordinates of the destination
 * @fifo: reception FIFO at the destination, 0..7
 * @group: FIFO group at the destination
 * @path: 0..15
 * @order: enum tofu_order
 * @reserved: the bit that must be zero is set
 * @chunks: length of the packet, 1..64
 * @sw: 16 bits for software
 */
struct tofu_header {
	u32 dest[TOFU_AXES];
	u8 fifo;
	u8 group;
	u8 path;
	u8 order;
	bool reserved;
	u8 chunks;
	u16 sw;
};

void tofu_header_pack(const struct tofu_header *header, u8 *bytes);
void tofu_header_unpack(struct tofu_header *header, const u8 *bytes);
void tofu_header_seal(u8 *bytes, u16 seq);
bool tofu_header_intact(const u8 *bytes);

#endif
