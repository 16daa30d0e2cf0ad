// SPDX-License-Identifier: GPL-2.0
/* Test that all-to-all ends with every pacing, and test the pacing itself. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/collective.h>
#include "core/tests/says.h"
#include "../job/job.h"
#include "fake.h"

#define KEY		0xa11a11u
#define ROUNDS		3
#define WAIT_MS		60000
#define PACKET_TICKS	270	/* ticks of a full packet on a link */

static unsigned char content(uint32_t source, uint32_t dest, uint32_t round, uint32_t at)
{
	__u64 state = (__u64)source << 48 | (__u64)dest << 32 | round << 24 | at / 8;

	return fake_random(&state) >> at % 8 * 8;
}

/**
 * struct alltoall_rank - one process of a job, run as a thread
 */
struct alltoall_rank {
	struct torus_job *job;
	unsigned int number;
	unsigned int count;
	uint32_t bytes;
	struct torus_alltoall_config how;
	__u64 dead;
	const char *failed;
	char words[256];
	pthread_t thread;
};

static bool run_round(struct alltoall_rank *rank, uint32_t round)
{
	size_t size = (size_t)rank->bytes * rank->count;
	unsigned char *send = malloc(size), *receive = calloc(1, size);
	bool good = true;
	uint32_t i, at;
	int ret;

	for (i = 0; i < rank->count; i++)
		for (at = 0; at < rank->bytes; at++)
			send[(size_t)i * rank->bytes + at] = content(rank->number, i, round, at);
	ret = torus_alltoall(rank->job, send, receive, rank->bytes, &rank->how, WAIT_MS);
	if (ret) {
		rank->failed = "alltoall";
		snprintf(rank->words, sizeof(rank->words), "%d: %s", ret, torus_error_text());
		good = false;
	}
	for (i = 0; good && i < rank->count; i++)
		for (at = rank->dead >> i & 1 ? rank->bytes : 0; good && at < rank->bytes; at++)
			good = receive[(size_t)i * rank->bytes + at] ==
			       content(i, rank->number, round, at);
	if (!good && !rank->failed)
		rank->failed = "wrong bytes";
	free(send);
	free(receive);
	return good;
}

/*
 * Run several rounds without barriers between them, so that messages of fast ranks arrive before
 * slow ranks start the round.
 */
static void *program(void *data)
{
	struct alltoall_rank *rank = data;
	uint32_t round;

	for (round = 0; round < ROUNDS; round++)
		if (!run_round(rank, round))
			return NULL;
	if (torus_message_flush(rank->job, WAIT_MS) || torus_job_barrier(rank->job, WAIT_MS))
		rank->failed = "barrier";
	return NULL;
}

static void exchange(const struct fake_config *config, enum torus_route route, uint32_t bytes,
		     enum torus_alltoall_order order, uint32_t pacing)
{
	struct torus_job_config job = { .unconnected = true, .key = KEY, .route = route };
	struct alltoall_rank ranks[FAKE_NODES_MAX];
	struct torus_job_counts counts;
	struct fake fake;
	unsigned int i;

	fake_start(&fake, config);
	for (i = 0; i < config->nodes; i++) {
		ranks[i] = (struct alltoall_rank) {
			.number = i, .count = config->nodes, .bytes = bytes,
			.how = { .order = order, .pacing = pacing }, .dead = config->dead,
		};
		assert_int_equal(torus_job_open(&ranks[i].job, fake.node[i].context, &job), 0);
	}
	fake_run(&fake);
	for (i = 0; i < config->nodes; i++) {
		if (config->dead >> i & 1)
			continue;
		assert_int_equal(pthread_create(&ranks[i].thread, NULL, program, &ranks[i]), 0);
	}
	for (i = 0; i < config->nodes; i++)
		if (!(config->dead >> i & 1))
			pthread_join(ranks[i].thread, NULL);
	for (i = 0; i < config->nodes; i++) {
		if (ranks[i].failed)
			fail_msg("rank %u, %u bytes, pacing %u: %s: %s", i, bytes, pacing,
				 ranks[i].failed, ranks[i].words);
		torus_job_counts(ranks[i].job, &counts);
		assert_int_equal(counts.memory, 0);
		assert_int_equal(counts.damaged, 0);
		torus_job_close(ranks[i].job);
	}
	assert_int_equal(fake.missed, 0);
	fake_stop(&fake);
}

static const struct fake_config small = {
	.nodes = 6, .dims = { 3, 2, 1 }, .inject_chunks = 16, .receive_chunks = 16,
	.shuffle = true,
};

static void test_every_size(void **state)
{
	static const uint32_t sizes[] = { 0, 1, 220, 221, 3000 };
	struct fake_config config = small;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		exchange(&config, TORUS_ROUTE_DYNAMIC, sizes[i], TORUS_ALLTOALL_RANDOM, 0);
		exchange(&config, TORUS_ROUTE_ORDERED, sizes[i], TORUS_ALLTOALL_ROTATED, 0);
	}
	config.nodes = 1;
	config.dims[0] = 1;
	config.dims[1] = 1;
	exchange(&config, TORUS_ROUTE_DYNAMIC, 1000, TORUS_ALLTOALL_RANDOM, 500);
}

static void test_every_pacing_ends(void **state)
{
	static const uint32_t pacings[] = { 1, 10, 500, 1000, 2000, TORUS_ALLTOALL_PACING_MAX };
	unsigned int i;

	for (i = 0; i < 6; i++)
		exchange(&small, TORUS_ROUTE_DYNAMIC, 3000, TORUS_ALLTOALL_RANDOM, pacings[i]);
}

/* Some ranks are reached only through relays. */
static void test_around_dead_nodes(void **state)
{
	struct fake_config config = small;

	config.nodes = 16;
	config.dims[0] = 4;
	config.dims[1] = 4;
	config.dead = 1 << 5 | 1 << 11 | 1 << 14;
	exchange(&config, TORUS_ROUTE_ORDERED, 1000, TORUS_ALLTOALL_RANDOM, 0);
	exchange(&config, TORUS_ROUTE_DYNAMIC, 1000, TORUS_ALLTOALL_ROTATED, 700);
}

static void test_refused(void **state)
{
	struct torus_job_config job_config = { .unconnected = true, .key = KEY };
	struct torus_alltoall_config how = { .pacing = TORUS_ALLTOALL_PACING_MAX + 1 };
	struct torus_job *job;
	struct fake fake;

	fake_start(&fake, &small);
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &job_config), 0);
	assert_int_equal(torus_alltoall(job, NULL, NULL, 0, &how, 10), -EINVAL);
	assert_says(torus_error_text(), "pacing 10001 0 10000");
	how.order = 2;
	assert_int_equal(torus_alltoall(job, NULL, NULL, 0, &how, 10), -EINVAL);
	assert_says(torus_error_text(), "order 2");
	/*
	 * The other ranks do not call torus_alltoall(): it times out, and frees the messages that
	 * were not sent.
	 */
	assert_int_equal(torus_alltoall(job, NULL, NULL, 0, NULL, 10), -ETIMEDOUT);
	torus_job_close(job);
	fake_stop(&fake);
}

/* ------------------------------------------------------------------------- pacing */

/**
 * struct still - a machine whose clock and engine state the test sets
 */
struct still {
	struct torus_context context;
	__u64 status[2];
};

static struct torus_context *still_make(struct still *still, uint32_t x, uint32_t y, uint32_t z,
					uint32_t mesh)
{
	memset(still, 0, sizeof(*still));
	still->context.status = (const unsigned char *)still->status;
	still->context.info = (struct torus_ioc_info) {
		.ndims = 3, .dims = { x, y, z }, .mesh = mesh, .nodes = x * y * z,
		.status_flags_offset = 8,
	};
	still->context.machine = &torus_machine_bgl;
	still->context.info.chunk_bytes = FAKE_CHUNK;
	still->context.info.packet_chunks_max = 8;
	return &still->context;
}

static unsigned int spend_all(struct pace *pace, unsigned int chunks)
{
	unsigned int count = 0;

	while (torus_pace_ready(pace) && count < 1000) {
		torus_pace_spend(pace, chunks);
		count++;
	}
	return count;
}

/* Count the ticks until the next full packet may be injected, with an empty bucket. */
static __u64 ticks_per_packet(uint32_t x, uint32_t y, uint32_t z, uint32_t mesh, uint32_t pacing)
{
	struct still still;
	struct torus_context *context = still_make(&still, x, y, z, mesh);
	struct pace pace;
	__u64 from;

	torus_pace_set(&pace, context, pacing);
	assert_int_equal(spend_all(&pace, 8), PACE_BURST);
	while (!torus_pace_ready(&pace)) {
		still.status[0]++;
		torus_pace_refill(&pace, context);
	}
	torus_pace_spend(&pace, 8);
	for (from = still.status[0]; !torus_pace_ready(&pace);) {
		still.status[0]++;
		torus_pace_refill(&pace, context);
	}
	return still.status[0] - from;
}

/*
 * Expect @w * N / (N - 1) ticks per packet.  A fraction of a tick is carried over to the next
 * packet.
 */
static void expect_ticks(__u64 ticks, __u64 w, __u64 nodes)
{
	assert_in_range(ticks, w * nodes / (nodes - 1), w * nodes / (nodes - 1) + 1);
}

/* Expect w L / 8 ticks on a torus and w L / 4 on a mesh, where L is the longest dimension. */
static void test_pace_is_the_peak_of_the_shape(void **state)
{
	expect_ticks(ticks_per_packet(8, 8, 8, 0, 1000), PACKET_TICKS, 512);
	expect_ticks(ticks_per_packet(16, 8, 8, 0, 1000), 2 * PACKET_TICKS, 1024);
	expect_ticks(ticks_per_packet(8, 8, 16, 0, 1000), 2 * PACKET_TICKS, 1024);
	expect_ticks(ticks_per_packet(8, 8, 8, 2, 1000), 2 * PACKET_TICKS, 512);
	expect_ticks(ticks_per_packet(8, 8, 8, 0, 500), 2 * PACKET_TICKS, 512);
	expect_ticks(ticks_per_packet(8, 8, 8, 0, 2000), PACKET_TICKS / 2, 512);
	/* two nodes with two links */
	expect_ticks(ticks_per_packet(2, 1, 1, 0, 1000), PACKET_TICKS / 4, 2);
}

static void test_pace_moves_with_the_clock_or_the_rest(void **state)
{
	struct still still;
	struct torus_context *context = still_make(&still, 8, 8, 8, 0);
	struct pace pace;

	torus_pace_set(&pace, context, 1000);
	assert_int_equal(spend_all(&pace, 8), PACE_BURST);
	/* the clock has not advanced, and the engine is awake */
	torus_pace_refill(&pace, context);
	assert_int_equal(spend_all(&pace, 8), 0);
	/* short packets take fewer ticks */
	still.status[0] += 100 * PACKET_TICKS;
	torus_pace_refill(&pace, context);
	assert_in_range(spend_all(&pace, 1), 3 * PACE_BURST, 9 * PACE_BURST);
	/* even after a long time, the bucket holds only one burst */
	still.status[0] = ~0ull / 2;
	torus_pace_refill(&pace, context);
	assert_int_equal(spend_all(&pace, 8), PACE_BURST);
	/* a reset sets the clock to 0 */
	still.status[0] = 0;
	torus_pace_refill(&pace, context);
	assert_int_equal(spend_all(&pace, 8), 0);
	still.status[0] = 4 * PACKET_TICKS;
	torus_pace_refill(&pace, context);
	assert_in_range(spend_all(&pace, 8), 3, 4);
	/* the engine sleeps: no packet is under way that could be delayed */
	still.status[1] = TORUS_STATUS_DOORBELL;
	torus_pace_refill(&pace, context);
	assert_int_equal(spend_all(&pace, 8), PACE_BURST);
	torus_pace_set(&pace, context, 0);
	assert_int_equal(spend_all(&pace, 8), 1000);
}

/* With free space for all packets, only one burst is injected until the clock advances. */
static void test_messages_keep_the_pace(void **state)
{
	struct fake_config config = { .nodes = 2, .inject_chunks = 1024, .receive_chunks = 1024 };
	struct torus_job_config job_config = { .unconnected = true, .key = KEY };
	static const char zeros[100 * FAKE_PAYLOAD];
	struct torus_job *job;
	struct fake fake;
	__u64 *clock;

	fake_start(&fake, &config);
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &job_config), 0);
	torus_pace_set(&job->pace, fake.node[0].context, 250);
	assert_int_equal(torus_message_start(job, 1, 0, zeros, sizeof(zeros), NULL), 0);
	assert_int_equal(torus_job_progress(job), PACE_BURST);
	assert_int_equal(torus_job_progress(job), 0);
	/* 2x2x2 nodes at a quarter of the peak rate: a packet every 8 / 7 of its time on a link */
	clock = (__u64 *)(fake.node[0].status + 128);
	*clock = PACKET_TICKS;
	assert_int_equal(torus_job_progress(job), 0);
	*clock = PACKET_TICKS * 8 / 7 + 1;
	assert_int_equal(torus_job_progress(job), 1);
	*clock += 3 * (PACKET_TICKS * 8 / 7 + 1);
	assert_int_equal(torus_job_progress(job), 3);
	assert_int_equal(torus_job_progress(job), 0);
	torus_job_close(job);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_every_pacing_ends),
		cmocka_unit_test(test_around_dead_nodes),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_pace_is_the_peak_of_the_shape),
		cmocka_unit_test(test_pace_moves_with_the_clock_or_the_rest),
		cmocka_unit_test(test_messages_keep_the_pace),
	};

	return cmocka_run_group_tests_name("alltoall", tests, NULL, NULL);
}
