// SPDX-License-Identifier: GPL-2.0
/* Test the words of --debugger, and the search for its program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/tests/says.h"
#include "../debugger.h"
#include "../run.h"

static struct run_debugger debugger;

static void test_words(void **state)
{
	struct parse_error why;

	assert_true(run_debugger_parse(&debugger, "sh -c 'b \"main\"' --args", &why));
	assert_int_equal(debugger.rank, 0);
	assert_int_equal(run_debugger_make(&debugger, "--debugger",
					   (char *[]){ "/bin/true", "a b", NULL }), 0);
	assert_string_equal(debugger.words[2], "b \"main\"");
	assert_string_equal(debugger.words[3], "--args");
	assert_string_equal(debugger.words[4], "/bin/true");
	assert_string_equal(debugger.words[5], "a b");
	assert_null(debugger.words[6]);
	/* The last of several options counts. */
	assert_true(run_debugger_parse(&debugger, "12:x:y", &why));
	assert_int_equal(debugger.rank, 12);
	assert_int_equal(debugger.command.we_wordc, 1);
	assert_string_equal(debugger.command.we_wordv[0], "x:y");
	run_debugger_free(&debugger);
}

static void refused(const char *text, const char *words)
{
	struct parse_error why;

	assert_false(run_debugger_parse(&debugger, text, &why));
	assert_says(why.text, words);
	run_debugger_free(&debugger);
}

static void test_refused(void **state)
{
	refused("", "--debugger command");
	refused("3:", "--debugger 3: command");
	refused("4294967296:gdb", "--debugger 4294967296 4294967295");
	refused("99999999999999:gdb", "--debugger 4294967295");
	refused("gdb | tee", "--debugger gdb | tee quoted");
	refused("gdb 'x", "--debugger gdb 'x quoted");
	refused("gdb $(ls)", "--debugger gdb $(ls) commands");
}

static int find(char *command, char *name)
{
	struct parse_error why;
	int status;

	assert_true(run_debugger_parse(&debugger, command, &why));
	status = run_debugger_make(&debugger, "--debugger", (char *[]){ name, NULL });
	run_debugger_free(&debugger);
	return status;
}

static void test_search(void **state)
{
	setenv("PATH", "/nosuch:/bin", 1);
	assert_int_equal(find("sh", "true"), 0);
	assert_int_equal(find("/bin/sh", "true"), 0);
	assert_int_equal(find("nosuch", "true"), RUN_NO_FILE);
	assert_int_equal(find("./sh", "true"), RUN_NO_FILE);
	assert_int_equal(find("sh", "nosuch"), RUN_NO_FILE);
	/* a directory, and a file that cannot be executed */
	assert_int_equal(find("/bin", "true"), RUN_NO_EXEC);
	assert_int_equal(find("/etc/passwd", "true"), RUN_NO_EXEC);
	setenv("PATH", "/nosuch", 1);
	assert_int_equal(find("/bin/sh", "true"), RUN_NO_FILE);
	unsetenv("PATH");
	assert_int_equal(find("sh", "true"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
