// SPDX-License-Identifier: GPL-2.0
/*
 * Test the plan of corner turns on every shape and from every root: each colour reaches each node
 * exactly once.  On a torus no link is used by two colours; if some dimensions are meshes, no link
 * is used by three.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "../collective/broadcast_plan.h"

#define NODES_MAX	64
#define DIRS		6

static uint32_t node_of(const struct broadcast_box *box, const uint32_t *at)
{
	return at[0] + box->dims[0] * (at[1] + box->dims[1] * at[2]);
}

static void coords_of(const struct broadcast_box *box, uint32_t node, uint32_t *at)
{
	at[0] = node % box->dims[0];
	at[1] = node / box->dims[0] % box->dims[1];
	at[2] = node / box->dims[0] / box->dims[1];
}

/**
 * struct spread - result of following a plan
 * @came: number of arrivals of each colour at a node
 * @carried: by node and direction: number of times that the link was used
 */
struct spread {
	unsigned int came[DIRS][NODES_MAX];
	unsigned int used[NODES_MAX][DIRS];
};

/* Follow the deposits of a node, and those of the nodes that they reach. */
static void follow(const struct broadcast_box *box, unsigned int colour, uint32_t node,
		   struct spread *spread)
{
	struct broadcast_turn turns[BROADCAST_TURNS_MAX];
	uint32_t reached[NODES_MAX], at[3];
	unsigned int count, i, j, n = 0;

	coords_of(box, node, at);
	assert_true(torus_broadcast_inside(box, at));
	count = torus_broadcast_turns(box, colour, at, turns);
	assert_in_range(count, 0, BROADCAST_TURNS_MAX);
	for (i = 0; i < count; i++) {
		unsigned int dim = turns[i].dir / 2;
		uint32_t length = box->dims[dim];

		assert_in_range(turns[i].hops, 1, length - 1);
		coords_of(box, node, at);
		for (j = 0; j < turns[i].hops; j++) {
			spread->used[node_of(box, at)][turns[i].dir]++;
			if (box->mesh >> dim & 1)
				assert_int_not_equal(at[dim],
						     turns[i].dir & 1 ? 0 : length - 1);
			at[dim] = (at[dim] + (turns[i].dir & 1 ? length - 1 : 1)) % length;
			reached[n++] = node_of(box, at);
		}
	}
	for (i = 0; i < n; i++) {
		spread->came[colour][reached[i]]++;
		/* stop at a second arrival: a plan with a cycle must not loop */
		assert_int_equal(spread->came[colour][reached[i]], 1);
		follow(box, colour, reached[i], spread);
	}
}

static void check(const struct broadcast_box *box)
{
	uint32_t nodes = box->dims[0] * box->dims[1] * box->dims[2], node, inside = 0, at[3];
	unsigned int colours = torus_broadcast_colours(box), colour, dir, tori = 0;
	uint32_t root = node_of(box, box->root), links = 0;
	bool torus = true;
	struct spread s;

	memset(&s, 0, sizeof(s));
	for (dir = 0; dir < DIRS; dir += 2) {
		if (!(box->along >> dir / 2 & 1) || box->dims[dir / 2] == 1)
			continue;
		tori += !(box->mesh >> dir / 2 & 1);
		torus &= !(box->mesh >> dir / 2 & 1);
		inside++;
	}
	assert_int_equal(colours, tori ? 2 * tori : inside ? 1 : 0);
	for (colour = 0; colour < colours; colour++)
		follow(box, colour, root, &s);
	inside = 0;
	for (node = 0; node < nodes; node++) {
		coords_of(box, node, at);
		inside += torus_broadcast_inside(box, at);
		for (colour = 0; colour < colours; colour++)
			assert_int_equal(s.came[colour][node],
					 node != root && torus_broadcast_inside(box, at));
		for (dir = 0; dir < DIRS; dir++) {
			links += s.used[node][dir];
			assert_in_range(s.used[node][dir], 0, torus || !tori ? 1 : 2);
		}
	}
	/*
	 * Each colour is a tree.  With one colour per link of a node, they use every link but those
	 * into the root.
	 */
	assert_int_equal(links, colours * (inside - 1));
}

static void check_shape(struct broadcast_box *box)
{
	uint32_t nodes = box->dims[0] * box->dims[1] * box->dims[2], root;

	for (box->mesh = 0; box->mesh < 8; box->mesh++)
		for (box->along = 1; box->along < 8; box->along++)
			for (root = 0; root < nodes; root++) {
				coords_of(box, root, box->root);
				check(box);
			}
}

static void test_each_node_once_on_every_shape(void **state)
{
	struct broadcast_box box = { .dims = { 0 } };

	for (box.dims[0] = 1; box.dims[0] <= 4; box.dims[0]++)
		for (box.dims[1] = 1; box.dims[1] <= 3; box.dims[1]++)
			for (box.dims[2] = 1; box.dims[2] <= 2; box.dims[2]++)
				check_shape(&box);
}

static void test_each_node_once_on_cubes(void **state)
{
	static const uint32_t shapes[][3] = {
		{ 2, 3, 4 }, { 3, 2, 4 }, { 3, 3, 3 }, { 5, 4, 3 }, { 4, 4, 4 }, { 8, 1, 8 },
		{ 64, 1, 1 }, { 1, 1, 64 },
	};
	struct broadcast_box box;
	unsigned int i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		memcpy(box.dims, shapes[i], sizeof(box.dims));
		check_shape(&box);
	}
}

/* Check the four colours of a plane.  Each colour starts on its own link of the root. */
static void test_plane_in_four_colours(void **state)
{
	struct broadcast_box box = {
		.dims = { 4, 3, 1 }, .along = 3, .root = { 1, 1, 0 },
	};
	struct broadcast_turn turns[BROADCAST_TURNS_MAX];
	static const uint32_t corner[3] = { 0, 1, 0 }, last[3] = { 0, 2, 0 },
			     column[3] = { 1, 2, 0 };

	assert_int_equal(torus_broadcast_colours(&box), 4);
	/* x+: the root deposits along its row */
	assert_int_equal(torus_broadcast_turns(&box, 0, box.root, turns), 1);
	assert_int_equal(turns[0].dir, 0);
	assert_int_equal(turns[0].hops, 3);
	/* the last node of the row deposits along its column */
	assert_int_equal(torus_broadcast_turns(&box, 0, corner, turns), 1);
	assert_int_equal(turns[0].dir, 2);
	assert_int_equal(turns[0].hops, 2);
	/* the nodes of that column send one hop to the root's column */
	assert_int_equal(torus_broadcast_turns(&box, 0, last, turns), 1);
	assert_int_equal(turns[0].dir, 0);
	assert_int_equal(turns[0].hops, 1);
	/* the nodes of the root's column forward nothing */
	assert_int_equal(torus_broadcast_turns(&box, 0, column, turns), 0);
	/* x-, y+, y- */
	assert_int_equal(torus_broadcast_turns(&box, 1, box.root, turns), 1);
	assert_int_equal(turns[0].dir, 1);
	assert_int_equal(torus_broadcast_turns(&box, 2, box.root, turns), 1);
	assert_int_equal(turns[0].dir, 2);
	assert_int_equal(torus_broadcast_turns(&box, 3, box.root, turns), 1);
	assert_int_equal(turns[0].dir, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_node_once_on_every_shape),
		cmocka_unit_test(test_each_node_once_on_cubes),
		cmocka_unit_test(test_plane_in_four_colours),
	};

	return cmocka_run_group_tests_name("broadcast schedule", tests, NULL, NULL);
}
