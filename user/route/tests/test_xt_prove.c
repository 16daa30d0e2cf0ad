// SPDX-License-Identifier: GPL-2.0
/*
 * Test tables of machines with broken cables. The check must agree with packets that are followed
 * one by one, and no other tables could reach more pairs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "xt_exact.h"
#include "../xt/dateline.h"
#include "../xt/build_tables.h"

#define MESH_X	1
#define MESH_Y	2
#define MESH_Z	4

struct prove_bench {
	struct xt_map *map;
	struct xt_route route;
	struct xt_next_hops plan;
	struct xt_check check;
};

static struct prove_bench *bench(uint32_t x, uint32_t y, uint32_t z, uint32_t mesh, uint32_t planes)
{
	static struct prove_bench bench;
	const uint32_t dims[XT_DIMS] = { x, y, z }, lines[XT_DIMS] = { x - 1, y - 1, z - 1 };

	assert_int_equal(xt_map_new(&bench.map, dims, mesh, planes), 0);
	assert_int_equal(xt_route_init(&bench.route, bench.map, XT_POLICY_V3, true, lines), 0);
	assert_int_equal(xt_next_hops_init(&bench.plan, bench.map), 0);
	assert_int_equal(xt_check_init(&bench.check, bench.map), 0);
	return &bench;
}

static void finish(struct prove_bench *b)
{
	xt_check_free(&b->check);
	xt_next_hops_free(&b->plan);
	xt_route_free(&b->route);
	xt_map_free(b->map);
}

static void set(struct prove_bench *b, uint32_t node, uint32_t dir, enum xt_cable state)
{
	xt_map_set(b->map, node, dir, state);
	xt_route_settle(&b->route);
}

/*
 * Compute and check tables. The check must agree with packets that are followed one by one. Return:
 * number of pairs not reached.
 */
static uint64_t judge(struct prove_bench *b)
{
	struct xt_tables *tables;
	struct xt_verdict verdict;
	struct xt_made made;

	assert_int_equal(xt_tables_make(&b->route, &tables, &made), 0);
	xt_check_run(&b->check, tables);
	verdict = xt_exact_judge(tables);
	assert_int_equal(verdict.reached, b->check.ends[XT_END_REACHED]);
	assert_int_equal(verdict.stuck != 0, b->check.cycles > 0);
	xt_tables_free(tables);
	return b->check.pairs - b->check.ends[XT_END_REACHED];
}

/*
 * Check that packets of all unreached pairs end at missing entries, and that there are no cycles.
 */
static uint64_t judge_safe(struct prove_bench *b)
{
	uint64_t lost = judge(b);

	assert_int_equal(b->check.cycles, 0);
	assert_int_equal(b->check.ends[XT_END_MISSING], lost);
	return lost;
}

/*
 * Return the smallest number of pairs without a legal path over all positions of the datelines in y
 * and z.
 */
static uint64_t least(struct prove_bench *b)
{
	const struct xt_map *map = b->map;
	uint32_t lines[XT_DIMS] = { 0 }, y, z;
	uint64_t best = UINT64_MAX, lost;

	for (y = 0; y < map->dims[1]; y++)
		for (z = 0; z < map->dims[2]; z++) {
			lines[1] = map->mesh & MESH_Y ? XT_NONE : y;
			lines[2] = map->mesh & MESH_Z ? XT_NONE : z;
			lost = xt_exact_unreachable(map, lines, b->route.dodge);
			best = lost < best ? lost : best;
		}
	return best;
}

/*
 * Break each @step-th cable in turn. Return: number of unreached pairs, summed over all cables. No
 * tables could reach these pairs.
 */
static uint64_t every_cable(struct prove_bench *b, uint32_t step)
{
	uint64_t lost = 0, one;
	uint32_t node, dir, at = 0;

	for (node = 0; node < b->map->nodes; node++)
		for (dir = 0; dir < XT_DIRS; dir += 2) {
			if (!xt_live(b->map, node, dir) || at++ % step)
				continue;
			set(b, node, dir, XT_BROKEN);
			xt_datelines_auto(&b->route, &b->plan);
			one = judge_safe(b);
			if (one)
				assert_int_equal(one, least(b));
			lost += one;
			set(b, node, dir, XT_LIVE);
		}
	return lost;
}

static void whole(uint32_t x, uint32_t y, uint32_t z, uint32_t mesh, uint32_t planes)
{
	struct prove_bench *b = bench(x, y, z, mesh, planes);

	assert_int_equal(judge_safe(b), 0);
	finish(b);
}

static void test_whole(void **state)
{
	whole(5, 4, 3, 0, 0);
	whole(4, 4, 4, 0, 0);
	whole(4, 4, 4, MESH_X, 0);
	whole(4, 4, 4, MESH_Y, 0);
	whole(4, 4, 4, MESH_Z, 0);
	whole(2, 3, 1, 0, 0);
}

static void test_regions(void **state)
{
	whole(12, 3, 2, 0, 3);
	whole(12, 3, 2, MESH_X, 3);
	whole(7, 2, 3, 0, 1);
	whole(8, 2, 3, 0, 5);
}

static void test_every_cable_torus(void **state)
{
	struct prove_bench *b = bench(4, 4, 4, 0, 0);

	assert_int_equal(every_cable(b, 1), 0);
	finish(b);
	b = bench(5, 4, 3, 0, 0);
	assert_int_equal(every_cable(b, 1), 0);
	finish(b);
}

static void test_every_cable_mesh_x(void **state)
{
	struct prove_bench *b = bench(5, 4, 3, MESH_X, 0);

	assert_int_equal(every_cable(b, 1), 0);
	finish(b);
}

static void test_every_cable_mesh_y(void **state)
{
	struct prove_bench *b = bench(5, 4, 3, MESH_Y, 0);

	assert_int_equal(every_cable(b, 1), 0);
	finish(b);
}

/*
 * If a line in z of a mesh is cut, packets cannot move down past the cut: exactly these pairs are
 * lost.
 */
static void test_every_cable_mesh_z(void **state)
{
	struct prove_bench *b = bench(4, 4, 4, MESH_Z, 0);

	assert_int_equal(every_cable(b, 1), 2560);
	finish(b);
}

/* On longer rings, a detour on VC 1 that returns to x would close a cycle. */
static void test_every_cable_ring_of_8(void **state)
{
	struct prove_bench *b = bench(8, 8, 2, 0, 0);

	assert_int_equal(every_cable(b, 11), 0);
	finish(b);
}

static void test_every_cable_regions(void **state)
{
	struct prove_bench *b = bench(8, 3, 3, 0, 2);

	assert_int_equal(every_cable(b, 1), 0);
	finish(b);
	b = bench(8, 3, 3, MESH_X, 3);
	assert_int_equal(every_cable(b, 1), 0);
	finish(b);
}

static uint32_t draw(uint64_t *seed)
{
	uint64_t x = *seed += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return (uint32_t)(x >> 32);
}

/*
 * Break sets of 2 to 4 cables. Exactly those pairs are lost that no legal moves (2.2.1 of the
 * paper) connect.
 */
static void several(uint32_t mesh, uint32_t sets)
{
	struct prove_bench *b = bench(5, 4, 3, mesh, 0);
	uint64_t seed = 1, lost;
	uint32_t i, j;

	for (i = 0; i < sets; i++) {
		for (j = 0; j < 2 + i % 3;) {
			uint32_t node = draw(&seed) % b->map->nodes, dir = draw(&seed) % XT_DIRS;

			if (xt_live(b->map, node, dir)) {
				set(b, node, dir, XT_BROKEN);
				j++;
			}
		}
		xt_datelines_auto(&b->route, &b->plan);
		lost = judge_safe(b);
		if (lost)
			assert_int_equal(lost, least(b));
		for (j = 0; j < b->map->nodes * XT_DIRS; j++)
			xt_map_set(b->map, j / XT_DIRS, j % XT_DIRS, XT_LIVE);
		xt_route_settle(&b->route);
	}
	finish(b);
}

static void test_several_torus(void **state)
{
	several(0, 150);
}

static void test_several_mesh_y(void **state)
{
	several(MESH_Y, 150);
}

static void test_several_mesh_z(void **state)
{
	several(MESH_Z, 50);
}

/* With fixed datelines, exactly the pairs without a legal path are not reached. */
static void test_fixed_datelines(void **state)
{
	struct prove_bench *b = bench(4, 4, 4, 0, 0);
	uint32_t node, dir;

	for (node = 0; node < b->map->nodes; node++)
		for (dir = 0; dir < XT_DIRS; dir += 2) {
			set(b, node, dir, XT_BROKEN);
			assert_int_equal(judge_safe(b),
					 xt_exact_unreachable(b->map, b->route.dateline,
							      b->route.dodge));
			set(b, node, dir, XT_LIVE);
		}
	finish(b);
}

/*
 * Return the number of cycles, at most XT_CIRCLES, in rings without a dateline. Footnote 2: rings
 * of up to 4 nodes need none if ties are split.
 */
static uint64_t ring_cycles(uint32_t length, bool split)
{
	const uint32_t none[XT_DIMS] = { XT_NONE, XT_NONE, XT_NONE };
	struct prove_bench *b = bench(length, length, length, 0, 0);
	uint64_t cycles;

	xt_route_free(&b->route);
	assert_int_equal(xt_route_init(&b->route, b->map, XT_POLICY_V3, split, none), 0);
	assert_int_equal(judge(b), 0);
	cycles = b->check.cycles;
	finish(b);
	return cycles;
}

static void test_footnote_2(void **state)
{
	assert_int_equal(ring_cycles(3, true), 0);
	assert_int_equal(ring_cycles(3, false), 0);
	assert_int_equal(ring_cycles(4, true), 0);
	/*
	 * there is one cycle per ring and VC, and with five nodes per direction: more than
	 * XT_CIRCLES
	 */
	assert_int_equal(ring_cycles(4, false), XT_CIRCLES);
	assert_int_equal(ring_cycles(5, true), XT_CIRCLES);
}

/* At the edge of the service nodes, packets detour around absent x cables as around broken ones. */
static void test_absent_edge(void **state)
{
	struct prove_bench *b = bench(5, 4, 4, 0, 0);
	uint32_t y;

	for (y = 0; y < 4; y += 2)
		set(b, xt_node(b->map, 4, y, 1), XT_XP, XT_ABSENT);
	xt_datelines_auto(&b->route, &b->plan);
	assert_int_equal(judge_safe(b), 0);
	finish(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_every_cable_torus),
		cmocka_unit_test(test_every_cable_mesh_x),
		cmocka_unit_test(test_every_cable_mesh_y),
		cmocka_unit_test(test_every_cable_mesh_z),
		cmocka_unit_test(test_every_cable_ring_of_8),
		cmocka_unit_test(test_every_cable_regions),
		cmocka_unit_test(test_several_torus),
		cmocka_unit_test(test_several_mesh_y),
		cmocka_unit_test(test_several_mesh_z),
		cmocka_unit_test(test_fixed_datelines),
		cmocka_unit_test(test_footnote_2),
		cmocka_unit_test(test_absent_edge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
