// SPDX-License-Identifier: GPL-2.0
/*
 * A driver as a client of virtual time: a passive client, whose wait is no deadlock, and in whose
 * ticks events are reported; and a port whose packets enter although no ring is polled.
 */
#include "arch/tests/port_rig.h"
#include "core/nic/vtime_client.h"
#include "core/port/doorbell.h"
#include "core/run/virtual_time.h"

#define ALL	(TORUS_WANT_ARRIVAL | TORUS_WANT_ROOM | TORUS_WANT_NOTICE)

static u32 resets;

static u32 clock_look(struct torus_vtime_client *clock)
{
	return 0;
}

static void clock_ignore(struct torus_vtime_client *clock)
{
}

static void clock_reset(struct torus_vtime_client *clock)
{
	assert_int_equal(clock->now, 0);
	resets++;
}

static const struct torus_vtime_client_ops program_ops = {
	.poll = clock_look, .resume = clock_ignore, .leave = clock_ignore,
};

static const struct torus_vtime_client_ops driver_ops = {
	.poll = clock_look, .resume = clock_ignore, .leave = clock_ignore, .reset = clock_reset,
};

struct both {
	struct torus_fabric *f;
	struct torus_vtime_client program, driver;
	struct port_rig r;
};

/* A program, and a driver with a port on node 0. */
static void both_make(struct both *b)
{
	struct torus_error err;

	memset(b, 0, sizeof(*b));
	b->f = rig_make_arch("bgl", "4x1x1", "time=virtual programs=2");
	port_rig_make(&b->r, b->f, 0, 0, &port_rig_ops);
	assert_int_equal(torus_vtime_client_add(b->f, &b->program, &program_ops, &err), 0);
	assert_int_equal(torus_vtime_client_add(b->f, &b->driver, &driver_ops, &err), 0);
	b->driver.passive = true;
	torus_vtime_client_bind(b->f, &b->driver, 0, 0);
	torus_vtime_client_wait(b->f, &b->driver, ALL, ~0ull);
}

static void both_free(struct both *b)
{
	torus_vtime_client_remove(b->f, &b->driver);
	torus_vtime_client_remove(b->f, &b->program);
	port_rig_free(&b->r);
	torus_fabric_destroy(b->f);
}

static enum torus_vtime_result step(struct both *b)
{
	enum torus_vtime_result result;

	do {
		result = torus_vtime_step(b->f, 1000);
	} while (result == TORUS_VTIME_MOVED);
	return result;
}

static void test_deadlock(void **state)
{
	struct both b;

	both_make(&b);
	torus_vtime_client_wait(b.f, &b.program, TORUS_WANT_ARRIVAL, ~0ull);
	assert_int_equal(step(&b), TORUS_VTIME_DEADLOCK);
	torus_vtime_client_leave(b.f, &b.program);
	assert_int_equal(step(&b), TORUS_VTIME_COMPUTE);
	both_free(&b);
}

/*
 * A passive client waits, or will poll at a later tick: a run ends with each tick in which anything
 * happens. The packet takes many ticks to its destination.
 */
static void test_ticks(void **state)
{
	u8 bytes[PORT_PACKET];
	u32 length, way, runs;
	struct both b;

	for (way = 0; way < 2; way++) {
		both_make(&b);
		torus_vtime_client_leave(b.f, &b.program);
		length = port_packet(b.f, 0, 2, 8, 1, bytes);
		port_put(&b.r, 0, bytes, length);
		torus_port_wake(b.r.port, b.f);
		step(&b);
		assert_int_equal(port_get(&b.r, TORUS_PORT_TAKEN_LOW), 1);
		assert_int_equal(port_get(&b.r, TORUS_PORT_ENDED_LOW), 1);
		assert_int_equal(torus_port_write(b.r.port, TORUS_PORT_ENABLE, 0), 0);
		port_put(&b.r, 0, bytes, length);
		torus_port_wake(b.r.port, b.f);
		if (way) {
			torus_vtime_client_advance(b.f, &b.driver, b.f->clock + 5000, NULL);
			torus_vtime_client_wait(b.f, &b.driver, ALL, ~0ull);
		}
		for (runs = 0; port_get(&b.r, TORUS_PORT_ENDED_LOW) == 1; runs++)
			assert_int_equal(torus_vtime_step(b.f, 100000), TORUS_VTIME_MOVED);
		assert_true(runs > 1);
		both_free(&b);
	}
}

static void test_reset(void **state)
{
	struct torus_error err;
	struct both b;

	both_make(&b);
	torus_vtime_client_remove(b.f, &b.program);
	resets = 0;
	assert_int_equal(torus_fabric_reset(b.f, 1, &err), 0);
	assert_int_equal(resets, 1);
	/* the driver counts, the program does not */
	assert_false(torus_vtime_started(b.f));
	assert_int_equal(torus_vtime_client_add(b.f, &b.program, &program_ops, &err), 0);
	assert_true(torus_vtime_started(b.f));
	both_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deadlock),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
