// SPDX-License-Identifier: GPL-2.0
/* Test the file of --pattern timed:FILE: standard input, and no file of its name. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/tests/rig.h"
#include "core/tests/says.h"
#include "../base/message.h"
#include "../run/timed_file.h"

static char said[256];

int sim_reject(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
	return SIM_USAGE;
}

/* Without standard input, "-" is rejected, even if the directory has a file of this name. */
static void test_no_standard_input(void **state)
{
	char directory[] = "/tmp/test_sim_timed.XXXXXX";
	struct torus_fabric *f = rig_make_arch("bgl", "2x2x2", "");
	int input = dup(STDIN_FILENO);
	struct sim_timed_file file;
	FILE *out;

	assert_true(input > STDIN_FILENO);
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chdir(directory), 0);
	out = fopen("-", "we");
	assert_non_null(out);
	assert_true(fputs("1 0 1 32\n", out) >= 0);
	assert_int_equal(fclose(out), 0);
	close(STDIN_FILENO);
	assert_int_equal(sim_timed_file_open(&file, "-", f), SIM_USAGE);
	assert_says(said, "- Bad file descriptor");
	sim_timed_file_close(&file);
	assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
	close(input);
	unlink("-");
	assert_int_equal(chdir("/"), 0);
	rmdir(directory);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_standard_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
