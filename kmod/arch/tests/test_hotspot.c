// SPDX-License-Identifier: GPL-2.0
/* Hot spots: the destinations of packets, and the accepted traffic. */
#include <math.h>

#include "arch/tests/bgl_rig.h"
#include "core/base/random.h"
#include "core/workload/hotspot.h"
#include "core/workload/pattern.h"
#include "core/workload/workload.h"
#include "core/state/latency_histogram.h"

#define ONE	(1ull << 32)

static struct torus_traffic spot(const u32 *hot, u32 hots, u32 percent)
{
	struct torus_traffic t = {
		.pattern = TORUS_PATTERN_HOTSPOT, .size_min = 256, .size_max = 256,
		.load = ONE, .warmup = 20000, .cycles = 40000,
		.hots = hots, .share = percent * ONE / 100,
	};

	memcpy(t.hot, hot, hots * sizeof(*hot));
	return t;
}

static bool is_hot(const struct torus_traffic *t, u32 node)
{
	u32 i;

	for (i = 0; i < t->hots; i++)
		if (t->hot[i] == node)
			return true;
	return false;
}

/* Return the share of the packets of node @src that go to node @dst. */
static double rate(const struct torus_traffic *t, u32 nodes, u32 src, u32 dst)
{
	double share = (double)t->share / ONE, rest = (1 - share) / (nodes - 1);

	if (src == dst)
		return 0;
	if (!is_hot(t, src))
		return rest + (is_hot(t, dst) ? share / t->hots : 0);
	if (t->hots > 1)
		return rest + (is_hot(t, dst) ? share / (t->hots - 1) : 0);
	return share < 1 ? 1.0 / (nodes - 1) : 0;
}

static void check_destinations(const u32 *hot, u32 hots, u32 percent)
{
	struct torus_fabric *f = rig_make("4x4x2", "");
	const struct torus_traffic t = spot(hot, hots, percent);
	u32 node, i, seen[32];

	for (node = 0; node < f->nodes; node++) {
		u64 rng = 77 + node;

		if (!torus_pattern_sends(f, &t, node)) {
			assert_true(hots == 1 && percent == 100 && node == hot[0]);
			continue;
		}
		memset(seen, 0, sizeof(seen));
		for (i = 0; i < 20000; i++)
			seen[torus_pattern_destination(f, &t, &rng, node, i)]++;
		assert_int_equal(seen[node], 0);
		for (i = 0; i < f->nodes; i++) {
			double want = 20000 * rate(&t, f->nodes, node, i);

			assert_true(seen[i] > want - 6 * sqrt(want) - 1 &&
				    seen[i] < want + 6 * sqrt(want) + 1);
		}
	}
	torus_fabric_destroy(f);
}

static void test_destinations(void **state)
{
	static const u32 one[] = { 9 }, some[] = { 3, 17, 30 };

	check_destinations(one, 1, 25);
	check_destinations(one, 1, 100);
	check_destinations(some, 3, 25);
	check_destinations(some, 3, 100);
	check_destinations(some, 2, 50);
}

/*
 * Below the peak hot nodes receive all packets. Above it dynamic routing delivers more than the
 * peak, because packets arrive over all links. Dimension order uses only two of them.
 */
static void test_accepted_traffic(void **state)
{
	static const u32 hot[] = { 0, 42 };
	static const struct {
		u32 hots, load, share, least, most;
	} runs[] = {
		{ 1, 60, 100, 55, 65 }, { 1, 150, 100, 100, 160 }, { 2, 60, 50, 55, 65 },
		{ 2, 150, 100, 100, 160 },
	};
	u32 i;

	for (i = 0; i < COUNT(runs); i++) {
		struct torus_traffic t = spot(hot, runs[i].hots, runs[i].share);
		struct torus_fabric *f = rig_make("4x4x4", "");
		struct torus_result r;
		double part;

		t.load = runs[i].load * ONE / 100;
		t.cycles = 100000;
		rig_start(f, &t);
		r = rig_finish(f, 0, 1);
		part = 100.0 * r.win_delivered / r.nodes * r.peak_num / r.peak_den / t.cycles;
		if (part < runs[i].least || part > runs[i].most)
			fail_msg("run %u: %f %% of peak", i, part);
		torus_fabric_destroy(f);
	}
}

/* In a closed loop, the hot node receives the same share of the packets as in an open loop. */
static void test_closed(void **state)
{
	static const u32 hot[] = { 5 };
	struct torus_traffic t = spot(hot, 1, 50);
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_latencies *seen;
	struct torus_result r;

	t.load = 0;
	t.warmup = 0;
	t.cycles = 0;
	t.packets = 10;
	assert_int_equal(torus_latencies_start(f), 0);
	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 640);
	seen = torus_latencies_take(f);
	assert_non_null(seen);
	/*
	 * half of 630 packets, and 5 of the other half; the hot node's own packets go to other
	 * nodes
	 */
	assert_in_range(seen->received[5], 320 - 50, 320 + 50);
	assert_int_equal(seen->sent[5], 10);
	torus_latencies_free(seen);
	torus_fabric_destroy(f);
}

static void test_refused(void **state)
{
	static const u32 hot[] = { 5, 63, 64, 5 };
	struct torus_traffic t = spot(hot, 3, 50);

	rig_start_refused(&t, "hot 64 0 63");
	t.hot[2] = 5;
	rig_start_refused(&t, "hot 5");
	t.hots = 65;
	rig_start_refused(&t, "hot 65 1 64");
	t.hots = 0;
	rig_start_refused(&t, "hot 0 1 64");
	t.hots = 2;
	t.share = ONE + 1;
	rig_start_refused(&t, "share 1.001 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_destinations),
		cmocka_unit_test(test_accepted_traffic),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
