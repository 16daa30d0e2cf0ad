/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CRCs of headers, packets and links. IBM's polynomials are not public; these are standard ones.
 *
 *    header   CRC-8      0x07        SMBUS, init 0
 *    packet   CRC-16     0x1021      IBM-3740 (CCITT), init 0xffff: every error of up to 3 bits
 *             CRC-24     0x864cfb    OPENPGP, init 0xb704ce: every error of up to 3 bits
 *                        0x31ff19    init 0: every error of up to 4 bits
 *    link     CRC-32     0x04c11db7  ISO-HDLC, reflected
 *    other    CRC-32C    0x1edc6f41  Castagnoli, reflected: packets of machines that have it,
 *                                    sections of snapshots, images of routing tables
 *
 * All tables are constants, so there is no function for initialization.
 */
#ifndef TORUS_CORE_CRC_H
#define TORUS_CORE_CRC_H

#include "core/platform.h"

enum {
	TORUS_CRC8_INIT = 0,
	TORUS_CRC16_INIT = 0xffff,
	TORUS_CRC24_INIT = 0xb704ce,
	TORUS_CRC24_STRONG_INIT = 0,
};

#define TORUS_CRC32_INIT	0xffffffffu
#define TORUS_CRC24_BYTES	3

/**
 * torus_crc8() - CRC-8 0x07 of a packet's header
 * @crc: TORUS_CRC8_INIT, or the CRC of the bytes before @data
 * @len: bytes in @data
 *
 * Adiga et al. (2005), Torus network: a byte-wide CRC detects damaged headers early; the packet's
 * CRC covers the header too.  Hamming distance 4 over the 56 + 8 bits of a header.
 */
u8 torus_crc8(u8 crc, const void *data, size_t len);

/**
 * torus_crc16() - CRC-16 0x1021 (IBM-3740) of a packet
 * @crc: TORUS_CRC16_INIT, or the CRC of the bytes before @data
 * @len: bytes in @data
 *
 * For machines whose packets are short: Hamming distance 4 up to 4093 bytes and their CRC.
 *
 * Return: the CRC, most significant byte first on the wire.
 */
u16 torus_crc16(u16 crc, const void *data, size_t len);

/**
 * torus_crc24() - CRC-24 0x864cfb (OPENPGP) of a packet
 * @crc: TORUS_CRC24_INIT, or the CRC of the bytes before @data
 * @len: bytes in @data
 *
 * Adiga et al. (2005), Torus network: a 24-bit CRC at the end of each packet.  Hamming distance 4
 * up to 256 bytes and their CRC.
 *
 * Return: the CRC, 0 .. 0xffffff, most significant byte first on the wire.
 */
u32 torus_crc24(u32 crc, const void *data, size_t len);

/**
 * torus_crc24_strong() - CRC-24 0x31ff19 of a packet
 * @crc: TORUS_CRC24_STRONG_INIT, or the CRC of the bytes before @data
 * @len: bytes in @data
 *
 * Same use as torus_crc24(), but Hamming distance 5 up to 260 bytes and their CRC.
 *
 * Return: the CRC, 0 .. 0xffffff.
 */
u32 torus_crc24_strong(u32 crc, const void *data, size_t len);

/**
 * torus_crc32_extend() - update a link's CRC-32 (ISO-HDLC) with more bytes
 * @state: TORUS_CRC32_INIT, or the state after the bytes before @data
 * @len: bytes in @data
 *
 * Adiga et al. (2005), Torus network: both ends of a link keep a 32-bit CRC over all data packets
 * that crossed it successfully.  The two are compared while the link is idle.
 *
 * Return: the state; torus_crc32_value() converts the state to the CRC.
 */
u32 torus_crc32_extend(u32 state, const void *data, size_t len);

/**
 * struct torus_crc32_zeros - effect of a fixed number of zero bytes on a CRC-32's state
 * @by: effect by nibble of the state, lowest nibble first
 */
struct torus_crc32_zeros {
	u32 by[8][16];
};

/**
 * torus_crc32_zeros_init() - compute the effect of @len zero bytes
 * @zeros: [out] tables of the effect
 * @len: number of zero bytes
 */
void torus_crc32_zeros_init(struct torus_crc32_zeros *zeros, size_t len);

/**
 * torus_crc32_zeros_join() - combine the effects of two runs of zero bytes
 * @zeros: [out] effect of both runs together
 * @first: effect of the first run
 * @then: effect of the second run
 */
void torus_crc32_zeros_join(struct torus_crc32_zeros *zeros, const struct torus_crc32_zeros *first,
			    const struct torus_crc32_zeros *then);

/**
 * torus_crc32_zeros() - update a CRC-32's state with zero bytes
 * @zeros: effect of these zero bytes, from torus_crc32_zeros_init()
 * @state: state before the zero bytes
 *
 * Return: the state after the zero bytes.
 */
torus_inline u32 torus_crc32_zeros(const struct torus_crc32_zeros *zeros, u32 state)
{
	return zeros->by[0][state & 15] ^ zeros->by[1][state >> 4 & 15] ^
	       zeros->by[2][state >> 8 & 15] ^ zeros->by[3][state >> 12 & 15] ^
	       zeros->by[4][state >> 16 & 15] ^ zeros->by[5][state >> 20 & 15] ^
	       zeros->by[6][state >> 24 & 15] ^ zeros->by[7][state >> 28];
}

/**
 * torus_crc32c_update() - update a CRC-32C (Castagnoli) with more bytes
 * @state: TORUS_CRC32_INIT, or the state after the bytes before @data
 * @len: bytes in @data
 *
 * Return: the state; torus_crc32_value() converts the state to the CRC.
 */
u32 torus_crc32c_update(u32 state, const void *data, size_t len);

/**
 * torus_crc32_value() - convert a state to the CRC-32 or CRC-32C
 * @state: result of torus_crc32_extend() or torus_crc32c_update()
 */
torus_inline u32 torus_crc32_value(u32 state)
{
	return state ^ 0xffffffffu;
}

#endif /* TORUS_CORE_CRC_H */
