// SPDX-License-Identifier: GPL-2.0
/*
 * Tofu's sums of doubles: each order of additions gives the same bits, within a bounded error.
 * MPFR computes the exact sum.
 */
#include <mpfr.h>
#include "core/tests/rig.h"
#include "core/tests/draw.h"
#include "arch/tofu/exact_sum.h"

#define VALUES		100
#define SHUFFLES	1000
#define PRECISION	2400	/* bits in MPFR: enough for the exact sum of any doubles */

static u64 bits_of(double value)
{
	u64 bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static double double_of(u64 bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Draw a double with the given biased exponent, 0 to 2046. */
static u64 draw_double(u32 exponent)
{
	return (draw() & ~(0x7ffull << 52)) | (u64)exponent << 52;
}

static struct tofu_sum sum_of(u64 value)
{
	struct tofu_sum sum;

	tofu_sum_set(&sum, value);
	return sum;
}

/* Pack and unpack a sum, as on a hop. Check that packing again gives the same bytes. */
static void travel(struct tofu_sum *sum)
{
	u8 bytes[TOFU_SUM_BYTES], again[TOFU_SUM_BYTES];
	struct tofu_sum there;

	tofu_sum_pack(sum, bytes);
	assert_true(tofu_sum_unpack(&there, bytes));
	tofu_sum_pack(&there, again);
	assert_memory_equal(bytes, again, sizeof(bytes));
	*sum = there;
}

/*
 * Add random pairs of the remaining sums until one sum is left. This tests random orders and
 * groupings of additions.
 */
static void sum_in_any_order(const u64 *values, u32 count, struct tofu_sum *result)
{
	struct tofu_sum left[VALUES];
	u32 i;

	for (i = 0; i < count; i++)
		left[i] = sum_of(values[i]);
	while (count > 1) {
		u32 one = draw_below(count), other = draw_below(count - 1);

		other += other >= one;
		if (draw_below(8) == 0)
			travel(&left[other]);
		tofu_sum_add(&left[one], &left[other]);
		left[other] = left[--count];
	}
	*result = left[0];
}

static void sum_in_turn(const u64 *values, u32 count, struct tofu_sum *result)
{
	u32 i;

	*result = sum_of(values[0]);
	for (i = 1; i < count; i++) {
		struct tofu_sum more = sum_of(values[i]);

		tofu_sum_add(result, &more);
	}
}

static void exact_sum(const u64 *values, u32 count, mpfr_t sum)
{
	u32 i;

	mpfr_set_zero(sum, 1);
	for (i = 0; i < count; i++)
		assert_int_equal(mpfr_add_d(sum, sum, double_of(values[i]), MPFR_RNDN), 0);
}

/*
 * Compute the permitted error: half an ulp of the result, plus count * 2^-112 of the largest
 * value.
 */
static void allowed_error(u64 result, const u64 *values, u32 count, mpfr_t allowed)
{
	u32 exponent = (u32)(result >> 52) & 0x7ff, i;
	u64 largest = 0;
	mpfr_t half;

	for (i = 0; i < count; i++)
		if ((values[i] & ~(1ull << 63)) > largest)
			largest = values[i] & ~(1ull << 63);
	mpfr_set_d(allowed, double_of(largest), MPFR_RNDN);
	mpfr_mul_ui(allowed, allowed, count, MPFR_RNDN);
	mpfr_div_2ui(allowed, allowed, 112, MPFR_RNDN);
	mpfr_init2(half, PRECISION);
	mpfr_set_ui_2exp(half, 1, (exponent ? (long)exponent : 1) - 1075 - 1, MPFR_RNDN);
	mpfr_add(allowed, allowed, half, MPFR_RNDN);
	mpfr_clear(half);
}

static void assert_near(u64 result, const u64 *values, u32 count)
{
	mpfr_t exact, off, allowed;

	mpfr_inits2(PRECISION, exact, off, allowed, (mpfr_ptr)NULL);
	exact_sum(values, count, exact);
	allowed_error(result, values, count, allowed);
	if ((result << 1) == 0x7ffull << 53) {
		/*
		 * an infinite result: the exact sum is beyond the middle of the largest double and
		 * its successor
		 */
		mpfr_set_ui_2exp(off, 1, 1024, MPFR_RNDN);
		mpfr_sub_d(off, off, 0x1p970, MPFR_RNDN);
		mpfr_sub(off, off, allowed, MPFR_RNDN);
		assert_true(mpfr_cmpabs(exact, off) >= 0);
		assert_int_equal(result >> 63, mpfr_signbit(exact) != 0);
	} else {
		assert_true((result >> 52 & 0x7ff) < 0x7ff);
		mpfr_sub_d(off, exact, double_of(result), MPFR_RNDN);
		assert_true(mpfr_cmpabs(off, allowed) <= 0);
	}
	mpfr_clears(exact, off, allowed, (mpfr_ptr)NULL);
}

/* Kinds of values. */
enum { EVEN, WIDE, TINY, HUGE_ONES, CANCEL, EDGES, TIES, KINDS };

static u64 draw_value(u32 kind, u32 i, const u64 *before)
{
	switch (kind) {
	case EVEN:
		return draw_double(1000 + draw_below(24));
	case WIDE:
		return draw_double(draw_below(2047));
	case TINY:
		return draw_double(draw_below(3)) >> (draw_below(2) ? 0 : draw_below(52));
	case HUGE_ONES:
		return draw_double(2046 - draw_below(2));
	case CANCEL:
		/* each odd value cancels the one before, sometimes except for one bit */
		if (i % 2)
			return before[i - 1] ^ 1ull << 63 ^ (draw_below(3) == 0);
		return draw_double(900 + draw_below(300));
	case EDGES:
		/* doubles near 2^(112 k - 1074), the limits of bands */
		return draw_double(112 * (1 + draw_below(17)) + draw_below(5) - 1) &
		       ~(draw_below(2) ? 0 : 0xfffffffffffffull);
	default:
		/* a few bits at places that make the sum end half-way between doubles */
		return bits_of((draw_below(2) ? 1 : -1) * (double)(1 + draw_below(3))) +
		       ((u64)(53 - draw_below(3) * 53) << 52);
	}
}

/* 1000 random orders give the same bits, and the result is within the permitted error. */
static void test_any_order(void **state)
{
	u64 values[VALUES];
	u32 kind, i;

	for (kind = 0; kind < KINDS; kind++) {
		struct tofu_sum first, again;
		u8 bytes[TOFU_SUM_BYTES], other[TOFU_SUM_BYTES];

		for (i = 0; i < VALUES; i++)
			values[i] = draw_value(kind, i, values);
		sum_in_turn(values, VALUES, &first);
		tofu_sum_pack(&first, bytes);
		assert_near(tofu_sum_value(&first), values, VALUES);
		for (i = 0; i < SHUFFLES; i++) {
			sum_in_any_order(values, VALUES, &again);
			tofu_sum_pack(&again, other);
			assert_memory_equal(other, bytes, sizeof(bytes));
			assert_true(tofu_sum_value(&again) == tofu_sum_value(&first));
		}
	}
}

static void test_near(void **state)
{
	u32 rounds = rig_soak() ? 100000 : 3000, round, i;
	u64 values[VALUES];

	for (round = 0; round < rounds; round++) {
		u32 kind = round % KINDS, count = 1 + draw_below(draw_below(4) ? 6 : VALUES);
		struct tofu_sum sum;

		for (i = 0; i < count; i++)
			values[i] = draw_value(kind, i, values);
		sum_in_any_order(values, count, &sum);
		assert_near(tofu_sum_value(&sum), values, count);
	}
}

/* If all values are within two bands, the result is the exact sum, rounded once. */
static void test_rounded_once(void **state)
{
	u32 rounds = rig_soak() ? 100000 : 3000, round, i;
	u64 values[VALUES];
	mpfr_t exact;

	mpfr_init2(exact, PRECISION);
	for (round = 0; round < rounds; round++) {
		u32 count = 2 + draw_below(20), top = 60 + draw_below(1987);
		struct tofu_sum sum;

		for (i = 0; i < count; i++) {
			values[i] = draw_double(top - draw_below(60));
			if (round % 2)
				values[i] &= ~0ull << draw_below(52);
		}
		sum_in_any_order(values, count, &sum);
		exact_sum(values, count, exact);
		if (!mpfr_zero_p(exact))
			assert_true(tofu_sum_value(&sum) == bits_of(mpfr_get_d(exact, MPFR_RNDN)));
	}
	mpfr_clear(exact);
}

/* The sum of one value is the value, for each exponent. */
static void test_one_value(void **state)
{
	u32 exponent, i;

	for (exponent = 0; exponent < 2047; exponent++) {
		for (i = 0; i < 20; i++) {
			u64 value = draw_double(exponent);
			struct tofu_sum sum;

			if (i % 2)
				value &= 0xfffull << 52 | 1ull << draw_below(52);
			sum = sum_of(value);
			travel(&sum);
			assert_true(tofu_sum_value(&sum) == value);
			assert_in_range(sum.band, value << 1 ? 1 : 0, TOFU_SUM_BANDS);
		}
	}
}

#define INF	0x7ff0000000000000ull
#define NOT	0x7ff8000000000000ull
#define MINUS	0x8000000000000000ull
#define LARGEST	0x7fefffffffffffffull
#define ONE	0x3ff0000000000000ull

/* Sums with infinities, NaN and zeros of both signs, and sums whose partial sums overflow. */
static void test_special(void **state)
{
	static const struct {
		u64 values[4];
		u32 count;
		u64 sum;
	} cases[] = {
		{ { MINUS, MINUS, MINUS }, 3, MINUS },
		{ { MINUS, 0, MINUS }, 3, 0 },
		{ { ONE, MINUS | ONE, MINUS }, 3, 0 },
		{ { 1, MINUS | 1 }, 2, 0 },
		{ { 1, 1, MINUS | 1 }, 3, 1 },
		{ { INF, ONE, MINUS | LARGEST }, 3, INF },
		{ { MINUS | INF, LARGEST, MINUS | INF }, 3, MINUS | INF },
		{ { INF, MINUS | INF, ONE }, 3, NOT },
		{ { 0xfff0000000000001ull, ONE }, 2, NOT },
		{ { NOT | 5, INF, MINUS | INF }, 3, NOT },
		{ { LARGEST, LARGEST, MINUS | LARGEST }, 3, LARGEST },
		{ { LARGEST, LARGEST }, 2, INF },
		{ { MINUS | LARGEST, MINUS | LARGEST, ONE }, 3, MINUS | INF },
		/* the largest double plus a little less than half an ulp, and plus half an ulp */
		{ { LARGEST, 0x7c8fffffffffffffull }, 2, LARGEST },
		{ { LARGEST, 0x7c90000000000000ull }, 2, INF },
		/*
		 * 1 + 2^-53 is half-way and rounds to even; another 2^-100 or 2^-120 changes the
		 * result
		 */
		{ { ONE, 0x3ca0000000000000ull }, 2, ONE },
		{ { ONE, 0x3ca0000000000000ull, 0x39b0000000000000ull }, 3, ONE + 1 },
		{ { ONE, 0x3ca0000000000000ull, 0x3870000000000000ull }, 3, ONE + 1 },
		{ { ONE + 1, 0x3ca0000000000000ull }, 2, ONE + 2 },
		{ { ONE, 0x3ca0000000000000ull, 0xb9b0000000000000ull }, 3, ONE },
	};
	u32 i, k;

	for (i = 0; i < COUNT(cases); i++) {
		for (k = 0; k < 20; k++) {
			struct tofu_sum sum;

			sum_in_any_order(cases[i].values, cases[i].count, &sum);
			travel(&sum);
			assert_true(tofu_sum_value(&sum) == cases[i].sum);
		}
	}
}

/* A packed sum has the layout that exact_sum.h documents. */
static void test_wire(void **state)
{
	struct tofu_sum sum = sum_of(MINUS | ONE);
	u8 bytes[TOFU_SUM_BYTES], expected[TOFU_SUM_BYTES] = { 0 };
	u32 i;

	/* 1 is 2^(1074 - 9 * 112) units of band 9, which is numbered 10 */
	expected[0] = 0x10;
	expected[1] = 10;
	for (i = 2; i < TOFU_SUM_NUMBER_BYTES; i++)
		expected[i] = 0xff;
	for (i = 0; i < 8; i++)
		expected[TOFU_SUM_NUMBER_BYTES - 1 - i] = 0;
	expected[TOFU_SUM_NUMBER_BYTES - 1 - 8] = 0xfc;
	expected[TOFU_SUM_NUMBER_BYTES + 1] = 9;
	tofu_sum_pack(&sum, bytes);
	assert_memory_equal(bytes, expected, sizeof(bytes));
	assert_int_equal(TOFU_SUM_NUMBER_BYTES * 8, 160);
}

static void refused(const u8 *good, u32 at, u8 byte)
{
	struct tofu_sum sum;
	u8 bytes[TOFU_SUM_BYTES];

	memcpy(bytes, good, sizeof(bytes));
	assert_true(tofu_sum_unpack(&sum, bytes));
	bytes[at] = byte;
	assert_false(tofu_sum_unpack(&sum, bytes));
}

static void test_refused(void **state)
{
	struct tofu_sum sum = sum_of(ONE), none = sum_of(MINUS), least = sum_of(1);
	u8 bytes[TOFU_SUM_BYTES];

	tofu_sum_pack(&sum, bytes);
	refused(bytes, 1, 11);				/* bands are not adjacent */
	refused(bytes, 1, TOFU_SUM_BANDS + 1);
	refused(bytes, 0, 0x01);			/* band out of range */
	refused(bytes, TOFU_SUM_NUMBER_BYTES, 0x80);	/* flag of the upper band */
	tofu_sum_pack(&none, bytes);
	refused(bytes, TOFU_SUM_NUMBER_BYTES - 1, 1);	/* a number without a band */
	tofu_sum_pack(&least, bytes);
	refused(bytes, TOFU_SUM_BYTES - 1, 1);		/* below 2^-1074 */
}

/*
 * 2^30 values that use all bits of their band can be added, with either sign, and subtracted
 * again.
 */
static void test_full_band(void **state)
{
	u32 doublings = 30, i, minus;

	for (minus = 0; minus < 2; minus++) {
		u64 value = ((60 + 112 * 8 + 1ull) << 52) - 1 - draw_below(100) +
			    (minus ? MINUS : 0);
		struct tofu_sum sum = sum_of(value), back = sum_of(value ^ MINUS), twice;

		for (i = 0; i < doublings; i++) {
			twice = sum;
			tofu_sum_add(&sum, &twice);
			travel(&sum);
			twice = back;
			tofu_sum_add(&back, &twice);
		}
		assert_true(tofu_sum_value(&sum) == value + ((u64)doublings << 52));
		tofu_sum_add(&sum, &back);
		twice = sum_of(value);
		tofu_sum_add(&sum, &twice);
		assert_true(tofu_sum_value(&sum) == value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_rounded_once),
		cmocka_unit_test(test_one_value),
		cmocka_unit_test(test_special),
		cmocka_unit_test(test_wire),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_full_band),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
