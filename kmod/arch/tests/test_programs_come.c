// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time begins when all programs have attached. A program whose attachment was undone does
 * not count.
 */
#include "arch/tests/bgl_rig.h"
#include "core/run/programs.h"

static const struct torus_clock_ops clock_ops;

static void test_attachment_undone(void **state)
{
	struct torus_fabric *f = rig_make("2x1x1", "time=virtual programs=2");
	struct torus_clock clock[3];
	struct torus_error err;

	assert_int_equal(torus_programs_add(f, &clock[0], &clock_ops, &err), 0);
	assert_int_equal(torus_programs_add(f, &clock[1], &clock_ops, &err), 0);
	assert_true(torus_programs_begun(f));
	torus_programs_undo(f, &clock[1]);
	assert_false(torus_programs_begun(f));
	torus_programs_undo(f, &clock[0]);
	assert_int_equal(torus_programs_add(f, &clock[2], &clock_ops, &err), 0);
	assert_false(torus_programs_begun(f));
	assert_int_equal(torus_programs_add(f, &clock[1], &clock_ops, &err), 0);
	assert_true(torus_programs_begun(f));
	torus_programs_remove(f, &clock[1]);
	torus_programs_remove(f, &clock[2]);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attachment_undone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
