// SPDX-License-Identifier: GPL-2.0
/* Switches of links: disable a sender, stop a receiver, stop retransmissions, loopback. */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "core/link/control.h"
#include "core/run/windows.h"

#define XP	0

static void disable(struct torus_fabric *f, u32 node, u32 dir, bool on)
{
	struct torus_error err;

	if (torus_link_disable(f, node, dir, on, &err))
		fail_msg("%s", err.text);
}

/*
 * A disabled sender starts no packet. Waiting packets stay, and leave when the sender is enabled.
 */
static void test_disabled_sender_starts_nothing(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	u32 i;

	disable(f, 0, XP, true);
	for (i = 0; i < 3; i++) {
		struct torus_packet p = rig_packet(f, 0, 1, 8);

		rig_inject(f, 0, &p);
	}
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 3);
	assert_int_equal(rig_link(f, 0, XP).packets[TORUS_BGL_BN], 0);
	/* no packet is between the two ends of the link */
	assert_true(rig_view(f, 0, XP).rest);
	rig_census(f);
	disable(f, 0, XP, false);
	rig_drain(f);
	assert_int_equal(rig_link(f, 0, XP).packets[TORUS_BGL_BN], 3);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/*
 * A packet that has begun to leave is completed, with its retransmissions, although the sender is
 * disabled.
 */
static void test_disabled_sender_finishes(void **state)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = XP, .corrupt = 1,
	};
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	u32 i;

	rig_fault(f, &fault);
	for (i = 0; i < 2; i++) {
		struct torus_packet p = rig_packet(f, 0, 1, 8);

		rig_inject(f, 0, &p);
	}
	/* the first packet has begun, the second waits for the link */
	torus_fabric_run(f, 100, 0, 1);
	disable(f, 0, XP, true);
	rig_drain(f);
	assert_int_equal(rig_link(f, 0, XP).resends, 1);
	assert_int_equal(torus_fabric_in_flight(f), 1);
	disable(f, 0, XP, false);
	rig_drain(f);
	assert_int_equal(rig_link(f, 0, XP).packets[TORUS_BGL_BN], 2);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* Dynamic packets with an alternative take another link. */
static void test_dynamic_packets_go_round(void **state)
{
	struct torus_fabric *f = rig_make("4x4x1", "");
	u32 i;

	disable(f, 0, XP, true);
	for (i = 0; i < 20; i++) {
		struct torus_packet p = rig_packet(f, 0, rig_node(f, 1, 1, 0), 1);

		rig_inject(f, 0, &p);
	}
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	assert_int_equal(rig_link(f, 0, XP).busy_ticks, 0);
	torus_fabric_destroy(f);
}

/* ---------------------------------------------------------- a stopped receiver */

static void stop_receive(struct torus_fabric *f, u32 node, u32 dir, bool on)
{
	struct torus_error err;

	if (torus_link_stop_receive(f, node, dir, on, &err))
		fail_msg("%s", err.text);
}

/*
 * A stopped receiver neither accepts nor acknowledges packets. The sender retransmits until the
 * receiver is started again.
 */
static void test_deaf_receiver(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	struct torus_link_counters c;
	u32 i;

	stop_receive(f, 1, XP, true);
	for (i = 0; i < 3; i++) {
		struct torus_packet p = rig_packet(f, 0, 1, 8);

		rig_inject(f, 0, &p);
	}
	torus_fabric_run(f, 20000, 0, 1);
	c = rig_link(f, 0, XP);
	assert_in_range(c.timeouts, 5, 99);
	assert_true(c.resends >= 2 * c.timeouts);
	assert_int_equal(c.acks, 0);
	assert_int_equal(c.crc_header_errors + c.crc_packet_errors, 0);
	assert_int_equal(torus_fabric_in_flight(f), 3);
	rig_census(f);
	stop_receive(f, 1, XP, false);
	rig_drain(f);
	c = rig_link(f, 0, XP);
	assert_int_equal(c.packets[TORUS_BGL_BN], 3);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* If the sender was parked meanwhile, starting the receiver wakes it. */
static void test_deaf_receiver_parks_its_sender(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic retries=3");
	struct torus_packet p;

	stop_receive(f, 1, XP, true);
	p = rig_packet(f, 0, 1, 8);
	rig_inject(f, 0, &p);
	rig_drain(f);
	assert_true(rig_view(f, 0, XP).parked);
	assert_true(rig_view(f, 0, XP).deaf);
	stop_receive(f, 1, XP, false);
	rig_drain(f);
	assert_false(rig_view(f, 0, XP).parked);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* --------------------------------------------------- stopped retransmissions */

static void stop_resend(struct torus_fabric *f, u32 node, u32 dir, bool on)
{
	struct torus_error err;

	if (torus_link_stop_resend(f, node, dir, on, &err))
		fail_msg("%s", err.text);
}

static void test_stopped_resend(void **state)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = XP, .corrupt = 1,
	};
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	struct torus_link_counters c;
	u32 i;

	stop_resend(f, 0, XP, true);
	rig_fault(f, &fault);
	for (i = 0; i < 3; i++) {
		struct torus_packet p = rig_packet(f, 0, 1, 8);

		rig_inject(f, 0, &p);
	}
	rig_drain(f);
	c = rig_link(f, 0, XP);
	/*
	 * the first packet was damaged, so the receiver rejects the others by their sequence
	 * numbers
	 */
	assert_int_equal(c.packets[TORUS_BGL_BN], 3);
	assert_int_equal(c.resends, 0);
	assert_int_equal(c.timeouts, 0);
	assert_int_equal(torus_fabric_in_flight(f), 3);
	rig_census(f);
	stop_resend(f, 0, XP, false);
	rig_drain(f);
	assert_int_equal(rig_link(f, 0, XP).resends, 3);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/*
 * If retransmissions are stopped after the first one has begun, the other packets are not sent
 * again.
 */
static void test_stopped_midway(void **state)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = XP, .corrupt = 1,
	};
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	u32 i;

	rig_fault(f, &fault);
	for (i = 0; i < 3; i++) {
		struct torus_packet p = rig_packet(f, 0, 1, 8);

		rig_inject(f, 0, &p);
	}
	while (!rig_link(f, 0, XP).resends)
		torus_fabric_run(f, f->clock + 50, 0, 1);
	stop_resend(f, 0, XP, true);
	rig_drain(f);
	assert_int_equal(rig_link(f, 0, XP).resends, 1);
	assert_int_equal(torus_fabric_in_flight(f), 2);
	stop_resend(f, 0, XP, false);
	rig_drain(f);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* ----------------------------------------------------------------- loopback */

static void loopback(struct torus_fabric *f, u32 node, bool on)
{
	struct torus_error err;

	if (torus_link_loopback(f, node, on, &err))
		fail_msg("%s", err.text);
}

/* Send a packet from each node to each other node, and check that all arrive. */
static void check_all_pairs(struct torus_fabric *f)
{
	u32 src, dst;

	for (src = 0; src < f->nodes; src++)
		for (dst = 0; dst < f->nodes; dst++) {
			struct torus_packet p;

			if (dst == src)
				continue;
			p = rig_packet(f, src, dst, 1);
			rig_inject(f, 0, &p);
			if (dst % 8 == 7)
				rig_drain(f);
		}
	rig_drain(f);
	rig_at_rest(f);
}

/* In loopback each sender transmits to the receiver of its own node and direction. */
static void test_loopback(void **state)
{
	u32 domains, dir;

	for (domains = 1; domains <= 4; domains++) {
		char text[64];
		struct torus_fabric *f;

		snprintf(text, sizeof(text), "crc=full domains=%u control=%s", 1 + domains % 2,
			 domains > 2 ? "simulated" : "charged");
		f = rig_make("4x4x2", text);
		loopback(f, 5, true);
		rig_reg_set(f, 5, "plus_neighbor", rig_reg(f, 5, "node_coordinate"));
		rig_reg_set(f, 5, "minus_neighbor", rig_reg(f, 5, "node_coordinate"));
		for (dir = 0; dir < 6; dir++) {
			u32 vc = dir & 1 ? TORUS_BGL_BN : TORUS_BGL_D0, i;

			for (i = 0; i < 5; i++) {
				struct torus_packet p =
					rig_packet_on(f, 5, 5, 8, vc, TORUS_BGL_HINT_XP >> dir);

				rig_inject(f, 0, &p);
				rig_drain(f);
			}
			assert_true(rig_view(f, 5, dir).loopback);
			assert_int_equal(rig_view(f, 5, dir).peer, 5);
			assert_int_not_equal(rig_view(f, 5, dir).tx_crc, 0);
			assert_int_equal(rig_view(f, 5, dir).tx_crc, rig_view(f, 5, dir).rx_crc);
			assert_int_equal(rig_link(f, 5, dir).acks, 5);
		}
		assert_int_equal(torus_fabric_in_flight(f), 0);
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
}

/*
 * The links from the neighbours to a node in loopback are down. The neighbours' packets arrive
 * after loopback ends.
 */
static void test_loopback_cuts_off(void **state)
{
	u32 domains, dir;

	for (domains = 1; domains <= 4; domains++) {
		char text[96];
		struct torus_fabric *f;

		snprintf(text, sizeof(text),
			 "routing=deterministic retries=5 domains=%u control=%s", domains,
			 domains & 1 ? "simulated" : "charged");
		f = rig_make("4x4x4", text);
		loopback(f, 21, true);
		for (dir = 0; dir < 6; dir++) {
			u32 from = torus_geometry_neighbor(&f->cfg.geo, 21, TORUS_REVERSE(dir));
			struct torus_packet p = rig_packet(f, from, 21, 8);

			assert_false(rig_view(f, from, dir).up);
			assert_true(rig_view(f, 21, dir).up);
			rig_inject(f, 0, &p);
		}
		rig_drain(f);
		assert_int_equal(torus_fabric_in_flight(f), 6);
		rig_census(f);
		loopback(f, 21, false);
		rig_drain(f);
		assert_int_equal(torus_fabric_in_flight(f), 0);
		for (dir = 0; dir < 6; dir++) {
			u32 from = torus_geometry_neighbor(&f->cfg.geo, 21, TORUS_REVERSE(dir));

			assert_true(rig_view(f, from, dir).up);
			assert_int_equal(rig_view(f, from, dir).tx_crc,
					 rig_view(f, from, dir).rx_crc);
		}
		rig_at_rest(f);
		/* after loopback the node works as before */
		check_all_pairs(f);
		torus_fabric_destroy(f);
	}
}

/* Loopback is rejected while packets are under way in the fabric. */
static void test_loopback_at_rest_only(void **state)
{
	struct torus_fabric *f = rig_make("4x4x1", "");
	struct torus_packet p = rig_packet(f, 0, 5, 8);
	struct torus_error err;

	rig_inject(f, 0, &p);
	torus_fabric_run(f, 100, 0, 1);
	assert_int_equal(torus_link_loopback(f, 5, true, &err), -EBUSY);
	assert_says(err.text, "loopback node 5");
	assert_false(rig_view(f, 5, XP).loopback);
	rig_drain(f);
	loopback(f, 5, true);
	torus_fabric_destroy(f);
}

/* Two neighbours, one of them at the edge of a mesh, can be in loopback together. */
static void test_loopback_of_neighbours(void **state)
{
	struct torus_fabric *f = rig_make("4mx4x2", "routing=deterministic");
	struct torus_packet p;

	loopback(f, 0, true);
	loopback(f, 1, true);
	rig_reg_set(f, 0, "plus_neighbor", 0);
	rig_reg_set(f, 0, "minus_neighbor", 0);
	p = rig_packet_on(f, 0, 0, 3, TORUS_BGL_BN, TORUS_BGL_HINT_XP);
	rig_inject(f, 0, &p);
	p = rig_packet_on(f, 0, 0, 3, TORUS_BGL_BN, TORUS_BGL_HINT_ZM);
	rig_inject(f, 1, &p);
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	loopback(f, 0, false);
	assert_false(rig_view(f, 0, XP).up);
	assert_true(rig_view(f, 1, XP).up);
	loopback(f, 1, false);
	assert_true(rig_view(f, 0, XP).up);
	rig_reg_set(f, 0, "plus_neighbor", 0x010101);
	rig_reg_set(f, 0, "minus_neighbor", 0x000301);
	check_all_pairs(f);
	torus_fabric_destroy(f);
}

static void test_bad_arguments(void **state)
{
	struct torus_fabric *f = rig_make("4mx4x1", "");
	struct torus_error err;

	assert_int_equal(torus_link_disable(f, 16, XP, true, &err), -EINVAL);
	assert_says(err.text, "16");
	assert_int_equal(torus_link_disable(f, 3, 6, true, &err), -EINVAL);
	assert_says(err.text, "6");
	assert_int_equal(torus_link_disable(f, 3, XP, true, &err), -ENOLINK);
	assert_says(err.text, "3,0,0");
	assert_int_equal(torus_link_stop_resend(f, 3, XP, true, &err), -ENOLINK);
	assert_int_equal(torus_link_stop_receive(f, 0, XP, true, &err), -ENOLINK);
	assert_int_equal(torus_link_loopback(f, 16, true, &err), -EINVAL);
	torus_fabric_destroy(f);
	f = rig_make("4mx4x1", "control=simulated");
	assert_int_equal(torus_link_loopback(f, 0, true, &err), -EOPNOTSUPP);
	assert_says(err.text, "mesh");
	assert_int_equal(torus_link_loopback(f, 1, true, &err), 0);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disabled_sender_starts_nothing),
		cmocka_unit_test(test_disabled_sender_finishes),
		cmocka_unit_test(test_dynamic_packets_go_round),
		cmocka_unit_test(test_deaf_receiver),
		cmocka_unit_test(test_deaf_receiver_parks_its_sender),
		cmocka_unit_test(test_stopped_resend),
		cmocka_unit_test(test_stopped_midway),
		cmocka_unit_test(test_loopback),
		cmocka_unit_test(test_loopback_cuts_off),
		cmocka_unit_test(test_loopback_at_rest_only),
		cmocka_unit_test(test_loopback_of_neighbours),
		cmocka_unit_test(test_bad_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
