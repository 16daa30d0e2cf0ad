// SPDX-License-Identifier: GPL-2.0
/* Conversion between nodes and a machine's own node numbers, with other orders and gaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/node_number.h"

static struct torus_geometry shape(u32 ndims, const u32 *dims)
{
	struct torus_geometry g = { .ndims = ndims };

	memcpy(g.dims, dims, ndims * sizeof(*dims));
	assert_true(torus_geometry_init(&g, 1u << 20));
	return g;
}

/* Check that each node has a unique number, and that all other numbers have no node. */
static void check_all(const struct torus_geometry *g)
{
	u32 node, number, nodes = 0, last = 0;

	for (node = 0; node < g->nodes; node++) {
		number = torus_node_number(g, node);
		last = number > last ? number : last;
		assert_int_equal(torus_node_index(g, number), node);
	}
	assert_int_equal(g->numbering.last, last);
	for (number = 0; number < last + 100; number++) {
		node = torus_node_index(g, number);
		if (node == TORUS_NONE)
			continue;
		assert_int_equal(torus_node_number(g, node), number);
		nodes++;
	}
	assert_int_equal(nodes, g->nodes);
	assert_int_equal(torus_node_index(g, TORUS_NONE), TORUS_NONE);
	assert_int_equal(torus_node_index(g, TORUS_NONE - 1), TORUS_NONE);
}

static void test_plain(void **state)
{
	struct torus_geometry g = shape(3, (const u32[]){ 4, 5, 6 });
	u32 node;

	check_all(&g);
	assert_int_equal(g.numbering.last, 119);
	for (node = 0; node < g.nodes; node++)
		assert_int_equal(torus_node_number(&g, node), node);
}

/* Groups of twelve, x fastest, then a, b, c: number = group * 12 + a + 2 (b + 3 c). */
static void test_group_major(void **state)
{
	struct torus_geometry g = shape(6, (const u32[]){ 3, 4, 5, 2, 3, 2 });
	const u32 strides[6] = { 12, 36, 144, 1, 2, 6 };
	u32 c[6] = { 2, 1, 3, 1, 2, 0 };

	memcpy(g.numbering.stride, strides, sizeof(strides));
	assert_true(torus_number_init(&g));
	check_all(&g);
	assert_int_equal(g.numbering.last, 719);
	assert_int_equal(torus_node_number(&g, torus_geometry_node(&g, c)),
			 (2 + 3 * (1 + 4 * 3)) * 12 + 1 + 2 * (2 + 3 * 0));
}

/*
 * Regions of four planes of x, with z fastest. The last region is smaller. Each region starts at a
 * multiple of 4096.
 */
static void test_regions(void **state)
{
	struct torus_geometry g = shape(3, (const u32[]){ 11, 12, 16 });
	u32 c[3] = { 9, 3, 5 };

	g.numbering.split[0] = 4;
	g.numbering.stride[0] = 12 * 16;
	g.numbering.jump[0] = 4096;
	g.numbering.stride[1] = 16;
	g.numbering.stride[2] = 1;
	assert_true(torus_number_init(&g));
	check_all(&g);
	assert_int_equal(torus_node_number(&g, torus_geometry_node(&g, c)),
			 2 * 4096 + 1 * 192 + 3 * 16 + 5);
	assert_int_equal(g.numbering.last, 2 * 4096 + 2 * 192 + 11 * 16 + 15);
	/*
	 * numbers without a node: between two regions, and after the last plane of the last region
	 */
	assert_int_equal(torus_node_index(&g, 4095), TORUS_NONE);
	assert_int_equal(torus_node_index(&g, 2 * 4096 + 3 * 192), TORUS_NONE);
}

/*
 * Two dimensions are split into pieces. The numbers of a whole piece extend beyond those of the
 * smaller piece after it.
 */
static void test_pieces(void **state)
{
	struct torus_geometry g = shape(2, (const u32[]){ 5, 7 });

	g.numbering.split[0] = 2;
	g.numbering.stride[0] = 100;
	g.numbering.jump[0] = 1000;
	g.numbering.split[1] = 3;
	g.numbering.stride[1] = 7;
	g.numbering.jump[1] = 30;
	assert_true(torus_number_init(&g));
	check_all(&g);
	assert_int_equal(g.numbering.last, 2000 + 60);

	/* the greatest number is in the first of two pieces */
	g = shape(1, (const u32[]){ 9 });
	g.numbering.split[0] = 8;
	g.numbering.stride[0] = 10;
	g.numbering.jump[0] = 1;
	assert_true(torus_number_init(&g));
	check_all(&g);
	assert_int_equal(g.numbering.last, 70);
}

/* A numbering with two equal numbers, or with numbers beyond 32 bits, is rejected. */
static void test_refused(void **state)
{
	struct torus_geometry g = shape(3, (const u32[]){ 4, 4, 4 });

	g.numbering.stride[1] = 3;
	assert_false(torus_number_init(&g));
	check_all(&g);
	g.numbering.stride[2] = 0;
	assert_false(torus_number_init(&g));
	g.numbering.split[0] = 0;
	assert_false(torus_number_init(&g));
	g.numbering.stride[2] = 0x60000000;
	assert_false(torus_number_init(&g));
	g.numbering.stride[2] = 0x50000000;
	assert_true(torus_number_init(&g));
	assert_int_equal(g.numbering.last, 3 * 0x50000000u + 15);
	assert_int_equal(torus_node_index(&g, 0xf0000010), TORUS_NONE);
	assert_int_equal(torus_node_index(&g, 0xf000000f), 63);
}

static void test_text(void **state)
{
	struct torus_geometry g = shape(2, (const u32[]){ 2, 2 });
	char text[TORUS_NUMBER_TEXT];

	g.numbering.stride[1] = 4096;
	assert_true(torus_number_init(&g));
	assert_string_equal(torus_number_text(&g, 2, text, sizeof(text)),
			    "node 2: no node has this number");
	assert_string_equal(torus_number_text(&g, 4098, text, sizeof(text)),
			    "node 4098: must be 0 to 4097");
	assert_string_equal(torus_number_text(&g, 0xfffffffe, text, sizeof(text)),
			    "node 4294967294: must be 0 to 4097");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_group_major),
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
