// SPDX-License-Identifier: GPL-2.0
/* Test Tofu's geometry, distances, twelve paths, policies, surveys, loads and dead links. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "../tofu/check.h"
#include "../tofu/links.h"
#include "../tofu/link_load.h"
#include "../tofu/survey.h"
#include "core/base/node_number.h"

#define MESH_X	1
#define MESH_Y	2
#define MESH_Z	4
#define NODES	4096u

static const struct torus_geometry *machine(u32 x, u32 y, u32 z, u32 mesh)
{
	static struct torus_geometry g;

	assert_true(tofu_geometry_init(&g, (const u32[]){ x, y, z }, mesh, NODES));
	return &g;
}

static u32 node(const struct torus_geometry *g, u32 x, u32 y, u32 z, u32 a, u32 b, u32 c)
{
	return torus_geometry_node(g, (const u32[]){ x, y, z, a, b, c });
}

static void test_links(void **state)
{
	const struct torus_geometry *g = machine(3, 4, 5, 0);
	u32 i, dir, links;

	for (i = 0; i < g->nodes; i++) {
		links = 0;
		for (dir = 0; dir < TOFU_DIRS; dir++)
			links += torus_geometry_neighbor(g, i, dir) != TORUS_NONE;
		assert_int_equal(links, TOFU_LINKS);
	}
	/* b is a ring; a and c are lines of two nodes */
	assert_int_equal(torus_geometry_neighbor(g, node(g, 0, 0, 0, 0, 2, 0), 2 * TOFU_B),
			 node(g, 0, 0, 0, 0, 0, 0));
	assert_int_equal(torus_geometry_neighbor(g, node(g, 0, 0, 0, 1, 0, 0), 2 * TOFU_A),
			 TORUS_NONE);
	assert_int_equal(torus_geometry_neighbor(g, node(g, 0, 0, 0, 0, 0, 0), 2 * TOFU_C + 1),
			 TORUS_NONE);
}

static void test_numbers(void **state)
{
	const struct torus_geometry *g = machine(3, 4, 5, 0);
	u32 i, at[TOFU_AXES], group;

	for (i = 0; i < g->nodes; i++) {
		torus_geometry_coords(g, i, at);
		group = at[0] + 3 * (at[1] + 4 * at[2]);
		assert_int_equal(torus_node_number(g, i),
				 group * 12 + at[3] + 2 * (at[4] + 3 * at[5]));
		assert_int_equal(torus_node_index(g, torus_node_number(g, i)), i);
	}
	assert_int_equal(torus_node_index(g, g->nodes), TORUS_NONE);
	assert_false(tofu_geometry_init(&(struct torus_geometry){ 0 },
					(const u32[]){ 7, 7, 7 }, 0, NODES));
}

/* Compute the distance from one node to all other nodes by a breadth-first search. */
static void spread(const struct torus_geometry *g, u32 from, u32 *far)
{
	static u32 queue[NODES];
	u32 head = 0, tail = 0, dir, i;

	for (i = 0; i < g->nodes; i++)
		far[i] = TORUS_NONE;
	far[from] = 0;
	queue[tail++] = from;
	while (head < tail) {
		u32 here = queue[head++];

		for (dir = 0; dir < TOFU_DIRS; dir++) {
			u32 next = torus_geometry_neighbor(g, here, dir);

			if (next == TORUS_NONE || far[next] != TORUS_NONE)
				continue;
			far[next] = far[here] + 1;
			queue[tail++] = next;
		}
	}
}

static void distances(const struct torus_geometry *g)
{
	static u32 far[NODES];
	u32 from, to;

	for (from = 0; from < g->nodes; from++) {
		spread(g, from, far);
		for (to = 0; to < g->nodes; to++)
			assert_int_equal(tofu_distance(g, from, to), far[to]);
	}
}

static void test_distance(void **state)
{
	distances(machine(3, 1, 4, 0));
	distances(machine(4, 3, 2, MESH_X | MESH_Y));
}

static const char *judge(const struct torus_geometry *g, bool one_vc, u32 *ncycle)
{
	struct tofu_check check;
	const char *wrong = NULL;
	u32 rule;

	assert_int_equal(tofu_check_init(&check, g), 0);
	tofu_check_run(&check, g, one_vc);
	for (rule = 0; rule < TOFU_RULES && !wrong; rule++)
		if (check.broken[rule])
			wrong = tofu_rule_name(rule);
	if (!wrong && check.relays != check.pairs)
		wrong = "relays";
	*ncycle = check.cdg.ncycles ? check.cdg.ends[0] : 0;
	assert_int_equal(tofu_check_clean(&check), !wrong && !*ncycle);
	tofu_check_free(&check);
	return wrong;
}

static void clean(const struct torus_geometry *g)
{
	u32 ncycle;

	assert_string_equal(judge(g, false, &ncycle) ?: "clean", "clean");
	assert_int_equal(ncycle, 0);
}

static void test_paths(void **state)
{
	clean(machine(1, 1, 1, 0));
	clean(machine(2, 2, 3, 0));
	clean(machine(5, 1, 2, 0));
	clean(machine(3, 2, 2, MESH_Y | MESH_Z));
	clean(machine(1, 4, 2, MESH_Z));
}

/* With one VC per order of the axes, a ring of four groups has a cycle. */
static void test_one_vc(void **state)
{
	u32 ncycle;

	assert_null(judge(machine(4, 1, 1, 0), true, &ncycle));
	assert_true(ncycle > 1);
	/*
	 * on a mesh there are no rings, but the last phase leads back into channels of the first
	 * phase
	 */
	assert_null(judge(machine(2, 2, 1, MESH_X | MESH_Y), true, &ncycle));
	assert_true(ncycle > 1);
}

/* Figure 2 of the paper shows 3 of the 12 paths from (0,0,0,0,2,0) to (2,0,0,0,0,1). */
static void test_figure(void **state)
{
	const struct torus_geometry *g = machine(3, 3, 3, MESH_X);
	u32 from = node(g, 0, 0, 0, 0, 2, 0), to = node(g, 2, 0, 0, 0, 0, 1);
	static const u32 hops[TOFU_PATHS] = { 4, 6, 5, 7, 4, 6, 4, 6, 5, 7, 4, 6 };
	u32 path;

	for (path = 0; path < TOFU_PATHS; path++)
		assert_int_equal(tofu_path_hops(g, from, to, path), hops[path]);
	assert_int_equal(tofu_path_of(g, TOFU_FIXED, from, to), 6);
}

static void test_hash_is_fair(void **state)
{
	const struct torus_geometry *g = machine(4, 2, 2, 0);
	u32 counts[TOFU_PATHS] = { 0 }, from, to, path;

	for (from = 0; from < g->nodes; from++)
		for (to = 0; to < g->nodes; to++)
			counts[tofu_path_of(g, TOFU_HASH, from, to)]++;
	for (path = 0; path < TOFU_PATHS; path++)
		assert_in_range(counts[path], g->nodes * g->nodes / 12 * 9 / 10,
				g->nodes * g->nodes / 12 * 11 / 10);
}

static void test_units(void **state)
{
	const struct torus_geometry *g = machine(3, 2, 2, 0);
	struct tofu_survey survey;
	u8 dead[NODES] = { 0 };
	u32 i, n = 0;

	tofu_unit_set(g, node(g, 1, 1, 0, 1, 2, 0), dead, true);
	for (i = 0; i < g->nodes; i++)
		n += dead[i];
	assert_int_equal(n, TOFU_UNIT);
	assert_true(dead[node(g, 1, 1, 0, 0, 2, 1)]);
	assert_int_equal(tofu_survey_run(&survey, g), 0);
	assert_int_equal(survey.units, g->nodes / TOFU_UNIT);
	assert_int_equal(survey.pairs, 2ull * survey.units * (g->nodes - 4) * (g->nodes - 5));
	assert_true(survey.changed > 0);
	assert_int_equal(survey.lost, 0);
}

/*
 * Two of the three units of a group are dead. Packets that must pass the group need a path through
 * the third unit.
 */
static void test_choose(void **state)
{
	const struct torus_geometry *g = machine(3, 1, 1, MESH_X);
	u32 from = node(g, 0, 0, 0, 0, 0, 0), to = node(g, 2, 0, 0, 0, 0, 0), path;
	u8 dead[NODES] = { 0 };
	u32 relay[TOFU_AXES];

	tofu_unit_set(g, node(g, 1, 0, 0, 0, 0, 0), dead, true);
	tofu_unit_set(g, node(g, 1, 0, 0, 0, 1, 0), dead, true);
	path = tofu_path_choose(g, dead, from, to, TOFU_Z_LAST);
	assert_true(path < TOFU_PATHS);
	tofu_slot_coords(path, relay);
	assert_int_equal(relay[TOFU_B], 2);
	assert_true(tofu_path_clean(g, dead, from, to, path, TOFU_Z_LAST));
	tofu_unit_set(g, node(g, 1, 0, 0, 0, 2, 0), dead, true);
	assert_int_equal(tofu_path_choose(g, dead, from, to, TOFU_Z_LAST), TORUS_NONE);
}

/*
 * The sum of the loads of all channels equals the number of all hops. With twelve paths, all links
 * of axis b have the same load.
 */
static void test_loads(void **state)
{
	const struct torus_geometry *g = machine(2, 3, 2, 0);
	struct tofu_loads loads;
	struct tofu_share share;
	u32 policy, axis, vc;
	u64 sum;

	assert_int_equal(tofu_loads_init(&loads, g), 0);
	for (policy = 0; policy < TOFU_POLICIES; policy++) {
		tofu_loads_run(&loads, g, policy);
		sum = 0;
		for (axis = 0; axis < TOFU_AXES; axis++)
			for (vc = 0; vc < TOFU_VCS; vc++) {
				tofu_loads_share(&loads, g, axis, vc, &share);
				sum += share.sum;
			}
		assert_int_equal(sum, loads.hops);
		assert_int_equal(loads.packets, (u64)g->nodes * (g->nodes - 1));
	}
	tofu_loads_share(&loads, g, TOFU_B, TOFU_VCS, &share);
	assert_int_equal(share.links, 2 * g->nodes);
	assert_int_equal(share.most * share.links, share.sum);
	tofu_loads_free(&loads);
}

/*
 * Return the number of a node: @x is its group in a row of groups, and a, b, c its place in the
 * group.
 */
static u32 numbered(const struct torus_geometry *g, u32 x, u32 a, u32 b, u32 c)
{
	const u32 at[TOFU_AXES] = { x, 0, 0, a, b, c };

	return torus_node_number(g, torus_geometry_node(g, at));
}

/* Test that pairs of nodes whose paths use a dead link are found. */
static void test_dead_links(void **state)
{
	static const u32 row[] = { 4, 1, 1 };
	struct tofu_links links;
	u32 node, dir, from, to, ahead;

	assert_true(tofu_links_init(&links, row, 0, "fixed", "last"));
	from = numbered(&links.g, 1, 0, 0, 0);
	to = numbered(&links.g, 2, 0, 0, 0);
	assert_false(tofu_links_meet(&links, from, to, &node, &dir));
	tofu_links_kill(&links, from, 0);
	assert_true(tofu_links_meet(&links, from, to, &node, &dir));
	assert_int_equal(node, from);
	assert_int_equal(dir, 0);
	/*
	 * neither the opposite direction nor a path that starts at the link's receiver uses the
	 * dead link
	 */
	assert_false(tofu_links_meet(&links, to, from, &node, &dir));
	assert_false(tofu_links_meet(&links, to, numbered(&links.g, 3, 0, 0, 0), &node, &dir));
	/* a longer path crosses the dead link too, and the result names this link */
	ahead = numbered(&links.g, 0, 0, 0, 0);
	assert_true(tofu_links_meet(&links, ahead, to, &node, &dir));
	assert_int_equal(node, from);
	/* packets between nodes of one group use no x links */
	assert_false(tofu_links_meet(&links, from, numbered(&links.g, 1, 1, 2, 1), &node, &dir));
	tofu_links_free(&links);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dead_links),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_one_vc),
		cmocka_unit_test(test_figure),
		cmocka_unit_test(test_hash_is_fair),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_choose),
		cmocka_unit_test(test_loads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
