// SPDX-License-Identifier: GPL-2.0
/* Coordinates of node numbers, compared with those of the core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/node_number.h"
#include "drivers/net/wire/numbering.h"

static struct torus_geometry shape(u32 ndims, const u32 *dims)
{
	struct torus_geometry g = { .ndims = ndims };

	memcpy(g.dims, dims, ndims * sizeof(*dims));
	assert_true(torus_geometry_init(&g, 1u << 20));
	return g;
}

static struct torus_net_shape described(const struct torus_geometry *g)
{
	struct torus_net_shape s = { .ndims = g->ndims, .numbering = g->numbering };

	memcpy(s.dims, g->dims, sizeof(s.dims));
	return s;
}

/* Each number leads to the same node as in the core, or to none. */
static void check_all(const struct torus_geometry *g)
{
	struct torus_net_shape s = described(g);
	struct torus_net_numbering n;
	u32 number, node, coords[TORUS_DIMS_MAX];
	bool found;

	assert_true(torus_net_numbering_init(&n, &s));
	for (number = 0; number < g->numbering.last + 100; number++) {
		node = torus_node_index(g, number);
		found = torus_net_coords(&n, number, coords);
		assert_int_equal(found, node != TORUS_NONE);
		if (found)
			assert_int_equal(torus_geometry_node(g, coords), node);
	}
	assert_false(torus_net_coords(&n, TORUS_NONE, coords));
}

static void test_plain(void **state)
{
	struct torus_geometry g = shape(3, (const u32[]){ 4, 5, 6 });

	check_all(&g);
	g = shape(3, (const u32[]){ 2, 1, 1 });
	check_all(&g);
	g = shape(1, (const u32[]){ 1 });
	check_all(&g);
}

static void test_group_major(void **state)
{
	struct torus_geometry g = shape(6, (const u32[]){ 3, 4, 5, 2, 3, 2 });
	const u32 strides[6] = { 12, 36, 144, 1, 2, 6 };

	memcpy(g.numbering.stride, strides, sizeof(strides));
	assert_true(torus_number_init(&g));
	check_all(&g);
}

static void test_regions(void **state)
{
	struct torus_geometry g = shape(3, (const u32[]){ 11, 12, 16 });

	g.numbering.split[0] = 4;
	g.numbering.stride[0] = 12 * 16;
	g.numbering.jump[0] = 4096;
	g.numbering.stride[1] = 16;
	g.numbering.stride[2] = 1;
	assert_true(torus_number_init(&g));
	check_all(&g);
}

/* Registers of a node that is gone read as all ones, or as zeros where an array ends. */
static void test_invalid(void **state)
{
	struct torus_geometry g = shape(2, (const u32[]){ 4, 4 });
	struct torus_net_shape s = described(&g);
	struct torus_net_numbering n;

	s.ndims = TORUS_NONE;
	assert_false(torus_net_numbering_init(&n, &s));
	s.ndims = 0;
	assert_false(torus_net_numbering_init(&n, &s));
	s = described(&g);
	s.dims[1] = 0;
	assert_false(torus_net_numbering_init(&n, &s));
	s = described(&g);
	s.numbering.split[0] = 0;
	assert_false(torus_net_numbering_init(&n, &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_group_major),
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_invalid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
