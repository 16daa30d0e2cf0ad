// SPDX-License-Identifier: GPL-2.0
/*
 * Test that no packet is trapped and that no packets wait for each other in a cycle. The rule,
 * the dependency check and the enumeration of all states must agree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "../adaptive_check.h"
#include "../coverage.h"
#include "exact.h"

static struct torus_route_map *machine(uint32_t x, uint32_t y, uint32_t z, uint32_t mesh)
{
	const uint32_t dims[DIMS] = { x, y, z };
	struct torus_route_map *map;

	assert_int_equal(torus_route_map_new(&map, dims, DIMS, mesh), 0);
	return map;
}

static uint32_t number(const struct torus_route_map *map, uint32_t x, uint32_t y, uint32_t z)
{
	const uint32_t at[DIMS] = { x, y, z };

	return route_number(map, at);
}

static bool leg_add(struct exact *exact, uint32_t from, uint32_t to,
		    const struct torus_route_leg *leg)
{
	bool right = true;

	if (leg->deterministic)
		right = exact_add(exact, from, to, leg->hints, false);
	if (right && leg->dynamic)
		right = exact_add(exact, from, to, leg->hints, true);
	return right;
}

/* Check the route of each pair of a map, and check that all routes together cannot deadlock. */
static void look_at(struct torus_route_map *map, bool blocked_allowed)
{
	struct route_counts counts = { .from = TORUS_ROUTE_NONE }, again = counts;
	struct exact *exact = exact_new(map);
	struct route_cdg depend;
	uint32_t from, to;

	assert_int_equal(route_cdg_init(&depend, map), 0);
	for (from = 0; from < map->nodes; from++)
		for (to = 0; to < map->nodes; to++) {
			struct torus_route_choice c;

			if (from == to || !torus_route_node_alive(map, from) ||
			    !torus_route_node_alive(map, to))
				continue;
			counts.pairs++;
			torus_route_choose(map, from, to, 0, NULL, &c);
			counts.path += c.kind == TORUS_ROUTE_PATH;
			counts.adaptive += c.kind == TORUS_ROUTE_ADAPTIVE;
			counts.relay += c.kind == TORUS_ROUTE_RELAY;
			counts.blocked += c.kind == TORUS_ROUTE_BLOCKED;
			if (c.kind == TORUS_ROUTE_RELAY) {
				assert_true(leg_add(exact, from, c.relay, &c.leg[0]));
				assert_true(leg_add(exact, c.relay, to, &c.leg[1]));
			} else if (c.kind) {
				assert_true(leg_add(exact, from, to, &c.leg[0]));
			} else {
				assert_true(blocked_allowed);
			}
		}
	assert_int_equal(exact_deadlocked(exact), 0);
	/* route_count_pairs() must count the same numbers */
	route_count_pairs(map, &depend, &again);
	assert_int_equal(again.pairs, counts.pairs);
	assert_int_equal(again.path, counts.path);
	assert_int_equal(again.adaptive, counts.adaptive);
	assert_int_equal(again.relay, counts.relay);
	assert_int_equal(again.blocked, counts.blocked);
	assert_int_equal(again.circles, 0);
	route_cdg_free(&depend);
	exact_free(exact);
}

static uint32_t random_below(uint32_t n)
{
	static uint64_t state = 7;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)((state >> 33) % n);
}

/*
 * Check that routes are safe with random dead nodes and links, also with several dead nodes on one
 * line.
 */
static void any_faults(uint32_t x, uint32_t y, uint32_t z, uint32_t mesh, uint32_t sets)
{
	struct torus_route_map *map = machine(x, y, z, mesh);
	uint32_t i, j;

	look_at(map, false);
	for (i = 0; i < sets; i++) {
		uint32_t nodes = random_below(5), links = random_below(4);

		for (j = 0; j < nodes; j++)
			torus_route_kill_node(map, random_below(map->nodes));
		for (j = 0; j < links; j++)
			torus_route_kill_link(map, random_below(map->nodes), random_below(DIRS));
		look_at(map, true);
		torus_route_revive(map);
	}
	torus_route_map_free(map);
}

static void test_any_faults_torus(void **state)
{
	any_faults(4, 4, 4, 0, 6);
	any_faults(3, 4, 3, 0, 12);
	any_faults(5, 3, 2, 0, 20);
}

static void test_any_faults_small(void **state)
{
	any_faults(2, 2, 2, 0, 60);
	any_faults(3, 3, 1, 0, 60);
	any_faults(6, 1, 1, 0, 60);
	any_faults(1, 4, 3, 0, 60);
}

static void test_any_faults_mesh(void **state)
{
	any_faults(3, 4, 3, 7, 12);
	any_faults(4, 3, 3, 2, 12);
	any_faults(3, 3, 3, 5, 12);
}

/*
 * Test two neighbouring planes with dead nodes: packets wait upwards in one plane and downwards in
 * the other, a cycle.
 */
static void test_circle_is_found(void **state)
{
	struct torus_route_map *map = machine(4, 4, 4, 0);
	uint32_t below = number(map, 1, 0, 0), above = number(map, 2, 2, 1);
	struct route_cdg depend;
	struct route_link left;

	assert_int_equal(torus_route_kill_node(map, number(map, 1, 1, 0)), 0);
	assert_int_equal(torus_route_kill_node(map, number(map, 2, 3, 1)), 0);
	assert_int_equal(route_cdg_init(&depend, map), 0);
	assert_true(route_cdg_acyclic(&depend, NULL));
	route_cdg_wait(&depend, below, 1, 1u << 4);
	assert_true(route_cdg_acyclic(&depend, NULL));
	route_cdg_wait(&depend, above, 1, 1u << 5);
	assert_false(route_cdg_acyclic(&depend, &left));
	assert_true(left.node == below || left.node == above);
	route_cdg_clear(&depend);
	/* in both planes packets wait upwards: there is an order of the planes, and no cycle */
	route_cdg_wait(&depend, below, 1, 1u << 4);
	route_cdg_wait(&depend, above, 1, 1u << 4);
	assert_true(route_cdg_acyclic(&depend, NULL));
	route_cdg_free(&depend);
	torus_route_map_free(map);
}

/*
 * Test the same faults with real packets: the waits that the rule forbids could cause a deadlock.
 */
static void test_forbidden_choice_deadlocks(void **state)
{
	struct torus_route_map *map = machine(4, 4, 4, 0);
	struct exact *exact = exact_new(map);
	struct route_path ways[ROUTE_PATHS_MAX];
	uint32_t i, n, refused = 0, from, to;

	assert_int_equal(torus_route_kill_node(map, number(map, 1, 1, 0)), 0);
	assert_int_equal(torus_route_kill_node(map, number(map, 2, 3, 1)), 0);
	/* add all dynamic packets that cannot be trapped, including those that the rule rejects */
	for (from = 0; from < map->nodes; from++)
		for (to = 0; to < map->nodes; to++) {
			if (!torus_route_node_alive(map, from) || !torus_route_node_alive(map, to))
				continue;
			n = route_path_list(map, from, to, ways);
			for (i = 0; i < n; i++) {
				enum route_fate fate = route_dynamic(map, &ways[i], NULL);

				if (fate != ROUTE_TRAPPED &&
				    exact_add(exact, from, to, ways[i].hints, true))
					refused += fate == ROUTE_NO_WAIT;
			}
		}
	assert_true(refused);
	assert_true(exact_deadlocked(exact));
	/* add only the packets that the rule allows */
	exact_clear(exact);
	for (from = 0; from < map->nodes; from++)
		for (to = 0; to < map->nodes; to++) {
			if (!torus_route_node_alive(map, from) || !torus_route_node_alive(map, to))
				continue;
			n = route_path_list(map, from, to, ways);
			for (i = 0; i < n; i++)
				if (route_dynamic(map, &ways[i], NULL) == ROUTE_SAFE)
					exact_add(exact, from, to, ways[i].hints, true);
		}
	assert_int_equal(exact_deadlocked(exact), 0);
	exact_free(exact);
	torus_route_map_free(map);
}

/* Compare route_dynamic() and route_path_clear() with an enumeration of all states. */
static void test_traps_are_traps(void **state)
{
	struct torus_route_map *map = machine(4, 3, 3, 0);
	struct exact *exact = exact_new(map);
	struct route_path ways[ROUTE_PATHS_MAX];
	uint32_t set, from, to, i, n, trapped = 0, safe = 0;

	for (set = 0; set < 30; set++) {
		for (i = 0; i < 4; i++)
			torus_route_kill_node(map, random_below(map->nodes));
		for (i = 0; i < 3; i++)
			torus_route_kill_link(map, random_below(map->nodes), random_below(DIRS));
		for (from = 0; from < map->nodes; from++)
			for (to = 0; to < map->nodes; to++) {
				if (!torus_route_node_alive(map, from) ||
				    !torus_route_node_alive(map, to))
					continue;
				n = route_path_list(map, from, to, ways);
				for (i = 0; i < n; i++) {
					enum route_fate fate = route_dynamic(map, &ways[i], NULL);
					bool arrives = exact_add(exact, from, to, ways[i].hints,
								 true);

					if (fate == ROUTE_SAFE)
						assert_true(arrives);
					if (fate == ROUTE_TRAPPED)
						assert_false(arrives);
					trapped += fate == ROUTE_TRAPPED;
					safe += fate == ROUTE_SAFE;
					assert_int_equal(route_path_clear(map, &ways[i], NULL),
							 exact_add(exact, from, to, ways[i].hints,
								   false));
				}
				exact_clear(exact);
			}
		torus_route_revive(map);
	}
	assert_true(trapped && safe);
	exact_free(exact);
	torus_route_map_free(map);
}

/* "Full connectivity can be maintained when there are up to three noncolinear faulty nodes." */
static void test_three_noncolinear(void **state)
{
	struct torus_route_map *map = machine(3, 3, 3, 0);
	struct route_survey survey = { .map = map, .faults = 3 };

	assert_int_equal(route_survey_run(&survey), 0);
	assert_int_equal(survey.counts.blocked, 0);
	assert_int_equal(survey.counts.circles, 0);
	assert_int_equal(survey.counts.pairs, survey.counts.path + survey.counts.adaptive +
					      survey.counts.relay);
	assert_int_equal(survey.counts.pairs, survey.counts.sets * 24 * 23);
	torus_route_map_free(map);
}

/* Test that only one of several sets that are translations of each other is surveyed. */
static void test_translation(void **state)
{
	struct torus_route_map *map = machine(4, 4, 1, 0);
	struct route_survey survey = { .map = map, .faults = 2, .colinear = true };
	uint32_t a, b, sets = 0;

	assert_int_equal(route_survey_run(&survey), 0);
	/* there are 15 pairs {0, b}; b and -b are equivalent, and for 3 values b equals -b */
	for (a = 0, b = 1; b < map->nodes; b++)
		sets += b != a;
	assert_int_equal(survey.counts.sets, (sets - 3) / 2 + 3);
	torus_route_map_free(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_faults_torus),
		cmocka_unit_test(test_any_faults_small),
		cmocka_unit_test(test_any_faults_mesh),
		cmocka_unit_test(test_circle_is_found),
		cmocka_unit_test(test_forbidden_choice_deadlocks),
		cmocka_unit_test(test_traps_are_traps),
		cmocka_unit_test(test_three_noncolinear),
		cmocka_unit_test(test_translation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
