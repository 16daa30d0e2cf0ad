// SPDX-License-Identifier: GPL-2.0
/*
 * Test NIDs, pages and rows, xt_explain(), comparisons and surveys of tables, and that the check of
 * tables finds planted errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../xt/explain.h"
#include "../xt/build_tables.h"
#include "../xt/whatif.h"
#include "core/tests/says.h"
#include "../xt/survey.h"

struct table_bench {
	struct xt_map *map;
	struct xt_route route;
	struct xt_tables *tables;
	struct xt_made made;
	struct xt_check check;
};

static struct table_bench *bench(uint32_t x, uint32_t y, uint32_t z, uint32_t planes)
{
	static struct table_bench bench;
	const uint32_t dims[XT_DIMS] = { x, y, z }, lines[XT_DIMS] = { x - 1, y - 1, z - 1 };

	assert_int_equal(xt_map_new(&bench.map, dims, 0, planes), 0);
	assert_int_equal(xt_route_init(&bench.route, bench.map, XT_POLICY_V3, true, lines), 0);
	assert_int_equal(xt_tables_make(&bench.route, &bench.tables, &bench.made), 0);
	assert_int_equal(xt_check_init(&bench.check, bench.map), 0);
	return &bench;
}

static void finish(struct table_bench *b)
{
	xt_check_free(&b->check);
	xt_tables_free(b->tables);
	xt_route_free(&b->route);
	xt_map_free(b->map);
}

/* Overwrite the entry of one input of a node with a wrong entry. */
static void plant(struct table_bench *b, uint32_t node, uint32_t in, uint32_t dest, uint8_t entry)
{
	struct xt_tables *tables = b->tables;
	uint32_t *input = &tables->inputs[node * XT_PORTS + in], *row;
	uint32_t local = xt_nid(b->map, dest) & (XT_REGION_NODES - 1);
	uint8_t page[XT_PAGE];

	assert_int_equal(xt_region(b->map, node), xt_region(b->map, dest));
	row = malloc(tables->width * sizeof(*row));
	assert_non_null(row);
	memcpy(row, xt_row(tables, *input), tables->width * sizeof(*row));
	memcpy(page, xt_page(tables, row[local / XT_PAGE]), XT_PAGE);
	page[local % XT_PAGE] = entry;
	row[local / XT_PAGE] = xt_tables_page(tables, page);
	*input = xt_tables_row(tables, row);
	free(row);
}

static uint64_t found(struct table_bench *b, enum xt_end end)
{
	xt_check_run(&b->check, b->tables);
	return b->check.ends[end];
}

static void test_nids(void **state)
{
	struct table_bench *b = bench(7, 4, 3, 3);
	uint32_t node;

	assert_int_equal(b->map->regions, 3);
	assert_int_equal(xt_nid(b->map, xt_node(b->map, 0, 1, 2)), 5);
	assert_int_equal(xt_nid(b->map, xt_node(b->map, 3, 0, 0)), 4096);
	assert_int_equal(xt_nid(b->map, xt_node(b->map, 6, 3, 2)), 8192 + 11);
	for (node = 0; node < b->map->nodes; node++)
		assert_int_equal(xt_map_find(b->map, xt_nid(b->map, node)), node);
	/* no node has a NID in the gap after a region; the last region has one plane */
	assert_int_equal(xt_map_find(b->map, 36), XT_NONE);
	assert_int_equal(xt_map_find(b->map, 8192 + 12), XT_NONE);
	assert_int_equal(xt_map_find(b->map, 3 * 4096), XT_NONE);
	finish(b);
}

static void test_refusals(void **state)
{
	const uint32_t plane[XT_DIMS] = { 2, 65, 64 }, many[XT_DIMS] = { 9, 64, 64 };
	const uint32_t eight[XT_DIMS] = { 8, 64, 64 }, small[XT_DIMS] = { 9, 4, 4 };

	assert_says(xt_map_refusal(plane, 0), "plane region 4096");
	assert_says(xt_map_refusal(many, 0), "8 region");
	assert_says(xt_map_refusal(eight, 2), "region 4096");
	assert_says(xt_map_refusal(small, 10), "region plane machine");
	assert_says(xt_map_refusal(small, 1), "8 region");
	assert_null(xt_map_refusal(eight, 0));
	assert_null(xt_map_refusal(small, 2));
}

static void test_pages_once(void **state)
{
	struct table_bench *b = bench(4, 4, 4, 0);
	uint32_t count = b->tables->pages.count, rows = b->tables->rows.count, node, in;

	assert_int_equal(xt_tables_page(b->tables, xt_page(b->tables, 3)), 3);
	assert_int_equal(b->tables->pages.count, count);
	assert_int_equal(xt_tables_row(b->tables, xt_row(b->tables, 5)), 5);
	assert_int_equal(b->tables->rows.count, rows);
	/* all seven inputs of a node share a row */
	for (node = 0; node < b->map->nodes; node++)
		for (in = 1; in < XT_PORTS; in++)
			assert_int_equal(b->tables->inputs[node * XT_PORTS + in],
					 b->tables->inputs[node * XT_PORTS]);
	finish(b);
}

static void test_clean(void **state)
{
	struct table_bench *b = bench(5, 4, 3, 0);

	assert_int_equal(found(b, XT_END_REACHED), 60 * 59);
	assert_true(xt_check_clean(&b->check));
	/*
	 * hops in the rings of length 5, 4 and 3, summed over the destinations of each of 60
	 * sources
	 */
	assert_int_equal(b->check.hops, 60 * (12 * 6 + 15 * 4 + 20 * 2));
	finish(b);
}

static void test_finds_missing(void **state)
{
	struct table_bench *b = bench(5, 4, 3, 0);
	uint32_t dest = xt_node(b->map, 2, 0, 0);

	plant(b, xt_node(b->map, 1, 0, 0), XT_XM, dest, XT_MISSING);
	assert_int_equal(found(b, XT_END_MISSING), 1);
	assert_int_equal(b->check.failures[0].src, xt_node(b->map, 0, 0, 0));
	assert_int_equal(b->check.failures[0].dst, dest);
	assert_int_equal(b->check.failures[0].end, XT_END_MISSING);
	assert_false(xt_check_clean(&b->check));
	finish(b);
}

static void test_finds_turn_back(void **state)
{
	struct table_bench *b = bench(5, 4, 3, 0);

	plant(b, xt_node(b->map, 1, 0, 0), XT_XM, xt_node(b->map, 2, 0, 0),
	      XT_ENTRY(XT_XM, 0));
	assert_int_equal(found(b, XT_END_TURN_BACK), 1);
	finish(b);
}

static void test_finds_dateline_error(void **state)
{
	struct table_bench *b = bench(5, 4, 3, 0);

	plant(b, xt_node(b->map, 3, 0, 0), XT_PROCESSOR, xt_node(b->map, 0, 0, 0),
	      XT_ENTRY(XT_XP, 1));
	assert_int_equal(found(b, XT_END_DATELINE), 1);
	finish(b);
}

static void test_finds_dead_cable(void **state)
{
	struct table_bench *b = bench(5, 4, 3, 0);

	xt_map_set(b->map, xt_node(b->map, 0, 0, 0), XT_ZP, XT_BROKEN);
	assert_true(found(b, XT_END_CABLE) > 0);
	finish(b);
}

static void test_finds_wrong_node(void **state)
{
	struct table_bench *b = bench(5, 4, 3, 0);

	plant(b, xt_node(b->map, 1, 0, 0), XT_XM, xt_node(b->map, 2, 0, 0),
	      XT_ENTRY(XT_PROCESSOR, 0));
	assert_int_equal(found(b, XT_END_STRANGER), 1);
	finish(b);
}

/* Test that the check finds packets that move in a loop within a plane. */
static void test_finds_loop(void **state)
{
	struct table_bench *b = bench(5, 4, 3, 0);
	uint32_t dest = xt_node(b->map, 3, 0, 0);

	plant(b, xt_node(b->map, 0, 0, 0), XT_PROCESSOR, dest, XT_ENTRY(XT_XP, 0));
	plant(b, xt_node(b->map, 1, 0, 0), XT_XM, dest, XT_ENTRY(XT_YP, 0));
	plant(b, xt_node(b->map, 1, 1, 0), XT_YM, dest, XT_ENTRY(XT_XM, 0));
	plant(b, xt_node(b->map, 0, 1, 0), XT_XP, dest, XT_ENTRY(XT_YM, 0));
	plant(b, xt_node(b->map, 0, 0, 0), XT_YP, dest, XT_ENTRY(XT_XP, 0));
	assert_true(found(b, XT_END_LOOP) > 0);
	finish(b);
}

/* Without datelines in x there are cycles. Each channel of a cycle waits for the next channel. */
static void test_finds_cycle(void **state)
{
	struct table_bench *b = bench(8, 2, 2, 0);
	uint32_t i, circle;

	b->tables->dateline[0] = XT_NONE;
	xt_check_run(&b->check, b->tables);
	/* there are four rings in x, with one cycle in each direction */
	assert_int_equal(b->check.cycles, 8);
	for (circle = 0; circle < 8; circle++)
		for (i = 0; i < 8; i++) {
			const struct xt_channel *path = &b->check.path[8 * circle];
			const struct xt_channel *at = &path[i], *next = &path[(i + 1) % 8];

			assert_int_equal(b->check.path_ends[circle], 8 * circle + 8);
			assert_int_equal(b->map->next[at->node][at->dir], next->node);
			assert_int_equal(at->dir, next->dir);
		}
	finish(b);
}

/* The sum of the loads of all links equals the number of all hops. */
static void test_load(void **state)
{
	struct table_bench *b = bench(5, 4, 3, 0);
	uint64_t sum = 0;
	uint32_t node, dir;

	xt_check_run(&b->check, b->tables);
	for (node = 0; node < b->map->nodes; node++)
		for (dir = 0; dir < XT_DIRS; dir++)
			sum += b->check.load[node][dir][0] + b->check.load[node][dir][1];
	assert_int_equal(sum, b->check.hops);
	/* after the dateline node all packets are on VC 1 */
	assert_int_equal(b->check.load[xt_node(b->map, 4, 0, 0)][XT_XP][0], 0);
	finish(b);
}

static void test_explain(void **state)
{
	struct table_bench *b = bench(6, 6, 6, 0);
	uint32_t from = xt_node(b->map, 1, 1, 1), to = xt_node(b->map, 2, 1, 3), count;
	struct xt_hop *hops = calloc(b->map->nodes * XT_PORTS + 2, sizeof(*hops));
	struct xt_next_hops plan;

	assert_int_equal(xt_next_hops_init(&plan, b->map), 0);
	xt_map_set(b->map, from, XT_XP, XT_BROKEN);
	xt_route_settle(&b->route);
	xt_tables_free(b->tables);
	assert_int_equal(xt_tables_make(&b->route, &b->tables, &b->made), 0);
	assert_int_equal(xt_explain(b->tables, &b->route, &plan, from, to, hops, &count),
			 XT_END_REACHED);
	assert_int_equal(count, 5);
	assert_int_equal(hops[0].port, XT_YP);
	assert_int_equal(hops[0].rule, XT_RULE_X_DETOUR_Y);
	assert_int_equal(hops[0].avoids.node, from);
	assert_int_equal(hops[0].avoids.dir, XT_XP);
	assert_int_equal(hops[1].port, XT_XP);
	assert_int_equal(hops[1].avoids.node, XT_NONE);
	assert_int_equal(hops[2].port, XT_YM);
	free(hops);
	xt_next_hops_free(&plan);
	finish(b);
}

static void test_whatif(void **state)
{
	struct table_bench *b = bench(5, 4, 3, 0);
	struct xt_whatif whatif;
	struct xt_tables *after;

	assert_int_equal(xt_whatif_run(&whatif, b->tables, b->tables), 0);
	assert_int_equal(whatif.pairs, 60 * 59);
	assert_int_equal(whatif.longer + whatif.moved + whatif.lost + whatif.gained, 0);
	assert_int_equal(whatif.packets[0], whatif.packets[1]);
	xt_map_set(b->map, xt_node(b->map, 0, 0, 1), XT_XP, XT_BROKEN);
	xt_route_settle(&b->route);
	assert_int_equal(xt_tables_make(&b->route, &after, &b->made), 0);
	xt_map_set(b->map, xt_node(b->map, 0, 0, 1), XT_XP, XT_LIVE);
	assert_int_equal(xt_whatif_run(&whatif, b->tables, after), 0);
	/*
	 * pairs whose moves in x used the cable now use other links; later moves in y and z are the
	 * same
	 */
	assert_int_equal(whatif.lost, 0);
	assert_int_equal(whatif.moved, 72);
	assert_true(whatif.longer > 0 && whatif.longer < whatif.moved);
	assert_true(whatif.packets[1] > whatif.packets[0]);
	xt_tables_free(after);
	finish(b);
}

static void test_survey(void **state)
{
	struct table_bench *b = bench(4, 4, 3, 0);
	struct xt_survey survey = { .route = &b->route, .automatic = true, .cables = 1 };

	assert_int_equal(xt_survey_run(&survey), 0);
	assert_int_equal(survey.sets, 3 * 48);
	assert_int_equal(survey.clean, survey.sets);
	assert_int_equal(survey.pairs, 3ull * 48 * 48 * 47);
	assert_int_equal(b->map->out, 0);
	survey = (struct xt_survey){ .route = &b->route, .automatic = true, .cables = 2,
				     .samples = 5, .seed = 3 };
	assert_int_equal(xt_survey_run(&survey), 0);
	assert_int_equal(survey.sets, 5);
	survey = (struct xt_survey){ .route = &b->route, .cables = 17 };
	assert_int_not_equal(xt_survey_run(&survey), 0);
	xt_survey_free(&survey);
	finish(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nids),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_pages_once),
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_finds_missing),
		cmocka_unit_test(test_finds_turn_back),
		cmocka_unit_test(test_finds_dateline_error),
		cmocka_unit_test(test_finds_dead_cable),
		cmocka_unit_test(test_finds_wrong_node),
		cmocka_unit_test(test_finds_loop),
		cmocka_unit_test(test_finds_cycle),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_explain),
		cmocka_unit_test(test_whatif),
		cmocka_unit_test(test_survey),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
