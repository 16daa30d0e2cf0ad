// SPDX-License-Identifier: GPL-2.0
/* Test the rings: wrapping, full, empty, doorbells, and invalid indices of the kernel. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/bgl.h>
#include "core/tests/says.h"
#include "fake.h"

static const struct fake_config small = {
	.nodes = 2, .inject_chunks = 16, .receive_chunks = 16,
};

static void packet_make(unsigned char *packet, unsigned int to, unsigned int chunks, uint32_t value,
			enum torus_route how)
{
	const uint32_t dest[3] = { to & 1, to >> 1 & 1, to >> 2 & 1 };
	struct torus_bgl_header header;
	unsigned int i;

	torus_bgl_header_init(&header, how, dest, 0, 32 * chunks);
	assert_int_equal(torus_bgl_header_build(packet, &header), 0);
	for (i = 8; i < 32 * chunks; i++)
		packet[i] = value + i;
}

static void packet_check(const unsigned char *packet, unsigned int chunks, uint32_t value)
{
	unsigned int i;

	for (i = 8; i < 32 * chunks; i++)
		assert_int_equal(packet[i], (unsigned char)(value + i));
}

static void test_every_size_at_every_place(void **state)
{
	unsigned char out[FAKE_PACKET], in[FAKE_PACKET];
	struct torus_context *from, *to;
	unsigned int chunks, i;
	struct fake fake;

	fake_start(&fake, &small);
	from = fake.node[0].context;
	to = fake.node[1].context;
	for (i = 0; i < 500; i++) {
		chunks = fake_random(&fake.random) % 8 + 1;
		packet_make(out, 1, chunks, i, TORUS_ROUTE_ORDERED);
		assert_int_equal(torus_inject_try(from, 0, out, 32 * chunks), 0);
		while (fake_step(&fake))
			;
		assert_int_equal(torus_receive_poll(to, TORUS_FIFO_ANY, in, sizeof(in)),
				 32 * chunks);
		packet_check(in, chunks, i);
		assert_int_equal(torus_receive_poll(to, TORUS_FIFO_ANY, in, sizeof(in)), -EAGAIN);
	}
	fake_stop(&fake);
}

static void test_full_injection_ring(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_packet_buffer many[16];
	struct torus_context *context;
	struct fake fake;
	unsigned int i;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	packet_make(packet, 1, 8, 0, TORUS_ROUTE_ORDERED);
	assert_int_equal(torus_inject_room(context, 0), 16);
	assert_int_equal(torus_inject_try(context, 0, packet, 256), 0);
	assert_int_equal(torus_inject_try(context, 0, packet, 256), 0);
	assert_int_equal(torus_inject_room(context, 0), 0);
	assert_int_equal(torus_inject_try(context, 0, packet, 256), -EAGAIN);
	assert_int_equal(torus_inject_packet(context, 0, packet, 256, 0), -EAGAIN);
	assert_int_equal(torus_inject_packet(context, 0, packet, 256, 20), -ETIMEDOUT);
	assert_int_equal(torus_inject_idle(context), 0);
	/* TORUS_FIFO_ANY selects the other two normal FIFOs, never the priority FIFO */
	for (i = 0; i < 16; i++)
		many[i] = (struct torus_packet_buffer) { packet, 256 };
	assert_int_equal(torus_inject_many(context, TORUS_FIFO_ANY, many, 16), 4);
	assert_int_equal(torus_inject_many(context, TORUS_FIFO_ANY, many, 16), -EAGAIN);
	assert_int_equal(torus_inject_room(context, 3), 16);
	assert_true(fake_step(&fake));
	assert_int_equal(torus_inject_try(context, TORUS_FIFO_ANY, packet, 256), 0);
	fake_stop(&fake);
}

static void *inject_one(void *data)
{
	unsigned char packet[FAKE_PACKET];

	packet_make(packet, 1, 8, 7, TORUS_ROUTE_ORDERED);
	return torus_inject_packet(data, 0, packet, 256, -1) ? NULL : data;
}

/* One ring is full and the others are not: the wait for free space in that ring sleeps. */
static void test_waits_for_one_ring(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_context *context;
	struct fake fake;
	pthread_t other;
	void *result;
	uint32_t *want, wanted;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	want = &context->inject[0].control->want;
	packet_make(packet, 1, 8, 0, TORUS_ROUTE_ORDERED);
	assert_int_equal(torus_inject_try(context, 0, packet, 256), 0);
	assert_int_equal(torus_inject_try(context, 0, packet, 256), 0);
	assert_int_equal(torus_inject_packet(context, 0, packet, 256, 200), -ETIMEDOUT);
	/* a sleep for most of a ring, one until the end, maybe one for the rest of a millisecond */
	assert_in_range(fake.polls, 2, 3);
	assert_int_equal(*want, 0);
	/*
	 * the sleep ends with free space: first for most of the ring, then for what the packet
	 * needs
	 */
	assert_int_equal(pthread_create(&other, NULL, inject_one, context), 0);
	do {
		sched_yield();
		wanted = __atomic_load_n(want, __ATOMIC_ACQUIRE);
	} while (!wanted || wanted == 12);
	assert_int_equal(wanted, 8);
	fake_run(&fake);
	pthread_join(other, &result);
	assert_non_null(result);
	fake_stop(&fake);

	/* an older kernel without TORUS_FEATURE_WANT is polled repeatedly */
	fake_start(&fake, &small);
	context = fake.node[0].context;
	context->info.features = 0;
	assert_int_equal(torus_inject_want(context, 0, 8), -EOPNOTSUPP);
	assert_int_equal(torus_inject_try(context, 0, packet, 256), 0);
	assert_int_equal(torus_inject_try(context, 0, packet, 256), 0);
	assert_int_equal(torus_inject_packet(context, 0, packet, 256, 100), -ETIMEDOUT);
	fake_stop(&fake);
}

static uint32_t wants[2];
static unsigned int sleeps;

/* Sleep, and record the space requested for the first FIFO in the first two sleeps. */
static int poll_wants(struct torus_context *context, short events, int timeout_ms)
{
	if (sleeps < 2)
		wants[sleeps] = context->inject[0].control->want;
	__atomic_fetch_add(&sleeps, 1, __ATOMIC_RELEASE);
	return fake_poll(context, events, timeout_ms);
}

static void *inject_short(void *data)
{
	unsigned char packet[FAKE_PACKET];

	packet_make(packet, 1, 1, 7, TORUS_ROUTE_ORDERED);
	return torus_inject_packet(data, 0, packet, 32, -1) ? NULL : data;
}

/* A wait requests most of a full ring first, then only the space that it needs. */
static void test_waits_for_most(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_context *context;
	struct fake fake;
	pthread_t other;
	void *result;
	int i;

	fake_start(&fake, &small);
	fake.node[0].ops.poll = poll_wants;
	context = fake.node[0].context;
	packet_make(packet, 1, 1, 0, TORUS_ROUTE_ORDERED);
	for (i = 0; i < 16; i++)
		assert_int_equal(torus_inject_try(context, 0, packet, 32), 0);
	assert_int_equal(pthread_create(&other, NULL, inject_short, context), 0);
	while (__atomic_load_n(&sleeps, __ATOMIC_ACQUIRE) < 2)
		sched_yield();
	assert_int_equal(wants[0], 12);
	assert_int_equal(wants[1], 1);
	fake_run(&fake);
	pthread_join(other, &result);
	assert_non_null(result);
	fake_stop(&fake);
}

/* The program's own requests for poll(2) survive waits of the library. */
static void test_want(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_context *context;
	struct fake fake;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	assert_int_equal(torus_inject_want(context, -1, 8), -EINVAL);
	assert_int_equal(torus_inject_want(context, 4, 8), -EINVAL);
	assert_int_equal(torus_inject_want(context, 0, 17), -EINVAL);
	assert_int_equal(torus_inject_want(context, 1, 16), 0);
	assert_int_equal(context->inject[1].control->want, 16);
	packet_make(packet, 1, 8, 0, TORUS_ROUTE_ORDERED);
	assert_int_equal(torus_inject_try(context, 1, packet, 256), 0);
	assert_int_equal(context->ops->poll(context, POLLOUT, 0), 0);
	assert_int_equal(torus_inject_try(context, 1, packet, 256), 0);
	assert_int_equal(torus_inject_packet(context, 1, packet, 256, 20), -ETIMEDOUT);
	assert_int_equal(context->inject[1].control->want, 16);
	assert_int_equal(torus_inject_want(context, 1, 0), 0);
	assert_int_equal(context->ops->poll(context, POLLOUT, 0), POLLOUT);
	fake_stop(&fake);
}

/* Test ticks, and interrupt counts, which the program acknowledges. */
static void test_status(void **state)
{
	struct torus_interrupts got = { .count = 77 };
	struct torus_status_receive *receive;
	struct torus_status_inject *inject;
	struct torus_context *context;
	struct fake fake;
	__u64 tick;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	receive = (void *)context->receive[5].status;
	inject = (void *)context->inject[2].status;
	assert_int_equal(torus_interrupts_take(context, &got), 0);
	assert_int_equal(got.count, 0);
	receive->interrupts = 3;
	inject->interrupts = 0xffffffff;
	assert_int_equal(torus_interrupts_take(context, &got), 1);
	assert_int_equal(got.count, 3 + 0xffffffffull);
	assert_int_equal(got.receive, 1 << 5);
	assert_int_equal(got.inject, 1 << 2);
	assert_int_equal(context->receive[5].control->interrupts_seen, 3);
	assert_int_equal(context->inject[2].control->interrupts_seen, 0xffffffff);
	/* the count wraps around */
	inject->interrupts = 1;
	assert_int_equal(torus_interrupts_take(context, &got), 1);
	assert_int_equal(got.count, 2);
	assert_int_equal(got.receive, 0);
	assert_int_equal(torus_interrupts_take(context, NULL), 0);

	assert_int_equal(torus_receive_arrived(context, TORUS_FIFO_ANY, &tick), -EOPNOTSUPP);
	assert_int_equal(torus_inject_began(context, 2, &tick), -EOPNOTSUPP);
	context->info.features |= TORUS_FEATURE_TICKS;
	receive->arrived = 500;
	((struct torus_status_receive *)context->receive[1].status)->arrived = 400;
	inject->busy_since = 300;
	assert_int_equal(torus_receive_arrived(context, TORUS_FIFO_ANY, &tick), 0);
	assert_int_equal(tick, 500);
	assert_int_equal(torus_receive_arrived(context, 1, &tick), 0);
	assert_int_equal(tick, 400);
	assert_int_equal(torus_receive_arrived(context, 7, &tick), -EINVAL);
	assert_int_equal(torus_inject_began(context, 2, &tick), 0);
	assert_int_equal(tick, 300);
	assert_int_equal(torus_inject_began(context, TORUS_FIFO_ANY, &tick), -EINVAL);
	assert_int_equal(torus_inject_began(context, 4, &tick), -EINVAL);
	fake_kill(&fake);
	assert_int_equal(torus_interrupts_take(context, &got), -ENODEV);
	assert_int_equal(torus_inject_began(context, 2, &tick), -ENODEV);
	fake_stop(&fake);
}

static void test_inject_checks(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_context *context;
	struct fake fake;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	packet_make(packet, 1, 2, 0, TORUS_ROUTE_ORDERED);
	assert_int_equal(torus_inject_try(context, 4, packet, 64), -EINVAL);
	assert_says(torus_error_text(), "injection FIFO 4 0 3");
	assert_int_equal(torus_inject_try(context, -2, packet, 64), -EINVAL);
	assert_int_equal(torus_inject_try(context, 0, packet, 0), -EINVAL);
	assert_int_equal(torus_inject_try(context, 0, packet, 65), -EINVAL);
	assert_int_equal(torus_inject_try(context, 0, packet, 96), -EINVAL);
	assert_says(torus_error_text(), "packet 3 2");
	assert_int_equal(torus_inject_try(context, 0, packet, 288), -EINVAL);
	assert_int_equal(torus_receive_poll(context, 7, packet, 256), -EINVAL);
	fake_stop(&fake);
}

static void test_receive_zero_copy_and_fairness(void **state)
{
	unsigned char packet[FAKE_PACKET], small_room[32];
	unsigned int count[TORUS_BGL_RECEIVE_FIFOS] = { 0 };
	struct torus_context *context;
	struct torus_view view;
	struct fake fake;
	unsigned int i;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	for (i = 0; i < TORUS_BGL_RECEIVE_FIFOS; i++) {
		unsigned int j;

		for (j = 0; j < 4; j++) {
			packet_make(packet, 0, 3, 10 * i + j, TORUS_ROUTE_ORDERED);
			fake_deliver(&fake, 0, i, packet);
		}
	}
	assert_int_equal(torus_receive_poll(context, 2, small_room, 32), -EMSGSIZE);
	assert_int_equal(torus_receive_wait(context, TORUS_FIFO_ANY, 0), 0);
	for (i = 0; i < 4 * TORUS_BGL_RECEIVE_FIFOS; i++) {
		assert_int_equal(torus_receive_peek(context, TORUS_FIFO_ANY, &view), 0);
		assert_int_equal(view.bytes, 96);
		torus_view_copy(&view, 0, packet, 96);
		packet_check(packet, 3, 10 * view.fifo + count[view.fifo]);
		/* FIFOs take turns: each is read once before any is read a second time */
		assert_int_equal(count[view.fifo], i / TORUS_BGL_RECEIVE_FIFOS);
		count[view.fifo]++;
		assert_int_equal(torus_receive_advance(context, &view), 0);
	}
	assert_int_equal(torus_receive_peek(context, TORUS_FIFO_ANY, &view), -EAGAIN);
	assert_int_equal(torus_receive_wait(context, 0, 20), -ETIMEDOUT);
	/* a wait for one FIFO while another has a packet */
	fake_deliver(&fake, 0, 5, packet);
	assert_int_equal(torus_receive_wait(context, 0, 50), -ETIMEDOUT);
	assert_int_equal(torus_receive_watermark(context, 0, 15), 0);
	assert_int_equal(torus_receive_watermark(context, 0, 16), -EINVAL);
	fake_stop(&fake);
}

/* While one ring has packets, the other rings, which were empty, are polled now and then. */
static void test_receive_looks_at_all(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_context *context;
	struct torus_view view;
	struct fake fake;
	unsigned int i;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	packet_make(packet, 0, 1, 0, TORUS_ROUTE_ORDERED);
	for (i = 0; i < 16; i++)
		fake_deliver(&fake, 0, 4, packet);
	assert_int_equal(torus_receive_peek(context, TORUS_FIFO_ANY, &view), 0);
	assert_int_equal(view.fifo, 4);
	fake_deliver(&fake, 0, 1, packet);
	for (i = 0; view.fifo == 4; i++) {
		assert_in_range(i, 0, 8);
		assert_int_equal(torus_receive_advance(context, &view), 0);
		assert_int_equal(torus_receive_peek(context, TORUS_FIFO_ANY, &view), 0);
	}
	assert_int_equal(view.fifo, 1);
	fake_stop(&fake);
}

static void test_view_copy_of_a_wrapped_packet(void **state)
{
	unsigned char packet[FAKE_PACKET], part[FAKE_PACKET];
	struct torus_context *context;
	unsigned int from, bytes;
	struct torus_view view;
	struct fake fake;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	packet_make(packet, 0, 7, 0, TORUS_ROUTE_ORDERED);
	fake_deliver(&fake, 0, 0, packet);
	fake_deliver(&fake, 0, 0, packet);
	assert_int_equal(torus_receive_poll(context, 0, part, sizeof(part)), 224);
	assert_int_equal(torus_receive_poll(context, 0, part, sizeof(part)), 224);
	fake_deliver(&fake, 0, 0, packet);
	assert_int_equal(torus_receive_peek(context, 0, &view), 0);
	assert_int_equal(view.part_bytes[0], 64);
	assert_int_equal(view.part_bytes[1], 160);
	for (from = 0; from <= 224; from++)
		for (bytes = 0; bytes <= 224 - from; bytes += 7) {
			torus_view_copy(&view, from, part, bytes);
			assert_memory_equal(part, packet + from, bytes);
		}
	fake_stop(&fake);
}

static void test_doorbell_only_when_asked_for(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_context *context;
	struct torus_view view;
	struct fake fake;
	uint32_t *flags;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	flags = (uint32_t *)(fake.node[0].status + 64);
	packet_make(packet, 1, 1, 0, TORUS_ROUTE_ORDERED);
	assert_int_equal(torus_inject_try(context, 0, packet, 32), 0);
	assert_int_equal(fake.doorbells, 0);
	*flags = TORUS_STATUS_DOORBELL;
	assert_int_equal(torus_inject_try(context, 0, packet, 32), 0);
	assert_int_equal(fake.doorbells, 1);
	fake_deliver(&fake, 0, 0, packet);
	assert_int_equal(torus_receive_peek(context, 0, &view), 0);
	assert_int_equal(fake.doorbells, 1);
	assert_int_equal(torus_receive_advance(context, &view), 0);
	assert_int_equal(fake.doorbells, 2);
	/* no doorbell for a head, if the kernel reports whether it needs one */
	context->info.features |= TORUS_FEATURE_HEAD;
	fake_deliver(&fake, 0, 0, packet);
	assert_int_equal(torus_receive_peek(context, 0, &view), 0);
	assert_int_equal(torus_receive_advance(context, &view), 0);
	assert_int_equal(fake.doorbells, 2);
	*flags |= TORUS_STATUS_HEAD;
	fake_deliver(&fake, 0, 0, packet);
	assert_int_equal(torus_receive_peek(context, 0, &view), 0);
	assert_int_equal(torus_receive_advance(context, &view), 0);
	assert_int_equal(fake.doorbells, 3);
	*flags = TORUS_STATUS_HEAD;
	assert_int_equal(torus_inject_try(context, 0, packet, 32), 0);
	assert_int_equal(fake.doorbells, 3);
	fake_stop(&fake);
}

static void test_kernel_indices_out_of_range(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_context *context;
	struct torus_view view;
	struct fake fake;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	packet_make(packet, 1, 8, 0, TORUS_ROUTE_ORDERED);
	*(__u32 *)&context->receive[1].status->tail = 17;
	assert_int_equal(torus_receive_peek(context, 1, &view), -EIO);
	*(__u32 *)&context->receive[1].status->tail = -1;
	assert_int_equal(torus_receive_peek(context, 1, &view), -EIO);
	/* the header of a packet that would end after the tail */
	fake_deliver(&fake, 0, 2, packet);
	*(__u32 *)&context->receive[2].status->tail = 7;
	assert_int_equal(torus_receive_peek(context, 2, &view), -EIO);
	assert_int_equal(torus_receive_peek(context, 3, &view), -EAGAIN);

	assert_int_equal(torus_inject_try(context, 0, packet, 256), 0);
	assert_int_equal(torus_inject_try(context, 0, packet, 256), 0);
	*(__u32 *)&context->inject[0].status->head = 17;
	assert_int_equal(torus_inject_try(context, 0, packet, 256), -EIO);
	fake_stop(&fake);
}

static void test_dead_fabric(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_context *context;
	struct torus_view view;
	struct fake fake;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	packet_make(packet, 1, 8, 0, TORUS_ROUTE_ORDERED);
	assert_int_equal(torus_inject_try(context, 0, packet, 256), 0);
	assert_int_equal(torus_context_check(context), 0);
	fake_kill(&fake);
	assert_int_equal(torus_context_check(context), -ENODEV);
	assert_says(torus_error_text(), "fabric fake deleted");
	assert_int_equal(torus_inject_try(context, 0, packet, 256), -ENODEV);
	assert_int_equal(torus_inject_packet(context, 0, packet, 256, -1), -ENODEV);
	assert_int_equal(torus_receive_peek(context, TORUS_FIFO_ANY, &view), -ENODEV);
	assert_int_equal(torus_receive_peek(context, 0, &view), -ENODEV);
	assert_int_equal(torus_receive_wait(context, TORUS_FIFO_ANY, -1), -ENODEV);
	fake_stop(&fake);
}

static void test_refused(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_refusal refusal;
	struct torus_context *context;
	struct fake fake;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	packet_make(packet, 1, 1, 0, TORUS_ROUTE_ORDERED);
	packet[3] = 2;
	assert_int_equal(torus_inject_refused(context, &refusal), 0);
	assert_int_equal(torus_inject_try(context, 2, packet, 32), 0);
	fake_step(&fake);
	assert_int_equal(torus_inject_refused(context, &refusal), 1);
	assert_int_equal(refusal.packets, 1);
	assert_int_equal(refusal.fifo, 2);
	assert_int_equal(refusal.code, TORUS_REFUSE_DESTINATION);
	assert_int_equal(torus_inject_refused(context, NULL), 0);
	fake_stop(&fake);
}

static void test_choose(void **state)
{
	const uint32_t self[3] = { 0, 0, 0 }, x[3] = { 1, 1, 1 }, y[3] = { 0, 1, 1 },
		    z[3] = { 0, 0, 1 };
	struct torus_context *context;
	struct fake fake;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	assert_int_equal(torus_inject_choose(context, self), 0);
	/*
	 * on a tie, even nodes use plus; X+ Y+ Z+ map to 0, 2, 4 of six FIFOs, and 0, 2, 1 of three
	 */
	assert_int_equal(torus_inject_choose(context, x), 0);
	assert_int_equal(torus_inject_choose(context, y), 2);
	assert_int_equal(torus_inject_choose(context, z), 1);
	context->info.dims[1] = 8;
	context->info.coords[1] = 6;
	context->info.coords[0] = 1;
	assert_int_equal(torus_inject_choose(context, (uint32_t[]){ 0, 6, 0 }), 1);
	assert_int_equal(torus_inject_choose(context, (uint32_t[]){ 1, 1, 0 }), 2);
	assert_int_equal(torus_inject_choose(context, (uint32_t[]){ 1, 3, 0 }), 0);
	context->info.mesh = 2;
	assert_int_equal(torus_inject_choose(context, (uint32_t[]){ 1, 1, 0 }), 0);
	fake_stop(&fake);
}

static void *echo(void *data)
{
	struct torus_context *context = data;
	unsigned char packet[FAKE_PACKET];
	unsigned int i;

	for (i = 0; i < 20000; i++) {
		int bytes = torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet),
						 -1);

		if (bytes < 0)
			return NULL;
		packet[3] = 0;
		if (torus_inject_packet(context, 0, packet, bytes, -1))
			return NULL;
	}
	return context;
}

static void test_round_trips_lose_no_wakeup(void **state)
{
	unsigned char out[FAKE_PACKET], in[FAKE_PACKET];
	struct torus_context *context;
	struct fake fake;
	pthread_t other;
	unsigned int i;
	void *result;

	fake_start(&fake, &small);
	context = fake.node[0].context;
	torus_wait_tune(context, 20, 2);
	torus_wait_tune(fake.node[1].context, 0, 1);
	fake_run(&fake);
	assert_int_equal(pthread_create(&other, NULL, echo, fake.node[1].context), 0);
	for (i = 0; i < 20000; i++) {
		unsigned int chunks = i % 8 + 1;

		packet_make(out, 1, chunks, i, TORUS_ROUTE_ORDERED);
		assert_int_equal(torus_inject_packet(context, 1, out, 32 * chunks, -1), 0);
		assert_int_equal(torus_receive_packet(context, TORUS_FIFO_ANY, in, sizeof(in),
						      -1), 32 * chunks);
		packet_check(in, chunks, i);
	}
	pthread_join(other, &result);
	assert_non_null(result);
	assert_int_equal(fake.missed, 0);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size_at_every_place),
		cmocka_unit_test(test_full_injection_ring),
		cmocka_unit_test(test_waits_for_one_ring),
		cmocka_unit_test(test_waits_for_most),
		cmocka_unit_test(test_want),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_inject_checks),
		cmocka_unit_test(test_receive_zero_copy_and_fairness),
		cmocka_unit_test(test_receive_looks_at_all),
		cmocka_unit_test(test_view_copy_of_a_wrapped_packet),
		cmocka_unit_test(test_doorbell_only_when_asked_for),
		cmocka_unit_test(test_kernel_indices_out_of_range),
		cmocka_unit_test(test_dead_fabric),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_choose),
		cmocka_unit_test(test_round_trips_lose_no_wakeup),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
