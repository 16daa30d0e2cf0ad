// SPDX-License-Identifier: GPL-2.0
/* Lost packets of ports: records, overflow, counters of packets. Reset of ports. */
#include "arch/bgl/bgl.h"
#include "arch/tests/port_rig.h"
#include "core/base/node_number.h"
#include "core/nic/group.h"

#define RX	TORUS_PORT_RECEIVE_RING

/* Two ports on Blue Gene/L; no other node has an owner. */
static struct port_rig r[2];
static struct torus_fabric *f;

static int setup(void **state)
{
	f = port_rig_fabric("bgl");
	port_rig_make(&r[0], f, 0, 0, &port_rig_ops);
	port_rig_make(&r[1], f, 1, 0, &port_rig_ops);
	return 0;
}

static int teardown(void **state)
{
	port_rig_free(&r[0]);
	port_rig_free(&r[1]);
	rig_empty(f);
	torus_fabric_destroy(f);
	return 0;
}

static void send(u32 dst, u32 fifo, u32 mark)
{
	u8 bytes[PORT_PACKET];

	assert_int_equal(port_put(&r[0], fifo, bytes, port_packet(f, 0, dst, 2, mark, bytes)), 0);
	port_settle(r, 2);
}

static u32 losses(void)
{
	return port_get(&r[0], TORUS_PORT_LOSSES);
}

/* Send a packet of eight chunks from port @from to the other one, and receive it. */
static void transfer(u32 from, u32 fifo, u32 mark)
{
	u32 to = 1 - from;
	u8 bytes[PORT_PACKET];

	assert_int_equal(port_put(&r[from], fifo, bytes,
				  port_packet(f, from, to, 8, mark, bytes)), 0);
	port_settle(r, 2);
	assert_int_equal(port_take_any(&r[to], bytes), 256);
	port_check(f, 8, mark, bytes);
}

/* Check that all packets of port 0 have ended, and that it has @lost records of losses. */
static void assert_ended(u32 lost)
{
	assert_int_equal(port_get(&r[0], TORUS_PORT_TAKEN_LOW),
			 port_get(&r[0], TORUS_PORT_ENDED_LOW));
	assert_int_equal(losses(), lost);
}

static void next(void)
{
	port_set(&r[0], TORUS_PORT_LOSS_NEXT, 1);
}

/* A record names the packet by its FIFO and number, the node, and the reason. */
static void test_records(void **state)
{
	u32 reason;

	port_set(&r[0], TORUS_PORT_ENABLE, TORUS_PORT_STATUS_ENDED);
	assert_int_equal(losses(), 0);
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_PACKET), 0);
	next();
	send(1, 1, 0);
	assert_int_equal(r[0].interrupts[TORUS_PORT_CAUSE_ENDED], 1);
	port_set(&r[0], TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_ENDED);
	assert_int_equal(losses(), 0);
	send(5, 1, 1);
	send(1, 2, 2);
	send(6, 2, 3);
	assert_int_equal(r[0].interrupts[TORUS_PORT_CAUSE_ENDED], 2);
	assert_int_equal(losses(), 2);
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_PACKET), 1);
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_NODE), torus_node_number(&f->cfg.geo, 5));
	reason = port_get(&r[0], TORUS_PORT_LOSS_REASON);
	assert_int_equal(reason & TORUS_PORT_LOSS_REASON_REASON, TORUS_DROP_NO_LISTENER);
	assert_int_equal(reason >> TORUS_PORT_LOSS_REASON_FIFO_SHIFT, 1);
	next();
	assert_int_equal(losses(), 1);
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_PACKET), 1);
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_NODE), torus_node_number(&f->cfg.geo, 6));
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_REASON) >>
			 TORUS_PORT_LOSS_REASON_FIFO_SHIFT, 2);
	next();
	next();
	assert_int_equal(losses(), 0);
	assert_int_equal(port_get(&r[0], TORUS_PORT_TAKEN_LOW), 4);
	assert_int_equal(port_get(&r[0], TORUS_PORT_ENDED_LOW), 4);
}

/* A packet of a ring is named by the number of its descriptor. */
static void test_ring(void **state)
{
	struct torus_port_descriptor *d;
	u8 bytes[PORT_PACKET];
	u32 i;

	port_ring_start(&r[0], 0, 0, 4);
	for (i = 0; i < 6; i++) {
		d = port_descriptor(&r[0], 0, 4, i);
		port_packet(f, 0, i == 5 ? 7 : 1, 1, i, bytes);
		memset(d, 0, sizeof(*d));
		memcpy(d->header, bytes, 16);
		port_set(&r[0], TORUS_PORT_TAIL, i + 1);
		port_settle(r, 2);
	}
	assert_int_equal(losses(), 1);
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_PACKET), 5);
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_REASON),
			 TORUS_DROP_NO_LISTENER | TORUS_PORT_LOSS_REASON_RING);
}

static void test_overflow(void **state)
{
	u32 i;

	for (i = 0; i < TORUS_PORT_LOSSES_MAX; i++)
		send(5, 0, i);
	assert_int_equal(losses(), TORUS_PORT_LOSSES_MAX);
	send(5, 0, i);
	assert_int_equal(losses(), TORUS_PORT_LOSSES_MAX | TORUS_PORT_LOSSES_OVERFLOW);
	port_set(&r[0], TORUS_PORT_LOSSES, TORUS_PORT_LOSSES_OVERFLOW);
	assert_int_equal(losses(), TORUS_PORT_LOSSES_MAX);
	/* the oldest records stay */
	for (i = 0; i < TORUS_PORT_LOSSES_MAX; i++) {
		assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_PACKET), i);
		next();
	}
	assert_int_equal(losses(), 0);
	send(5, 0, 0);
	assert_int_equal(losses(), 1);
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_PACKET), TORUS_PORT_LOSSES_MAX + 1);
	assert_int_equal(port_get(&r[0], TORUS_PORT_ENDED_LOW), TORUS_PORT_LOSSES_MAX + 2);
}

/* Counters beyond 32 bits: a read of the low half latches the high half. */
static void test_counters(void **state)
{
	torus_port_count_set(&r[0].port->taken, 0x1ffffffffull);
	torus_port_count_set(&r[0].port->ended, 0x2fffffffeull);
	assert_int_equal(port_get(&r[0], TORUS_PORT_TAKEN_LOW), 0xffffffff);
	torus_port_count_set(&r[0].port->taken, 0x200000000ull);
	assert_int_equal(port_get(&r[0], TORUS_PORT_TAKEN_HIGH), 1);
	assert_int_equal(port_get(&r[0], TORUS_PORT_TAKEN_LOW), 0);
	assert_int_equal(port_get(&r[0], TORUS_PORT_TAKEN_HIGH), 2);
	assert_int_equal(port_get(&r[0], TORUS_PORT_ENDED_LOW), 0xfffffffe);
	assert_int_equal(port_get(&r[0], TORUS_PORT_ENDED_HIGH), 2);
}

/* A reset in the middle of everything: the port is as new, and other ports lose nothing. */
static void test_reset(void **state)
{
	u32 i, value, taken;
	u8 bytes[PORT_PACKET];

	/* the second port does not read: its FIFOs are full, and packets wait in the network */
	for (i = 0; i < 100 && port_get(&r[0], TORUS_PORT_SPACE) >= 8; i++) {
		port_put(&r[0], 0, bytes, port_packet(f, 0, 1, 8, i, bytes));
		port_settle(r, 2);
	}
	assert_true(i < 100);
	/* wrong accesses, half a packet, half a packet read, a ring, causes, moderation */
	port_packet(f, 1, 0, 8, 1, bytes);
	port_put_words(&r[1], 2, bytes, 0, 5);
	port_get(&r[1], TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA,
					   torus_ctz(port_get(&r[1], TORUS_PORT_READABLE))));
	port_ring_start(&r[1], 0, 0, 16);
	port_ring_start(&r[1], RX, 0x1000, 16);
	port_set(&r[1], TORUS_PORT_ENABLE, 0x3f);
	port_set(&r[1], TORUS_PORT_MODERATION, 0x10010);
	torus_port_read(r[1].port, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, 6), &value);
	torus_port_access_failed(r[1].port);
	memset(r[1].interrupts, 0, sizeof(r[1].interrupts));
	taken = port_get(&r[1], TORUS_PORT_TAKEN_LOW);
	port_set(&r[1], TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	/* until the reset is done, only identity and the bit itself are accessible */
	assert_int_equal(port_get(&r[1], TORUS_PORT_CONTROL), TORUS_PORT_CONTROL_RESET);
	assert_int_equal(torus_port_read(r[1].port, TORUS_PORT_STATUS, &value), -EBUSY);
	assert_int_equal(value, ~0u);
	assert_int_equal(torus_port_write(r[1].port, TORUS_PORT_WRITE_DATA, 1), -EBUSY);
	assert_int_equal(port_get(&r[1], TORUS_PORT_MAGIC), TORUS_PORT_MAGIC_VALUE);
	port_set(&r[1], TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	torus_port_poll(r[1].port, f);
	assert_int_equal(port_get(&r[1], TORUS_PORT_CONTROL), 0);
	/* the machine knows the wrong access that the reset cleared */
	assert_int_not_equal(rig_reg(f, 1, "nre_access"), 0);
	assert_int_equal(port_get(&r[1], TORUS_PORT_STATUS), 0);
	assert_int_equal(port_get(&r[1], TORUS_PORT_ENABLE), 0);
	assert_int_equal(port_get(&r[1], TORUS_PORT_MODERATION), 0);
	assert_int_equal(port_get(&r[1], TORUS_PORT_ERRORS), 0);
	assert_int_equal(port_get(&r[1], TORUS_PORT_READS_EMPTY), 0);
	assert_int_equal(port_get(&r[1], TORUS_PORT_READABLE), 0);
	assert_int_equal(port_get(&r[1], TORUS_PORT_AT_FIFO(TORUS_PORT_MISSING, 2)), 0);
	assert_int_equal(port_get(&r[1], TORUS_PORT_AT_FIFO(TORUS_PORT_SPACE, 2)), 32);
	assert_int_equal(port_get(&r[1], TORUS_PORT_AT_RING(TORUS_PORT_LENGTH, RX)), 0);
	assert_int_equal(port_get(&r[1], TORUS_PORT_TAKEN_LOW), taken);
	/* packets that were in the network arrive afterwards, whole */
	port_settle(r, 2);
	while (port_get(&r[1], TORUS_PORT_READABLE)) {
		assert_int_equal(port_take_any(&r[1], bytes), 256);
		port_check(f, 8, port_mark(f, bytes), bytes);
		port_settle(r, 2);
	}
	/* the port works again, in both directions */
	send(1, 0, 777);
	assert_int_equal(port_take_any(&r[1], bytes), 64);
	port_check(f, 2, 777, bytes);
	transfer(1, 2, 778);
	assert_ended(0);
}

/* Receive packets until none is left in the network. */
static void take_all(struct port_rig *receiver)
{
	u8 bytes[PORT_PACKET];

	port_settle(r, 2);
	while (port_take_any(receiver, bytes))
		port_settle(r, 2);
}

/* A reset of the whole fabric loses the packets in flight, and says so. */
static void test_fabric_reset(void **state)
{
	struct torus_error err;
	u8 bytes[PORT_PACKET];
	u32 i;

	for (i = 0; i < 30 && port_get(&r[0], TORUS_PORT_SPACE) >= 8; i++) {
		port_put(&r[0], 0, bytes, port_packet(f, 0, 1, 8, i, bytes));
		port_settle(r, 2);
	}
	assert_int_not_equal(port_get(&r[0], TORUS_PORT_TAKEN_LOW),
			     port_get(&r[0], TORUS_PORT_ENDED_LOW));
	assert_int_equal(torus_fabric_reset(f, 1, &err), 0);
	assert_ended(1);
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSS_REASON), TORUS_DROP_RESET |
			 TORUS_NOTICE_ALL << TORUS_PORT_LOSS_REASON_FLAGS_SHIFT);
	/* Both ports continue: the packets that were not taken before arrive, and a new one. */
	take_all(&r[1]);
	transfer(0, 0, 4711);
	assert_ended(1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_records, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ring, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overflow, setup, teardown),
		cmocka_unit_test_setup_teardown(test_counters, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reset, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fabric_reset, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
