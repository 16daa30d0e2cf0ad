// SPDX-License-Identifier: GPL-2.0
/* Test rings, shapes and views of Tofu, with the cases of Ajima et al. (2009). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../tofu/view_shapes.h"
#include "core/tests/says.h"
#include "../tofu/view.h"

#define NODES	65536u

static struct torus_geometry g;

static void machine(u32 x, u32 y, u32 z, u32 mesh)
{
	assert_true(tofu_geometry_init(&g, (const u32[]){ x, y, z }, mesh, NODES));
}

static bool beside(const struct tofu_plane *plane, struct tofu_cycle_place a,
		   struct tofu_cycle_place b)
{
	u32 along = (u32)abs(a.along - b.along), inside = (u32)abs(a.inside - b.inside);

	if (inside == 2 && plane->width == 3)
		inside = 1;
	return along + inside == 1;
}

/*
 * Check that a ring visits each usable place of a plane once, and that consecutive places are
 * neighbours.
 */
static void ring_of(u32 length, u32 width, const u8 *out, int error)
{
	const struct tofu_plane plane = { .length = length, .width = width, .out = out };
	struct tofu_cycle_place *ring;
	u8 seen[64] = { 0 };
	u32 count, live = 0, i;

	assert_int_equal(tofu_ring_find(&plane, &ring, &count), error);
	if (error)
		return;
	for (i = 0; i < length; i++)
		live += (u32)__builtin_popcount(((1u << width) - 1) & ~(out ? out[i] : 0));
	assert_int_equal(count, live);
	for (i = 0; i < count; i++) {
		assert_in_range(ring[i].along, 0, length - 1);
		assert_in_range(ring[i].inside, 0, width - 1);
		assert_false(seen[ring[i].along] >> ring[i].inside & 1);
		seen[ring[i].along] |= (u8)(1u << ring[i].inside);
		assert_false(out && (out[ring[i].along] >> ring[i].inside & 1));
		assert_true(beside(&plane, ring[i], ring[i + 1 < count ? i + 1 : 0]));
	}
	free(ring);
}

static void test_rings(void **state)
{
	u32 length;

	for (length = 1; length <= 40; length++) {
		ring_of(length, 2, NULL, 0);
		ring_of(length, 3, NULL, 0);
	}
}

/* If any one place of a plane is removed, there is a ring through all the others. */
static void test_one_out(void **state)
{
	u32 length, at, place;

	for (length = 1; length <= 24; length++)
		for (at = 0; at < length; at++)
			for (place = 0; place < 3; place++) {
				u8 out[24] = { 0 };

				out[at] = (u8)(1u << place);
				ring_of(length, 3, out, 0);
			}
}

/* Check by exhaustive search whether a plane has a ring. */
static bool any_way(const struct tofu_plane *plane, u32 here, u32 seen, u32 all)
{
	struct tofu_cycle_place at = { (u16)(here / 3), (u16)(here % 3) };
	u32 i;

	for (i = 0; i < 3 * plane->length; i++) {
		struct tofu_cycle_place next = { (u16)(i / 3), (u16)(i % 3) };

		if (!(all >> i & 1) || !beside(plane, at, next))
			continue;
		if (seen == all && i == torus_ctz(all))
			return true;
		if (!(seen >> i & 1) && any_way(plane, i, seen | 1u << i, all))
			return true;
	}
	return false;
}

/*
 * With any set of places removed from up to four groups, a ring is found if and only if there is
 * one.
 */
static void test_any_out(void **state)
{
	u32 length, set, at;

	for (length = 1; length <= 4; length++)
		for (set = 1; set < 1u << (3 * length); set++) {
			const u8 out[4] = { ~set & 7, ~set >> 3 & 7, ~set >> 6 & 7,
					    ~set >> 9 & 7 };
			const struct tofu_plane plane = { .length = length, .width = 3 };
			bool found = any_way(&plane, torus_ctz(set), set & -set, set);

			at = (u32)__builtin_popcount(set);
			ring_of(length, 3, out, found && at > 1 ? 0 : -ENOENT);
		}
}

static u32 shapes_of(u32 x, u32 y, u32 z, struct tofu_shape *shapes, char *why)
{
	return tofu_shapes_find((const u32[]){ x, y, z }, shapes, why);
}

/* "There are three possible shapes for the 3D torus-connected system and nine for Tofu." */
static void test_shapes(void **state)
{
	static const u32 paper[9][3] = {
		{ 6, 6, 2 }, { 6, 2, 6 }, { 2, 6, 6 }, { 6, 4, 3 }, { 6, 3, 4 }, { 4, 6, 3 },
		{ 4, 3, 6 }, { 3, 6, 4 }, { 3, 4, 6 },
	};
	struct tofu_shape shapes[TOFU_SHAPES_MAX];
	char why[TOFU_WHY_MAX];
	u32 i, j, found = 0;

	assert_int_equal(shapes_of(12, 12, 6, shapes, why), 9);
	for (i = 0; i < 9; i++)
		for (j = 0; j < 9; j++)
			found += !memcmp(shapes[j].groups, paper[i], sizeof(paper[i]));
	assert_int_equal(found, 9);
	assert_int_equal(shapes_of(24, 18, 16, shapes, why), 9);
	assert_int_equal(shapes_of(9, 2, 2, shapes, why), 3);
	assert_int_equal(shapes_of(36, 6, 2, shapes, why), 12);
	assert_string_equal(why, "");
	assert_int_equal(shapes_of(8, 8, 4, shapes, why), 0);
	assert_says(why, "3 8 4");
	assert_int_equal(shapes_of(5, 7, 6, shapes, why), 0);
	assert_says(why, "b 6 5 7");
}

static u32 node(u32 x, u32 y, u32 z, u32 a, u32 b, u32 c)
{
	return torus_geometry_node(&g, (const u32[]){ x, y, z, a, b, c });
}

static void place(struct tofu_view *view, const struct tofu_shape *shape, const u32 *dead,
		  u32 ndead)
{
	u64 bad;

	assert_int_equal(tofu_view_place(view, &g, shape, dead, ndead, NULL), 0);
	assert_int_equal(tofu_view_links(view, &g, dead, ndead, &bad), 3 * view->ranks);
	assert_int_equal(bad, 0);
}

/* Figure 3a of the paper: coordinate 0 is at (0,0,0,0,0,0), coordinate 5 at (2,0,0,0,0,0). */
static void test_figure(void **state)
{
	struct tofu_shape shapes[TOFU_SHAPES_MAX];
	char why[TOFU_WHY_MAX];
	struct tofu_view view;
	u32 dead, i;

	machine(3, 1, 1, 7);
	shapes_of(9, 2, 2, shapes, why);
	place(&view, &shapes[0], NULL, 0);
	assert_int_equal(view.length[0], 9);
	assert_int_equal(tofu_view_node(&view, &g, 0), node(0, 0, 0, 0, 0, 0));
	assert_int_equal(tofu_view_node(&view, &g, 5), node(2, 0, 0, 0, 0, 0));
	tofu_view_free(&view);
	/* Figure 3b of the paper: four nodes leave the view */
	dead = node(1, 0, 0, 0, 1, 1);
	place(&view, &shapes[0], &dead, 1);
	assert_int_equal(view.length[0], 8);
	assert_int_equal(view.removed, 1);
	assert_int_equal(view.ranks, g.nodes - 4);
	for (i = 0; i < view.ranks; i++) {
		u32 at[TOFU_AXES];

		torus_geometry_coords(&g, tofu_view_node(&view, &g, i), at);
		assert_false(at[0] == 1 && at[4] == 1);
	}
	tofu_view_free(&view);
}

/* If any one node is dead, the view's axis that uses b is one place shorter. */
static void test_any_node(void **state)
{
	struct tofu_shape shapes[TOFU_SHAPES_MAX];
	char why[TOFU_WHY_MAX];
	struct tofu_view view;
	u32 dead, i, count = shapes_of(12, 4, 6, shapes, why);

	assert_true(count > 0);
	for (i = 0; i < count; i++) {
		machine(shapes[i].groups[0], shapes[i].groups[1], shapes[i].groups[2], 7);
		for (dead = 0; dead < g.nodes; dead++) {
			u32 axis;

			place(&view, &shapes[i], &dead, 1);
			for (axis = 0; axis < 3; axis++)
				assert_int_equal(view.length[axis] +
						 (shapes[i].inside[axis] == TOFU_B),
						 ((const u32[]){ 12, 4, 6 })[axis]);
			tofu_view_free(&view);
		}
	}
}

/*
 * If the machine has a position without dead nodes, the view there has its full size. On a torus
 * the view may wrap around.
 */
static void test_beside(void **state)
{
	struct tofu_shape shapes[TOFU_SHAPES_MAX];
	char why[TOFU_WHY_MAX];
	struct tofu_view view;
	u32 dead;

	machine(4, 1, 1, 7);
	shapes_of(9, 2, 2, shapes, why);
	dead = node(0, 0, 0, 0, 0, 0);
	place(&view, &shapes[0], &dead, 1);
	assert_int_equal(view.at[0], 1);
	assert_int_equal(view.removed, 0);
	tofu_view_free(&view);
	dead = node(1, 0, 0, 0, 0, 0);
	place(&view, &shapes[0], &dead, 1);
	assert_int_equal(view.removed, 1);
	tofu_view_free(&view);
	machine(4, 1, 1, 0);
	place(&view, &shapes[0], &dead, 1);
	assert_int_equal(view.at[0], 2);
	assert_int_equal(view.removed, 0);
	assert_int_equal(view.length[0], 9);
	tofu_view_free(&view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rings),
		cmocka_unit_test(test_one_out),
		cmocka_unit_test(test_any_out),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_figure),
		cmocka_unit_test(test_any_node),
		cmocka_unit_test(test_beside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
