// SPDX-License-Identifier: GPL-2.0
/* Test the parsers of numbers, times, shapes, directions and nodes: values and error messages. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../name.h"
#include "../integer.h"
#include "../node.h"
#include "../shape.h"
#include "../time.h"
#include "core/tests/says.h"
#include "../../machine/machine.h"
#include "../parse.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define FUZZ_ROUNDS	200000

static struct parse_error why;

/* Check that a parser rejects its argument, and check the text of the error message. */
#define REFUSED(call, reason) do {		\
		why.text[0] = '\0';		\
		assert_false(call);		\
		assert_says(why.text, reason); \
	} while (0)

static void test_words_number(void **state)
{
	__u64 value = 5;
	uint32_t small = 5;

	assert_true(parse_number("seed", "0", 0, ~0ull, &value, &why));
	assert_int_equal(value, 0);
	assert_true(parse_number("seed", "18446744073709551615", 0, ~0ull, &value, &why));
	assert_true(value == ~0ull);
	assert_true(parse_number("seed", "0xFf", 0, ~0ull, &value, &why));
	assert_int_equal(value, 255);
	REFUSED(parse_number("seed", "18446744073709551616", 0, ~0ull, &value, &why),
		"seed 18446744073709551616 0 18446744073709551615");
	REFUSED(parse_number("top", "0", 1, 9, &value, &why), "top 0 1 9");
	REFUSED(parse_number("top", "10", 1, 9, &value, &why), "top 10 1 9");
	REFUSED(parse_number("top", "-1", 1, 9, &value, &why), "top -1 number");
	REFUSED(parse_number("top", "", 1, 9, &value, &why), "top number");
	REFUSED(parse_number("top", "0x", 1, 9, &value, &why), "top 0x number");
	REFUSED(parse_number("top", "1 ", 1, 9, &value, &why), "top 1 number");
	assert_int_equal(value, 255);
	assert_true(parse_u32("value", "4294967295", 0, ~0u, &small, &why));
	assert_int_equal(small, ~0u);
	REFUSED(parse_u32("value", "4294967296", 0, ~0u, &small, &why),
		"value 4294967296 0 4294967295");
	assert_int_equal(small, ~0u);
}

static void check_fraction(const char *word, unsigned int bits, __u64 wanted)
{
	__u64 value = ~wanted;

	if (bits == PARSE_BER_BITS)
		assert_true(parse_ber(word, &value, &why));
	else
		assert_true(parse_fraction("load", word, bits, 4000000000u, &value, &why));
	assert_true(value == wanted);
}

static void test_words_fraction(void **state)
{
	char zeros[700];

	check_fraction("0", 64, 0);
	check_fraction("0.0e99", 64, 0);
	check_fraction("1e-5", 64, 184467440737096ull);	/* the exact value ends in 095.51615 */
	check_fraction("0.00001", 64, 184467440737096ull);
	check_fraction("100e-7", 64, 184467440737096ull);
	check_fraction(".5", 64, 1ull << 63);
	check_fraction("5E-1", 64, 1ull << 63);
	check_fraction("0.75", 64, 3ull << 62);
	/* the first number is 2^-64, the second half of it, which is rounded up */
	check_fraction("5.421010862427522170037264004349708557128906250e-20", 64, 1);
	check_fraction("2.7105054312137610850186320021748542785644531250e-20", 64, 1);
	/* 1 - 2^-64 */
	check_fraction("0.9999999999999999999457898913757247782996273599565029144287109375", 64,
		       ~0ull);
	check_fraction("0.9", 32, 3865470566ull);	/* the exact value ends in 566.4 */
	check_fraction("0.3", 32, 1288490189ull);	/* the exact value ends in 188.8 */
	check_fraction("1", 32, 1ull << 32);
	check_fraction("2", 32, 1ull << 33);
	memset(zeros, '0', sizeof(zeros));
	memcpy(zeros, "0.5", 3);
	zeros[sizeof(zeros) - 1] = '\0';
	check_fraction(zeros, 64, 1ull << 63);
	assert_true(parse_double(3ull << 62, 64) == 0.75);
	assert_true(parse_double(3ull << 31, 32) == 1.5);
}

static void test_words_fraction_refused(void **state)
{
	static const char *const no_numbers[] = {
		"", ".", "-0.5", "0.5 ", "0x1", "1e", "1e5x", "1.2.3", "nan", "inf", "half",
	};
	__u64 value = 77;
	char text[128];
	size_t i;

	for (i = 0; i < COUNT(no_numbers); i++) {
		snprintf(text, sizeof(text), "load %s number", no_numbers[i]);
		REFUSED(parse_fraction("load", no_numbers[i], 32, 2, &value, &why), text);
		snprintf(text, sizeof(text), "ber %s number 0 1",
			 no_numbers[i]);
		REFUSED(parse_ber(no_numbers[i], &value, &why), text);
	}
	REFUSED(parse_fraction("load", "2.1", 32, 2, &value, &why), "load 2.1 0 2");
	REFUSED(parse_fraction("load", "1e9", 32, 2, &value, &why), "load 1e9 0 2");
	REFUSED(parse_fraction("load", "1e1000000000", 32, 2, &value, &why),
		"load 1e1000000000 0 2");
	REFUSED(parse_fraction("load", "1e-20", 32, 2, &value, &why), "load 1e-20 2^-33");
	REFUSED(parse_fraction("load", ".00000000001", 32, 2, &value, &why),
		"load .00000000001 2^-33");
	REFUSED(parse_ber("1", &value, &why), "ber 1 0");
	REFUSED(parse_ber("1e400", &value, &why), "ber 1e400 0 1");
	/* a rate that is rounded to 1 is rejected like 1 */
	REFUSED(parse_ber("0.99999999999999999999999999999999", &value, &why),
		"ber 0.99999999999999999999999999999999 0 1");
	REFUSED(parse_ber("1e-999999999999", &value, &why), "ber 1e-999999999999 2^-65");
	REFUSED(parse_ber("2.7105054312137610850186320021748542785644531249e-20", &value, &why),
		"ber 2.7105054312137610850186320021748542785644531249e-20 2^-65");
	assert_int_equal(value, 77);
}

static void test_words_sizes(void **state)
{
	uint32_t min = 1, max = 2;

	assert_true(parse_sizes("256", &min, &max, &why));
	assert_int_equal(min, 256);
	assert_int_equal(max, 256);
	assert_true(parse_sizes("0x20:256", &min, &max, &why));
	assert_int_equal(min, 32);
	assert_int_equal(max, 256);
	REFUSED(parse_sizes("256:32", &min, &max, &why), "size 256:32");
	REFUSED(parse_sizes("32:", &min, &max, &why), "size 32: MIN:MAX");
	REFUSED(parse_sizes(":32", &min, &max, &why), "size :32 MIN:MAX");
	REFUSED(parse_sizes("1:2:3", &min, &max, &why), "size 1:2:3 MIN:MAX");
	REFUSED(parse_sizes("big", &min, &max, &why), "size big MIN:MAX");
	REFUSED(parse_sizes("4294967296", &min, &max, &why), "size 4294967296 MIN:MAX");
	REFUSED(parse_sizes("0", &min, &max, &why), "size 0 byte");
	REFUSED(parse_sizes("0:5", &min, &max, &why), "size 0:5 byte");
	assert_int_equal(min, 32);
}

static void test_words_time(void **state)
{
	static const struct {
		const char *word;
		__u64 ticks;
		__u64 fs;
	} good[] = {
		{ "0", 0, 0 }, { "17", 17, 0 }, { "0x10", 16, 0 }, { "1ns", 0, 1000000 },
		{ "1.5us", 0, 1500000000 }, { "007ms", 0, 7000000000000 },
		{ "2s", 0, 2000000000000000 }, { "0.000001ns", 0, 1 },
	};
	struct parse_time time;
	size_t i;

	for (i = 0; i < COUNT(good); i++) {
		assert_true(parse_time("delay", good[i].word, &time, &why));
		assert_true(time.ticks == good[i].ticks && time.fs == good[i].fs);
	}
	REFUSED(parse_time("delay", "5h", &time, &why), "delay 5h tick ns us ms s");
	REFUSED(parse_time("delay", "1..5us", &time, &why), "delay 1..5us number");
	REFUSED(parse_time("delay", "1.us", &time, &why), "delay 1.us number");
	REFUSED(parse_time("delay", "99999s", &time, &why), "delay 99999s 2^64");
	REFUSED(parse_time("at", "-5", &time, &why), "at -5 number");
	REFUSED(parse_time("at", "18446744073709551616", &time, &why),
		"at 18446744073709551616 0 18446744073709551615");
	/* a time between two ticks is rounded up */
	time = (struct parse_time){ .fs = 10 };
	assert_int_equal(parse_time_ticks(&time, 3), 4);
	assert_int_equal(parse_time_ticks(&time, 5), 2);
	time = (struct parse_time){ .ticks = 9 };
	assert_int_equal(parse_time_ticks(&time, 3), 9);
}

static void test_words_shape(void **state)
{
	struct parse_list list;
	char text[PARSE_SHAPE_MAX];

	assert_true(parse_shape("shape", "4x05x4294967295", &list, &why));
	assert_int_equal(list.count, 3);
	assert_int_equal(list.numbers[1], 5);
	assert_string_equal(parse_shape_text(list.count, list.numbers, text, sizeof(text)),
			    "4x5x4294967295");
	REFUSED(parse_shape_nodes("shape", "4x5x4294967295", &list, &why),
		"shape 4x5x4294967295 2^32");
	assert_true(parse_shape("shape", "65535x65537", &list, &why));
	assert_true(parse_shape_nodes("shape", "65535x65537", &list, &why));
	REFUSED(parse_shape("shape", "0x4", &list, &why), "shape 0x4 x");
	REFUSED(parse_shape("region", "4x4x0", &list, &why), "region 4x4x0 z");
	REFUSED(parse_shape("shape", "4x", &list, &why), "shape 4x y");
	REFUSED(parse_shape("shape", "", &list, &why), "shape x");
	REFUSED(parse_shape("shape", "4x-4x4", &list, &why), "shape 4x-4x4 y number");
	REFUSED(parse_shape("shape", "4294967296x1", &list, &why), "shape 4294967296x1 x");
	REFUSED(parse_shape("shape", "1x1x1x1x1x1x99999999999999999999999999", &list, &why),
		"shape 1x1x1x1x1x1x99999999999999999999999999 d6");
	REFUSED(parse_shape("shape", "1x1x1x1x1x1x1x1x1x1x1", &list, &why),
		"shape 1x1x1x1x1x1x1x1x1x1x1 10 dimension");
	assert_true(parse_coords("region_at", "1,0,3", &list, &why));
	assert_int_equal(list.numbers[1], 0);
	REFUSED(parse_coords("region_at", "1,,3", &list, &why), "region_at 1,,3 y");
}

static void test_words_mesh_and_dir(void **state)
{
	static const char *const no_meshes[] = { "", "w", "x,,z", "x,", ",x", "d5", "x z" };
	static const char *const no_dirs[] = {
		"", "x", "+x", "x*", "xy+", "q+", "d5+", "d10+", "x+-",
	};
	char text[128], name[PARSE_DIR_MAX];
	uint32_t mesh, dir, i;

	assert_true(parse_mesh("none", &mesh, &why));
	assert_int_equal(mesh, 0);
	assert_true(parse_mesh("x,z", &mesh, &why));
	assert_int_equal(mesh, 5);
	assert_true(parse_mesh("abd6d9", &mesh, &why));
	assert_int_equal(mesh, 0x258);
	REFUSED(parse_mesh("xx", &mesh, &why), "mesh xx twice");
	for (i = 0; i < COUNT(no_meshes); i++) {
		snprintf(text, sizeof(text), "mesh %s x y z a b c d6 d9", no_meshes[i]);
		REFUSED(parse_mesh(no_meshes[i], &mesh, &why), text);
	}
	for (i = 0; i < COUNT(no_dirs); i++) {
		snprintf(text, sizeof(text), "direction %s x+ x- y+ y-", no_dirs[i]);
		REFUSED(parse_dir(no_dirs[i], &dir, &why), text);
	}
	/* check that the name of each direction is parsed back to its number */
	for (i = 0; i < 2 * TORUS_DIMS_MAX; i++) {
		assert_true(parse_dir(parse_dir_name(i, name, sizeof(name)), &dir, &why));
		assert_int_equal(dir, i);
	}
	assert_string_equal(parse_dir_name(13, name, sizeof(name)), "d6-");
}

static void test_words_place(void **state)
{
	struct parse_place place;

	assert_true(parse_place("all", true, &place, &why));
	assert_true(place.all);
	assert_true(parse_place("4294967295", false, &place, &why));
	assert_false(place.by_coords);
	assert_int_equal(place.number, ~0u);
	assert_true(parse_place("0x1f", false, &place, &why));
	assert_int_equal(place.number, 31);
	assert_true(parse_place("1,2,3", false, &place, &why));
	assert_true(place.by_coords);
	assert_int_equal(place.coords.numbers[2], 3);
	REFUSED(parse_place("all", false, &place, &why), "node all number coordinate");
	REFUSED(parse_place("-1", true, &place, &why), "node -1 number coordinate all");
	REFUSED(parse_place("1.5", false, &place, &why), "node 1.5 number coordinate");
	REFUSED(parse_place("4294967296", false, &place, &why), "node 4294967296");
	REFUSED(parse_place("1,2,x", false, &place, &why), "node 1,2,x z number");
	REFUSED(parse_place("1,", false, &place, &why), "node 1, y");
	REFUSED(parse_place("1,2,4294967296", false, &place, &why), "node 1,2,4294967296 z");
}

static void test_words_place_inside(void **state)
{
	const uint32_t dims[] = { 4, 5, 6 };
	const struct torus_machine_shape shape = { .ndims = 3, .dims = dims };
	const struct torus_machine *machine = torus_machine_find("bgl");
	char text[PARSE_COORDS_MAX];
	struct parse_place place;
	uint32_t node, number;

	assert_true(parse_place("4,0,0", false, &place, &why));
	REFUSED(parse_place_inside(&place, &shape, "fabric t0", &why), "node 4,0,0 x t0 0 3");
	assert_true(parse_place("1,2", false, &place, &why));
	REFUSED(parse_place_inside(&place, &shape, "the shape", &why), "node 1,2 2 shape 3");
	assert_true(parse_place("999", false, &place, &why));
	assert_true(parse_place_inside(&place, &shape, "the shape", &why));
	/* check that the text of each node is parsed back to the node */
	for (node = 0; node < 120; node++) {
		parse_place_text(machine, &shape, node, text, sizeof(text));
		assert_true(parse_place(text, false, &place, &why));
		assert_true(parse_place_inside(&place, &shape, "the shape", &why));
		assert_int_equal(torus_machine_number(machine, &shape, place.coords.numbers,
						      &number), 0);
		assert_int_equal(number, node);
	}
	assert_string_equal(parse_place_text(machine, &shape, 120, text, sizeof(text)), "120");
	assert_string_equal(parse_place_text(NULL, &shape, 7, text, sizeof(text)), "7");
}

static void test_words_names(void **state)
{
	char key[8] = "";
	const char *value;

	assert_true(parse_pair("ber=1e-5", key, sizeof(key), &value));
	assert_string_equal(key, "ber");
	assert_string_equal(value, "1e-5");
	assert_true(parse_pair("a=b=c", key, sizeof(key), &value));
	assert_string_equal(value, "b=c");
	assert_true(parse_pair("seven77=", key, sizeof(key), &value));
	assert_string_equal(value, "");
	assert_false(parse_pair("eight888=", key, sizeof(key), &value));
	assert_false(parse_pair("=5", key, sizeof(key), &value));
	assert_false(parse_pair("routing", key, sizeof(key), &value));
	assert_true(parse_name("a234567890123456789012345678901", &why));
	REFUSED(parse_name("", &why), "fabric name");
	REFUSED(parse_name("a2345678901234567890123456789012", &why),
		"fabric a2345678901234567890123456789012 31");
}

/* Make a random word from few letters, so that many words are nearly valid arguments. */
static void random_word(char *word, size_t size)
{
	static const char letters[] = "0123456789xe.,+-:abdzyus ";
	size_t length = (size_t)rand() % (size - 1), i;

	for (i = 0; i < length; i++)
		word[i] = letters[(size_t)rand() % (sizeof(letters) - 1)];
	word[length] = '\0';
}

/*
 * Check random words: a parser either accepts a word, or rejects it with a message that names it.
 * The text of an accepted shape is parsed back to the same shape.
 */
static void test_words_fuzzed(void **state)
{
	char word[24], text[PARSE_SHAPE_MAX];
	struct parse_list list, again;
	struct parse_place place;
	struct parse_time time;
	uint32_t a, b, i;
	__u64 value;

	srand(1);
	for (i = 0; i < FUZZ_ROUNDS; i++) {
		bool good;

		random_word(word, sizeof(word));
		why.text[0] = '\0';
		switch (i % 8) {
		case 0:
			good = parse_number("n", word, 0, ~0ull, &value, &why);
			break;
		case 1:
			good = parse_fraction("f", word, 32, 2, &value, &why);
			assert_true(!good || value <= 2ull << 32);
			break;
		case 2:
			good = parse_ber(word, &value, &why);
			break;
		case 3:
			good = parse_sizes(word, &a, &b, &why);
			assert_true(!good || (a && a <= b));
			break;
		case 4:
			good = parse_time("t", word, &time, &why);
			break;
		case 5:
			good = parse_mesh(word, &a, &why);
			break;
		case 6:
			good = parse_place(word, true, &place, &why);
			break;
		default:
			good = parse_shape("s", word, &list, &why);
			if (!good)
				break;
			parse_shape_text(list.count, list.numbers, text, sizeof(text));
			assert_true(parse_shape("s", text, &again, &why));
			assert_int_equal(again.count, list.count);
			assert_memory_equal(again.numbers, list.numbers,
					    list.count * sizeof(list.numbers[0]));
		}
		assert_true(good || strstr(why.text, word));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_number),
		cmocka_unit_test(test_words_fraction),
		cmocka_unit_test(test_words_fraction_refused),
		cmocka_unit_test(test_words_sizes),
		cmocka_unit_test(test_words_time),
		cmocka_unit_test(test_words_shape),
		cmocka_unit_test(test_words_mesh_and_dir),
		cmocka_unit_test(test_words_place),
		cmocka_unit_test(test_words_place_inside),
		cmocka_unit_test(test_words_names),
		cmocka_unit_test(test_words_fuzzed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
