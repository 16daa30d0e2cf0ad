// SPDX-License-Identifier: GPL-2.0
/* The second router stage: latency, arbitration, runs under load, errors, deadlock. */
#include "banks.h"

static struct torus_packet banks_packet(u32 src, u32 dst, u32 chunks)
{
	struct torus_packet p = {
		.src = src, .dst = dst, .body = TORUS_NONE, .chunks = (u8)chunks,
	};

	return p;
}

/*
 * A hop takes the latency of the crossbar and of the link. The reception port takes the ticks of
 * the packet.
 */
static void test_hop_latency(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 1, true);
	struct torus_packet p = banks_packet(0, 1, 8);
	struct rig_trace trace;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP | 1u << TORUS_TRACE_DELIVER);
	/* place the packet in a buffer of node 0, as if it had arrived from node 3 */
	assert_int_equal(f->router->place(f, 0, 0, 0, &p), 0);
	rig_drain(f);
	assert_int_equal(trace.n, 2);
	assert_int_equal(trace.step[1].at - trace.step[0].at,
			 LATENCY + CROSS_LATENCY + 8 * CHUNK_BYTES);
	rig_trace_free(&trace);
	census(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	torus_fabric_destroy(f);
}

/*
 * An input is busy until the last byte of its packet has crossed, also for packets on other VCs.
 */
static void test_input_is_busy(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 1, true);
	struct torus_packet p = banks_packet(0, 1, 8), q = banks_packet(0, 4, 8);
	const struct rig_step *first, *second;
	struct rig_trace trace;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	assert_int_equal(f->router->place(f, 0, 0, 0, &p), 0);
	/* the second packet arrives while the first crosses */
	torus_fabric_run(f, CROSS_TICKS, 0, 1);
	assert_int_equal(f->router->place(f, 0, 0, 1, &q), 0);
	rig_drain(f);
	first = rig_find(&trace, TORUS_TRACE_HOP, 0, 0);
	second = rig_find(&trace, TORUS_TRACE_HOP, 0, 1);
	assert_int_not_equal(first->dir, second->dir);
	assert_int_equal(second->at - first->at, 8 * CROSS_TICKS);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/*
 * Two packets from different inputs want one output: the older packet leaves first, although it
 * crossed to its queue later, and although its queue would lose a tie.
 */
static void test_oldest_first(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 1, true);
	struct torus_packet young = banks_packet(0, 1, 8), old = banks_packet(9, 1, 8);
	const struct rig_step *step;
	struct rig_trace trace;

	/* the link is busy while both packets cross */
	torus_fabric_run(f, 100, 0, 1);
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	young.born = 90;
	old.born = 10;
	assert_int_equal(f->router->place(f, 0, 2, 0, &young), 0);
	assert_int_equal(f->router->place(f, 0, 3, 0, &young), 0);
	torus_fabric_run(f, 150, 0, 1);
	assert_int_equal(f->router->place(f, 0, 0, 0, &old), 0);
	rig_drain(f);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_HOP, 0), 3);
	step = rig_find(&trace, TORUS_TRACE_HOP, 0, 1);
	assert_int_equal(step->src, 9);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static struct torus_result run_load(struct torus_fabric *f, u32 percent, u64 cycles, u32 threads)
{
	rig_load(f, percent, 32, 256, cycles);
	return rig_finish(f, 0, threads);
}

/* All packets arrive and all tokens return, with each number of domains. */
static void test_load(void **state)
{
	u64 hash = 0;
	u32 domains;

	for (domains = 1; domains <= 4; domains *= 2) {
		struct torus_fabric *f = banks_fabric(5, 4, domains, true);
		struct torus_result r = run_load(f, 90, 20000, 1);

		assert_true(r.conservation);
		assert_true(r.tokens);
		assert_true(r.delivered > 1000);
		if (domains == 1)
			hash = r.hash;
		assert_int_equal(r.hash, hash);
		torus_fabric_destroy(f);
	}
}

/* All packets arrive despite bit errors, which are detected in packets of both stages. */
static void test_errors(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 2, true);
	struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = TORUS_NONE,
		.ber = 1ull << 44,
	};
	struct torus_result r;

	rig_fault(f, &fault);
	r = run_load(f, 70, 40000, 1);
	assert_true(r.conservation);
	assert_true(r.tokens);
	assert_true(r.retransmitted > 20);
	torus_fabric_destroy(f);
}

/* Rings without a dateline deadlock, and the watchdog names the cycle. */
static void test_deadlock(void **state)
{
	struct torus_fabric *f = banks_fabric(8, 1, 1, false);
	struct torus_cycle cycle;
	u32 i;

	rig_load(f, 200, 256, 256, 200000);
	for (i = 0; i < 2000 && torus_watchdog_check(f, &cycle) != TORUS_VERDICT_DEADLOCK; i++)
		rig_step(f, 10, 1);
	assert_int_equal(torus_watchdog_check(f, &cycle), TORUS_VERDICT_DEADLOCK);
	assert_int_equal(cycle.length, 8);
	census(f);
	torus_fabric_destroy(f);
}

/* Packets in the second stage are counted, and a reset of their receiver discards them. */
static void test_flush(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 1, true);
	struct torus_packet p = banks_packet(0, 1, 8);
	struct torus_fault down = {
		.what = TORUS_FAULT_STATE, .node = 1, .dir = 0, .state = 0,
	};
	u64 chunks[TORUS_VCS_MAX] = { 0 }, waits;
	struct torus_error err;
	bool blocked;

	rig_fault(f, &down);
	assert_int_equal(torus_link_disable(f, 0, 0, true, &err), 0);
	assert_int_equal(f->router->place(f, 0, 0, 0, &p), 0);
	while (torus_fabric_pending(f))
		torus_fabric_run(f, torus_fabric_clock(f) + 1000, 0, 1);
	f->router->occupancy(&f->domain[0], chunks);
	assert_int_equal(chunks[0], 8);
	assert_int_not_equal(f->router->head(f, 0, 0, &waits, &blocked), TORUS_NONE);
	census(f);
	f->router->flush(f, 0, 0, TORUS_DROP_RESET);
	assert_int_equal(f->router->head(f, 0, 0, &waits, &blocked), TORUS_NONE);
	census(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hop_latency),
		cmocka_unit_test(test_input_is_busy),
		cmocka_unit_test(test_oldest_first),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_deadlock),
		cmocka_unit_test(test_flush),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
