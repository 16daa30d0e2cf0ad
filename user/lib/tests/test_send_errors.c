// SPDX-License-Identifier: GPL-2.0
/* Test messages that do not arrive, with a kernel that has notices. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <torus/collective.h>
#include "core/tests/says.h"
#include "../job/job.h"
#include "ranks.h"

#define KEY	0x105e5u
#define LENGTH	200000u
#define KILLS	100

static const struct fake_config fabric = {
	.nodes = 2, .inject_chunks = 32, .receive_chunks = 32, .dims = { 2, 1, 1 },
	.notices = true,
};

static const struct torus_member members[2] = { { .node = 0 }, { .node = 1 } };

/**
 * struct victim - rank 1, whose process leaves
 * @fake: the fabric
 * @looks: number of times that it polls before it leaves
 * @thread: the process
 */
struct victim {
	struct fake *fake;
	unsigned int looks;
	pthread_t thread;
};

static void *victim_run(void *data)
{
	const struct torus_job_config config = { .key = KEY, .members = members, .count = 2 };
	struct victim *victim = data;
	struct torus_context *context = victim->fake->node[1].context;
	struct torus_job *job;

	if (torus_job_open(&job, context, &config))
		abort();
	while (victim->looks--) {
		torus_job_progress(job);
		usleep(20);
	}
	__atomic_store_n(&victim->fake->node[1].absent, true, __ATOMIC_SEQ_CST);
	/* let the fake engine notice the exit */
	context->ops->doorbell(context);
	torus_job_close(job);
	return NULL;
}

/* Discard the packets in the rings of the process that has left, so that another can take over. */
static void victim_bury(struct fake *fake)
{
	struct torus_context *context = fake->node[1].context;
	struct torus_view view;

	while (!torus_receive_peek(context, TORUS_FIFO_ANY, &view))
		torus_receive_advance(context, &view);
	__atomic_store_n(&fake->node[1].absent, false, __ATOMIC_SEQ_CST);
}

static void by_kills(enum torus_route route)
{
	struct torus_job_config config = { .key = KEY, .members = members, .count = 2 };
	static unsigned char bytes[LENGTH];
	struct victim victim;
	struct torus_job *job;
	struct fake fake;
	__u64 random = 5;
	unsigned int i;
	int ret;

	config.route = route;
	fake_start(&fake, &fabric);
	torus_wait_tune(fake.node[0].context, 2, 2);
	fake_run(&fake);
	for (i = 0; i < KILLS; i++) {
		victim = (struct victim) {
			.fake = &fake, .looks = (unsigned int)(fake_random(&random) % 12),
		};
		assert_int_equal(pthread_create(&victim.thread, NULL, victim_run, &victim), 0);
		assert_int_equal(torus_job_open(&job, fake.node[0].context, &config), 0);
		ret = torus_message_send(job, 1, 1, bytes, sizeof(bytes));
		if (!ret)
			ret = torus_message_flush(job, 60000);
		if (ret != -ENOTCONN ||
		    !says(torus_error_text(), "rank 1 node 1,0,0 group 0"))
			fail_msg("kill %u: %d %s", i, ret, torus_error_text());
		assert_int_equal(torus_message_send(job, 1, 1, bytes, 1), -ENOTCONN);
		assert_int_equal(torus_job_barrier(job, 60000), -ENOTCONN);
		pthread_join(victim.thread, NULL);
		torus_job_close(job);
		victim_bury(&fake);
	}
	fake_stop(&fake);
}

static void test_kills(void **state)
{
	by_kills(TORUS_ROUTE_DYNAMIC);
	by_kills(TORUS_ROUTE_ORDERED);
}

static struct torus_job *alone(struct fake *fake, const struct fake_config *how)
{
	const struct torus_job_config config = {
		.key = KEY, .members = members, .count = 2, .unconnected = true,
	};
	struct torus_job *job;

	fake_start(fake, how);
	fake_run(fake);
	assert_int_equal(torus_job_open(&job, fake->node[0].context, &config), 0);
	return job;
}

/*
 * Test flush.  A message in the ring of a live process has arrived, even if the process has not
 * read it.  A lost message is reported once.
 */
static void test_flush(void **state)
{
	struct torus_job *job, *second;
	struct torus_send *send;
	struct fake fake;
	int ret;

	job = alone(&fake, &fabric);
	assert_int_equal(torus_message_send(job, 1, 1, "small", 6), 0);
	assert_int_equal(torus_message_flush(job, 60000), 0);
	assert_int_equal(torus_job_open(&second, fake.node[0].context, &job->config), -EBUSY);
	assert_says(torus_error_text(), "job key 0x105e5");

	__atomic_store_n(&fake.node[1].absent, true, __ATOMIC_SEQ_CST);
	assert_int_equal(torus_message_send(job, 1, 1, "small", 6), 0);
	assert_int_equal(torus_message_flush(job, 60000), -ENOTCONN);
	assert_says(torus_error_text(), "rank 1 node 1,0,0 group 0 message packet lost");
	assert_int_equal(torus_message_flush(job, 60000), 0);
	assert_int_equal(torus_message_start(job, 1, 1, "x", 1, &send), -ENOTCONN);
	ret = torus_message_receive(job, 1, 7, NULL, 0, NULL, 0);
	assert_int_equal(ret, -EAGAIN);
	assert_says(torus_error_text(), "message");
	ret = torus_message_receive(job, 1, 7, NULL, 0, NULL, 100);
	assert_int_equal(ret, -ENOTCONN);
	assert_says(torus_error_text(), "rank 1 node 1,0,0 group 0 process");
	/* from now on, a receive fails without a wait */
	assert_int_equal(torus_message_receive(job, 1, 7, NULL, 0, NULL, 0), -ENOTCONN);
	torus_job_close(job);
	fake_stop(&fake);
}

/* A packet is dropped while its receiver lives. */
static void test_dropped(void **state)
{
	struct fake_config config = fabric;
	struct torus_job *job;
	struct fake fake;

	config.lose = 3;
	config.receive_chunks = 256;
	job = alone(&fake, &config);
	assert_int_equal(torus_message_send(job, 1, 1, fake.node, 1000), 0);
	assert_int_equal(torus_message_flush(job, 60000), -ECOMM);
	assert_says(torus_error_text(), "rank 1 node 1,0,0 group 0 rx_stall message 5 packet");
	assert_int_equal(torus_message_send(job, 1, 1, fake.node, 10), 0);
	assert_int_equal(torus_message_flush(job, 60000), 0);
	torus_job_close(job);
	fake_stop(&fake);
}

/* Thread of rank 2: it sends a message after 1.5 seconds, and leaves when that has arrived. */
static void *last_run(void *data)
{
	struct fake_node *node = data;
	const struct torus_job_config config = { .key = KEY, .count = 3, .unconnected = true };
	struct torus_job *job;

	usleep(1500000);
	if (torus_job_open(&job, node->context, &config) ||
	    torus_message_send(job, 0, 5, "there", 6) || torus_message_flush(job, 60000))
		abort();
	torus_job_close(job);
	__atomic_store_n(&node->absent, true, __ATOMIC_SEQ_CST);
	return NULL;
}

/* A wait without a limit ends when the rank has left, after its messages have arrived. */
static void test_watch(void **state)
{
	struct fake_config config = { .nodes = 3, .dims = { 3, 1, 1 }, .notices = true,
				      .inject_chunks = 32, .receive_chunks = 32 };
	const struct torus_job_config all = { .key = KEY, .count = 3, .unconnected = true };
	struct torus_job *job, *leaver;
	struct torus_message_info info;
	struct fake fake;
	pthread_t last;
	char word[8];

	fake_start(&fake, &config);
	fake_run(&fake);
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &all), 0);
	assert_int_equal(torus_job_open(&leaver, fake.node[1].context, &all), 0);
	assert_int_equal(torus_message_send(leaver, 0, 4, "bye", 4), 0);
	torus_job_close(leaver);
	__atomic_store_n(&fake.node[1].absent, true, __ATOMIC_SEQ_CST);
	assert_int_equal(torus_message_receive(job, 1, 4, word, 8, NULL, -1), 0);
	assert_string_equal(word, "bye");
	assert_int_equal(torus_message_receive(job, 1, 4, word, 8, NULL, -1), -ENOTCONN);
	assert_says(torus_error_text(), "rank 1 node 1,0,0 group 0 process");
	assert_int_equal(torus_message_start(job, 1, 1, "x", 1, &(struct torus_send *){ NULL }),
			 -ENOTCONN);

	/* wait for any rank: while one rank runs, a message may arrive */
	pthread_create(&last, NULL, last_run, &fake.node[2]);
	assert_int_equal(torus_message_receive(job, TORUS_MESSAGE_ANY, TORUS_MESSAGE_ANY, word, 8,
					       &info, -1), 0);
	assert_int_equal(info.source, 2);
	assert_int_equal(torus_message_receive(job, TORUS_MESSAGE_ANY, TORUS_MESSAGE_ANY, word, 8,
					       &info, -1), -ENOTCONN);
	assert_says(torus_error_text(), "rank 1 node 1,0,0 group 0 process all");
	assert_int_equal(torus_broadcast(job, 2, TORUS_BROADCAST_X, word, 8, -1), -ENOTCONN);
	assert_says(torus_error_text(), "rank 2 node 2,0,0 group 0 process");
	pthread_join(last, NULL);
	torus_job_close(job);
	fake_stop(&fake);
}

/* Lose more packets than the notice ring can store before the notices are read. */
static void test_overrun(void **state)
{
	struct torus_notice notice;
	struct torus_context *context;
	unsigned char packet[32] = { 0 };
	struct fake fake;
	unsigned int i, all = 0;

	fake_start(&fake, &fabric);
	fake.node[1].absent = true;
	context = fake.node[0].context;
	assert_int_equal(torus_packet_begin(context, packet, 32, 1, 0, TORUS_ROUTE_ORDERED), 8);
	for (i = 0; i < FAKE_NOTICES + 5; i++) {
		assert_int_equal(torus_inject_try(context, 0, packet, 32), 0);
		while (fake_step(&fake))
			;
	}
	assert_int_equal(torus_inject_ended(context), 1);
	for (i = 0; torus_notice_take(context, &notice); i++) {
		all += !!(notice.flags & TORUS_NOTICE_ALL);
		if (!all) {
			assert_int_equal(notice.index, i);
			assert_int_equal(notice.reason, TORUS_DROP_NO_LISTENER);
		}
	}
	assert_int_equal(i, FAKE_NOTICES + 1);
	assert_int_equal(all, 1);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flush),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_watch),
		cmocka_unit_test(test_overrun),
		cmocka_unit_test(test_kills),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
