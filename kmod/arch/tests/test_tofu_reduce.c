// SPDX-License-Identifier: GPL-2.0
/* Reductions in Tofu's gates: each operation, the errors, and the packed bytes. */
#include "core/tests/rig.h"
#include "core/tests/draw.h"
#include "arch/tofu/reduce.h"

#define MEMBERS	40

static struct tofu_reduction data_of(u32 op, const u64 *values, u32 count)
{
	struct tofu_reduction data;

	assert_int_equal(tofu_reduce_set(&data, op, values, count), TOFU_REDUCE_ACCEPTED);
	return data;
}

/* Combine random pairs until one value is left. Pack and unpack some of them in between. */
static struct tofu_reduction in_any_order(const struct tofu_reduction *all, u32 count)
{
	struct tofu_reduction left[MEMBERS];

	memcpy(left, all, count * sizeof(*all));
	while (count > 1) {
		u32 one = draw_below(count), other = draw_below(count - 1);

		other += other >= one;
		if (draw_below(4) == 0) {
			u8 bytes[TOFU_REDUCE_BYTES_MAX];

			tofu_reduce_pack(&left[other], bytes);
			memset(&left[other], 0x55, sizeof(left[other]));
			assert_true(tofu_reduce_unpack(&left[other], bytes, sizeof(bytes)));
		}
		tofu_reduce_combine(&left[one], &left[other]);
		left[other] = left[--count];
	}
	return left[0];
}

static u64 expected(u32 op, u64 sum, u64 value)
{
	switch (op) {
	case TOFU_OP_BAND:
		return sum & value;
	case TOFU_OP_BOR:
		return sum | value;
	case TOFU_OP_BXOR:
		return sum ^ value;
	case TOFU_OP_MAX:
		return sum > value ? sum : value;
	default:
		return sum + value;
	}
}

/* Integer operations apply to each word separately, unsigned and modulo 2^64. */
static void test_words(void **state)
{
	static const u32 ops[] = { TOFU_OP_BAND, TOFU_OP_BOR, TOFU_OP_BXOR, TOFU_OP_MAX,
				   TOFU_OP_SUM };
	struct tofu_reduction all[MEMBERS];
	u64 values[TOFU_WORDS_MAX], want[TOFU_WORDS_MAX], got[TOFU_WORDS_MAX];
	u32 round, i, k;

	for (round = 0; round < 600; round++) {
		u32 op = ops[round % COUNT(ops)], count = 1 + round % TOFU_WORDS_MAX;
		struct tofu_reduction result;

		for (i = 0; i < MEMBERS; i++) {
			for (k = 0; k < count; k++) {
				values[k] = op == TOFU_OP_BAND ? draw() | draw() | draw() :
					    op == TOFU_OP_BOR ? draw() & draw() & draw() : draw();
				want[k] = i ? expected(op, want[k], values[k]) : values[k];
			}
			all[i] = data_of(op, values, count);
		}
		result = in_any_order(all, MEMBERS);
		assert_int_equal(result.outcome, TOFU_OUTCOME_FINE);
		assert_int_equal(result.op, op);
		assert_int_equal(result.count, count);
		tofu_reduce_values(&result, got);
		assert_memory_equal(got, want, count * sizeof(*got));
	}
}

/* MAXLOC returns for each pair the greatest value, and the lowest index among equal values. */
static void test_maxloc(void **state)
{
	struct tofu_reduction all[MEMBERS], result;
	u64 values[TOFU_WORDS_MAX], want[TOFU_WORDS_MAX], got[TOFU_WORDS_MAX];
	u32 round, i, k;

	for (round = 0; round < 300; round++) {
		u32 count = 2 + round % 3 * 2;
		u64 most = round % 2 ? 3 : ~0ull;

		memset(want, 0, sizeof(want));
		for (k = 1; k < count; k += 2)
			want[k] = ~0ull;
		for (i = 0; i < MEMBERS; i++) {
			for (k = 0; k < count; k += 2) {
				values[k] = most == 3 ? draw_below(4) : draw();
				values[k + 1] = draw_below(1000);
				if (values[k] > want[k])
					want[k + 1] = values[k + 1];
				else if (values[k] == want[k] && values[k + 1] < want[k + 1])
					want[k + 1] = values[k + 1];
				if (values[k] > want[k])
					want[k] = values[k];
			}
			all[i] = data_of(TOFU_OP_MAXLOC, values, count);
		}
		result = in_any_order(all, MEMBERS);
		tofu_reduce_values(&result, got);
		assert_memory_equal(got, want, count * sizeof(*got));
	}
}

/* Three sums of doubles in one operation have the same bits in each order. */
static void test_doubles(void **state)
{
	struct tofu_reduction all[MEMBERS], first;
	u64 values[TOFU_DOUBLES_MAX], want[TOFU_DOUBLES_MAX], got[TOFU_DOUBLES_MAX];
	struct tofu_sum sums[TOFU_DOUBLES_MAX] = { 0 }, one;
	u32 i, k;

	for (i = 0; i < MEMBERS; i++) {
		for (k = 0; k < TOFU_DOUBLES_MAX; k++) {
			values[k] = draw() & ~(1ull << 62);
			tofu_sum_set(&one, values[k]);
			tofu_sum_add(&sums[k], &one);
			want[k] = tofu_sum_value(&sums[k]);
		}
		all[i] = data_of(TOFU_OP_BFPSUM, values, TOFU_DOUBLES_MAX);
	}
	for (i = 0; i < 100; i++) {
		first = in_any_order(all, MEMBERS);
		assert_int_equal(first.op, TOFU_OP_BFPSUM);
		tofu_reduce_values(&first, got);
		assert_memory_equal(got, want, sizeof(got));
	}
}

/*
 * A mismatch is reported in each order of combination. A lost value takes precedence over a
 * mismatch.
 */
static void test_mismatch(void **state)
{
	static const u64 values[TOFU_WORDS_MAX] = { 1, 2, 3, 4, 5, 6 };
	struct tofu_reduction all[MEMBERS], result;
	u32 round, i;

	for (round = 0; round < 400; round++) {
		u32 odd = draw_below(MEMBERS), lost = draw_below(MEMBERS);

		for (i = 0; i < MEMBERS; i++)
			all[i] = data_of(TOFU_OP_SUM, values, 4);
		if (round % 4 == 0)
			all[odd] = data_of(TOFU_OP_SUM, values, 3);
		else if (round % 4 == 1)
			all[odd] = data_of(TOFU_OP_MAX, values, 4);
		else if (round % 4 == 2)
			all[odd] = data_of(TOFU_OP_BARRIER, NULL, 0);
		if (round % 8 == 3)
			all[(odd + 1) % MEMBERS] = data_of(TOFU_OP_BARRIER, NULL, 0);
		if (round % 4 == 3)
			tofu_reduce_spoil(&all[lost], TOFU_OUTCOME_LOST);
		result = in_any_order(all, MEMBERS);
		assert_int_equal(result.outcome, round % 4 == 3 ? TOFU_OUTCOME_LOST :
								  TOFU_OUTCOME_MISMATCH);
		assert_int_equal(result.op, 0);
		assert_int_equal(result.count, 0);
	}
}

static void test_operation_and_count(void **state)
{
	static const u32 most[TOFU_OPS] = { [TOFU_OP_BAND] = 6, [TOFU_OP_BOR] = 6,
		[TOFU_OP_BXOR] = 6, [TOFU_OP_MAX] = 6, [TOFU_OP_MAXLOC] = 6, [TOFU_OP_SUM] = 6,
		[TOFU_OP_BFPSUM] = 3 };
	u32 op, count;

	assert_int_equal(tofu_reduce_judge(0, 0), TOFU_REDUCE_BAD_OP);
	assert_int_equal(tofu_reduce_judge(9, 1), TOFU_REDUCE_BAD_OP);
	assert_int_equal(tofu_reduce_judge(TOFU_OP_BARRIER, 0), TOFU_REDUCE_ACCEPTED);
	assert_int_equal(tofu_reduce_judge(TOFU_OP_BARRIER, 1), TOFU_REDUCE_BAD_COUNT);
	for (op = TOFU_OP_BAND; op < TOFU_OPS; op++) {
		for (count = 0; count < 9; count++) {
			bool good = count && count <= most[op] &&
				    (op != TOFU_OP_MAXLOC || count % 2 == 0);

			assert_int_equal(tofu_reduce_judge(op, count),
					 good ? TOFU_REDUCE_ACCEPTED : TOFU_REDUCE_BAD_COUNT);
		}
	}
}

/*
 * Each operation and count is packed into the documented number of bytes, and unpacked to the same
 * values.
 */
static void test_wire(void **state)
{
	u32 op, count;

	for (op = TOFU_OP_BARRIER; op < TOFU_OPS; op++) {
		for (count = 0; count <= TOFU_WORDS_MAX; count++) {
			u64 values[TOFU_WORDS_MAX], got[TOFU_WORDS_MAX];
			u8 bytes[TOFU_REDUCE_BYTES_MAX + 1];
			struct tofu_reduction data, there;
			u32 length, i;

			for (i = 0; i < TOFU_WORDS_MAX; i++)
				values[i] = draw() & ~(1ull << 62);
			if (tofu_reduce_set(&data, op, values, count))
				continue;
			memset(bytes, 0x55, sizeof(bytes));
			length = tofu_reduce_bytes(&data);
			assert_int_equal(length, 4 + count * (op == TOFU_OP_BFPSUM ? 40 : 8));
			assert_in_range(length, TOFU_REDUCE_HEAD_BYTES, TOFU_REDUCE_BYTES_MAX);
			tofu_reduce_pack(&data, bytes);
			assert_int_equal(bytes[length], 0x55);
			assert_int_equal(bytes[0], op);
			assert_int_equal(bytes[1], count);
			assert_true(tofu_reduce_unpack(&there, bytes, length));
			tofu_reduce_values(&there, got);
			assert_memory_equal(got, values, count * sizeof(*got));
			for (i = 0; i < length; i++)
				assert_false(tofu_reduce_unpack(&there, bytes, i));
			bytes[3] = 1;
			assert_false(tofu_reduce_unpack(&there, bytes, length));
		}
	}
}

/* Words are packed with the most significant byte first. An error has no values. */
static void test_bytes(void **state)
{
	struct tofu_reduction data = data_of(TOFU_OP_MAX, (u64[]){ 0x0102030405060708 }, 1);
	static const u8 want[] = { 5, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	static const u8 wrong[][4] = { { 0, 0, 0, 0 }, { 5, 0, 0, 0 }, { 9, 1, 0, 0 },
		{ 6, 1, 0, 0 }, { 8, 4, 0, 0 }, { 1, 0, 1, 0 }, { 0, 1, 1, 0 }, { 0, 0, 3, 0 } };
	u8 bytes[TOFU_REDUCE_BYTES_MAX] = { 0 };
	struct tofu_reduction there;
	u32 i;

	tofu_reduce_pack(&data, bytes);
	assert_memory_equal(bytes, want, sizeof(want));
	tofu_reduce_spoil(&data, TOFU_OUTCOME_MISMATCH);
	assert_int_equal(tofu_reduce_bytes(&data), 4);
	tofu_reduce_pack(&data, bytes);
	assert_true(tofu_reduce_unpack(&there, bytes, 4));
	assert_int_equal(there.outcome, TOFU_OUTCOME_MISMATCH);
	for (i = 0; i < COUNT(wrong); i++) {
		memset(bytes, 0, sizeof(bytes));
		memcpy(bytes, wrong[i], 4);
		assert_false(tofu_reduce_unpack(&there, bytes, sizeof(bytes)));
	}
	/* a double in a band that does not exist */
	memcpy(bytes, (u8[]){ 8, 1, 0, 0, 0, 0x7f }, 6);
	assert_false(tofu_reduce_unpack(&there, bytes, sizeof(bytes)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_maxloc),
		cmocka_unit_test(test_doubles),
		cmocka_unit_test(test_mismatch),
		cmocka_unit_test(test_operation_and_count),
		cmocka_unit_test(test_wire),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
