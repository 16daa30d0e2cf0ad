// SPDX-License-Identifier: GPL-2.0
/*
 * Test the descriptor of a matching on which a program sleeps.  The contexts of the fake kernel
 * have no file: an eventfd stands for it, which is readable when the test says so, and always
 * writable.
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <cmocka.h>
#include "match_pair.h"

static int mark, file;

/* Open the matching of two ranks; the context of one of them has a file. */
static void descriptor_start(unsigned int rank)
{
	match_start(false);
	file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	assert_true(file >= 0);
	test.pair.fake.node[rank].context->fd = file;
}

static void descriptor_stop(unsigned int rank)
{
	test.pair.fake.node[rank].context->fd = -1;
	match_stop();
	close(file);
}

/* Check whether the descriptor becomes readable in some milliseconds. */
static bool readable(struct torus_match *match, int timeout_ms)
{
	struct pollfd fd = { .fd = torus_match_fd(match), .events = POLLIN };

	return poll(&fd, 1, timeout_ms) == 1;
}

/* Check that the program may sleep, and that nothing ends the sleep. */
static void sleeps(struct torus_match *match)
{
	assert_int_equal(torus_match_trywait(match), 0);
	assert_false(readable(match, 0));
}

/* Events and packets that wait forbid the sleep; a packet that arrives ends it. */
static void test_packets(void **state)
{
	__u64 one = 1;

	descriptor_start(1);
	assert_int_equal(torus_match_fd(test.b), torus_match_fd(test.b));
	sleeps(test.b);
	send_b(1, 0, 100);
	while (fake_step(&test.pair.fake))
		;
	assert_int_equal(write(file, &one, sizeof(one)), sizeof(one));
	assert_true(readable(test.b, 0));
	assert_int_equal(torus_match_trywait(test.b), -EAGAIN);
	assert_int_equal(read(file, &one, sizeof(one)), sizeof(one));
	sleeps(test.b);
	/* the message waits: its receive ends at once */
	post_b(1, 100, &mark);
	assert_int_equal(torus_match_trywait(test.b), -EAGAIN);
	assert_int_equal(torus_match_trywait(test.b), -EAGAIN);
	received(&mark, 1, 0, 100);
	sleeps(test.b);
	descriptor_stop(1);
}

/* An event that another thread causes ends the sleep. */
static void test_event(void **state)
{
	descriptor_start(1);
	post_b(1, 100, &mark);
	sleeps(test.b);
	assert_int_equal(torus_match_cancel(test.b, &mark), 1);
	assert_true(readable(test.b, 0));
	assert_int_equal(event_of(test.b, &mark)->error, -ECANCELED);
	sleeps(test.b);
	descriptor_stop(1);
}

/* Processes that have left are noticed during a sleep. */
static void test_timer(void **state)
{
	unsigned int i;

	descriptor_start(1);
	post_b(1, 100, &mark);
	sleeps(test.b);
	__atomic_store_n(&test.pair.fake.node[0].absent, true, __ATOMIC_SEQ_CST);
	for (i = 0; i < 10 && torus_match_trywait(test.b) == 0; i++)
		assert_true(readable(test.b, 2000));
	assert_int_equal(event_of(test.b, &mark)->error, -ENOTCONN);
	descriptor_stop(1);
}

/*
 * Packets wait for free space in the injection rings: the sleep ends when there is some.  Another
 * thread's message that does not fit ends a sleep, too.
 */
static void test_space(void **state)
{
	unsigned int i;

	descriptor_start(0);
	sleeps(test.a);
	for (i = 0; i < 4; i++)
		send_b(1, 0, 16000);
	assert_true(test.pair.a->active_count);
	assert_true(readable(test.a, 0));
	while (torus_match_trywait(test.a) == -EAGAIN)
		;
	assert_true(readable(test.a, 0));
	pair_settle(&test.pair);
	sleeps(test.a);
	descriptor_stop(0);
}

/* In virtual time there is no descriptor. */
static void test_virtual(void **state)
{
	static char clock[256];
	struct torus_context *context;

	match_start(false);
	context = test.pair.fake.node[0].context;
	context->clock = (void *)clock;
	assert_int_equal(torus_match_fd(test.a), -EOPNOTSUPP);
	assert_int_equal(torus_match_trywait(test.a), -EOPNOTSUPP);
	context->clock = NULL;
	match_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packets),
		cmocka_unit_test(test_event),
		cmocka_unit_test(test_timer),
		cmocka_unit_test(test_space),
		cmocka_unit_test(test_virtual),
	};

	return cmocka_run_group_tests_name("match descriptor", tests, NULL, NULL);
}
