// SPDX-License-Identifier: GPL-2.0
/* Test that consecutive lost messages are reported once, on a route that keeps order. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <torus/collective.h>
#include "core/tests/says.h"
#include "../job/job.h"
#include "pair.h"

static const struct fake_config rings = { .nodes = 2, .inject_chunks = 64, .receive_chunks = 64 };

static void lose(struct pair *pair, int count)
{
	int i;

	for (i = 0; i < count; i++) {
		pair->fake.config.lose = pair->fake.packets + 1;
		pair_send_text(pair, 1, "lost");
		pair_settle(pair);
	}
	pair->fake.config.lose = 0;
}

static void gap(int count)
{
	char text[80];
	struct pair pair;
	int i;

	pair_start(&pair, &rings, &ranks_ordered);
	pair_send_text(&pair, 2, "first");
	pair_settle(&pair);
	lose(&pair, count);
	for (i = 0; i < 100; i++)
		pair_send_text(&pair, 2, "here");
	pair_settle(&pair);
	pair_expect(&pair, TORUS_MESSAGE_ANY, "first");
	snprintf(text, sizeof(text), count == 1 ? "message 1 rank 0 lost" :
		 "message 1 %d rank 0 lost", count);
	pair_expect_bad(&pair, TORUS_MESSAGE_ANY, text);
	for (i = 0; i < 100; i++)
		pair_expect(&pair, 2, "here");
	assert_int_equal(pair.counts.lost, count);
	assert_int_equal(pair.counts.rejected_number, 0);
	torus_job_counts(pair.b, &pair.counts);
	assert_int_equal(pair.counts.memory, 0);
	pair_stop(&pair);
}

static void test_gap(void **state)
{
	(void)state;
	gap(1);
	gap(2);
	gap(1023);
	gap(1024);
	gap(3000);
}

/* An incomplete message between two gaps of lost messages is reported separately. */
static void test_two_gaps(void **state)
{
	static char large[1000];
	struct pair pair;

	(void)state;
	pair_start(&pair, &rings, &ranks_ordered);
	lose(&pair, 2);
	pair.fake.config.lose = pair.fake.packets + 3;
	assert_int_equal(torus_message_start(pair.a, 1, 3, large, sizeof(large), NULL), 0);
	pair_settle(&pair);
	lose(&pair, 5);
	pair_send_text(&pair, 4, "here");
	pair_settle(&pair);
	pair_expect_bad(&pair, TORUS_MESSAGE_ANY, "message 0 1 rank lost");
	pair_expect_bad(&pair, 3, "message 2 rank 0 1 packet");
	pair_expect_bad(&pair, TORUS_MESSAGE_ANY, "message 3 7 rank 0 lost");
	pair_expect(&pair, 4, "here");
	assert_int_equal(pair.counts.lost, 8);
	pair_stop(&pair);
}

/* The only message of a broadcast along a tree is lost: its wait ends. */
static void test_tree(void **state)
{
	const struct fake_config fabric = {
		.nodes = 2, .inject_chunks = 64, .receive_chunks = 64, .xt = true, .lose = 1,
		.dims = { 2, 1, 1 },
	};
	char data[8] = "bcast", into[8] = "";
	struct torus_broadcast *a, *b;
	struct pair pair;

	(void)state;
	pair_start(&pair, &fabric, &ranks_ordered);
	assert_int_equal(torus_broadcast_start(pair.b, 0, TORUS_BROADCAST_X, into, 6, &b), 0);
	assert_int_equal(torus_broadcast_start(pair.a, 0, TORUS_BROADCAST_X, data, 6, &a), 0);
	pair_settle(&pair);
	assert_int_equal(torus_broadcast_test(pair.a, a), 1);
	pair_send_text(&pair, 5, "plain");
	pair_settle(&pair);
	assert_int_equal(torus_broadcast_wait(pair.b, b, -1), -EBADMSG);
	assert_says(torus_error_text(), "broadcast 0 rank message lost");
	pair_expect(&pair, 5, "plain");
	pair_stop(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_two_gaps),
		cmocka_unit_test(test_tree),
	};

	return cmocka_run_group_tests_name("gap", tests, NULL, NULL);
}
