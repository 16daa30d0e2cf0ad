// SPDX-License-Identifier: GPL-2.0
/*
 * Router of Blue Gene/L, one rule per test: clearing of hints, hops and latency between each pair
 * of nodes, and tokens and bubbles in buffers that the test fills.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "scene.h"
#include "core/run/windows.h"

#define D0	TORUS_BGL_D0
#define D1	TORUS_BGL_D1
#define BN	TORUS_BGL_BN
#define BP	TORUS_BGL_BP

#define IH	TORUS_BGL_INJECT_PRIORITY

#define HOPS	(1u << TORUS_TRACE_HOP)
#define ENDS	(1u << TORUS_TRACE_DELIVER | 1u << TORUS_TRACE_DROP)

/* ---------------------------------------------------------- each pair of nodes */

/* Count the links of the path in one dimension, by the rule of the cutoff registers. */
static u32 steps(u32 n, bool mesh, bool minimal, u32 x, u32 to)
{
	u32 gap = to > x ? to - x : x - to, half = n / 2;
	u32 plus, minus;

	if (mesh)
		return gap;
	if (minimal)
		return gap < n - gap ? gap : n - gap;
	if ((x + 1) % n % 2) {
		plus = x + half < n - 1 ? x + half : n - 1;
		minus = x + 1 > half ? x + 1 - half : 0;
	} else {
		plus = x + half < n ? x + half - 1 : n - 1;
		minus = x > half ? x - half : 0;
	}
	if (x < to)
		return to <= plus ? gap : n - gap;
	if (x > to)
		return to >= minus ? gap : n - gap;
	return 0;
}

struct pairs {
	const char *shape;
	const char *settings;
	bool minimal;
	u32 latency;
	u32 chunks;
};

/*
 * Send one packet at a time between each pair. It takes the number of hops that follows from the
 * cutoffs, and hops x latency + size ticks.
 */
static void check_pairs(const struct pairs *what)
{
	struct torus_fabric *f = rig_make(what->shape, what->settings);
	const struct torus_geometry *g = &f->cfg.geo;
	u32 src, dst, dim, a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX];
	struct rig_trace trace;

	rig_trace_start(f, &trace, ENDS);
	for (src = 0; src < f->nodes; src++)
		for (dst = 0; dst < f->nodes; dst++) {
			struct torus_packet p;
			u32 hops = 0;

			if (src == dst)
				continue;
			torus_geometry_coords(g, src, a);
			torus_geometry_coords(g, dst, b);
			for (dim = 0; dim < 3; dim++)
				hops += steps(g->dims[dim], g->mesh >> dim & 1, what->minimal,
					      a[dim], b[dim]);
			p = rig_packet(f, src, dst, what->chunks);
			rig_inject(f, 0, &p);
			trace.n = 0;
			rig_drain(f);
			assert_int_equal(trace.n, 1);
			assert_int_equal(trace.step[0].what, TORUS_TRACE_DELIVER);
			assert_int_equal(trace.step[0].node, dst);
			assert_int_equal(trace.step[0].hops, hops);
			assert_int_equal(trace.step[0].at - p.born,
					 what->latency * hops + what->chunks * 32);
		}
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_every_pair_4x4x4_dynamic(void **state)
{
	check_pairs(&(struct pairs){ "4x4x4", "", false, 20, 8 });
}

static void test_every_pair_4x4x4_deterministic(void **state)
{
	check_pairs(&(struct pairs){ "4x4x4", "routing=deterministic", false, 20, 8 });
}

static void test_every_pair_4x4x4_latency(void **state)
{
	check_pairs(&(struct pairs){ "4x4x4", "latency=47", false, 47, 3 });
}

static void test_every_pair_5x3x2_authentic(void **state)
{
	check_pairs(&(struct pairs){ "5x3x2", "", false, 20, 1 });
}

static void test_every_pair_5x3x2_minimal(void **state)
{
	check_pairs(&(struct pairs){ "5x3x2", "hints=minimal", true, 20, 5 });
}

static void test_every_pair_mesh(void **state)
{
	check_pairs(&(struct pairs){ "4mx4mx4m", "", false, 20, 8 });
	check_pairs(&(struct pairs){ "5mx3x2m", "routing=deterministic", false, 20, 8 });
}

/* --------------------------------------------------------- hints on the path */

/*
 * Return one bit per dimension in which the node and the packet's destination have different
 * coordinates.
 */
static u32 open_dimensions(struct torus_fabric *f, u32 node, u32 dst)
{
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim, bits = 0;

	torus_geometry_coords(&f->cfg.geo, node, a);
	torus_geometry_coords(&f->cfg.geo, dst, b);
	for (dim = 0; dim < 3; dim++)
		bits |= (u32)(a[dim] != b[dim]) << dim;
	return bits;
}

static u32 hinted_dimensions(u32 hints)
{
	return (hints & 0x30 ? 1 : 0) | (hints & 0x0c ? 2 : 0) | (hints & 0x03 ? 4 : 0);
}

/*
 * A hint is cleared when the packet leaves for the node with the destination's coordinate in that
 * dimension.
 */
static void test_hint_clearing(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct rig_trace trace;
	u32 dst, i;

	rig_trace_start(f, &trace, HOPS | ENDS);
	for (dst = 1; dst < f->nodes; dst++) {
		struct torus_packet p = rig_packet(f, 0, dst, 2);

		rig_inject(f, dst % 3, &p);
		trace.n = 0;
		rig_drain(f);
		assert_true(trace.n >= 2);
		assert_int_equal(trace.step[trace.n - 1].what, TORUS_TRACE_DELIVER);
		for (i = 0; i < trace.n - 1; i++) {
			const struct rig_step *s = &trace.step[i];
			u32 next = torus_geometry_neighbor(&f->cfg.geo, s->node, s->dir);
			const struct bgl_fields *fields = (const struct bgl_fields *)s->header;

			assert_int_equal(hinted_dimensions(fields->hints),
					 open_dimensions(f, next, dst));
		}
	}
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* "e-cube": the path completes x, then y, then z, and uses only the bubble VC. */
static void test_dimension_order(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "routing=deterministic");
	struct rig_trace trace;
	u32 dst, i;

	rig_trace_start(f, &trace, HOPS | ENDS);
	for (dst = 1; dst < f->nodes; dst++) {
		struct torus_packet p = rig_packet(f, 0, dst, 2);
		u32 dim = 0;

		rig_inject(f, 0, &p);
		trace.n = 0;
		rig_drain(f);
		assert_int_equal(trace.step[trace.n - 1].what, TORUS_TRACE_DELIVER);
		for (i = 0; i < trace.n - 1; i++) {
			assert_int_equal(trace.step[i].vc, BN);
			assert_true(TORUS_DIM(trace.step[i].dir) >= dim);
			dim = TORUS_DIM(trace.step[i].dir);
		}
	}
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/*
 * A router clears hints by its neighbour registers only. With a wrong register a packet circles
 * until hop_limit.
 */
static void check_round(const char *settings, u32 limit)
{
	struct torus_fabric *f = rig_make("4x4x4", settings);
	struct torus_fabric_counters c;
	struct torus_packet p;
	struct rig_trace trace;

	rig_trace_start(f, &trace, HOPS | ENDS);
	/* the plus neighbour of node 1 in x is 2, but its register says 3 */
	rig_reg_set(f, 1, "plus_neighbor", 0x030101);
	p = rig_packet_on(f, 0, 2, 4, D0, TORUS_BGL_HINT_XP);
	rig_inject(f, 0, &p);
	torus_fabric_run(f, 20000, 0, 1);
	assert_int_equal(trace.step[trace.n - 1].what, TORUS_TRACE_DROP);
	assert_int_equal(trace.step[trace.n - 1].hops, limit + 1);
	torus_fabric_counters(f, &c);
	assert_int_equal(c.dropped[TORUS_DROP_HOP_LIMIT], 1);
	assert_int_equal(c.delivered, 0);
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_hop_limit(void **state)
{
	check_round("", 24);
	check_round("hop_limit=9", 9);
}

/*
 * If a register clears a hint too early, the packet stops before its destination and is dropped.
 */
static void test_misprogrammed_stops_short(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_fabric_counters c;
	struct torus_packet p;

	rig_reg_set(f, 0, "plus_neighbor", 0x020101);
	p = rig_packet_on(f, 0, 2, 4, D0, TORUS_BGL_HINT_XP);
	rig_inject(f, 0, &p);
	rig_drain(f);
	torus_fabric_counters(f, &c);
	assert_int_equal(c.dropped[TORUS_DROP_NO_ROUTE], 1);
	assert_int_equal(c.delivered, 0);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* A packet whose hint leads over the edge of a mesh is dropped. */
static void test_mesh_edge_drops(void **state)
{
	struct torus_fabric *f = rig_make("4mx4x4", "");
	struct torus_packet p = rig_packet_on(f, 3, 0, 4, D0, TORUS_BGL_HINT_XP);
	struct torus_fabric_counters c;

	rig_inject(f, 0, &p);
	rig_drain(f);
	torus_fabric_counters(f, &c);
	assert_int_equal(c.dropped[TORUS_DROP_NO_ROUTE], 1);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* A packet to its own node with one hint bit goes once round the ring. */
static void test_self_goes_round(void **state)
{
	struct torus_fabric *f = rig_make("4x3x2", "");
	struct torus_packet p = rig_packet_on(f, 1, 1, 8, D0, TORUS_BGL_HINT_XM);
	struct rig_trace trace;

	rig_trace_start(f, &trace, ENDS);
	rig_inject(f, 0, &p);
	rig_drain(f);
	assert_int_equal(trace.n, 1);
	assert_int_equal(trace.step[0].what, TORUS_TRACE_DELIVER);
	assert_int_equal(trace.step[0].hops, 4);
	assert_int_equal(trace.step[0].at, 4 * 20 + 256);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------------------- the link */

/* A packet occupies a link for its size and 14 byte-times. */
static void test_wire_overhead(void **state)
{
	static const u32 chunks[] = { 1, 3, 8 };
	u32 i, j;

	for (i = 0; i < COUNT(chunks); i++) {
		struct torus_fabric *f = rig_make("4x4x4", "");
		struct torus_link_counters c;
		struct rig_trace trace;

		rig_trace_start(f, &trace, HOPS);
		for (j = 0; j < 6; j++) {
			struct torus_packet p = rig_packet(f, 0, 1, chunks[i]);

			rig_inject(f, j % 3, &p);
		}
		rig_drain(f);
		assert_int_equal(trace.n, 6);
		for (j = 0; j < 6; j++)
			assert_int_equal(trace.step[j].at, j * (chunks[i] * 32 + 14));
		c = rig_link(f, 0, XP);
		assert_int_equal(c.busy_ticks, 6 * (chunks[i] * 32 + 14));
		assert_int_equal(c.chunks[D0] + c.chunks[D1] + c.chunks[BN], 6 * chunks[i]);
		rig_trace_free(&trace);
		torus_fabric_destroy(f);
	}
}

/* A dynamic packet without tokens on any dynamic VC takes the bubble VC. */
static void test_bubble_escape(void **state)
{
	const struct rig_step *step;
	struct trace_scene s;

	scene_open(&s, "", 1);
	scene_fill(&s, YP, D0, 4, 8);
	scene_fill(&s, YP, D1, 4, 8);
	scene_fill(&s, ZP, D0, 4, 8);
	scene_fill(&s, ZP, D1, 4, 8);
	scene_inject(&s, 0, D0, TORUS_BGL_HINT_YP | TORUS_BGL_HINT_ZP, 8);
	step = scene_left(&s, 1, 0);
	assert_non_null(step);
	/* the escape route is deterministic: y before z */
	assert_int_equal(step->vc, BN);
	assert_int_equal(step->dir, YP);
	scene_close(&s);
}

/* A dynamic VC is available only if it has tokens for a full packet, also for a shorter packet. */
static void test_token_full_packet(void **state)
{
	static const u32 rest[] = { 7, 8 };
	u32 i;

	for (i = 0; i < 2; i++) {
		const struct rig_step *step;
		struct trace_scene s;

		scene_open(&s, "", 1);
		scene_fill(&s, YP, D0, 4, 8);
		scene_fill(&s, YP, BN, 4, 8);
		scene_fill(&s, YP, D1, 3, 8);
		if (rest[i] < 8)
			scene_fill(&s, YP, D1, 1, 8 - rest[i]);
		scene_inject(&s, 0, D0, TORUS_BGL_HINT_YP, 1);
		step = scene_left(&s, 1, 0);
		if (rest[i] < 8)
			assert_null(step);
		else
			assert_int_equal(step->vc, D1);
		rig_drain(s.f);
		rig_at_rest(s.f);
		rig_trace_free(&s.trace);
		torus_fabric_destroy(s.f);
	}
}

/*
 * A packet enters the bubble VC if there is space for two full packets, and continues in its ring
 * if there is space for one.
 */
static void test_bubble_enter_two(void **state)
{
	static const struct {
		u32 filled;
		u32 from;	/* direction of arrival; ZM + 1: injected */
		u32 vc;		/* VC of arrival */
		bool goes;
	} cases[] = {
		{ 2, ZM + 1, BN, true },
		{ 3, ZM + 1, BN, false },
		{ 2, XP, BN, true },	/* a turn */
		{ 3, XP, BN, false },
		{ 3, YP, BN, true },	/* continues straight on */
		{ 4, YP, BN, false },
		{ 3, YP, D0, false },	/* from a dynamic VC, in the same direction */
		{ 2, YP, D0, true },
		{ 2, ZM + 1, BP, true },
		{ 3, ZM + 1, BP, false },
		{ 3, YP, BP, true },
		{ 3, ZP, BP, false },
	};
	u32 i;

	for (i = 0; i < COUNT(cases); i++) {
		bool high = cases[i].vc == BP;
		u32 vc = high ? BP : BN, fifo = high ? IH : 0;
		const struct rig_step *step;
		struct trace_scene s;

		scene_open(&s, "", 1);
		scene_fill(&s, YP, D0, 4, 8);
		scene_fill(&s, YP, D1, 4, 8);
		scene_fill(&s, YP, vc, cases[i].filled, 8);
		if (cases[i].from > ZM)
			scene_inject(&s, fifo, cases[i].vc, TORUS_BGL_HINT_YP, 8);
		else
			scene_transit(&s, cases[i].from, cases[i].vc, TORUS_BGL_HINT_YP, 8);
		step = scene_left(&s, 1, 0);
		if (!cases[i].goes) {
			struct torus_link_counters c = rig_link(s.f, s.node, YP);

			assert_null(step);
			if (cases[i].filled == 3)
				assert_true(c.stalls[TORUS_STALL_BUBBLE] > 0);
		} else {
			assert_non_null(step);
			assert_int_equal(step->vc, vc);
		}
		rig_drain(s.f);
		rig_at_rest(s.f);
		rig_trace_free(&s.trace);
		torus_fabric_destroy(s.f);
	}
}

/* On a bubble VC every packet counts as full-sized, on a dynamic VC with its true size. */
static void test_bubble_full_size(void **state)
{
	static const u32 vcs[] = { D0, BN, BP };
	u32 i, chunks;

	for (i = 0; i < COUNT(vcs); i++)
		for (chunks = 1; chunks <= 8; chunks++) {
			u32 want = vcs[i] == D0 ? 32 - chunks : 24, taken;
			const struct rig_step *step;
			struct trace_scene s;

			scene_open(&s, "", 1);
			scene_inject(&s, vcs[i] == BP ? IH : 0, vcs[i], TORUS_BGL_HINT_YP,
				     chunks);
			step = scene_left(&s, 1, 0);
			taken = rig_reg(s.f, s.node, "tokens_yp") >> (24 - 8 * step->vc) & 0xff;
			assert_int_equal(taken, want);
			torus_fabric_run(s.f, 21, 0, 1);
			taken = rig_reg(s.f, scene_target(&s, TORUS_BGL_HINT_YP), "fullness_yp");
			assert_int_equal(taken >> (24 - 8 * step->vc) & 0xff, 32 - want);
			scene_close(&s);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_pair_4x4x4_dynamic),
		cmocka_unit_test(test_every_pair_4x4x4_deterministic),
		cmocka_unit_test(test_every_pair_4x4x4_latency),
		cmocka_unit_test(test_every_pair_5x3x2_authentic),
		cmocka_unit_test(test_every_pair_5x3x2_minimal),
		cmocka_unit_test(test_every_pair_mesh),
		cmocka_unit_test(test_hint_clearing),
		cmocka_unit_test(test_dimension_order),
		cmocka_unit_test(test_hop_limit),
		cmocka_unit_test(test_misprogrammed_stops_short),
		cmocka_unit_test(test_mesh_edge_drops),
		cmocka_unit_test(test_self_goes_round),
		cmocka_unit_test(test_wire_overhead),
		cmocka_unit_test(test_bubble_escape),
		cmocka_unit_test(test_token_full_packet),
		cmocka_unit_test(test_bubble_enter_two),
		cmocka_unit_test(test_bubble_full_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
