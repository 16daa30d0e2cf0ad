// SPDX-License-Identifier: GPL-2.0
/* Test the choice of a route for single pairs of nodes around faults. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "../adaptive_check.h"
#include "../select.h"

#define XP	TORUS_BGL_HINT_XP
#define XM	TORUS_BGL_HINT_XM
#define YP	TORUS_BGL_HINT_YP
#define YM	TORUS_BGL_HINT_YM
#define ZP	TORUS_BGL_HINT_ZP

static struct torus_route_map *machine(uint32_t x, uint32_t y, uint32_t z, uint32_t mesh)
{
	const uint32_t dims[DIMS] = { x, y, z };
	struct torus_route_map *map;

	assert_int_equal(torus_route_map_new(&map, dims, DIMS, mesh), 0);
	return map;
}

static uint32_t node(const struct torus_route_map *map, uint32_t x, uint32_t y, uint32_t z)
{
	const uint32_t at[DIMS] = { x, y, z };

	return route_number(map, at);
}

static void kill_node(struct torus_route_map *map, uint32_t x, uint32_t y, uint32_t z)
{
	assert_int_equal(torus_route_kill_node(map, node(map, x, y, z)), 0);
}

static struct torus_route_choice choose(struct torus_route_map *map, uint32_t from, uint32_t to,
					uint32_t flags)
{
	struct torus_route_choice choice;

	torus_route_choose(map, from, to, flags, NULL, &choice);
	return choice;
}

/*
 * Without faults, the shortest way is chosen. If both directions are equally long, the choice
 * follows the machine's cutoffs.
 */
static void test_intact(void **state)
{
	struct torus_route_map *map = machine(4, 4, 4, 0);
	struct torus_route_choice c = choose(map, 0, node(map, 1, 3, 2), 0);

	assert_true(torus_route_intact(map));
	assert_int_equal(c.kind, TORUS_ROUTE_PATH);
	assert_int_equal(c.leg[0].hints, XP | YM | ZP);
	assert_int_equal(c.hops, 4);
	assert_true(c.leg[0].dynamic && c.leg[0].deterministic);
	assert_int_equal(c.relay, TORUS_ROUTE_NONE);
	c = choose(map, 1, 3, 0);
	assert_int_equal(c.leg[0].hints, XM);
	assert_false(torus_route_choose(map, 5, 5, 0, NULL, &c));
	torus_route_map_free(map);
}

/* If a node on the short way around a ring is dead, the longer way is chosen. */
static void test_longer_way(void **state)
{
	struct torus_route_map *map = machine(8, 1, 1, 0);
	struct torus_route_choice c;

	kill_node(map, 2, 0, 0);
	c = choose(map, 0, 3, 0);
	assert_int_equal(c.kind, TORUS_ROUTE_PATH);
	assert_int_equal(c.leg[0].hints, XM);
	assert_int_equal(c.hops, 5);
	assert_false(torus_route_choose(map, 0, 2, 0, NULL, &c));
	assert_int_equal(c.kind, TORUS_ROUTE_BLOCKED);
	torus_route_map_free(map);
}

/* If two clear paths are equally long, choose the path whose box has no dead node. */
static void test_clean_box_first(void **state)
{
	struct torus_route_map *map = machine(4, 4, 1, 0);
	struct torus_route_choice c;

	/* a dynamic packet that starts with y+ would need this node */
	kill_node(map, 0, 1, 0);
	c = choose(map, 0, node(map, 1, 2, 0), 0);
	assert_int_equal(c.kind, TORUS_ROUTE_PATH);
	assert_int_equal(c.leg[0].hints, XP | YM);
	assert_true(c.leg[0].dynamic);
	torus_route_map_free(map);
}

/* The path in dimension order turns at the dead corner, but dynamic packets have another path. */
static void test_dead_corner(void **state)
{
	struct torus_route_map *map = machine(4, 4, 4, 0);
	uint32_t from = node(map, 0, 0, 0), to = node(map, 0, 1, 1);
	struct torus_route_choice c;

	kill_node(map, 0, 1, 0);
	c = choose(map, from, to, 0);
	assert_int_equal(c.kind, TORUS_ROUTE_ADAPTIVE);
	assert_true(c.leg[0].dynamic);
	assert_false(c.leg[0].deterministic);
	assert_int_equal(c.leg[0].hints, YP | ZP);

	/* packets that must stay in order need a relay */
	c = choose(map, from, to, TORUS_ROUTE_IN_ORDER);
	assert_int_equal(c.kind, TORUS_ROUTE_RELAY);
	assert_int_equal(c.relay, node(map, 0, 0, 1));
	assert_int_equal(c.leg[0].hints, ZP);
	assert_int_equal(c.leg[1].hints, YP);
	assert_int_equal(c.hops, 2);
	assert_true(c.leg[0].deterministic && c.leg[1].deterministic);
	c = choose(map, from, to, TORUS_ROUTE_IN_ORDER | TORUS_ROUTE_DIRECT);
	assert_int_equal(c.kind, TORUS_ROUTE_BLOCKED);
	torus_route_map_free(map);
}

static enum route_fate fate(struct torus_route_map *map, uint32_t from, uint32_t to, uint8_t hints,
			    struct route_link *dead)
{
	struct route_path ways[ROUTE_PATHS_MAX];
	unsigned int n = route_path_list(map, from, to, ways), i;

	for (i = 0; i < n; i++)
		if (ways[i].hints == hints)
			return route_dynamic(map, &ways[i], dead);
	fail_msg("hints %#x do not lead from %u to %u", hints, from, to);
	return ROUTE_SAFE;
}

/* A dynamic packet may enter a pocket from which no hint leads. */
static void test_trap(void **state)
{
	struct torus_route_map *map = machine(5, 5, 1, 0);
	uint32_t to = node(map, 2, 2, 0);
	struct route_link dead;

	kill_node(map, 2, 0, 0);
	kill_node(map, 1, 1, 0);
	assert_int_equal(fate(map, 0, to, XP | YP, &dead), ROUTE_TRAPPED);
	assert_int_equal(dead.node, node(map, 1, 0, 0));
	/*
	 * if the links that lead into the pocket are dead too, no packet can enter it and be
	 * trapped
	 */
	assert_int_equal(torus_route_kill_link(map, 0, 0), 0);
	assert_int_not_equal(fate(map, 0, to, XP | YP, NULL), ROUTE_TRAPPED);
	torus_route_map_free(map);
}

/*
 * On the last line of its path, a dynamic packet has no alternative direction and can be trapped.
 */
static void test_trap_on_last_line(void **state)
{
	struct torus_route_map *map = machine(6, 6, 1, 0);
	struct torus_route_choice c;

	kill_node(map, 2, 1, 0);
	assert_int_equal(fate(map, 0, node(map, 2, 2, 0), XP | YP, NULL), ROUTE_TRAPPED);
	c = choose(map, 0, node(map, 2, 2, 0), 0);
	assert_int_equal(c.kind, TORUS_ROUTE_PATH);
	assert_int_equal(c.leg[0].hints, XP | YM);
	torus_route_map_free(map);
}

/*
 * Hints are rejected if packets might wait for each other in a cycle, even if each packet alone
 * would arrive.
 */
static void test_no_wait(void **state)
{
	struct torus_route_map *map = machine(4, 4, 4, 0);

	/*
	 * planes 1 and 2 have stubs, so packets may not wait for a link down from plane 2 to plane
	 * 1
	 */
	kill_node(map, 1, 1, 1);
	kill_node(map, 2, 2, 2);
	assert_int_equal(fate(map, node(map, 2, 1, 2), node(map, 2, 2, 1), YP | 0x01, NULL),
			 ROUTE_NO_WAIT);
	assert_int_equal(fate(map, node(map, 2, 1, 2), node(map, 2, 2, 3), YP | ZP, NULL),
			 ROUTE_SAFE);
	torus_route_map_free(map);
}

/* In a dimension of length two, the plus link and the minus link lead to the same neighbour. */
static void test_length_two(void **state)
{
	struct torus_route_map *map = machine(2, 1, 1, 0);
	struct torus_route_choice c;

	assert_int_equal(route_neighbor(map, 0, 0), 1);
	assert_int_equal(route_neighbor(map, 0, 1), 1);
	assert_int_equal(choose(map, 0, 1, 0).leg[0].hints, XP);
	assert_int_equal(torus_route_kill_link(map, 0, 0), 0);
	c = choose(map, 0, 1, 0);
	assert_int_equal(c.kind, TORUS_ROUTE_PATH);
	assert_int_equal(c.leg[0].hints, XM);
	assert_int_equal(torus_route_kill_link(map, 0, 1), 0);
	assert_int_equal(choose(map, 0, 1, 0).kind, TORUS_ROUTE_BLOCKED);
	/* the links from node 1 back to node 0 are alive */
	assert_int_equal(choose(map, 1, 0, 0).kind, TORUS_ROUTE_PATH);
	torus_route_map_free(map);
}

static void test_length_one(void **state)
{
	struct torus_route_map *map = machine(1, 4, 1, 0);

	assert_int_equal(route_neighbor(map, 0, 0), TORUS_ROUTE_NONE);
	assert_int_equal(route_neighbor(map, 0, 4), TORUS_ROUTE_NONE);
	assert_int_equal(torus_route_kill_link(map, 0, 0), -ENOLINK);
	assert_int_equal(choose(map, 0, 1, 0).leg[0].hints, YP);
	kill_node(map, 0, 1, 0);
	assert_int_equal(choose(map, 0, 2, 0).leg[0].hints, YM);
	torus_route_map_free(map);
}

/* A mesh has one way in each dimension. */
static void test_mesh(void **state)
{
	struct torus_route_map *map = machine(4, 4, 1, 3);
	struct torus_route_fault fault[4];
	struct torus_route_choice c;

	assert_int_equal(route_neighbor(map, 3, 0), TORUS_ROUTE_NONE);
	assert_int_equal(choose(map, 0, 3, 0).leg[0].hints, XP);
	kill_node(map, 1, 0, 0);
	c = choose(map, 0, 3, 0);
	assert_int_equal(c.kind, TORUS_ROUTE_RELAY);
	assert_int_equal(c.hops, 5);
	kill_node(map, 0, 1, 0);
	assert_int_equal(choose(map, 0, 3, 0).kind, TORUS_ROUTE_BLOCKED);
	assert_int_equal(torus_route_blame(map, 0, 3, 0, NULL, fault, 4), 2);
	torus_route_map_free(map);
}

/* Dead nodes in both directions of a ring block the pair, and the result names two of them. */
static void test_colinear(void **state)
{
	struct torus_route_map *map = machine(8, 1, 1, 0);
	struct torus_route_fault fault[4];

	kill_node(map, 2, 0, 0);
	kill_node(map, 6, 0, 0);
	kill_node(map, 3, 0, 0);
	assert_int_equal(choose(map, 0, 4, 0).kind, TORUS_ROUTE_BLOCKED);
	assert_int_equal(torus_route_blame(map, 0, 4, 0, NULL, fault, 4), 2);
	/* a minimal set is node 6 together with node 2 or node 3 */
	assert_int_equal(fault[0].node, 6);
	assert_int_equal(fault[1].node, 3);
	assert_int_equal(fault[0].dir, TORUS_ROUTE_NONE);
	/* for a pair that is reached, no fault is named */
	assert_int_equal(torus_route_blame(map, 0, 1, 0, NULL, fault, 4), 0);
	/* a dead destination alone blocks the pair */
	assert_int_equal(torus_route_blame(map, 0, 3, 0, NULL, fault, 4), 1);
	assert_int_equal(fault[0].node, 3);
	torus_route_map_free(map);
}

static void test_blamed_links(void **state)
{
	struct torus_route_map *map = machine(4, 1, 1, 0);
	struct torus_route_fault fault[2];

	assert_int_equal(torus_route_kill_link(map, 1, 0), 0);
	assert_int_equal(torus_route_kill_link(map, 0, 1), 0);
	assert_int_equal(torus_route_kill_link(map, 2, 1), 0);
	assert_int_equal(choose(map, 0, 2, 0).kind, TORUS_ROUTE_BLOCKED);
	assert_int_equal(torus_route_blame(map, 0, 2, 0, NULL, fault, 2), 2);
	assert_int_equal(fault[0].node, 1);
	assert_int_equal(fault[0].dir, 0);
	assert_int_equal(fault[1].node, 0);
	assert_int_equal(fault[1].dir, 1);
	torus_route_map_free(map);
}

/* Only nodes in the mask @relays are chosen as relays. */
static void test_relays(void **state)
{
	struct torus_route_map *map = machine(4, 4, 1, 0);
	unsigned char relays[2] = { 0 };
	struct torus_route_choice c;
	uint32_t to = node(map, 1, 1, 0), other = node(map, 3, 3, 0);

	kill_node(map, 1, 0, 0);
	assert_false(torus_route_choose(map, 0, to, TORUS_ROUTE_IN_ORDER, relays, &c));
	relays[other / 8] |= 1u << other % 8;
	assert_true(torus_route_choose(map, 0, to, TORUS_ROUTE_IN_ORDER, relays, &c));
	assert_int_equal(c.relay, other);
	torus_route_map_free(map);
}

static void test_revive(void **state)
{
	struct torus_route_map *map = machine(4, 4, 4, 0);
	uint32_t from, to;

	kill_node(map, 1, 0, 0);
	kill_node(map, 2, 3, 1);
	assert_int_equal(torus_route_kill_link(map, 7, 2), 0);
	assert_int_equal(torus_route_kill_link(map, 7, 2), 0);
	assert_false(torus_route_link_alive(map, 7, 2));
	assert_false(torus_route_link_alive(map, 0, 0));
	torus_route_revive(map);
	assert_true(torus_route_intact(map));
	for (from = 0; from < map->nodes; from++)
		for (to = 0; to < map->nodes; to++)
			assert_int_equal(choose(map, from, to, 0).leg[0].dynamic, from != to);
	torus_route_map_free(map);
}

/* If all links of a node were marked dead one by one, the node is marked dead. */
static void test_find_nodes(void **state)
{
	struct torus_route_map *map = machine(4, 4, 4, 0);
	struct torus_route_fault fault[4];
	uint32_t dir;

	for (dir = 0; dir < DIRS; dir++) {
		assert_int_equal(torus_route_kill_link(map, 5, dir), 0);
		assert_int_equal(torus_route_kill_link(map, route_neighbor(map, 5, dir),
						       REVERSE(dir)), 0);
	}
	assert_int_equal(torus_route_kill_link(map, 40, 0), 0);
	assert_true(torus_route_node_alive(map, 5));
	assert_int_equal(torus_route_find_nodes(map), 0);
	assert_false(torus_route_node_alive(map, 5));
	assert_true(torus_route_node_alive(map, 40));
	assert_int_equal(map->ndead_nodes, 1);
	assert_int_equal(map->ndead_links, 1);
	assert_false(torus_route_link_alive(map, 4, 0));
	assert_int_equal(torus_route_blame(map, 0, 5, 0, NULL, fault, 4), 1);
	assert_int_equal(fault[0].node, 5);
	torus_route_revive(map);
	for (dir = 0; dir < DIRS; dir++)
		assert_true(torus_route_link_alive(map, route_neighbor(map, 5, dir), REVERSE(dir)));
	/* one link of the node is alive, so the node stays alive and its other links stay dead */
	for (dir = 1; dir < DIRS; dir++)
		assert_int_equal(torus_route_kill_link(map, 5, dir), 0);
	assert_int_equal(torus_route_find_nodes(map), 0);
	assert_true(torus_route_node_alive(map, 5));
	assert_int_equal(map->ndead_links, 5);
	torus_route_map_free(map);
}

static void test_bad_arguments(void **state)
{
	const uint32_t bad[DIMS] = { 4, 0, 4 }, big[DIMS] = { 257, 1, 1 };
	struct torus_route_map *map;

	assert_int_equal(torus_route_map_new(&map, bad, DIMS, 0), -EINVAL);
	assert_int_equal(torus_route_map_new(&map, big, DIMS, 0), -EINVAL);
	assert_int_equal(torus_route_map_new(&map, bad, 0, 0), -EINVAL);
	assert_int_equal(torus_route_map_new(&map, bad, 4, 0), -EINVAL);
	assert_int_equal(torus_route_map_new(&map, bad, 1, 2), -EINVAL);
	map = machine(4, 4, 4, 0);
	assert_int_equal(torus_route_kill_node(map, 64), -ERANGE);
	assert_int_equal(torus_route_kill_link(map, 64, 0), -ERANGE);
	assert_int_equal(torus_route_kill_link(map, 0, 6), -ERANGE);
	assert_false(torus_route_node_alive(map, 64));
	assert_false(torus_route_link_alive(map, 0, 6));
	torus_route_map_free(map);
	torus_route_map_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intact),
		cmocka_unit_test(test_longer_way),
		cmocka_unit_test(test_clean_box_first),
		cmocka_unit_test(test_dead_corner),
		cmocka_unit_test(test_trap),
		cmocka_unit_test(test_trap_on_last_line),
		cmocka_unit_test(test_no_wait),
		cmocka_unit_test(test_length_two),
		cmocka_unit_test(test_length_one),
		cmocka_unit_test(test_mesh),
		cmocka_unit_test(test_colinear),
		cmocka_unit_test(test_blamed_links),
		cmocka_unit_test(test_relays),
		cmocka_unit_test(test_revive),
		cmocka_unit_test(test_find_nodes),
		cmocka_unit_test(test_bad_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
