// SPDX-License-Identifier: GPL-2.0
/* The clock of a fabric without events moves only in a run through. */
#include "core/run/windows.h"
#include "core/tests/rig.h"

static void test_idle(void **state)
{
	struct torus_fabric *f = rig_make_arch("bgl", "4x4x2", "domains=2");

	assert_true(torus_fabric_next(f) == ~0ull);
	assert_int_equal(torus_fabric_run_through(f, 1000, 0, false), TORUS_RUN_IDLE);
	assert_int_equal(torus_fabric_clock(f), 0);
	assert_int_equal(torus_fabric_run_through(f, 1000, 0, true), TORUS_RUN_TIME);
	assert_int_equal(torus_fabric_clock(f), 1000);
	/* the next run is again one that ends without events */
	assert_int_equal(torus_fabric_run(f, 2000, 0, 1), TORUS_RUN_IDLE);
	assert_int_equal(torus_fabric_clock(f), 1000);
	torus_fabric_destroy(f);
}

/* A fabric has an event at the tick that torus_fabric_next() returns, and none before. */
static void test_next(void **state)
{
	struct torus_fabric *f = rig_make_arch("bgl", "4x4x2", "");
	u64 next, events, waits = 0;
	int i;

	rig_load(f, 1, 256, 256, 1u << 20);
	for (i = 0; i < 100; i++) {
		events = f->domain[0].stats.events;
		next = torus_fabric_next(f);
		assert_true(next >= torus_fabric_clock(f) && next < 1u << 20);
		waits += next > torus_fabric_clock(f);
		torus_fabric_run_through(f, next, 0, true);
		assert_int_equal(torus_fabric_clock(f), next);
		assert_int_equal(f->domain[0].stats.events, events);
		assert_true(torus_fabric_next(f) == next);
		torus_fabric_run_through(f, next + 1, 0, true);
		assert_int_equal(torus_fabric_clock(f), next + 1);
		assert_true(torus_fabric_next(f) > next);
	}
	assert_int_not_equal(waits, 0);
	assert_true(torus_fabric_in_flight(f));
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
