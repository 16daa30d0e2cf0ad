// SPDX-License-Identifier: GPL-2.0
/* Test each routing rule of Abts et al. (2007), 2.2.1 to 2.2.4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "../xt/turns.h"
#include "../xt/next_hops.h"
#include "../xt/rules.h"

#define MESH_X	1
#define MESH_Y	2
#define MESH_Z	4

struct rules_bench {
	struct xt_map *map;
	struct xt_route route;
};

/* Make a machine with datelines at the highest coordinates. */
static struct rules_bench *bench(uint32_t x, uint32_t y, uint32_t z, uint32_t mesh)
{
	static struct rules_bench bench;
	const uint32_t dims[XT_DIMS] = { x, y, z }, lines[XT_DIMS] = { x - 1, y - 1, z - 1 };

	assert_int_equal(xt_map_new(&bench.map, dims, mesh, 0), 0);
	assert_int_equal(xt_route_init(&bench.route, bench.map, XT_POLICY_V3, true, lines), 0);
	return &bench;
}

static void finish(struct rules_bench *bench)
{
	xt_route_free(&bench->route);
	xt_map_free(bench->map);
}

static uint32_t node(const struct rules_bench *bench, uint32_t x, uint32_t y, uint32_t z)
{
	return xt_node(bench->map, x, y, z);
}

static void cable(struct rules_bench *bench, uint32_t from, uint32_t dir, enum xt_cable state)
{
	assert_true(xt_map_set(bench->map, from, dir, state));
	xt_route_settle(&bench->route);
}

static void step_is(struct rules_bench *bench, uint32_t from, uint32_t to, uint32_t port,
		    enum xt_rule rule)
{
	const struct xt_dest goal = { .dest = to, .region = xt_region(bench->map, to) };
	struct xt_step step = xt_rule_step(&bench->route, &goal, from, NULL);

	assert_int_equal(step.port, port);
	assert_string_equal(xt_rule_name(step.rule), xt_rule_name(rule));
}

static void test_order(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	step_is(b, node(b, 1, 1, 1), node(b, 3, 0, 2), XT_XP, XT_RULE_ORDER);
	step_is(b, node(b, 3, 1, 1), node(b, 3, 0, 2), XT_YM, XT_RULE_ORDER);
	step_is(b, node(b, 3, 0, 1), node(b, 3, 0, 2), XT_ZP, XT_RULE_ORDER);
	step_is(b, node(b, 0, 0, 0), node(b, 4, 0, 0), XT_XM, XT_RULE_ORDER);
	finish(b);
}

/* If both directions need 3 hops, even coordinates use plus and odd ones minus. */
static void test_ties(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	step_is(b, node(b, 0, 0, 0), node(b, 3, 0, 0), XT_XP, XT_RULE_ORDER);
	step_is(b, node(b, 1, 0, 0), node(b, 4, 0, 0), XT_XM, XT_RULE_ORDER);
	finish(b);
}

static void test_mesh_has_one_way(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, MESH_X);

	step_is(b, node(b, 0, 0, 0), node(b, 5, 0, 0), XT_XP, XT_RULE_ORDER);
	finish(b);
}

/* If a region is only a part of the ring in x, its local packets do not leave the region. */
static void test_region_is_not_left(void **state)
{
	const uint32_t dims[XT_DIMS] = { 8, 2, 3 }, lines[XT_DIMS] = { 7, 1, 2 };
	const struct xt_dest goal = { .dest = 0 };
	struct xt_route route;
	struct xt_map *map;

	assert_int_equal(xt_map_new(&map, dims, 0, 5), 0);
	assert_int_equal(xt_route_init(&route, map, XT_POLICY_V3, true, lines), 0);
	assert_int_equal(xt_rule_step(&route, &goal, xt_node(map, 4, 0, 0), NULL).port, XT_XM);
	xt_route_free(&route);
	xt_map_free(map);
}

static void test_x_detour_y(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	cable(b, node(b, 1, 1, 1), XT_XP, XT_BROKEN);
	step_is(b, node(b, 1, 1, 1), node(b, 3, 1, 1), XT_YP, XT_RULE_X_DETOUR_Y);
	step_is(b, node(b, 2, 1, 1), node(b, 0, 1, 1), XT_YP, XT_RULE_X_DETOUR_Y);
	step_is(b, node(b, 1, 2, 1), node(b, 3, 1, 1), XT_XP, XT_RULE_ORDER);
	finish(b);
}

/* X is broken, and Y+ is broken or crosses its dateline: packets detour by Z+. */
static void test_x_detour_z(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	cable(b, node(b, 1, 1, 1), XT_XP, XT_BROKEN);
	cable(b, node(b, 1, 1, 1), XT_YP, XT_BROKEN);
	step_is(b, node(b, 1, 1, 1), node(b, 3, 1, 1), XT_ZP, XT_RULE_X_DETOUR_Z);
	cable(b, node(b, 1, 5, 1), XT_XP, XT_BROKEN);
	step_is(b, node(b, 1, 5, 1), node(b, 3, 5, 1), XT_ZP, XT_RULE_X_DETOUR_Z);
	cable(b, node(b, 1, 5, 5), XT_XP, XT_BROKEN);
	step_is(b, node(b, 1, 5, 5), node(b, 3, 5, 5), XT_NO_PORT, XT_RULE_X_DETOUR_Z);
	finish(b);
}

static void test_x_detour_absent(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	cable(b, node(b, 1, 1, 1), XT_XP, XT_ABSENT);
	step_is(b, node(b, 1, 1, 1), node(b, 3, 1, 1), XT_YP, XT_RULE_X_DETOUR_Y);
	finish(b);
}

/*
 * The rule applies at y_max of a mesh, where Z+ crosses its dateline. There is no dodge if the row
 * below has a broken x cable too.
 */
static void test_dodge(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, MESH_Y);

	cable(b, node(b, 1, 5, 5), XT_XP, XT_BROKEN);
	step_is(b, node(b, 1, 5, 5), node(b, 3, 5, 5), XT_YM, XT_RULE_DODGE);
	cable(b, node(b, 3, 4, 5), XT_XP, XT_BROKEN);
	step_is(b, node(b, 1, 5, 5), node(b, 3, 5, 5), XT_NO_PORT, XT_RULE_X_DETOUR_Z);
	finish(b);
}

static void test_early_detour(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	cable(b, node(b, 2, 1, 1), XT_YP, XT_BROKEN);
	step_is(b, node(b, 1, 1, 1), node(b, 3, 1, 2), XT_XP, XT_RULE_ORDER);
	cable(b, node(b, 2, 1, 1), XT_ZP, XT_BROKEN);
	step_is(b, node(b, 1, 1, 1), node(b, 3, 1, 2), XT_ZP, XT_RULE_EARLY);
	step_is(b, node(b, 1, 1, 1), node(b, 2, 1, 1), XT_XP, XT_RULE_ORDER);
	/* y still differs, so packets leave the node at the other end by other outputs */
	step_is(b, node(b, 1, 1, 1), node(b, 3, 2, 2), XT_XP, XT_RULE_ORDER);
	finish(b);
}

/* If the x link leads into the destination's region, the early detour does not depend on y. */
static void test_early_detour_region(void **state)
{
	const uint32_t dims[XT_DIMS] = { 6, 6, 6 }, lines[XT_DIMS] = { 5, 5, 5 };
	const struct xt_dest goal = { .dest = XT_NONE, .region = 1 };
	struct xt_route route;
	struct xt_map *map;

	assert_int_equal(xt_map_new(&map, dims, 0, 3), 0);
	assert_int_equal(xt_route_init(&route, map, XT_POLICY_V3, true, lines), 0);
	xt_map_set(map, xt_node(map, 3, 1, 1), XT_YP, XT_BROKEN);
	xt_map_set(map, xt_node(map, 3, 1, 1), XT_ZP, XT_BROKEN);
	xt_map_set(map, xt_node(map, 2, 3, 1), XT_YP, XT_BROKEN);
	xt_map_set(map, xt_node(map, 2, 3, 1), XT_ZP, XT_BROKEN);
	assert_int_equal(xt_rule_step(&route, &goal, xt_node(map, 2, 1, 1), NULL).rule,
			 XT_RULE_EARLY);
	assert_int_equal(xt_rule_step(&route, &goal, xt_node(map, 1, 3, 1), NULL).rule,
			 XT_RULE_ORDER);
	xt_route_free(&route);
	xt_map_free(map);
}

/* At the edges of a mesh both Y+ and Z+ are absent, so no broken cable requires a detour. */
static void test_early_detour_absent(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, MESH_Y);

	cable(b, node(b, 2, 5, 1), XT_ZP, XT_BROKEN);
	step_is(b, node(b, 1, 5, 1), node(b, 3, 5, 2), XT_ZP, XT_RULE_EARLY);
	cable(b, node(b, 2, 5, 1), XT_ZP, XT_ABSENT);
	step_is(b, node(b, 1, 5, 1), node(b, 3, 5, 2), XT_XP, XT_RULE_ORDER);
	finish(b);
}

static void test_y_detour_z(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	cable(b, node(b, 1, 1, 1), XT_YP, XT_BROKEN);
	step_is(b, node(b, 1, 1, 1), node(b, 1, 3, 1), XT_ZP, XT_RULE_Y_DETOUR_Z);
	cable(b, node(b, 1, 1, 5), XT_YP, XT_BROKEN);
	step_is(b, node(b, 1, 1, 5), node(b, 1, 3, 5), XT_NO_PORT, XT_RULE_Y_DETOUR_Z);
	finish(b);
}

static void test_look_ahead(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	cable(b, node(b, 1, 2, 1), XT_ZP, XT_BROKEN);
	step_is(b, node(b, 1, 1, 1), node(b, 1, 2, 3), XT_ZP, XT_RULE_LOOK_AHEAD);
	step_is(b, node(b, 1, 3, 1), node(b, 1, 2, 3), XT_ZP, XT_RULE_LOOK_AHEAD);
	step_is(b, node(b, 1, 1, 1), node(b, 1, 3, 3), XT_YP, XT_RULE_ORDER);
	step_is(b, node(b, 1, 1, 1), node(b, 1, 2, 0), XT_YP, XT_RULE_ORDER);
	finish(b);
}

static void test_look_ahead_absent(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	cable(b, node(b, 1, 2, 1), XT_ZP, XT_ABSENT);
	step_is(b, node(b, 1, 1, 1), node(b, 1, 2, 3), XT_YP, XT_RULE_ORDER);
	finish(b);
}

static void test_z_detour_y(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	cable(b, node(b, 1, 2, 1), XT_ZP, XT_BROKEN);
	step_is(b, node(b, 1, 2, 1), node(b, 1, 2, 3), XT_YP, XT_RULE_Z_DETOUR_Y);
	finish(b);
}

static void test_z_detour_y_minus(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, MESH_Y);

	cable(b, node(b, 1, 5, 1), XT_ZP, XT_BROKEN);
	step_is(b, node(b, 1, 5, 1), node(b, 1, 5, 3), XT_YM, XT_RULE_Z_DETOUR_YM);
	finish(b);
}

/* If any cable of the way by Z- is broken, packets move by Z+, the other way around the ring. */
static void test_long_way(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);

	cable(b, node(b, 1, 2, 1), XT_ZP, XT_BROKEN);
	step_is(b, node(b, 1, 2, 3), node(b, 1, 2, 1), XT_ZP, XT_RULE_LONG_WAY);
	step_is(b, node(b, 1, 2, 4), node(b, 1, 2, 2), XT_ZM, XT_RULE_ORDER);
	finish(b);
	b = bench(6, 6, 6, MESH_Z);
	cable(b, node(b, 1, 2, 1), XT_ZP, XT_BROKEN);
	step_is(b, node(b, 1, 2, 3), node(b, 1, 2, 1), XT_NO_PORT, XT_RULE_LONG_WAY);
	finish(b);
}

/* Three phases of moves (2.2.1): X, Y+, Z+; then Y, Z+; then Z. */
static void test_phases(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);
	uint32_t at = node(b, 1, 1, 1);

	assert_int_equal(xt_turn_allowed(&b->route, at, XT_YP, 0, XT_XP), XT_RULE_ARRIVED);
	assert_int_equal(xt_turn_allowed(&b->route, at, XT_ZP, 0, XT_XP), XT_RULE_ARRIVED);
	assert_int_equal(xt_turn_allowed(&b->route, at, XT_YM, 0, XT_XP), XT_RULE_PHASES);
	assert_int_equal(xt_turn_allowed(&b->route, at, XT_YM, 1, XT_YM), XT_RULE_ARRIVED);
	assert_int_equal(xt_turn_allowed(&b->route, at, XT_ZP, 1, XT_YM), XT_RULE_ARRIVED);
	finish(b);
}

static void test_phase_three(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);
	uint32_t at = node(b, 1, 1, 1);

	assert_int_equal(xt_turn_allowed(&b->route, at, XT_ZM, 0, XT_XP), XT_RULE_PHASES);
	assert_int_equal(xt_turn_allowed(&b->route, at, XT_ZM, 1, XT_YP), XT_RULE_PHASES);
	assert_int_equal(xt_turn_allowed(&b->route, at, XT_ZM, 2, XT_ZM), XT_RULE_ARRIVED);
	finish(b);
}

/* "Once a dateline is crossed .. routing in a higher dimension is not permitted" */
static void test_behind_dateline_y(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);
	uint32_t at = node(b, 1, 5, 1);

	assert_int_equal(xt_turn_allowed(&b->route, at, XT_YP, 0, XT_XP), XT_RULE_DATELINE);
	assert_int_equal(xt_turn_allowed(&b->route, at, XT_YP, 1, XT_ZP), XT_RULE_ARRIVED);
	finish(b);
}

static void test_behind_dateline_z(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, 0);
	uint32_t at = node(b, 1, 1, 5);

	assert_int_equal(xt_turn_allowed(&b->route, at, XT_ZP, 1, XT_YP), XT_RULE_DATELINE);
	assert_int_equal(xt_turn_allowed(&b->route, at, XT_ZP, 2, XT_ZP), XT_RULE_ARRIVED);
	finish(b);
}

/* Packets that still need x may not detour up into a row whose packets dodge. */
static void test_dodge_closes_detour(void **state)
{
	struct rules_bench *b = bench(6, 6, 6, MESH_Y);

	cable(b, node(b, 1, 5, 2), XT_XP, XT_BROKEN);
	assert_int_equal(xt_turn_allowed(&b->route, node(b, 0, 4, 2), XT_YP, 0, XT_XP),
			 XT_RULE_PHASES);
	assert_int_equal(xt_turn_allowed(&b->route, node(b, 1, 5, 2), XT_YM, 0, XT_XP),
			 XT_RULE_ARRIVED);
	assert_int_equal(xt_turn_allowed(&b->route, node(b, 1, 5, 2), XT_YM, 0, XT_YM),
			 XT_RULE_PHASES);
	assert_int_equal(xt_turn_allowed(&b->route, node(b, 0, 4, 1), XT_YP, 0, XT_XP),
			 XT_RULE_ARRIVED);
	finish(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_mesh_has_one_way),
		cmocka_unit_test(test_region_is_not_left),
		cmocka_unit_test(test_x_detour_y),
		cmocka_unit_test(test_x_detour_z),
		cmocka_unit_test(test_x_detour_absent),
		cmocka_unit_test(test_dodge),
		cmocka_unit_test(test_early_detour),
		cmocka_unit_test(test_early_detour_region),
		cmocka_unit_test(test_early_detour_absent),
		cmocka_unit_test(test_y_detour_z),
		cmocka_unit_test(test_look_ahead),
		cmocka_unit_test(test_look_ahead_absent),
		cmocka_unit_test(test_z_detour_y),
		cmocka_unit_test(test_z_detour_y_minus),
		cmocka_unit_test(test_long_way),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_phase_three),
		cmocka_unit_test(test_behind_dateline_y),
		cmocka_unit_test(test_behind_dateline_z),
		cmocka_unit_test(test_dodge_closes_detour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
