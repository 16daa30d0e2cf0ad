/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: the Cray XT's packet header, field by field.
 *
 * For programs that want what only this machine has: a second class of packets with virtual
 * channels and FIFOs of its own, software's bits, the age.  Others write their headers with
 * torus_packet_begin() of <torus/torus.h>, on any machine.
 */
#ifndef TORUS_XT_H
#define TORUS_XT_H

#include <torus/torus.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum torus_xt_vc - the two classes, by the first of their virtual channels
 * @TORUS_XT_FIRST: VC 0 and 1, FIFO 0 each way: what torus_packet_begin() and messages take
 * @TORUS_XT_SECOND: VC 2 and 3, FIFO 1 each way
 *
 * Neither waits for the other's packets, but for the links that they share.
 */
enum torus_xt_vc {
	TORUS_XT_FIRST = 0,
	TORUS_XT_SECOND = 2,
};

/**
 * struct torus_xt_header - a Cray XT packet's header flit, unpacked
 * @node: number of the destination (NID), 0..32767
 * @vc: enum torus_xt_vc: its class
 * @group: FIFO group at the destination, 0 or 1
 * @flits: length in flits of 8 bytes, 1..9, the header flit included
 * @software: the twelve bits that software may use, 0..4095
 * @age: router cycles that it has waited, 0..2047; read only
 * @sequence: the hardware's; read only
 * @crc: the hardware's CRC-8; read only
 */
struct torus_xt_header {
	__u32 node;
	__u8 vc;
	__u8 group;
	__u8 flits;
	__u16 software;
	__u16 age;
	__u8 sequence;
	__u8 crc;
};

/* The injection FIFO that takes packets of a class, and the reception FIFO where they arrive. */
#define TORUS_XT_FIFO(vc)	((vc) / 2)

void torus_xt_header_init(struct torus_xt_header *header, __u32 node, __u32 group, size_t bytes);
int torus_xt_header_build(void *packet, const struct torus_xt_header *header);
void torus_xt_header_parse(const void *packet, struct torus_xt_header *header);

#ifdef __cplusplus
}
#endif

#endif /* TORUS_XT_H */
