// SPDX-License-Identifier: GPL-2.0
/* Routing tables of the Cray XT change at a tick, in all routers at once. */
#include "core/base/node_number.h"
#include "arch/xt/header.h"
#include "xt_rig.h"
#include "core/link/dead_node.h"
#include "core/run/routing_tables.h"
#include "core/run/windows.h"

#define CYCLES	16000	/* length of a workload in ticks */
#define TICK	(CYCLES / 2)

static int load(struct torus_fabric *f, bool one, u64 at, struct torus_error *err)
{
	struct xt_plan plan = { .dateline = { 4, 3, 2 }, .one = one };
	size_t bytes;
	void *image = xt_rig_image(f, &plan, &bytes);
	int ret = torus_fabric_routes_load(f, image, bytes, at, err);

	test_free(image);
	return ret;
}

static struct torus_fabric *make(const char *settings)
{
	struct torus_fabric *f = xt_rig_make("5x4x3", settings, false);

	rig_load(f, 90, 8, 72, CYCLES);
	return f;
}

/* Create the same fabric and run it to tick TICK. */
static struct torus_fabric *half(void)
{
	struct torus_fabric *f = make("");

	while (torus_fabric_clock(f) < TICK)
		rig_step(f, 0, 1);
	assert_int_equal(torus_fabric_clock(f), TICK);
	return f;
}

static u64 finish(struct torus_fabric *f, u32 threads)
{
	struct torus_result r = rig_finish(f, 0, threads);

	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	assert_int_equal(r.dropped, 0);
	torus_fabric_destroy(f);
	return r.hash;
}

/* Return the delivery hash of a run in which @n tables come into use, one after the other. */
static u64 swapped(const char *settings, u32 threads, u32 n)
{
	struct torus_fabric *f = make(settings);
	struct torus_error err;
	u32 i;

	for (i = 0; i < n; i++)
		assert_int_equal(load(f, !(i & 1), TICK + 1001 * i, &err), 0);
	return finish(f, threads);
}

static void test_turn_tick(void **state)
{
	struct torus_fabric *f = half();
	struct torus_error err;
	u64 now;

	assert_int_equal(load(f, true, TORUS_ROUTES_NOW, &err), 0);
	now = finish(f, 1);
	assert_true(swapped("", 1, 1) == now);
	f = half();
	assert_int_equal(load(f, true, TICK, &err), 0);
	assert_true(finish(f, 1) == now);
	/* The run is another one with the new tables, and if they take effect one tick later. */
	assert_true(swapped("", 1, 0) != now);
	f = make("");
	assert_int_equal(load(f, true, TICK + 1, &err), 0);
	assert_true(finish(f, 1) != now);
}

static void test_turn_domains(void **state)
{
	u64 one = swapped("", 1, 5);

	assert_true(swapped("domains=2", 1, 5) == one);
	assert_true(swapped("domains=3", 3, 5) == one);
	assert_true(swapped("domains=8", 2, 5) == one);
}

static void test_turn_order(void **state)
{
	struct torus_fabric *f = make("");
	u64 forward = swapped("", 1, 2), rest = torus_fabric_memory(f), first;
	struct torus_error err;

	/*
	 * tables are used in order of ticks, not of loading; the last load for a tick replaces
	 * earlier ones
	 */
	assert_int_equal(load(f, false, TICK + 1001, &err), 0);
	assert_int_equal(load(f, false, TICK, &err), 0);
	assert_int_equal(load(f, true, TICK, &err), 0);
	assert_int_equal(torus_fabric_routes_waiting(f, &first), 2);
	assert_int_equal(first, TICK);
	assert_true(torus_fabric_memory(f) > rest);
	assert_true(finish(f, 1) == forward);
	/* tables for the present tick discard all tables that wait */
	f = make("");
	assert_int_equal(load(f, true, TICK, &err), 0);
	assert_int_equal(load(f, false, TORUS_ROUTES_NOW, &err), 0);
	assert_int_equal(torus_fabric_routes_waiting(f, &first), 0);
	assert_int_equal(torus_fabric_memory(f), rest);
	assert_true(finish(f, 1) == swapped("", 1, 0));
}

static void test_turn_refused(void **state)
{
	struct torus_fabric *f = make("");
	struct torus_error err;
	u64 first;
	u32 i;

	torus_fabric_run(f, 100, 0, 1);
	assert_int_equal(load(f, true, 99, &err), -EINVAL);
	assert_says(err.text, "99 clock 100");
	for (i = 0; i < 64; i++)
		assert_int_equal(load(f, true, 2000 + i, &err), 0);
	assert_int_equal(load(f, true, 1000, &err), -ENOSPC);
	assert_says(err.text, "table 64");
	/* tables of the same tick may still be replaced */
	assert_int_equal(load(f, false, 2000, &err), 0);
	assert_int_equal(load(f, false, 2063, &err), 0);
	assert_int_equal(torus_fabric_routes_waiting(f, &first), 64);
	assert_int_equal(first, 2000);
	assert_int_equal(torus_fabric_reset(f, 1, &err), 0);
	assert_int_equal(torus_fabric_routes_waiting(f, &first), 0);
	torus_fabric_destroy(f);
}

/*
 * An idle clock does not advance. With packets that cannot move it advances to the tick of the
 * tables.
 */
static void test_turn_idle(void **state)
{
	struct torus_fabric *f = xt_rig_make("5x4x3", "", false);
	struct torus_packet p = rig_packet(f, 0, 2, 9);
	struct torus_error err;
	u64 first;

	assert_int_equal(load(f, true, TICK, &err), 0);
	assert_int_equal(torus_fabric_run(f, 2 * TICK, 0, 1), TORUS_RUN_IDLE);
	assert_int_equal(torus_fabric_clock(f), 0);
	assert_int_equal(torus_senders_set(f, 0, TORUS_NONE, false, &err), 0);
	rig_inject(f, 0, &p);
	while (torus_fabric_run(f, 2 * TICK, 0, 1) != TORUS_RUN_IDLE)
		;
	assert_int_equal(torus_fabric_clock(f), TICK);
	assert_int_equal(torus_fabric_in_flight(f), 1);
	assert_int_equal(torus_fabric_routes_waiting(f, &first), 0);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------ packets that cannot move */

#define STEP	512	/* ticks of a run that ends before the tick of the tables */
#define PACKETS	8	/* from node 0 to 2: one in the staging buffer */

/* Inject packets for node 2 at node 0, whose link x+ is disabled. */
static void hold(struct torus_fabric *f)
{
	struct torus_packet p = rig_packet(f, 0, 2, 9);
	struct torus_error err;
	u32 i;

	assert_int_equal(torus_senders_set(f, 0, 0, TORUS_SENDER_OFF, &err), 0);
	for (i = 0; i < PACKETS; i++)
		rig_inject(f, 0, &p);
}

/* Load tables that lead from node 0 to node 2 the other way round the ring. */
static void load_detour(struct torus_fabric *f, u64 at)
{
	struct xt_plan plan = { .dateline = { 4, 3, 2 }, .one = true };
	struct torus_error err;
	size_t bytes;
	void *image = xt_rig_image(f, &plan, &bytes);

	*xt_rig_entry(image, 0, 0, torus_node_number(&f->cfg.geo, 2)) = 1;
	assert_int_equal(torus_fabric_routes_load(f, image, bytes, at, &err), 0);
	test_free(image);
}

/* In runs of few ticks the clock advances to the tick of the tables, and the packets arrive. */
static void test_turn_in_steps(void **state)
{
	struct torus_fabric *f = xt_rig_make("5x4x3", "", false);
	u64 first;

	hold(f);
	load_detour(f, TICK);
	while (torus_fabric_run(f, torus_fabric_clock(f) + STEP, 0, 1) != TORUS_RUN_IDLE)
		assert_true(torus_fabric_clock(f) < 2 * TICK);
	assert_int_equal(torus_fabric_routes_waiting(f, &first), 0);
	assert_true(torus_fabric_clock(f) > TICK);
	assert_in_range(torus_fabric_in_flight(f), 1, PACKETS - 1);
	torus_fabric_destroy(f);
}

/*
 * Tables that are staged for the tick after the last event unblock the packets, so the run must not
 * end as idle.
 */
static void test_turn_after_last_event(void **state)
{
	struct torus_fabric *f = xt_rig_make("5x4x3", "", false);
	u64 last;

	hold(f);
	rig_drain(f);
	last = torus_fabric_clock(f);
	torus_fabric_destroy(f);
	f = xt_rig_make("5x4x3", "", false);
	hold(f);
	load_detour(f, last);
	assert_int_equal(torus_fabric_run(f, TICK, 0, 1), TORUS_RUN_BUDGET);
	assert_int_equal(torus_fabric_clock(f), last);
	assert_true(torus_fabric_pending(f));
	rig_drain(f);
	assert_in_range(torus_fabric_in_flight(f), 1, PACKETS - 1);
	torus_fabric_destroy(f);
}

/*
 * The clock of a fabric whose packets have all arrived does not advance to the tick of the tables.
 */
static void test_turn_not_for_arrived(void **state)
{
	struct torus_fabric *f = xt_rig_make("5x4x3", "", false);
	struct torus_packet p = rig_packet(f, 0, 2, 9);
	struct torus_error err;
	u64 first;

	assert_int_equal(load(f, true, TICK, &err), 0);
	assert_int_equal(torus_fabric_run(f, 2 * TICK, 0, 1), TORUS_RUN_IDLE);
	rig_inject(f, 0, &p);
	assert_int_equal(torus_fabric_run(f, 2 * TICK, 0, 1), TORUS_RUN_IDLE);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	assert_true(torus_fabric_clock(f) < TICK);
	assert_int_equal(torus_fabric_routes_waiting(f, &first), 1);
	torus_fabric_destroy(f);
}

/*
 * No packet can move. Tables for a tick within the measurement come into use, but tables for a
 * later tick do not, and the run ends as blocked.
 */
static void test_turn_in_window(void **state)
{
	struct torus_fabric *f = xt_rig_make("5x4x3", "", false);
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 8, .size_max = 72,
		.load = 2ull << 32, .warmup = 4 * CYCLES, .cycles = CYCLES,
	};
	struct torus_error err;
	struct torus_result r;
	u64 first;
	u32 node;

	for (node = 0; node < f->nodes; node++)
		assert_int_equal(torus_senders_set(f, node, TORUS_NONE, TORUS_SENDER_OFF, &err), 0);
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	assert_int_equal(load(f, true, 4 * CYCLES + TICK, &err), 0);
	assert_int_equal(load(f, true, 6 * CYCLES, &err), 0);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 2);
	assert_int_equal(r.window_start, 4 * CYCLES);
	assert_int_equal(r.clock, 5 * CYCLES);
	assert_int_equal(torus_fabric_routes_waiting(f, &first), 1);
	assert_int_equal(first, 6 * CYCLES);
	torus_fabric_destroy(f);
}

/*
 * A reader that does not read does not stop the clock before the tick of the tables. If rx_stall
 * is set, the clock does not advance, because it would consume the reader's time.
 */
static void test_turn_slow_reader(void **state)
{
	static const char *const settings[] = { "", "rx_stall=1000000" };
	struct rig_client from, to;
	u32 limited, i;

	for (limited = 0; limited < 2; limited++) {
		struct torus_fabric *f = xt_rig_make("5x4x3", settings[limited], false);
		struct xt_header h = {
			.nid = (u16)torus_node_number(&f->cfg.geo, 1), .flits = 9,
		};
		struct torus_error err;
		u64 first;

		rig_attach(&from, f, 0, 0, false);
		rig_attach(&to, f, 1, 0, false);
		to.credits = 0;
		for (i = 0; i < 200; i++) {
			xt_header_pack(&h, from.out[i].bytes);
			from.out[i].chunks = h.flits;
		}
		from.outs = i;
		rig_settle(f);
		assert_true(torus_nic_blocked(f) && torus_fabric_in_flight(f));
		assert_int_equal(load(f, true, 4 * TICK, &err), 0);
		rig_settle(f);
		assert_int_equal(torus_fabric_routes_waiting(f, &first), limited);
		assert_true(limited == (torus_fabric_clock(f) < 4 * TICK));
		torus_fabric_idle_advance(f, 4 * TICK);
		assert_int_equal(torus_fabric_routes_waiting(f, &first), 0);
		rig_detach(&from);
		rig_detach(&to);
		rig_client_free(&from);
		rig_client_free(&to);
		torus_fabric_destroy(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turn_tick),
		cmocka_unit_test(test_turn_domains),
		cmocka_unit_test(test_turn_order),
		cmocka_unit_test(test_turn_refused),
		cmocka_unit_test(test_turn_idle),
		cmocka_unit_test(test_turn_in_steps),
		cmocka_unit_test(test_turn_after_last_event),
		cmocka_unit_test(test_turn_not_for_arrived),
		cmocka_unit_test(test_turn_in_window),
		cmocka_unit_test(test_turn_slow_reader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
