// SPDX-License-Identifier: GPL-2.0
/*
 * The router of the design studies, compared with the machine's own router: number of dynamic VCs,
 * escape schemes, buffer sizes, length of a byte-time.
 */
#include "arch/arch.h"
#include "arch/bgl/bgl.h"
#include "core/run/watchdog.h"
#include "scene.h"

#define D0	TORUS_BGL_D0
#define BN	TORUS_BGL_BN
#define BP	TORUS_BGL_BP

/* VCs of the design studies' router. */
enum { E0 = 4, E1 = 5, PRIORITY = 6 };

#define HOPS	(1u << TORUS_TRACE_HOP)
#define ENDS	(1u << TORUS_TRACE_DELIVER | 1u << TORUS_TRACE_DROP)

/* ---------------------------------------------------- delivery with each escape scheme */

struct study_outcome {
	u64 hash;
	u64 clock;
	u64 vc_packets[TORUS_VCS_MAX];
};

/* Run a saturated all-to-all workload to its end, with a census at some windows. */
static struct study_outcome all_pairs(const char *shape, const char *settings, u32 packets,
				      u32 domains)
{
	const struct torus_traffic traffic = {
		.pattern = TORUS_PATTERN_ALLTOALL, .size_min = 32, .size_max = 256,
		.packets = packets,
	};
	struct torus_error err;
	struct study_outcome out = { 0 };
	struct torus_result r;
	struct torus_fabric *f;
	char text[256];
	u32 looks = 0;

	snprintf(text, sizeof(text), "%s domains=%u", settings, domains);
	f = rig_make(shape, text);
	assert_int_equal(torus_traffic_start(f, &traffic, &err), 0);
	while (rig_step(f, 60, domains > 1 ? 2 : 1)) {
		rig_census(f);
		looks++;
	}
	torus_traffic_result(f, &r);
	if (r.done != 1)
		fail_msg("%s %s: ends with %u", shape, text, (u32)r.done);
	assert_true(looks > 1);
	assert_int_equal(r.delivered, (u64)packets * f->nodes * (f->nodes - 1));
	assert_int_equal(r.dropped, 0);
	rig_at_rest(f);
	out.hash = r.hash;
	out.clock = r.clock;
	memcpy(out.vc_packets, r.vc_packets, sizeof(out.vc_packets));
	torus_fabric_destroy(f);
	return out;
}

static void check_settings(const char *shape, u32 packets)
{
	static const char *const vcs[] = { "1", "2", "4" };
	static const char *const escapes[] = { "bubble", "dateline" };
	static const char *const orders[] = { "dimension", "direction" };
	static const char *const routings[] = { "dynamic", "deterministic" };
	u32 i;

	for (i = 0; i < 3 * 2 * 2 * 2; i++) {
		struct study_outcome one, many;
		char text[256];

		snprintf(text, sizeof(text),
			 "dynamic_vcs=%s escape=%s escape_order=%s routing=%s vc_bytes=512",
			 vcs[i % 3], escapes[i / 3 % 2], orders[i / 6 % 2], routings[i / 12]);
		one = all_pairs(shape, text, packets, 1);
		many = all_pairs(shape, text, packets, 2 + i % 3);
		assert_int_equal(one.hash, many.hash);
		assert_int_equal(one.clock, many.clock);
	}
}

static void test_all_pairs_3x3x3(void **state)
{
	check_settings("3x3x3", 4);
}

static void test_all_pairs_4x4x2(void **state)
{
	check_settings("4x4x2", 3);
}

static void test_all_pairs_5x4x1(void **state)
{
	check_settings("5x4x1", 6);
}

static void test_all_pairs_mesh(void **state)
{
	check_settings("4mx3mx3", 4);
}

/* A packet without other traffic takes as long as in the machine's own router. */
static void test_zero_load(void **state)
{
	static const char *const settings[] = {
		"dynamic_vcs=4", "escape=dateline", "dynamic_vcs=4 escape=dateline latency=31",
		"escape=dateline routing=deterministic", "escape=dateline escape_order=direction",
	};
	u32 i, dst;

	for (i = 0; i < COUNT(settings); i++) {
		struct torus_fabric *f = rig_make("5x4x3", settings[i]);
		u32 latency = bgl_machine(f)->timing.latency;
		struct rig_trace trace;

		rig_trace_start(f, &trace, ENDS);
		for (dst = 1; dst < f->nodes; dst++) {
			struct torus_packet p = rig_packet(f, 0, dst, 1 + dst % 8);

			rig_inject(f, dst % 3, &p);
			trace.n = 0;
			rig_drain(f);
			assert_int_equal(trace.n, 1);
			assert_int_equal(trace.step[0].node, dst);
			assert_int_equal(trace.step[0].at - p.born,
					 trace.step[0].hops * latency + p.chunks * 32);
		}
		rig_at_rest(f);
		rig_trace_free(&trace);
		torus_fabric_destroy(f);
	}
}

/* Packets use exactly the dynamic VCs and escape VCs that the settings select. */
static void test_vcs_in_use(void **state)
{
	struct study_outcome o;

	o = all_pairs("4x4x2", "dynamic_vcs=4 vc_bytes=512", 20, 1);
	assert_true(o.vc_packets[0] && o.vc_packets[1] && o.vc_packets[2] && o.vc_packets[3]);
	assert_int_equal(o.vc_packets[E1], 0);
	o = all_pairs("8x4x2", "dynamic_vcs=1 escape=dateline vc_bytes=512", 8, 1);
	assert_true(o.vc_packets[0]);
	assert_int_equal(o.vc_packets[1] | o.vc_packets[2] | o.vc_packets[3], 0);
	assert_true(o.vc_packets[E0] && o.vc_packets[E1]);
	assert_int_equal(o.vc_packets[PRIORITY], 0);
}

/* Priority packets have a VC in this router, too. */
static void test_priority(void **state)
{
	const struct rig_step *step;
	struct trace_scene s;
	u32 seq;

	scene_open(&s, "escape=dateline", 3);
	scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 8);
	scene_transit(&s, ZM, BN, TORUS_BGL_HINT_YP, 8);
	seq = scene_inject(&s, TORUS_BGL_INJECT_PRIORITY, BP, TORUS_BGL_HINT_YP, 8);
	step = scene_left(&s, 1, 0);
	assert_int_equal(step->seq, seq);
	assert_int_equal(step->vc, PRIORITY);
	scene_close(&s);
}

/* ------------------------------------------------------------------- datelines */

/*
 * "Before crossing the dateline, the escape VC is the lower-numbered of the pair, but after
 * crossing the dateline, the escape VC is the higher-numbered": check each dimension separately,
 * in both directions.
 */
static void check_pair(const char *shape, const char *settings)
{
	struct torus_fabric *f = rig_make(shape, settings);
	const struct torus_geometry *g = &f->cfg.geo;
	u32 src, dst, i, crossings = 0;
	struct rig_trace trace;

	rig_trace_start(f, &trace, HOPS);
	for (src = 0; src < f->nodes; src++)
		for (dst = 0; dst < f->nodes; dst++) {
			bool crossed[3] = { false };
			struct torus_packet p;

			if (src == dst)
				continue;
			p = rig_packet(f, src, dst, 3);
			rig_inject(f, 0, &p);
			trace.n = 0;
			rig_drain(f);
			for (i = 0; i < trace.n; i++) {
				u32 dir = trace.step[i].dir, dim = TORUS_DIM(dir);
				u32 at[TORUS_DIMS_MAX];

				assert_int_equal(trace.step[i].vc, crossed[dim] ? E1 : E0);
				torus_geometry_coords(g, trace.step[i].node, at);
				if (at[dim] == (dir & 1 ? 0 : g->dims[dim] - 1)) {
					crossed[dim] = true;
					crossings++;
				}
			}
		}
	assert_true(crossings > f->nodes);
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_dateline_vcs(void **state)
{
	check_pair("7x1x1", "escape=dateline routing=deterministic");
	check_pair("5x4x2", "escape=dateline routing=deterministic");
	check_pair("5x4x2", "escape=dateline escape_order=direction routing=deterministic");
}

/* A dynamic packet that crossed the dateline on a dynamic VC also takes the higher escape VC. */
static void test_dateline_of_dynamic(void **state)
{
	u32 crossed;

	for (crossed = 0; crossed < 2; crossed++) {
		const struct rig_step *step;
		struct torus_packet p;
		struct trace_scene s;
		u32 vc, from;

		scene_open(&s, "escape=dateline", 1);
		from = rig_node(s.f, crossed ? 3 : 0, 1, 1);
		s.node = rig_node(s.f, crossed ? 0 : 1, 1, 1);
		for (vc = D0; vc <= TORUS_BGL_D1; vc++)
			scene_fill(&s, XP, vc, 4, 8);
		p = rig_packet_on(s.f, from, rig_node(s.f, crossed ? 1 : 2, 1, 1), 2, D0,
				  TORUS_BGL_HINT_XP);
		rig_inject(s.f, 0, &p);
		step = scene_left(&s, 40, 0);
		assert_non_null(step);
		assert_int_equal(step->seq, p.seq);
		assert_true(rig_find(&s.trace, TORUS_TRACE_HOP, from, 0)->vc <= TORUS_BGL_D1);
		assert_int_equal(step->vc, crossed ? E1 : E0);
		scene_close(&s);
	}
}

/*
 * In a ring, each node sends packets as fast as it can, nearly half way round or to any node. The
 * dateline prevents a deadlock.
 */
static void test_dateline_keeps_rings_free(void **state)
{
	static const u32 patterns[] = { TORUS_PATTERN_TORNADO, TORUS_PATTERN_UNIFORM };
	static const char *const shapes[] = { "8x1x1", "1x7x1", "1x1x16" };
	u32 i, j;

	for (i = 0; i < COUNT(patterns); i++)
		for (j = 0; j < COUNT(shapes); j++) {
			const struct torus_traffic t = {
				.pattern = patterns[i], .size_min = 256, .size_max = 256,
				.packets = 400,
			};
			static const char settings[] =
				"escape=dateline vc_bytes=512 routing=deterministic";
			struct torus_fabric *f = rig_make(shapes[j], settings);
			struct torus_error err;
			struct torus_result r;

			assert_int_equal(torus_traffic_start(f, &t, &err), 0);
			r = rig_finish(f, 0, 1);
			assert_int_equal(torus_watchdog_check(f, NULL), TORUS_VERDICT_ALIVE);
			assert_int_equal(r.done, 1);
			assert_true(r.vc_packets[E0] && r.vc_packets[E1]);
			rig_at_rest(f);
			torus_fabric_destroy(f);
		}
}

/* ----------------------------------------------------- order of the escape route */

/* "Ordered by x+, y+, z+, x-, y-, z-": check both routers. */
static void test_direction_order(void **state)
{
	static const char *const settings[] = {
		"routing=deterministic escape_order=direction",
		"routing=deterministic escape_order=direction escape=dateline",
	};
	static const u32 rank[BGL_DIRS] = { 0, 3, 1, 4, 2, 5 };
	u32 i, j, dst, mixed = 0;

	for (i = 0; i < COUNT(settings); i++) {
		struct torus_fabric *f = rig_make("5x4x4", settings[i]);
		struct rig_trace trace;

		rig_trace_start(f, &trace, HOPS);
		for (dst = 1; dst < f->nodes; dst++) {
			struct torus_packet p = rig_packet(f, 0, dst, 2);
			u32 last = 0;

			rig_inject(f, 0, &p);
			trace.n = 0;
			rig_drain(f);
			for (j = 0; j < trace.n; j++) {
				u32 now = rank[trace.step[j].dir];

				assert_true(now >= last);
				mixed += j && last < 3 && now >= 3;
				last = now;
			}
		}
		rig_trace_free(&trace);
		torus_fabric_destroy(f);
	}
	assert_true(mixed > 0);
}

/*
 * A dynamic packet without tokens on any dynamic VC takes the escape VC in that order of
 * directions.
 */
static void test_direction_order_escape(void **state)
{
	static const char *const orders[] = { "dimension", "direction" };
	u32 i;

	for (i = 0; i < 2; i++) {
		const struct rig_step *step;
		char text[64];
		struct trace_scene s;
		u32 vc;

		snprintf(text, sizeof(text), "escape_order=%s", orders[i]);
		scene_open(&s, text, 1);
		for (vc = D0; vc <= TORUS_BGL_D1; vc++) {
			scene_fill(&s, XM, vc, 4, 8);
			scene_fill(&s, YP, vc, 4, 8);
		}
		scene_inject(&s, 0, D0, TORUS_BGL_HINT_XM | TORUS_BGL_HINT_YP, 8);
		step = scene_left(&s, 1, 0);
		assert_non_null(step);
		assert_int_equal(step->vc, BN);
		assert_int_equal(step->dir, i ? YP : XM);
		scene_close(&s);
	}
}

/* ------------------------------------------------------------- sizes and times */

/* A buffer size can be any multiple of a chunk, and escape buffers may have another size. */
static void test_buffer_sizes(void **state)
{
	static const struct {
		const char *settings;
		u32 dynamic, escape;
	} cases[] = {
		{ "", 32, 32 },
		{ "vc_bytes=544", 17, 17 },
		{ "vc_bytes=4096", 128, 128 },
		{ "vc_bytes=2048 escape_bytes=512", 64, 16 },
		{ "vc_bytes=512 escape_bytes=4096", 16, 128 },
		{ "vc_bytes=2048 escape_bytes=1024 escape=dateline", 64, 32 },
		{ "dynamic_vcs=4 vc_bytes=992", 31, 31 },
	};
	u32 i;

	for (i = 0; i < COUNT(cases); i++) {
		struct torus_fabric *f = rig_make("3x3x3", cases[i].settings);

		assert_int_equal(rig_reg(f, 5, "tokens_yp"),
				 cases[i].dynamic * 0x01010000u + cases[i].escape * 0x0101u);
		torus_fabric_destroy(f);
		all_pairs("3x3x3", cases[i].settings, 3, 1);
	}
}

static void check_refused(const char *key, const char *value, const char *text)
{
	u32 dims[TORUS_DIMS_MAX] = { 4, 4, 4 };
	struct torus_fabric *f = NULL;
	struct torus_config cfg;
	struct torus_error err;
	int ret;

	assert_int_equal(torus_arch_config(&cfg, "bgl", &err), 0);
	assert_int_equal(torus_config_shape(&cfg, 3, dims, 0, &err), 0);
	ret = torus_config_set(&cfg, key, value, &err);
	if (!ret)
		ret = torus_fabric_create(&cfg, &f, &err);
	assert_true(ret == -EINVAL || ret == -ERANGE);
	assert_says(err.text, text);
}

/* Values that are in range but not supported are rejected with the value and the reason. */
static void test_bad_values(void **state)
{
	check_refused("dynamic_vcs", "3", "dynamic_vcs 3 1 2 4");
	check_refused("dynamic_vcs", "0", "dynamic_vcs 0 1 4");
	check_refused("dynamic_vcs", "5", "dynamic_vcs 5 1 4");
	check_refused("vc_bytes", "100", "vc_bytes 100 512 4096");
	check_refused("vc_bytes", "600", "vc_bytes 600 32");
	check_refused("vc_bytes", "4128", "vc_bytes 4128 512 4096");
	check_refused("escape_bytes", "600", "escape_bytes 600 32");
	check_refused("escape_bytes", "256", "escape_bytes 256 0 512");
	check_refused("escape", "none", "escape none bubble dateline");
	check_refused("escape_order", "zyx", "escape_order zyx dimension direction");
	check_refused("arbiter_gap", "2", "arbiter_gap 2 0 1");
	check_refused("vc_delay", "513", "vc_delay 513 0 512");
	check_refused("link_mbps", "0", "link_mbps 0 1 100000");
	check_refused("rack_ticks", "257", "rack_ticks 257 0 256");
}

/* The speed of the links sets the length of a tick, and changes nothing else. */
static void test_link_mbps(void **state)
{
	static const struct {
		const char *settings;
		u64 tick_fs;
	} cases[] = {
		{ "", 5714286 },
		{ "link_mbps=175", 5714286 },
		{ "link_mbps=350", 2857143 },
		{ "link_mbps=1000", 1000000 },
		{ "link_mbps=1", 1000000000 },
	};
	u64 hash = 0, latency = 0;
	u32 i;

	for (i = 0; i < COUNT(cases); i++) {
		struct torus_fabric *f = rig_make("4x3x2", cases[i].settings);
		struct torus_result r;

		assert_int_equal(f->tick_fs, cases[i].tick_fs);
		rig_packets(f, 30, 32, 256);
		r = rig_finish(f, 0, 1);
		assert_int_equal(r.tick_fs, cases[i].tick_fs);
		if (i) {
			assert_int_equal(r.hash, hash);
			assert_int_equal(r.win_latency_sum, latency);
		}
		hash = r.hash;
		latency = r.win_latency_sum;
		torus_fabric_destroy(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_pairs_3x3x3),
		cmocka_unit_test(test_all_pairs_4x4x2),
		cmocka_unit_test(test_all_pairs_5x4x1),
		cmocka_unit_test(test_all_pairs_mesh),
		cmocka_unit_test(test_zero_load),
		cmocka_unit_test(test_vcs_in_use),
		cmocka_unit_test(test_priority),
		cmocka_unit_test(test_dateline_vcs),
		cmocka_unit_test(test_dateline_of_dynamic),
		cmocka_unit_test(test_dateline_keeps_rings_free),
		cmocka_unit_test(test_direction_order),
		cmocka_unit_test(test_direction_order_escape),
		cmocka_unit_test(test_buffer_sizes),
		cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_link_mbps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
