// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time starts when all programs have been added. A program whose addition was undone does
 * not count.
 */
#include "arch/tests/bgl_rig.h"
#include "core/run/virtual_time.h"

static const struct torus_vtime_client_ops clock_ops;

static void test_undone(void **state)
{
	struct torus_fabric *f = rig_make("2x1x1", "time=virtual programs=2");
	struct torus_vtime_client clock[3];
	struct torus_error err;

	assert_int_equal(torus_vtime_client_add(f, &clock[0], &clock_ops, &err), 0);
	assert_int_equal(torus_vtime_client_add(f, &clock[1], &clock_ops, &err), 0);
	assert_true(torus_vtime_started(f));
	torus_vtime_client_undo_add(f, &clock[1]);
	assert_false(torus_vtime_started(f));
	torus_vtime_client_undo_add(f, &clock[0]);
	assert_int_equal(torus_vtime_client_add(f, &clock[2], &clock_ops, &err), 0);
	assert_false(torus_vtime_started(f));
	assert_int_equal(torus_vtime_client_add(f, &clock[1], &clock_ops, &err), 0);
	assert_true(torus_vtime_started(f));
	torus_vtime_client_remove(f, &clock[1]);
	torus_vtime_client_remove(f, &clock[2]);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_undone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
