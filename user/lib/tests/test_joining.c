// SPDX-License-Identifier: GPL-2.0
/* Test that packets which arrive before a job has begun neither block a process nor get lost. */
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
#include "core/tests/says.h"
#include "../../common/progress.h"
#include "../context/virtual_time.h"
#include "../context/inject.h"
#include "../context/packet.h"
#include "../job/wireup.h"
#include "../job/job.h"
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
 * @rank: rank of the process
 * @count: number of ranks
 * @ret: result of its calls
 * @text: error text of @ret
 * @counts: counters of the job
 * @over: torus_job_open() has returned
 * @close: request to close the job
 * @thread: the thread that runs the process
 */
struct joiner {
	struct fake *fake;
	uint32_t rank;
	uint32_t count;
	int ret;
	char text[512];
	struct torus_job_counts counts;
	bool over;
	bool close;
	pthread_t thread;
};

/* Rank 0 sends a long message to the last rank at once; all leave after a barrier. */
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

static void join_start(struct joiner *joiners, struct fake *fake, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		joiners[i] = (struct joiner) { .fake = fake, .rank = i, .count = count };
		assert_int_equal(pthread_create(&joiners[i].thread, NULL, join, &joiners[i]), 0);
	}
}

static void join_end(struct joiner *joiners, uint32_t count)
{
	uint32_t i;

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

/* Rank 1, the parent of the last rank, is slow. */
static void test_early_message(void **state)
{
	struct joiner joiners[RANKS];
	static struct fake fake;
	uint32_t i;

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

/* Another program, which does not know the key, sends packets all the time. */
static void *flood(void *data)
{
	struct fake *fake = data;
	struct torus_context *context = fake->node[2].context;
	uint32_t dest[TORUS_DIMS_MAX] = { 0 };
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
	/* more than memory_max bytes of these packets have arrived before rank 1 starts */
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

/* Rank 1 leaves after it has received the session, before it reports that to its parent. */
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
	job->wireup.neighbours = &above;
	job->wireup.count = 1;
	job->wireup.above = 1;
	joiner = (struct joiner) { .fake = &fake, .count = 2 };
	assert_int_equal(pthread_create(&joiner.thread, NULL, join, &joiner), 0);
	while (!job->wireup.session) {
		torus_wireup_send(job, 0, WIREUP_SUBTREE_READY, above.incarnation);
		assert_true(torus_inject_publish(job->context) >= 0);
		assert_true(torus_job_progress(job) >= 0);
		usleep(1000);
	}
	__atomic_store_n(&fake.node[1].absent, true, __ATOMIC_SEQ_CST);
	pthread_join(joiner.thread, NULL);
	assert_int_equal(joiner.ret, -ENOTCONN);
	assert_says(joiner.text, "rank 1 node 1,0,0 group 0");
	job->wireup.neighbours = NULL;
	torus_job_close(job);
	fake_stop(&fake);
}

/* Open a job of two ranks as rank 1, and close it. */
static void *join_only(void *data)
{
	struct joiner *self = data;
	struct torus_job_config config = {
		.key = KEY, .members = members, .count = 2, .timeout_ms = 60000,
	};
	struct torus_job *job = NULL;

	self->ret = torus_job_open(&job, self->fake->node[self->rank].context, &config);
	if (self->ret)
		snprintf(self->text, sizeof(self->text), "%s", torus_error_text());
	__atomic_store_n(&self->over, true, __ATOMIC_RELEASE);
	/* wait until the other thread has read the job */
	while (!__atomic_load_n(&self->close, __ATOMIC_ACQUIRE))
		usleep(1000);
	torus_job_close(job);
	return NULL;
}

/**
 * struct above - rank 0, run by the test, and rank 1, which joins it
 * @fake: the fabric
 * @job: job of rank 0
 * @below: rank 0's state of its child, rank 1
 * @joiner: rank 1
 * @begun_ns: time at which rank 0 sent BEGIN
 */
struct above {
	struct fake fake;
	struct torus_job *job;
	struct neighbour below;
	struct joiner joiner;
	__u64 begun_ns;
};

/* Count the packets that rank 1 has sent since it received BEGIN. */
static uint32_t above_repeats(struct above *above)
{
	const struct wireup *wireup = &above->fake.node[1].context->job->wireup;

	if (!__atomic_load_n(&wireup->session, __ATOMIC_ACQUIRE))
		return 0;
	return __atomic_load_n(&wireup->number, __ATOMIC_RELAXED) -
	       __atomic_load_n(&wireup->begun, __ATOMIC_RELAXED);
}

static __u64 above_ms(const struct above *above)
{
	return (torus_context_now_ns(above->job->context) - above->begun_ns) / 1000000;
}

static void above_turn(struct above *above)
{
	assert_true(torus_job_progress(above->job) >= 0);
	assert_true(torus_inject_publish(above->job->context) >= 0);
	usleep(1000);
}

/* Let rank 0 send BEGIN when rank 1 has joined, and then not receive. */
static void above_begin(struct above *above, bool hold)
{
	const struct torus_job_config config = {
		.key = KEY, .members = members, .count = 2, .unconnected = true,
	};
	struct fake_config held = line;
	struct wireup *wireup;

	memset(above, 0, sizeof(*above));
	held.hold = hold;
	fake_start(&above->fake, &held);
	fake_run(&above->fake);
	assert_int_equal(torus_job_open(&above->job, above->fake.node[0].context, &config), 0);
	wireup = &above->job->wireup;
	above->below.rank = 1;
	wireup->neighbours = &above->below;
	wireup->count = 1;
	above->joiner = (struct joiner) { .fake = &above->fake, .rank = 1, .count = 2 };
	assert_int_equal(pthread_create(&above->joiner.thread, NULL, join_only, &above->joiner), 0);
	while (!above->below.subtree_ready)
		above_turn(above);
	/* packets for rank 0 stay in the network from now on */
	if (hold)
		__atomic_store_n(&above->fake.node[0].absent, true, __ATOMIC_SEQ_CST);
	wireup->session = KEY;
	above->begun_ns = torus_context_now_ns(above->job->context);
	assert_int_equal(torus_wireup_send(above->job, 1, WIREUP_BEGIN,
					   above->below.incarnation), 0);
	assert_true(torus_inject_publish(above->job->context) >= 0);
}

/* Let rank 0 receive again, and answer GO. */
static void above_end(struct above *above)
{
	__atomic_store_n(&above->fake.node[0].absent, false, __ATOMIC_SEQ_CST);
	above->fake.node[0].ops.doorbell(above->job->context);
	while (!__atomic_load_n(&above->joiner.over, __ATOMIC_ACQUIRE))
		above_turn(above);
	__atomic_store_n(&above->joiner.close, true, __ATOMIC_RELEASE);
	pthread_join(above->joiner.thread, NULL);
	if (above->joiner.ret)
		fail_msg("%d %s", above->joiner.ret, above->joiner.text);
	above->job->wireup.neighbours = NULL;
	torus_job_close(above->job);
	fake_stop(&above->fake);
}

/* The network is full: a packet that has not arrived is not repeated. */
static void test_above_is_full(void **state)
{
	static struct above above;

	(void)state;
	above_begin(&above, true);
	while (!above_repeats(&above))
		usleep(1000);
	/* With pauses of 100, 200, 400 ms rank 1 would repeat KNOWN three times. */
	usleep(800000);
	assert_int_equal(above_repeats(&above), 1);
	above_end(&above);
}

/* KNOWN has arrived, but rank 0 does not receive it: rank 1 repeats it, after 100 ms or more. */
static void test_above_does_not_receive(void **state)
{
	static struct above above;
	uint32_t repeats;

	(void)state;
	above_begin(&above, false);
	while (above_ms(&above) < 300 || above_repeats(&above) < 2)
		usleep(1000);
	repeats = above_repeats(&above);
	assert_in_range(repeats, 2, 1 + above_ms(&above) / 100);
	above_end(&above);
}

static int progress_fd;
static uint8_t progress_waiting[2];

static int progress_poll(struct torus_context *context, short events, int timeout_ms)
{
	torus_progress_read(progress_fd, progress_waiting, 2);
	return fake_poll(context, events, timeout_ms);
}

/* Test the progress file for torus-run: a rank opens the job, has failed, or has joined. */
static void test_progress(void **state)
{
	struct torus_job_config config = {
		.key = KEY, .members = members, .count = 2, .timeout_ms = 100,
	};
	static struct fake fake;
	struct torus_job *job;
	uint8_t progress[2];
	char path[32];

	(void)state;
	progress_fd = torus_progress_open(KEY, 2);
	assert_true(progress_fd >= 0);
	setenv("TORUS_PROGRESS", torus_progress_path(progress_fd, path, sizeof(path)), 1);
	setenv("TORUS_KEY", "0x70171", 1);
	setenv("TORUS_RANK", "1", 1);
	fake_start(&fake, &line);
	fake.node[0].absent = true;
	fake.node[1].ops.poll = progress_poll;
	torus_wait_tune(fake.node[1].context, 0, 0);
	fake_run(&fake);
	assert_int_equal(torus_job_open(&job, fake.node[1].context, &config), -ETIMEDOUT);
	assert_memory_equal(progress_waiting, "\0\1", 2);
	assert_true(torus_progress_read(progress_fd, progress, 2));
	assert_memory_equal(progress, "\0\0", 2);
	config.unconnected = true;
	assert_int_equal(torus_job_open(&job, fake.node[1].context, &config), 0);
	assert_true(torus_progress_read(progress_fd, progress, 2));
	assert_memory_equal(progress, "\0\2", 2);
	torus_job_close(job);
	fake_stop(&fake);
	unsetenv("TORUS_PROGRESS");
	close(progress_fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_early_message),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_left),
		cmocka_unit_test(test_above_is_full),
		cmocka_unit_test(test_above_does_not_receive),
		cmocka_unit_test(test_progress),
	};

	return cmocka_run_group_tests_name("joining", tests, NULL, NULL);
}
