// SPDX-License-Identifier: GPL-2.0
/* Test escaped text: each kind of character, buffers that are too small, and random bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../escape.h"

#define HOSTILE	"\x1b[31m\"\\\n\xff"

static void check(const char *text, const char *name, const char *message)
{
	char to[128], *printed;
	size_t size;
	FILE *out;

	assert_string_equal(torus_escape(text, to, sizeof(to)), name);
	assert_true(strlen(to) < TORUS_ESCAPED(strlen(text)));
	out = open_memstream(&printed, &size);
	torus_escape_put(out, text);
	fclose(out);
	assert_string_equal(printed, name);
	free(printed);
	out = open_memstream(&printed, &size);
	torus_escape_message(out, "%s\n", text);
	fclose(out);
	assert_int_equal(printed[size - 1], '\n');
	printed[size - 1] = '\0';
	assert_string_equal(printed, message);
	free(printed);
	/* a message that contains escaped text may become a part of another message */
	out = open_memstream(&printed, &size);
	torus_escape_message(out, "%s", message);
	fclose(out);
	assert_string_equal(printed, message);
	free(printed);
}

static void test_characters(void **state)
{
	(void)state;
	check("", "", "");
	check("plain text, 100 %", "plain text, 100 %", "plain text, 100 %");
	check(HOSTILE, "\\x1b[31m\"\\\\\\n\\xff", "\\x1b[31m\"\\\\n\\xff");
	check("\t\r\x7f", "\\t\\r\\x7f", "\\t\\r\\x7f");
	/* letters of all languages are not escaped */
	check("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	      "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
	/* these are escaped: a one-byte CSI as UTF-8; a right-to-left override; a line separator */
	check("\xc2\x9b", "\\xc2\\x9b", "\\xc2\\x9b");
	check("\xe2\x80\xae", "\\xe2\\x80\\xae", "\\xe2\\x80\\xae");
	check("\xe2\x80\xa8", "\\xe2\\x80\\xa8", "\\xe2\\x80\\xa8");
	/*
	 * these are invalid: Latin-1; an overlong form; a surrogate; a code above U+10FFFF; a
	 * truncated character; a lone continuation byte
	 */
	check("\xe9", "\\xe9", "\\xe9");
	check("\xc0\xaf", "\\xc0\\xaf", "\\xc0\\xaf");
	check("\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80");
	check("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80");
	check("\xe2\x82", "\\xe2\\x82", "\\xe2\\x82");
	check("\x80z", "\\x80z", "\\x80z");
}

/* A character whose escaped form does not fit is omitted entirely. */
static void test_short_buffer(void **state)
{
	char to[5];

	(void)state;
	assert_string_equal(torus_escape("\x1b\x1b", to, sizeof(to)), "\\x1b");
	assert_string_equal(torus_escape("a\x1b", to, sizeof(to)), "a");
	assert_string_equal(torus_escape("abc\xc3\xa9", to, sizeof(to)), "abc");
	assert_string_equal(torus_escape("abc", to, 1), "");
}

static void json(const char *document, const char *want)
{
	char *printed;
	size_t size;
	FILE *out = open_memstream(&printed, &size);

	torus_escape_json(out, document);
	fclose(out);
	assert_string_equal(printed, want);
	free(printed);
}

static void test_json(void **state)
{
	(void)state;
	json("{ \"a\": 1 }", "{ \"a\": 1 }\n");
	json("{\n  \"\\n\xc3\xa9\": \"\\\\\"\n}", "{\n  \"\\n\xc3\xa9\": \"\\\\\"\n}\n");
	json("\"\xff\xe9\"", "\"\xef\xbf\xbd\xef\xbf\xbd\"\n");
	json("\"\x7f\xc2\x9b\xe2\x80\xae\"", "\"\\u007f\\u009b\\u202e\"\n");
	json("\"\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\n");
}

/* Random bytes must become text without control characters. */
static void test_random(void **state)
{
	char text[32], to[TORUS_ESCAPED(32)];
	unsigned int i, j;

	(void)state;
	srand(1);
	for (i = 0; i < 20000; i++) {
		for (j = 0; j + 1 < sizeof(text); j++)
			text[j] = (char)(rand() % 4 ? rand() : "\xe2\x80\xae\xc2"[rand() % 4]);
		text[j] = '\0';
		torus_escape(text, to, sizeof(to));
		for (j = 0; to[j]; j++)
			assert_true((unsigned char)to[j] >= 0x20 && to[j] != 0x7f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_characters),
		cmocka_unit_test(test_short_buffer),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
