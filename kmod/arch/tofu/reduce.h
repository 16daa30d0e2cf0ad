/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data of a barrier packet, and the rules by which a gate combines the data of two packets (Ajima
 * et al. (2009), Integrated collective function; operations and limits are those of uTofu).
 *
 * Every operation is commutative and associative, errors included. So the result has the same
 * bits for every chain and every order of packets.
 */
#ifndef TORUS_ARCH_TOFU_REDUCE_H
#define TORUS_ARCH_TOFU_REDUCE_H

#include "arch/tofu/exact_sum.h"

#define TOFU_WORDS_MAX		6u	/* maximum number of 64-bit integers in a reduction */
#define TOFU_DOUBLES_MAX	3u

/* Operations, numbered as in the public interface (uTofu); 0 is invalid. */
enum tofu_op {
	TOFU_OP_BARRIER = 1,	/* no data */
	TOFU_OP_BAND,
	TOFU_OP_BOR,
	TOFU_OP_BXOR,
	TOFU_OP_MAX,		/* of unsigned integers */
	/*
	 * pairs of value and index: the largest value, and its index; the lowest index of equal
	 * values
	 */
	TOFU_OP_MAXLOC,
	TOFU_OP_SUM,		/* modulo 2^64 */
	TOFU_OP_BFPSUM,		/* sum of doubles, see exact_sum.h */
	TOFU_OPS,
};

/*
 * Outcome of a reduction. If both operands have errors, the result has the error with the higher
 * number.
 */
enum tofu_outcome {
	TOFU_OUTCOME_FINE,
	TOFU_OUTCOME_MISMATCH,	/* members used different operations or counts */
	TOFU_OUTCOME_LOST,	/* a packet was lost or invalid */
	TOFU_OUTCOMES,
};

/* Reasons to reject the operation or count of a reduction. */
enum tofu_refusal {
	TOFU_REDUCE_ACCEPTED,
	TOFU_REDUCE_BAD_OP,	/* UTOFU_ERR_INVALID_OP */
	TOFU_REDUCE_BAD_COUNT,	/* UTOFU_ERR_INVALID_NUMBER */
};

/**
 * struct tofu_reduction - data of a barrier packet
 *
 * @op: enum tofu_op; 0 if @outcome is an error
 * @count: number of integers or doubles; MAXLOC counts both members of a pair
 * @outcome: enum tofu_outcome
 * @word: integers
 * @sum: doubles
 */
struct tofu_reduction {
	u8 op;
	u8 count;
	u8 outcome;
	union {
		u64 word[TOFU_WORDS_MAX];
		struct tofu_sum sum[TOFU_DOUBLES_MAX];
	};
};

/* Serialized form: op, count, outcome, a zero byte; then the data. */
#define TOFU_REDUCE_HEAD_BYTES	4u
#define TOFU_REDUCE_BYTES_MAX	(TOFU_REDUCE_HEAD_BYTES + TOFU_DOUBLES_MAX * TOFU_SUM_BYTES)

u32 tofu_reduce_judge(u32 op, u32 count);
u32 tofu_reduce_set(struct tofu_reduction *data, u32 op, const u64 *values, u32 count);
void tofu_reduce_spoil(struct tofu_reduction *data, u32 outcome);
void tofu_reduce_combine(struct tofu_reduction *data, const struct tofu_reduction *more);
void tofu_reduce_values(const struct tofu_reduction *data, u64 *values);
u32 tofu_reduce_bytes(const struct tofu_reduction *data);
void tofu_reduce_pack(const struct tofu_reduction *data, u8 *bytes);
bool tofu_reduce_unpack(struct tofu_reduction *data, const u8 *bytes, u32 length);

#endif
