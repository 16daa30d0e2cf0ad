// SPDX-License-Identifier: GPL-2.0
/* Permutations and stencils: the destination of each node, and the peak. */
#include "arch/tests/bgl_rig.h"
#include "core/base/random.h"
#include "core/workload/pattern.h"
#include "core/workload/permutation.h"
#include "core/workload/workload.h"

#include <math.h>

#define ONE	(1ull << 32)

static struct torus_traffic pattern(u32 pattern)
{
	return (struct torus_traffic){
		.pattern = pattern, .size_min = 256, .size_max = 256, .load = 3 * ONE / 10,
		.warmup = 10000, .cycles = 30000,
	};
}

/*
 * Count the nodes with different destinations in two fabrics. Check that the pattern is a
 * permutation in the first.
 */
static u32 differ(const struct torus_fabric *f, const struct torus_fabric *g, u32 which)
{
	bool *seen = calloc(f->nodes, sizeof(*seen));
	u32 node, n = 0;

	assert_non_null(seen);
	for (node = 0; node < f->nodes; node++) {
		u32 to = torus_permutation(f, which, node);

		assert_true(to < f->nodes && !seen[to]);
		seen[to] = true;
		n += to != torus_permutation(g, which, node);
	}
	free(seen);
	return n;
}

static void test_bits(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", ""), *g = rig_make("2x1x1", "");
	struct torus_error err;

	assert_int_equal(differ(f, f, TORUS_PATTERN_BITREV), 0);
	assert_int_equal(differ(f, f, TORUS_PATTERN_SHUFFLE), 0);
	/* node indices have six bits */
	assert_int_equal(torus_permutation(f, TORUS_PATTERN_BITREV, 0x0b), 0x34);
	assert_int_equal(torus_permutation(f, TORUS_PATTERN_BITREV, 0x21), 0x21);
	assert_int_equal(torus_permutation(f, TORUS_PATTERN_SHUFFLE, 0x0b), 0x16);
	assert_int_equal(torus_permutation(f, TORUS_PATTERN_SHUFFLE, 0x35), 0x2b);
	assert_int_equal(torus_permutation(g, TORUS_PATTERN_SHUFFLE, 1), 1);
	/* with node indices of one bit, no node sends to another node */
	assert_int_equal(torus_pattern_check(g, &(struct torus_traffic){
		.pattern = TORUS_PATTERN_SHUFFLE, .packets = 1 }, &err), -EINVAL);
	assert_says(err.text, "pattern shuffle node");
	torus_fabric_destroy(g);
	g = rig_make("4x3x2", "");
	assert_int_equal(torus_permutation_check(g, TORUS_PATTERN_BITREV, &err), -EINVAL);
	assert_says(err.text, "bitrev 24 power");
	assert_int_equal(torus_permutation_check(g, TORUS_PATTERN_SHUFFLE, &err), -EINVAL);
	assert_says(err.text, "shuffle 24 power");
	assert_int_equal(torus_permutation_check(g, TORUS_PATTERN_PERMUTATION, &err), 0);
	torus_fabric_destroy(f);
	torus_fabric_destroy(g);
}

/* A random permutation depends on the seed, and exists for each shape. */
static void test_random_permutation(void **state)
{
	static const char *const shapes[] = { "4x4x4", "3x5x2", "7x1x1", "8x8x8" };
	u32 i;

	for (i = 0; i < COUNT(shapes); i++) {
		struct torus_fabric *f = rig_make(shapes[i], ""), *g = rig_make(shapes[i], "");
		u64 seed;

		assert_int_equal(differ(f, g, TORUS_PATTERN_PERMUTATION), 0);
		for (seed = 2; seed < 12; seed++) {
			g->cfg.seed = seed;
			/* on average two random permutations agree at one node */
			assert_true(differ(f, g, TORUS_PATTERN_PERMUTATION) + 7 > f->nodes);
			assert_int_equal(differ(g, g, TORUS_PATTERN_PERMUTATION), 0);
		}
		torus_fabric_destroy(f);
		torus_fabric_destroy(g);
	}
}

/*
 * Return the hops between two coordinates: in a ring by the shorter direction, in a mesh along the
 * line.
 */
static u32 apart(const struct torus_geometry *g, u32 dim, u32 a, u32 b)
{
	u32 n = g->dims[dim], way = a > b ? a - b : b - a;

	return g->mesh >> dim & 1 || 2 * way <= n ? way : n - way;
}

static bool around(const struct torus_geometry *g, u32 a, u32 b)
{
	u32 at[TORUS_DIMS_MAX], to[TORUS_DIMS_MAX], dim;

	torus_geometry_coords(g, a, at);
	torus_geometry_coords(g, b, to);
	for (dim = 0; dim < g->ndims; dim++)
		if (apart(g, dim, at[dim], to[dim]) > 1)
			return false;
	return a != b;
}

/* Check that each neighbour of the stencil is drawn equally often, and no other node. */
static void check_stencil(const char *shape, u32 node, u32 neighbours)
{
	const struct torus_traffic t = pattern(TORUS_PATTERN_STENCIL);
	struct torus_fabric *f = rig_make(shape, "");
	u32 *drawn = calloc(f->nodes, sizeof(*drawn));
	u64 rng = torus_random_seed(1, 21, node);
	u32 draws = 1000 * neighbours, i, n = 0;

	assert_non_null(drawn);
	for (i = 0; i < draws; i++)
		drawn[torus_pattern_destination(f, &t, &rng, node, i)]++;
	for (i = 0; i < f->nodes; i++) {
		assert_int_equal(drawn[i] != 0, around(&f->cfg.geo, node, i));
		if (!drawn[i])
			continue;
		n++;
		/* 1000 draws per neighbour, plus or minus five standard deviations */
		assert_in_range(drawn[i], 840, 1160);
	}
	assert_int_equal(n, neighbours);
	free(drawn);
	torus_fabric_destroy(f);
}

static void test_stencil(void **state)
{
	check_stencil("4x4x4", 0, 26);
	check_stencil("5x4x3", 37, 26);
	check_stencil("8x8x1", 9, 8);
	check_stencil("8x1x1", 3, 2);
	check_stencil("2x1x1", 1, 1);
	check_stencil("2x4x4", 5, 17);
	check_stencil("4mx4mx4m", 0, 7);
	check_stencil("4mx4x4", 3, 17);
	check_stencil("2mx4x4", 1, 17);
}

/* Return the accepted traffic per sender as a percentage of the peak. */
static double of_peak(const char *shape, u32 which)
{
	const struct torus_traffic t = pattern(which);
	struct torus_fabric *f = rig_make(shape, "routing=deterministic");
	struct torus_result r;
	u32 node, senders = 0;

	for (node = 0; node < f->nodes; node++)
		senders += torus_pattern_sends(f, &t, node);
	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	torus_fabric_destroy(f);
	/*
	 * 18 of 26 neighbours have another coordinate in a given dimension: 270 ticks on one of
	 * two links
	 */
	if (which == TORUS_PATTERN_STENCIL)
		assert_true(fabs((double)r.peak_num / r.peak_den * 26 / (135 * 18) - 1) < 0.001);
	return 100.0 * r.win_delivered / senders * r.peak_num / r.peak_den / t.cycles;
}

static void test_loads(void **state)
{
	static const u32 patterns[] = {
		TORUS_PATTERN_BITREV, TORUS_PATTERN_SHUFFLE, TORUS_PATTERN_PERMUTATION,
		TORUS_PATTERN_STENCIL,
	};
	u32 i;

	for (i = 0; i < COUNT(patterns); i++) {
		double part = of_peak("4x4x4", patterns[i]);

		assert_true(part > 27 && part < 33);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_random_permutation),
		cmocka_unit_test(test_stencil),
		cmocka_unit_test(test_loads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
