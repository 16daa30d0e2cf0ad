/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: the fields of Blue Gene/L's packet header.
 *
 * For programs that use features of this machine only: hint bits, the deposit bit, bytes that the
 * injection checksum skips.  Other programs write headers with torus_packet_begin() of
 * <torus/torus.h>, which works on every machine.
 */
#ifndef TORUS_BGL_H
#define TORUS_BGL_H

#include <torus/torus.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct torus_bgl_header - a Blue Gene/L packet's hardware header, unpacked
 * @csum_skip: number of 2-byte units that the injection checksum skips, 0..127
 * @skip: exclude the whole packet from the injection checksum (Sk)
 * @hints: TORUS_BGL_HINT_*; 0: the hardware computes the hint bits
 * @deposit: leave a copy at every node of the line (Dp)
 * @group: FIFO group at the destination (Pid), 0 or 1
 * @chunks: length in 32-byte chunks, 1..8, headers included
 * @software: two bits for use by software, 0..3
 * @dynamic: use dynamic routing
 * @vc: enum torus_bgl_vc
 * @dest: coordinates of the destination
 * @sequence: sequence number, written by the hardware; read only
 * @crc: CRC-8 of the header, written by the hardware; read only
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
