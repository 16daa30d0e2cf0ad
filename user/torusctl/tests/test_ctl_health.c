// SPDX-License-Identifier: GPL-2.0
/* Test the exit status and the list of findings of torusctl health if the module has an error. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../config/args.h"
#include "../../config/ctl.h"
#include "../../netlink/session.h"
#include "../objects.h"

static int dump_error;	/* answer to a dump of the fabrics, of which there are none */

static int answer(void *arg, struct torus_nl_request *request)
{
	return dump_error;
}

/* Run `torusctl -j health`. @printed: [out] its standard output. Return: the status. */
static int health(char *printed, size_t size)
{
	struct ctl ctl = { .json = true, .object = "health", .usage = "", .nl = torus_nl_new() };
	int status, saved = dup(STDOUT_FILENO);
	struct ctl_args args = { .count = 0 };
	FILE *out = tmpfile();

	assert_non_null(ctl.nl);
	assert_non_null(out);
	torus_nl_connect_to(ctl.nl, answer, NULL);
	fflush(stdout);
	dup2(fileno(out), STDOUT_FILENO);
	status = ctl_health.commands[0].run(&ctl, &args);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	rewind(out);
	printed[fread(printed, 1, size - 1, out)] = '\0';
	fclose(out);
	torus_nl_free(ctl.nl);
	return status;
}

static void test_no_fabrics(void **state)
{
	char printed[64];

	dump_error = 0;
	assert_int_equal(health(printed, sizeof(printed)), CTL_OK);
	assert_string_equal(printed, "[]\n");
}

/* An empty list would mean that all fabrics are healthy. */
static void test_fabrics_cannot_be_listed(void **state)
{
	char printed[64];

	dump_error = -ENOMEM;
	assert_int_equal(health(printed, sizeof(printed)), CTL_FAILED);
	assert_string_equal(printed, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_fabrics),
		cmocka_unit_test(test_fabrics_cannot_be_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
