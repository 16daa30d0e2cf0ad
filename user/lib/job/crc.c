// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32 of messages by zlib, and what it says of bytes that are not there.
 *
 * With zlib's conditioning at both ends,
 *
 *	crc(A B) = crc(A) * x^(8 * length of B) + crc(B)
 *
 * in the field of polynomials modulo the CRC's own, where + is exclusive or.  That
 * polynomial is primitive, so x^(2^32 - 1) is 1, and bytes are taken back by
 * multiplying with the rest of the way round.
 */
#include <zlib.h>
#include "crc.h"

#define ORDER	0xffffffffull	/* of x */

/*
 * x^(8 * @bytes) for zlib, whose type of an offset may have 32 bits: the product of two halves.
 * @bytes may be negative.
 */
static uLong crc32_power(__s64 bytes)
{
	__s64 rest = bytes % (__s64)ORDER, half;

	rest += rest < 0 ? (__s64)ORDER : 0;
	half = rest / 2;
	return crc32_combine_op(crc32_combine_gen(half), 0, crc32_combine_gen(rest - half));
}

/*
 * @crc * x^(8 * @bytes); @bytes may be negative.  Finding that power takes over a thousand steps,
 * and the packets of a job need the same two powers again and again.
 */
static __u32 lib_crc32_shift(__u32 crc, __s64 bytes)
{
	static _Thread_local struct {
		__s64 bytes;
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
 * torus_lib_crc32() - CRC-32 of data that follows other data
 * @crc: of what comes before, 0 at the start
 * @data: the bytes; may be NULL when there are none
 * @bytes: their number
 *
 * Return: the CRC; 0xCBF43926 for "123456789".
 */
__u32 torus_lib_crc32(__u32 crc, const void *data, size_t bytes)
{
	/* To zlib a NULL means "begin". */
	return bytes ? crc32_z(crc, data, bytes) : crc;
}

/**
 * torus_lib_crc32_undo() - take data away from the end
 * @crc: CRC-32 of something that ends with the data
 * @data: the bytes
 * @bytes: their number, less than 2^32 - 1
 *
 * Return: the CRC-32 of what came before.
 */
__u32 torus_lib_crc32_undo(__u32 crc, const void *data, size_t bytes)
{
	return lib_crc32_shift(crc ^ torus_lib_crc32(0, data, bytes), -(__s64)bytes);
}

/**
 * torus_lib_crc32_ripple() - by what a CRC differs if four bytes before its end do
 * @word: by what they differ, as a big-endian word
 * @bytes: that follow them, the same in both
 *
 * Return: exclusive or of the two CRC-32.
 */
__u32 torus_lib_crc32_ripple(__u32 word, size_t bytes)
{
	__u32 changed = __builtin_bswap32(word);

	/* The register takes them up as torus_lib_crc32_between() says. */
	return word ? lib_crc32_shift(changed, (__s64)bytes + 4) : 0;
}

/**
 * torus_lib_crc32_unripple() - by what four bytes differ if the CRC does by so much
 * @changed: exclusive or of the two CRC-32
 * @bytes: that follow the four, the same in both
 *
 * Return: exclusive or of the four bytes, as a big-endian word.
 */
__u32 torus_lib_crc32_unripple(__u32 changed, size_t bytes)
{
	return __builtin_bswap32(lib_crc32_shift(changed, -((__s64)bytes + 4)));
}

/**
 * torus_lib_crc32_between() - the four bytes that make one CRC of another
 * @before: CRC-32 of something
 * @after: of that and four bytes more
 *
 * The register of a CRC, which is its complement, takes four bytes up at once:
 * it is ~after = (~before + bytes) * x^32.
 *
 * Return: the four bytes as a big-endian word.
 */
__u32 torus_lib_crc32_between(__u32 before, __u32 after)
{
	return __builtin_bswap32(~before ^ lib_crc32_shift(~after, -4));
}
