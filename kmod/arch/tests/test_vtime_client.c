// SPDX-License-Identifier: GPL-2.0
/* The largest value of a program's clock, and repeated requests to wake a node. */
#include "arch/tests/bgl_rig.h"
#include "core/nic/group.h"
#include "core/nic/inject.h"
#include "core/run/virtual_time.h"

#define STEP	1000	/* ticks of torus_vtime_step() */

static u32 clock_look(struct torus_vtime_client *clock)
{
	return 0;
}

static void clock_ignore(struct torus_vtime_client *clock)
{
}

static const struct torus_vtime_client_ops ops = {
	.poll = clock_look, .resume = clock_ignore, .leave = clock_ignore,
};

static struct torus_fabric *begin(struct torus_vtime_client *clock)
{
	struct torus_fabric *f = rig_make("2x1x1", "time=virtual programs=1");
	struct torus_error err;

	memset(clock, 0, sizeof(*clock));
	assert_int_equal(torus_vtime_client_add(f, clock, &ops, &err), 0);
	assert_true(torus_vtime_started(f));
	return f;
}

static void end(struct torus_fabric *f, struct torus_vtime_client *clock)
{
	torus_vtime_client_remove(f, clock);
	torus_fabric_destroy(f);
}

/* Move a program's clock to tick @to in steps of the permitted size. */
static void move(struct torus_fabric *f, struct torus_vtime_client *clock, u64 to)
{
	while (clock->now < to) {
		u64 left = to - clock->now;

		assert_int_equal(torus_vtime_client_advance(f, clock, clock->now +
							    (left < TORUS_VTIME_STEP_MAX ? left :
							     TORUS_VTIME_STEP_MAX), NULL), 0);
	}
}

static void test_refused(void **state)
{
	struct torus_vtime_client clock;
	struct torus_fabric *f = begin(&clock);
	struct torus_error err;

	assert_int_equal(torus_vtime_client_advance(f, &clock, TORUS_VTIME_STEP_MAX + 1, &err),
			 -ERANGE);
	assert_says(err.text, "clock 1099511627777 1099511627776 0");
	move(f, &clock, TORUS_VTIME_MAX);
	assert_int_equal(torus_vtime_client_advance(f, &clock, TORUS_VTIME_MAX + 1, &err), -ERANGE);
	assert_says(err.text, "clock 1152921504606846977 1152921504606846976");
	end(f, &clock);
}

/*
 * A request to wake a node by a tick adds no event if the same caller has an earlier one pending.
 */
static void test_wake_by(void **state)
{
	struct torus_vtime_client clock;
	struct torus_fabric *f = begin(&clock);
	const struct torus_wheel *wheel = &torus_domain_of(f, 0)->wheel;
	u64 asked = 0, other = 0;
	u32 i;

	for (i = 0; i < 1000; i++)
		torus_nic_wake_by(f, 0, 10 + i % 7, &asked);
	assert_int_equal(wheel->pending, 1);
	torus_nic_wake_by(f, 0, 5, &asked);
	torus_nic_wake_by(f, 0, 7, &asked);
	assert_int_equal(wheel->pending, 2);
	torus_nic_wake_by(f, 0, 7, &other);
	assert_int_equal(wheel->pending, 3);
	move(f, &clock, 6);
	torus_vtime_step(f, STEP);
	assert_int_equal(wheel->pending, 2);
	/* Tick 5 is past. Before tick 9 only another caller's event is pending. */
	torus_nic_wake_by(f, 0, 9, &asked);
	assert_int_equal(wheel->pending, 3);
	/* a request for a past tick is scheduled once, at the next tick */
	asked = 0;
	for (i = 0; i < 3; i++)
		torus_nic_wake_by(f, 0, 2, &asked);
	assert_int_equal(wheel->pending, 4);
	end(f, &clock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_wake_by),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
