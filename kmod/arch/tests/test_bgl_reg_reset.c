// SPDX-License-Identifier: GPL-2.0
/*
 * Register 00 resets the parts of a node one by one. The tests check the effect on the packets and
 * on the other parts.
 */
#include "arch/bgl/registers.h"
#include "core/link/recovery.h"
#include "core/run/windows.h"
#include "core/state/interrupt.h"
#include "arch/tests/bgl_rig.h"

#define XP	0

static void reset(struct torus_fabric *f, u32 node, u32 bits)
{
	struct torus_error err;

	if (f->arch->reg_write(f, node, REG_RESET, bits, &err))
		fail_msg("%s", err.text);
}

static void send(struct torus_fabric *f, u32 src, u32 dst, u32 packets)
{
	while (packets--) {
		struct torus_packet p = rig_packet(f, src, dst, 4);

		rig_inject(f, 0, &p);
	}
}

static u64 lost(struct torus_fabric *f)
{
	struct torus_fabric_counters c;

	torus_fabric_counters(f, &c);
	assert_int_equal(c.injected, c.delivered + c.dropped[TORUS_DROP_RESET] + c.in_flight);
	return c.dropped[TORUS_DROP_RESET];
}

/*
 * Bit 0 sets each register of the node to its boot value, and also enables links and ends loopback
 * that registers had switched.
 */
static void test_reset_registers(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", ""), *g = rig_make("4x4x4", "");
	struct torus_error err;
	u32 i, value, want;

	for (i = 0; i < *f->arch->nregs; i++) {
		const struct torus_reg *r = &f->arch->regs[i];

		if (r->flags & (TORUS_REG_READ_ONLY | TORUS_REG_WRITE_CLEARS))
			continue;
		value = !strcmp(r->name, "clock_ratio") ? 0 : 0xf8060100 & r->mask;
		if (!strncmp(r->name, "timeout", 7))
			value = 0x04440444;
		assert_int_equal(f->arch->reg_write(f, 9, r->offset, value, &err), 0);
	}
	torus_error_raise(f, 9, TORUS_ERROR_PARITY, XP, 0);
	assert_true(rig_view(f, 9, XP).disabled);
	assert_true(rig_view(f, 9, XP).loopback);
	reset(f, 9, BGL_RESET_REGISTERS);
	assert_false(rig_view(f, 9, XP).disabled);
	assert_false(rig_view(f, 9, XP).loopback);
	for (i = 0; i < *f->arch->nregs; i++) {
		const struct torus_reg *r = &f->arch->regs[i];

		assert_int_equal(f->arch->reg_read(f, 9, r->offset, &value, &err), 0);
		assert_int_equal(g->arch->reg_read(g, 9, r->offset, &want, &err), 0);
		if (value != want)
			fail_msg("%s: 0x%08x, not 0x%08x", r->name, value, want);
	}
	assert_int_equal(rig_reg(f, 9, "reset"), 0);
	torus_fabric_destroy(f);
	torus_fabric_destroy(g);
}

/* Loopback cannot be switched while packets are under way: the whole reset is rejected. */
static void test_reset_registers_refused(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_error err;

	rig_reg_set(f, 9, "link_control", BGL_LOOPBACK);
	rig_reg_set(f, 9, "cutoff_plus", 0x010101);
	send(f, 20, 30, 1);
	assert_int_equal(f->arch->reg_write(f, 9, REG_RESET,
					    BGL_RESET_REGISTERS | BGL_RESET_INJECTION, &err),
			 -EBUSY);
	assert_int_equal(rig_reg(f, 9, "cutoff_plus"), 0x010101);
	torus_fabric_destroy(f);
}

/* Bit 1: the arbiters repeat their first random numbers. */
static void test_reset_random(void **state)
{
	u32 with, at;

	for (with = 0; with < 2; with++) {
		struct torus_fabric *f = rig_make("4x4x4", "seed=77");
		u32 dirs[2][24], differ = 0, run, i;

		for (run = 0; run < 2; run++) {
			struct rig_trace trace;

			if (run && with)
				reset(f, 0, BGL_RESET_RANDOM);
			rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
			for (i = 0; i < 24; i++) {
				struct torus_packet p = rig_packet(f, 0, rig_node(f, 1, 1, 1), 1);

				at = trace.n;
				rig_inject(f, 0, &p);
				rig_drain(f);
				dirs[run][i] = trace.step[at].dir;
				differ += run && dirs[1][i] != dirs[0][i];
			}
			rig_trace_free(&trace);
			f->domain[0].tracer = NULL;
		}
		if (with)
			assert_int_equal(differ, 0);
		else
			assert_int_not_equal(differ, 0);
		torus_fabric_destroy(f);
	}
}

/*
 * Bit 2: packets that wait in injection FIFOs are lost. A packet that has begun to leave is not
 * lost.
 */
static void test_reset_injection(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");

	send(f, 0, 1, 5);
	send(f, 2, 1, 2);
	torus_fabric_run(f, 50, 0, 1);
	reset(f, 0, BGL_RESET_INJECTION);
	assert_int_equal(lost(f), 4);
	rig_census(f);
	rig_drain(f);
	assert_int_equal(lost(f), 4);
	assert_int_equal(f->router->inject_room(f, 0, 0), 32);
	rig_at_rest(f);
	/* injection continues after the reset */
	send(f, 0, 1, 5);
	rig_drain(f);
	assert_int_equal(lost(f), 4);
	torus_fabric_destroy(f);
}

/*
 * Bit 3: unread packets of the reception FIFOs are lost, and packets that waited for free space
 * enter.
 */
static void test_reset_reception(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	struct torus_fabric_counters c;
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 1, 0, false);
	b.credits = 0;
	for (i = 0; i < 6; i++)
		rig_send(&a, 1, 0, 8, false, i);
	rig_settle(f);
	assert_int_equal(torus_nic_receive_chunks(f, 1, 0, 0), 32);
	assert_int_equal(torus_fabric_in_flight(f), 2);
	reset(f, 1, BGL_RESET_RECEPTION);
	assert_int_equal(torus_nic_receive_chunks(f, 1, 0, 0), 0);
	b.credits = 100;
	rig_settle(f);
	torus_fabric_counters(f, &c);
	assert_int_equal(c.unread, 4);
	assert_int_equal(c.delivered, 6);
	assert_int_equal(b.ins, 2);
	assert_int_equal(rig_mark(b.in[0].bytes, 8), 4);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/*
 * After the reset a reader has the full time rx_stall for the next packets, even if it had not
 * read before.
 */
static void test_reset_reception_restarts_stall(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic rx_stall=5000");
	struct torus_fabric_counters c;
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 1, 0, false);
	b.credits = 0;
	for (i = 0; i < 4; i++)
		rig_send(&a, 1, 0, 8, false, i);
	rig_settle(f);
	assert_int_equal(torus_nic_receive_chunks(f, 1, 0, 0), 32);
	torus_fabric_idle_advance(f, 6000);
	reset(f, 1, BGL_RESET_RECEPTION);
	for (i = 0; i < 5; i++)
		rig_send(&a, 1, 0, 8, false, 4 + i);
	rig_settle(f);
	torus_fabric_counters(f, &c);
	assert_int_equal(c.unread, 4);
	assert_int_equal(c.delivered, 8);
	assert_int_equal(torus_fabric_in_flight(f), 1);
	assert_int_equal(c.dropped[TORUS_DROP_RX_STALL], 0);
	torus_fabric_idle_advance(f, 6000);
	rig_settle(f);
	torus_fabric_counters(f, &c);
	assert_int_equal(c.dropped[TORUS_DROP_RX_STALL], 1);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* Bits 4-9 clear a sender's CRC and retry count. A parked sender starts again. */
static void test_reset_send(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "crc=full routing=deterministic retries=2");

	/*
	 * The receiver ignores packets until the sender is parked. The test then clears ->deaf
	 * directly, which does not wake the sender.
	 */
	rig_reg_set(f, 1, "link_control", BGL_STOP_RECEIVE(XP));
	send(f, 0, 1, 1);
	rig_drain(f);
	assert_true(rig_view(f, 0, XP).parked);
	torus_link_at(torus_domain_of(f, 1), 1, XP)->deaf = false;
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 1);
	reset(f, 0, BGL_RESET_SEND(XP + 1));
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 1);
	reset(f, 0, BGL_RESET_SEND(XP));
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	/* no packet is between the ends, so their CRCs agree after both resets */
	assert_int_not_equal(rig_reg(f, 1, "receiver_crc_xp"), 0);
	reset(f, 0, BGL_RESET_SEND(XP));
	assert_int_equal(rig_reg(f, 0, "sender_crc_xp"), 0);
	assert_int_equal(rig_reg(f, 0, "retries_xp"), 0);
	reset(f, 1, BGL_RESET_RECEIVE(XP));
	assert_int_equal(rig_reg(f, 1, "receiver_crc_xp"), 0);
	send(f, 0, 1, 3);
	rig_drain(f);
	assert_int_not_equal(rig_view(f, 0, XP).tx_crc, 0);
	assert_int_equal(rig_view(f, 0, XP).tx_crc, rig_view(f, 0, XP).rx_crc);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/*
 * The restart of bits 4-9 during traffic: unacknowledged packets are retransmitted, and delivered
 * once.
 */
static void test_reset_send_under_way(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "crc=full routing=deterministic");
	u32 i;

	rig_reg_set(f, 0, "link_control", BGL_STOP_RESEND(0));
	rig_reg_set(f, 0, "link_control", 0);
	for (i = 0; i < 40; i++) {
		send(f, 0, 1, 2);
		torus_fabric_run(f, f->clock + 37, 0, 1);
		torus_link_restart(torus_domain_of(f, 0), 0, XP);
		if (i % 3 == 2)
			rig_drain(f);
	}
	rig_drain(f);
	assert_int_not_equal(rig_link(f, 0, XP).resends, 0);
	assert_int_equal(rig_view(f, 0, XP).tx_crc, rig_view(f, 0, XP).rx_crc);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/*
 * Bits 10-11 reset the pointers of three links each. The reset is rejected while one of the links
 * has a packet.
 */
static void test_reset_send_sram(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "routing=deterministic");
	struct torus_error err;
	u32 dir;

	for (dir = 0; dir < 6; dir++)
		send(f, 21, torus_geometry_neighbor(&f->cfg.geo, 21, dir), 1);
	rig_drain(f);
	assert_int_equal(rig_reg(f, 21, "resend_y"), 0x04040404);
	reset(f, 21, BGL_RESET_SRAM(0));
	assert_int_equal(rig_reg(f, 21, "resend_x"), 0);
	assert_int_equal(rig_reg(f, 21, "resend_y"), 0x00000404);
	assert_int_equal(rig_reg(f, 21, "resend_z"), 0x04040404);
	reset(f, 21, BGL_RESET_SRAM(1));
	assert_int_equal(rig_reg(f, 21, "resend_y"), 0);
	assert_int_equal(rig_reg(f, 21, "resend_z"), 0);
	/* the neighbour does not acknowledge */
	rig_reg_set(f, torus_geometry_neighbor(&f->cfg.geo, 21, 3), "link_control",
		    BGL_STOP_RECEIVE(3));
	send(f, 21, torus_geometry_neighbor(&f->cfg.geo, 21, 3), 1);
	torus_fabric_run(f, f->clock + 3000, 0, 1);
	reset(f, 21, BGL_RESET_SRAM(0));
	assert_int_equal(f->arch->reg_write(f, 21, REG_RESET, BGL_RESET_SRAM(1), &err), -EBUSY);
	assert_says(err.text, "y-");
	assert_int_equal(rig_reg(f, 21, "resend_y"), 0x00000004);
	torus_fabric_destroy(f);
}

/* Bits 12-17: packets that wait in VC buffers are lost. Their tokens are returned. */
static void test_reset_receive(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_packet p;
	u32 i;

	for (i = 0; i < 4; i++) {
		/* the next sender is disabled, so the packets wait */
		p = rig_packet_on(f, 20, rig_node(f, 3, 1, 1), 4, i ? i : TORUS_BGL_BN,
				  TORUS_BGL_HINT_XP);
		rig_place(f, 21, XP, i ? i : TORUS_BGL_BN, &p);
		p = rig_packet_on(f, 20, rig_node(f, 1, 3, 1), 4, TORUS_BGL_BN,
				  TORUS_BGL_HINT_YP);
		if (!i)
			rig_place(f, 21, 2, TORUS_BGL_BN, &p);
	}
	rig_reg_set(f, 21, "arbitration", 0xfc000000 | 157 << 18 | 53 << 10);
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 5);
	torus_error_raise(f, 21, TORUS_ERROR_INPUT, XP, 0);
	reset(f, 21, BGL_RESET_RECEIVE(XP));
	rig_census(f);
	rig_drain(f);
	assert_int_equal(lost(f), 4);
	assert_int_equal(rig_reg(f, 21, "fullness_xp"), 0);
	assert_int_not_equal(rig_reg(f, 21, "fullness_yp"), 0);
	assert_int_equal(rig_reg(f, 20, "tokens_xp"), 0x20202020);
	assert_int_equal(rig_reg(f, 21, "input_errors_xp"), 0);
	rig_reg_set(f, 21, "arbitration", 157 << 18 | 53 << 10);
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* Reset random parts of a busy machine: no other packet is lost. */
static void resets_under_load(const char *settings)
{
	struct torus_fabric *f = rig_make("4x4x4", settings);
	struct torus_fabric_counters c;
	u64 rng = 11;
	u32 i;

	rig_packets(f, 200, 32, 256);
	for (i = 0; i < 200; i++) {
		u32 bit = 1 + (u32)(torus_random(&rng) % 3);

		rig_step(f, 5, 1);
		if (bit == 3)
			bit = 12 + (u32)(torus_random(&rng) % 6);
		reset(f, (u32)(torus_random(&rng) % 64), BGL_BIT(bit));
		if (i % 10 == 0)
			rig_census(f);
	}
	rig_finish(f, 0, 1);
	torus_fabric_counters(f, &c);
	assert_int_not_equal(c.dropped[TORUS_DROP_RESET], 0);
	assert_int_equal(c.injected, c.delivered + c.dropped[TORUS_DROP_RESET]);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

static void test_resets_under_load(void **state)
{
	resets_under_load("seed=3 domains=1");
	resets_under_load("seed=3 domains=2");
	resets_under_load("seed=3 domains=2 control=simulated");
	resets_under_load("seed=3 domains=2 ber=0.00001");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reset_registers),
		cmocka_unit_test(test_reset_registers_refused),
		cmocka_unit_test(test_reset_random),
		cmocka_unit_test(test_reset_injection),
		cmocka_unit_test(test_reset_reception),
		cmocka_unit_test(test_reset_reception_restarts_stall),
		cmocka_unit_test(test_reset_send),
		cmocka_unit_test(test_reset_send_under_way),
		cmocka_unit_test(test_reset_send_sram),
		cmocka_unit_test(test_reset_receive),
		cmocka_unit_test(test_resets_under_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
