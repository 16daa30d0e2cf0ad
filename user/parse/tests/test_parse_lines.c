// SPDX-License-Identifier: GPL-2.0
/* Test the splitting of command files into words, and the rejection of invalid lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../script_lines.h"
#include "core/tests/says.h"
#include "../parse.h"

#define FUZZ_ROUNDS	2000

static struct parse_error why;

static void lines_of(struct parse_lines *lines, const char *text, size_t length)
{
	*lines = (struct parse_lines){ .name = "text" };
	lines->file = fmemopen((void *)text, length, "r");
	assert_non_null(lines->file);
}

/*
 * Check how the lines of @text are split. @wanted has "NUMBER:word|word;" for each valid line and
 * "NUMBER!" for each rejected line.
 */
static void check_lines(const char *text, const char *wanted)
{
	struct parse_lines lines;
	char got[512] = "";
	size_t used = 0;
	unsigned int i;
	int more;

	lines_of(&lines, text, strlen(text));
	while ((more = parse_lines_next(&lines, &why))) {
		used += snprintf(got + used, sizeof(got) - used, "%u%s", lines.line,
				 more > 0 ? ":" : "!");
		for (i = 0; more > 0 && i < lines.count; i++)
			used += snprintf(got + used, sizeof(got) - used, "%s%s", i ? "|" : "",
					 lines.words[i]);
		used += snprintf(got + used, sizeof(got) - used, ";");
		if (more > 0)
			assert_null(lines.words[lines.count]);
	}
	assert_string_equal(got, wanted);
	parse_lines_close(&lines);
}

static void test_words_lines(void **state)
{
	check_lines("a b  c\n", "1:a|b|c;");
	check_lines("\n \t\n# x\n a\tb # c\r\n", "4:a|b;");
	check_lines("a\\\nb \\\n c\nd", "1:ab|c;4:d;");
	check_lines("a \\", "1:a;");
	check_lines("a\\", "1:a;");
	check_lines("\\\n\\\n\na", "4:a;");
	check_lines("'a b'\"c'd\" \"\" \\#e f#g", "1:a bc'd||#e|f#g;");
	check_lines("'a\\b' \"c\\\"d\"", "1:a\\b|c\"d;");
	check_lines("a 'b\nc", "1!;2:c;");
	assert_says(why.text, "quote '");
	check_lines("a \"b", "1!;");
}

/* Check that random text is always read up to its end. */
static void test_words_lines_fuzz(void **state)
{
	static const char bytes[] = "ab \t\n\\'\"#\r";
	char text[64];
	struct parse_lines lines;
	unsigned int round;
	unsigned int calls;
	size_t length;
	size_t i;

	srand(1);
	for (round = 0; round < FUZZ_ROUNDS; round++) {
		length = 1 + rand() % sizeof(text);
		for (i = 0; i < length; i++)
			text[i] = bytes[rand() % (sizeof(bytes) - (rand() % 50 ? 1 : 0))];
		lines_of(&lines, text, length);
		for (calls = 0; parse_lines_next(&lines, &why); calls++)
			assert_in_range(calls, 0, length);
		parse_lines_close(&lines);
	}
}

/* Parse a file with one line of @length bytes and a newline. */
static int read_long(size_t length)
{
	struct parse_lines lines;
	char *text = malloc(length + 3);
	int more;

	assert_non_null(text);
	memset(text, 'a', length);
	memcpy(text + length, "\nb", 3);
	lines_of(&lines, text, length + 2);
	more = parse_lines_next(&lines, &why);
	if (more < 0) {
		assert_says(why.text, "line 1048576");
		/* reading stops after a line that is too long, because its rest may be endless */
		assert_int_equal(parse_lines_next(&lines, &why), 0);
	}
	parse_lines_close(&lines);
	free(text);
	return more;
}

static void test_words_lines_long(void **state)
{
	static char pieces[2 << 20];
	struct parse_lines lines;
	size_t i;

	assert_int_equal(read_long(PARSE_LINE_MAX), 1);
	assert_int_equal(read_long(PARSE_LINE_MAX + 1), -1);
	/* the limit applies to the whole continued line, and not to each of its parts */
	for (i = 0; i < sizeof(pieces); i += 2)
		memcpy(pieces + i, "\\\n", 2);
	lines_of(&lines, pieces, sizeof(pieces));
	assert_int_equal(parse_lines_next(&lines, &why), -1);
	parse_lines_close(&lines);
	assert_true(parse_lines_open(&lines, "/dev/zero", &why));
	assert_int_equal(parse_lines_next(&lines, &why), -1);
	assert_int_equal(lines.line, 1);
	assert_true(lines.raw_room <= 4 * PARSE_LINE_MAX);
	assert_int_equal(parse_lines_next(&lines, &why), 0);
	parse_lines_close(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_lines),
		cmocka_unit_test(test_words_lines_fuzz),
		cmocka_unit_test(test_words_lines_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
