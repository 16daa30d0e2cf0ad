/* SPDX-License-Identifier: GPL-2.0 */
/* Random streams and the integer logarithm that makes them exponential. */
#ifndef TORUS_CORE_RANDOM_H
#define TORUS_CORE_RANDOM_H

#include "env.h"

/* xorshift64*; the state is never 0. */
torus_inline u64 torus_random(u64 *state)
{
	u64 x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dull;
}

/* A stream of its own for (@seed, @kind, @index). */
torus_inline u64 torus_random_seed(u64 seed, u64 kind, u64 index)
{
	return torus_mix(torus_mix(seed + kind * 0x632be59bd9b4e019ull) ^ torus_mix(~index)) | 1;
}

/* Uniform in 0 .. @n - 1. */
torus_inline u32 torus_random_below(u64 *state, u32 n)
{
	return (u32)((torus_random(state) >> 32) * n >> 32);
}

torus_inline u64 torus_mul_shift(u64 a, u64 b, u32 shift)
{
	return (u64)((unsigned __int128)a * b >> shift);
}

#define TORUS_LN2_Q32	2977044472ull	/* ln 2 in units of 2^-32 */

/**
 * torus_log2_q26() - binary logarithm
 * @x: at least 1
 *
 * One bit a squaring, so exact to the last of its 26 bits or so.
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
 * torus_random_exponential() - an exponential gap
 * @state: the stream
 * @mean: mean, in any unit, below 2^56
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
