// SPDX-License-Identifier: GPL-2.0
/*
 * The examples of doc/manual: a driver's code for programmed I/O, interrupts and rings, on ports of
 * all machines. scripts/manual.py copies the parts from "manual:" to "manual end" to the manual.
 */
#include "arch/tests/port_rig.h"
#include "core/port/descriptor.h"

#define RX		TORUS_PORT_RECEIVE_RING
#define CHUNKS		2u
#define TX_RING		0x0000u	/* offsets in a port's memory */
#define RX_RING		0x1000u
#define TX_DATA		0x2000u
#define RX_DATA		0x3000u

#define torus_read32	port_get
#define torus_write32	port_set
#define torus_device	port_rig
#define dma_address(offset)	(PORT_BASE + (offset))
#define set_le(field, value)	torus_port_little_set(&(field), sizeof(field), value)
#define get_le(field)	((u32)torus_port_little(&(field), sizeof(field)))

/* manual: pio */
/* Write a packet to an injection FIFO. Return: false if there is no space. */
static bool pio_send(struct torus_device *td, u32 fifo, const u32 *words, u32 count)
{
	u32 i, bytes = torus_read32(td, TORUS_PORT_CHUNK_BYTES);

	if (torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_SPACE, fifo)) * bytes < count * 4)
		return false;
	for (i = 0; i < count; i++)
		torus_write32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_WRITE_DATA, fifo), words[i]);
	return true;
}

/* Read the first packet of a reception FIFO. Return: its words; 0: no FIFO has a packet. */
static u32 pio_receive(struct torus_device *td, u32 *words)
{
	u32 i, fifo, count, readable = torus_read32(td, TORUS_PORT_READABLE);

	if (!readable)
		return 0;
	for (fifo = 0; !(readable >> fifo & 1); fifo++)
		;
	count = torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo));
	for (i = 0; i < count; i++)
		words[i] = torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
	return count;
}

/* manual end */

/* manual: interrupt */
/* The handler of RECEIVE: acknowledge first, then read until the FIFOs are empty. */
static u32 receive_interrupt(struct torus_device *td, u32 *words)
{
	u32 count, packets = 0;

	torus_write32(td, TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_RECEIVE);
	while ((count = pio_receive(td, words))) {
		words += count;
		packets++;
	}
	return packets;
}

/* manual end */

/* manual: ring */
/* Turn a ring of @length descriptors on. */
static void ring_start(struct torus_device *td, u32 ring, u64 address, u32 length)
{
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_BASE_LOW, ring), (u32)address);
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_BASE_HIGH, ring), (u32)(address >> 32));
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_LENGTH, ring), length);
}

/* Give descriptor @index to the device: of an injection ring, or of the reception ring. */
static void ring_post(struct torus_device *td, u32 ring, struct torus_port_descriptor *d,
		      u32 index, u64 address, u32 bytes)
{
	set_le(d->address, address);
	set_le(d->length, bytes);
	set_le(d->status, TORUS_PORT_DONE_NOT);
	/* a driver has a barrier here: the device reads the descriptor after the tail */
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_TAIL, ring), index + 1);
}

/* manual end */

/* A sender at node 0 and a receiver at node 3 of a machine. */
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

static const char *const archs[] = { "bgl", "xt", "tofu" };

/* Packets that are written word by word arrive, and one interrupt is sufficient for two. */
static void test_words(void **state)
{
	u32 words[2][PORT_PACKET / 4], got[PORT_PACKET / 2], i, j, bytes;

	for (i = 0; i < COUNT(archs); i++) {
		make(archs[i]);
		port_set(&r[1], TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE);
		for (j = 0; j < 2; j++) {
			bytes = port_packet(f, 0, 3, CHUNKS, 7 + j, (u8 *)words[j]);
			assert_true(pio_send(&r[0], 0, words[j], bytes / 4));
		}
		port_settle(r, 2);
		assert_int_equal(r[1].interrupts[TORUS_PORT_CAUSE_RECEIVE], 1);
		assert_int_equal(receive_interrupt(&r[1], got), 2);
		port_check(f, CHUNKS, 7, (u8 *)got);
		port_check(f, CHUNKS, 8, (u8 *)got + bytes);
		assert_int_equal(port_get(&r[1], TORUS_PORT_STATUS) & TORUS_PORT_STATUS_RECEIVE, 0);
		done();
	}
}

/* A FIFO without space takes no word, and no error is counted. */
static void test_full(void **state)
{
	u32 words[PORT_PACKET / 4], bytes, sent = 0;

	make("bgl");
	bytes = port_packet(f, 0, 3, CHUNKS, 1, (u8 *)words);
	while (pio_send(&r[0], 0, words, bytes / 4))
		sent++;
	assert_int_equal(sent, port_get(&r[0], TORUS_PORT_FIFO_CHUNKS) / CHUNKS);
	assert_int_equal(port_get(&r[0], TORUS_PORT_WRITES_FULL), 0);
	port_settle(r, 2);
	while (pio_receive(&r[1], words))
		port_settle(r, 2);
	done();
}

/* A packet passes from an injection ring to the reception ring. */
static void test_rings(void **state)
{
	struct torus_port_descriptor *tx, *rx;
	u8 bytes[PORT_PACKET] = { 0 }, got[PORT_PACKET];
	u32 i, length;

	for (i = 0; i < COUNT(archs); i++) {
		make(archs[i]);
		tx = (struct torus_port_descriptor *)(r[0].memory + TX_RING);
		rx = (struct torus_port_descriptor *)(r[1].memory + RX_RING);
		length = port_packet(f, 0, 3, CHUNKS, 9, bytes);
		length = length > TORUS_PORT_DESCRIPTOR_HEADER ?
			 length - TORUS_PORT_DESCRIPTOR_HEADER : 0;
		memcpy(tx->header, bytes, TORUS_PORT_DESCRIPTOR_HEADER);
		memcpy(r[0].memory + TX_DATA, bytes + TORUS_PORT_DESCRIPTOR_HEADER, length);
		ring_start(&r[1], RX, dma_address(RX_RING), 2);
		ring_post(&r[1], RX, rx, 0, dma_address(RX_DATA), PORT_PACKET);
		ring_start(&r[0], 0, dma_address(TX_RING), 2);
		ring_post(&r[0], 0, tx, 0, dma_address(TX_DATA), length);
		port_settle(r, 2);
		assert_int_equal(get_le(tx->status), TORUS_PORT_DONE);
		assert_int_equal(get_le(rx->status) & 0xff, TORUS_PORT_DONE);
		assert_int_equal(get_le(rx->length), length);
		assert_int_equal(port_get(&r[1], TORUS_PORT_AT_RING(TORUS_PORT_HEAD, RX)), 1);
		memcpy(got, rx->header, TORUS_PORT_DESCRIPTOR_HEADER);
		memcpy(got + TORUS_PORT_DESCRIPTOR_HEADER, r[1].memory + RX_DATA, length);
		port_check(f, CHUNKS, 9, got);
		done();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_rings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
