/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The header flit (Abts et al. (2007), figure 1): "all the necessary routing fields
 * (destination[14:0], age[10:0], vc[2:0]) as well as a tail (t) bit". The ABI's header names the
 * bits, and the fields that this project adds.
 */
#ifndef TORUS_ARCH_XT_HEADER_H
#define TORUS_ARCH_XT_HEADER_H

#include "xt.h"

/**
 * struct xt_header - the fields of a header flit
 * @nid: destination, 0..32767
 * @age: router cycles waited, 0..2047
 * @vc: VC, 0..7
 * @tail: the packet has no other flit
 * @group: FIFO group at the destination
 * @reserved: bit 31 of word 0
 * @flits: flits of the packet, 1..16
 * @sw: twelve bits for software
 */
struct xt_header {
	u16 nid;
	u16 age;
	u8 vc;
	bool tail;
	u8 group;
	bool reserved;
	u8 flits;
	u16 sw;
};

void xt_header_pack(const struct xt_header *header, u8 *bytes);
void xt_header_unpack(struct xt_header *header, const u8 *bytes);
void xt_header_seal(u8 *bytes, u8 seq);
bool xt_header_intact(const u8 *bytes);

#endif
