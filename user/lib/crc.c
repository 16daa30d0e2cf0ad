// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32 (ISO-HDLC, polynomial 0x04C11DB7 reflected) of messages, four bytes at a
 * time.  Here rather than from zlib, so that a program which links this library
 * needs nothing else.
 */
#include "crc.h"

#define POLYNOMIAL	0xedb88320u

static __u32 table[4][256];
static unsigned char by_top[256];	/* index of table[0] by its entry's highest byte */

__attribute__((constructor)) static void crc_init(void)
{
	unsigned int i, j;

	for (i = 0; i < 256; i++) {
		__u32 crc = i;

		for (j = 0; j < 8; j++)
			crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
		table[0][i] = crc;
		by_top[crc >> 24] = i;
	}
	for (i = 0; i < 256; i++)
		for (j = 1; j < 4; j++)
			table[j][i] = table[j - 1][i] >> 8 ^ table[0][table[j - 1][i] & 0xff];
}

/**
 * torus_crc32_update() - CRC-32 of data that follows other data
 * @crc: of what comes before, 0 at the start
 * @data: the bytes
 * @bytes: their number
 *
 * Return: the CRC; 0xCBF43926 for "123456789".
 */
__u32 torus_crc32_update(__u32 crc, const void *data, size_t bytes)
{
	const unsigned char *at = data;

	crc = ~crc;
	for (; bytes >= 4; bytes -= 4, at += 4) {
		crc ^= at[0] | (__u32)at[1] << 8 | (__u32)at[2] << 16 | (__u32)at[3] << 24;
		crc = table[3][crc & 0xff] ^ table[2][crc >> 8 & 0xff] ^
		      table[1][crc >> 16 & 0xff] ^ table[0][crc >> 24];
	}
	for (; bytes; bytes--, at++)
		crc = crc >> 8 ^ table[0][(crc ^ *at) & 0xff];
	return ~crc;
}

/* One byte back: what stood there before a byte of 0 came. */
static __u32 back(__u32 state)
{
	unsigned int i = by_top[state >> 24];

	return (state ^ table[0][i]) << 8 | i;
}

/**
 * torus_crc32_undo() - take data away from the end
 * @crc: CRC-32 of something that ends with the data
 * @data: the bytes
 * @bytes: their number
 *
 * Return: the CRC-32 of what came before.
 */
__u32 torus_crc32_undo(__u32 crc, const void *data, size_t bytes)
{
	const unsigned char *at = (const unsigned char *)data + bytes;

	crc = ~crc;
	while (bytes--)
		crc = back(crc) ^ *--at;
	return ~crc;
}

/**
 * torus_crc32_between() - the four bytes that make one CRC of another
 * @before: CRC-32 of something
 * @after: of that and four bytes more
 *
 * Return: the four bytes as a big-endian word.
 */
__u32 torus_crc32_between(__u32 before, __u32 after)
{
	__u32 state = ~after;
	unsigned int i;

	for (i = 0; i < 4; i++)
		state = back(state);
	/* Byte by byte the four go into the lowest of the state. */
	return __builtin_bswap32(state ^ ~before);
}
