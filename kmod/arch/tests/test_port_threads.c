// SPDX-License-Identifier: GPL-2.0
/*
 * Ports with threads: an accessor for each port, a timer, and the fabric's thread, which polls only
 * when a port has requested it. Drivers wait for interrupts alone, so a lost interrupt or a lost
 * request stops the test.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "arch/tests/port_rig.h"
#include "core/base/random.h"
#include "core/nic/group.h"
#include "core/run/windows.h"

#define PORTS	2
#define RX	TORUS_PORT_RECEIVE_RING
#define TX_AT	0u
#define RX_AT	0x1000u
#define TX_DATA	0x4000u
#define RX_DATA	0x8000u
#define LENGTH	8u
#define SECONDS	120	/* without progress for this long, the test fails */

enum mode { BY_WORDS, BY_RINGS, MODES };

/**
 * struct driver - a port and its driver
 * @rig: the port
 * @peer: node of the other port
 * @mode: enum mode
 * @irq: by cause: an interrupt was sent
 * @delay: by cause: a delay is pending
 * @count: number of packets to send
 * @sent: number of packets sent
 * @got: number of packets received
 * @seen: by mark: packet received
 * @wrong: first failure, or NULL
 */
struct driver {
	struct port_rig rig;
	u32 peer;
	enum mode mode;
	atomic_uint irq[TORUS_PORT_CAUSES];
	atomic_uint delay[TORUS_PORT_CAUSES];
	u32 count;
	u32 sent;
	u32 got;
	u8 *seen;
	const char *wrong;
	pthread_t thread;
};

static struct torus_fabric *f;
static struct driver drivers[PORTS];
static atomic_uint asked, stop, finished;

static void on_interrupt(void *owner, u32 cause)
{
	atomic_store(&((struct driver *)owner)->irq[cause], 1);
}

static void on_poll(void *owner)
{
	atomic_store(&asked, 1);
}

static void on_delay(void *owner, u32 cause, u32 microseconds)
{
	atomic_store(&((struct driver *)owner)->delay[cause], 1);
}

static bool on_read(void *owner, u64 address, void *to, u32 bytes)
{
	return port_rig_ops.dma_read(&((struct driver *)owner)->rig, address, to, bytes);
}

static bool on_write(void *owner, u64 address, const void *from, u32 bytes)
{
	return port_rig_ops.dma_write(&((struct driver *)owner)->rig, address, from, bytes);
}

static const struct torus_port_ops thread_ops = {
	.interrupt = on_interrupt,
	.poll = on_poll,
	.delay = on_delay,
	.dma_read = on_read,
	.dma_write = on_write,
};

static void *fabric_thread(void *arg)
{
	bool moved;
	u32 i;

	while (!atomic_load(&stop)) {
		if (!atomic_exchange(&asked, 0)) {
			sched_yield();
			continue;
		}
		do {
			for (i = 0; i < PORTS; i++)
				torus_port_poll(drivers[i].rig.port, f);
			moved = torus_nic_poll(f);
			torus_fabric_run(f, ~0ull - 1, 0, 1);
			moved |= torus_nic_poll(f);
		} while (moved);
	}
	return NULL;
}

static void *timer_thread(void *arg)
{
	u32 i, cause;

	while (!atomic_load(&stop)) {
		for (i = 0; i < PORTS; i++)
			for (cause = 0; cause < TORUS_PORT_CAUSE_EVENTS; cause++)
				if (atomic_exchange(&drivers[i].delay[cause], 0))
					torus_port_expired(drivers[i].rig.port, cause);
		sched_yield();
	}
	return NULL;
}

/* The driver's functions run in its own thread, which must not fail a test of cmocka. */
static u32 get(struct driver *d, u32 offset)
{
	u32 value;

	if (torus_port_read(d->rig.port, offset, &value) && !d->wrong)
		d->wrong = "a read failed";
	return value;
}

static void set(struct driver *d, u32 offset, u32 value)
{
	if (torus_port_write(d->rig.port, offset, value) && !d->wrong)
		d->wrong = "a write failed";
}

static u32 rings(u32 reg, u32 ring)
{
	return TORUS_PORT_AT_RING(reg, ring);
}

static u32 packet_chunks(u32 mark)
{
	return mark % (f->arch->packet_chunks_max - 1) + 2;
}

/* Check a packet, each byte of it. */
static void received(struct driver *d, const u8 *bytes)
{
	u32 header = f->arch->header_bytes, mark = port_mark(f, bytes), length;
	u8 right[PORT_PACKET];

	if (mark >= d->count || d->seen[mark]++) {
		d->wrong = "a packet that was not sent, or a second copy";
		return;
	}
	length = port_packet(f, d->peer, d->rig.port->node, packet_chunks(mark), mark, right);
	if (memcmp(right + header, bytes + header, length - header))
		d->wrong = "a wrong byte";
	d->got++;
}

static void read_words(struct driver *d)
{
	u8 bytes[PORT_PACKET];
	u32 mask, fifo, words, word, i;

	while ((mask = get(d, TORUS_PORT_READABLE))) {
		fifo = torus_ctz(mask);
		words = get(d, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo));
		for (i = 0; i < words; i++) {
			word = get(d, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
			torus_port_little_set(bytes + 4 * i, 4, word);
		}
		received(d, bytes);
	}
}

static void post(struct driver *d, u32 index)
{
	struct torus_port_descriptor *at = port_descriptor(&d->rig, RX_AT, LENGTH, index);

	torus_port_little_set(&at->address, 8,
			      PORT_BASE + RX_DATA + PORT_PACKET * (index % LENGTH));
	torus_port_little_set(&at->length, 4, PORT_PACKET);
	torus_port_little_set(&at->status, 4, 0);
}

static void read_ring(struct driver *d)
{
	u32 index = get(d, rings(TORUS_PORT_TAIL, RX)) - LENGTH;
	struct torus_port_descriptor *at;
	u8 bytes[PORT_PACKET + 16];

	while (index != get(d, rings(TORUS_PORT_HEAD, RX))) {
		at = port_descriptor(&d->rig, RX_AT, LENGTH, index);
		if ((port_little(&at->status, 4) & 0xff) != TORUS_PORT_DONE)
			d->wrong = "the head is past a descriptor without a status";
		memcpy(bytes, at->header, 16);
		memcpy(bytes + 16, d->rig.memory + RX_DATA + PORT_PACKET * (index % LENGTH),
		       PORT_PACKET - 16);
		received(d, bytes);
		post(d, index++);
		set(d, rings(TORUS_PORT_TAIL, RX), index + LENGTH);
	}
}

static void write_words(struct driver *d)
{
	u8 bytes[PORT_PACKET];
	u32 length, i;

	while (d->sent < d->count &&
	       get(d, TORUS_PORT_SPACE) >= packet_chunks(d->sent)) {
		length = port_packet(f, d->rig.port->node, d->peer, packet_chunks(d->sent), d->sent,
				     bytes);
		for (i = 0; i < length; i += 4)
			set(d, TORUS_PORT_WRITE_DATA, port_little(bytes + i, 4));
		d->sent++;
	}
}

static void write_ring(struct driver *d)
{
	struct torus_port_descriptor *at;
	u32 length, offset;
	u8 bytes[PORT_PACKET];

	while (d->sent < d->count && d->sent - get(d, rings(TORUS_PORT_HEAD, 0)) < LENGTH) {
		at = port_descriptor(&d->rig, TX_AT, LENGTH, d->sent);
		if (d->sent >= LENGTH && port_little(&at->status, 4) != TORUS_PORT_DONE)
			d->wrong = "the head is past a descriptor without a status";
		length = port_packet(f, d->rig.port->node, d->peer, packet_chunks(d->sent), d->sent,
				     bytes);
		offset = TX_DATA + PORT_PACKET * (d->sent % LENGTH);
		memcpy(at->header, bytes, 16);
		memcpy(d->rig.memory + offset, bytes + 16, length - 16);
		torus_port_little_set(&at->address, 8, PORT_BASE + offset);
		torus_port_little_set(&at->length, 4, length - 16);
		torus_port_little_set(&at->status, 4, 0);
		set(d, rings(TORUS_PORT_TAIL, 0), ++d->sent);
	}
}

/* Acknowledge the causes whose interrupts were sent. Return: their bits. */
static u32 interrupts(struct driver *d)
{
	u32 bits = 0, i;

	for (i = 0; i < TORUS_PORT_CAUSES; i++)
		if (atomic_exchange(&d->irq[i], 0))
			bits |= 1u << i;
	if (bits)
		set(d, TORUS_PORT_ACKNOWLEDGE, bits);
	return bits;
}

static bool complete(struct driver *d)
{
	return d->sent == d->count && d->got == d->count &&
	       get(d, TORUS_PORT_ENDED_LOW) == d->count;
}

static void *driver_thread(void *arg)
{
	time_t since = time(NULL);
	struct driver *d = arg;
	u32 bits;

	set(d, TORUS_PORT_ENABLE, 0x3f);
	bits = TORUS_PORT_STATUS_RECEIVE | TORUS_PORT_STATUS_INJECT;
	while (!d->wrong) {
		if (bits & TORUS_PORT_STATUS_RECEIVE) {
			if (d->mode == BY_WORDS)
				read_words(d);
			else
				read_ring(d);
		}
		if (bits & TORUS_PORT_STATUS_INJECT) {
			if (d->mode == BY_WORDS)
				write_words(d);
			else
				write_ring(d);
		}
		if (bits & (TORUS_PORT_STATUS_ERROR | TORUS_PORT_STATUS_FAULT))
			d->wrong = "an error or a fault";
		if (bits && complete(d))
			break;
		if (bits)
			since = time(NULL);
		else if (time(NULL) - since > SECONDS)
			d->wrong = "no interrupt: it was lost";
		else
			sched_yield();
		bits = interrupts(d);
	}
	atomic_fetch_add(&finished, 1);
	return NULL;
}

static void make(struct driver *d, u32 node, u32 peer, enum mode mode, u32 count)
{
	struct torus_error err;
	u32 i;

	memset(d, 0, sizeof(*d));
	d->rig.f = f;
	d->rig.memory = calloc(1, PORT_MEMORY);
	d->rig.read_only = PORT_MEMORY;
	assert_int_equal(torus_port_create(f, node, 0, &thread_ops, d, &d->rig.port, &err), 0);
	assert_int_equal(torus_port_attach(d->rig.port, f, &err), 0);
	d->peer = peer;
	d->mode = mode;
	d->count = count;
	d->seen = calloc(count + 1, 1);
	if (mode == BY_WORDS)
		return;
	port_ring_start(&d->rig, 0, TX_AT, LENGTH);
	port_ring_start(&d->rig, RX, RX_AT, LENGTH);
	for (i = 0; i < LENGTH; i++)
		post(d, i);
	port_set(&d->rig, rings(TORUS_PORT_TAIL, RX), LENGTH);
}

static void run(void *(*accessor)(void *))
{
	pthread_t fabric, timer;
	u32 i;

	atomic_store(&stop, 0);
	atomic_store(&finished, 0);
	atomic_store(&asked, 1);
	assert_int_equal(pthread_create(&fabric, NULL, fabric_thread, NULL), 0);
	assert_int_equal(pthread_create(&timer, NULL, timer_thread, NULL), 0);
	for (i = 0; i < PORTS; i++)
		assert_int_equal(pthread_create(&drivers[i].thread, NULL, accessor, &drivers[i]),
				 0);
	for (i = 0; i < PORTS; i++)
		pthread_join(drivers[i].thread, NULL);
	atomic_store(&stop, 1);
	pthread_join(fabric, NULL);
	pthread_join(timer, NULL);
}

static void finish(void)
{
	u32 i;

	for (i = 0; i < PORTS; i++) {
		port_rig_free(&drivers[i].rig);
		free(drivers[i].seen);
	}
	rig_drain(f);
	rig_count(f);
	torus_fabric_destroy(f);
}

static void exchange(const char *arch, enum mode first, enum mode second, u32 moderation)
{
	u32 count = getenv("TORUS_SHORT") ? 500 : 5000, i, cause;

	f = port_rig_fabric(arch);
	make(&drivers[0], 0, 3, first, count);
	make(&drivers[1], 3, 0, second, count);
	for (i = 0; i < PORTS; i++)
		for (cause = 0; cause < TORUS_PORT_CAUSE_EVENTS; cause++)
			port_set(&drivers[i].rig, TORUS_PORT_AT(TORUS_PORT_MODERATION, cause),
				 moderation);
	run(driver_thread);
	for (i = 0; i < PORTS; i++) {
		if (drivers[i].wrong)
			fail_msg("%s, port %u: %s; sent %u, received %u", arch, i,
				 drivers[i].wrong, drivers[i].sent, drivers[i].got);
		assert_int_equal(port_get(&drivers[i].rig, TORUS_PORT_LOSSES), 0);
		assert_int_equal(port_get(&drivers[i].rig, TORUS_PORT_TAKEN_LOW), count);
	}
	finish();
}

static void test_words(void **state)
{
	exchange("bgl", BY_WORDS, BY_WORDS, 0);
	exchange("tofu", BY_WORDS, BY_WORDS, 0);
}

static void test_rings(void **state)
{
	exchange("bgl", BY_RINGS, BY_RINGS, 0);
	exchange("xt", BY_RINGS, BY_WORDS, 0);
}

static void test_moderation(void **state)
{
	exchange("xt", BY_WORDS, BY_RINGS, 4u << TORUS_PORT_MODERATION_PACKETS_SHIFT | 10);
	exchange("bgl", BY_WORDS, BY_RINGS, 100);
}

/* An accessor that writes any value to any register, and resets its port, breaks nothing. */
static void *chaos_thread(void *arg)
{
	static const u32 blocks[] = { 0x1010, 0x1100, 0x1200, 0x2000, 0x3000, 0x3000, 0x8000 };
	struct driver *d = arg;
	u64 rng = torus_random_seed(1, 7, d->peer);
	u32 i, offset, value;

	for (i = 0; i < d->count; i++) {
		u64 draw = torus_random(&rng);

		offset = blocks[draw % COUNT(blocks)] + 4 * (draw >> 8 & 31);
		if (offset >= 0x8000)
			offset += TORUS_PORT_RING_STRIDE * (draw >> 16 & 1 ? RX : draw >> 17 & 3);
		value = (u32)(torus_random(&rng) >> (draw >> 24 & 63));
		switch (draw >> 32 & 7) {
		case 0:
			torus_port_read(d->rig.port, offset, &value);
			break;
		case 1:
			value = (u32)PORT_BASE + (value & 0x7ffe0);
			torus_port_write(d->rig.port, offset, value);
			break;
		case 2:
			torus_port_write(d->rig.port, offset, 1u << (value & 31));
			break;
		case 3:
			torus_port_read(d->rig.port, offset, &offset);
			torus_port_write(d->rig.port, rings(TORUS_PORT_TAIL, value & 1 ? RX : 0),
					 offset + (value >> 1 & 3));
			break;
		case 4:
			if (torus_port_write(d->rig.port, offset, value))
				torus_port_access_failed(d->rig.port);
			break;
		case 5:
			if (!(draw >> 40 & 255))
				torus_port_write(d->rig.port, TORUS_PORT_CONTROL, 1);
			break;
		default:
			torus_port_write(d->rig.port, TORUS_PORT_WRITE_DATA + (value & 3) * 0x10,
					 value);
		}
	}
	return NULL;
}

static void test_chaos(void **state)
{
	static const char *const archs[] = { "bgl", "xt", "tofu" };
	u32 count = getenv("TORUS_SHORT") ? 20000 : 200000, i, j, k;

	for (i = 0; i < COUNT(archs); i++) {
		f = port_rig_fabric(archs[i]);
		make(&drivers[0], 0, 3, BY_WORDS, count);
		make(&drivers[1], 3, 0, BY_WORDS, count);
		/* descriptors of any contents, most of them with an address in the memory */
		for (j = 0; j < PORTS; j++)
			for (k = 0; k < PORT_MEMORY; k += 32) {
				struct torus_port_descriptor *at =
					(void *)(drivers[j].rig.memory + k);

				torus_port_little_set(&at->address, 8, PORT_BASE + k);
				torus_port_little_set(&at->length, 4, k % 3000);
				memset(at->header, (int)(k >> 5), 3);
			}
		run(chaos_thread);
		/* the ports still work after a reset */
		for (j = 0; j < PORTS; j++)
			torus_port_write(drivers[j].rig.port, TORUS_PORT_CONTROL, 1);
		port_settle(&drivers[0].rig, 1);
		port_settle(&drivers[1].rig, 1);
		for (j = 0; j < PORTS; j++) {
			assert_int_equal(port_get(&drivers[j].rig, TORUS_PORT_CONTROL), 0);
			assert_int_equal(port_get(&drivers[j].rig, TORUS_PORT_SPACE),
					 f->arch->fifo_chunks);
		}
		finish();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_rings),
		cmocka_unit_test(test_moderation),
		cmocka_unit_test(test_chaos),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
