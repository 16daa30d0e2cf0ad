// SPDX-License-Identifier: GPL-2.0
/*
 * Test matched messages between two ranks in one thread: matching, long messages, credit, peek,
 * claim, discard, cancel, truncation, losses and messages to oneself.
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

/* at 200 to 204 the trailer begins in one packet on Blue Gene/L, and ends in the next */
static const size_t lengths[] = {
	0, 1, 7, 20, 21, 24, 28, 200, 201, 202, 203, 204, 205, 1000, 16384, 16385, LENGTH_MAX,
};

/* Each length, first with the receive posted, then unexpected. */
static void lengths_one(void)
{
	int mark[2];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		post_b(i, lengths[i], &mark[0]);
		send_from(test.a, 1, i, 0, lengths[i], TORUS_MATCH_DATA, &mark[1]);
		pair_settle(&test.pair);
		assert_int_equal(event_of(test.a, &mark[1])->error, 0);
		assert_true(test.event.sent);
		received(&mark[0], i, 0, lengths[i]);
		assert_int_equal(test.event.data, 0xda7a);
		assert_int_equal(test.event.flags, TORUS_MATCH_DATA | TORUS_MATCH_TAGGED);
		send_from(test.a, 1, i, 0, lengths[i], 0, &mark[1]);
		pair_settle(&test.pair);
		memset(test.got, UNTOUCHED, LENGTH_MAX);
		post_b(i, lengths[i], &mark[0]);
		pair_settle(&test.pair);
		assert_int_equal(event_of(test.a, &mark[1])->error, 0);
		received(&mark[0], i, 0, lengths[i]);
		assert_true(lengths[i] == LENGTH_MAX || test.got[lengths[i]] == UNTOUCHED);
	}
	no_event(test.a);
	no_event(test.b);
}

static void test_lengths(void **state)
{
	everywhere(lengths_one, NULL);
}

/* Messages go to the first receive that fits; receives take the first message that fits. */
static void order_one(void)
{
	int mark[5];

	post(test.b, TORUS_MATCH_ANY, 0x10, 0xf, test.got, 100, &mark[0]);
	post(test.b, 0, 0x13, 0, test.got + 100, 100, &mark[1]);
	post(test.b, 1, 0x13, 0, test.got + 200, 100, &mark[2]);
	post(test.b, 0, NO_TAG, 0, test.got + 300, 100, &mark[3]);
	send_b(0x13, 0, 10);
	send_b(0x13, 10, 20);
	send_b(NO_TAG, 20, 30);
	pair_settle(&test.pair);
	received(&mark[0], 0x13, 0, 10);
	received(&mark[1], 0x13, 10, 20);
	received(&mark[3], NO_TAG, 20, 30);
	no_event(test.b);
	send_b(1, 30, 40);
	send_b(2, 40, 50);
	send_b(1, 50, 60);
	pair_settle(&test.pair);
	post(test.b, TORUS_MATCH_ANY, 2, 0, test.got, 100, &mark[0]);
	post(test.b, TORUS_MATCH_ANY, 0, 3, test.got + 100, 100, &mark[1]);
	post(test.b, 0, 0, ~0ull, test.got + 200, 100, &mark[4]);
	received(&mark[0], 2, 40, 50);
	received(&mark[1], 1, 30, 40);
	received(&mark[4], 1, 50, 60);
	/* the receive from rank 1 itself still waits */
	send_from(test.b, 1, 0x13, 7, 9, TORUS_MATCH_SILENT, NULL);
	assert_int_equal(event_of(test.b, &mark[2])->source, 1);
	assert_memory_equal(test.got + 200, test.sent + 7, 9);
}

static void test_order(void **state)
{
	everywhere(order_one, NULL);
}

/* Buffers in parts at both ends; a receive that is too short; no byte after its end is written. */
static void parts_one(void)
{
	const size_t total[] = { 5000, 50000 };
	unsigned int i;
	int mark;

	for (i = 0; i < ARRAY_SIZE(total); i++) {
		struct iovec from[3] = {
			{ test.sent, 1 }, { NULL, 0 }, { test.sent + 1, total[i] - 1 },
		};
		struct iovec to[3] = {
			{ test.got, 333 }, { test.got + 333, 0 }, { test.got + 400, 1000 },
		};
		struct torus_match_send send = {
			.parts = from, .count = 3, .dest = 1, .flags = TORUS_MATCH_SILENT,
		};
		struct torus_match_receive receive = {
			.context = &mark, .parts = to, .count = 3, .source = TORUS_MATCH_ANY,
		};

		memset(test.got, UNTOUCHED, LENGTH_MAX);
		assert_int_equal(torus_match_receive(test.b, &receive), 0);
		assert_int_equal(torus_match_send(test.a, &send), 0);
		pair_settle(&test.pair);
		assert_int_equal(event_of(test.b, &mark)->error, -EMSGSIZE);
		assert_int_equal(test.event.length, 1333);
		assert_int_equal(test.event.full, total[i]);
		assert_memory_equal(test.got, test.sent, 333);
		assert_memory_equal(test.got + 400, test.sent + 333, 1000);
		assert_int_equal(test.got[333], UNTOUCHED);
		assert_int_equal(test.got[1400], UNTOUCHED);
		assert_int_equal(torus_match_pending(test.a), 0);
	}
}

static void test_parts(void **state)
{
	everywhere(parts_one, NULL);
}

static int peek_b(__u64 tag, unsigned int flags, void *context)
{
	struct torus_match_receive wanted = {
		.context = context, .source = 0, .tag = tag, .flags = flags | TORUS_MATCH_TAGGED,
	};

	return torus_match_peek(test.b, &wanted, &test.event);
}

static void peek_one(void)
{
	struct iovec part = { test.got, 50000 };
	struct torus_match_receive claimed = { .parts = &part, .count = 1, };
	int mark[3];

	assert_int_equal(peek_b(1, 0, NULL), -ENOMSG);
	send_b(1, 0, 50000);
	send_b(1, 1, 100);
	send_b(1, 2, 200);
	pair_settle(&test.pair);
	assert_int_equal(peek_b(1, 0, NULL), 0);
	assert_int_equal(test.event.full, 50000);
	assert_int_equal(peek_b(1, TORUS_MATCH_CLAIM, &mark[0]), 0);
	assert_int_equal(test.event.full, 50000);
	assert_int_equal(peek_b(1, TORUS_MATCH_DISCARD, NULL), 0);
	assert_int_equal(test.event.full, 100);
	/* claimed and discarded messages are no longer found by their tag */
	post_b(1, 200, &mark[1]);
	received(&mark[1], 1, 2, 200);
	assert_int_equal(peek_b(1, 0, NULL), -ENOMSG);
	claimed.context = &mark[1];
	assert_int_equal(torus_match_claimed(test.b, &claimed), -EINVAL);
	claimed.context = &mark[0];
	assert_int_equal(torus_match_claimed(test.b, &claimed), 0);
	assert_int_equal(torus_match_claimed(test.b, &claimed), -EINVAL);
	pair_settle(&test.pair);
	received(&mark[0], 1, 0, 50000);
	/* a claimed message of any length may be dropped; its send ends */
	send_b(3, 0, 50000);
	pair_settle(&test.pair);
	assert_int_equal(peek_b(3, TORUS_MATCH_CLAIM, &mark[2]), 0);
	claimed = (struct torus_match_receive){
		.context = &mark[2], .flags = TORUS_MATCH_DISCARD,
	};
	assert_int_equal(torus_match_claimed(test.b, &claimed), 0);
	pair_settle(&test.pair);
	assert_int_equal(event_of(test.b, &mark[2])->error, 0);
	assert_int_equal(test.event.length, 0);
	assert_int_equal(torus_match_pending(test.a), 0);
	no_event(test.b);
}

static void test_peek(void **state)
{
	everywhere(peek_one, NULL);
}

static void cancel_one(void)
{
	int mark[2];

	post_b(1, 100, &mark[0]);
	post_b(1, 100, &mark[1]);
	assert_int_equal(torus_match_cancel(test.b, &mark[0]), 1);
	assert_int_equal(torus_match_cancel(test.b, &mark[0]), 0);
	assert_int_equal(event_of(test.b, &mark[0])->error, -ECANCELED);
	send_b(1, 0, 100);
	pair_settle(&test.pair);
	assert_int_equal(torus_match_cancel(test.b, &mark[1]), 0);
	received(&mark[1], 1, 0, 100);
	/* a matched receive whose data is still to come */
	post_b(2, LENGTH_MAX, &mark[0]);
	send_b(2, 0, LENGTH_MAX);
	while (!test.b->peers || !test.b->peers[0] || !test.b->peers[0]->granted.first) {
		assert_true(torus_job_progress(test.pair.a) >= 0);
		fake_step(&test.pair.fake);
		assert_true(torus_job_progress(test.pair.b) >= 0);
	}
	assert_int_equal(torus_match_cancel(test.b, &mark[0]), 0);
	pair_settle(&test.pair);
	received(&mark[0], 2, 0, LENGTH_MAX);
	no_event(test.b);
}

static void test_cancel(void **state)
{
	everywhere(cancel_one, NULL);
}

/* Messages to oneself, without packets. */
static void self_one(void)
{
	int mark[3];

	post(test.a, 0, 1, 0, test.got, 100, &mark[0]);
	send_from(test.a, 0, 1, 0, 100, 0, &mark[1]);
	assert_int_equal(event_of(test.a, &mark[1])->error, 0);
	assert_int_equal(event_of(test.a, &mark[0])->source, 0);
	assert_memory_equal(test.got, test.sent, 100);
	/* unexpected: a short message is copied, a long one waits */
	send_from(test.a, 0, 2, 5, 1000, 0, &mark[1]);
	assert_int_equal(event_of(test.a, &mark[1])->error, 0);
	send_from(test.a, 0, 2, 6, 50000, 0, &mark[2]);
	no_event(test.a);
	assert_int_equal(torus_match_pending(test.a), 1);
	post(test.a, 0, 2, 0, test.got, 1000, &mark[0]);
	assert_int_equal(event_of(test.a, &mark[0])->length, 1000);
	assert_memory_equal(test.got, test.sent + 5, 1000);
	post(test.a, 0, 2, 0, test.got, 1000, &mark[0]);
	assert_int_equal(event_of(test.a, &mark[2])->error, 0);
	assert_int_equal(event_of(test.a, &mark[0])->error, -EMSGSIZE);
	assert_int_equal(test.event.full, 50000);
	assert_int_equal(test.got[1000], UNTOUCHED);
	assert_int_equal(test.pair.fake.packets, 0);
}

static void test_self(void **state)
{
	everywhere(self_one, NULL);
}

#define MANY	70000u

/*
 * Messages without a receive: beyond the window, each is announced, however short.  All of them
 * wait, and the last one is received first.
 */
static void many_one(void)
{
	struct torus_match_counts counts;
	uint32_t i, first = MANY - 1;

	for (i = 0; i < MANY; i++) {
		send_b(i, i % 100, 8);
		if (i % 256 == 255)
			pair_settle(&test.pair);
	}
	pair_settle(&test.pair);
	torus_match_counts(test.a, &counts);
	assert_int_equal(counts.eager, TORUS_MATCH_WINDOW / (8 + 160));
	assert_int_equal(counts.announced, MANY - counts.eager);
	torus_match_counts(test.b, &counts);
	assert_int_equal(counts.unexpected, MANY);
	post_b(first, 8, &first);
	pair_settle(&test.pair);
	received(&first, first, first % 100, 8);
	for (i = 0; i < first; i++) {
		post_b(i, 8, &i);
		if (i % 64 == 63 || i == first - 1)
			pair_settle(&test.pair);
		while (torus_match_events(test.b, &test.event, 1)) {
			assert_int_equal(test.event.error, 0);
			assert_int_equal(test.event.length, 8);
		}
	}
	assert_int_equal(torus_match_pending(test.a), 0);
	assert_null(test.b->unexpected);
	/* at most half a window of credit has not been returned */
	assert_true(test.a->peers[1]->used <= TORUS_MATCH_WINDOW / 2);
	send_b(1, 0, 8);
	torus_match_counts(test.a, &counts);
	assert_int_equal(counts.announced, MANY - TORUS_MATCH_WINDOW / (8 + 160));
}

static void test_many(void **state)
{
	everywhere(many_one, NULL);
}

static void test_open(void **state)
{
	static const struct torus_match_config wrong = { .eager = TORUS_MATCH_EAGER_MAX + 1 };
	struct torus_match_receive receive = { .parts = NULL };
	struct torus_match_send send = { .parts = NULL };
	struct torus_match *more;

	match_start(false);
	assert_int_equal(torus_match_open(&more, test.pair.a, NULL), -EBUSY);
	receive.source = 2000;
	send.dest = 2000;
	assert_int_equal(torus_match_receive(test.b, &receive), -EINVAL);
	assert_non_null(strstr(torus_error_text(), "2000"));
	assert_int_equal(torus_match_send(test.a, &send), -EINVAL);
	assert_non_null(strstr(torus_error_text(), "2000"));
	torus_match_close(test.a);
	assert_int_equal(torus_match_open(&test.a, test.pair.a, &wrong), -EINVAL);
	test.a = NULL;
	match_stop();
}

/*
 * The receiver leaves while one message waits for its receive.  The next packet to it finds no
 * process, so all sends to it end, and later ones are rejected.
 */
static void test_gone(void **state)
{
	static const struct fake_config noticing = {
		.nodes = 2, .inject_chunks = 256, .receive_chunks = 256, .notices = true,
	};
	struct torus_match_send send = { .dest = 1 };
	int mark[2];
	unsigned int i;

	memset(&test, 0, sizeof(test));
	pair_start(&test.pair, &noticing, &ranks_dynamic);
	assert_int_equal(torus_match_open(&test.a, test.pair.a, NULL), 0);
	assert_int_equal(torus_match_open(&test.b, test.pair.b, NULL), 0);
	test.sent = calloc(LENGTH_MAX, 1);
	send_from(test.a, 1, 1, 0, LENGTH_MAX, 0, &mark[0]);
	pair_settle(&test.pair);
	no_event(test.a);
	__atomic_store_n(&test.pair.fake.node[1].absent, true, __ATOMIC_SEQ_CST);
	assert_true(torus_match_progress(test.a) >= 0);
	no_event(test.a);
	send_from(test.a, 1, 2, 0, LENGTH_MAX, 0, &mark[1]);
	for (i = 0; i < 100 && torus_match_pending(test.a); i++) {
		fake_step(&test.pair.fake);
		assert_true(torus_match_progress(test.a) >= 0);
	}
	assert_int_equal(event_of(test.a, &mark[0])->error, -ENOTCONN);
	assert_int_equal(event_of(test.a, &mark[1])->error, -ENOTCONN);
	assert_int_equal(torus_match_send(test.a, &send), -ENOTCONN);
	match_stop();
}

/*
 * Packets keep their order, so a later message reveals a loss: of a matched message, of one that
 * waits, of a first packet, and of announced data.
 */
static void test_lost(void **state)
{
	struct torus_match_counts counts;
	int mark[2];

	match_start(true);
	lose_after(1);
	post_b(1, 1000, &mark[0]);
	send_b(1, 0, 1000);
	pair_settle(&test.pair);
	no_event(test.b);
	lose_after(2);
	send_b(2, 0, 1000);
	pair_settle(&test.pair);
	assert_int_equal(event_of(test.b, &mark[0])->error, -EIO);
	lose_after(0);
	send_b(3, 0, 8);
	send_b(4, 7, 8);
	pair_settle(&test.pair);
	post_b(2, 1000, &mark[0]);
	assert_int_equal(event_of(test.b, &mark[0])->error, -EIO);
	post_b(3, 8, &mark[0]);
	no_event(test.b);
	assert_int_equal(torus_match_cancel(test.b, &mark[0]), 1);
	assert_int_equal(event_of(test.b, &mark[0])->error, -ECANCELED);
	post_b(4, 8, &mark[0]);
	received(&mark[0], 4, 7, 8);
	torus_match_counts(test.b, &counts);
	assert_int_equal(counts.skipped, 1);
	/* after announcement and grant */
	lose_after(10);
	post_b(5, 50000, &mark[0]);
	send_b(5, 0, 50000);
	pair_settle(&test.pair);
	no_event(test.b);
	post_b(6, 50000, &mark[1]);
	send_b(6, 1, 50000);
	pair_settle(&test.pair);
	assert_int_equal(event_of(test.b, &mark[0])->error, -EIO);
	received(&mark[1], 6, 1, 50000);
	assert_int_equal(torus_match_pending(test.a), 0);
	match_stop();
}

/* A bit is flipped in the bytes of a message, which then fails, and in a head: it is skipped. */
static void test_damaged(void **state)
{
	struct torus_match_counts counts;
	int mark;

	match_start(true);
	test.pair.fake.config.corrupt = test.pair.fake.packets + 2;
	post_b(1, 1000, &mark);
	send_b(1, 0, 1000);
	pair_settle(&test.pair);
	assert_int_equal(event_of(test.b, &mark)->error, -EIO);
	test.pair.fake.config.corrupt = test.pair.fake.packets + 1;
	send_b(2, 0, 1000);
	send_b(3, 5, 1000);
	pair_settle(&test.pair);
	torus_match_counts(test.b, &counts);
	assert_int_equal(counts.skipped, 1);
	assert_int_equal(counts.unexpected, 1);
	post_b(3, 1000, &mark);
	received(&mark, 3, 5, 1000);
	match_stop();
}

/* The fabric is deleted: operations in each state end, and later ones are rejected. */
static void test_deleted(void **state)
{
	struct torus_match_receive receive = { .source = TORUS_MATCH_ANY };
	struct torus_match_send send = { .dest = 1 };
	int mark[4];

	match_start(false);
	post(test.a, 1, 9, 0, test.got, 100, &mark[0]);
	send_from(test.a, 1, 1, 0, LENGTH_MAX, 0, &mark[1]);
	send_from(test.a, 0, 2, 0, LENGTH_MAX, 0, &mark[2]);
	pair_settle(&test.pair);
	post(test.b, 0, 1, 0, test.got, LENGTH_MAX, &mark[3]);
	no_event(test.a);
	no_event(test.b);
	fake_kill(&test.pair.fake);
	assert_int_equal(torus_match_progress(test.a), -ENODEV);
	assert_int_equal(event_of(test.a, &mark[1])->error, -ENODEV);
	assert_int_equal(event_of(test.a, &mark[2])->error, -ENODEV);
	assert_int_equal(event_of(test.a, &mark[0])->error, -ENODEV);
	no_event(test.a);
	assert_int_equal(torus_match_pending(test.a), 0);
	assert_int_equal(torus_match_progress(test.b), -ENODEV);
	assert_int_equal(event_of(test.b, &mark[3])->error, -ENODEV);
	assert_int_equal(torus_match_receive(test.a, &receive), -ENODEV);
	assert_int_equal(torus_match_send(test.a, &send), -ENODEV);
	match_stop();
}

/* Close with operations in each state: the sanitizer finds what is not freed. */
static void test_close(void **state)
{
	int mark[4];

	match_start(false);
	post_b(9, 100, &mark[0]);
	post(test.b, 0, 4, 0, test.got, LENGTH_MAX, &mark[1]);
	send_b(1, 0, 100);
	send_b(2, 0, 50000);
	send_b(3, 0, 16000);
	send_from(test.a, 0, 5, 0, 50000, 0, &mark[2]);
	send_from(test.a, 0, 6, 0, 50, 0, &mark[3]);
	pair_settle(&test.pair);
	send_b(4, 0, LENGTH_MAX);
	send_b(7, 0, 16000);
	fake_step(&test.pair.fake);
	assert_true(torus_job_progress(test.pair.b) >= 0);
	match_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_peek),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_self),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_deleted),
		cmocka_unit_test(test_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
