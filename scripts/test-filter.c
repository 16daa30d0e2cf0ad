// SPDX-License-Identifier: GPL-2.0
/*
 * Linked into every unit test program: TORUS_TEST_FILTER=PATTERN runs only the
 * tests whose names match, for which cmocka has a function but no variable. Each
 * test's line is written when the test ends, so that whoever waits hears of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void torus_test_begin(void)
{
	const char *pattern = getenv("TORUS_TEST_FILTER");

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (pattern && *pattern)
		cmocka_set_test_filter(pattern);
}
