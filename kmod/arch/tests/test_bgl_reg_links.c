// SPDX-License-Identifier: GPL-2.0
/* Link registers: disabled senders, link control, clears, resend FIFOs, bypass, clock ratio. */
#include "arch/bgl/registers.h"
#include "arch/tests/bgl_rig.h"
#include "core/link/control.h"
#include "core/run/report.h"
#include "core/run/windows.h"

#define ARBITRATION	(157u << 18 | 53u << 10)

static int write(struct torus_fabric *f, u32 node, u32 offset, u32 value, struct torus_error *err)
{
	return f->arch->reg_write(f, node, offset, value, err);
}

static void send(struct torus_fabric *f, u32 src, u32 dst, u32 packets)
{
	while (packets--) {
		struct torus_packet p = rig_packet(f, src, dst, 4);

		rig_inject(f, 0, &p);
	}
}

/* Register 0B, bits 0-5: one bit per sender, X+ first. */
static void test_sender_disable(void **state)
{
	u32 dir;

	for (dir = 0; dir < 6; dir++) {
		struct torus_fabric *f = rig_make("4x4x4", "routing=deterministic");
		u32 peer = torus_geometry_neighbor(&f->cfg.geo, 21, dir), i;

		rig_reg_set(f, 21, "arbitration", 0x80000000u >> dir | ARBITRATION);
		for (i = 0; i < 6; i++)
			assert_int_equal(rig_view(f, 21, i).disabled, i == dir);
		send(f, 21, peer, 2);
		rig_drain(f);
		assert_int_equal(torus_fabric_in_flight(f), 2);
		rig_reg_set(f, 21, "arbitration", ARBITRATION);
		rig_drain(f);
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
}

/* Register 0B reports the state of a sender, also if torus_link_disable() changed it. */
static void test_sender_switched_elsewhere(void **state)
{
	struct torus_fabric *f = rig_make("4x4mx4", "");
	u32 edge = rig_node(f, 1, 3, 0);
	struct torus_error err;

	assert_int_equal(torus_link_disable(f, edge, 4, true, &err), 0);
	assert_int_equal(rig_reg(f, edge, "arbitration") & ~0x3ffffffu, BGL_DISABLE(4));
	/* writing the value that was read changes nothing; clearing the bit enables the sender */
	rig_reg_set(f, edge, "arbitration", rig_reg(f, edge, "arbitration"));
	assert_true(rig_view(f, edge, 4).disabled);
	/* y+ leads over the edge of the mesh */
	rig_reg_set(f, edge, "arbitration", ARBITRATION | BGL_DISABLE(2));
	assert_false(rig_view(f, edge, 4).disabled);
	assert_int_equal(rig_reg(f, edge, "arbitration") & ~0x3ffffffu, BGL_DISABLE(2));
	torus_fabric_destroy(f);
}

/* Register 12: bits 1-6 and 7-12 have one bit per direction. */
static void test_link_control_bits(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	u32 dir, i;

	for (dir = 0; dir < 6; dir++) {
		rig_reg_set(f, 21, "link_control", 0x40000000u >> dir);
		for (i = 0; i < 6; i++) {
			u32 from = torus_geometry_neighbor(&f->cfg.geo, 21, TORUS_REVERSE(i));

			assert_int_equal(rig_view(f, from, i).deaf, i == dir);
			assert_false(rig_view(f, 21, i).no_resend);
		}
		rig_reg_set(f, 21, "link_control", 0x01000000u >> dir);
		for (i = 0; i < 6; i++) {
			u32 from = torus_geometry_neighbor(&f->cfg.geo, 21, TORUS_REVERSE(i));

			assert_int_equal(rig_view(f, 21, i).no_resend, i == dir);
			assert_false(rig_view(f, from, i).deaf);
		}
	}
	rig_reg_set(f, 21, "link_control", 0);
	/* bit 0 sets loopback on all links */
	rig_reg_set(f, 21, "link_control", 0x80000000);
	for (i = 0; i < 6; i++)
		assert_true(rig_view(f, 21, i).loopback);
	rig_reg_set(f, 21, "link_control", 0);
	assert_false(rig_view(f, 21, 0).loopback);
	torus_fabric_destroy(f);
}

/* Loopback is rejected while packets are under way, and no other bit of the write takes effect. */
static void test_loopback_refused(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_error err;

	send(f, 21, 3, 1);
	assert_int_equal(write(f, 21, REG_LINKS, 0xc0000000, &err), -EBUSY);
	assert_says(err.text, "loopback node 21");
	assert_int_equal(rig_reg(f, 21, "link_control"), 0);
	assert_false(rig_view(f, torus_geometry_neighbor(&f->cfg.geo, 21, 1), 0).deaf);
	rig_drain(f);
	rig_reg_set(f, 21, "link_control", 0xc0000000);
	assert_int_equal(rig_reg(f, 21, "link_control"), 0xc0000000);
	torus_fabric_destroy(f);
}

/* A bit of a missing link can be written, and has no effect. */
static void test_edge_of_a_mesh(void **state)
{
	struct torus_fabric *f = rig_make("4mx4x1", "");

	rig_reg_set(f, 0, "arbitration", 0xfc000000 | ARBITRATION);
	rig_reg_set(f, 0, "link_control", 0x7ff80000);
	assert_int_equal(rig_reg(f, 0, "arbitration"), 0xfc000000 | ARBITRATION);
	rig_reg_set(f, 0, "arbitration", ARBITRATION);
	rig_reg_set(f, 0, "link_control", 0);
	send(f, 0, 15, 3);
	rig_drain(f);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------------------- clears */

/*
 * Register 1E: each bit clears one CRC. A link's two CRCs agree after the CRCs of both ends were
 * cleared.
 */
static void test_clear_link_crcs(void **state)
{
	static const char *const names[] = { "xp", "xm", "yp", "ym", "zp", "zm" };
	struct torus_fabric *f = rig_make("4x4x4", "crc=full");
	struct torus_fabric_counters c;
	char name[32];
	u32 dir;

	rig_packets(f, 20, 32, 256);
	rig_finish(f, 0, 1);
	for (dir = 0; dir < 6; dir++) {
		u32 peer = torus_geometry_neighbor(&f->cfg.geo, 21, dir);

		snprintf(name, sizeof(name), "sender_crc_%s", names[dir]);
		assert_int_not_equal(rig_reg(f, 21, name), 0);
		rig_reg_set(f, 21, "clear", 0x80000000u >> (12 + dir));
		assert_int_equal(rig_reg(f, 21, name), 0);
		/* only one end is cleared: the CRCs differ */
		torus_fabric_counters(f, &c);
		assert_int_equal(c.links_differ, 1);
		snprintf(name, sizeof(name), "receiver_crc_%s", names[dir]);
		assert_int_not_equal(rig_reg(f, peer, name), 0);
		rig_reg_set(f, peer, "clear", 0x80000000u >> dir);
		assert_int_equal(rig_reg(f, peer, name), 0);
		torus_fabric_counters(f, &c);
		assert_int_equal(c.links_differ, 0);
	}
	/* both ends were cleared: the CRCs also agree after more packets */
	send(f, 21, 42, 5);
	rig_drain(f);
	assert_int_not_equal(rig_reg(f, 21, "sender_crc_xp") | rig_reg(f, 21, "sender_crc_xm") |
			     rig_reg(f, 21, "sender_crc_yp") | rig_reg(f, 21, "sender_crc_ym") |
			     rig_reg(f, 21, "sender_crc_zp") | rig_reg(f, 21, "sender_crc_zm"), 0);
	torus_fabric_counters(f, &c);
	assert_int_equal(c.links_differ, 0);
	torus_fabric_destroy(f);
}

/*
 * A link's CRC can be cleared only if no packet is between its ends. Otherwise the CRCs would
 * differ from then on.
 */
static void test_clear_at_rest_only(void **state)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = 0, .corrupt = 1,
	};
	struct torus_fabric *f = rig_make("4x1x1", "crc=full routing=deterministic");
	struct torus_error err;
	u32 before;

	rig_fault(f, &fault);
	send(f, 0, 1, 2);
	torus_fabric_run(f, 500, 0, 1);
	before = rig_reg(f, 0, "sender_crc_xp");
	assert_int_not_equal(before, 0);
	assert_int_equal(write(f, 0, REG_CLEAR, BGL_CLEAR_SENDER(0) | BGL_CLEAR_SENDER(1), &err),
			 -EBUSY);
	assert_says(err.text, "clear 0x000c0000");
	assert_says(err.text, "x+");
	assert_int_equal(write(f, 1, REG_CLEAR, BGL_CLEAR_RECEIVER(0), &err), -EBUSY);
	assert_int_equal(rig_reg(f, 0, "sender_crc_xp"), before);
	/* the CRC of another link, with no packet between its ends, can be cleared */
	rig_reg_set(f, 0, "clear", BGL_CLEAR_SENDER(1));
	rig_drain(f);
	rig_reg_set(f, 0, "clear", BGL_CLEAR_SENDER(0));
	rig_reg_set(f, 1, "clear", BGL_CLEAR_RECEIVER(0));
	assert_int_equal(rig_view(f, 0, 0).tx_crc, rig_view(f, 0, 0).rx_crc);
	torus_fabric_destroy(f);
}

/* -------------------------------------------------------------- resend FIFOs */

/* Registers 4A-4C: end minus begin is the number of unacknowledged chunks. */
static void test_resend_pointers(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	u32 r;

	send(f, 0, 1, 3);
	rig_drain(f);
	/* the link works: all packets are acknowledged */
	assert_int_equal(rig_reg(f, 0, "resend_x"), 0x0c0c0000);
	rig_reg_set(f, 1, "link_control", BGL_STOP_RECEIVE(0));
	send(f, 0, 1, 5);
	torus_fabric_run(f, f->clock + 5000, 0, 1);
	r = rig_reg(f, 0, "resend_x");
	/*
	 * the bubble VC has tokens for three packets, so three packets of four chunks are
	 * unacknowledged
	 */
	assert_int_equal(r, 0x0c180000);
	rig_reg_set(f, 1, "link_control", 0);
	rig_drain(f);
	assert_int_equal(rig_reg(f, 0, "resend_x"), 0x20200000);
	/* the other direction is in the lower half of the register */
	send(f, 0, 3, 1);
	rig_drain(f);
	assert_int_equal(rig_reg(f, 0, "resend_x"), 0x20200404);
	assert_int_equal(rig_reg(f, 0, "resend_y"), 0);
	torus_fabric_destroy(f);
}

/* A reset of the fabric's counters does not move the pointers, which software reads. */
static void test_resend_pointers_after_counters(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	struct torus_error err;

	send(f, 0, 1, 3);
	rig_drain(f);
	rig_reg_set(f, 1, "link_control", BGL_STOP_RECEIVE(0));
	send(f, 0, 1, 5);
	torus_fabric_run(f, f->clock + 5000, 0, 1);
	assert_int_equal(rig_reg(f, 0, "resend_x"), 0x0c180000);
	torus_fabric_counters_reset(f);
	assert_int_equal(rig_reg(f, 0, "resend_x"), 0x0c180000);
	rig_reg_set(f, 1, "link_control", 0);
	rig_drain(f);
	assert_int_equal(rig_reg(f, 0, "resend_x"), 0x20200000);
	/* a reset of the pointers counts from the counters' present values */
	rig_reg_set(f, 0, "reset", BGL_RESET_SRAM(0));
	assert_int_equal(rig_reg(f, 0, "resend_x"), 0);
	torus_fabric_counters_reset(f);
	send(f, 0, 1, 1);
	rig_drain(f);
	assert_int_equal(rig_reg(f, 0, "resend_x"), 0x04040000);
	/* a restarted fabric counts from 0 */
	assert_int_equal(torus_fabric_reset(f, 1, &err), 0);
	assert_int_equal(rig_reg(f, 0, "resend_x"), 0);
	torus_fabric_destroy(f);
}

/* --------------------------------------------------------- other routing registers */

/* Register 07 has one threshold per VC. A VC filled beyond its threshold closes the bypass. */
static void test_bypass_thresholds(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");

	assert_int_equal(rig_reg(f, 0, "bypass_thresholds"), 0x7f7f7f7f);
	rig_reg_set(f, 5, "bypass_thresholds", 0x01020304);
	assert_int_equal(bgl_machine(f)->regs[5].bypass[0], 1);
	assert_int_equal(bgl_machine(f)->regs[5].bypass[3], 4);
	assert_int_equal(bgl_machine(f)->regs[4].bypass[3], 127);
	torus_fabric_destroy(f);
}

/* Register 0C can be written, and does not change the simulation. */
static void test_clock_ratio(void **state)
{
	u64 clock[2];
	u32 i;

	for (i = 0; i < 2; i++) {
		struct torus_fabric *f = rig_make("4x4x4", "");

		assert_int_equal(rig_reg(f, 0, "clock_ratio"), 0x20000000);
		if (i)
			rig_reg_set(f, 0, "clock_ratio", 0x80000000);
		send(f, 0, 21, 3);
		rig_drain(f);
		clock[i] = f->clock;
		torus_fabric_destroy(f);
	}
	assert_int_equal(clock[0], clock[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sender_disable),
		cmocka_unit_test(test_sender_switched_elsewhere),
		cmocka_unit_test(test_link_control_bits),
		cmocka_unit_test(test_loopback_refused),
		cmocka_unit_test(test_edge_of_a_mesh),
		cmocka_unit_test(test_clear_link_crcs),
		cmocka_unit_test(test_clear_at_rest_only),
		cmocka_unit_test(test_resend_pointers),
		cmocka_unit_test(test_resend_pointers_after_counters),
		cmocka_unit_test(test_bypass_thresholds),
		cmocka_unit_test(test_clock_ratio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
