// SPDX-License-Identifier: GPL-2.0
/*
 * Test that the operations of <torus/match.h> which wait for a process end when it has left, and
 * only then.
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

static int mark[6];

/* Ranks 0 and 1 on a line of @nodes nodes, each of which has a rank. */
static void line_start(unsigned int nodes, const struct torus_job_config *config)
{
	struct fake_config line = {
		.nodes = nodes, .inject_chunks = 256, .receive_chunks = 256, .notices = true,
		.dims = { nodes, 1, 1 },
	};

	memset(&test, 0, sizeof(test));
	pair_start(&test.pair, &line, config);
	assert_int_equal(torus_match_open(&test.a, test.pair.a, NULL), 0);
	assert_int_equal(torus_match_open(&test.b, test.pair.b, NULL), 0);
	test.sent = calloc(LENGTH_MAX, 1);
	test.got = calloc(LENGTH_MAX, 1);
}

static int never_idle(struct torus_context *context)
{
	return 0;
}

static void leave(unsigned int rank)
{
	__atomic_store_n(&test.pair.fake.node[rank].absent, true, __ATOMIC_SEQ_CST);
}

/* Make the next @count checks of rank 0 follow one another without a pause. */
static void checks(unsigned int count)
{
	while (count--) {
		test.a->check_ns = 0;
		assert_true(torus_match_progress(test.a) >= 0);
	}
}

static void post_a(uint32_t source, __u64 tag, int *context)
{
	post(test.a, source, tag, 0, test.got, 100, context);
}

static void send_a(__u64 tag, size_t length)
{
	send_from(test.b, 0, tag, 0, length, TORUS_MATCH_SILENT | TORUS_MATCH_INJECT, NULL);
}

/* Receives that name the process, or any, end; so do later receives, peeks and sends. */
static void test_receives(void **state)
{
	struct torus_match_receive wanted = { .source = 1 };
	struct torus_match_event event;
	struct torus_match_send send = { .dest = 1 };

	line_start(2, &ranks_dynamic);
	post_a(1, 1, &mark[0]);
	post_a(0, 2, &mark[1]);
	post_a(TORUS_MATCH_ANY, 3, &mark[2]);
	checks(5);
	/* the process computes: it has not left */
	no_event(test.a);
	assert_int_equal(torus_match_peek(test.a, &wanted, &event), -ENOMSG);
	leave(1);
	checks(3);
	assert_int_equal(event_of(test.a, &mark[0])->error, -ENOTCONN);
	assert_int_equal(event_of(test.a, &mark[2])->error, -ENOTCONN);
	no_event(test.a);
	post_a(1, 4, &mark[3]);
	assert_int_equal(event_of(test.a, &mark[3])->error, -ENOTCONN);
	assert_int_equal(torus_match_peek(test.a, &wanted, &event), -ENOTCONN);
	assert_int_equal(torus_match_send(test.a, &send), -ENOTCONN);
	/* a receive from this process still waits */
	send_from(test.a, 0, 2, 0, 10, TORUS_MATCH_SILENT, NULL);
	assert_int_equal(event_of(test.a, &mark[1])->error, 0);
	match_stop();
}

/* A check follows each second without the help of this test. */
static void test_time(void **state)
{
	struct timespec pause = { .tv_nsec = 5000000 };
	unsigned int i;

	line_start(2, &ranks_dynamic);
	post_a(1, 1, &mark[0]);
	assert_true(torus_match_progress(test.a) >= 0);
	leave(1);
	for (i = 0; i < 1000 && !torus_match_events(test.a, &test.event, 1); i++) {
		assert_true(torus_match_progress(test.a) >= 0);
		nanosleep(&pause, NULL);
	}
	assert_true(i < 1000);
	assert_int_equal(test.event.error, -ENOTCONN);
	match_stop();
}

/*
 * Packets that the process sent before it left are delivered first: to a receive, or to be received
 * later.  Announced messages and half-received ones end with an error.
 */
static void test_packets(void **state)
{
	line_start(2, &ranks_dynamic);
	post_a(1, 1, &mark[0]);
	post_a(1, 2, &mark[1]);
	post_a(TORUS_MATCH_ANY, 3, &mark[2]);
	send_a(1, 100);
	send_a(4, 50);
	send_a(5, LENGTH_MAX);
	/* the first packets of a message, the rest of which is never sent */
	send_a(2, 16000);
	assert_true(test.pair.b->active_count);
	leave(1);
	checks(2);
	no_event(test.a);
	while (fake_step(&test.pair.fake))
		assert_true(torus_job_progress(test.pair.a) >= 0);
	checks(2);
	assert_int_equal(event_of(test.a, &mark[0])->error, 0);
	assert_int_equal(test.event.length, 100);
	assert_int_equal(event_of(test.a, &mark[1])->error, -ENOTCONN);
	assert_int_equal(test.event.full, 16000);
	assert_int_equal(event_of(test.a, &mark[2])->error, -ENOTCONN);
	no_event(test.a);
	post_a(1, 5, &mark[4]);
	assert_int_equal(event_of(test.a, &mark[4])->error, -ENOTCONN);
	post_a(TORUS_MATCH_ANY, 4, &mark[3]);
	assert_int_equal(event_of(test.a, &mark[3])->error, 0);
	assert_int_equal(test.event.length, 50);
	match_stop();
}

/*
 * Packets that wait in the reception rings, because memory_max is reached, have not arrived: they
 * are delivered first.
 */
static void memory_max(bool busy)
{
	struct torus_job_config config = ranks_ordered;
	static unsigned char bytes[600];
	unsigned int i;

	config.memory_max = 1000;
	line_start(2, &config);
	if (busy)
		test.pair.fake.node[0].ops.idle = never_idle;
	post_a(1, 1, &mark[0]);
	for (i = 0; i < 2; i++)
		assert_int_equal(torus_message_start(test.pair.b, 0, 7, bytes, sizeof(bytes), NULL),
				 0);
	send_a(1, 100);
	while (fake_step(&test.pair.fake))
		assert_true(torus_job_progress(test.pair.b) >= 0);
	assert_int_equal(test.pair.b->active_count, 0);
	leave(1);
	/* this call takes the first message, and the second one must wait */
	checks(1);
	assert_true(test.pair.a->stuck);
	for (i = 0; i < 6; i++) {
		test.a->check_ns = 0;
		assert_int_equal(torus_match_progress(test.a), -ENOBUFS);
	}
	no_event(test.a);
	for (i = 0; i < 2; i++) {
		assert_int_equal(torus_message_receive(test.pair.a, 1, 7, bytes, sizeof(bytes),
						       NULL, 0), 0);
		checks(1);
	}
	assert_int_equal(event_of(test.a, &mark[0])->error, 0);
	match_stop();
}

static void test_memory_max(void **state)
{
	memory_max(false);
	memory_max(true);
}

/* The process leaves while it sends the data of an announced message. */
static void test_data(void **state)
{
	line_start(2, &ranks_dynamic);
	post(test.a, 1, 1, 0, test.got, LENGTH_MAX, &mark[0]);
	send_a(1, LENGTH_MAX);
	while (!test.a->peers[1] || !test.a->peers[1]->granted.first) {
		assert_true(torus_job_progress(test.pair.b) >= 0);
		fake_step(&test.pair.fake);
		assert_true(torus_job_progress(test.pair.a) >= 0);
	}
	leave(1);
	while (fake_step(&test.pair.fake))
		assert_true(torus_job_progress(test.pair.a) >= 0);
	no_event(test.a);
	checks(3);
	assert_int_equal(event_of(test.a, &mark[0])->error, -ENOTCONN);
	match_stop();
}

/* If the fabric is never idle, several checks must miss the process, and no packet may arrive. */
static void test_busy(void **state)
{
	line_start(2, &ranks_dynamic);
	test.pair.fake.node[0].ops.idle = never_idle;
	post_a(1, 1, &mark[0]);
	send_a(7, 10);
	assert_true(torus_job_progress(test.pair.b) >= 0);
	leave(1);
	checks(4);
	while (fake_step(&test.pair.fake))
		;
	assert_true(torus_job_progress(test.pair.a) > 0);
	checks(4);
	no_event(test.a);
	checks(1);
	assert_int_equal(event_of(test.a, &mark[0])->error, -ENOTCONN);
	match_stop();
}

/* A receive from any source ends when the last of the other processes has left. */
static void test_any(void **state)
{
	struct torus_match *c;
	struct torus_job *job;

	line_start(3, &ranks_dynamic);
	job = ranks_open(&test.pair.fake, 2, &ranks_dynamic);
	assert_int_equal(torus_match_open(&c, job, NULL), 0);
	post_a(TORUS_MATCH_ANY, 1, &mark[0]);
	send_a(2, 10);
	send_from(c, 0, 2, 0, 10, TORUS_MATCH_SILENT, NULL);
	assert_true(torus_match_progress(c) >= 0);
	pair_settle(&test.pair);
	leave(1);
	checks(4);
	no_event(test.a);
	leave(2);
	checks(3);
	assert_int_equal(event_of(test.a, &mark[0])->error, -ENOTCONN);
	torus_match_close(c);
	torus_job_close(job);
	match_stop();
}

/* Rank 0 opens its matching before rank 1 has attached. */
static void alone_start(void)
{
	static const struct fake_config line = {
		.nodes = 2, .inject_chunks = 256, .receive_chunks = 256, .dims = { 2, 1, 1 },
	};

	memset(&test, 0, sizeof(test));
	fake_start(&test.pair.fake, &line);
	leave(1);
	test.pair.a = ranks_open(&test.pair.fake, 0, &ranks_dynamic);
	assert_int_equal(torus_match_open(&test.a, test.pair.a, NULL), 0);
	test.got = calloc(100, 1);
}

/* A process that has not attached yet has not left. */
static void test_not_yet(void **state)
{
	alone_start();
	post_a(TORUS_MATCH_ANY, 1, &mark[0]);
	post_a(1, 1, &mark[1]);
	checks(10);
	no_event(test.a);
	__atomic_store_n(&test.pair.fake.node[1].absent, false, __ATOMIC_SEQ_CST);
	checks(1);
	leave(1);
	checks(3);
	assert_int_equal(event_of(test.a, &mark[0])->error, -ENOTCONN);
	assert_int_equal(event_of(test.a, &mark[1])->error, -ENOTCONN);
	match_stop();
}

/*
 * A FIFO group that is closing may belong to a process of an earlier job.  A process of this job
 * has left when its group is free.
 */
static void test_closing(void **state)
{
	struct fake_node *node;

	alone_start();
	node = &test.pair.fake.node[1];
	node->absent = false;
	node->closing = true;
	post_a(1, 1, &mark[0]);
	checks(3);
	node->closing = false;
	node->holder++;
	checks(3);
	node->closing = true;
	checks(3);
	no_event(test.a);
	leave(1);
	checks(3);
	assert_int_equal(event_of(test.a, &mark[0])->error, -ENOTCONN);
	match_stop();
}

/* Another process takes the FIFO group. */
static void test_retaken(void **state)
{
	line_start(2, &ranks_dynamic);
	post_a(1, 1, &mark[0]);
	checks(1);
	test.pair.fake.node[1].holder++;
	checks(3);
	assert_int_equal(event_of(test.a, &mark[0])->error, -ENOTCONN);
	match_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_receives),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_packets),
		cmocka_unit_test(test_memory_max),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_busy),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_not_yet),
		cmocka_unit_test(test_closing),
		cmocka_unit_test(test_retaken),
	};

	return cmocka_run_group_tests_name("match departure", tests, NULL, NULL);
}
