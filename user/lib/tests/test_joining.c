// SPDX-License-Identifier: GPL-2.0
/* What arrives before a job has begun keeps no process out of it, and is not lost. */
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
#include "../job.h"
#include "ranks.h"

#define KEY		0x70171u
#define RANKS		6
#define LENGTH		200000
#define MEMORY_MAX	65536

static const struct fake_config line = {
	.nodes = RANKS, .inject_chunks = 64, .receive_chunks = 64, .notices = true,
	.dims = { RANKS, 1, 1 },
};

static const struct torus_member members[RANKS] = {
	{ .node = 0 }, { .node = 1 }, { .node = 2 }, { .node = 3 }, { .node = 4 }, { .node = 5 },
};

/**
 * struct joiner - a process that joins a job
 * @fake: the fabric
 * @rank: its rank
 * @count: of the job
 * @ret: of what it has done
 * @text: why
 * @counts: what went through
 * @thread: the process
 */
struct joiner {
	struct fake *fake;
	__u32 rank;
	__u32 count;
	int ret;
	char text[512];
	struct torus_job_counts counts;
	pthread_t thread;
};

/* Rank 0 sends the last rank a long message as soon as it may; all leave after a barrier. */
static void *join(void *data)
{
	struct joiner *self = data;
	struct torus_job_config config = {
		.key = KEY, .members = members, .count = self->count, .memory_max = MEMORY_MAX,
		.timeout_ms = 60000,
	};
	unsigned char *bytes = ranks_content(0, 1, 2, LENGTH);
	struct torus_job *job = NULL;

	self->ret = torus_job_open(&job, self->fake->node[self->rank].context, &config);
	if (!self->ret && !self->rank) {
		self->ret = torus_message_send(job, self->count - 1, 1, bytes, LENGTH);
	} else if (!self->ret && self->rank == self->count - 1) {
		memset(bytes, 0, LENGTH);
		self->ret = torus_message_receive(job, 0, 1, bytes, LENGTH, NULL, 60000);
		if (!self->ret && !ranks_content_right(bytes, 0, 1, 2, LENGTH))
			self->ret = -EILSEQ;
	}
	if (!self->ret)
		self->ret = torus_job_barrier(job, 60000);
	if (!self->ret)
		self->ret = torus_message_flush(job, 60000);
	if (self->ret)
		snprintf(self->text, sizeof(self->text), "%s", torus_error_text());
	if (job)
		torus_job_counts(job, &self->counts);
	torus_job_close(job);
	free(bytes);
	return NULL;
}

static void join_start(struct joiner *joiners, struct fake *fake, __u32 count)
{
	__u32 i;

	for (i = 0; i < count; i++) {
		joiners[i] = (struct joiner) { .fake = fake, .rank = i, .count = count };
		assert_int_equal(pthread_create(&joiners[i].thread, NULL, join, &joiners[i]), 0);
	}
}

static void join_end(struct joiner *joiners, __u32 count)
{
	__u32 i;

	for (i = 0; i < count; i++) {
		pthread_join(joiners[i].thread, NULL);
		if (joiners[i].ret)
			fail_msg("rank %u: %d %s", i, joiners[i].ret, joiners[i].text);
	}
}

static int slow_poll(struct torus_context *context, short events, int timeout_ms)
{
	usleep(200000);
	return fake_poll(context, events, timeout_ms);
}

/* Rank 1, by which the last rank hears of the job, is slow. */
static void test_early_message(void **state)
{
	struct joiner joiners[RANKS];
	static struct fake fake;
	__u32 i;

	(void)state;
	fake_start(&fake, &line);
	fake.node[1].ops.poll = slow_poll;
	torus_wait_tune(fake.node[1].context, 0, 0);
	fake_run(&fake);
	join_start(joiners, &fake, RANKS);
	join_end(joiners, RANKS);
	for (i = 0; i < RANKS; i++)
		assert_int_equal(joiners[i].counts.rejected_key, 0);
	fake_stop(&fake);
}

/* Another program, which knows no key, sends all the time. */
static void *flood(void *data)
{
	struct fake *fake = data;
	struct torus_context *context = fake->node[2].context;
	__u32 dest[TORUS_DIMS_MAX] = { 0 };
	const struct torus_machine_packet head = { .dest = dest, .chunks = 8 };
	unsigned char packet[256] = { 0 };

	if (torus_packet_header(context, packet, &head))
		return NULL;
	while (!__atomic_load_n(&fake->node[2].absent, __ATOMIC_SEQ_CST))
		if (torus_inject_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), 1000) ==
		    -ENODEV)
			break;
	return NULL;
}

static void test_flood(void **state)
{
	struct joiner joiners[2];
	static struct fake fake;
	pthread_t thread;

	(void)state;
	fake_start(&fake, &line);
	fake_run(&fake);
	assert_int_equal(pthread_create(&thread, NULL, flood, &fake), 0);
	/* memory_max of these are there before rank 1 */
	joiners[0] = (struct joiner) { .fake = &fake, .count = 2 };
	assert_int_equal(pthread_create(&joiners[0].thread, NULL, join, &joiners[0]), 0);
	while (__atomic_load_n(&fake_status_receive(&fake.node[0], 2 * 7 % 6)->tail,
			       __ATOMIC_ACQUIRE) < 2 * MEMORY_MAX / FAKE_CHUNK &&
	       !__atomic_load_n(&joiners[0].ret, __ATOMIC_ACQUIRE))
		usleep(1000);
	joiners[1] = (struct joiner) { .fake = &fake, .rank = 1, .count = 2 };
	assert_int_equal(pthread_create(&joiners[1].thread, NULL, join, &joiners[1]), 0);
	join_end(joiners, 2);
	__atomic_store_n(&fake.node[2].absent, true, __ATOMIC_SEQ_CST);
	pthread_join(thread, NULL);
	assert_true(joiners[0].counts.rejected_key > MEMORY_MAX / 256);
	assert_in_range(joiners[0].counts.memory_peak, 0, MEMORY_MAX);
	fake_stop(&fake);
}

/* Rank 1 leaves when it knows the session, before it says so. */
static void test_left(void **state)
{
	struct torus_job_config config = {
		.key = KEY, .members = members, .count = 2, .unconnected = true,
	};
	struct neighbour above = { .rank = 0 };
	struct joiner joiner;
	static struct fake fake;
	struct torus_job *job;

	(void)state;
	fake_start(&fake, &line);
	fake_run(&fake);
	assert_int_equal(torus_job_open(&job, fake.node[1].context, &config), 0);
	job->connect.neighbours = &above;
	job->connect.count = 1;
	job->connect.above = 1;
	joiner = (struct joiner) { .fake = &fake, .count = 2 };
	assert_int_equal(pthread_create(&joiner.thread, NULL, join, &joiner), 0);
	while (!job->connect.session) {
		torus_connect_send(job, 0, CONNECT_WHOLE, above.theirs);
		assert_true(torus_inject_publish(job->context) >= 0);
		assert_true(torus_job_progress(job) >= 0);
		usleep(1000);
	}
	__atomic_store_n(&fake.node[1].absent, true, __ATOMIC_SEQ_CST);
	pthread_join(joiner.thread, NULL);
	assert_int_equal(joiner.ret, -ENOTCONN);
	assert_non_null(strstr(joiner.text, "rank 1 at node 1,0,0, group 0: "));
	job->connect.neighbours = NULL;
	torus_job_close(job);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_early_message),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_left),
	};

	return cmocka_run_group_tests_name("joining", tests, NULL, NULL);
}
