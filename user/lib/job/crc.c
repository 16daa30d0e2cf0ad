// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32 of messages by zlib, and the reverse: compute bytes from their CRC.
 *
 * With zlib's conditioning at both ends,
 *
 *	crc(A B) = crc(A) * x^(8 * length of B) + crc(B)
 *
 * in the field of polynomials modulo the CRC's polynomial, where + is exclusive or.  The polynomial
 * is primitive, so x^(2^32 - 1) is 1.  So a multiplication with the inverse power removes bytes
 * from a CRC.
 */
#include <zlib.h>
#include "crc.h"

#define ORDER	0xffffffffull	/* order of x */

/*
 * Compute x^(8 * @bytes) as a product of two powers, because the type z_off_t of zlib may have only
 * 32 bits.  @bytes may be negative.
 */
static uLong crc32_power(int64_t bytes)
{
	int64_t rest = bytes % (int64_t)ORDER, half;

	rest += rest < 0 ? (int64_t)ORDER : 0;
	half = rest / 2;
	return crc32_combine_op(crc32_combine_gen(half), 0, crc32_combine_gen(rest - half));
}

/*
 * Compute @crc * x^(8 * @bytes); @bytes may be negative.  Finding the power takes over a thousand
 * steps.  So the last power of each sign is cached.  The narrow format needs one of each.
 * torus_msg_dest(), for the other format, needs two negative ones, which replace each other.
 */
static uint32_t lib_crc32_shift(uint32_t crc, int64_t bytes)
{
	static _Thread_local struct {
		int64_t bytes;
		uLong power;
	} kept[2];
	unsigned int which = bytes < 0;

	if (kept[which].bytes != bytes) {
		kept[which].power = crc32_power(bytes);
		kept[which].bytes = bytes;
	}
	return bytes ? crc32_combine_op(crc, 0, kept[which].power) : crc;
}

/**
 * torus_lib_crc32() - compute the CRC-32 of data that follows other data
 * @crc: CRC-32 of the preceding data, 0 at the start
 * @data: the bytes; may be NULL if @bytes is 0
 * @bytes: number of bytes
 *
 * Return: the CRC; 0xCBF43926 for "123456789".
 */
uint32_t torus_lib_crc32(uint32_t crc, const void *data, size_t bytes)
{
	/* Do not pass NULL to zlib, which would start a new CRC. */
	return bytes ? crc32_z(crc, data, bytes) : crc;
}

/**
 * torus_lib_crc32_undo() - remove data from the end of a CRC-32
 * @crc: CRC-32 of bytes that end with the data
 * @data: the data
 * @bytes: length of the data, less than 2^32 - 1
 *
 * Return: CRC-32 of the bytes before the data.
 */
uint32_t torus_lib_crc32_undo(uint32_t crc, const void *data, size_t bytes)
{
	return lib_crc32_shift(crc ^ torus_lib_crc32(0, data, bytes), -(int64_t)bytes);
}

/**
 * torus_lib_crc32_ripple() - compute how a CRC-32 changes when four of its bytes change
 * @word: exclusive or of the old and new four bytes, as a big-endian word
 * @bytes: number of unchanged bytes that follow
 *
 * Return: exclusive or of the old and new CRC-32.
 */
uint32_t torus_lib_crc32_ripple(uint32_t word, size_t bytes)
{
	uint32_t changed = __builtin_bswap32(word);

	/*
	 * See torus_lib_crc32_between(): four bytes are added to the register and multiplied by
	 * x^32.
	 */
	return word ? lib_crc32_shift(changed, (int64_t)bytes + 4) : 0;
}

/**
 * torus_lib_crc32_unripple() - compute the change of four bytes from the change of the CRC-32
 * @changed: exclusive or of the two CRC-32
 * @bytes: number of bytes after these four, which are equal
 *
 * Return: exclusive or of the four bytes, as a big-endian word.
 */
uint32_t torus_lib_crc32_unripple(uint32_t changed, size_t bytes)
{
	return __builtin_bswap32(lib_crc32_shift(changed, -((int64_t)bytes + 4)));
}

/**
 * torus_lib_crc32_between() - compute the four bytes between two CRC-32
 * @before: CRC-32 of some bytes
 * @after: CRC-32 of these and four more bytes
 *
 * The register of a CRC, which is its complement, takes four bytes at once: ~after = (~before +
 * bytes) * x^32.
 *
 * Return: the four bytes as a big-endian word.
 */
uint32_t torus_lib_crc32_between(uint32_t before, uint32_t after)
{
	return __builtin_bswap32(~before ^ lib_crc32_shift(~after, -4));
}
