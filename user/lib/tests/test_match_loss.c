// SPDX-License-Identifier: GPL-2.0
/*
 * Test that the sender reports lost packets of <torus/match.h> to the receiver: the receive of the
 * message ends with an error, and all other messages arrive.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "match_pair.h"

#define LOST	16u	/* packets in a row that are lost at most */

static struct torus_match_counts counts;
static int mark[6];

/* Move packets and reports of losses until nothing moves any more. */
static void settle(void)
{
	unsigned int i;

	/* a report may be lost, and is then repeated */
	for (i = 0; i < LOST; i++) {
		pair_settle(&test.pair);
		test.a->losses_ns = 0;
		test.b->losses_ns = 0;
		assert_true(torus_match_progress(test.a) >= 0);
		assert_true(torus_match_progress(test.b) >= 0);
	}
	pair_settle(&test.pair);
}

static void failed(const void *context)
{
	assert_int_equal(event_of(test.b, context)->error, -EIO);
	no_event(test.b);
}

/* The last message loses a packet: no later message reveals the loss. */
static void matched_one(void)
{
	lose_after(1);
	post_b(1, 1000, &mark[0]);
	send_b(1, 0, 1000);
	settle();
	failed(&mark[0]);
	assert_int_equal(test.event.source, 0);
	assert_int_equal(test.event.full, 1000);
	post_b(2, 1000, &mark[0]);
	send_b(2, 5, 1000);
	settle();
	received(&mark[0], 2, 5, 1000);
}

static void test_matched(void **state)
{
	everywhere(matched_one, NULL);
}

/* An unmatched message fails the receive that takes it. */
static void unexpected_one(void)
{
	lose_after(1);
	send_b(1, 0, 1000);
	settle();
	send_b(1, 5, 1000);
	settle();
	post_b(1, 1000, &mark[0]);
	failed(&mark[0]);
	post_b(1, 1000, &mark[0]);
	received(&mark[0], 1, 5, 1000);
}

static void test_unexpected(void **state)
{
	everywhere(unexpected_one, NULL);
}

/* A message whose head never arrived is skipped and counted; its credit is not lost. */
static void head_one(void)
{
	unsigned int i;

	for (i = 0; i < 100; i++) {
		lose_after(0);
		send_b(1, 0, i % 2 ? 8 : 150);
		pair_settle(&test.pair);
	}
	send_b(1, 7, 8);
	settle();
	post_b(1, 2000, &mark[0]);
	received(&mark[0], 1, 7, 8);
	torus_match_counts(test.b, &counts);
	assert_int_equal(counts.skipped, 100);
	torus_match_counts(test.a, &counts);
	assert_int_equal(counts.eager + counts.announced, 101);
	assert_true(test.a->peers[1]->used <= 8 + CHARGE_BYTES);
}

static void test_head(void **state)
{
	everywhere(head_one, NULL);
}

/* An announcement is lost: the send ends with an error, and the message is skipped. */
static void announcement_one(void)
{
	lose_after(0);
	send_from(test.a, 1, 1, 0, 50000, 0, &mark[0]);
	settle();
	assert_int_equal(event_of(test.a, &mark[0])->error, -EIO);
	assert_int_equal(torus_match_pending(test.a), 0);
	send_b(1, 5, 100);
	post_b(1, 50000, &mark[0]);
	settle();
	received(&mark[0], 1, 5, 100);
}

static void test_announcement(void **state)
{
	everywhere(announcement_one, NULL);
}

/* A lost grant is repeated, and nothing fails. */
static void grant_one(void)
{
	post_b(1, LENGTH_MAX, &mark[0]);
	lose_after(1);
	send_b(1, 0, LENGTH_MAX);
	pair_settle(&test.pair);
	no_event(test.b);
	settle();
	received(&mark[0], 1, 0, LENGTH_MAX);
	assert_int_equal(torus_match_pending(test.a), 0);
	/* the other direction is numbered without a gap */
	post(test.a, 1, 2, 0, test.got, 100, &mark[1]);
	send_from(test.b, 0, 2, 0, 100, TORUS_MATCH_SILENT | TORUS_MATCH_INJECT, NULL);
	settle();
	assert_int_equal(event_of(test.a, &mark[1])->error, 0);
}

static void test_grant(void **state)
{
	everywhere(grant_one, NULL);
}

/* Data of an announced message loses a packet: only this receive fails. */
static void data_one(void)
{
	unsigned char *more = malloc(50000);

	post_b(1, 50000, &mark[0]);
	post(test.b, 0, 2, 0, more, 50000, &mark[1]);
	lose_after(10);
	send_b(1, 0, 50000);
	settle();
	failed(&mark[0]);
	send_b(2, 9, 50000);
	settle();
	received(&mark[1], 2, 9, 50000);
	assert_int_equal(torus_match_pending(test.a), 0);
	free(more);
}

static void test_data(void **state)
{
	everywhere(data_one, NULL);
}

/* The reports of a loss are lost, too. */
static void report_one(void)
{
	unsigned int i;

	post_b(1, 1000, &mark[0]);
	lose_after(1);
	send_b(1, 0, 1000);
	for (i = 0; i < 5; i++) {
		pair_settle(&test.pair);
		lose_after(0);
		test.a->losses_ns = 0;
		assert_int_equal(torus_match_progress(test.a), 1);
	}
	pair_settle(&test.pair);
	no_event(test.b);
	settle();
	failed(&mark[0]);
}

static void test_report(void **state)
{
	everywhere(report_one, NULL);
}

/* Take the packet that was injected last out of the network. */
static struct fake_packet *take_packet(void)
{
	struct fake_queue *queue = &test.pair.fake.node[1].loose;

	return fake_queue_take(queue, queue->count - 1);
}

static void deliver_packet(struct fake_packet *packet)
{
	fake_deliver(&test.pair.fake, 1, packet->fifo, packet->bytes);
	free(packet);
}

/*
 * A report overtakes a packet of its message, which cannot enter because an earlier message is
 * late.  The packet is rejected.
 */
static void test_overtaken(void **state)
{
	struct fake_packet *early, *late;

	match_start(false);
	test.pair.fake.config.hold = true;
	test.pair.fake.node[1].absent = true;
	post_b(1, 1000, &mark[0]);
	post_b(2, 1000, &mark[1]);
	send_b(1, 0, 8);
	fake_step(&test.pair.fake);
	early = take_packet();
	lose_after(2);
	send_b(2, 0, 1000);
	while (fake_step(&test.pair.fake))
		;
	late = take_packet();
	test.pair.fake.node[1].absent = false;
	settle();
	no_event(test.b);
	deliver_packet(late);
	settle();
	assert_int_equal(test.pair.counts.rejected_duplicate, 1);
	deliver_packet(early);
	settle();
	received(&mark[0], 1, 0, 8);
	failed(&mark[1]);
	match_stop();
}

/*
 * Reports overtake the first packet of their message, or all of its packets.  The message fails the
 * receive that takes it, and its credit returns: each message is sent at once.
 */
static void test_overtaken_head(void **state)
{
	struct fake_queue *queue = &test.pair.fake.node[1].loose;
	unsigned int i, late, rounds = 100;

	match_start(false);
	test.pair.fake.config.hold = true;
	for (i = 0; i < rounds; i++) {
		struct fake_packet *packets[4];

		test.pair.fake.node[1].absent = true;
		lose_after(2);
		send_b(1, 0, 1000);
		while (fake_step(&test.pair.fake))
			;
		assert_int_equal(queue->count, 4);
		/* in even rounds, some packets arrive before the report */
		for (late = 0; late < (i % 2 ? 4u : 1u); late++)
			packets[late] = fake_queue_take(queue, 0);
		test.pair.fake.node[1].absent = false;
		settle();
		post_b(1, 1000, &mark[0]);
		no_event(test.b);
		while (late)
			deliver_packet(packets[--late]);
		settle();
		failed(&mark[0]);
	}
	torus_match_counts(test.a, &counts);
	assert_int_equal(counts.eager, rounds);
	torus_match_counts(test.b, &counts);
	assert_int_equal(counts.skipped, 0);
	send_b(2, 5, 1000);
	post_b(2, 1000, &mark[1]);
	settle();
	received(&mark[1], 2, 5, 1000);
	match_stop();
}

/* Credit that could not be returned for lack of memory returns with an announced message. */
static void credit_one(void)
{
	post_b(1, 1000, &mark[0]);
	send_b(1, 0, 1000);
	settle();
	received(&mark[0], 1, 0, 1000);
	assert_int_equal(test.a->peers[1]->used, 1000 + CHARGE_BYTES);
	test.b->peers[0]->matched = TORUS_MATCH_WINDOW;
	post_b(2, LENGTH_MAX, &mark[0]);
	send_b(2, 0, LENGTH_MAX);
	settle();
	received(&mark[0], 2, 0, LENGTH_MAX);
	assert_int_equal(test.a->peers[1]->used, 0);
}

static void test_credit(void **state)
{
	everywhere(credit_one, NULL);
}

/* Reports follow a loss without the help of this test, but not in a tight loop. */
static void test_time(void **state)
{
	__u64 packets;
	unsigned int i;

	match_start(false);
	post_b(1, 1000, &mark[0]);
	lose_after(1);
	send_b(1, 0, 1000);
	pair_settle(&test.pair);
	packets = test.pair.fake.packets;
	test.pair.fake.config.losses = 1;
	for (i = 0; i < 100; i++) {
		assert_true(torus_match_progress(test.a) >= 0);
		pair_settle(&test.pair);
	}
	assert_true(test.pair.fake.packets > packets);
	assert_true(test.pair.fake.packets < packets + 50);
	match_stop();
}

/* The kernel could not record which packets were lost: all operations of the sender end. */
static void test_unsure(void **state)
{
	match_start(false);
	post(test.a, 1, 1, 0, test.got, 100, &mark[0]);
	fake_status_notice(&test.pair.fake.node[0])->lost++;
	assert_int_equal(torus_match_progress(test.a), -EIO);
	assert_int_equal(event_of(test.a, &mark[0])->error, -EIO);
	assert_int_equal(torus_match_progress(test.a), -EIO);
	match_stop();
}

/* Let the kernel report the loss of a packet of rank 0. */
static void notice(uint32_t fifo, uint32_t index, unsigned int flags)
{
	struct fake_node *node = &test.pair.fake.node[0];
	struct torus_status_notice *status = fake_status_notice(node);

	node->notices[status->tail++ % FAKE_NOTICES] = (struct torus_notice) {
		.fifo = fifo, .index = index, .reason = TORUS_DROP_RX_STALL, .node = 1, .dest = 1,
		.flags = flags,
	};
}

/*
 * The log of packets under way does not have a packet.  If the packet is older than the log, it may
 * be of any message.  Otherwise it is one that is not logged: of a broadcast, or forwarded.
 */
static void test_unlogged(void **state)
{
	uint32_t fifo = 0, i;

	match_start(true);
	for (i = 0; i < 5000; i++) {
		send_b(1, 0, 8);
		if (i % 64 == 63)
			pair_settle(&test.pair);
	}
	pair_settle(&test.pair);
	while (!test.pair.a->flights[fifo])
		fifo++;
	notice(fifo, test.pair.a->context->inject[fifo].tail + 1000, 0);
	notice(fifo + 1, 0, 0);
	assert_true(torus_match_progress(test.a) >= 0);
	notice(fifo, 0, 0);
	assert_int_equal(torus_match_progress(test.a), -EIO);
	match_stop();
}

/* A packet that waits for a link which is down may still arrive. */
static void test_waits(void **state)
{
	uint32_t fifo = 0, index;

	match_start(true);
	send_b(1, 0, 8);
	pair_settle(&test.pair);
	while (!test.pair.a->flights[fifo])
		fifo++;
	index = test.pair.a->context->inject[fifo].tail;
	send_b(1, 0, 8);
	notice(fifo, index, TORUS_NOTICE_WAITS);
	assert_true(torus_match_progress(test.a) >= 0);
	assert_null(test.a->losses);
	notice(fifo, index, 0);
	assert_true(torus_match_progress(test.a) >= 0);
	assert_non_null(test.a->losses);
	match_stop();
}

#define MESSAGES	600u

static uint32_t length_of(uint32_t id)
{
	return id % 11 == 3 ? 4 + id * 31 % 9000 : 4 + id % 300;
}

/*
 * Many packets of all kinds are lost.  Each message is received in order, fails its receive, or is
 * skipped; each send ends; no receive gets wrong bytes.
 */
static void random_one(void)
{
	unsigned char *buffers = malloc(MESSAGES * 9100u);
	uint32_t id, last = 0, good = 0, bad = 0, cancelled = 0;

	test.pair.fake.config.losses = 20;
	for (id = 0; id < MESSAGES; id++) {
		if (id % 3)
			post(test.b, 0, NO_TAG, 0, buffers + id * 9100, 9100, buffers + id * 9100);
		send_numbered(id, NO_TAG, length_of(id));
		if (!(id % 3))
			post(test.b, 0, NO_TAG, 0, buffers + id * 9100, 9100, buffers + id * 9100);
		if (!(id % 5))
			settle();
	}
	test.pair.fake.config.losses = 0;
	settle();
	for (id = 0; id < MESSAGES; id++)
		cancelled += torus_match_cancel(test.b, buffers + id * 9100);
	while (torus_match_events(test.b, &test.event, 1)) {
		bad += test.event.error == -EIO;
		if (test.event.error)
			continue;
		id = received_numbered(length_of);
		good++;
		last = id > last ? id : last;
	}
	torus_match_counts(test.b, &counts);
	assert_int_equal(good + bad + cancelled, MESSAGES);
	assert_int_equal(torus_match_pending(test.a), 0);
	assert_null(test.b->unexpected);
	assert_null(test.b->peers[0]->open.first);
	assert_null(test.b->peers[0]->granted.first);
	assert_true(last > MESSAGES - 50);
	assert_true(good > MESSAGES / 4 && bad > 10 && cancelled > 10);
	assert_true(counts.skipped >= cancelled);
	free(buffers);
}

static void test_random(void **state)
{
	static const struct torus_match_config small = { .eager = 1000, .window = 4000 };

	everywhere(random_one, &small);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matched),
		cmocka_unit_test(test_unexpected),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_announcement),
		cmocka_unit_test(test_grant),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_overtaken),
		cmocka_unit_test(test_overtaken_head),
		cmocka_unit_test(test_credit),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_unsure),
		cmocka_unit_test(test_unlogged),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("match loss", tests, NULL, NULL);
}
