// SPDX-License-Identifier: GPL-2.0
/* What links can carry of a pattern, beside an enumeration pair by pair and hop by hop. */
#include "arch/tests/bgl_rig.h"
#include "core/base/random.h"
#include "core/load/workload.h"

#define ONE	(1ull << 32)
#define SETS	64	/* of a dimension, at most */
#define WIRE	270.0

static struct torus_traffic uniform(u32 percent)
{
	return (struct torus_traffic){
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 256, .size_max = 256,
		.load = percent * ONE / 100, .warmup = 20000, .cycles = 40000,
	};
}

/* Half of the length, h, is odd: every second link carries (h^2 + 1) / h^2 of the mean. */
static void test_uneven(void **state)
{
	static const struct {
		const char *shape;
		double ratio;
	} rings[] = {
		{ "2x1x1", 2 }, { "6x1x1", 10 / 9.0 }, { "10x1x1", 26 / 25.0 }, { "3x1x1", 1 },
		{ "4x1x1", 1 }, { "5x1x1", 1 }, { "8x1x1", 1 }, { "6mx1x1", 1 },
	};
	u32 i;

	for (i = 0; i < COUNT(rings); i++) {
		struct torus_fabric *f = rig_make(rings[i].shape, "hints=minimal");
		double ratio = torus_peak_uneven(f, 0) / 65536.0;

		assert_true(ratio > rings[i].ratio * 0.9999 && ratio < rings[i].ratio * 1.0001);
		torus_fabric_destroy(f);
	}
}

/* Packets over a set of links a packet of every source, by the weights of its destinations. */
static double busiest(struct torus_fabric *f, const double *weight, const bool *sends)
{
	const struct torus_geometry *g = &f->cfg.geo;
	double cross[3][2][SETS] = { 0 }, most = 0;
	u32 src, dst, dim, i, a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX];

	for (src = 0; src < f->nodes; src++)
		for (dst = 0; sends[src] && dst < f->nodes; dst++) {
			torus_geometry_coords(g, src, a);
			torus_geometry_coords(g, dst, b);
			for (dim = 0; dim < 3; dim++) {
				s32 way = torus_fabric_steps(f, dim, a[dim], b[dim]);
				u32 n = g->dims[dim], at = a[dim];

				for (; way > 0; way--, at = (at + 1) % n)
					cross[dim][0][at] += weight[dst];
				for (; way < 0; way++, at = (at + n - 1) % n)
					cross[dim][1][at] += weight[dst];
			}
		}
	for (dim = 0; dim < 3; dim++)
		for (i = 0; i < 2 * g->dims[dim]; i++) {
			double here = cross[dim][i & 1][i / 2] * g->dims[dim] / f->nodes;

			most = here > most ? here : most;
		}
	return most;
}

static void check_region(const char *shape, const u32 *region, const u32 *at, u32 percent)
{
	struct torus_fabric *f = rig_make(shape, "");
	const struct torus_geometry *g = &f->cfg.geo;
	struct torus_traffic t = uniform(100);
	double weight[512], share = percent / 100.0, want, got;
	u32 node, dim, a[TORUS_DIMS_MAX], hot = region[0] * region[1] * region[2];
	bool sends[512];

	t.pattern = TORUS_PATTERN_HOTREGION;
	t.share = percent * ONE / 100;
	memcpy(t.region, region, 3 * sizeof(*region));
	memcpy(t.region_at, at, 3 * sizeof(*at));
	for (node = 0; node < f->nodes; node++) {
		bool in = true;

		torus_geometry_coords(g, node, a);
		for (dim = 0; dim < 3; dim++)
			in &= (a[dim] + g->dims[dim] - at[dim]) % g->dims[dim] < region[dim];
		weight[node] = (1 - share) / f->nodes + (in ? share / hot : 0);
		sends[node] = percent < 100 || !in;
	}
	want = busiest(f, weight, sends) * WIRE;
	got = torus_peak_region_gap(f, &t, 2 * 270) / 65536.0;
	assert_true(got > want * 0.999 && got < want * 1.001);
	assert_true(torus_pattern_carried_gap(f, &t, 1) / 65536.0 > want * 0.999);
	torus_fabric_destroy(f);
}

static void test_region(void **state)
{
	static const u32 two[3] = { 2, 2, 2 }, odd[3] = { 3, 1, 2 }, at[3] = { 0, 0, 0 };
	static const u32 far[3] = { 5, 3, 1 };
	u32 percent;

	for (percent = 0; percent <= 100; percent += 25) {
		check_region("8x8x8", two, at, percent);
		check_region("8x8x8", odd, far, percent);
		check_region("6x5x2", two, at, percent);
		check_region("6mx5x4", odd, at, percent);
	}
}

/* Packets of the window beside those that the busiest links can carry, percent. */
static double of_peak(const char *shape, const char *settings, const struct torus_traffic *t)
{
	struct torus_fabric *f = rig_make(shape, settings);
	struct torus_result r;

	rig_start(f, t);
	r = rig_finish(f, 0, 1);
	torus_fabric_destroy(f);
	return 100.0 * r.win_delivered / r.nodes * r.peak_num / r.peak_den / t->cycles;
}

/* Links that are full are full, though others of their dimension are not. */
static void test_saturated(void **state)
{
	struct torus_traffic t = uniform(120);
	double part;

	part = of_peak("2x2x2", "", &t);
	assert_true(part > 94 && part < 101);
	part = of_peak("6x6x6", "", &t);
	assert_true(part > 98 && part < 101);
	t.pattern = TORUS_PATTERN_TORNADO;
	part = of_peak("8x8x8", "", &t);
	assert_true(part > 96 && part < 100.5);
	/* share 0: all links are full, not only those into the region */
	t.pattern = TORUS_PATTERN_HOTREGION;
	memcpy(t.region, (u32[]){ 2, 2, 2 }, 3 * sizeof(u32));
	part = of_peak("8x8x8", "", &t);
	assert_true(part > 97 && part < 101);
}

/*
 * Below the peak it is the load, however uneven the links are; and an exchange takes no less time
 * than its busiest links need.
 */
static void test_time(void **state)
{
	static const char *const shapes[] = { "7x7x7", "6x6x6", "8mx4x4" };
	struct torus_traffic t = uniform(50);
	u32 i;

	for (i = 0; i < COUNT(shapes); i++) {
		struct torus_traffic all = {
			.pattern = TORUS_PATTERN_ALLTOALL, .size_min = 256, .size_max = 256,
			.packets = 2,
		};
		struct torus_fabric *f = rig_make(shapes[i], "");
		double gap = torus_pattern_peak_gap(f, &t), part;
		struct torus_error err;
		struct torus_result r;

		part = of_peak(shapes[i], "", &t);
		gap = torus_pattern_carried_gap(f, &t, (u64)gap) / gap;
		assert_true(part > 49 * gap && part < 51 * gap);
		assert_int_equal(torus_traffic_start(f, &all, &err), 0);
		r = rig_finish(f, 0, 1);
		part = 100.0 * r.peak_num / r.peak_den / (r.window_end - r.window_start);
		assert_true(part > 70 && part <= 100);
		torus_fabric_destroy(f);
	}
}

/* Who sends counts, not who there is; and below the peak it is the load. */
static void test_senders(void **state)
{
	struct torus_traffic t = uniform(60);
	double part;

	t.pattern = TORUS_PATTERN_HOTREGION;
	t.share = ONE;
	memcpy(t.region, (u32[]){ 2, 4, 4 }, 3 * sizeof(u32));
	part = of_peak("4x4x4", "", &t);
	assert_true(part > 57 && part < 63);
	t.pattern = TORUS_PATTERN_TRANSPOSE;
	t.cycles = 200000;
	part = of_peak("4x4x4", "", &t);
	assert_true(part > 58 && part < 62);
}

/* The load of every pair, one by one. */
static u64 pairs_one_by_one(struct torus_fabric *f, const struct torus_peak_ring *r, u64 *sum)
{
	u64 cross[2 * SETS] = { 0 };
	u32 a, b;

	for (a = 0; a < r->n; a++)
		for (b = 0; b < r->n; b++)
			torus_peak_add(f, cross, 0, a, b, r->from[a] * r->to[b]);
	return torus_peak_most(cross, r->n, sum);
}

/* Loads are summed in one pass: the same as pair by pair, whatever the weights. */
static void test_pairs(void **state)
{
	u64 rng = 7, sum, want_sum, want;
	struct torus_peak_ring r;
	char shape[16];
	u32 n, mesh, i;

	for (n = 2; n < SETS; n++)
		for (mesh = 0; mesh < 2; mesh++) {
			struct torus_fabric *f;

			snprintf(shape, sizeof(shape), "%u%s", n, mesh ? "m" : "");
			f = rig_make_arch("kncube", shape, "");
			assert_true(torus_peak_ring_init(&r, n));
			for (i = 0; i < n; i++) {
				r.from[i] = torus_random_below(&rng, 5);
				r.to[i] = torus_random_below(&rng, 1000);
			}
			want = pairs_one_by_one(f, &r, &want_sum);
			torus_peak_pairs(f, 0, &r);
			assert_int_equal(torus_peak_most(r.cross, n, &sum), want);
			assert_int_equal(sum, want_sum);
			torus_peak_ring_free(&r);
			torus_fabric_destroy(f);
		}
}

/* Dimensions of 65535: each pattern's peak takes one pass over the nodes. */
static void test_long(void **state)
{
	static const u32 patterns[] = {
		TORUS_PATTERN_UNIFORM, TORUS_PATTERN_ALLTOALL_LINE, TORUS_PATTERN_HOTREGION,
		TORUS_PATTERN_TORNADO, TORUS_PATTERN_PERMUTATION, TORUS_PATTERN_HOTSPOT,
		TORUS_PATTERN_STENCIL,
	};
	struct torus_fabric *f = rig_make_arch("kncube", "65535x1", "");
	struct torus_traffic t = uniform(50);
	u64 peak, small;
	u32 i;

	t.region[0] = 5;
	t.region[1] = 1;
	t.share = ONE / 2;
	t.hots = 64;
	for (i = 0; i < t.hots; i++)
		t.hot[i] = 1000 * i;
	for (i = 0; i < COUNT(patterns); i++) {
		t.pattern = patterns[i];
		peak = torus_pattern_peak_gap(f, &t);
		assert_true(peak > 1);
		assert_true(torus_pattern_carried_gap(f, &t, peak) >= peak);
	}
	t.pattern = TORUS_PATTERN_UNIFORM;
	peak = torus_pattern_peak_gap(f, &t);
	torus_fabric_destroy(f);
	/* (n + 1) / 4 hops to another node, where n is odd: 8192 times those of a ring of 7 */
	f = rig_make_arch("kncube", "7x1", "");
	small = torus_pattern_peak_gap(f, &t);
	assert_in_range(peak, small * 8192 - small, small * 8192 + small);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uneven),
		cmocka_unit_test(test_region),
		cmocka_unit_test(test_saturated),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_senders),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
