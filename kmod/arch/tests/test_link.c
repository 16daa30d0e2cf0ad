// SPDX-License-Identifier: GPL-2.0
/*
 * Links with errors. For each corruption, loss or interruption every packet is delivered once, and
 * every token is returned. The CRCs of both ends of a link agree, unless an error escapes the
 * packet CRC.
 */
#include "arch/bgl/bgl.h"
#include "link_pair.h"
#include "core/run/windows.h"

#define TIMEOUT	1024	/* the machine's default */

/* ------------------------------------------------------ a live link without faults */

/* A live link without faults behaves like a link whose protocol is not simulated. */
static void test_live_link_without_faults(void **state)
{
	u32 live;
	u64 hash[2], clock[2];

	for (live = 0; live < 2; live++) {
		struct torus_fabric *f = rig_make("4x4x4", "seed=3");
		struct torus_result r;

		if (live)
			link_ber(f, 0, 0, 0);
		rig_packets(f, 200, 32, 256);
		r = rig_finish(f, 0, 1);
		assert_int_equal(r.done, 1);
		assert_int_equal(r.delivered, 64 * 200);
		assert_int_equal(r.retransmitted, 0);
		hash[live] = r.hash;
		clock[live] = r.clock;
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
	assert_int_equal(hash[0], hash[1]);
	assert_true(clock[1] >= clock[0]);
}

/* -------------------------------------------------------------- corrupted packets */

static void test_resend_after_corrupted_packet(void **state)
{
	u32 seed, header = 0, body = 0;

	for (seed = 1; seed <= 60; seed++) {
		struct torus_link_counters c;
		struct link_pair p;

		pair_open(&p, "", seed);
		link_set(p.f, TORUS_FAULT_CORRUPT, 1);
		pair_send(&p, 3, 1);
		rig_drain(p.f);
		c = rig_link(p.f, 0, XP);
		assert_int_equal(c.crc_header_errors + c.crc_packet_errors, 1);
		assert_int_equal(c.escapes, 0);
		assert_int_equal(c.timeouts, 1);
		/* all unacknowledged packets are retransmitted, in order */
		assert_int_equal(c.resends, 3);
		assert_int_equal(c.sequence_errors, 2);
		assert_int_equal(c.packets[TORUS_BGL_BN], 3);
		assert_int_equal(c.busy_ticks, 6 * 46);
		header += c.crc_header_errors;
		body += c.crc_packet_errors;
		pair_close(&p);
	}
	/* a random bit is in the header (64 bits) or in the rest (224 bits) */
	assert_in_range(header, 4, 30);
	assert_int_equal(header + body, 60);
}

/* A retransmitted packet that is corrupted again is retransmitted again. */
static void test_resend_again(void **state)
{
	struct torus_link_counters c;
	struct link_pair p;

	pair_open(&p, "", 2);
	link_set(p.f, TORUS_FAULT_CORRUPT, 5);
	pair_send(&p, 1, 8);
	rig_drain(p.f);
	c = rig_link(p.f, 0, XP);
	assert_int_equal(c.crc_header_errors + c.crc_packet_errors, 5);
	assert_int_equal(c.resends, 5);
	assert_int_equal(rig_view(p.f, 0, XP).corrupt, 0);
	pair_close(&p);
}

/*
 * A retransmission starts after the time-out in the register, counted from the end of the
 * transmission.
 */
static void test_resend_timeout(void **state)
{
	const struct rig_step *step;
	struct link_pair p;

	pair_open(&p, "", 2);
	rig_reg_set(p.f, 0, "timeout_x", 0x02bc0400);	/* 700 in plus direction */
	link_set(p.f, TORUS_FAULT_CORRUPT, 1);
	pair_send(&p, 1, 8);
	rig_drain(p.f);
	step = rig_find(&p.trace, TORUS_TRACE_RESEND, 0, 0);
	assert_non_null(step);
	assert_int_equal(step->at, 270 + 700);
	assert_int_equal(rig_find(&p.trace, TORUS_TRACE_DELIVER, 1, 0)->at, 970 + 20 + 256);
	pair_close(&p);
}

/* Find a seed with which the corrupted packet is damaged in its header, or after the header. */
static u32 seed_with_damage(bool header, u32 chunks)
{
	u32 seed;

	for (seed = 1; ; seed++) {
		struct torus_link_counters c;
		struct link_pair p;

		pair_open(&p, "", seed);
		link_set(p.f, TORUS_FAULT_CORRUPT, 1);
		pair_send(&p, 1, chunks);
		rig_drain(p.f);
		c = rig_link(p.f, 0, XP);
		pair_close(&p);
		if (!!c.crc_header_errors == header)
			return seed;
		assert_true(seed < 1000);
	}
}

/* A packet that fails the header's CRC is not forwarded to any node. */
static void test_header_error_found_early(void **state)
{
	struct torus_packet packet;
	struct link_pair p;

	pair_open(&p, "", seed_with_damage(true, 8));
	link_set(p.f, TORUS_FAULT_CORRUPT, 1);
	packet = rig_packet(p.f, 0, 2, 8);
	rig_inject(p.f, 0, &packet);
	torus_fabric_run(p.f, TIMEOUT, 0, 1);
	assert_int_equal(rig_link(p.f, 0, XP).crc_header_errors, 1);
	assert_int_equal(rig_link(p.f, 0, XP).crc_packet_errors, 0);
	assert_int_equal(rig_times(&p.trace, TORUS_TRACE_HOP, 1), 0);
	rig_drain(p.f);
	assert_int_equal(rig_times(&p.trace, TORUS_TRACE_DELIVER, 2), 1);
	pair_close(&p);
}

/*
 * Cut-through forwards a header before the tail fails the packet CRC. The packet is marked
 * invalid, discarded at a later node, and delivered once after its retransmission.
 */
static void test_cut_through_invalid(void **state)
{
	struct torus_packet packet;
	struct link_pair p;

	pair_open(&p, "", seed_with_damage(false, 8));
	link_set(p.f, TORUS_FAULT_CORRUPT, 1);
	packet = rig_packet(p.f, 0, 2, 8);
	rig_inject(p.f, 0, &packet);
	torus_fabric_run(p.f, 100, 0, 1);
	/* the packet is under way to node 2 before its tail arrives */
	assert_int_equal(rig_times(&p.trace, TORUS_TRACE_HOP, 1), 1);
	rig_census(p.f);
	torus_fabric_run(p.f, TIMEOUT, 0, 1);
	assert_int_equal(rig_link(p.f, 0, XP).crc_packet_errors, 1);
	assert_int_equal(rig_link(p.f, 1, XP).invalid, 1);
	assert_int_equal(rig_times(&p.trace, TORUS_TRACE_DELIVER, TORUS_NONE), 0);
	rig_drain(p.f);
	assert_int_equal(rig_times(&p.trace, TORUS_TRACE_DELIVER, 2), 1);
	assert_int_equal(rig_link(p.f, 0, XP).resends, 1);
	assert_int_equal(rig_link(p.f, 1, XP).resends, 0);
	assert_int_equal(rig_find(&p.trace, TORUS_TRACE_DELIVER, 2, 0)->hops, 2);
	pair_close(&p);
}

/*
 * A packet that waits is marked invalid when its damaged tail arrives, and discarded where it
 * waits.
 */
static void test_waiting_invalid_discarded(void **state)
{
	struct torus_packet packet, blocker;
	struct link_pair p;
	u32 i;

	pair_open(&p, "ack_delay=200", seed_with_damage(false, 8));
	link_set(p.f, TORUS_FAULT_CORRUPT, 1);
	/* four packets occupy the buffer of node 2 until tick 256 + 200 */
	blocker = rig_packet_on(p.f, 0, 2, 8, TORUS_BGL_BN, 0);
	for (i = 0; i < 4; i++)
		rig_place(p.f, 2, XP, TORUS_BGL_BN, &blocker);
	packet = rig_packet(p.f, 0, 2, 8);
	rig_inject(p.f, 0, &packet);
	torus_fabric_run(p.f, 270, 0, 1);
	assert_int_equal(rig_times(&p.trace, TORUS_TRACE_HOP, 1), 0);
	torus_fabric_run(p.f, TIMEOUT, 0, 1);
	assert_int_equal(rig_times(&p.trace, TORUS_TRACE_HOP, 1), 0);
	assert_int_equal(rig_link(p.f, 0, XP).crc_packet_errors, 1);
	assert_int_equal(rig_link(p.f, 0, XP).invalid, 1);
	rig_census(p.f);
	rig_drain(p.f);
	assert_int_equal(rig_times(&p.trace, TORUS_TRACE_HOP, 1), 1);
	assert_int_equal(rig_times(&p.trace, TORUS_TRACE_DELIVER, 2), 5);
	pair_close(&p);
}

/* -------------------------------------------------------------- acknowledgements */

static void check_ack(u32 what)
{
	struct torus_link_counters c;
	struct link_pair p;

	pair_open(&p, "", 1);
	link_set(p.f, what, 1);
	pair_send(&p, 1, 8);
	rig_drain(p.f);
	c = rig_link(p.f, 0, XP);
	assert_int_equal(c.ack_errors, 1);
	assert_int_equal(c.resends, 1);
	/* the receiver has the packet: it discards the copy, and acknowledges again */
	assert_int_equal(c.sequence_errors, 1);
	assert_int_equal(c.acks, 1);
	assert_int_equal(c.timeouts, 1);
	pair_close(&p);

	/* a later acknowledgement also acknowledges the packets of the lost one */
	pair_open(&p, "", 1);
	link_set(p.f, what, 2);
	pair_send(&p, 4, 8);
	rig_drain(p.f);
	c = rig_link(p.f, 0, XP);
	assert_int_equal(c.ack_errors, 2);
	assert_int_equal(c.resends, 0);
	assert_int_equal(c.acks, 2);
	pair_close(&p);
}

static void test_lost_ack(void **state)
{
	check_ack(TORUS_FAULT_DROP_ACK);
}

static void test_corrupted_ack(void **state)
{
	check_ack(TORUS_FAULT_CORRUPT_ACK);
}

/* Sequence numbers have 8 bits: a retransmitted packet must not count as new after they wrap. */
static void test_sequence_wraps(void **state)
{
	struct link_pair p;
	u32 i;

	pair_open(&p, "", 1);
	for (i = 0; i < 150; i++) {
		if (i % 10 == 0)
			link_set(p.f, i % 20 ? TORUS_FAULT_DROP_ACK : TORUS_FAULT_CORRUPT, 1);
		pair_send(&p, 4, 1 + i % 8);
		rig_drain(p.f);
		rig_at_rest(p.f);
	}
	assert_int_equal(rig_link(p.f, 0, XP).packets[TORUS_BGL_BN], 600);
	pair_close(&p);
}

/* The resend FIFO holds 2 KB. A sender stops when it is full of unacknowledged packets. */
static void test_resend_window(void **state)
{
	static const u32 chunks[] = { 8, 5, 1 }, fifo[] = { 0, 1, 2, 4, 5, 6 };
	u32 i, j;

	for (i = 0; i < COUNT(chunks); i++) {
		struct link_pair p;
		u32 room, n = 0;

		pair_open(&p, "", 1);
		link_set(p.f, TORUS_FAULT_DELAY, 6000);
		for (j = 0; j < COUNT(fifo); j++)
			while (p.f->router->inject_room(p.f, 0, fifo[j]) >= chunks[i]) {
				struct torus_packet packet = rig_packet(p.f, 0, 1, chunks[i]);

				rig_inject(p.f, fifo[j], &packet);
				n++;
			}
		torus_fabric_run(p.f, 6000, 0, 1);
		/* a packet starts if the FIFO has space for one of full size */
		room = (2048 - 256) / (chunks[i] * 32) + 1;
		/* tokens also limit the sender: only three packets can enter the bubble VC */
		room = room < 3 ? room : 3;
		assert_int_equal(rig_times(&p.trace, TORUS_TRACE_HOP, 0), room);
		rig_trace_free(&p.trace);
		torus_fabric_destroy(p.f);

		/* dynamic VCs have enough tokens */
		p.f = rig_make("4x1x1", "vc_bytes=4096");
		rig_trace_start(p.f, &p.trace, WATCH);
		link_set(p.f, TORUS_FAULT_DELAY, 20000);
		for (j = 0; j < COUNT(fifo); j++)
			while (p.f->router->inject_room(p.f, 0, fifo[j]) >= chunks[i]) {
				struct torus_packet packet = rig_packet(p.f, 0, 1, chunks[i]);

				rig_inject(p.f, fifo[j], &packet);
			}
		torus_fabric_run(p.f, 20000, 0, 1);
		room = (2048 - 256) / (chunks[i] * 32) + 1;
		assert_int_equal(rig_times(&p.trace, TORUS_TRACE_HOP, 0), room);
		assert_true(torus_link_at(p.f->domain, 0, XP)->bytes <= 2048);
		rig_drain(p.f);
		assert_int_equal(rig_times(&p.trace, TORUS_TRACE_DELIVER, 1), n);
		assert_int_equal(rig_link(p.f, 0, XP).resends, 0);
		rig_at_rest(p.f);
		rig_trace_free(&p.trace);
		torus_fabric_destroy(p.f);
	}
}

/* --------------------------------------------------------------- state and delay */

static void test_down_for_a_while(void **state)
{
	static const u64 at[] = { 0, 10, 100, 290, 300, 310, 400 };
	u32 i;

	for (i = 0; i < COUNT(at); i++) {
		struct torus_link_counters c;
		struct link_pair p;

		pair_open(&p, "", 1);
		link_down(p.f, 0, XP, at[i], 5000);
		assert_int_equal(rig_view(p.f, 0, XP).up, at[i] != 0);
		pair_send(&p, 3, 8);
		torus_fabric_run(p.f, 4000, 0, 1);
		assert_false(rig_view(p.f, 0, XP).up);
		rig_census(p.f);
		rig_drain(p.f);
		c = rig_link(p.f, 0, XP);
		assert_true(c.resends > 0);
		assert_true(c.timeouts > 0);
		assert_true(rig_view(p.f, 0, XP).up);
		assert_true(rig_find(&p.trace, TORUS_TRACE_DELIVER, 1, 2)->at >= at[i] + 5000);
		pair_close(&p);
	}
}

/* Tokens on their way over a link that is down are delayed, and not lost. */
static void test_down_keeps_tokens(void **state)
{
	struct link_pair p;
	u32 i;

	pair_open(&p, "", 1);
	pair_send(&p, 3, 8);
	/* the first token returns at 20 + 256 + 20 */
	link_down(p.f, 0, XP, 280, 3000);
	torus_fabric_run(p.f, 2000, 0, 1);
	assert_int_equal(rig_reg(p.f, 0, "tokens_xp") >> 8 & 0xff, 8);
	rig_census(p.f);
	for (i = 0; i < 8; i++) {
		torus_fabric_run(p.f, 2000 + 200 * i, 0, 1);
		rig_census(p.f);
	}
	pair_close(&p);
}

/*
 * After the maximum number of time-outs the sender parks the link until the state of the link
 * changes.
 */
static void test_parked_link_wakes(void **state)
{
	struct torus_link_counters c;
	struct link_pair p;

	pair_open(&p, "retries=3", 1);
	link_set(p.f, TORUS_FAULT_STATE, 0);
	pair_send(&p, 2, 8);
	/* a parked link has no pending events, so the fabric is idle */
	torus_fabric_run(p.f, 100000, 0, 1);
	assert_false(torus_fabric_pending(p.f));
	assert_true(rig_view(p.f, 0, XP).parked);
	c = rig_link(p.f, 0, XP);
	assert_int_equal(c.timeouts, 4);
	assert_int_equal(c.resends, 2 * 3);
	assert_int_equal(torus_fabric_in_flight(p.f), 2);
	assert_int_equal(torus_watchdog_check(p.f, NULL), TORUS_VERDICT_WAITING);
	rig_census(p.f);
	link_set(p.f, TORUS_FAULT_STATE, 1);
	assert_false(rig_view(p.f, 0, XP).parked);
	pair_close(&p);
}

/* A parked link also continues when a fault ends at its scheduled tick. */
static void test_parked_link_wakes_at_the_end(void **state)
{
	struct link_pair p;

	pair_open(&p, "retries=2", 1);
	link_down(p.f, 0, XP, 0, 50000);
	pair_send(&p, 2, 8);
	torus_fabric_run(p.f, 40000, 0, 1);
	assert_true(rig_view(p.f, 0, XP).parked);
	pair_send(&p, 1, 3);
	rig_drain(p.f);
	assert_true(rig_find(&p.trace, TORUS_TRACE_DELIVER, 1, 0)->at > 50000);
	pair_close(&p);
}

/* If the link comes up between the last retry and its time-out, the sender must not park it. */
static void test_up_before_the_last_timeout(void **state)
{
	struct link_pair p;

	pair_open(&p, "retries=3", 1);
	/* the packet is sent at tick 0, and retransmitted at ticks 1294, 2318 and 3342 */
	link_down(p.f, 0, XP, 0, 3800);
	pair_send(&p, 1, 8);
	torus_fabric_run(p.f, 100000, 0, 1);
	assert_false(rig_view(p.f, 0, XP).parked);
	pair_close(&p);
}

static void test_delay(void **state)
{
	struct link_pair p;

	pair_open(&p, "", 1);
	link_set(p.f, TORUS_FAULT_DELAY, 777);
	pair_send(&p, 1, 8);
	rig_drain(p.f);
	assert_int_equal(rig_find(&p.trace, TORUS_TRACE_DELIVER, 1, 0)->at, 20 + 777 + 256);
	assert_int_equal(rig_link(p.f, 0, XP).resends, 0);
	pair_close(&p);
}

/* A receiver repeats the report of tokens whose control packet was lost. */
static void test_token_repeat(void **state)
{
	u32 seed;

	for (seed = 1; seed <= 20; seed++) {
		struct link_pair p;
		u32 i;

		pair_open(&p, "ber=2e-3", seed);
		for (i = 0; i < 20; i++) {
			pair_send(&p, 3, 1);
			rig_drain(p.f);
			rig_at_rest(p.f);
		}
		pair_close(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live_link_without_faults),
		cmocka_unit_test(test_resend_after_corrupted_packet),
		cmocka_unit_test(test_resend_again),
		cmocka_unit_test(test_resend_timeout),
		cmocka_unit_test(test_header_error_found_early),
		cmocka_unit_test(test_cut_through_invalid),
		cmocka_unit_test(test_waiting_invalid_discarded),
		cmocka_unit_test(test_lost_ack),
		cmocka_unit_test(test_corrupted_ack),
		cmocka_unit_test(test_sequence_wraps),
		cmocka_unit_test(test_resend_window),
		cmocka_unit_test(test_down_for_a_while),
		cmocka_unit_test(test_down_keeps_tokens),
		cmocka_unit_test(test_parked_link_wakes),
		cmocka_unit_test(test_parked_link_wakes_at_the_end),
		cmocka_unit_test(test_up_before_the_last_timeout),
		cmocka_unit_test(test_delay),
		cmocka_unit_test(test_token_repeat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
