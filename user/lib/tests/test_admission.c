// SPDX-License-Identifier: GPL-2.0
/*
 * Test that memory_max never stops packets of a message that would free memory when it is complete.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/collective.h>
#include "core/tests/says.h"
#include "../job/job.h"
#include "../job/send.h"
#include "pair.h"

#define MESSAGES	20
#define LENGTH		3000
#define PART		60000

static const struct fake_config rings = { .nodes = 3, .inject_chunks = 64, .receive_chunks = 64 };

/* Let two senders start at once, while memory_max permits only one of their messages. */
static void two_senders(enum torus_route route)
{
	struct torus_job_config config = {
		.unconnected = true, .key = RANKS_KEY, .route = route, .memory_max = 4096,
	};
	static char bytes[LENGTH], room[LENGTH];
	struct torus_job_counts counts;
	struct torus_job *job[3];
	struct fake fake;
	int i, ret, got = 0;

	fake_start(&fake, &rings);
	for (i = 0; i < 3; i++)
		job[i] = ranks_open(&fake, i, &config);
	for (i = 0; i < MESSAGES; i++) {
		assert_int_equal(torus_message_start(job[0], 2, 1, bytes, LENGTH, NULL), 0);
		assert_int_equal(torus_message_start(job[1], 2, 1, bytes, LENGTH, NULL), 0);
	}
	for (i = 0; i < 100000 && got < 2 * MESSAGES; i++) {
		torus_job_progress(job[0]);
		torus_job_progress(job[1]);
		fake_step(&fake);
		ret = torus_message_receive(job[2], TORUS_MESSAGE_ANY, TORUS_MESSAGE_ANY, room,
					    sizeof(room), NULL, 0);
		assert_true(!ret || ret == -EAGAIN);
		got += !ret;
	}
	assert_int_equal(got, 2 * MESSAGES);
	torus_job_counts(job[2], &counts);
	assert_int_equal(counts.memory, 0);
	/* memory for memory_max and one more message of each sender */
	if (route == TORUS_ROUTE_ORDERED)
		assert_in_range(counts.memory_peak, LENGTH, 4096 + 2 * (LENGTH + 500));
	for (i = 0; i < 3; i++)
		torus_job_close(job[i]);
	fake_stop(&fake);
}

static void test_two_senders(void **state)
{
	(void)state;
	two_senders(TORUS_ROUTE_ORDERED);
	two_senders(TORUS_ROUTE_DYNAMIC);
}

/* Packets of later messages arrive before the last packet of the next message. */
static void test_shuffled(void **state)
{
	struct fake_config fabric = rings;
	struct torus_job_config config = ranks_dynamic;
	static char bytes[LENGTH], room[LENGTH];
	struct pair pair;
	int i, ret, got = 0;

	(void)state;
	fabric.shuffle = true;
	config.memory_max = 4096;
	pair_start(&pair, &fabric, &config);
	for (i = 0; i < 2 * MESSAGES; i++)
		assert_int_equal(torus_message_start(pair.a, 1, i, bytes, LENGTH, NULL), 0);
	for (i = 0; i < 100000 && got < 2 * MESSAGES; i++) {
		torus_job_progress(pair.a);
		fake_step(&pair.fake);
		ret = torus_message_receive(pair.b, 0, got, room, sizeof(room), NULL, 0);
		assert_true(!ret || ret == -EAGAIN);
		got += !ret;
	}
	assert_int_equal(got, 2 * MESSAGES);
	torus_job_counts(pair.b, &pair.counts);
	assert_int_equal(pair.counts.memory, 0);
	pair_stop(&pair);
}

/*
 * While a complete message of a sender waits for the program, memory_max stops further messages of
 * this sender.
 */
static void test_untaken(void **state)
{
	struct torus_job_config config = ranks_ordered;
	static char bytes[LENGTH], room[LENGTH];
	struct pair pair;
	int i, moved;

	(void)state;
	config.memory_max = 4096;
	pair_start(&pair, &rings, &config);
	for (i = 0; i < MESSAGES; i++)
		assert_int_equal(torus_message_start(pair.a, 1, 1, bytes, LENGTH, NULL), 0);
	for (i = 0; i < 1000; i++) {
		moved = torus_job_progress(pair.a) + fake_step(&pair.fake);
		moved += torus_job_progress(pair.b) > 0;
	}
	assert_int_equal(moved, 0);
	torus_job_counts(pair.b, &pair.counts);
	assert_int_equal(pair.counts.received_messages, 1);
	assert_int_equal(torus_message_receive(pair.b, 0, 2, room, LENGTH, NULL, 0), -ENOBUFS);
	assert_says(torus_error_text(), "memory_max 4096");
	for (i = 0; i < MESSAGES; i++) {
		assert_int_equal(torus_message_receive(pair.b, 0, 1, room, LENGTH, NULL, 0), 0);
		while (torus_job_progress(pair.a) + fake_step(&pair.fake) +
		       (torus_job_progress(pair.b) > 0) > 0)
			;
	}
	pair_stop(&pair);
}

/*
 * Run collectives repeatedly on all ranks: messages that fast ranks send early are received even
 * beyond memory_max.
 */
static void *collects(void *data)
{
	struct rank *rank = data;
	char *from = malloc(8 * PART), *into = malloc(8 * PART);
	unsigned int round, i;
	int ret = 0;

	for (round = 0; round < 3; round++) {
		char *mine = ranks_content(rank->number, 0, round, PART);

		ret = torus_gather(rank->job, 0, mine, into, PART, 60000);
		MUST(!ret, ret);
		for (i = 0; i < rank->count && !rank->number; i++)
			MUST(ranks_content_right((unsigned char *)into + (size_t)i * PART, i, 0,
						 round, PART), 0);
		free(mine);
		for (i = 0; i < rank->count; i++) {
			mine = ranks_content(rank->number, i, round, PART);
			memcpy(from + (size_t)i * PART, mine, PART);
			free(mine);
		}
		ret = torus_alltoall(rank->job, from, into, PART, NULL, 60000);
		MUST(!ret, ret);
		for (i = 0; i < rank->count; i++)
			MUST(ranks_content_right((unsigned char *)into + (size_t)i * PART, i,
						 rank->number, round, PART), 0);
	}
	free(from);
	free(into);
	return NULL;
}

static void collect(const struct torus_job_config *route, bool shuffle, bool xt)
{
	const struct fake_config fabric = {
		.nodes = 8, .inject_chunks = 64, .receive_chunks = 64, .shuffle = shuffle,
		.xt = xt,
	};
	struct torus_job_config config = *route;
	struct rank ranks[FAKE_NODES];
	static struct fake fake;
	int i;

	config.memory_max = 100000;
	ranks_run(&fabric, &config, collects, ranks, &fake);
	fake_stop(&fake);
	for (i = 0; i < 8; i++)
		assert_int_equal(ranks[i].counts.memory, 0);
}

static void test_collectives(void **state)
{
	(void)state;
	collect(&ranks_ordered, false, false);
	collect(&ranks_dynamic, true, false);
	collect(&ranks_ordered, false, true);
}

/*
 * Gather: parts that arrive while the root waits need memory only for struct message, not for their
 * bytes.
 */
static void *gathers(void *data)
{
	struct rank *rank = data;
	char *from = calloc(1, PART), *into = malloc(8 * PART);
	int ret;

	/* no rank sends before the root waits */
	if (rank->number)
		ret = torus_message_receive(rank->job, 0, 1, NULL, 0, NULL, 60000);
	else
		for (ret = 0, rank->error = 1; rank->error < 8; rank->error++)
			ret |= torus_message_start(rank->job, rank->error, 1, NULL, 0, NULL);
	MUST(!ret, ret);
	ret = torus_gather(rank->job, 0, from, into, PART, 60000);
	MUST(!ret, ret);
	free(from);
	free(into);
	return NULL;
}

static void test_straight(void **state)
{
	const struct fake_config fabric = {
		.nodes = 8, .inject_chunks = 64, .receive_chunks = 64,
	};
	struct rank ranks[FAKE_NODES];
	static struct fake fake;

	(void)state;
	ranks_run(&fabric, &ranks_ordered, gathers, ranks, &fake);
	fake_stop(&fake);
	assert_in_range(ranks[0].counts.memory_peak, 1, 8 * 500);
}

/* After a gather has failed, later packets are not written into the caller's buffer. */
static void test_given_up(void **state)
{
	static char part[LENGTH], buffer[3 * LENGTH], before[3 * LENGTH];
	struct torus_job *job[3];
	struct fake fake;
	int i;

	(void)state;
	memset(part, 7, sizeof(part));
	fake_start(&fake, &rings);
	for (i = 0; i < 3; i++)
		job[i] = ranks_open(&fake, i, &ranks_ordered);
	assert_int_equal(torus_send_queue(job[1], 0, KIND_COLLECTIVE, 0, part, LENGTH, NULL), 0);
	for (i = 0; i < 5; i++)
		torus_job_progress(job[1]);
	fake_step(&fake);
	fake_step(&fake);
	assert_int_equal(torus_gather(job[0], 0, part, buffer, LENGTH, 10), -ETIMEDOUT);
	memcpy(before, buffer, sizeof(before));
	assert_int_equal(buffer[LENGTH], 7);
	assert_int_equal(buffer[2 * LENGTH - 1], 0);
	while (torus_job_progress(job[1]) + fake_step(&fake) + torus_job_progress(job[0]) > 0)
		;
	assert_memory_equal(before, buffer, sizeof(before));
	for (i = 0; i < 3; i++)
		torus_job_close(job[i]);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_senders),
		cmocka_unit_test(test_shuffled),
		cmocka_unit_test(test_untaken),
		cmocka_unit_test(test_collectives),
		cmocka_unit_test(test_straight),
		cmocka_unit_test(test_given_up),
	};

	return cmocka_run_group_tests_name("admission", tests, NULL, NULL);
}
