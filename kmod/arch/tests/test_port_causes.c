// SPDX-License-Identifier: GPL-2.0
/* Interrupts of ports: all orders of arrival, acknowledgement and enabling; moderation. */
#include "arch/tests/port_rig.h"

#define RECEIVE	TORUS_PORT_CAUSE_RECEIVE

/* Two ports on Blue Gene/L; the tests send from the first to the second. */
static struct port_rig r[2];
static u32 arrived;

static int setup(void **state)
{
	struct torus_fabric *f = port_rig_fabric("bgl");

	port_rig_make(&r[0], f, 0, 0, &port_rig_ops);
	port_rig_make(&r[1], f, 1, 0, &port_rig_ops);
	arrived = 0;
	return 0;
}

static int teardown(void **state)
{
	port_rig_free(&r[0]);
	port_rig_free(&r[1]);
	torus_fabric_destroy(r[0].f);
	return 0;
}

static void arrive(void)
{
	u8 bytes[PORT_PACKET];

	assert_int_equal(port_put(&r[0], 0, bytes, port_packet(r[0].f, 0, 1, 1, arrived++, bytes)),
			 0);
	port_settle(r, 2);
}

static void acknowledge(void)
{
	port_set(&r[1], TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_RECEIVE);
}

static void enable(bool on)
{
	port_set(&r[1], TORUS_PORT_ENABLE, on ? TORUS_PORT_STATUS_RECEIVE : 0);
}

static bool pending(void)
{
	return port_get(&r[1], TORUS_PORT_STATUS) & TORUS_PORT_STATUS_RECEIVE;
}

static void test_orders(void **state)
{
	/* arrive, enable: a pending cause interrupts at once */
	arrive();
	assert_true(pending());
	assert_int_equal(r[1].interrupts[RECEIVE], 0);
	enable(true);
	assert_int_equal(r[1].interrupts[RECEIVE], 1);
	/* enabling again, and more packets, send no second interrupt */
	enable(true);
	arrive();
	assert_int_equal(r[1].interrupts[RECEIVE], 1);
	/* acknowledge, arrive: the bit is set again */
	acknowledge();
	assert_false(pending());
	assert_int_equal(r[1].interrupts[RECEIVE], 1);
	arrive();
	assert_true(pending());
	assert_int_equal(r[1].interrupts[RECEIVE], 2);
	/* disable, acknowledge, arrive, enable */
	enable(false);
	acknowledge();
	arrive();
	assert_int_equal(r[1].interrupts[RECEIVE], 2);
	enable(true);
	assert_int_equal(r[1].interrupts[RECEIVE], 3);
	/* disable, enable, without an acknowledgement: the AND becomes 1 again */
	enable(false);
	enable(true);
	assert_int_equal(r[1].interrupts[RECEIVE], 4);
	/* disable, acknowledge, enable: nothing is pending */
	enable(false);
	acknowledge();
	enable(true);
	assert_int_equal(r[1].interrupts[RECEIVE], 4);
}

/* Each sequence of four steps agrees with a model of the rule: AND becomes 1. */
static void test_all_sequences(void **state)
{
	bool status = false, on = false, was;
	u32 code, i, want = 0;

	for (code = 0; code < 256; code++) {
		for (i = 0; i < 4; i++) {
			was = status && on;
			switch (code >> 2 * i & 3) {
			case 0:
				arrive();
				status = true;
				break;
			case 1:
				acknowledge();
				status = false;
				break;
			case 2:
				enable(true);
				on = true;
				break;
			default:
				enable(false);
				on = false;
			}
			want += !was && status && on;
			assert_int_equal(r[1].interrupts[RECEIVE], want);
			assert_int_equal(pending(), status);
			if (port_get(&r[1], TORUS_PORT_READABLE)) {
				u8 bytes[PORT_PACKET];

				while (port_take_any(&r[1], bytes))
					;
			}
		}
	}
	assert_true(want > 50);
}

/* Each cause has a bit of its own. */
static void test_independent(void **state)
{
	u32 i, j;

	port_set(&r[1], TORUS_PORT_ENABLE, 0x15);
	for (i = 0; i < TORUS_PORT_CAUSES; i++)
		torus_port_cause_set(r[1].port, i);
	assert_int_equal(port_get(&r[1], TORUS_PORT_STATUS), 0x3f);
	assert_int_equal(port_get(&r[1], TORUS_PORT_ENABLE), 0x15);
	for (i = 0; i < TORUS_PORT_CAUSES; i++)
		assert_int_equal(r[1].interrupts[i], 0x15 >> i & 1);
	port_set(&r[1], TORUS_PORT_ACKNOWLEDGE, 0x12);
	assert_int_equal(port_get(&r[1], TORUS_PORT_STATUS), 0x2d);
	port_set(&r[1], TORUS_PORT_ENABLE, 0x3f);
	for (j = 0; j < TORUS_PORT_CAUSES; j++)
		assert_int_equal(r[1].interrupts[j], (0x15 | 0x28) >> j & 1);
}

/* The sender gets INJECT when a packet is taken, and ENDED when the packet has arrived. */
static void test_sender(void **state)
{
	port_set(&r[0], TORUS_PORT_ENABLE, TORUS_PORT_STATUS_INJECT | TORUS_PORT_STATUS_ENDED);
	arrive();
	assert_int_equal(r[0].interrupts[TORUS_PORT_CAUSE_INJECT], 1);
	assert_int_equal(r[0].interrupts[TORUS_PORT_CAUSE_ENDED], 1);
	assert_int_equal(port_get(&r[0], TORUS_PORT_STATUS),
			 TORUS_PORT_STATUS_INJECT | TORUS_PORT_STATUS_ENDED);
}

/* A watermark of the machine's registers raises its cause. */
static void test_watermark(void **state)
{
	u8 bytes[PORT_PACKET];
	u32 i;

	rig_reg_set(r[0].f, 1, "watermarks_0", 1u << 27);
	port_set(&r[1], TORUS_PORT_ENABLE, TORUS_PORT_STATUS_WATERMARK);
	for (i = 0; i < 20; i++) {
		port_put(&r[0], 0, bytes, port_packet(r[0].f, 0, 1, 8, i, bytes));
		port_settle(r, 2);
	}
	assert_true(r[1].interrupts[TORUS_PORT_CAUSE_WATERMARK] > 0);
}

static void moderate(u32 packets, u32 microseconds)
{
	port_set(&r[1], TORUS_PORT_AT(TORUS_PORT_MODERATION, RECEIVE),
		 packets << TORUS_PORT_MODERATION_PACKETS_SHIFT | microseconds);
}

static void test_moderation(void **state)
{
	enable(true);
	moderate(3, 500);
	/* the third packet ends the delay */
	arrive();
	assert_int_equal(r[1].delays[RECEIVE], 1);
	assert_int_equal(r[1].microseconds[RECEIVE], 500);
	arrive();
	assert_false(pending());
	arrive();
	assert_true(pending());
	assert_int_equal(r[1].interrupts[RECEIVE], 1);
	/* the delay that still runs finds nothing to report */
	acknowledge();
	port_expire(&r[1]);
	assert_false(pending());
	/* one packet: the end of the delay */
	arrive();
	assert_int_equal(r[1].delays[RECEIVE], 1);
	assert_false(pending());
	port_expire(&r[1]);
	assert_int_equal(r[1].interrupts[RECEIVE], 2);
	acknowledge();
	/* a new value reports the packets that the old one delays */
	arrive();
	assert_false(pending());
	moderate(0, 700);
	assert_int_equal(r[1].interrupts[RECEIVE], 3);
	port_expire(&r[1]);
	acknowledge();
	/* without a number of packets only the delay counts */
	for (arrived = 100; arrived < 110;)
		arrive();
	assert_int_equal(r[1].microseconds[RECEIVE], 700);
	assert_false(pending());
	port_expire(&r[1]);
	assert_int_equal(r[1].interrupts[RECEIVE], 4);
	acknowledge();
	/* without a delay, each packet is reported */
	moderate(100, 0);
	arrive();
	assert_int_equal(r[1].interrupts[RECEIVE], 5);
	assert_int_equal(r[1].delays[RECEIVE], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_orders, setup, teardown),
		cmocka_unit_test_setup_teardown(test_all_sequences, setup, teardown),
		cmocka_unit_test_setup_teardown(test_independent, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sender, setup, teardown),
		cmocka_unit_test_setup_teardown(test_watermark, setup, teardown),
		cmocka_unit_test_setup_teardown(test_moderation, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
