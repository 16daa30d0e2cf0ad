/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sum of doubles whose bits do not depend on the order of adding (Ajima et al. (2009),
 * Integrated collective function: "two 160-bit floating-point data to obtain the same result
 * at all nodes with a single barrier synchronization sequence").
 *
 * How the two numbers share a double's bits is not public, and is chosen here.  All bits that
 * a double may have, from 2^-1074 up to 2^1023, are cut at fixed places into bands of 112.
 * The 53 bits of one double lie in one band, or in two neighbouring ones.  The upper number
 * holds what of the sum is in the highest band that any value reaches, the lower number what
 * is in the band below, both as whole multiples of their band's unit; what is further below
 * is left out.
 *
 * Why the order cannot matter: numbers of one band are added as integers, exactly.  Where
 * bands differ the higher stays, and parts of values that lie below its lower number go.
 * Which parts are gone in the end depends on the highest band of all, not on when they went.
 *
 * Why it suffices: a value that loses something loses less than a unit of the lower number,
 * and the largest value has at least one of the upper, 2^112 times as much.  So n values lose
 * less than n 2^-112 max|x| together; turning the sum into a double adds half an ulp.
 *
 * Room: 144 bits of two's complement hold 2^31 values of 112 bits; beyond, sums would wrap,
 * alike in any order.  With 16 bits for band and flags a number has 160.
 */
#ifndef TORUS_ARCH_TOFU_EXACT_SUM_H
#define TORUS_ARCH_TOFU_EXACT_SUM_H

#include "core/env.h"

#define TOFU_SUM_BAND_BITS	112u
#define TOFU_SUM_BANDS		19u	/* of the 2098 bits that doubles have */
#define TOFU_SUM_NUMBER_BYTES	20u
#define TOFU_SUM_BYTES		(2 * TOFU_SUM_NUMBER_BYTES)
#define TOFU_SUM_LIMBS		3u	/* 192 bits, of which the upper 48 repeat the sign */

/* What was among the values, beside numbers. */
#define TOFU_SUM_NAN		0x8000u
#define TOFU_SUM_INFINITY	0x4000u
#define TOFU_SUM_MINUS_INFINITY	0x2000u
#define TOFU_SUM_NOT_MINUS_ZERO	0x1000u	/* not only -0: a sum of 0 is +0 */
#define TOFU_SUM_FLAGS		0xf000u

/**
 * struct tofu_sum - a sum of doubles
 * @upper: in units of 2^(112 (@band - 1) - 1074); two's complement, lowest limb first
 * @lower: in units 2^112 times smaller
 * @band: 1 + the highest band that a value reaches; 0: no value but zeros
 * @flags: TOFU_BFP_*
 *
 * All bytes zero is a sum of -0, to which any value may be added.
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
