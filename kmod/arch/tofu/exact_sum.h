/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sum of doubles whose bits do not depend on the order of additions (Ajima et al. (2009),
 * Integrated collective function: "two 160-bit floating-point data to obtain the same result at
 * all nodes with a single barrier synchronization sequence").
 *
 * The paper does not say how the two numbers share a double's bits, so this format is our choice.
 * All bits that a double may have, from 2^-1074 up to 2^1023, are divided at fixed positions into
 * bands of 112 bits. The 53 bits of one double lie in one band, or in two neighbouring bands. The
 * upper number has the part of the sum in the highest band that any value reaches. The lower number
 * has the part in the next lower band. Both are multiples of their band's unit. Lower bits are
 * discarded.
 *
 * Order independence: numbers of one band are added as integers, exactly. If bands differ, the
 * higher band stays, and the parts of values below its lower number are discarded. The
 * discarded parts depend on the highest band of all values, not on the order.
 *
 * Accuracy: a value that loses bits loses less than a unit of the lower number. The largest
 * value is at least one unit of the upper number, which is 2^112 times as much. So n values
 * together lose less than n 2^-112 max|x|. Converting the sum to a double adds half an ulp.
 *
 * Range: 144 bits of two's complement hold 2^31 values of 112 bits. Larger sums would wrap, in
 * the same way in any order. With 16 bits for band and flags a number has 160 bits.
 */
#ifndef TORUS_ARCH_TOFU_EXACT_SUM_H
#define TORUS_ARCH_TOFU_EXACT_SUM_H

#include "core/platform.h"

#define TOFU_SUM_BAND_BITS	112u
#define TOFU_SUM_BANDS		19u	/* number of bands: doubles have 2098 bits */
#define TOFU_SUM_NUMBER_BYTES	20u
#define TOFU_SUM_BYTES		(2 * TOFU_SUM_NUMBER_BYTES)
#define TOFU_SUM_LIMBS		3u	/* 192 bits, 48 for the sign extension */

/* Flags of a sum: the kinds of values that were added. */
#define TOFU_SUM_NAN		0x8000u
#define TOFU_SUM_INFINITY	0x4000u
#define TOFU_SUM_MINUS_INFINITY	0x2000u
#define TOFU_SUM_NOT_MINUS_ZERO	0x1000u	/* the sum has a value other than -0: a sum of 0 is +0 */
#define TOFU_SUM_FLAGS		0xf000u

/**
 * struct tofu_sum - a sum of doubles
 *
 * @upper: in units of 2^(112 (@band - 1) - 1074); two's complement, lowest limb first
 * @lower: in units that are 2^112 times smaller
 * @band: 1 + the highest band that a value reaches; 0: all values are zeros
 * @flags: TOFU_SUM_NAN ..
 *
 * If all bytes are zero the sum is -0, the neutral element of addition.
 */
struct tofu_sum {
	u64 upper[TOFU_SUM_LIMBS];
	u64 lower[TOFU_SUM_LIMBS];
	u16 band;
	u16 flags;
};

void tofu_sum_set(struct tofu_sum *sum, u64 value);
void tofu_sum_add(struct tofu_sum *sum, const struct tofu_sum *more);
u64 tofu_sum_value(const struct tofu_sum *sum);
void tofu_sum_pack(const struct tofu_sum *sum, u8 *bytes);
bool tofu_sum_unpack(struct tofu_sum *sum, const u8 *bytes);

#endif
