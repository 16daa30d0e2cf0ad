/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: Blue Gene/L's packet header, field by field.
 *
 * For programs that want what only this machine has: hint bits, the deposit bit, the
 * injection checksum's skip.  Others write their headers with torus_packet_begin() of
 * <torus/torus.h>, on any machine.
 */
#ifndef TORUS_BGL_H
#define TORUS_BGL_H

#include <torus/torus.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct torus_bgl_header - a Blue Gene/L packet's hardware header, unpacked
 * @csum_skip: 2-byte units left out of the injection checksum, 0..127
 * @skip: leave the whole packet out of the injection checksum (Sk)
 * @hints: TORUS_BGL_HINT_*; 0: the hardware computes them
 * @deposit: Dp, leave a copy at every node of the line
 * @group: FIFO group at the destination (Pid), 0 or 1
 * @chunks: length in 32-byte chunks, 1..8, headers included
 * @software: the two bits that software may use, 0..3
 * @dynamic: dynamic routing
 * @vc: enum torus_bgl_vc
 * @dest: coordinates of the destination
 * @sequence: the hardware's; read only
 * @crc: the hardware's CRC-8; read only
 */
struct torus_bgl_header {
	__u8 csum_skip;
	bool skip;
	__u8 hints;
	bool deposit;
	__u8 group;
	__u8 chunks;
	__u8 software;
	bool dynamic;
	__u8 vc;
	__u8 dest[3];
	__u8 sequence;
	__u8 crc;
};

void torus_bgl_header_init(struct torus_bgl_header *header, enum torus_route route,
			   const __u32 dest[3], __u32 group, size_t bytes);
int torus_bgl_header_build(void *packet, const struct torus_bgl_header *header);
void torus_bgl_header_parse(const void *packet, struct torus_bgl_header *header);

#ifdef __cplusplus
}
#endif

#endif /* TORUS_BGL_H */
