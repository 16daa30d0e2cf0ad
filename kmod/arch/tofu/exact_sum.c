// SPDX-License-Identifier: GPL-2.0
/* Order-independent sum of doubles, as two fixed-point integers: see exact_sum.h. */
#include "arch/tofu/exact_sum.h"

#define BAND			TOFU_SUM_BAND_BITS
#define MANTISSA_BITS		52u
#define MANTISSA_ONE		(1ull << MANTISSA_BITS)
#define EXPONENT_MAX		0x7ffu
#define DOUBLE_INFINITY		((u64)EXPONENT_MAX << MANTISSA_BITS)
#define DOUBLE_MINUS		(1ull << 63)
#define DOUBLE_NAN		(DOUBLE_INFINITY | 1ull << 51)
#define WIDE_LIMBS		5u	/* 64-bit words of both numbers combined: 144 + 112 bits */
#define LOW_BYTES		18u	/* bytes of a number in a packet, without band and flags */

/* Sign-extend a number of 144 bits (two's complement) to the 192 bits that store it. */
static void number_wrap(u64 *number)
{
	number[2] = (u64)((s64)(number[2] << 48) >> 48);
}

static void limbs_add(u64 *limbs, const u64 *more, u32 count)
{
	u64 carry = 0;
	u32 i;

	for (i = 0; i < count; i++) {
		u64 sum = limbs[i] + carry;

		carry = sum < carry;
		limbs[i] = sum + more[i];
		carry += limbs[i] < sum;
	}
}

static void limbs_negate(u64 *limbs, u32 count)
{
	u64 carry = 1;
	u32 i;

	for (i = 0; i < count; i++) {
		limbs[i] = ~limbs[i] + carry;
		carry = carry && !limbs[i];
	}
}

static void number_add(u64 *number, const u64 *more)
{
	limbs_add(number, more, TOFU_SUM_LIMBS);
	number_wrap(number);
}

/* Store @value * 2^@shift in a number that is 0. The product must fit in a band. */
static void number_set(u64 *number, u64 value, u32 shift)
{
	u32 limb = shift / 64, bit = shift % 64;

	number[limb] = value << bit;
	if (bit)
		number[limb + 1] = value >> (64 - bit);
}

/*
 * Initialize a sum with one value.
 *
 * @sum: [out] the sum
 * @value: the bits of a double
 */
void tofu_sum_set(struct tofu_sum *sum, u64 value)
{
	u32 exponent = (u32)(value >> MANTISSA_BITS) & EXPONENT_MAX, place, band;
	u64 mantissa = value & (MANTISSA_ONE - 1);
	bool minus = value & DOUBLE_MINUS;

	memset(sum, 0, sizeof(*sum));
	if (exponent == EXPONENT_MAX) {
		sum->flags = TOFU_SUM_NOT_MINUS_ZERO;
		sum->flags |= mantissa ? TOFU_SUM_NAN :
			      minus ? TOFU_SUM_MINUS_INFINITY : TOFU_SUM_INFINITY;
		return;
	}
	if (exponent)
		mantissa |= MANTISSA_ONE;
	if (mantissa || !minus)
		sum->flags = TOFU_SUM_NOT_MINUS_ZERO;
	if (!mantissa)
		return;
	/*
	 * position of the mantissa's lowest bit, the same for subnormals and the smallest normals
	 */
	place = exponent ? exponent - 1 : 0;
	band = (place + 63 - (u32)__builtin_clzll(mantissa)) / BAND;
	sum->band = (u16)(band + 1);
	if (place >= band * BAND) {
		number_set(sum->upper, mantissa, place - band * BAND);
	} else {
		u32 below = band * BAND - place;

		number_set(sum->upper, mantissa >> below, 0);
		number_set(sum->lower, mantissa & ((1ull << below) - 1), BAND - below);
	}
	if (minus) {
		limbs_negate(sum->upper, TOFU_SUM_LIMBS);
		limbs_negate(sum->lower, TOFU_SUM_LIMBS);
	}
}

/* Add @more to @sum. The result does not depend on the order or grouping of additions. */
void tofu_sum_add(struct tofu_sum *sum, const struct tofu_sum *more)
{
	u16 flags = sum->flags | more->flags;

	if (more->band == sum->band) {
		number_add(sum->upper, more->upper);
		number_add(sum->lower, more->lower);
	} else if (more->band + 1 == sum->band) {
		number_add(sum->lower, more->upper);
	} else if (more->band > sum->band) {
		struct tofu_sum below = *sum;

		*sum = *more;
		if (below.band + 1 == sum->band)
			number_add(sum->lower, below.upper);
	}
	sum->flags = flags;
}

/* Compute upper * 2^112 + lower. */
static void wide_set(u64 *wide, const struct tofu_sum *sum)
{
	const u64 *upper = sum->upper;
	u64 sign = (u64)((s64)upper[2] >> 63);
	u64 shifted[WIDE_LIMBS] = {
		0, upper[0] << 48, upper[0] >> 16 | upper[1] << 48,
		upper[1] >> 16 | upper[2] << 48, upper[2] >> 16 | sign << 48,
	};

	memcpy(wide, sum->lower, sizeof(sum->lower));
	wide[3] = (u64)((s64)sum->lower[2] >> 63);
	wide[4] = wide[3];
	limbs_add(wide, shifted, WIDE_LIMBS);
}

/* Return the position of the highest set bit, -1 if none is set. */
static s32 wide_top(const u64 *wide)
{
	u32 i;

	for (i = WIDE_LIMBS; i--;)
		if (wide[i])
			return (s32)(64 * i) + 63 - __builtin_clzll(wide[i]);
	return -1;
}

/*
 * Return wide / 2^@drop rounded to the nearest integer, ties to even. The result is at most
 * 2^53.
 */
static u64 wide_round(const u64 *wide, u32 drop)
{
	u32 limb = drop / 64, bit = drop % 64, half = (drop - 1) / 64, i;
	u64 kept = wide[limb] >> bit, below;

	if (bit && limb + 1 < WIDE_LIMBS)
		kept |= wide[limb + 1] << (64 - bit);
	if (!(wide[half] >> ((drop - 1) % 64) & 1))
		return kept;
	below = wide[half] & ((1ull << (drop - 1) % 64) - 1);
	for (i = 0; i < half; i++)
		below |= wide[i];
	return kept + (below || kept & 1);
}

/*
 * Convert a sum to the bits of a double.
 *
 * The sum is rounded once, to nearest, ties to even. A sum that is too large becomes an
 * infinity. A NaN, or infinities of both signs, give the one quiet NaN 0x7ff8000000000000. A
 * sum of zero is +0, except that a sum of -0 only is -0.
 */
u64 tofu_sum_value(const struct tofu_sum *sum)
{
	const u16 both = TOFU_SUM_INFINITY | TOFU_SUM_MINUS_INFINITY;
	/*
	 * positions of bits, counted from 2^-1074. @unit: unit of the lower number, @last: last bit
	 * of the double
	 */
	s32 unit = (s32)BAND * ((s32)sum->band - 2), top, last, drop;
	u64 wide[WIDE_LIMBS], value;
	bool minus;

	if (sum->flags & TOFU_SUM_NAN || (sum->flags & both) == both)
		return DOUBLE_NAN;
	if (sum->flags & both)
		return DOUBLE_INFINITY | (sum->flags & TOFU_SUM_INFINITY ? 0 : DOUBLE_MINUS);
	wide_set(wide, sum);
	minus = wide[WIDE_LIMBS - 1] >> 63;
	if (minus)
		limbs_negate(wide, WIDE_LIMBS);
	top = wide_top(wide);
	if (top < 0)
		return sum->flags & TOFU_SUM_NOT_MINUS_ZERO ? 0 : DOUBLE_MINUS;
	last = top + unit - (s32)MANTISSA_BITS;
	if (last < 0)
		last = 0;
	drop = last - unit;
	value = drop > 0 ? wide_round(wide, (u32)drop) : wide[0] << -drop;
	/*
	 * the addition lets the mantissa's leading bit, or a carry of the rounding, increment the
	 * exponent
	 */
	value += (u64)last << MANTISSA_BITS;
	if (value > DOUBLE_INFINITY)
		value = DOUBLE_INFINITY;
	return minus ? value | DOUBLE_MINUS : value;
}

static void number_pack(const u64 *number, u32 head, u8 *bytes)
{
	u32 i;

	bytes[0] = (u8)(head >> 8);
	bytes[1] = (u8)head;
	for (i = 0; i < LOW_BYTES; i++)
		bytes[TOFU_SUM_NUMBER_BYTES - 1 - i] = (u8)(number[i / 8] >> 8 * (i % 8));
}

static u32 number_unpack(u64 *number, const u8 *bytes)
{
	u32 i;

	memset(number, 0, sizeof(u64) * TOFU_SUM_LIMBS);
	for (i = 0; i < LOW_BYTES; i++)
		number[i / 8] |= (u64)bytes[TOFU_SUM_NUMBER_BYTES - 1 - i] << 8 * (i % 8);
	number_wrap(number);
	return (u32)bytes[0] << 8 | bytes[1];
}

static bool number_zero(const u64 *number)
{
	return !(number[0] | number[1] | number[2]);
}

/*
 * Serialize a sum.
 *
 * @bytes: [out] TOFU_SUM_BYTES: the upper number, then the lower one. Each has 16 bits for
 *     flags and 1 + its band (0: none), and 144 bits of two's complement, most significant byte
 *     first.
 *
 * The flags are in bits 15 to 12 of the upper number's first 16 bits; the lower number has
 * none.
 */
void tofu_sum_pack(const struct tofu_sum *sum, u8 *bytes)
{
	number_pack(sum->upper, sum->flags | sum->band, bytes);
	number_pack(sum->lower, sum->band ? sum->band - 1u : 0, bytes + TOFU_SUM_NUMBER_BYTES);
}

/*
 * Parse a sum that tofu_sum_pack() has serialized.
 *
 * @sum: [out] the sum
 * @bytes: TOFU_SUM_BYTES
 *
 * Return: false if the bytes are not a valid sum: a band out of range, bands that are not
 * neighbours, or a number without a band that is not zero.
 */
bool tofu_sum_unpack(struct tofu_sum *sum, const u8 *bytes)
{
	u32 head = number_unpack(sum->upper, bytes), below;

	below = number_unpack(sum->lower, bytes + TOFU_SUM_NUMBER_BYTES);
	sum->flags = (u16)(head & TOFU_SUM_FLAGS);
	sum->band = (u16)(head & ~TOFU_SUM_FLAGS);
	if (sum->band > TOFU_SUM_BANDS || below != (sum->band ? sum->band - 1u : 0))
		return false;
	return (sum->band || number_zero(sum->upper)) && (below || number_zero(sum->lower));
}
