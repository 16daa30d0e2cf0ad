// SPDX-License-Identifier: GPL-2.0
/* How waits sleep: who waits for many packets is not woken for each; and when they end. */
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

/* A packet of 96 bytes has come. */
static void put(struct fake *fake, unsigned int fifo)
{
	unsigned char packet[FAKE_PACKET] = { 0 };
	const __u32 dest[3] = { 0 };
	struct torus_bgl_header header;

	torus_bgl_header_init(&header, TORUS_ROUTE_ORDERED, dest, 0, 96);
	assert_int_equal(torus_bgl_header_build(packet, &header), 0);
	fake_deliver(fake, 0, fifo, packet);
}

/* And is taken. */
static void put_and_take(struct fake *fake, unsigned int fifo)
{
	unsigned char packet[FAKE_PACKET];

	put(fake, fifo);
	assert_int_equal(torus_receive_poll(fake->node[0].context, fifo, packet, sizeof(packet)),
			 96);
}

/* Node 0, whose sleeps are the test's, and begin at once. */
static struct torus_context *sleeper_start(struct fake *fake,
					   int (*poll)(struct torus_context *, short, int))
{
	fake_start(fake, &wide);
	fake->node[0].ops.poll = poll;
	torus_wait_tune(fake->node[0].context, 0, 0);
	return fake->node[0].context;
}

/* Who waits for many packets sleeps until most of a ring is there, or one FIFO's share of them. */
static void test_sleeps_for_many(void **state)
{
	struct torus_context *context;
	struct fake fake;
	__u32 *mark;

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
	/* two packets are worth a sleep, fewer are not */
	assert_true(torus_receive_wait_begin(context, 49));
	assert_int_equal(*mark, 16);
	torus_receive_wait_end(context);
	assert_false(torus_receive_wait_begin(context, 48));
	assert_false(torus_receive_wait_begin(context, 0));
	assert_int_equal(*mark, 5);
	/* one FIFO has brought all since the last sleep, then two of them */
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

static __u32 marked;

/* A sleep in which nothing comes, and for how much in the first FIFO it would have been. */
static int poll_marks(struct torus_context *context, short events, int timeout_ms)
{
	__u32 mark = context->receive[0].control->watermark;

	if (mark > marked)
		marked = mark;
	return 0;
}

/* For how much at most does a wait sleep, when so many packets are expected? */
static __u32 marked_for(struct torus_context *context, __u32 packets)
{
	unsigned char packet[FAKE_PACKET];

	marked = 0;
	torus_receive_expect(context, packets);
	assert_int_equal(torus_receive_packet(context, 0, packet, sizeof(packet), 2), -ETIMEDOUT);
	assert_int_equal(context->expected, packets);
	return marked;
}

/* Who says how many packets are still to come is not woken for each; those that came count. */
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

/* A sleep that ends with its time; meanwhile a packet has come, or none. */
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

/* Who waits for many that come slowly is woken less often, and as soon as ever when none came. */
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

/* As many spins, or yields, as there can be take minutes: the wait ends when its time is over. */
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
