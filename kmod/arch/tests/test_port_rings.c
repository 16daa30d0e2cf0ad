// SPDX-License-Identifier: GPL-2.0
/* Descriptor rings of ports on all machines: every byte, order of status and head, wrong memory. */
#include "arch/bgl/bgl.h"
#include "arch/tests/port_rig.h"
#include "core/nic/group.h"

#define RX		TORUS_PORT_RECEIVE_RING
#define TX_AT		0x0000u	/* offsets in a port's memory: rings, data of descriptors */
#define RX_AT		0x8000u
#define TX_DATA		0x10000u
#define RX_DATA		0x28000u
#define LENGTH		16u	/* descriptors */

static const char *const archs[] = { "bgl", "xt", "tofu" };

/* A fabric with ports on the nodes 0 and 3; the tests send from the first to the second. */
static struct port_rig r[2];
static struct torus_fabric *f;

static void make(const char *arch)
{
	f = port_rig_fabric(arch);
	port_rig_make(&r[0], f, 0, 0, &port_rig_ops);
	port_rig_make(&r[1], f, 3, 0, &port_rig_ops);
}

static void done(void)
{
	port_rig_free(&r[0]);
	port_rig_free(&r[1]);
	rig_empty(f);
	torus_fabric_destroy(f);
}

static u32 ring_get(struct port_rig *p, u32 reg, u32 ring)
{
	return port_get(p, TORUS_PORT_AT_RING(reg, ring));
}

static void ring_set(struct port_rig *p, u32 reg, u32 ring, u32 value)
{
	port_set(p, TORUS_PORT_AT_RING(reg, ring), value);
}

static struct torus_port_descriptor *tx(u32 index)
{
	return port_descriptor(&r[0], TX_AT, LENGTH, index);
}

static struct torus_port_descriptor *rx(u32 index)
{
	return port_descriptor(&r[1], RX_AT, LENGTH, index);
}

static u32 status(const struct torus_port_descriptor *d)
{
	return port_little(&d->status, 4);
}

/* Fill in a descriptor of the sender. */
static void fill(u32 index, u32 chunks, u32 mark)
{
	struct torus_port_descriptor *d = tx(index);
	u32 at = TX_DATA + PORT_PACKET * (index % LENGTH), length;
	u8 bytes[PORT_PACKET + 16] = { 0 };

	length = port_packet(f, 0, 3, chunks, mark, bytes);
	memcpy(d->header, bytes, 16);
	memcpy(r[0].memory + at, bytes + 16, length > 16 ? length - 16 : 0);
	torus_port_little_set(&d->address, 8, PORT_BASE + at);
	torus_port_little_set(&d->length, 4, length > 16 ? length - 16 : 0);
	torus_port_little_set(&d->status, 4, 0);
}

/* Post descriptor @index of the receiver with memory of @bytes. */
static void post(u32 index, u32 bytes)
{
	struct torus_port_descriptor *d = rx(index);

	memset(d, 0xee, sizeof(*d));
	torus_port_little_set(&d->address, 8,
			      PORT_BASE + RX_DATA + PORT_PACKET * (index % LENGTH));
	torus_port_little_set(&d->length, 4, bytes);
	torus_port_little_set(&d->status, 4, 0);
}

static void start(void)
{
	u32 i;

	port_ring_start(&r[0], 0, TX_AT, LENGTH);
	port_ring_start(&r[1], RX, RX_AT, LENGTH);
	for (i = 0; i < LENGTH; i++)
		post(i, PORT_PACKET);
	ring_set(&r[1], TORUS_PORT_TAIL, RX, LENGTH);
}

/* Check a received packet. */
static void check(u32 index, u32 chunks, u32 mark)
{
	struct torus_port_descriptor *d = rx(index);
	u32 length = chunks * f->arch->chunk_bytes;
	u8 bytes[PORT_PACKET + 16];

	assert_int_equal(status(d) & 0xff, TORUS_PORT_DONE);
	assert_int_equal(port_little(&d->length, 4), length > 16 ? length - 16 : 0);
	memcpy(bytes, d->header, 16);
	memcpy(bytes + 16, r[1].memory + RX_DATA + PORT_PACKET * (index % LENGTH),
	       PORT_PACKET - 16);
	port_check(f, chunks, mark, bytes);
}

/* Packets of all lengths pass through rings that wrap. */
static void test_exchange(void **state)
{
	u32 i, n, chunks, max;

	for (i = 0; i < COUNT(archs); i++) {
		make(archs[i]);
		start();
		max = f->arch->packet_chunks_max;
		for (n = 0; n < 2 * max + 3 * LENGTH; n++) {
			chunks = n % max + 1;
			fill(n, chunks, n);
			ring_set(&r[0], TORUS_PORT_TAIL, 0, n + 1);
			port_settle(r, 2);
			assert_int_equal(ring_get(&r[0], TORUS_PORT_HEAD, 0), n + 1);
			assert_int_equal(status(tx(n)), TORUS_PORT_DONE);
			assert_int_equal(ring_get(&r[1], TORUS_PORT_HEAD, RX), n + 1);
			check(n, chunks, n);
			post(n, PORT_PACKET);
			ring_set(&r[1], TORUS_PORT_TAIL, RX, n + 1 + LENGTH);
		}
		assert_int_equal(port_get(&r[0], TORUS_PORT_TAKEN_LOW), n);
		assert_int_equal(port_get(&r[0], TORUS_PORT_ENDED_LOW), n);
		assert_int_equal(port_get(&r[0], TORUS_PORT_ERRORS), 0);
		assert_int_equal(port_get(&r[1], TORUS_PORT_FAULT), 0);
		done();
	}
}

/* A full ring of packets arrives, all of them once; each status names a reception FIFO. */
static void test_burst(void **state)
{
	u32 i, n, max, seen[LENGTH];
	u8 bytes[PORT_PACKET];

	for (i = 0; i < COUNT(archs); i++) {
		make(archs[i]);
		start();
		memset(seen, 0, sizeof(seen));
		max = f->arch->packet_chunks_max;
		for (n = 0; n < LENGTH; n++)
			fill(n, max, n);
		ring_set(&r[0], TORUS_PORT_TAIL, 0, LENGTH);
		port_settle(r, 2);
		assert_int_equal(ring_get(&r[1], TORUS_PORT_HEAD, RX), LENGTH);
		for (n = 0; n < LENGTH; n++) {
			memcpy(bytes, rx(n)->header, 16);
			memcpy(bytes + 16, r[1].memory + RX_DATA + PORT_PACKET * n, 16);
			assert_true(port_mark(f, bytes) < LENGTH);
			assert_false(seen[port_mark(f, bytes)]++);
			check(n, max, port_mark(f, bytes));
			assert_true(status(rx(n)) >> TORUS_PORT_DETAIL_SHIFT <
				    f->arch->receive_fifos);
		}
		done();
	}
}

/* Shorter data than the packet is padded with zeros; longer data is rejected. */
static void test_data_length(void **state)
{
	u32 i;

	make("bgl");
	start();
	fill(0, 8, 1);
	torus_port_little_set(&tx(0)->length, 4, 100);
	fill(1, 8, 2);
	torus_port_little_set(&tx(1)->length, 4, 241);
	fill(2, 8, 3);
	torus_port_little_set(&tx(2)->length, 4, 0xfffffff0u);
	fill(3, 8, 4);
	ring_set(&r[0], TORUS_PORT_TAIL, 0, 4);
	port_settle(r, 2);
	assert_int_equal(status(tx(0)), TORUS_PORT_DONE);
	assert_int_equal(status(tx(1)), TORUS_PORT_DONE_REJECTED | TORUS_REFUSE_SIZE << 8);
	assert_int_equal(status(tx(2)), TORUS_PORT_DONE_REJECTED | TORUS_REFUSE_SIZE << 8);
	assert_int_equal(status(tx(3)), TORUS_PORT_DONE);
	assert_int_equal(port_get(&r[0], TORUS_PORT_ERRORS), TORUS_PORT_ERRORS_REJECTED);
	assert_int_equal(port_get(&r[0], TORUS_PORT_TAKEN_LOW), 2);
	for (i = 0; i < 240; i++)
		assert_int_equal(r[1].memory[RX_DATA + i], i < 100 ? r[0].memory[TX_DATA + i] : 0);
	assert_int_equal(ring_get(&r[1], TORUS_PORT_HEAD, RX), 2);
	check(1, 8, 4);
	done();
}

/* A bad header is rejected with its code, by the core and on XT by the port itself. */
static void test_rejected(void **state)
{
	u32 i;

	for (i = 0; i < COUNT(archs); i++) {
		make(archs[i]);
		start();
		fill(0, 2, 1);
		memset(tx(0)->header, 0xff, 8);
		if (!strcmp(archs[i], "bgl"))
			memset(tx(0)->header + 3, 99, 3);
		fill(1, 2, 2);
		ring_set(&r[0], TORUS_PORT_TAIL, 0, 2);
		port_settle(r, 2);
		assert_int_equal(status(tx(0)) & 0xff, TORUS_PORT_DONE_REJECTED);
		assert_int_equal(status(tx(0)) >> 8, !strcmp(archs[i], "xt") ?
				 TORUS_REFUSE_SIZE : TORUS_REFUSE_DESTINATION);
		assert_int_equal(status(tx(1)), TORUS_PORT_DONE);
		assert_int_equal(port_get(&r[0], TORUS_PORT_TAKEN_LOW), 1);
		assert_true(port_get(&r[0], TORUS_PORT_STATUS) & TORUS_PORT_STATUS_ERROR);
		check(0, 2, 2);
		done();
	}
}

/* A wrong address of data is a fault; the next packets pass, and nothing was written. */
static void test_data_fault(void **state)
{
	make("bgl");
	start();
	fill(0, 8, 1);
	torus_port_little_set(&tx(0)->address, 8, 0xdead00000000ull);
	fill(1, 8, 2);
	torus_port_little_set(&tx(1)->address, 8, PORT_BASE + PORT_MEMORY - 239);
	fill(2, 8, 3);
	ring_set(&r[0], TORUS_PORT_TAIL, 0, 3);
	port_set(&r[0], TORUS_PORT_ENABLE, TORUS_PORT_STATUS_FAULT);
	/* the first memory of the receiver is wrong: the packet takes the next */
	torus_port_little_set(&rx(0)->address, 8, ~0ull - 20);
	port_settle(r, 2);
	assert_int_equal(status(tx(0)), TORUS_PORT_DONE_FAULT);
	assert_int_equal(status(tx(1)), TORUS_PORT_DONE_FAULT);
	assert_int_equal(status(tx(2)), TORUS_PORT_DONE);
	assert_int_equal(r[0].interrupts[TORUS_PORT_CAUSE_FAULT], 1);
	/* the first fault stays */
	assert_int_equal(port_get(&r[0], TORUS_PORT_FAULT), TORUS_PORT_FAULT_PRESENT);
	assert_int_equal(port_get(&r[0], TORUS_PORT_FAULT_LOW), 0);
	assert_int_equal(port_get(&r[0], TORUS_PORT_FAULT_HIGH), 0xdead);
	assert_int_equal(port_get(&r[0], TORUS_PORT_ERRORS), 0);
	assert_int_equal(status(rx(0)) & 0xff, TORUS_PORT_DONE_FAULT);
	check(1, 8, 3);
	assert_int_equal(port_get(&r[1], TORUS_PORT_FAULT), TORUS_PORT_FAULT_PRESENT |
			 TORUS_PORT_FAULT_WRITE | RX << TORUS_PORT_FAULT_RING_SHIFT);
	assert_int_equal(port_get(&r[1], TORUS_PORT_FAULT_HIGH), ~0u);
	/* after it was cleared, the next fault is recorded */
	port_set(&r[1], TORUS_PORT_FAULT, TORUS_PORT_FAULT_PRESENT);
	assert_int_equal(port_get(&r[1], TORUS_PORT_FAULT), 0);
	assert_int_equal(port_get(&r[1], TORUS_PORT_FAULT_HIGH), 0);
	torus_port_little_set(&rx(2)->address, 8, 7);
	fill(3, 8, 4);
	ring_set(&r[0], TORUS_PORT_TAIL, 0, 4);
	port_settle(r, 2);
	assert_int_equal(port_get(&r[1], TORUS_PORT_FAULT_LOW), 7);
	check(3, 8, 4);
	done();
}

/* A descriptor that cannot be accessed halts the ring; the reset turns the ring off. */
static void test_descriptor_fault(void **state)
{
	u32 accesses;

	make("bgl");
	/* the injection ring ends beyond the memory */
	port_ring_start(&r[0], 0, PORT_MEMORY - 32, 4);
	ring_set(&r[0], TORUS_PORT_TAIL, 0, 2);
	/* descriptors of the reception ring cannot be written */
	port_ring_start(&r[1], RX, RX_AT, LENGTH);
	post(0, PORT_PACKET);
	r[1].read_only = RX_AT;
	ring_set(&r[1], TORUS_PORT_TAIL, RX, 1);
	/* the first descriptor has no packet, the second is beyond the memory */
	memset(r[0].memory + PORT_MEMORY - 32, 0, 32);
	torus_port_little_set(r[0].memory + PORT_MEMORY - 8, 4, 100000);
	port_settle(r, 2);
	assert_int_equal(ring_get(&r[0], TORUS_PORT_HEAD, 0), 1);
	assert_int_equal(ring_get(&r[0], TORUS_PORT_RING_STATE, 0),
			 TORUS_PORT_RING_STATE_ON | TORUS_PORT_RING_STATE_HALTED);
	assert_int_equal(port_get(&r[0], TORUS_PORT_FAULT_LOW), (u32)PORT_BASE + PORT_MEMORY);
	accesses = r[0].accesses;
	ring_set(&r[0], TORUS_PORT_TAIL, 0, 3);
	port_settle(r, 2);
	assert_int_equal(r[0].accesses, accesses);
	/* other FIFOs of the port work; the packet waits for the receiver's ring */
	{
		u8 bytes[PORT_PACKET];

		port_put(&r[0], 1, bytes, port_packet(f, 0, 3, 1, 9, bytes));
	}
	port_settle(r, 2);
	assert_int_equal(ring_get(&r[1], TORUS_PORT_RING_STATE, RX),
			 TORUS_PORT_RING_STATE_ON | TORUS_PORT_RING_STATE_HALTED);
	assert_int_equal(ring_get(&r[1], TORUS_PORT_HEAD, RX), 0);
	assert_true(torus_nic_blocked(f));
	port_set(&r[1], TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	port_settle(r, 2);
	assert_int_equal(port_get(&r[1], TORUS_PORT_CONTROL), 0);
	assert_int_equal(ring_get(&r[1], TORUS_PORT_RING_STATE, RX), 0);
	assert_false(torus_nic_blocked(f));
	done();
}

/* Memory that is too short is skipped: the packet takes the next descriptor. */
static void test_short(void **state)
{
	make("bgl");
	start();
	post(0, 239);
	post(1, 240);
	fill(0, 8, 5);
	ring_set(&r[0], TORUS_PORT_TAIL, 0, 1);
	port_settle(r, 2);
	assert_int_equal(status(rx(0)) & 0xff, TORUS_PORT_DONE_SHORT);
	assert_int_equal(port_little(&rx(0)->length, 4), 239);
	check(1, 8, 5);
	assert_int_equal(ring_get(&r[1], TORUS_PORT_HEAD, RX), 2);
	done();
}

/* Without a descriptor packets wait, and arrive when the driver posts some. */
static void test_wait(void **state)
{
	u32 n;

	make("xt");
	port_ring_start(&r[0], 0, TX_AT, LENGTH);
	port_ring_start(&r[1], RX, RX_AT, LENGTH);
	for (n = 0; n < LENGTH; n++) {
		fill(n, 9, n);
		post(n, PORT_PACKET);
	}
	ring_set(&r[0], TORUS_PORT_TAIL, 0, LENGTH);
	port_settle(r, 2);
	assert_int_equal(ring_get(&r[1], TORUS_PORT_HEAD, RX), 0);
	assert_true(torus_nic_blocked(f));
	for (n = 0; n < LENGTH; n++) {
		ring_set(&r[1], TORUS_PORT_TAIL, RX, n + 1);
		port_settle(r, 2);
		assert_int_equal(ring_get(&r[1], TORUS_PORT_HEAD, RX), n + 1);
		check(n, 9, n);
	}
	done();
}

/* Wrong lengths, bases and tails are rejected; a ring that is on keeps its base and length. */
static void test_registers(void **state)
{
	static const u32 lengths[] = { 1, 3, 6, 4095, 8192, 0x1002 };
	u32 length = TORUS_PORT_AT_RING(TORUS_PORT_LENGTH, 2);
	u32 base = TORUS_PORT_AT_RING(TORUS_PORT_BASE_LOW, 2);
	u32 tail = TORUS_PORT_AT_RING(TORUS_PORT_TAIL, 2), i;

	make("bgl");
	for (i = 0; i < COUNT(lengths); i++)
		assert_int_equal(torus_port_write(r[0].port, length, lengths[i]), -ERANGE);
	assert_int_equal(torus_port_write(r[0].port, base, 16), -ERANGE);
	/* no descriptors in a ring that is off */
	assert_int_equal(torus_port_write(r[0].port, tail, 1), -ERANGE);
	port_set(&r[0], length, 0);
	port_ring_start(&r[0], 2, 0, 4);
	assert_int_equal(ring_get(&r[0], TORUS_PORT_RING_STATE, 2), TORUS_PORT_RING_STATE_ON);
	assert_int_equal(torus_port_write(r[0].port, base, 64), -EIO);
	assert_int_equal(torus_port_write(r[0].port, length, 0), -EIO);
	assert_int_equal(torus_port_write(r[0].port, length, 8), -EIO);
	assert_int_equal(torus_port_write(r[0].port, tail, 5), -ERANGE);
	assert_int_equal(torus_port_write(r[0].port, tail, ~0u), -ERANGE);
	port_set(&r[0], tail, 3);
	assert_int_equal(torus_port_write(r[0].port, tail, 2), -ERANGE);
	port_set(&r[0], tail, 4);
	assert_int_equal(ring_get(&r[0], TORUS_PORT_TAIL, 2), 4);
	done();
}

/* The longest ring; packets of the FIFO's words are before those of the ring. */
static void test_words_and_ring(void **state)
{
	u8 bytes[PORT_PACKET];
	u32 n, length = 4096;

	make("xt");
	port_ring_start(&r[0], 0, TX_AT, length);
	for (n = 0; n < 3; n++) {
		struct torus_port_descriptor *d = port_descriptor(&r[0], TX_AT, length, n);

		port_packet(f, 0, 3, 2, 100 + n, bytes);
		memcpy(d->header, bytes, 16);
	}
	ring_set(&r[0], TORUS_PORT_TAIL, 0, 3);
	for (n = 0; n < 3; n++)
		port_put(&r[0], 0, bytes, port_packet(f, 0, 3, 2, n, bytes));
	port_settle(r, 2);
	for (n = 0; n < 6; n++) {
		assert_int_equal(port_take_any(&r[1], bytes), 16);
		port_check(f, 2, n < 3 ? n : 97 + n, bytes);
	}
	done();
}

/* A ring of wrong descriptors is processed in parts, each of which requests the next poll. */
static void test_wrong_ring(void **state)
{
	u32 n, length = 1024, polls, head;

	make("bgl");
	port_ring_start(&r[0], 0, TX_AT, length);
	for (n = 0; n < length; n++)
		torus_port_little_set(&port_descriptor(&r[0], TX_AT, length, n)->length, 4, ~0u);
	ring_set(&r[0], TORUS_PORT_TAIL, 0, length);
	for (head = 0; head < length;) {
		polls = r[0].polls;
		torus_nic_poll(f);
		assert_true(r[0].polls > polls);
		n = ring_get(&r[0], TORUS_PORT_HEAD, 0);
		assert_in_range(n - head, 1, 64);
		head = n;
	}
	done();
}

/* A driver that changes a descriptor while the core has the packet changes nothing. */
static bool change_read(void *owner, u64 address, void *to, u32 bytes)
{
	struct port_rig *p = owner;
	bool good = port_rig_ops.dma_read(owner, address, to, bytes);

	/* after the copy: a wrong destination, a wrong length, a wrong address */
	if (bytes == 32)
		memset(p->memory + (address - PORT_BASE), 0xff, 32);
	return good;
}

static void test_changed_descriptor(void **state)
{
	struct torus_port_ops ops = port_rig_ops;

	ops.dma_read = change_read;
	f = port_rig_fabric("bgl");
	port_rig_make(&r[0], f, 0, 0, &ops);
	port_rig_make(&r[1], f, 3, 0, &port_rig_ops);
	start();
	fill(0, 8, 33);
	ring_set(&r[0], TORUS_PORT_TAIL, 0, 1);
	port_settle(r, 2);
	assert_int_equal(status(tx(0)), TORUS_PORT_DONE);
	check(0, 8, 33);
	done();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exchange),
		cmocka_unit_test(test_burst),
		cmocka_unit_test(test_data_length),
		cmocka_unit_test(test_rejected),
		cmocka_unit_test(test_data_fault),
		cmocka_unit_test(test_descriptor_fault),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_words_and_ring),
		cmocka_unit_test(test_wrong_ring),
		cmocka_unit_test(test_changed_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
