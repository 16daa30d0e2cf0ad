// SPDX-License-Identifier: GPL-2.0
/* Parsing of numbers: accepted and rejected texts, and random input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/state/fabric.h"
#include "core/base/parse_number.h"
#include "core/run/params.h"
#include "core/tests/draw.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static void test_number(void **state)
{
	static const struct {
		const char *text;
		int ret;
		u64 value;
	} rows[] = {
		{ "0", 0, 0 }, { "7", 0, 7 }, { "0x0", 0, 0 }, { "0xdeadBEEF", 0, 0xdeadbeef },
		{ "18446744073709551615", 0, ~0ull }, { "18446744073709551616", -ERANGE, 0 },
		{ "0xffffffffffffffff", 0, ~0ull }, { "0x10000000000000000", -ERANGE, 0 },
		{ "0x000000000000000000001", 0, 1 }, { "100000000000000000000000", -ERANGE, 0 },
		{ "", -EINVAL, 0 }, { "0x", -EINVAL, 0 }, { "x1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 }, { " 1", -EINVAL, 0 }, { "+1", -EINVAL, 0 },
		{ "a", -EINVAL, 0 }, { "0xg", -EINVAL, 0 }, { "1.0", -EINVAL, 0 },
		{ "99999999999999999999z", -EINVAL, 0 },
	};
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		u64 want = rows[i].ret ? 42 : rows[i].value;
		u64 value = 42;

		if (torus_parse_number(rows[i].text, &value) != rows[i].ret || value != want)
			fail_msg("%s: %llu", rows[i].text, value);
	}
}

static void test_fraction(void **state)
{
	static const struct {
		const char *text;
		u32 bits;
		int ret;
		u64 value;
	} rows[] = {
		{ "0", 64, 0, 0 }, { "0.0", 64, 0, 0 }, { "0e99999999999", 64, 0, 0 },
		{ ".5", 64, 0, 1ull << 63 }, { "5e-1", 64, 0, 1ull << 63 },
		{ "50000e-5", 1, 0, 1 }, { "0.00005e4", 1, 0, 1 }, { "5.E-1", 1, 0, 1 },
		{ "1", 32, 0, 1ull << 32 }, { "2", 32, 0, 2ull << 32 },
		{ "1e0", 63, 0, 1ull << 63 },
		{ "0.25", 2, 0, 1 }, { "0.5", 0, 0, 1 }, { "0.49", 0, 0, 0 }, { "1.5", 0, 0, 2 },
		{ "18446744073709551615", 0, 0, ~0ull },
		{ "18446744073709551615.4", 0, 0, ~0ull },
		{ "18446744073709551615.5", 0, -ERANGE, 0 },
		{ "18446744073709551616", 0, -ERANGE, 0 },
		{ "1.8446744073709551615e19", 0, 0, ~0ull },
		{ "1e20", 0, -ERANGE, 0 }, { "1e19", 0, 0, 10000000000000000000ull },
		{ "1e99999999999999999999", 0, -ERANGE, 0 },
		{ "1e-99999999999999999999", 64, 0, 0 }, { "1", 64, -ERANGE, 0 },
		/* exactly 2^-65, which is a half and rounded up, and values just below it */
		{ "27105054312137610850186320021748542785644531250e-66", 64, 0, 1 },
		{ "0.000000000000000000027105054312137610850186320021748542785644531249",
		  64, 0, 0 },
		{ "0.00000000000000000002710505431213761085018632002174854278564453125", 64, 0, 1 },
		{ "0.0000000000000000000271050543121376108501863200217485427856445312499999999",
		  64, 0, 0 },
		/* 1 - 2^-64, and values that would round to 1 */
		{ "0.999999999999999999945789891375724778299627956502914428710937", 64, 0, ~0ull },
		{ "0.99999999999999999999", 64, -ERANGE, 0 },
		{ "", 64, -EINVAL, 0 }, { ".", 64, -EINVAL, 0 }, { "e5", 64, -EINVAL, 0 },
		{ "1e", 64, -EINVAL, 0 }, { "1e+", 64, -EINVAL, 0 }, { "1e-", 64, -EINVAL, 0 },
		{ "1e5x", 64, -EINVAL, 0 }, { "1..2", 64, -EINVAL, 0 },
		{ "1.2.3", 64, -EINVAL, 0 }, { "1e 5", 64, -EINVAL, 0 },
		{ "-1", 64, -EINVAL, 0 }, { "+1", 64, -EINVAL, 0 }, { " 1", 64, -EINVAL, 0 },
		{ "1 ", 64, -EINVAL, 0 }, { "0x1", 64, -EINVAL, 0 }, { "nan", 64, -EINVAL, 0 },
		{ "1e1.5", 64, -EINVAL, 0 }, { "1e--5", 64, -EINVAL, 0 },
	};
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		u64 want = rows[i].ret ? 42 : rows[i].value;
		u64 value = 42;
		int ret = torus_parse_fraction(rows[i].text, rows[i].bits, &value);

		if (ret != rows[i].ret || value != want)
			fail_msg("%s at %u bits: %llu", rows[i].text, rows[i].bits, value);
	}
}

/* Compute mantissa * 10^-places * 2^bits, rounded, in 128-bit arithmetic. */
static u64 fraction_reference(u64 mantissa, u32 places, u32 bits)
{
	unsigned __int128 unit = 1, value = (unsigned __int128)mantissa << bits;

	while (places--)
		unit *= 10;
	return (u64)((value + unit / 2) / unit);
}

/* Parse random numbers below 1, with the point and the exponent at any place. */
static void test_fraction_random(void **state)
{
	u32 round;

	draw_seed = 1;
	for (round = 0; round < 200000; round++) {
		u32 digits = 1 + draw_below(18);
		u32 places = digits + draw_below(19 - digits);
		u32 bits = draw_below(64);
		u32 i;
		u64 mantissa, unit = 1, value;
		char text[64];

		for (i = 0; i < digits; i++)
			unit *= 10;
		mantissa = draw() % unit;
		if (round & 1)
			scnprintf(text, sizeof(text), "%llue-%u", mantissa, places);
		else
			scnprintf(text, sizeof(text), "0.%0*llu", (int)places, mantissa);
		assert_int_equal(torus_parse_fraction(text, bits, &value), 0);
		if (value != fraction_reference(mantissa, places, bits))
			fail_msg("%s at %u bits: %llu", text, bits, value);
	}
}

/* Print numbers of each size as text and parse them again. */
static void test_fraction_text_random(void **state)
{
	u32 round;

	draw_seed = 2;
	for (round = 0; round < 20000; round++) {
		u64 value = draw() >> draw_below(64), back;
		char text[TORUS_FRACTION_TEXT];

		if (round % 4 == 0)
			value = ~value;
		torus_fraction_text(value, text, sizeof(text));
		assert_true(strlen(text) < sizeof(text) - 1);
		assert_int_equal(torus_parse_fraction(text, 64, &back), 0);
		if (back != value)
			fail_msg("%llu as %s is %llu", value, text, back);
	}
}

/* Numbers with few digits are printed with the same digits. */
static void test_fraction_text_short(void **state)
{
	static const char *const texts[] = {
		"0", "0.5", "0.1", "0.25", "0.001", "2.5e-04", "1e-04", "1e-05", "2.5e-07",
			"1.25e-09",
		"0.999", "0.9", "9e-05", "9.99e-12", "1e-15",
	};
	char text[TORUS_FRACTION_TEXT];
	size_t i;
	u64 value;

	for (i = 0; i < COUNT(texts); i++) {
		assert_int_equal(torus_parse_fraction(texts[i], 64, &value), 0);
		assert_string_equal(torus_fraction_text(value, text, sizeof(text)), texts[i]);
	}
	assert_string_equal(torus_fraction_text(1ull << 63, text, 3), "0.");
	assert_string_equal(torus_fraction_text(1ull << 63, text, 1), "");
}

/* ------------------------------------------------------------- random input */

static void test_random_numbers(void **state)
{
	u32 round;

	draw_seed = 3;
	for (round = 0; round < 200000; round++) {
		char *text = random_text();
		u64 number = 42, fraction = 42;
		int n = torus_parse_number(text, &number);
		int f = torus_parse_fraction(text, draw_below(65), &fraction);

		assert_true(n == 0 || n == -EINVAL || n == -ERANGE);
		assert_true(f == 0 || f == -EINVAL || f == -ERANGE);
		assert_true(!n || number == 42);
		assert_true(!f || fraction == 42);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_fraction),
		cmocka_unit_test(test_fraction_random),
		cmocka_unit_test(test_fraction_text_random),
		cmocka_unit_test(test_fraction_text_short),
		cmocka_unit_test(test_random_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
