// SPDX-License-Identifier: GPL-2.0
/* Test how the policies of Abts et al. (2007), section 3, assign virtual channels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "../xt/vc_balance.h"
#include "../xt/dateline.h"
#include "../xt/survey.h"

struct vc_bench {
	struct xt_map *map;
	struct xt_route route;
	struct xt_next_hops plan;
};

static struct vc_bench *bench(const uint32_t *dims, uint32_t planes, enum xt_policy policy,
			      const uint32_t *lines)
{
	static struct vc_bench bench;

	assert_int_equal(xt_map_new(&bench.map, dims, 0, planes), 0);
	assert_int_equal(xt_route_init(&bench.route, bench.map, policy, true, lines), 0);
	assert_int_equal(xt_next_hops_init(&bench.plan, bench.map), 0);
	return &bench;
}

static void finish(struct vc_bench *bench)
{
	xt_next_hops_free(&bench->plan);
	xt_route_free(&bench->route);
	xt_map_free(bench->map);
}

/* Return the VC on which packets start in a ring, from one z coordinate to another. */
static uint32_t ring_vc(struct vc_bench *b, uint32_t from, uint32_t to)
{
	const struct xt_dest goal = { .dest = to, .bit = to & 1 };

	assert_int_equal(xt_next_hops_make(&b->route, &b->plan, &goal), 0);
	return b->plan.steps[from].vc;
}

/* Make a ring of 16 nodes whose dateline is at the last node, as in figure 3 of the paper. */
static struct vc_bench *ring(enum xt_policy policy)
{
	static const uint32_t dims[XT_DIMS] = { 1, 1, 16 }, lines[XT_DIMS] = { 0, 0, 15 };

	return bench(dims, 0, policy, lines);
}

static uint32_t region_vc(struct vc_bench *b, uint32_t x, uint32_t region, uint32_t bit)
{
	const struct xt_dest goal = { .dest = XT_NONE, .region = region, .bit = bit };

	assert_int_equal(xt_next_hops_make(&b->route, &b->plan, &goal), 0);
	return b->plan.steps[xt_node(b->map, x, 0, 0)].vc;
}

/* 3.1: the lowest bits of both NIDs select the VC. */
static void test_initial_splits(void **state)
{
	struct vc_bench *b = ring(XT_POLICY_INITIAL);

	assert_int_equal(ring_vc(b, 2, 4), 0);
	assert_int_equal(ring_vc(b, 2, 5), 1);
	assert_int_equal(ring_vc(b, 3, 5), 0);
	assert_int_equal(ring_vc(b, 3, 6), 1);
	finish(b);
}

/* 3: packets that cross the dateline must start on VC 0. */
static void test_crossing_starts_on_0(void **state)
{
	struct vc_bench *b = ring(XT_POLICY_V3);

	assert_int_equal(ring_vc(b, 14, 1), 0);
	assert_int_equal(ring_vc(b, 13, 0), 0);
	assert_int_equal(ring_vc(b, 15, 2), 0);
	finish(b);
}

/*
 * 3.2: packets that enter at the first node after the dateline use VC 0; by the initial policy,
 * both VCs.
 */
static void test_dateline_neighbor(void **state)
{
	struct vc_bench *b = ring(XT_POLICY_INITIAL);

	assert_int_equal(ring_vc(b, 0, 3), 1);
	finish(b);
	b = ring(XT_POLICY_V1);
	assert_int_equal(ring_vc(b, 0, 3), 0);
	assert_int_equal(ring_vc(b, 1, 4), 1);
	/* Z-: the packet starts at the node below the dateline node */
	assert_int_equal(ring_vc(b, 14, 11), 0);
	assert_int_equal(ring_vc(b, 13, 10), 1);
	finish(b);
}

/* 3.4: packets that end at the dateline node do not cross the dateline. */
static void test_output_crosses(void **state)
{
	struct vc_bench *b = ring(XT_POLICY_V2);

	assert_int_equal(ring_vc(b, 12, 15), 0);
	finish(b);
	b = ring(XT_POLICY_V3);
	assert_int_equal(ring_vc(b, 12, 15), 1);
	assert_int_equal(ring_vc(b, 2, 15), 1);
	assert_int_equal(ring_vc(b, 12, 0), 0);
	finish(b);
}

static const uint32_t row[XT_DIMS] = { 12, 1, 2 };

/* 3.3: the two global entries of a region differ if packets do not cross the dateline. */
static void test_global_entries(void **state)
{
	static const uint32_t lines[XT_DIMS] = { 11, 0, 1 };
	struct vc_bench *b = bench(row, 3, XT_POLICY_V1, lines);

	assert_int_equal(region_vc(b, 1, 1, 0), 0);
	assert_int_equal(region_vc(b, 1, 1, 1), 0);
	finish(b);
	b = bench(row, 3, XT_POLICY_V2, lines);
	assert_int_equal(region_vc(b, 1, 1, 0), 0);
	assert_int_equal(region_vc(b, 1, 1, 1), 1);
	finish(b);
}

/*
 * 3.4: packets that enter the dateline's region from the left do not cross the dateline at the
 * region's right edge.
 */
static void test_global_edge(void **state)
{
	static const uint32_t lines[XT_DIMS] = { 5, 0, 1 };
	struct vc_bench *b = bench(row, 3, XT_POLICY_V2, lines);

	assert_int_equal(region_vc(b, 1, 1, 1), 0);
	finish(b);
	b = bench(row, 3, XT_POLICY_V3, lines);
	assert_int_equal(region_vc(b, 1, 1, 1), 1);
	/* packets that enter from the right could cross the dateline inside the region */
	assert_int_equal(region_vc(b, 7, 1, 1), 0);
	/* packets that pass through the region cross the dateline */
	assert_int_equal(region_vc(b, 2, 2, 1), 0);
	finish(b);
}

/* 3.4: if a region has one plane, the dateline counts as being at both edges of the region. */
static void test_global_single_plane(void **state)
{
	static const uint32_t lines[XT_DIMS] = { 3, 0, 1 }, dims[XT_DIMS] = { 8, 1, 2 };
	struct vc_bench *b = bench(dims, 1, XT_POLICY_V3, lines);

	assert_int_equal(region_vc(b, 1, 3, 1), 1);
	assert_int_equal(region_vc(b, 5, 3, 1), 1);
	assert_int_equal(region_vc(b, 2, 4, 1), 0);
	finish(b);
}

static void test_one(void **state)
{
	struct vc_bench *b = ring(XT_POLICY_ONE);
	uint32_t from, to;

	for (from = 0; from < 16; from++)
		for (to = 0; to < 16; to++)
			if (from != to)
				assert_int_equal(ring_vc(b, from, to), 0);
	finish(b);
}

/* Detours that return to x use VC 0, independent of the NIDs. */
static void test_detour_returns_on_0(void **state)
{
	static const uint32_t dims[XT_DIMS] = { 6, 6, 6 }, lines[XT_DIMS] = { 5, 5, 5 };
	struct vc_bench *b = bench(dims, 0, XT_POLICY_V3, lines);
	uint32_t from = xt_node(b->map, 1, 1, 1), to = xt_node(b->map, 3, 2, 2);
	const struct xt_dest goal = { .dest = to, .bit = xt_nid(b->map, to) & 1 };

	xt_map_set(b->map, from, XT_XP, XT_BROKEN);
	xt_route_settle(&b->route);
	assert_int_equal(xt_next_hops_make(&b->route, &b->plan, &goal), 0);
	assert_int_equal(b->plan.steps[from].port, XT_YP);
	assert_int_equal(b->plan.steps[from].vc, 0);
	/* without a return to x, packets for the same NIDs use VC 1 */
	assert_int_equal(b->plan.steps[xt_node(b->map, 3, 1, 1)].vc, 1);
	finish(b);
}

/* 3.5: datelines are at the edge of a region, preferably of a region with a single plane. */
static void test_datelines_at_edges(void **state)
{
	static const uint32_t lines[XT_DIMS] = { 1, 1, 1 }, dims[XT_DIMS] = { 6, 5, 4 };
	struct vc_bench *b = bench(dims, 3, XT_POLICY_V3, lines);

	xt_datelines_auto(&b->route, &b->plan);
	assert_int_equal(b->route.dateline[0], 5);
	assert_int_equal(b->route.dateline[1], 4);
	assert_int_equal(b->route.dateline[2], 3);
	finish(b);
	b = bench(dims, 1, XT_POLICY_V3, lines);
	xt_datelines_auto(&b->route, &b->plan);
	assert_int_equal(b->route.dateline[0], 0);
	finish(b);
}

/* 3: "if a dimension is not a torus, then there is no dateline". */
static void test_no_dateline_in_a_mesh(void **state)
{
	static const uint32_t lines[XT_DIMS] = { 1, 1, 1 }, dims[XT_DIMS] = { 6, 5, 4 };
	static struct vc_bench mesh;
	struct vc_bench *b = &mesh;
	uint32_t dim;

	for (dim = 0; dim < XT_DIMS; dim++) {
		assert_int_equal(xt_map_new(&b->map, dims, 1u << dim, 0), 0);
		assert_int_equal(xt_route_init(&b->route, b->map, XT_POLICY_V3, true, lines), 0);
		assert_int_equal(xt_next_hops_init(&b->plan, b->map), 0);
		xt_datelines_auto(&b->route, &b->plan);
		assert_int_equal(b->route.dateline[dim], XT_NONE);
		assert_int_equal(b->route.dateline[(dim + 1) % 3], dims[(dim + 1) % 3] - 1);
		assert_int_equal(b->route.dateline[(dim + 2) % 3], dims[(dim + 2) % 3] - 1);
		finish(b);
	}
}

/* 3.5: datelines are at coordinates where no detour crosses them. */
static void test_datelines_away_from_detours(void **state)
{
	static const uint32_t lines[XT_DIMS] = { 1, 1, 1 }, dims[XT_DIMS] = { 6, 5, 4 };
	struct vc_bench *b = bench(dims, 0, XT_POLICY_V3, lines);

	xt_map_set(b->map, xt_node(b->map, 2, 4, 3), XT_XP, XT_BROKEN);
	xt_route_settle(&b->route);
	xt_datelines_auto(&b->route, &b->plan);
	assert_int_equal(b->route.dateline[1], 3);
	assert_int_equal(b->route.dateline[2], 2);
	finish(b);
}

/* Section 4: test the balance of single links and the bins of the histogram. */
static void test_balance(void **state)
{
	struct xt_balance balance = { .links = 0 };

	xt_balance_add(&balance, 0, 0);
	assert_int_equal(balance.links, 0);
	xt_balance_add(&balance, 5, 5);
	xt_balance_add(&balance, 5, 3);
	assert_int_equal(balance.bins[0], 2);
	/* 3 packets on one VC to 1 on the other have a balance of 0.5 */
	xt_balance_add(&balance, 1, 3);
	assert_int_equal(balance.bins[1], 1);
	xt_balance_add(&balance, 7, 0);
	assert_int_equal(balance.bins[3], 1);
	assert_true(balance.sum > 1.74 && balance.sum < 1.76);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_initial_splits),
		cmocka_unit_test(test_crossing_starts_on_0),
		cmocka_unit_test(test_dateline_neighbor),
		cmocka_unit_test(test_output_crosses),
		cmocka_unit_test(test_global_entries),
		cmocka_unit_test(test_global_edge),
		cmocka_unit_test(test_global_single_plane),
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_detour_returns_on_0),
		cmocka_unit_test(test_datelines_at_edges),
		cmocka_unit_test(test_no_dateline_in_a_mesh),
		cmocka_unit_test(test_datelines_away_from_detours),
		cmocka_unit_test(test_balance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
