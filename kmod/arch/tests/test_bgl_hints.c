// SPDX-License-Identifier: GPL-2.0
/*
 * Hint bits from cutoff registers for each pair of nodes. A packet that follows them through the
 * neighbour registers arrives after the expected number of hops.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/bgl/header.h"
#include "arch/bgl/hints.h"
#include "core/base/geometry.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Store the coordinates of a node as the registers hold them. */
static void coords_of(const struct torus_geometry *g, u32 node, u8 *out)
{
	u32 coords[TORUS_DIMS_MAX], dim;

	torus_geometry_coords(g, node, coords);
	for (dim = 0; dim < BGL_DIMS; dim++)
		out[dim] = (u8)coords[dim];
}

static u32 gap(u32 a, u32 b)
{
	return a > b ? a - b : b - a;
}

static u32 distance(u32 length, bool mesh, u32 from, u32 to)
{
	u32 d = gap(from, to);

	return mesh || d <= length - d ? d : length - d;
}

/*
 * Check whether the rule of the machine's software takes one hop too many. This happens in odd
 * lengths n = 2 h + 1, not at the last node: from an odd node to the node h above it, and from an
 * even node to the node h below it. In both cases the shorter path has no wraparound link.
 */
static bool authentic_detour(u32 length, u32 from, u32 to)
{
	u32 half = length / 2;

	if (length % 2 == 0 || gap(from, to) != half || !half)
		return false;
	if (from < to)
		return from % 2 == 1;
	return from % 2 == 0 && from != length - 1;
}

static u32 expected_hops(u32 length, bool mesh, bool minimal, u32 from, u32 to)
{
	u32 d = distance(length, mesh, from, to);

	return !mesh && !minimal && authentic_detour(length, from, to) ? d + 1 : d;
}

static void cutoffs_of(const struct torus_geometry *g, const u8 *node, bool minimal,
		       struct bgl_cutoff *cutoffs)
{
	u32 dim;

	for (dim = 0; dim < BGL_DIMS; dim++)
		cutoffs[dim] = bgl_cutoffs(g->dims[dim], node[dim], g->mesh >> dim & 1, minimal);
}

/*
 * Move one hop to the neighbour that the register names, and check that it is the neighbour of the
 * geometry. Clear the hint if the neighbour has the destination's coordinate.
 */
static u32 walk_step(const struct torus_geometry *g, u32 node, u32 dir, const u8 *dest,
		     u8 *hints)
{
	u32 dim = TORUS_DIM(dir);
	u32 peer = torus_geometry_neighbor(g, node, dir);
	u8 coords[BGL_DIMS], peer_coords[BGL_DIMS], named;

	assert_int_not_equal(peer, TORUS_NONE);
	coords_of(g, node, coords);
	coords_of(g, peer, peer_coords);
	named = bgl_neighbor_coord(g->dims[dim], coords[dim], TORUS_MINUS(dir),
				   g->mesh >> dim & 1);
	assert_int_equal(named, peer_coords[dim]);
	if (named == dest[dim])
		*hints &= (u8)~bgl_hint_bit(dir);
	return peer;
}

static void walk(const struct torus_geometry *g, bool minimal, u32 from, u32 to)
{
	struct bgl_cutoff cutoffs[BGL_DIMS];
	u8 source[BGL_DIMS], dest[BGL_DIMS], hints;
	u32 node = from, dim, dir, expected = 0, hops = 0;

	coords_of(g, from, source);
	coords_of(g, to, dest);
	cutoffs_of(g, source, minimal, cutoffs);
	hints = bgl_hints(source, dest, cutoffs);
	assert_int_equal(!hints, from == to);

	for (dim = 0; dim < BGL_DIMS; dim++) {
		expected += expected_hops(g->dims[dim], g->mesh >> dim & 1, minimal, source[dim],
					  dest[dim]);
		for (dir = 2 * dim; dir < 2 * dim + 2; dir++) {
			while (hints & bgl_hint_bit(dir)) {
				node = walk_step(g, node, dir, dest, &hints);
				assert_true(++hops <= expected);
			}
		}
	}
	assert_int_equal(node, to);
	assert_int_equal(hints, 0);
	assert_int_equal(hops, expected);
}

/* Walk between each pair of nodes, for each choice of mesh dimensions. */
static void walk_shape(u32 x, u32 y, u32 z, bool minimal)
{
	struct torus_geometry g = { .ndims = 3, .dims = { x, y, z } };
	u32 from, to;

	for (g.mesh = 0; g.mesh < 8; g.mesh++) {
		/* test a large shape only as full torus and full mesh */
		if (x * y * z > 100 && g.mesh % 7)
			continue;
		assert_true(torus_geometry_init(&g, 4096));
		for (from = 0; from < g.nodes; from++)
			for (to = 0; to < g.nodes; to++)
				walk(&g, minimal, from, to);
	}
}

static void test_every_pair_4x4x4_authentic(void **state)
{
	walk_shape(4, 4, 4, false);
}

static void test_every_pair_4x4x4_minimal(void **state)
{
	walk_shape(4, 4, 4, true);
}

static void test_every_pair_5x3x2_authentic(void **state)
{
	walk_shape(5, 3, 2, false);
}

static void test_every_pair_5x3x2_minimal(void **state)
{
	walk_shape(5, 3, 2, true);
}

static void test_every_pair_8x8x8_authentic(void **state)
{
	walk_shape(8, 8, 8, false);
}

static void test_every_pair_8x8x8_minimal(void **state)
{
	walk_shape(8, 8, 8, true);
}

static u32 hint_hops(u32 length, u32 from, u32 to, enum bgl_hint hint)
{
	if (hint == BGL_HINT_NONE)
		return 0;
	return hint == BGL_HINT_PLUS ? (to + length - from) % length :
				       (from + length - to) % length;
}

static enum bgl_hint hint_of(u32 length, u32 from, u32 to, bool mesh, bool minimal)
{
	return bgl_hint((u8)from, (u8)to, bgl_cutoffs(length, from, mesh, minimal));
}

/* Check each pair of nodes of each length in one dimension. */
static void test_every_length_torus(void **state)
{
	u32 length, from, to;

	for (length = 1; length <= BGL_LENGTH_MAX; length++) {
		for (from = 0; from < length; from++) {
			struct bgl_cutoff authentic = bgl_cutoffs(length, from, false, false);
			struct bgl_cutoff minimal = bgl_cutoffs(length, from, false, true);

			for (to = 0; to < length; to++) {
				u32 a = hint_hops(length, from, to,
						  bgl_hint((u8)from, (u8)to, authentic));
				u32 m = hint_hops(length, from, to,
						  bgl_hint((u8)from, (u8)to, minimal));

				if (a != expected_hops(length, false, false, from, to) ||
				    m != distance(length, false, from, to))
					fail_msg("length %u: %u to %u: %u and %u hops", length,
						 from, to, a, m);
			}
		}
	}
}

static void test_every_length_mesh(void **state)
{
	u32 length, from, to;

	for (length = 1; length <= BGL_LENGTH_MAX; length++) {
		for (from = 0; from < length; from++) {
			struct bgl_cutoff cutoff = bgl_cutoffs(length, from, true, false);

			for (to = 0; to < length; to++) {
				enum bgl_hint want = from < to ? BGL_HINT_PLUS :
						     from > to ? BGL_HINT_MINUS : BGL_HINT_NONE;

				if (bgl_hint((u8)from, (u8)to, cutoff) != want)
					fail_msg("length %u: %u to %u", length, from, to);
			}
		}
	}
}

static void check_ties(bool odd, enum bgl_hint want)
{
	u32 length, from;

	for (length = 2; length <= BGL_LENGTH_MAX; length += 2) {
		for (from = odd; from < length; from += 2) {
			u32 to = (from + length / 2) % length;

			assert_int_equal(hint_of(length, from, to, false, false), want);
			assert_int_equal(hint_of(length, from, to, false, true), want);
		}
	}
}

static void test_tie_even_nodes_go_plus(void **state)
{
	check_ties(false, BGL_HINT_PLUS);
}

static void test_tie_odd_nodes_go_minus(void **state)
{
	check_ties(true, BGL_HINT_MINUS);
}

/* Up to length 10 the authentic rule is one hop too long for these pairs, and for no others. */
static void test_authentic_detours(void **state)
{
	static const struct {
		u32 length, from, to;
	} detours[] = {
		{ 3, 1, 2 },
		{ 5, 1, 3 }, { 5, 2, 0 },
		{ 7, 1, 4 }, { 7, 3, 6 }, { 7, 4, 1 },
		{ 9, 1, 5 }, { 9, 3, 7 }, { 9, 4, 0 }, { 9, 6, 2 },
	};
	u32 length, from, to, n = 0;

	for (length = 1; length <= 10; length++) {
		for (from = 0; from < length; from++) {
			for (to = 0; to < length; to++) {
				enum bgl_hint hint = hint_of(length, from, to, false, false);
				u32 hops = hint_hops(length, from, to, hint);
				u32 least = distance(length, false, from, to);

				if (hops == least)
					continue;
				assert_int_equal(hops, least + 1);
				assert_int_equal(length, detours[n].length);
				assert_int_equal(from, detours[n].from);
				assert_int_equal(to, detours[n].to);
				n++;
			}
		}
	}
	assert_int_equal(n, COUNT(detours));
}

static void check_cutoffs(u32 length, bool mesh, bool minimal, const struct bgl_cutoff *want)
{
	u32 x;

	for (x = 0; x < length; x++) {
		struct bgl_cutoff got = bgl_cutoffs(length, x, mesh, minimal);

		assert_int_equal(got.plus, want[x].plus);
		assert_int_equal(got.minus, want[x].minus);
	}
}

static void test_cutoff_registers(void **state)
{
	static const struct bgl_cutoff eight[] = {
		{ 4, 0 }, { 4, 0 }, { 6, 0 }, { 6, 0 }, { 7, 1 }, { 7, 1 }, { 7, 3 }, { 7, 3 },
	};
	static const struct bgl_cutoff five[] = {
		{ 2, 0 }, { 2, 0 }, { 4, 1 }, { 4, 1 }, { 4, 2 },
	};
	static const struct bgl_cutoff five_minimal[] = {
		{ 2, 0 }, { 3, 0 }, { 4, 0 }, { 4, 1 }, { 4, 2 },
	};
	static const struct bgl_cutoff two[] = { { 1, 0 }, { 1, 0 } };
	static const struct bgl_cutoff one[] = { { 0, 0 } };

	check_cutoffs(8, false, false, eight);
	check_cutoffs(8, false, true, eight);
	check_cutoffs(5, false, false, five);
	check_cutoffs(5, false, true, five_minimal);
	check_cutoffs(2, false, false, two);
	check_cutoffs(1, false, false, one);
}

static void test_cutoff_registers_mesh(void **state)
{
	u32 length, x;

	for (length = 1; length <= BGL_LENGTH_MAX; length++) {
		for (x = 0; x < length; x++) {
			struct bgl_cutoff c = bgl_cutoffs(length, x, true, length & 1);

			/* 256 does not fit into the register; 255 also includes each coordinate */
			assert_int_equal(c.plus, length < 256 ? length : 255);
			assert_int_equal(c.minus, 0);
		}
	}
}

static void check_neighbors(u32 length, bool mesh, u32 beyond_plus, u32 beyond_minus)
{
	u32 last = length - 1;
	u32 x;

	for (x = 0; x < last; x++)
		assert_int_equal(bgl_neighbor_coord(length, x, false, mesh), x + 1);
	for (x = 1; x <= last; x++)
		assert_int_equal(bgl_neighbor_coord(length, x, true, mesh), x - 1);
	assert_int_equal(bgl_neighbor_coord(length, last, false, mesh), beyond_plus);
	assert_int_equal(bgl_neighbor_coord(length, 0, true, mesh), beyond_minus);
}

static void test_neighbor_registers(void **state)
{
	u32 length;

	for (length = 1; length <= BGL_LENGTH_MAX; length++) {
		check_neighbors(length, false, 0, length - 1);
		check_neighbors(length, true, length < 256 ? length : 255, 0);
	}
}

/*
 * A packet to the coordinate in a cutoff register takes the direction of that register, even if
 * software wrote the register.
 */
static void test_cutoffs_are_inclusive(void **state)
{
	struct bgl_cutoff c = { .plus = 6, .minus = 2 };

	assert_int_equal(bgl_hint(4, 6, c), BGL_HINT_PLUS);
	assert_int_equal(bgl_hint(4, 7, c), BGL_HINT_MINUS);
	assert_int_equal(bgl_hint(4, 2, c), BGL_HINT_MINUS);
	assert_int_equal(bgl_hint(4, 1, c), BGL_HINT_PLUS);
	assert_int_equal(bgl_hint(4, 4, c), BGL_HINT_NONE);
}

static void test_hint_bits(void **state)
{
	static const u8 bits[] = {
		TORUS_BGL_HINT_XP, TORUS_BGL_HINT_XM, TORUS_BGL_HINT_YP,
		TORUS_BGL_HINT_YM, TORUS_BGL_HINT_ZP, TORUS_BGL_HINT_ZM,
	};
	static const struct bgl_cutoff all[BGL_DIMS] = { { 255, 0 }, { 255, 0 }, { 255, 0 } };
	static const u8 node[BGL_DIMS] = { 5, 5, 5 };
	u32 dir;

	for (dir = 0; dir < 6; dir++) {
		u8 dest[BGL_DIMS] = { 5, 5, 5 };

		dest[dir / 2] = dir % 2 ? 4 : 6;
		assert_int_equal(bgl_hint_bit(dir), bits[dir]);
		assert_int_equal(bgl_hints(node, dest, all), bits[dir]);
	}
	assert_int_equal(bgl_hints(node, node, all), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_pair_4x4x4_authentic),
		cmocka_unit_test(test_every_pair_4x4x4_minimal),
		cmocka_unit_test(test_every_pair_5x3x2_authentic),
		cmocka_unit_test(test_every_pair_5x3x2_minimal),
		cmocka_unit_test(test_every_pair_8x8x8_authentic),
		cmocka_unit_test(test_every_pair_8x8x8_minimal),
		cmocka_unit_test(test_every_length_torus),
		cmocka_unit_test(test_every_length_mesh),
		cmocka_unit_test(test_tie_even_nodes_go_plus),
		cmocka_unit_test(test_tie_odd_nodes_go_minus),
		cmocka_unit_test(test_authentic_detours),
		cmocka_unit_test(test_cutoff_registers),
		cmocka_unit_test(test_cutoff_registers_mesh),
		cmocka_unit_test(test_neighbor_registers),
		cmocka_unit_test(test_cutoffs_are_inclusive),
		cmocka_unit_test(test_hint_bits),
	};

	return cmocka_run_group_tests_name("bgl_hints", tests, NULL, NULL);
}
