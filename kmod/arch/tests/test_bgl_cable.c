// SPDX-License-Identifier: GPL-2.0
/*
 * Cable lengths of Blue Gene/L. A midplane is 8x8x8 nodes, a rack two midplanes stacked in z.
 * Links between midplanes may be longer than links within one.
 */
#include "arch/bgl/bgl.h"
#include "arch/bgl/cable.h"
#include "arch/bgl/inject.h"
#include "arch/tests/bgl_rig.h"
#include "core/run/windows.h"

#define MIDPLANE_TICKS	31
#define RACK_TICKS	77
#define SETTINGS	"midplane_ticks=31 rack_ticks=77"

/*
 * Compute the kind of a cable from the coordinates of its ends: within a midplane, within a rack,
 * or between racks.
 */
static u32 kind(u32 dim, u32 a, u32 b)
{
	if (a / 8 == b / 8)
		return BGL_CABLE_SHORT;
	return dim == 2 && a / 16 == b / 16 ? BGL_CABLE_MIDPLANE : BGL_CABLE_RACK;
}

static u32 ticks(u32 dim, u32 a, u32 b)
{
	static const u32 of[] = {
		[BGL_CABLE_SHORT] = 0,
		[BGL_CABLE_MIDPLANE] = MIDPLANE_TICKS,
		[BGL_CABLE_RACK] = RACK_TICKS,
	};

	return of[kind(dim, a, b)];
}

static void test_kinds(void **state)
{
	static const u32 lengths[] = { 2, 5, 8, 16, 32, 64 };
	u32 i, dim, at;

	for (i = 0; i < COUNT(lengths); i++)
		for (dim = 0; dim < 3; dim++)
			for (at = 0; at < lengths[i]; at++) {
				u32 next = at + 1 == lengths[i] ? 0 : at + 1;

				assert_int_equal(bgl_cable(dim, lengths[i], next),
						 kind(dim, at, next));
			}
}

/* Both ends of a cable have the same length. */
static void test_both_ends(void **state)
{
	struct torus_fabric *f = rig_make("16x3x32", "");
	const struct torus_geometry *g = &f->cfg.geo;
	u32 node, dir, seen[3] = { 0 };

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < BGL_DIRS; dir++) {
			u32 peer = torus_geometry_neighbor(g, node, dir), a[TORUS_DIMS_MAX];
			u32 dim = TORUS_DIM(dir), b[TORUS_DIMS_MAX];

			torus_geometry_coords(g, node, a);
			torus_geometry_coords(g, peer, b);
			assert_int_equal(bgl_cable_of(g, node, dir), kind(dim, a[dim], b[dim]));
			assert_int_equal(bgl_cable_of(g, peer, TORUS_REVERSE(dir)),
					 bgl_cable_of(g, node, dir));
			seen[bgl_cable_of(g, node, dir)]++;
		}
	assert_true(seen[0] && seen[1] && seen[2]);
	torus_fabric_destroy(f);
}

/* Sum the extra ticks of the cables on a deterministic path. */
static u32 path_ticks(struct torus_fabric *f, u32 src, u32 dst)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim, sum = 0;

	torus_geometry_coords(g, src, a);
	torus_geometry_coords(g, dst, b);
	for (dim = 0; dim < 3; dim++) {
		s32 steps = bgl_steps(f, dim, a[dim], b[dim]);
		u32 n = g->dims[dim], at = a[dim];

		for (; steps; steps += steps > 0 ? -1 : 1) {
			u32 next = (at + (steps > 0 ? 1 : n - 1)) % n;

			sum += ticks(dim, at, next);
			at = next;
		}
	}
	return sum;
}

/*
 * Check the latency without load: each hop takes the extra ticks of its cable. Check that tokens
 * are conserved.
 */
static void check_path(const char *shape, const char *settings, u32 step)
{
	struct torus_fabric *f = rig_make(shape, settings);
	struct rig_trace trace;
	u32 src, dst, n = 0;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	for (src = 0; src < f->nodes; src += step)
		for (dst = src % 7; dst < f->nodes; dst += 1 + step / 3) {
			struct torus_packet p;

			if (src == dst)
				continue;
			p = rig_packet(f, src, dst, 1 + n++ % 8);
			rig_inject(f, 0, &p);
			trace.n = 0;
			rig_drain(f);
			assert_int_equal(trace.n, 1);
			assert_int_equal(trace.step[0].at - p.born,
					 20 * trace.step[0].hops + path_ticks(f, src, dst) +
					 32 * p.chunks);
		}
	assert_true(n > 50);
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_zero_load(void **state)
{
	check_path("16x8x16", SETTINGS, 211);
	check_path("16x8x16", SETTINGS " routing=deterministic escape=dateline", 307);
	check_path("1x1x32", SETTINGS, 1);
	check_path("24x1x1", SETTINGS, 1);
	/* a single midplane has no long cables */
	check_path("8x8x8", SETTINGS, 101);
}

/* A long cable delays a packet on each hop, and the tokens on their way back. */
static void test_token_delay(void **state)
{
	struct torus_fabric *f = rig_make("16x1x1", SETTINGS);
	u64 at, taken = 0, back = 0;
	struct torus_packet p = rig_packet_on(f, 7, 9, 8, TORUS_BGL_D0, TORUS_BGL_HINT_XP);

	rig_inject(f, 0, &p);
	for (at = 1; at < 1200; at++) {
		u32 tokens;

		torus_fabric_run(f, at, 0, 1);
		rig_census(f);
		tokens = rig_reg(f, 7, "tokens_xp") >> 16;
		if (tokens != 0x2020 && !taken)
			taken = at;
		if (tokens == 0x2020 && taken && !back)
			back = at;
	}
	/*
	 * the grant takes tokens; they return when the packet has left the next buffer, plus the
	 * delay of the cable
	 */
	assert_int_equal(taken, 1);
	assert_int_equal(back, 1 + 20 + RACK_TICKS + 270 + 20 + RACK_TICKS);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* Tokens and packets are conserved in every window of a saturated run. */
static void test_saturated(void **state)
{
	static const char *const shapes[] = { "16x2x1", "1x1x16", "2x1x24", "1mx1x32m" };
	static const char *const settings[] = {
		SETTINGS, SETTINGS " escape=dateline", SETTINGS " control=simulated",
		SETTINGS " routing=deterministic", "midplane_ticks=256 rack_ticks=256",
	};
	u32 i, j;

	for (i = 0; i < COUNT(shapes); i++)
		for (j = 0; j < COUNT(settings); j++) {
			struct torus_fabric *f = rig_make(shapes[i], settings[j]);
			struct torus_result r;

			rig_packets(f, 60, 32, 256);
			while (rig_step(f, 1, 1))
				rig_census(f);
			torus_traffic_result(f, &r);
			assert_int_equal(r.done, 1);
			rig_at_rest(f);
			torus_fabric_destroy(f);
		}
}

/* A live link has the same cable length as a link without a simulated protocol. */
static void test_live_links(void **state)
{
	static const char *const settings[] = { SETTINGS, SETTINGS " control=simulated" };
	const struct torus_fault none = {
		.what = TORUS_FAULT_CORRUPT, .node = TORUS_NONE, .dir = TORUS_NONE,
	};
	u32 i, live;

	for (i = 0; i < COUNT(settings); i++) {
		u64 done[2];

		for (live = 0; live < 2; live++) {
			struct torus_fabric *f = rig_make("16x1x16", settings[i]);
			struct rig_trace trace;
			struct torus_packet p;

			if (live)
				rig_fault(f, &none);
			rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
			p = rig_packet(f, 6, rig_node(f, 9, 0, 10), 8);
			rig_inject(f, 0, &p);
			rig_drain(f);
			assert_int_equal(trace.n, 1);
			done[live] = trace.step[0].at;
			assert_int_equal(trace.step[0].at, 20 * trace.step[0].hops +
					 path_ticks(f, 6, p.dst) + 256);
			rig_at_rest(f);
			rig_trace_free(&trace);
			torus_fabric_destroy(f);
		}
		assert_int_equal(done[0], done[1]);
	}
}

/* Long links with bit errors deliver every packet. */
static void test_errors(void **state)
{
	struct torus_fabric *f = rig_make("16x1x16", SETTINGS " ber=2e-5");
	struct torus_result r;

	rig_packets(f, 40, 32, 256);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 40 * 256);
	assert_true(r.retransmitted > 0);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_both_ends),
		cmocka_unit_test(test_zero_load),
		cmocka_unit_test(test_token_delay),
		cmocka_unit_test(test_saturated),
		cmocka_unit_test(test_live_links),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
