// SPDX-License-Identifier: GPL-2.0
/*
 * The bypass channel: "allows packets, under appropriate circumstances, to flow through a node
 * without entering the VC buffers". The tests measure the delay of the buffers and the conditions
 * that close the channel.
 */
#include "arch/bgl/bgl.h"
#include "arch/bgl/registers.h"
#include "scene.h"
#include "core/run/windows.h"

#define D0	TORUS_BGL_D0
#define D1	TORUS_BGL_D1
#define BN	TORUS_BGL_BN
#define BP	TORUS_BGL_BP

#define ENDS	(1u << TORUS_TRACE_DELIVER)

/* -------------------------------------------------------------- packets queued in the receiver */

/*
 * Let two packets compete for link y+. A short packet waits at the node, because a third packet
 * uses the link until tick 46. In that tick a long packet on @vc arrives over the bypass. Return:
 * whether the packet on the bypass goes first.
 */
static bool contest(const char *settings, u32 vc, u32 seed)
{
	const struct rig_step *step;
	struct torus_packet came;
	struct trace_scene s;
	u32 from, fifo = vc == BP ? TORUS_BGL_INJECT_PRIORITY : 0, seq;

	scene_open(&s, settings, seed);
	from = torus_geometry_neighbor(&s.f->cfg.geo, s.node, XM);
	scene_transit(&s, ZP, D0, TORUS_BGL_HINT_YP, 1);
	scene_left(&s, 1, 0);
	seq = scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 1);
	scene_left(&s, 26, 0);
	came = rig_packet_on(s.f, from, scene_target(&s, TORUS_BGL_HINT_YP), 8, vc,
			     TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP);
	rig_inject(s.f, fifo, &came);
	step = scene_left(&s, 47, 1);
	assert_non_null(step);
	assert_int_equal(step->at, 46);
	assert_true(step->seq == seq || step->seq == came.seq);
	seq = step->seq;
	scene_close(&s);
	return seq == came.seq;
}

/* "A packet on the bypass channel always receives the lowest priority". */
static void test_bypass_lowest(void **state)
{
	static const char *const settings[] = {
		"slq_fraction=0", "slq_fraction=100", "", "escape=dateline",
	};
	u32 i, seed;

	for (i = 0; i < COUNT(settings); i++)
		for (seed = 1; seed <= 20; seed++)
			assert_false(contest(settings[i], BN, seed));
}

/*
 * Let two packets of one receiver wait for link y+. In the tick in which the link becomes free, a
 * third packet arrives and queues after the first. Return: whether the first packet goes first.
 */
static bool first_of_two(u32 seed)
{
	struct torus_packet came;
	struct trace_scene s;
	u32 from, seq;
	bool first;

	scene_open(&s, "slq_fraction=0", seed);
	from = torus_geometry_neighbor(&s.f->cfg.geo, s.node, XM);
	scene_transit(&s, ZP, D0, TORUS_BGL_HINT_YP, 1);
	scene_left(&s, 1, 0);
	seq = scene_transit(&s, XP, BN, TORUS_BGL_HINT_YP, 1);
	scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 1);
	scene_left(&s, 26, 0);
	came = rig_packet_on(s.f, from, scene_target(&s, TORUS_BGL_HINT_YP), 8, BN,
			     TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP);
	rig_inject(s.f, 0, &came);
	first = scene_left(&s, 47, 1)->seq == seq;
	scene_close(&s);
	return first;
}

/*
 * A packet that arrives after a queued packet is not on the bypass. The queued packet does not get
 * the low priority of the bypass.
 */
static void test_bypass_after_queued(void **state)
{
	u32 seed, first = 0;

	for (seed = 1; seed <= 20; seed++)
		first += first_of_two(seed);
	assert_in_range(first, 1, 19);
}

/* "... unless it is a high-priority packet." */
static void test_bypass_priority(void **state)
{
	u32 seed;

	for (seed = 1; seed <= 20; seed++) {
		assert_true(contest("slq_fraction=0", BP, seed));
		assert_true(contest("escape=dateline", BP, seed));
	}
}

/* With bypass=off an arriving packet competes from its VC with equal priority. */
static void test_bypass_off_is_equal(void **state)
{
	u32 seed, random = 0, longest = 0;

	for (seed = 1; seed <= 40; seed++) {
		random += contest("bypass=off slq_fraction=0", BN, seed);
		longest += contest("bypass=off slq_fraction=100", BN, seed);
	}
	assert_in_range(random, 8, 32);
	assert_in_range(longest, 38, 40);
}

/* ------------------------------------------------------------------- delay of a buffer */

/*
 * Measure the latency without load from node 0 to every other node. @hop: extra ticks for each
 * buffer that a packet passes.
 */
static void check_latency(const char *shape, const char *settings, u32 hop, bool there)
{
	struct torus_fabric *f = rig_make(shape, settings);
	struct rig_trace trace;
	u32 dst;

	rig_trace_start(f, &trace, ENDS);
	for (dst = 1; dst < f->nodes; dst++) {
		struct torus_packet p = rig_packet(f, 0, dst, 1 + dst % 8);

		rig_inject(f, dst % 3, &p);
		trace.n = 0;
		rig_drain(f);
		assert_int_equal(trace.n, 1);
		assert_int_equal(trace.step[0].node, dst);
		assert_int_equal(trace.step[0].at - p.born,
				 trace.step[0].hops * (20 + (there ? hop : 0)) + p.chunks * 32);
	}
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* A packet on the bypass has no buffer delay: 20 ticks per hop, and one tick per byte. */
static void test_zero_load_bypass(void **state)
{
	check_latency("5x4x3", "", 0, true);
	check_latency("5x4x3", "vc_delay=37", 37, false);
	check_latency("5x4x3", "vc_delay=37 routing=deterministic", 37, false);
	check_latency("5x4x3", "vc_delay=512 dynamic_vcs=4 escape=dateline", 512, false);
	check_latency("5x4x3", "bypass=off", 0, true);
}

/* With bypass=off every packet passes a buffer at each node where it arrives. */
static void test_zero_load_buffers(void **state)
{
	check_latency("5x4x3", "bypass=off vc_delay=37", 37, true);
	check_latency("5x4x3", "bypass=off vc_delay=1 routing=deterministic", 1, true);
	check_latency("5x4x3", "bypass=off vc_delay=512 dynamic_vcs=4", 512, true);
}

/*
 * Let a packet arrive at tick 20, while a packet of @chunks chunks occupies the link that it needs;
 * 0: the link is free. Return: the tick at which it leaves.
 */
static u64 leaves(const char *settings, u32 chunks)
{
	struct torus_packet p;
	struct trace_scene s;
	u64 at;

	scene_open(&s, settings, 1);
	p = rig_packet_on(s.f, torus_geometry_neighbor(&s.f->cfg.geo, s.node, XM),
			  scene_target(&s, TORUS_BGL_HINT_YP), 3, BN,
			  TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP);
	rig_inject(s.f, 0, &p);
	if (chunks)
		scene_transit(&s, ZP, D0, TORUS_BGL_HINT_YP, chunks);
	scene_left(&s, 2000, 0);
	at = scene_when(&s, p.seq);
	scene_close(&s);
	return at;
}

/*
 * A packet that gets no link when it arrives is written into its buffer, which takes vc_delay
 * ticks.
 */
static void test_missed_bypass(void **state)
{
	assert_int_equal(leaves("vc_delay=50", 0), 20);
	assert_int_equal(leaves("", 1), 46);
	assert_int_equal(leaves("vc_delay=5", 1), 46);
	assert_int_equal(leaves("vc_delay=26", 1), 46);
	assert_int_equal(leaves("vc_delay=50", 1), 70);
	assert_int_equal(leaves("vc_delay=50", 8), 270);
	assert_int_equal(leaves("bypass=off vc_delay=50", 0), 70);
	assert_int_equal(leaves("vc_delay=50 escape=dateline", 1), 70);
}

/* ------------------------------------------------------------------------ register 07 */

/*
 * Fill VC @vc of receiver x+ with a waiting packet of @chunks, and let a packet on BN arrive.
 * @node_of: node whose register 07 gets the thresholds; 0: the node at which it
 * arrives. Return: whether the arriving packet uses
 * the bypass.
 */
static bool flows(const char *settings, u32 node_of, const u8 *thresholds, u32 vc, u32 chunks)
{
	struct torus_packet p;
	struct torus_error err;
	struct trace_scene s;
	u32 i, value = 0;
	u64 at;

	scene_open(&s, settings, 1);
	for (i = 0; i < 4; i++)
		value = value << 8 | thresholds[i];
	assert_int_equal(s.f->arch->reg_write(s.f, node_of ? node_of : s.node, REG_BYPASS, value,
					      &err), 0);
	if (chunks) {
		/* block all VCs of link z+, so that the packet waits */
		for (i = 0; i < 4; i++)
			scene_fill(&s, ZP, i, 4, 8);
		scene_transit(&s, XP, vc, TORUS_BGL_HINT_ZP, chunks);
	}
	p = rig_packet_on(s.f, torus_geometry_neighbor(&s.f->cfg.geo, s.node, XM),
			  scene_target(&s, TORUS_BGL_HINT_YP), 8, BN,
			  TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP);
	rig_inject(s.f, 0, &p);
	scene_left(&s, 100, 0);
	at = scene_when(&s, p.seq);
	assert_true(at == 20 || at == 20 + 50);
	scene_close(&s);
	return at == 20;
}

/* "Bypass-disable VC thresholds": the register has one for each of D0, D1, BN, BP. */
static void test_bypass_threshold(void **state)
{
	static const u8 boot[] = { 127, 127, 127, 127 }, closed[] = { 0, 0, 0, 0 };
	static const u8 four[] = { 127, 4, 127, 127 }, other[] = { 4, 127, 4, 4 };
	static const u8 high[] = { 127, 127, 127, 7 };

	assert_true(flows("vc_delay=50", 0, boot, D1, 8));
	assert_false(flows("vc_delay=50", 0, closed, D1, 8));
	/* the arriving packet does not count for its own threshold */
	assert_true(flows("vc_delay=50", 0, closed, D1, 0));
	assert_true(flows("vc_delay=50", 0, four, D1, 4));
	assert_false(flows("vc_delay=50", 0, four, D1, 5));
	assert_true(flows("vc_delay=50", 0, other, D1, 8));
	assert_false(flows("vc_delay=50", 0, other, D0, 5));
	/* on BP a packet counts as full-sized */
	assert_false(flows("vc_delay=50", 0, high, BP, 1));
	/* a register of another node has no effect */
	assert_true(flows("vc_delay=50", 63, closed, D1, 8));
	assert_false(flows("vc_delay=50 escape=dateline", 0, four, D1, 5));
	assert_false(flows("vc_delay=50 escape=dateline", 0, high, BP, 8));
}

/* With bypass=off, the boot thresholds of register 07 do not open the bypass. */
static void test_bypass_off_stays_off(void **state)
{
	static const u8 boot[] = { 127, 127, 127, 127 };

	assert_false(flows("bypass=off vc_delay=50", 0, boot, D1, 0));
}

/* ----------------------------------------------------------------- order of delivery */

/*
 * Check that deterministic packets of one FIFO to one node arrive in the order in which they were
 * sent.
 */
static void check_order(const char *settings)
{
	struct torus_fabric *f = rig_make("4x4x2", settings);
	u32 src, i, room, sent = 0, dst, *next;
	struct rig_trace trace;

	rig_trace_start(f, &trace, ENDS);
	next = calloc(f->nodes * f->nodes, sizeof(*next));
	while (sent < 6000) {
		for (src = 0; src < f->nodes; src++) {
			struct torus_packet p;

			dst = (src * 7 + sent) % f->nodes;
			room = f->router->inject_room(f, src, 0);
			if (dst == src || room < 8)
				dst = (src + 11) % f->nodes;
			if (room < 8)
				continue;
			p = rig_packet(f, src, dst, 1 + sent % 8);
			rig_inject(f, 0, &p);
			sent++;
		}
		torus_fabric_run(f, torus_fabric_clock(f) + 97, 0, 1);
	}
	rig_drain(f);
	assert_int_equal(trace.n, sent);
	for (i = 0; i < trace.n; i++) {
		const struct rig_step *s = &trace.step[i];
		u32 *seen = &next[s->src * f->nodes + s->dst];

		assert_true(s->seq >= *seen);
		*seen = s->seq + 1;
	}
	free(next);
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_pairs_in_order(void **state)
{
	check_order("routing=deterministic");
	check_order("routing=deterministic vc_delay=60");
	check_order("routing=deterministic vc_delay=60 bypass=off");
	check_order("routing=deterministic vc_delay=60 escape=dateline");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bypass_lowest),
		cmocka_unit_test(test_bypass_after_queued),
		cmocka_unit_test(test_bypass_priority),
		cmocka_unit_test(test_bypass_off_is_equal),
		cmocka_unit_test(test_zero_load_bypass),
		cmocka_unit_test(test_zero_load_buffers),
		cmocka_unit_test(test_missed_bypass),
		cmocka_unit_test(test_bypass_threshold),
		cmocka_unit_test(test_bypass_off_stays_off),
		cmocka_unit_test(test_pairs_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
