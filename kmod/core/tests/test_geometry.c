// SPDX-License-Identifier: GPL-2.0
/* Geometry: node numbers, coordinates, neighbours, limits, names of shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/geometry.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static const struct torus_geometry shapes[] = {
	{ .ndims = 1, .dims = { 1 } },
	{ .ndims = 1, .dims = { 2 } },
	{ .ndims = 2, .dims = { 2, 2 }, .mesh = 1 },
	{ .ndims = 3, .dims = { 4, 4, 4 } },
	{ .ndims = 3, .dims = { 5, 3, 2 }, .mesh = 2 },
	{ .ndims = 3, .dims = { 8, 1, 3 }, .mesh = 7 },
	{ .ndims = 6, .dims = { 3, 2, 4, 2, 3, 2 }, .mesh = 0x28 },
	{ .ndims = 10, .dims = { 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 }, .mesh = 0x155 },
};

#define SHAPES	COUNT(shapes)

static struct torus_geometry shape(size_t i)
{
	struct torus_geometry g = shapes[i];

	assert_true(torus_geometry_init(&g, 1u << 20));
	return g;
}

static void test_nodes_x_fastest(void **state)
{
	struct torus_geometry g = { .ndims = 3, .dims = { 4, 5, 6 } };
	u32 x, y, z, node = 0;

	assert_true(torus_geometry_init(&g, 120));
	assert_int_equal(g.nodes, 120);
	for (z = 0; z < 6; z++) {
		for (y = 0; y < 5; y++) {
			for (x = 0; x < 4; x++, node++) {
				u32 want[3] = { x, y, z }, got[3];

				torus_geometry_coords(&g, node, got);
				assert_memory_equal(got, want, sizeof(want));
				assert_int_equal(torus_geometry_node(&g, want), node);
			}
		}
	}
}

static void test_node_outside(void **state)
{
	struct torus_geometry g = { .ndims = 3, .dims = { 4, 5, 6 } };
	const u32 outside[][3] = {
		{ 4, 0, 0 }, { 0, 5, 0 }, { 0, 0, 6 }, { TORUS_NONE, TORUS_NONE, TORUS_NONE },
	};
	size_t i;

	assert_true(torus_geometry_init(&g, 120));
	for (i = 0; i < COUNT(outside); i++)
		assert_int_equal(torus_geometry_node(&g, outside[i]), TORUS_NONE);
}

/* Compute a neighbour from coordinates only. */
static u32 expected_neighbor(const struct torus_geometry *g, u32 node, u32 dir)
{
	u32 coords[TORUS_DIMS_MAX], dim = TORUS_DIM(dir);
	bool minus = TORUS_MINUS(dir);
	u32 length;

	if (dim >= g->ndims || g->dims[dim] == 1)
		return TORUS_NONE;
	length = g->dims[dim];
	torus_geometry_coords(g, node, coords);
	if (g->mesh >> dim & 1 && coords[dim] == (minus ? 0 : length - 1))
		return TORUS_NONE;
	coords[dim] = (coords[dim] + (minus ? length - 1 : 1)) % length;
	return torus_geometry_node(g, coords);
}

static void test_neighbors(void **state)
{
	size_t i;

	for (i = 0; i < SHAPES; i++) {
		struct torus_geometry g = shape(i);
		u32 node, dir;

		for (node = 0; node < g.nodes; node++) {
			for (dir = 0; dir < 2 * TORUS_DIMS_MAX; dir++) {
				u32 peer = torus_geometry_neighbor(&g, node, dir);

				assert_int_equal(peer, expected_neighbor(&g, node, dir));
				if (peer == TORUS_NONE)
					continue;
				assert_true(peer < g.nodes);
				assert_int_not_equal(peer, node);
				assert_int_equal(torus_geometry_neighbor(&g, peer,
									 TORUS_REVERSE(dir)),
						 node);
			}
		}
	}
}

static void test_mesh_edge_has_no_link(void **state)
{
	struct torus_geometry g = { .ndims = 2, .dims = { 4, 4 }, .mesh = 1 };

	assert_true(torus_geometry_init(&g, 16));
	assert_int_equal(torus_geometry_neighbor(&g, 3, 0), TORUS_NONE);
	assert_int_equal(torus_geometry_neighbor(&g, 0, 1), TORUS_NONE);
	assert_int_equal(torus_geometry_neighbor(&g, 3, 1), 2);
	assert_int_equal(torus_geometry_neighbor(&g, 0, 0), 1);
	assert_int_equal(torus_geometry_neighbor(&g, 12, 2), 0);
	assert_int_equal(torus_geometry_neighbor(&g, 0, 3), 12);
}

static void test_length_one_has_no_links(void **state)
{
	struct torus_geometry g = { .ndims = 3, .dims = { 1, 3, 1 } };
	u32 node;

	assert_true(torus_geometry_init(&g, 3));
	for (node = 0; node < 3; node++) {
		assert_int_equal(torus_geometry_neighbor(&g, node, 0), TORUS_NONE);
		assert_int_equal(torus_geometry_neighbor(&g, node, 1), TORUS_NONE);
		assert_int_equal(torus_geometry_neighbor(&g, node, 2), (node + 1) % 3);
		assert_int_equal(torus_geometry_neighbor(&g, node, 5), TORUS_NONE);
	}
}

static void test_length_two_has_two_links(void **state)
{
	struct torus_geometry torus = { .ndims = 1, .dims = { 2 } };
	struct torus_geometry mesh = { .ndims = 1, .dims = { 2 }, .mesh = 1 };

	assert_true(torus_geometry_init(&torus, 2));
	assert_int_equal(torus_geometry_neighbor(&torus, 0, 0), 1);
	assert_int_equal(torus_geometry_neighbor(&torus, 0, 1), 1);
	assert_int_equal(torus_geometry_neighbor(&torus, 1, 0), 0);
	assert_int_equal(torus_geometry_neighbor(&torus, 1, 1), 0);

	assert_true(torus_geometry_init(&mesh, 2));
	assert_int_equal(torus_geometry_neighbor(&mesh, 0, 0), 1);
	assert_int_equal(torus_geometry_neighbor(&mesh, 0, 1), TORUS_NONE);
	assert_int_equal(torus_geometry_neighbor(&mesh, 1, 0), TORUS_NONE);
	assert_int_equal(torus_geometry_neighbor(&mesh, 1, 1), 0);
}

static bool init(u32 ndims, u32 length, u32 nodes_max)
{
	struct torus_geometry g = { .ndims = ndims };
	u32 i;

	for (i = 0; i < TORUS_DIMS_MAX; i++)
		g.dims[i] = length;
	return torus_geometry_init(&g, nodes_max);
}

static void test_limits(void **state)
{
	struct torus_geometry g = { .ndims = 3, .dims = { 4, 0, 4 } };

	assert_false(torus_geometry_init(&g, 100));
	assert_false(init(0, 4, 100));
	assert_false(init(TORUS_DIMS_MAX + 1, 1, 100));
	assert_false(init(~0u, 1, 100));
	assert_true(init(TORUS_DIMS_MAX, 1, 1));
	assert_true(init(3, 4, 64));
	assert_false(init(3, 4, 63));
	assert_false(init(1, 2, 1));
}

/* Products that overflow to a small number in 32 or 64 bits are rejected */
static void test_product_does_not_overflow(void **state)
{
	struct torus_geometry g = { .ndims = 2, .dims = { 0x80000000, 2 } };

	assert_false(torus_geometry_init(&g, ~0u));
	assert_false(init(2, 1u << 16, ~0u));
	assert_false(init(4, 1u << 16, ~0u));
	assert_false(init(10, ~0u, ~0u));
	assert_false(init(8, 256, ~0u));
	assert_true(init(1, ~0u, ~0u));
}

static void test_text(void **state)
{
	struct torus_geometry g = { .ndims = 3, .dims = { 4, 5, 60 } };
	char buf[TORUS_DIMS_MAX * 11];

	assert_true(torus_geometry_init(&g, 1200));
	assert_string_equal(torus_geometry_text(&g, 0, buf, sizeof(buf)), "0,0,0");
	assert_string_equal(torus_geometry_text(&g, 1199, buf, sizeof(buf)), "3,4,59");
	assert_string_equal(torus_geometry_text(&g, 1199, buf, 5), "3,4,");
	assert_string_equal(torus_geometry_text(&g, 1199, buf, 1), "");
}

static void test_direction_names(void **state)
{
	static const char *const names[] = {
		"x+", "x-", "y+", "y-", "z+", "z-", "a+", "a-", "b+", "b-", "c+", "c-",
		"d6+", "d6-", "d7+", "d7-", "d8+", "d8-", "d9+", "d9-",
	};
	char buf[16];
	u32 dir;

	for (dir = 0; dir < 20; dir++)
		assert_string_equal(torus_direction_name(dir, buf, sizeof(buf)), names[dir]);
	torus_direction_name(~0u, buf, sizeof(buf));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nodes_x_fastest),
		cmocka_unit_test(test_node_outside),
		cmocka_unit_test(test_neighbors),
		cmocka_unit_test(test_mesh_edge_has_no_link),
		cmocka_unit_test(test_length_one_has_no_links),
		cmocka_unit_test(test_length_two_has_two_links),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_product_does_not_overflow),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_direction_names),
	};

	return cmocka_run_group_tests_name("geometry", tests, NULL, NULL);
}
