// SPDX-License-Identifier: GPL-2.0
/*
 * Test messages of several packets that are placed into the buffer of the waiting receive, and
 * waits that end without a message.  Two ranks run in one thread, which steps the engine while the
 * receive sleeps.
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../job/job.h"
#include "pair.h"

#define LENGTH	1000u
#define UNTOUCHED	0xee

static const struct fake_config wide = {
	.nodes = 2, .inject_chunks = 256, .receive_chunks = 256,
};

/**
 * struct posted_sleeper - a receive of rank 1, and the function that runs while it sleeps
 * @pair: the ranks
 * @asleep: function called in place of each poll(2) of rank 1, whose result it returns
 * @sleeps: number of calls so far
 * @straight: number of sleeps in which packets were in the buffer
 * @sent: message of rank 0
 * @buffer: buffer of the receive
 */
static struct posted_sleeper {
	struct pair pair;
	int (*asleep)(void);
	unsigned int sleeps;
	unsigned int straight;
	unsigned char *sent;
	unsigned char buffer[2 * LENGTH];
} test;

static int sleeper_poll(struct torus_context *context, short events, int timeout_ms)
{
	const struct message *message = test.pair.b->posted ? test.pair.b->posted->message : NULL;
	uint32_t payload = test.pair.b->format.payload;

	test.sleeps++;
	if (message && message->seen[0] & 1 && !memcmp(test.buffer, test.sent, payload))
		test.straight++;
	return test.asleep();
}

static void sleeper_start(const struct fake_config *config, int (*asleep)(void))
{
	memset(&test, 0, sizeof(test));
	memset(test.buffer, UNTOUCHED, sizeof(test.buffer));
	test.asleep = asleep;
	pair_start(&test.pair, config, &ranks_ordered);
	pair_settle(&test.pair);
	test.pair.fake.node[1].ops.poll = sleeper_poll;
	torus_wait_tune(test.pair.b->context, 0, 0);
	test.sent = ranks_content(0, 1, 0, LENGTH);
}

static void sleeper_stop(void)
{
	pair_settle(&test.pair);
	assert_int_equal(test.pair.counts.memory, 0);
	pair_stop(&test.pair);
	free(test.sent);
}

static void sleeper_send(uint32_t tag, uint32_t length)
{
	assert_int_equal(torus_message_start(test.pair.a, 1, tag, test.sent, length, NULL), 0);
	assert_true(torus_job_progress(test.pair.a) >= 0);
}

static int sleeper_receive(int source, __s64 tag, uint32_t size, int timeout_ms)
{
	return torus_message_receive(test.pair.b, source, tag, test.buffer, size, NULL, timeout_ms);
}

static void assert_untouched(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(test.buffer); i++)
		assert_int_equal(test.buffer[i], UNTOUCHED);
}

/* Check that the buffer has the first @length bytes, and nothing after them was written. */
static void assert_came(uint32_t length)
{
	assert_memory_equal(test.buffer, test.sent, length);
	memset(test.buffer, UNTOUCHED, length);
	assert_untouched();
}

/* Let one packet arrive. */
static int asleep_step(void)
{
	fake_step(&test.pair.fake);
	return POLLIN;
}

/* Let three packets arrive, then none. */
static int asleep_three(void)
{
	return test.sleeps <= 3 ? asleep_step() : 0;
}

static void straight_on(const struct fake_config *config, __s64 tag, bool straight)
{
	sleeper_start(config, asleep_step);
	sleeper_send(5, LENGTH);
	assert_int_equal(sleeper_receive(0, tag, LENGTH, -1), 0);
	assert_int_equal(test.straight != 0, straight);
	assert_came(LENGTH);
	/* once more, from any rank, with a buffer longer than the message */
	sleeper_send(5, LENGTH);
	assert_int_equal(sleeper_receive(TORUS_MESSAGE_ANY, tag, sizeof(test.buffer), -1), 0);
	assert_came(LENGTH);
	sleeper_stop();
}

static void test_straight(void **state)
{
	struct fake_config xt = wide;

	straight_on(&wide, 5, true);
	straight_on(&wide, TORUS_MESSAGE_ANY, true);
	/* on the Cray XT the tag follows the message */
	xt.xt = true;
	straight_on(&xt, TORUS_MESSAGE_ANY, true);
	straight_on(&xt, 5, false);
}

/* Packets that arrive before the receive begins are moved into its buffer. */
static void test_begun_before(void **state)
{
	const struct message *message;

	sleeper_start(&wide, asleep_step);
	sleeper_send(5, LENGTH);
	do {
		fake_step(&test.pair.fake);
		assert_true(torus_job_progress(test.pair.b) >= 0);
		message = test.pair.b->peers[0] ? test.pair.b->peers[0]->open.first : NULL;
	} while (!message || message->missing > 3);
	assert_int_equal(message->missing, 3);
	assert_int_equal(sleeper_receive(0, 5, LENGTH, -1), 0);
	assert_int_equal(test.straight, test.sleeps);
	assert_came(LENGTH);
	sleeper_stop();
}

/* Packets that arrived before a time-out are not lost, and not moved again. */
static void test_time_out(void **state)
{
	sleeper_start(&wide, asleep_three);
	sleeper_send(5, LENGTH);
	assert_int_equal(sleeper_receive(0, 5, LENGTH, 20), -ETIMEDOUT);
	assert_true(test.straight > 0);
	memset(test.buffer, UNTOUCHED, sizeof(test.buffer));
	assert_int_equal(sleeper_receive(0, 5, LENGTH, 5), -ETIMEDOUT);
	assert_untouched();
	pair_settle(&test.pair);
	assert_untouched();
	assert_int_equal(sleeper_receive(0, 5, LENGTH, 0), 0);
	assert_came(LENGTH);
	sleeper_stop();
}

/* After three packets, deliver another message that matches the receive, too. */
static int asleep_other(void)
{
	if (test.sleeps == 4)
		assert_int_equal(torus_message_send(test.pair.b, 1, 7, "own", 3), 0);
	return asleep_three();
}

static void test_another_ends_the_wait(void **state)
{
	sleeper_start(&wide, asleep_other);
	sleeper_send(5, LENGTH);
	assert_int_equal(sleeper_receive(TORUS_MESSAGE_ANY, TORUS_MESSAGE_ANY, LENGTH, -1), 0);
	assert_true(test.straight > 0);
	assert_memory_equal(test.buffer, "own", 3);
	memset(test.buffer, UNTOUCHED, sizeof(test.buffer));
	test.asleep = asleep_step;
	assert_int_equal(sleeper_receive(0, 5, LENGTH, -1), 0);
	assert_came(LENGTH);
	sleeper_stop();
}

/* Messages that do not match or do not fit are not written into the buffer. */
static void test_not_meant(void **state)
{
	sleeper_start(&wide, asleep_step);
	sleeper_send(5, LENGTH);
	sleeper_send(9, 600);
	assert_int_equal(sleeper_receive(0, 9, LENGTH, -1), 0);
	assert_came(600);
	assert_int_equal(sleeper_receive(0, 5, LENGTH - 1, -1), -EMSGSIZE);
	assert_untouched();
	sleeper_send(5, LENGTH);
	assert_int_equal(sleeper_receive(0, 5, LENGTH, -1), 0);
	assert_came(LENGTH);
	assert_int_equal(sleeper_receive(0, 5, LENGTH - 1, -1), -EMSGSIZE);
	assert_untouched();
	assert_int_equal(sleeper_receive(0, 5, LENGTH, -1), 0);
	assert_came(LENGTH);
	sleeper_stop();
}

/* If two messages match, the second stays in its ring until the program receives again. */
static void test_one_at_a_time(void **state)
{
	sleeper_start(&wide, asleep_step);
	sleeper_send(5, 600);
	sleeper_send(5, LENGTH);
	while (fake_step(&test.pair.fake))
		;
	assert_int_equal(sleeper_receive(0, 5, sizeof(test.buffer), -1), 0);
	assert_null(test.pair.b->peers[0]->open.first);
	assert_null(test.pair.b->ready.first);
	assert_came(600);
	assert_int_equal(sleeper_receive(0, 5, sizeof(test.buffer), -1), 0);
	assert_int_equal(test.sleeps, 0);
	assert_came(LENGTH);
	sleeper_stop();
}

/* A damaged message is reported, and the next one is received. */
static void test_damaged(void **state)
{
	struct fake_config config = wide;

	sleeper_start(&config, asleep_step);
	test.pair.fake.config.corrupt = test.pair.fake.packets + 2;
	sleeper_send(5, LENGTH);
	sleeper_send(5, 600);
	assert_int_equal(sleeper_receive(0, 5, LENGTH, -1), -EBADMSG);
	memset(test.buffer, UNTOUCHED, sizeof(test.buffer));
	assert_int_equal(sleeper_receive(0, 5, LENGTH, -1), 0);
	assert_came(600);
	sleeper_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_straight),
		cmocka_unit_test(test_begun_before),
		cmocka_unit_test(test_time_out),
		cmocka_unit_test(test_another_ends_the_wait),
		cmocka_unit_test(test_not_meant),
		cmocka_unit_test(test_one_at_a_time),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests_name("posted", tests, NULL, NULL);
}
