// SPDX-License-Identifier: GPL-2.0
/*
 * Test the sleeps of waits: packets that arrive do not each wake a wait for many packets.  Test
 * also when waits end.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <torus/bgl.h>
#include "../context/receive.h"
#include "fake.h"

static const struct fake_config wide = {
	.nodes = 2, .inject_chunks = 16, .receive_chunks = 512,
};

/* Deliver a packet of 96 bytes. */
static void put(struct fake *fake, unsigned int fifo)
{
	unsigned char packet[FAKE_PACKET] = { 0 };
	const uint32_t dest[3] = { 0 };
	struct torus_bgl_header header;

	torus_bgl_header_init(&header, TORUS_ROUTE_ORDERED, dest, 0, 96);
	assert_int_equal(torus_bgl_header_build(packet, &header), 0);
	fake_deliver(fake, 0, fifo, packet);
}

/* Deliver a packet and take it. */
static void put_and_take(struct fake *fake, unsigned int fifo)
{
	unsigned char packet[FAKE_PACKET];

	put(fake, fifo);
	assert_int_equal(torus_receive_poll(fake->node[0].context, fifo, packet, sizeof(packet)),
			 96);
}

/*
 * Start a fabric, and let the test's function replace the sleeps of node 0, which begin without
 * spinning.
 */
static struct torus_context *sleeper_start(struct fake *fake,
					   int (*poll)(struct torus_context *, short, int))
{
	fake_start(fake, &wide);
	fake->node[0].ops.poll = poll;
	torus_wait_tune(fake->node[0].context, 0, 0);
	return fake->node[0].context;
}

/*
 * A wait for many packets sleeps until most of a ring is full.  If packets arrive in several FIFOs,
 * each FIFO needs only its share.
 */
static void test_sleeps_for_many(void **state)
{
	struct torus_context *context;
	struct fake fake;
	uint32_t *mark;

	fake_start(&fake, &wide);
	context = fake.node[0].context;
	mark = &context->receive[3].control->watermark;
	assert_int_equal(torus_receive_watermark(context, 3, 5), 0);
	assert_true(torus_receive_wait_begin(context, 10000));
	assert_int_equal(*mark, 384);
	torus_receive_wait_end(context);
	assert_int_equal(*mark, 5);
	assert_true(torus_receive_wait_begin(context, 301));
	assert_int_equal(*mark, 100);
	torus_receive_wait_end(context);
	/* sleep for two packets, not for fewer */
	assert_true(torus_receive_wait_begin(context, 49));
	assert_int_equal(*mark, 16);
	torus_receive_wait_end(context);
	assert_false(torus_receive_wait_begin(context, 48));
	assert_false(torus_receive_wait_begin(context, 0));
	assert_int_equal(*mark, 5);
	/* packets have arrived in one FIFO since the last sleep, later in two FIFOs */
	put_and_take(&fake, 2);
	put_and_take(&fake, 2);
	assert_true(torus_receive_wait_begin(context, 301));
	assert_int_equal(*mark, 300);
	torus_receive_wait_end(context);
	put_and_take(&fake, 2);
	put_and_take(&fake, 5);
	assert_true(torus_receive_wait_begin(context, 301));
	assert_int_equal(*mark, 150);
	torus_receive_wait_end(context);
	assert_true(torus_receive_wait_begin(context, 301));
	assert_int_equal(*mark, 100);
	torus_receive_wait_end(context);
	assert_int_equal(context->receive[0].control->watermark, 0);
	fake_stop(&fake);
}

static uint32_t marked;

/* Record the watermark of the first FIFO in a sleep, and time out. */
static int poll_marks(struct torus_context *context, short events, int timeout_ms)
{
	uint32_t mark = context->receive[0].control->watermark;

	if (mark > marked)
		marked = mark;
	return 0;
}

/* Get the largest watermark of a wait that expects @packets packets. */
static uint32_t marked_for(struct torus_context *context, uint32_t packets)
{
	unsigned char packet[FAKE_PACKET];

	marked = 0;
	torus_receive_expect(context, packets);
	assert_int_equal(torus_receive_packet(context, 0, packet, sizeof(packet), 2), -ETIMEDOUT);
	assert_int_equal(context->expected, packets);
	return marked;
}

/* A program that announces packets is not woken by each; packets that arrive reduce the number. */
static void test_expects_many(void **state)
{
	struct torus_context *context;
	struct fake fake;
	unsigned int i;

	context = sleeper_start(&fake, poll_marks);
	assert_int_equal(marked_for(context, 0), 0);
	assert_int_equal(marked_for(context, 1), 0);
	assert_int_equal(marked_for(context, 10), 26);
	assert_int_equal(marked_for(context, 100), 266);
	assert_int_equal(marked_for(context, ~0u), 384);
	torus_receive_expect(context, 2);
	for (i = 0; i < 3; i++) {
		put_and_take(&fake, 0);
		assert_int_equal(context->expected, i ? 0 : 1);
	}
	fake_stop(&fake);
}

static int longest_ms;
static struct fake *slow;

/* Time out a sleep, during which a packet arrives if @slow is set. */
static int poll_times(struct torus_context *context, short events, int timeout_ms)
{
	longest_ms = timeout_ms;
	if (slow)
		put(slow, 0);
	return 0;
}

static void sleeps_at_most(struct torus_context *context, int ms)
{
	unsigned char packet[FAKE_PACKET];

	torus_receive_expect(context, 100);
	assert_int_equal(torus_receive_packet(context, 0, packet, sizeof(packet), -1), 96);
	assert_int_equal(longest_ms, ms);
}

/*
 * A wait for many packets sleeps longer if packets arrive slowly.  If no packet arrives, it sleeps
 * as briefly as at first.
 */
static void test_patience(void **state)
{
	unsigned char packet[FAKE_PACKET];
	struct torus_context *context;
	struct fake fake;

	context = sleeper_start(&fake, poll_times);
	slow = &fake;
	sleeps_at_most(context, 2);
	sleeps_at_most(context, 4);
	sleeps_at_most(context, 8);
	sleeps_at_most(context, 8);
	slow = NULL;
	assert_int_equal(torus_receive_packet(context, 0, packet, sizeof(packet), 1), -ETIMEDOUT);
	slow = &fake;
	sleeps_at_most(context, 2);
	sleeps_at_most(context, 4);
	fake_stop(&fake);
}

/*
 * The greatest number of spins or yields would take minutes: the wait still ends at its deadline.
 */
static void ends_in_time(struct torus_context *context, unsigned int spins, unsigned int yields)
{
	unsigned char packet[FAKE_PACKET];

	torus_wait_tune(context, spins, yields);
	assert_int_equal(torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), 20),
			 -ETIMEDOUT);
}

static void test_spins_end_in_time(void **state)
{
	struct fake fake;

	fake_start(&fake, &wide);
	ends_in_time(fake.node[0].context, ~0u, 0);
	ends_in_time(fake.node[0].context, 0, ~0u);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sleeps_for_many),
		cmocka_unit_test(test_expects_many),
		cmocka_unit_test(test_patience),
		cmocka_unit_test(test_spins_end_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
