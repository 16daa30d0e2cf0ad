// SPDX-License-Identifier: GPL-2.0
/* Test that a picture of torusctl top is cropped to the size of the terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../print/crop.h"

static void fits(const char *text, unsigned int rows, unsigned int columns, const char *wanted)
{
	char got[256] = "";
	FILE *out = fmemopen(got, sizeof(got), "w");

	assert_non_null(out);
	crop_print(out, text, rows, columns);
	fclose(out);
	assert_string_equal(got, wanted);
}

static void test_what_fits_stays(void **state)
{
	fits("", 24, 80, "");
	fits("ab\n\ncd\n", 4, 2, "ab\n\ncd\n");
}

static void test_long_lines_are_cut(void **state)
{
	fits("abcdef\nx\n", 24, 4, "abcd\nx\n");
}

static void test_many_lines_are_cut(void **state)
{
	fits("a\nb\nc\nd\n", 4, 80, "a\nb\n(more lines than the terminal has)\n");
	fits("a\nb\nc\nd\n", 5, 80, "a\nb\nc\nd\n");
	fits("a\nb\n", 1, 5, "(more\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_fits_stays),
		cmocka_unit_test(test_long_lines_are_cut),
		cmocka_unit_test(test_many_lines_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
