/* SPDX-License-Identifier: GPL-2.0 */
/* Random streams, and the integer logarithm for exponential distributions. */
#ifndef TORUS_CORE_RANDOM_H
#define TORUS_CORE_RANDOM_H

#include "core/platform.h"

/* Draw 64 bits with xorshift64*; the state is never 0. */
torus_inline u64 torus_random(u64 *state)
{
	u64 x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dull;
}

/* Seed an independent stream for (@seed, @kind, @index). */
torus_inline u64 torus_random_seed(u64 seed, u64 kind, u64 index)
{
	return torus_mix(torus_mix(seed + kind * 0x632be59bd9b4e019ull) ^ torus_mix(~index)) | 1;
}

/* Draw a uniform number in 0 .. @n - 1. */
torus_inline u32 torus_random_below(u64 *state, u32 n)
{
	return (u32)((torus_random(state) >> 32) * n >> 32);
}

/* Multiply @a by @b, shift right by @shift (0 to 64), return the low 64 bits. */
torus_inline u64 torus_mul_shift(u64 a, u64 b, u32 shift)
{
#ifdef __SIZEOF_INT128__
	return (u64)((unsigned __int128)a * b >> shift);
#else
	/* without a 128-bit type: four products of 32-bit halves */
	u64 low = (u64)(u32)a * (u32)b, cross = (a >> 32) * (u32)b + (low >> 32);
	u64 other = (u64)(u32)a * (b >> 32) + (u32)cross;
	u64 high = (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);

	low = other << 32 | (u32)low;
	if (shift == 0)
		return low;
	return shift == 64 ? high : high << (64 - shift) | low >> shift;
#endif
}

#define TORUS_LN2_Q32	2977044472ull	/* ln 2 in units of 2^-32 */

/**
 * torus_log2_q26() - compute a binary logarithm
 * @x: at least 1
 *
 * Each squaring yields one bit, so the result is exact to about its 26th bit.
 *
 * Return: log2(x) in units of 2^-26.
 */
torus_inline u64 torus_log2_q26(u64 x)
{
	u32 e = 63 - (u32)__builtin_clzll(x), i;
	u64 m = x << (63 - e);		/* 1.0 <= m < 2.0, in units of 2^-63 */
	u64 log = e;

	for (i = 0; i < 26; i++) {
		u64 sq = torus_mul_shift(m, m, 64);	/* units of 2^-62 */

		log <<= 1;
		if (sq >> 63) {
			log |= 1;
			m = sq;
		} else {
			m = sq << 1;
		}
	}
	return log;
}

/**
 * struct torus_logs - table of logarithms for interpolation
 * @q31: log2(1 + i / 256) in units of 2^-31
 * @inverse: 1 / (256 + i) in units of 2^-48, rounded up, so that the multiplication yields the
 *   exact quotient of a dividend of 39 bits
 *
 * The natural logarithm of 1 + e, where e < 2^-8 is the remainder after the table's entry, is
 * approximated by e - e^2 / 2. The error is below 2^-25.
 */
struct torus_logs {
	u32 q31[257];
	u64 inverse[256];
};

torus_inline void torus_logs_init(struct torus_logs *logs)
{
	u32 i;

	for (i = 0; i <= 256; i++)
		logs->q31[i] = (u32)((torus_log2_q26(256 + i) - (8ull << 26)) << 5);
	for (i = 0; i < 256; i++)
		logs->inverse[i] = ((1ull << 48) + 255 + i) / (256 + i);
}

/*
 * Draw an exponential gap faster than torus_random_exponential(), with a logarithm that is exact to
 * about 25 bits.
 */
torus_inline u64 torus_random_exponential_fast(u64 *state, u64 mean, const struct torus_logs *logs)
{
	u64 x = torus_random(state) | 1, m, rest, ln;
	u32 e = 63 - (u32)__builtin_clzll(x), i;

	m = x << (63 - e);			/* binary 1.(i)(rest), in units of 2^-63 */
	i = (u32)(m >> 55) & 0xff;
	rest = (m & ((1ull << 55) - 1)) >> 24;	/* units of 2^-39 */
	/* remainder divided by (1 + i / 256), in units of 2^-39 */
	rest = torus_mul_shift(rest << 24, logs->inverse[i], 64);
	rest -= torus_mul_shift(rest, rest, 40);
	/* log2 = e + table + rest / ln 2; convert to the natural logarithm in units of 2^-31 */
	ln = torus_mul_shift(((u64)e << 31) + logs->q31[i], TORUS_LN2_Q32, 32) + (rest >> 8);
	return torus_mul_shift(mean, (64ull * TORUS_LN2_Q32 >> 1) - ln, 31);
}

/**
 * torus_random_exponential() - draw an exponentially distributed gap
 * @state: state of the stream
 * @mean: mean of the gap, in any unit, below 2^56
 *
 * Return: the gap in the unit of @mean.
 */
torus_inline u64 torus_random_exponential(u64 *state, u64 mean)
{
	u64 neg = (64ull << 26) - torus_log2_q26(torus_random(state) | 1);

	/* -ln u = -log2 u * ln 2 */
	return torus_mul_shift(mean, neg * TORUS_LN2_Q32 >> 26, 32);
}

#endif
