// SPDX-License-Identifier: GPL-2.0
/* Traffic patterns: tables of pairs, their peaks, and the pacing of a closed loop. */
#include "core/base/random.h"
#include "core/workload/pattern.h"
#include "core/workload/source.h"
#include "core/workload/pair_list.h"
#include "arch/tests/bgl_rig.h"
#include "core/workload/workload.h"

#define ONE	(1ull << 32)
#define PAIR(s, d, w)	((struct torus_pair){ .src = (s), .dst = (d), .weight = (w) })

static void give(struct torus_fabric *f, const struct torus_pair *pairs, u32 n)
{
	struct torus_error err;

	if (torus_traffic_pairs(f, pairs, n, &err))
		fail_msg("%s", err.text);
}

static struct torus_traffic table_packets(u64 packets)
{
	return (struct torus_traffic){
		.pattern = TORUS_PATTERN_TABLE, .size_min = 256, .size_max = 256,
		.packets = packets,
	};
}

static struct torus_traffic table_load(u32 percent, u64 cycles)
{
	return (struct torus_traffic){
		.pattern = TORUS_PATTERN_TABLE, .size_min = 256, .size_max = 256,
		.load = percent * ONE / 100, .warmup = 5000, .cycles = cycles,
	};
}

/* Count the injections from @src to @dst in a trace; TORUS_NONE: to any node. */
static u32 sent(const struct rig_trace *trace, u32 src, u32 dst)
{
	u32 i, n = 0;

	for (i = 0; i < trace->n; i++)
		n += trace->step[i].src == src && (dst == TORUS_NONE || trace->step[i].dst == dst);
	return n;
}

/*
 * In a closed loop each pair sends the same number of packets, regardless of its weight. A node
 * without a pair does not send.
 */
static void test_table_closed_loop(void **state)
{
	static const struct torus_pair pairs[] = {
		PAIR(5, 9, 7), PAIR(0, 1, 1), PAIR(5, 2, 1), PAIR(0, 63, 1000000), PAIR(5, 60, 3),
	};
	struct torus_fabric *f = rig_make("4x4x4", "");
	const struct torus_traffic t = table_packets(13);
	struct rig_trace trace;
	struct torus_result r;
	u32 i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_INJECT);
	give(f, pairs, COUNT(pairs));
	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 13 * COUNT(pairs));
	assert_int_equal(trace.n, 13 * COUNT(pairs));
	for (i = 0; i < COUNT(pairs); i++)
		assert_int_equal(sent(&trace, pairs[i].src, pairs[i].dst), 13);
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* In an open loop each pair sends in proportion to its weight. */
static void test_table_open_loop(void **state)
{
	static const struct torus_pair pairs[] = {
		PAIR(0, 1, 1), PAIR(0, 2, 3), PAIR(0, 40, 4), PAIR(7, 3, 8), PAIR(21, 22, 2),
	};
	struct torus_fabric *f = rig_make("4x4x4", "");
	const struct torus_traffic t = table_load(50, 3000000);
	struct rig_trace trace;
	u32 i, sum = 0;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_INJECT);
	give(f, pairs, COUNT(pairs));
	rig_start(f, &t);
	rig_finish(f, 0, 1);
	for (i = 0; i < COUNT(pairs); i++)
		sum += pairs[i].weight;
	assert_true(trace.n > 5000);
	for (i = 0; i < COUNT(pairs); i++) {
		double share = (double)sent(&trace, pairs[i].src, pairs[i].dst) / trace.n;
		double want = (double)pairs[i].weight / sum;

		assert_true(share > want * 0.9 && share < want * 1.1);
	}
	assert_int_equal(sent(&trace, 0, TORUS_NONE) + sent(&trace, 7, TORUS_NONE) +
			 sent(&trace, 21, TORUS_NONE), trace.n);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static u64 hash_of(const struct torus_pair *pairs, u32 n, const struct torus_traffic *t)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_result r;

	give(f, pairs, n);
	rig_start(f, t);
	r = rig_finish(f, 0, 1);
	torus_fabric_destroy(f);
	return r.hash;
}

/* The order of the pairs in the table has no effect. */
static void test_table_order(void **state)
{
	struct torus_pair pairs[200], back[200];
	const struct torus_traffic closed = table_packets(5), open = table_load(60, 20000);
	u32 i;

	for (i = 0; i < 200; i++)
		pairs[i] = PAIR(i % 20, 20 + i / 20, 1 + i % 7);
	for (i = 0; i < 200; i++)
		back[i] = pairs[199 - i];
	assert_true(hash_of(pairs, 200, &closed) == hash_of(back, 200, &closed));
	assert_true(hash_of(pairs, 200, &open) == hash_of(back, 200, &open));
}

/*
 * Check the ticks between two packets of a pair of weight 1 at the peak. A packet takes 256 + 14
 * ticks.
 */
static void check_gap(const char *shape, const struct torus_pair *pairs, u32 n, double want)
{
	struct torus_fabric *f = rig_make(shape, "");
	const struct torus_traffic t = table_load(100, 1);
	double got;

	give(f, pairs, n);
	got = torus_pattern_peak_gap(f, &t) / 65536.0;
	assert_true(got > want * 0.9995 && got < want * 1.0005);
	torus_fabric_destroy(f);
}

static void test_table_peak(void **state)
{
	struct torus_pair pairs[512];
	u32 i, n = 0;

	/* one pair with a path of one link */
	check_gap("8x8x8", (struct torus_pair[]){ PAIR(0, 1, 1) }, 1, 270);
	check_gap("8x8x8", (struct torus_pair[]){ PAIR(0, 1, 5) }, 1, 5 * 270);
	/* two pairs share the link from 1 to 2 */
	check_gap("8x8x8", (struct torus_pair[]){ PAIR(0, 2, 1), PAIR(1, 3, 2) }, 2, 3 * 270);
	/* a pair whose path has links in three dimensions */
	check_gap("8x8x8", (struct torus_pair[]){ PAIR(0, 1 + 8 + 64, 3) }, 1, 3 * 270);
	/*
	 * all nodes send to one: each of its two z links has the packets of 64 columns, from 3.5
	 * nodes of each (3 nodes, and half of those half-way round)
	 */
	for (i = 1; i < 512; i++)
		pairs[n++] = PAIR(i, 0, 1);
	check_gap("8x8x8", pairs, n, 64 * 3.5 * 270);
	/* the middle link of a mesh: only 4 x 4 pairs cross it */
	for (i = 0, n = 0; i < 16; i++)
		pairs[n++] = PAIR(i % 4, 4 + i / 4, 1);
	check_gap("8mx1x1", pairs, n, 16 * 270);
	/* tornado in x as a table: a packet takes 3 x+ links */
	for (i = 0; i < 512; i++)
		pairs[i] = PAIR(i, (i & ~7u) | ((i + 3) & 7), 1);
	check_gap("8x8x8", pairs, 512, 3 * 270);
}

/* A table at load 0.8 keeps its only link busy for 0.8 of the time. */
static void test_table_load(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	const struct torus_traffic t = table_load(80, 400000);
	struct torus_result r;
	u64 busy;

	give(f, (struct torus_pair[]){ PAIR(0, 1, 70000) }, 1);
	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	busy = r.win_busy[0] * 1000 / t.cycles;
	assert_in_range(busy, 780, 820);
	torus_fabric_destroy(f);
}

static void test_bad_tables(void **state)
{
	static const struct {
		struct torus_pair pair[3];
		u32 n;
		int code;
		const char *text;
	} bad[] = {
		{ { PAIR(0, 64, 1) }, 1, -EINVAL, "node 64 0 63" },
		{ { PAIR(99, 0, 1) }, 1, -EINVAL, "node 99 0 63" },
		{ { PAIR(7, 7, 1) }, 1, -EINVAL, "node 7" },
		{ { PAIR(0, 1, 0) }, 1, -ERANGE, "weight 0 1 1000000" },
		{ { PAIR(0, 1, 1000001) }, 1, -ERANGE, "weight 1000001" },
		{ { { 0, 1, 1, 5 } }, 1, -EINVAL, "reserved" },
		{ { PAIR(3, 1, 1), PAIR(0, 1, 1), PAIR(3, 1, 2) }, 3, -EINVAL, "3 1" },
		{ { PAIR(0, 1, 1) }, 0, -ERANGE, "0 pair 1" },
	};
	struct torus_fabric *f = rig_make("4x4x4", "");
	const struct torus_traffic t = table_packets(1);
	struct torus_error err;
	u32 i;

	assert_int_equal(torus_traffic_start(f, &t, &err), -EINVAL);
	assert_says(err.text, "table");
	for (i = 0; i < COUNT(bad); i++) {
		err.text[0] = '\0';
		assert_int_equal(torus_traffic_pairs(f, bad[i].pair, bad[i].n, &err), bad[i].code);
		assert_says(err.text, bad[i].text);
	}
	assert_null(f->pairs);
	/* a second table replaces the first, but not while a workload runs */
	give(f, (struct torus_pair[]){ PAIR(0, 1, 1) }, 1);
	give(f, (struct torus_pair[]){ PAIR(0, 2, 1), PAIR(3, 4, 1) }, 2);
	rig_start(f, &t);
	assert_int_equal(torus_traffic_pairs(f, bad[0].pair, 1, &err), -EINVAL);
	assert_int_equal(torus_traffic_pairs(f, (struct torus_pair[]){ PAIR(0, 1, 1) }, 1, &err),
			 -EBUSY);
	assert_int_equal(rig_finish(f, 0, 1).delivered, 2);
	torus_traffic_stop(f);
	assert_null(f->pairs);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------------------ pacing */

/*
 * With pacing, packet k of a node enters at least k gaps after the start, and with a bounded delay.
 */
static void check_pacing(const char *settings, u64 pacing)
{
	struct torus_fabric *f = rig_make("4x4x4", settings);
	struct torus_traffic t = {
		.pattern = TORUS_PATTERN_ALLTOALL, .size_min = 256, .size_max = 256, .packets = 2,
		.pacing = pacing,
	};
	double gap = 64.0 / 63 * 4 / 4 * 270 / 2 / ((double)pacing / ONE);
	struct rig_trace trace;
	u32 count[64] = { 0 }, i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_INJECT);
	rig_start(f, &t);
	assert_int_equal(rig_finish(f, 0, 1).delivered, 64 * 63 * 2);
	for (i = 0; i < trace.n; i++) {
		const struct rig_step *s = &trace.step[i];

		assert_true(s->at + 1 >= s->seq * gap * 0.9995);
		count[s->src]++;
		/* at half of the peak no packet waits long */
		assert_true(s->at < s->seq * gap * 1.0005 + 2000);
	}
	for (i = 0; i < 64; i++)
		assert_int_equal(count[i], 63 * 2);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_pacing(void **state)
{
	check_pacing("", ONE / 2);
	check_pacing("", ONE / 10);
	check_pacing("injection=infinite", ONE / 2);
	check_pacing("inject_packet=20 receive_packet=10", ONE / 4);
}

static void test_bad_pacing(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_traffic t = { .size_min = 32, .size_max = 32, .packets = 1,
				   .pacing = 2 * ONE + 1 };
	struct torus_error err;

	assert_int_equal(torus_traffic_start(f, &t, &err), -ERANGE);
	assert_says(err.text, "pacing");
	t = table_load(50, 100);
	t.pattern = TORUS_PATTERN_UNIFORM;
	t.pacing = ONE;
	assert_int_equal(torus_traffic_start(f, &t, &err), -EINVAL);
	assert_says(err.text, "pacing");
	torus_fabric_destroy(f);
}

/* ---------------------------------------------------------- patterns of the papers */

/* "25% of the packets are chosen randomly within a small hot contiguous submesh region". */
static void test_hot_region(void **state)
{
	struct torus_fabric *f = rig_make("8x8x8", "");
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_HOTREGION, .size_min = 256, .size_max = 256,
		.load = ONE / 2, .cycles = 1000, .share = ONE / 4,
		.region = { 4, 4, 4 }, .region_at = { 6, 2, 7 },
	};
	u32 hot = 0, draws = 40000, i;

	for (i = 0; i < draws; i++) {
		u64 rng = torus_random_seed(1, 77, i);
		u32 to = torus_pattern_destination(f, &t, &rng, 5, i), at[TORUS_DIMS_MAX];

		torus_geometry_coords(&f->cfg.geo, to, at);
		hot += (at[0] + 2) % 8 < 4 && at[1] >= 2 && at[1] < 6 && (at[2] + 1) % 8 < 4;
	}
	/* a quarter of the packets, and an eighth of the other packets: 34.4 % */
	assert_in_range(hot, draws * 33 / 100, draws * 36 / 100);
	torus_fabric_destroy(f);
}

/* All-to-all: each source sends to all other nodes once per round, in an order of its own. */
static void test_alltoall_order(void **state)
{
	struct torus_fabric *f = rig_make("4x3x2", "");
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_ALLTOALL, .size_min = 256, .size_max = 256, .packets = 2,
	};
	u32 others = f->nodes - 1, alike = 0, node, i;

	for (node = 0; node < f->nodes; node++) {
		u32 seen[2] = { 0 };

		for (i = 0; i < 2 * others; i++) {
			u64 rng = 1;
			u32 to = torus_pattern_destination(f, &t, &rng, node, i);

			assert_int_not_equal(to, node);
			assert_false(seen[i / others] >> to & 1);
			seen[i / others] |= 1u << to;
			alike += to == (i % others) + (i % others >= node);
		}
	}
	/*
	 * if sources sent in the order of node numbers, all destinations would match; in random
	 * orders, one in 23 matches
	 */
	assert_true(alike < f->nodes * others / 2);
	torus_fabric_destroy(f);
}

/* "Infinite-sized" injection FIFOs: a source has a separate queue for each normal FIFO. */
static void test_infinite_injection(void **state)
{
	struct torus_workload w = { .traffic.pattern = TORUS_PATTERN_ALLTOALL };
	struct torus_fabric *f = rig_make("4x4x4", "");

	torus_source_streams(f, &w);
	assert_int_equal(w.streams, 1);
	torus_fabric_destroy(f);
	f = rig_make("4x4x4", "injection=infinite");
	torus_source_streams(f, &w);
	assert_int_equal(w.streams, 6);
	torus_fabric_destroy(f);
}

/*
 * A processor takes the configured time for each packet that it injects and for each that it
 * receives.
 */
static void test_processor_cost(void **state)
{
	static const struct torus_pair pairs[] = { PAIR(0, 1, 1) };
	static const char *const settings[] = { "inject_packet=5000", "receive_packet=5000" };
	const struct torus_traffic t = table_packets(10);
	u32 i;

	for (i = 0; i < COUNT(settings); i++) {
		struct torus_fabric *f = rig_make("4x4x4", settings[i]);

		give(f, pairs, COUNT(pairs));
		rig_start(f, &t);
		assert_int_equal(rig_finish(f, 0, 1).delivered, 10);
		assert_true(f->clock >= 9 * 5000);
		torus_fabric_destroy(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_closed_loop),
		cmocka_unit_test(test_table_open_loop),
		cmocka_unit_test(test_table_order),
		cmocka_unit_test(test_table_peak),
		cmocka_unit_test(test_table_load),
		cmocka_unit_test(test_bad_tables),
		cmocka_unit_test(test_pacing),
		cmocka_unit_test(test_bad_pacing),
		cmocka_unit_test(test_hot_region),
		cmocka_unit_test(test_alltoall_order),
		cmocka_unit_test(test_infinite_injection),
		cmocka_unit_test(test_processor_cost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
