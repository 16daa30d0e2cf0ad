/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The CRCs of headers, packets and links.  IBM's polynomials are not public;
 * these are named standard ones (reference/crc.md).
 *
 *   header   CRC-8      0x07        SMBUS, init 0
 *   packet   CRC-16     0x1021      IBM-3740 (CCITT), init 0xffff: every error of up to 3 bits
 *            CRC-24     0x864cfb    OPENPGP, init 0xb704ce: every error of up to 3 bits
 *                       0x31ff19    init 0: every error of up to 4 bits
 *   link     CRC-32     0x04c11db7  ISO-HDLC, reflected
 *            CRC-32C    0x1edc6f41  Castagnoli, reflected: for machines whose packets have it
 *
 * All tables are constants: nothing must be called first.
 */
#ifndef TORUS_CORE_CRC_H
#define TORUS_CORE_CRC_H

#include "core/env.h"

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
 * @crc: TORUS_CRC8_INIT, or the CRC of what stands before @data
 * @data: the bytes
 * @len: their number
 *
 * Adiga et al. (2005), Torus network: a byte-wide CRC detects damaged headers early; the
 * packet's CRC covers the header too.  Hamming distance 4 over the 56 + 8 bits of a
 * header.
 *
 * Return: the CRC.
 */
u8 torus_crc8(u8 crc, const void *data, size_t len);

/**
 * torus_crc16() - CRC-16 0x1021 (IBM-3740) of a packet
 * @crc: TORUS_CRC16_INIT, or the CRC of what stands before @data
 * @data: the bytes
 * @len: their number
 *
 * For machines whose packets are short: Hamming distance 4 up to 4094 bytes and their CRC.
 *
 * Return: the CRC, most significant byte first on the wire.
 */
u16 torus_crc16(u16 crc, const void *data, size_t len);

/**
 * torus_crc24() - CRC-24 0x864cfb (OPENPGP) of a packet
 * @crc: TORUS_CRC24_INIT, or the CRC of what stands before @data
 * @data: the bytes
 * @len: their number
 *
 * Adiga et al. (2005), Torus network: a 24-bit CRC at the end of each packet.  Hamming
 * distance 4 up to 256 bytes and their CRC.
 *
 * Return: the CRC, 0 .. 0xffffff, most significant byte first on the wire.
 */
u32 torus_crc24(u32 crc, const void *data, size_t len);

/**
 * torus_crc24_strong() - CRC-24 0x31ff19 of a packet
 * @crc: TORUS_CRC24_STRONG_INIT, or the CRC of what stands before @data
 * @data: the bytes
 * @len: their number
 *
 * As torus_crc24(), with Hamming distance 5 up to 260 bytes and their CRC.
 *
 * Return: the CRC, 0 .. 0xffffff.
 */
u32 torus_crc24_strong(u32 crc, const void *data, size_t len);

/**
 * torus_crc32_extend() - a link's CRC-32 (ISO-HDLC) over more bytes
 * @state: TORUS_CRC32_INIT, or the state after what stands before @data
 * @data: the bytes
 * @len: their number
 *
 * Adiga et al. (2005), Torus network: both ends of a link keep a 32-bit CRC over all data
 * packets that crossed it successfully.  The two are compared while the link is idle.
 *
 * Return: the state; torus_crc32_value() makes the CRC of it.
 */
u32 torus_crc32_extend(u32 state, const void *data, size_t len);

/**
 * struct torus_crc32_zeros - what a number of zero bytes does to a CRC-32's state
 * @by: by the nibbles of the state, from the lowest on
 */
struct torus_crc32_zeros {
	u32 by[8][16];
};

/**
 * torus_crc32_zeros_init() - find it out
 * @zeros: out
 * @len: bytes
 */
void torus_crc32_zeros_init(struct torus_crc32_zeros *zeros, size_t len);

/**
 * torus_crc32_zeros_join() - of two numbers of zero bytes find out what as many do as both together
 * @zeros: out
 * @first: the one
 * @then: the other
 */
void torus_crc32_zeros_join(struct torus_crc32_zeros *zeros, const struct torus_crc32_zeros *first,
			    const struct torus_crc32_zeros *then);

/**
 * torus_crc32_zeros() - a CRC-32 over zero bytes
 * @zeros: how many
 * @state: the state before them
 *
 * Return: the state behind them.
 */
torus_inline u32 torus_crc32_zeros(const struct torus_crc32_zeros *zeros, u32 state)
{
	return zeros->by[0][state & 15] ^ zeros->by[1][state >> 4 & 15] ^
	       zeros->by[2][state >> 8 & 15] ^ zeros->by[3][state >> 12 & 15] ^
	       zeros->by[4][state >> 16 & 15] ^ zeros->by[5][state >> 20 & 15] ^
	       zeros->by[6][state >> 24 & 15] ^ zeros->by[7][state >> 28];
}

/**
 * torus_crc32c_update() - CRC-32C (Castagnoli) over more bytes
 * @state: TORUS_CRC32_INIT, or the state after what stands before @data
 * @data: the bytes
 * @len: their number
 *
 * Return: the state; torus_crc32_value() makes the CRC of it.
 */
u32 torus_crc32c_update(u32 state, const void *data, size_t len);

/**
 * torus_crc32_value() - the CRC-32 or CRC-32C of a state
 * @state: what torus_crc32_extend() or torus_crc32c_update() gave
 *
 * Return: the CRC.
 */
torus_inline u32 torus_crc32_value(u32 state)
{
	return state ^ 0xffffffffu;
}

#endif /* TORUS_CORE_CRC_H */
