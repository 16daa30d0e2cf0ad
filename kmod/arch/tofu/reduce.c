// SPDX-License-Identifier: GPL-2.0
/* Validate, combine and serialize reductions: see reduce.h. */
#include "arch/tofu/reduce.h"

/*
 * Validate the operation and the number of values of a reduction.
 *
 * @op: enum tofu_op
 * @count: number of values: 0 for a barrier, 1 to 3 doubles for BFPSUM, else 1 to 6 integers,
 *     in pairs for MAXLOC
 *
 * Return: enum tofu_refusal.
 */
u32 tofu_reduce_judge(u32 op, u32 count)
{
	u32 most = op == TOFU_OP_BFPSUM ? TOFU_DOUBLES_MAX : TOFU_WORDS_MAX;

	if (op < TOFU_OP_BARRIER || op >= TOFU_OPS)
		return TOFU_REDUCE_BAD_OP;
	if (op == TOFU_OP_BARRIER)
		return count ? TOFU_REDUCE_BAD_COUNT : TOFU_REDUCE_ACCEPTED;
	if (!count || count > most || (op == TOFU_OP_MAXLOC && count % 2))
		return TOFU_REDUCE_BAD_COUNT;
	return TOFU_REDUCE_ACCEPTED;
}

/*
 * Initialize a reduction with the data of one participant.
 *
 * @data: [out] the reduction
 * @op: enum tofu_op
 * @values: integers, or the bits of doubles for BFPSUM; not read for a barrier
 * @count: number of @values, see tofu_reduce_judge()
 *
 * Return: enum tofu_refusal; a rejection does not change @data.
 */
u32 tofu_reduce_set(struct tofu_reduction *data, u32 op, const u64 *values, u32 count)
{
	u32 refusal = tofu_reduce_judge(op, count), i;

	if (refusal)
		return refusal;
	data->op = (u8)op;
	data->count = (u8)count;
	data->outcome = TOFU_OUTCOME_FINE;
	for (i = 0; i < count; i++) {
		if (op == TOFU_OP_BFPSUM)
			tofu_sum_set(&data->sum[i], values[i]);
		else
			data->word[i] = values[i];
	}
	return TOFU_REDUCE_ACCEPTED;
}

/*
 * Replace the values of a reduction by an error, which propagates to the result.
 *
 * @data: the reduction; if it already has an error, the error with the higher number stays
 * @outcome: enum tofu_outcome: the error to set; TOFU_OUTCOME_FINE keeps the error that @data has
 */
void tofu_reduce_spoil(struct tofu_reduction *data, u32 outcome)
{
	data->op = 0;
	data->count = 0;
	if (data->outcome < outcome)
		data->outcome = (u8)outcome;
}

static void combine_pair(u64 *pair, const u64 *more)
{
	if (more[0] > pair[0] || (more[0] == pair[0] && more[1] < pair[1])) {
		pair[0] = more[0];
		pair[1] = more[1];
	}
}

static void combine_word(u32 op, u64 *word, u64 more)
{
	switch (op) {
	case TOFU_OP_BAND:
		*word &= more;
		break;
	case TOFU_OP_BOR:
		*word |= more;
		break;
	case TOFU_OP_BXOR:
		*word ^= more;
		break;
	case TOFU_OP_MAX:
		if (more > *word)
			*word = more;
		break;
	default:
		*word += more;
		break;
	}
}

/*
 * Combine the data of two gates.
 *
 * @data: [in, out] one reduction; becomes the result
 * @more: the other reduction
 *
 * If operation or count differ, the result is TOFU_OUTCOME_MISMATCH. If either has an error,
 * the result is an error.
 */
void tofu_reduce_combine(struct tofu_reduction *data, const struct tofu_reduction *more)
{
	u32 i;

	if (data->outcome || more->outcome) {
		tofu_reduce_spoil(data, more->outcome);
		return;
	}
	if (data->op != more->op || data->count != more->count) {
		tofu_reduce_spoil(data, TOFU_OUTCOME_MISMATCH);
		return;
	}
	for (i = 0; i < data->count; i++) {
		if (data->op == TOFU_OP_BFPSUM)
			tofu_sum_add(&data->sum[i], &more->sum[i]);
		else if (data->op != TOFU_OP_MAXLOC)
			combine_word(data->op, &data->word[i], more->word[i]);
		else if (i % 2 == 0)
			combine_pair(&data->word[i], &more->word[i]);
	}
}

/*
 * Copy the values of a result.
 *
 * @values: [out] data->count integers, or the bits of as many doubles
 */
void tofu_reduce_values(const struct tofu_reduction *data, u64 *values)
{
	u32 i;

	for (i = 0; i < data->count; i++) {
		values[i] = data->op == TOFU_OP_BFPSUM ? tofu_sum_value(&data->sum[i]) :
							 data->word[i];
	}
}

static u32 value_bytes(u32 op)
{
	return op == TOFU_OP_BFPSUM ? TOFU_SUM_BYTES : (u32)sizeof(u64);
}

/* Return the bytes of a serialized reduction, TOFU_REDUCE_HEAD_BYTES to TOFU_REDUCE_BYTES_MAX. */
u32 tofu_reduce_bytes(const struct tofu_reduction *data)
{
	return TOFU_REDUCE_HEAD_BYTES + data->count * value_bytes(data->op);
}

static void word_pack(u64 word, u8 *bytes)
{
	u32 i;

	for (i = 0; i < sizeof(word); i++)
		bytes[i] = (u8)(word >> (56 - 8 * i));
}

static u64 word_unpack(const u8 *bytes)
{
	u64 word = 0;
	u32 i;

	for (i = 0; i < sizeof(word); i++)
		word = word << 8 | bytes[i];
	return word;
}

/*
 * Serialize a reduction.
 *
 * @bytes: [out] tofu_reduce_bytes() bytes
 */
void tofu_reduce_pack(const struct tofu_reduction *data, u8 *bytes)
{
	u8 *to = bytes + TOFU_REDUCE_HEAD_BYTES;
	u32 i;

	bytes[0] = data->op;
	bytes[1] = data->count;
	bytes[2] = data->outcome;
	bytes[3] = 0;
	for (i = 0; i < data->count; i++, to += value_bytes(data->op)) {
		if (data->op == TOFU_OP_BFPSUM)
			tofu_sum_pack(&data->sum[i], to);
		else
			word_pack(data->word[i], to);
	}
}

/*
 * Parse a serialized reduction.
 *
 * @data: [out] the reduction; undefined if the function fails
 * @bytes: bytes of the packet
 * @length: number of @bytes; bytes after the data are not read
 *
 * Return: false if operation, count, outcome or a double is invalid, or if @length is too
 * small.
 */
bool tofu_reduce_unpack(struct tofu_reduction *data, const u8 *bytes, u32 length)
{
	const u8 *from = bytes + TOFU_REDUCE_HEAD_BYTES;
	u32 i;

	if (length < TOFU_REDUCE_HEAD_BYTES || bytes[3])
		return false;
	data->op = bytes[0];
	data->count = bytes[1];
	data->outcome = bytes[2];
	if (data->outcome)
		return data->outcome < TOFU_OUTCOMES && !data->op && !data->count;
	if (tofu_reduce_judge(data->op, data->count) || length < tofu_reduce_bytes(data))
		return false;
	for (i = 0; i < data->count; i++, from += value_bytes(data->op)) {
		if (data->op != TOFU_OP_BFPSUM)
			data->word[i] = word_unpack(from);
		else if (!tofu_sum_unpack(&data->sum[i], from))
			return false;
	}
	return true;
}
