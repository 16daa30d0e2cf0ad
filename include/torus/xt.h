/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: the fields of the Cray XT's packet header.
 *
 * For programs that use features of this machine only: the second class of packets, which has its
 * own virtual channels and FIFOs, the software bits, and the age.  Other programs write headers
 * with torus_packet_begin() of <torus/torus.h>, which works on every machine.
 */
#ifndef TORUS_XT_H
#define TORUS_XT_H

#include <torus/torus.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum torus_xt_vc - the two packet classes, named by the first of their virtual channels
 * @TORUS_XT_FIRST: VC 0 and 1, injection and reception FIFO 0; torus_packet_begin() and messages
 *                  use this class, except with TORUS_ROUTE_SECOND
 * @TORUS_XT_SECOND: VC 2 and 3, injection and reception FIFO 1
 *
 * Packets of one class wait for packets of the other only at the links that both classes share.
 */
enum torus_xt_vc {
	TORUS_XT_FIRST = 0,
	TORUS_XT_SECOND = 2,
};

/**
 * struct torus_xt_header - a Cray XT packet's header flit, unpacked
 * @node: number of the destination (NID), 0..32767
 * @vc: packet class, enum torus_xt_vc
 * @group: FIFO group at the destination, 0 or 1
 * @flits: length in flits of 8 bytes, 1..9, the header flit included
 * @software: twelve bits for use by software, 0..4095
 * @age: router cycles that the packet has waited, 0..2047; read only
 * @sequence: sequence number, written by the hardware; read only
 * @crc: CRC-8 of the header, written by the hardware; read only
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

/* Number of the injection FIFO and of the reception FIFO of a packet class. */
#define TORUS_XT_FIFO(vc)	((vc) / 2)

void torus_xt_header_init(struct torus_xt_header *header, __u32 node, __u32 group, size_t bytes);
int torus_xt_header_build(void *packet, const struct torus_xt_header *header);
void torus_xt_header_parse(const void *packet, struct torus_xt_header *header);

#ifdef __cplusplus
}
#endif

#endif /* TORUS_XT_H */
