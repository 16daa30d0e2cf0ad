// SPDX-License-Identifier: GPL-2.0
/*
 * Arbitration of Blue Gene/L, one rule per test. Each test fills buffers and checks which packet
 * is granted a link, bus or reception FIFO.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "scene.h"

#define D0	TORUS_BGL_D0
#define D1	TORUS_BGL_D1
#define BP	TORUS_BGL_BP

#define IH	TORUS_BGL_INJECT_PRIORITY

/* ----------------------------------------------------------------- arbitration */

/*
 * Join the shortest queue: of two directions and two VCs, a packet takes the one with the most
 * tokens.
 */
static void test_jsq(void **state)
{
	static const u32 dirs[] = { XP, YP };
	u32 seed, which, i;

	for (seed = 1; seed <= 12; seed++)
		for (which = 0; which < 4; which++) {
			const struct rig_step *step;
			struct trace_scene s;

			scene_open(&s, "", seed);
			for (i = 0; i < 4; i++)
				if (i != which)
					scene_fill(&s, dirs[i / 2], i % 2, 2, 8);
			scene_inject(&s, 0, D0, TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP, 8);
			step = scene_left(&s, 1, 0);
			assert_non_null(step);
			assert_int_equal(step->dir, dirs[which / 2]);
			assert_int_equal(step->vc, which % 2);
			scene_close(&s);
		}
}

/* With jsq=off a packet chooses among its alternatives at random, and each of them occurs. */
static void test_jsq_off(void **state)
{
	u32 seed, met[6][2] = { 0 };

	for (seed = 1; seed <= 64; seed++) {
		const struct rig_step *step;
		struct trace_scene s;

		scene_open(&s, "jsq=off", seed);
		scene_fill(&s, XP, D0, 3, 8);
		scene_inject(&s, 0, D0, TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP, 8);
		step = scene_left(&s, 1, 0);
		assert_true(step->vc <= D1);
		met[step->dir][step->vc]++;
		scene_close(&s);
	}
	assert_true(met[XP][D0] >= 4 && met[XP][D1] >= 4 && met[YP][D0] >= 4 && met[YP][D1] >= 4);
}

/*
 * JSQ compares tokens in quarters of the buffer. Queues in the same quarter tie, and the choice is
 * random.
 */
static void test_jsq_two_bit_ranges(void **state)
{
	u32 seed, fuller = 0;

	for (seed = 1; seed <= 64; seed++) {
		const struct rig_step *step;
		struct trace_scene s;

		scene_open(&s, "", seed);
		scene_fill(&s, XP, D0, 1, 7);
		scene_fill(&s, YP, D0, 1, 8);
		scene_fill(&s, YP, D1, 3, 8);
		scene_fill(&s, XP, D1, 3, 8);
		scene_inject(&s, 0, D0, TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP, 8);
		step = scene_left(&s, 1, 0);
		assert_int_equal(step->vc, D0);
		fuller += step->dir == YP;
		scene_close(&s);
	}
	assert_true(fuller >= 16 && fuller <= 48);
}

/*
 * Let two packets request link y+. Return: 1 if the packet that was placed first wins, 0
 * otherwise.
 */
enum contest { SAME_RECEIVER, TWO_RECEIVERS };

static u32 contest(const char *settings, enum contest kind, bool first_full, u32 seed)
{
	u32 from = kind == SAME_RECEIVER ? XP : ZP, vc = kind == SAME_RECEIVER ? D1 : D0;
	const struct rig_step *step;
	struct trace_scene s;
	u32 a, b, i, won;

	scene_open(&s, settings, seed);
	a = scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 8);
	b = scene_transit(&s, from, vc, TORUS_BGL_HINT_YP, 8);
	for (i = 0; i < 3; i++) {
		if (first_full)
			scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 8);
		else
			scene_transit(&s, from, vc, TORUS_BGL_HINT_YP, 8);
	}
	step = scene_left(&s, 1, 0);
	assert_non_null(step);
	assert_true(step->seq == a || step->seq == b);
	won = step->seq == a;
	scene_close(&s);
	return won;
}

/* Serve the longest queue: compare the VCs of one receiver. */
static void test_slq(void **state)
{
	u32 seed, right = 0, random = 0;

	for (seed = 1; seed <= 40; seed++) {
		right += contest("slq_fraction=100", SAME_RECEIVER, true, seed) == 1;
		right += contest("slq_fraction=100", SAME_RECEIVER, false, seed) == 0;
		random += contest("slq_fraction=0", SAME_RECEIVER, true, seed);
	}
	/* SLQ applies in 255 of 256 cycles */
	assert_true(right >= 78);
	assert_true(random >= 8 && random <= 32);
}

/* Serve the longest queue: compare receivers that request the same link. */
static void test_slq_output(void **state)
{
	u32 seed, right = 0, random = 0;

	for (seed = 1; seed <= 40; seed++) {
		right += contest("slq_fraction=100", TWO_RECEIVERS, true, seed) == 1;
		right += contest("slq_fraction=100", TWO_RECEIVERS, false, seed) == 0;
		random += contest("slq_fraction=0", TWO_RECEIVERS, true, seed);
	}
	assert_true(right >= 78);
	assert_true(random >= 8 && random <= 32);
}

/* Register 0B sets the fraction of cycles with SLQ. Its default is about three quarters. */
static void test_slq_fraction(void **state)
{
	u32 seed, right = 0;

	for (seed = 1; seed <= 300; seed++)
		right += contest("", SAME_RECEIVER, true, seed);
	/* 3/4 + 1/4 * 1/2 of 300 = 262 */
	assert_in_range(right, 240, 284);
}

/*
 * A high-priority packet wins against every other packet, even in a fuller queue or in the network.
 */
static void test_priority_first(void **state)
{
	static const u32 from[] = { XP, ZP };
	u32 seed, i, j;

	for (seed = 1; seed <= 20; seed++)
		for (i = 0; i < 3; i++) {
			const struct rig_step *step;
			struct trace_scene s;
			u32 seq;

			scene_open(&s, "slq_fraction=100", seed);
			for (j = 0; j < 4; j++)
				scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 8);
			if (i < 2)
				seq = scene_transit(&s, from[i], BP, TORUS_BGL_HINT_YP, 8);
			else
				seq = scene_inject(&s, IH, BP, TORUS_BGL_HINT_YP, 8);
			step = scene_left(&s, 1, 0);
			assert_int_equal(step->seq, seq);
			assert_int_equal(step->vc, BP);
			scene_close(&s);
		}
}

/* Packets of the network win against packets from injection FIFOs, by default in each cycle. */
static void test_in_network_priority(void **state)
{
	u32 seed, others = 0;

	for (seed = 1; seed <= 40; seed++) {
		struct trace_scene s;
		u32 seq, i;

		scene_open(&s, "", seed);
		for (i = 0; i < 6; i++)
			scene_inject(&s, i < 3 ? i : i + 1, D0, TORUS_BGL_HINT_YP, 8);
		seq = scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 8);
		assert_int_equal(scene_left(&s, 1, 0)->seq, seq);
		scene_close(&s);

		scene_open(&s, "in_network_fraction=0", seed);
		seq = scene_inject(&s, 1, D0, TORUS_BGL_HINT_YP, 8);
		for (i = 0; i < 4; i++)
			scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 8);
		others += scene_left(&s, 1, 0)->seq == seq;
		scene_close(&s);
	}
	assert_true(others >= 38);
}

/* A dynamic packet takes the bubble VC only if no dynamic VC has tokens. */
static void test_dynamic_before_bubble(void **state)
{
	u32 seed;

	for (seed = 1; seed <= 20; seed++) {
		struct trace_scene s;

		scene_open(&s, "", seed);
		scene_fill(&s, YP, D0, 3, 8);
		scene_fill(&s, YP, D1, 3, 8);
		scene_inject(&s, 0, D0, TORUS_BGL_HINT_YP, 8);
		assert_true(scene_left(&s, 1, 0)->vc <= D1);
		scene_close(&s);
	}
}

/* Each receiver has as many buses to the senders as the parameter buses says, by default two. */
static void test_two_buses(void **state)
{
	static const char *const settings[] = { "buses=1", "", "buses=3", "buses=4" };
	static const u32 hint[] = { TORUS_BGL_HINT_XP, TORUS_BGL_HINT_YP, TORUS_BGL_HINT_ZP,
				    TORUS_BGL_HINT_ZM };
	u32 i, vc;

	for (i = 0; i < COUNT(settings); i++) {
		struct trace_scene s;

		scene_open(&s, settings[i], 1);
		for (vc = 0; vc < 4; vc++)
			scene_transit(&s, XP, vc, hint[vc], 8);
		scene_left(&s, 100, 0);
		assert_int_equal(rig_times(&s.trace, TORUS_TRACE_HOP, s.node), i + 1);
		if (i < 3)
			assert_true(rig_link(s.f, s.node, XP).stalls[TORUS_STALL_BUS] +
				    rig_link(s.f, s.node, YP).stalls[TORUS_STALL_BUS] +
				    rig_link(s.f, s.node, ZP).stalls[TORUS_STALL_BUS] +
				    rig_link(s.f, s.node, ZM).stalls[TORUS_STALL_BUS] > 0);
		scene_left(&s, 272, 0);
		assert_int_equal(rig_times(&s.trace, TORUS_TRACE_HOP, s.node),
				 2 * (i + 1) < 4 ? 2 * (i + 1) : 4);
		scene_close(&s);
	}
}

/* Two receivers have two buses each. */
static void test_buses_of_each_receiver(void **state)
{
	static const u32 hint[] = { TORUS_BGL_HINT_XP, TORUS_BGL_HINT_YP, TORUS_BGL_HINT_YM,
				    TORUS_BGL_HINT_ZM };
	struct trace_scene s;
	u32 i;

	scene_open(&s, "", 1);
	for (i = 0; i < 4; i++)
		scene_transit(&s, i < 2 ? XP : ZM, i % 2, hint[i], 8);
	scene_left(&s, 1 + 3, 0);
	assert_int_equal(rig_times(&s.trace, TORUS_TRACE_HOP, s.node), 4);
	scene_close(&s);
}

/*
 * All receivers can transfer packets to reception FIFOs at the same time, and each receiver a
 * high-priority packet in addition.
 */
static void test_reception_buses(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	u32 node = rig_node(f, 1, 1, 1), dir, i;
	struct rig_trace trace;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	for (dir = 0; dir < 6; dir++) {
		u32 from = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir));

		for (i = 0; i < 2; i++) {
			struct torus_packet p = rig_packet_on(f, from, node, 8, i ? BP : D0, 0);

			rig_place(f, node, dir, i ? BP : D0, &p);
		}
	}
	rig_drain(f);
	assert_int_equal(trace.n, 12);
	for (i = 1; i < trace.n; i++)
		assert_int_equal(trace.step[i].at, trace.step[0].at);
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/*
 * One receiver can run four transfers at once: to the normal and the high-priority reception FIFO,
 * and to two senders.
 */
static void test_four_transfers(void **state)
{
	static const u32 hint[] = { TORUS_BGL_HINT_YP, TORUS_BGL_HINT_ZP };
	static const u32 vc[] = { D1, TORUS_BGL_BN }, local[] = { D0, BP };
	struct trace_scene s;
	u64 first;
	u32 i;

	scene_open(&s, "", 1);
	rig_trace_start(s.f, &s.trace, 1u << TORUS_TRACE_HOP | 1u << TORUS_TRACE_DELIVER);
	for (i = 0; i < 2; i++) {
		struct torus_packet p = rig_packet_on(s.f, 0, s.node, 8, local[i], 0);

		rig_place(s.f, s.node, XP, local[i], &p);
		scene_transit(&s, XP, vc[i], hint[i], 8);
	}
	scene_left(&s, 600, 0);
	first = rig_find(&s.trace, TORUS_TRACE_DELIVER, s.node, 0)->at;
	assert_true(first >= 256);
	assert_true(rig_find(&s.trace, TORUS_TRACE_DELIVER, s.node, 1)->at < first + 256);
	for (i = 0; i < 2; i++)
		assert_true(rig_find(&s.trace, TORUS_TRACE_HOP, s.node, i)->at + 256 <= first + 20);
	scene_close(&s);
}

/*
 * strict_injection: injection takes no link that a packet of the network wants, even if that
 * packet takes another link.
 */
static void test_strict_injection(void **state)
{
	u32 strict;

	for (strict = 0; strict < 2; strict++) {
		const struct rig_step *step;
		struct trace_scene s;
		u32 seq;

		scene_open(&s, strict ? "strict_injection=on" : "", 1);
		/* the packet may take x+ or y+; JSQ selects y+ */
		scene_fill(&s, XP, D0, 3, 8);
		scene_fill(&s, XP, D1, 3, 8);
		scene_transit(&s, ZP, D0, TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP, 8);
		seq = scene_inject(&s, 0, D0, TORUS_BGL_HINT_XP, 8);
		scene_left(&s, 10, 0);
		step = rig_find(&s.trace, TORUS_TRACE_HOP, s.node, 0);
		if (step->seq == seq)
			step = rig_find(&s.trace, TORUS_TRACE_HOP, s.node, 1);
		assert_int_equal(step->dir, YP);
		assert_int_equal(step->at, 0);
		step = rig_find(&s.trace, TORUS_TRACE_HOP, s.node, 0);
		if (step->seq != seq)
			step = rig_find(&s.trace, TORUS_TRACE_HOP, s.node, 1);
		assert_int_equal(step->seq, seq);
		assert_int_equal(step->dir, XP);
		assert_int_equal(step->at, strict);
		scene_close(&s);
	}
}

/* The packets of an injection FIFO leave in order, one at a time. */
static void test_injection_fifo_in_order(void **state)
{
	struct trace_scene s;
	u32 seq[4], i;

	scene_open(&s, "", 5);
	for (i = 0; i < 4; i++)
		seq[i] = scene_inject(&s, 2, D0, bgl_hint_bit(i), 8);
	for (i = 0; i < 4; i++) {
		const struct rig_step *step = scene_left(&s, 270 * i + 1, i);

		assert_non_null(step);
		assert_int_equal(step->seq, seq[i]);
		assert_int_equal(step->at, 270 * i);
	}
	scene_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jsq),
		cmocka_unit_test(test_jsq_off),
		cmocka_unit_test(test_jsq_two_bit_ranges),
		cmocka_unit_test(test_slq),
		cmocka_unit_test(test_slq_output),
		cmocka_unit_test(test_slq_fraction),
		cmocka_unit_test(test_priority_first),
		cmocka_unit_test(test_in_network_priority),
		cmocka_unit_test(test_dynamic_before_bubble),
		cmocka_unit_test(test_two_buses),
		cmocka_unit_test(test_buses_of_each_receiver),
		cmocka_unit_test(test_reception_buses),
		cmocka_unit_test(test_four_transfers),
		cmocka_unit_test(test_strict_injection),
		cmocka_unit_test(test_injection_fifo_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
