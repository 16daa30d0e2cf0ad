// SPDX-License-Identifier: GPL-2.0
/*
 * Events after which a node must arbitrate in the same tick. Arbitration must not use a node's
 * state from an earlier tick.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "core/run/windows.h"

#define XP	0
#define YP	2
#define D0	TORUS_BGL_D0
#define D1	TORUS_BGL_D1
#define BN	TORUS_BGL_BN

#define ACK_DELAY	20
#define FULL_TICKS	256	/* ticks of a full packet into a reception FIFO */
#define FULL_WIRE	270	/* ticks of a full packet on a link */

/* Place a packet into a buffer. @src identifies the packet. */
static void put(struct torus_fabric *f, u32 node, u32 dir, u32 vc, u32 src, u32 dst, u32 chunks,
		u32 hints)
{
	struct torus_packet p = rig_packet_on(f, src, dst, chunks, vc, hints);

	rig_place(f, node, dir, vc, &p);
}

/*
 * "A packet on the bypass channel always receives the lowest priority": this holds in the tick of
 * its arrival only. A packet that arrived while its link was busy is in its buffer when the link
 * becomes free. Then the fuller VC goes first.
 */
static void test_bypass_of_an_earlier_tick(void **state)
{
	struct torus_fabric *f = rig_make("8x4x1", "slq_fraction=100");
	static const u32 order[] = { 10, 9, 15 };
	struct rig_trace trace;
	u32 i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	put(f, 2, YP, D1, 10, 4, 8, TORUS_BGL_HINT_XP);		/* keeps the link busy */
	put(f, 2, XP, D0, 15, 4, 1, TORUS_BGL_HINT_XP);		/* one chunk in D0 of x+ */
	put(f, 1, XP, BN, 9, 4, 8, TORUS_BGL_HINT_XP);		/* arrives on BN of x+ */
	rig_drain(f);
	for (i = 0; i < COUNT(order); i++)
		assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, 2, i)->src, order[i]);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, 2, 1)->at -
			 rig_find(&trace, TORUS_TRACE_HOP, 2, 0)->at, FULL_WIRE);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/*
 * If the link is free and a packet waits only for tokens, the packet leaves in the tick in which
 * the tokens arrive.
 */
static void test_token_to_a_node_that_waits(void **state)
{
	struct torus_fabric *f = rig_make("8x1x1", "");
	const struct rig_step *delivered, *hop;
	struct rig_trace trace;
	u32 i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP | 1u << TORUS_TRACE_DELIVER);
	for (i = 0; i < 4; i++) {
		put(f, 1, XP, D0, 1, 1, 8, 0);
		put(f, 1, XP, D1, 1, 1, 8, 0);
		put(f, 1, XP, BN, 1, 1, 8, 0);
	}
	put(f, 0, XP, D0, 6, 2, 8, TORUS_BGL_HINT_XP);
	rig_drain(f);
	delivered = rig_find(&trace, TORUS_TRACE_DELIVER, 1, 0);
	hop = rig_find(&trace, TORUS_TRACE_HOP, 0, 0);
	assert_int_equal(hop->at, delivered->at + ACK_DELAY);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/*
 * Three packets arrive at one receiver whose reception bus takes one at a time. Each reception
 * begins as soon as the one before has ended.
 */
static void test_reception_is_tried_again(void **state)
{
	struct torus_fabric *f = rig_make("8x1x1", "");
	struct rig_trace trace;
	u32 i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	put(f, 1, XP, D0, 1, 1, 8, 0);
	put(f, 1, XP, D1, 1, 1, 8, 0);
	put(f, 1, XP, BN, 1, 1, 8, 0);
	rig_drain(f);
	assert_int_equal(trace.n, 3);
	for (i = 1; i < 3; i++)
		assert_int_equal(trace.step[i].at - trace.step[i - 1].at, FULL_TICKS);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/*
 * Run a workload with a live protocol on the links with (node + dir) % @nth == 0, without any
 * faults. Return: the delivery hash.
 */
static u64 hash_with_live_links(const char *settings, u32 nth)
{
	struct torus_fabric *f = rig_make("4x4x4", settings);
	struct torus_result r;
	struct torus_error err;
	u32 node, dir;
	u64 hash;

	for (node = 0; nth && node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++)
			if ((node + dir) % nth == 0)
				assert_int_equal(torus_link_live(f, node, dir, &err), 0);
	rig_load(f, 95, 32, 256, 30000);
	r = rig_finish(f, 0, 1);
	assert_true(r.conservation);
	assert_true(r.tokens);
	hash = r.hash;
	torus_fabric_destroy(f);
	return hash;
}

/*
 * A live link becomes free, and returns tokens, after the other events of the tick. Nodes are
 * arbitrated after that, so the result is the same as without live links. Deterministic routing is
 * not tested, because its results may differ: an acknowledgement touches the node of an idle link
 * again, and if packets wait there for a bubble, arbitration draws another random number.
 */
static void test_live_links_in_the_same_tick(void **state)
{
	static const char *const settings[] = {
		"", "strict_injection=on", "domains=3",
	};
	u32 i;

	for (i = 0; i < COUNT(settings); i++) {
		u64 hash = hash_with_live_links(settings[i], 0);

		assert_int_equal(hash_with_live_links(settings[i], 1), hash);
		assert_int_equal(hash_with_live_links(settings[i], 3), hash);
	}
}

/* Make three packets of node 0 wait for link x+, whose buffers are full. */
static struct torus_fabric *three_stalled(void)
{
	struct torus_fabric *f = rig_make("4x1x1", "");
	u32 i;

	for (i = 0; i < 4; i++) {
		put(f, 1, XP, D0, 1, 1, 8, 0);
		put(f, 1, XP, D1, 1, 1, 8, 0);
		put(f, 1, XP, BN, 1, 1, 8, 0);
	}
	put(f, 0, XP, D0, 3, 2, 8, TORUS_BGL_HINT_XP);
	put(f, 0, XP, D1, 3, 2, 8, TORUS_BGL_HINT_XP);
	put(f, 0, XP, BN, 3, 2, 8, TORUS_BGL_HINT_XP);
	return f;
}

/* Arbitrate node 0 in each of @ticks ticks, so that its packets count as stalled. */
static void stall(struct torus_fabric *f, u32 ticks)
{
	while (ticks--) {
		f->router->touch(f, 0);
		torus_fabric_run(f, torus_fabric_clock(f) + 1, 0, 1);
	}
}

/*
 * A node counts stalls in bytes. The carry of a byte is kept, and is cleared with the other
 * counters.
 */
static void test_stalls_beyond_a_byte(void **state)
{
	struct torus_fabric *f = three_stalled();
	struct torus_link_counters c;
	u32 ticks = 200;

	stall(f, ticks);
	c = rig_link(f, 0, XP);
	assert_int_equal(c.stalls[TORUS_STALL_TOKEN], 3 * ticks);
	torus_counters_fold(f->domain);
	c = rig_link(f, 0, XP);
	assert_int_equal(c.stalls[TORUS_STALL_TOKEN], 3 * ticks);
	torus_fabric_counters_reset(f);
	c = rig_link(f, 0, XP);
	assert_int_equal(c.stalls[TORUS_STALL_TOKEN], 0);
	torus_fabric_destroy(f);
}

/* Carries are counted in 16 bits. They are folded into wider counters before they wrap. */
static void test_stalls_folded(void **state)
{
	struct torus_fabric *f = three_stalled();
	u16 *folds;

	/* 258 stalls: one carry; 522: two; 780: three, before tokens arrive */
	stall(f, 86);
	folds = &f->domain->stalls[XP * TORUS_STALL_MAX + TORUS_STALL_TOKEN];
	assert_int_equal(*folds, 1);
	*folds = 0xfffe;
	assert_null(f->domain->folded);
	stall(f, 88);
	assert_non_null(f->domain->folded);
	stall(f, 86);
	assert_int_equal(rig_link(f, 0, XP).stalls[TORUS_STALL_TOKEN], (0xfffe - 1) * 256 + 780);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bypass_of_an_earlier_tick),
		cmocka_unit_test(test_token_to_a_node_that_waits),
		cmocka_unit_test(test_reception_is_tried_again),
		cmocka_unit_test(test_live_links_in_the_same_tick),
		cmocka_unit_test(test_stalls_beyond_a_byte),
		cmocka_unit_test(test_stalls_folded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
