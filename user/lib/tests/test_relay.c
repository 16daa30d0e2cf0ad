// SPDX-License-Identifier: GPL-2.0
/* Test jobs around dead nodes: which ranks need a relay, and that all messages arrive. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/bgl.h>
#include <torus/message.h>
#include "core/tests/says.h"
#include "../context/dead_links.h"
#include "../job/crc.h"
#include "../job/job.h"
#include "../job/peer.h"
#include "../job/relay.h"
#include "../open.h"
#include "fake.h"

#define KEY	0xdeadc0deu
#define RANKS	7		/* one rank at each node of 2x2x2 except the last, which is dead */
#define DEAD	7
#define ROUNDS	6
#define LENGTH	1000

struct relay_rank {
	struct torus_job *job;
	unsigned int number;
	int error;
	const char *failed;
	pthread_t thread;
	struct torus_job_counts counts;
};

static const struct fake_config machine = {
	.nodes = RANKS, .inject_chunks = 32, .receive_chunks = 64, .shuffle = true,
	.dead = 1u << DEAD,
};

static bool must(struct relay_rank *rank, bool good, const char *what, int error)
{
	if (!good && !rank->failed) {
		rank->failed = what;
		rank->error = error;
		fprintf(stderr, "rank %u: %s: %d: %s\n", rank->number, what, error,
			torus_error_text());
	}
	return !rank->failed;
}

#define MUST(condition, error)	must(rank, condition, #condition, error)

/* Send messages between all ranks, and leave after all have received. */
static void *program(void *data)
{
	struct relay_rank *rank = data;
	unsigned char bytes[LENGTH], wanted[LENGTH];
	struct torus_message_info info;
	unsigned int i, round;
	int ret;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 1; i < RANKS; i++) {
			memset(bytes, (int)(rank->number * 16 + round), sizeof(bytes));
			ret = torus_message_send(rank->job, (rank->number + i) % RANKS, round,
						 bytes, LENGTH - round);
			if (!MUST(!ret, ret))
				return NULL;
		}
		for (i = 1; i < RANKS; i++) {
			uint32_t from = (rank->number + i) % RANKS;

			ret = torus_message_receive(rank->job, (int)from, round, bytes,
						    sizeof(bytes), &info, 60000);
			memset(wanted, (int)(from * 16 + round), sizeof(wanted));
			if (!MUST(!ret, ret) || !MUST(info.length == LENGTH - round, info.length) ||
			    !MUST(!memcmp(bytes, wanted, info.length), 0))
				return NULL;
		}
		ret = torus_job_barrier(rank->job, 60000);
		if (!MUST(!ret, ret))
			return NULL;
	}
	ret = torus_message_flush(rank->job, 60000);
	MUST(!ret, ret);
	return NULL;
}

static __u64 run(enum torus_route route)
{
	const struct torus_job_config config = {
		.unconnected = true, .key = KEY, .route = route, .count = RANKS,
	};
	struct torus_member members[RANKS] = { 0 };
	struct torus_job_config job = config;
	struct relay_rank ranks[RANKS];
	struct fake fake;
	__u64 relayed = 0;
	unsigned int i;

	fake_start(&fake, &machine);
	job.members = members;
	for (i = 0; i < RANKS; i++)
		members[i].node = i;
	for (i = 0; i < RANKS; i++) {
		torus_wait_tune(fake.node[i].context, 10, 2);
		ranks[i] = (struct relay_rank) { .number = i };
		assert_int_equal(torus_job_open(&ranks[i].job, fake.node[i].context, &job), 0);
	}
	fake_run(&fake);
	for (i = 0; i < RANKS; i++)
		assert_int_equal(pthread_create(&ranks[i].thread, NULL, program, &ranks[i]), 0);
	for (i = 0; i < RANKS; i++)
		pthread_join(ranks[i].thread, NULL);
	for (i = 0; i < RANKS; i++) {
		torus_job_counts(ranks[i].job, &ranks[i].counts);
		torus_job_close(ranks[i].job);
		if (ranks[i].failed)
			fail_msg("rank %u: %s", i, ranks[i].failed);
		relayed += ranks[i].counts.relayed_packets;
		assert_int_equal(ranks[i].counts.rejected_relay, 0);
		assert_int_equal(ranks[i].counts.rejected_key, 0);
		assert_int_equal(ranks[i].counts.memory, 0);
		assert_int_equal(ranks[i].counts.lost, 0);
	}
	fake_stop(&fake);
	return relayed;
}

/*
 * Dimension-order routes that turn at the dead node need a relay, such as that from rank 4 to rank
 * 3.
 */
static void test_in_order(void **state)
{
	__u64 relayed = run(TORUS_ROUTE_ORDERED);

	/* all messages have the same number of packets */
	assert_true(relayed);
	assert_int_equal(relayed % (ROUNDS * ((LENGTH + 4 + FAKE_PAYLOAD - 1) / FAKE_PAYLOAD)), 0);
}

static void test_dynamic(void **state)
{
	run(TORUS_ROUTE_DYNAMIC);
}

/* Packets have hints if a node or link is dead; otherwise the hardware selects the directions. */
static void test_headers(void **state)
{
	const struct torus_job_config config = {
		.unconnected = true, .key = KEY, .route = TORUS_ROUTE_ORDERED,
	};
	struct torus_bgl_header header;
	struct torus_job *job;
	struct peer *peer;
	struct fake fake;
	unsigned int i, relayed = 0;

	fake_start(&fake, &machine);
	fake.config.dead = 0;
	assert_int_equal(torus_job_open(&job, fake.node[6].context, &config), 0);
	assert_int_equal(torus_job_peer(job, 5, &peer), 0);
	torus_bgl_header_parse(peer->header, &header);
	assert_int_equal(header.hints, 0);
	assert_false(peer->relayed);

	/* from rank 6 at 0,1,1 the next node in x is dead; rank 5 is at 1,0,1 */
	fake.config.dead = 1u << DEAD;
	assert_int_equal(torus_job_reroute(job), 0);
	torus_bgl_header_parse(peer->header, &header);
	assert_true(peer->relayed);
	assert_int_equal(header.hints, TORUS_BGL_HINT_YM);
	assert_int_equal(header.dest[0], 0);
	assert_int_equal(header.dest[1], 0);
	assert_int_equal(header.dest[2], 1);
	for (i = 0; i < 6; i++) {
		assert_int_equal(torus_job_peer(job, i, &peer), 0);
		torus_bgl_header_parse(peer->header, &header);
		assert_int_not_equal(header.hints, 0);
		assert_int_equal(header.vc, TORUS_BGL_BN);
		relayed += peer->relayed;
		assert_false(peer->blocked);
	}
	assert_true(relayed);

	fake.config.dead = 0;
	assert_int_equal(torus_job_reroute(job), 0);
	for (i = 0; i < 6; i++) {
		assert_int_equal(torus_job_peer(job, i, &peer), 0);
		assert_false(peer->relayed);
	}
	torus_job_close(job);
	fake_stop(&fake);
}

/* A message to a dead node is rejected with a text, and has no other effect. */
static void test_dead_rank(void **state)
{
	const struct torus_job_config config = {
		.unconnected = true, .key = KEY, .route = TORUS_ROUTE_DYNAMIC,
	};
	struct torus_job *job;
	struct fake fake;

	fake_start(&fake, &machine);
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &config), 0);
	assert_int_equal(torus_message_send(job, DEAD, 0, "x", 1), -EHOSTUNREACH);
	assert_says(torus_error_text(), "rank 7");
	assert_int_equal(torus_message_start(job, 1, 0, "x", 1, NULL), 0);
	/* all neighbours of node 0 are dead */
	fake.config.dead = 1u << 1 | 1u << 2 | 1u << 4;
	assert_int_equal(torus_job_reroute(job), 0);
	assert_int_equal(torus_job_barrier(job, 1000), -EHOSTUNREACH);
	assert_says(torus_error_text(), "rank 3");
	torus_job_close(job);
	fake_stop(&fake);
}

/* Two neighbours in a mesh: no path avoids the link between them. */
static void test_dead_link_is_named(void **state)
{
	const struct fake_config pair = {
		.nodes = 2, .inject_chunks = 32, .receive_chunks = 64, .dims = { 2, 1, 1 },
		.mesh = 1, .dead_link = { { .node = 0, .dir = 0 } }, .dead_links = 1,
	};
	struct torus_job_config config = { .key = KEY, .route = TORUS_ROUTE_DYNAMIC };
	struct torus_job *job;
	struct fake fake;

	fake_start(&fake, &pair);
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &config), -EHOSTUNREACH);
	assert_says(torus_error_text(), "link x+ node 0");
	config.unconnected = true;
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &config), 0);
	assert_int_equal(torus_message_send(job, 1, 0, "x", 1), -EHOSTUNREACH);
	assert_says(torus_error_text(), "link x+ node 0");
	torus_job_close(job);
	fake_stop(&fake);
}

/* Links that the caller passes as dead count as dead, even if the module does not report them. */
static void test_given_links(void **state)
{
	const struct fake_config ring = {
		.nodes = 4, .inject_chunks = 32, .receive_chunks = 64, .dims = { 4, 1, 1 },
		.dead_link = { { .node = 0, .dir = 0 } }, .dead_links = 1,
	};
	const struct torus_job_config config = { .key = KEY, .unconnected = true };
	struct dead_link link = { .node = 1, .dir = 0, .down = true };
	const struct dead_links one = { .link = &link, .count = 1 }, none = { .count = 0 };
	struct torus_context *context;
	struct torus_job *job;
	struct fake fake;

	fake_start(&fake, &ring);
	context = fake.node[0].context;
	assert_int_equal(torus_job_open(&job, context, &config), 0);
	assert_false(torus_route_link_alive(job->map, 0, 0));
	torus_job_close(job);
	assert_int_equal(torus_job_begin(&job, context, &config, &none), 0);
	assert_null(job->map);
	torus_job_close(job);
	assert_int_equal(torus_job_begin(&job, context, &config, &one), 0);
	assert_true(torus_route_link_alive(job->map, 0, 0));
	assert_false(torus_route_link_alive(job->map, 1, 0));
	/* no dynamic packets: a router could grant them the link that is down */
	assert_int_equal(torus_relay_flags(job), TORUS_ROUTE_IN_ORDER);
	torus_job_close(job);
	link.down = false;
	assert_int_equal(torus_job_begin(&job, context, &config, &one), 0);
	assert_int_equal(torus_relay_flags(job), 0);
	torus_job_close(job);
	link.node = 4;
	assert_int_equal(torus_job_begin(&job, context, &config, &one), -ERANGE);
	assert_says(torus_error_text(), "TORUS_DEAD node 4 link 0");
	fake_stop(&fake);
}

/* A relay discards a packet for a rank that it can reach only through a second relay. */
static void test_no_second_relay(void **state)
{
	const struct torus_job_config config = {
		.unconnected = true, .key = KEY, .route = TORUS_ROUTE_ORDERED,
	};
	unsigned char packet[64] = { 0 }, fields[8];
	struct torus_job_counts counts;
	struct torus_job *job;
	struct fake fake;
	uint32_t check;

	fake_start(&fake, &machine);
	assert_int_equal(torus_job_open(&job, fake.node[6].context, &config), 0);
	/*
	 * a packet for rank 5 from rank 0 arrives at rank 6, which reaches rank 5 only through rank
	 * 4
	 */
	torus_store_be32(fields, KEY);
	torus_store_be32(fields + 4, 5);
	torus_store_be32(packet, 1u << TORUS_BGL_CHUNKS_SHIFT);
	torus_store_be32(packet + FAKE_FIELDS_AT,
			 (uint32_t)(KIND_DATA | KIND_ORDERED | KIND_RELAYED) << 24);
	torus_store_be32(packet + 20, 4);
	check = torus_lib_crc32(torus_lib_crc32(0, fields, 8), packet + FAKE_FIELDS_AT,
				FAKE_FIELDS);
	torus_store_be32(packet + FAKE_CHECK_AT, check);
	fake_deliver(&fake, 6, 0, packet);
	assert_true(torus_job_progress(job) >= 0);
	torus_job_counts(job, &counts);
	assert_int_equal(counts.rejected_relay, 1);
	assert_int_equal(counts.relayed_packets, 0);
	assert_int_equal(counts.memory, 0);
	torus_job_close(job);
	fake_stop(&fake);
}

static void test_crc_back(void **state)
{
	unsigned char bytes[40], word[4];
	__u64 random = 5;
	unsigned int i, cut;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)fake_random(&random);
	for (cut = 0; cut <= sizeof(bytes); cut++)
		assert_int_equal(torus_lib_crc32_undo(torus_lib_crc32(0, bytes, sizeof(bytes)),
						      bytes + cut, sizeof(bytes) - cut),
				 torus_lib_crc32(0, bytes, cut));
	for (i = 0; i < 1000; i++) {
		uint32_t before = (uint32_t)fake_random(&random);
		uint32_t value = (uint32_t)fake_random(&random);

		torus_store_be32(word, value);
		assert_int_equal(torus_lib_crc32_between(before, torus_lib_crc32(before, word, 4)),
				 value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_dynamic),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_dead_rank),
		cmocka_unit_test(test_dead_link_is_named),
		cmocka_unit_test(test_given_links),
		cmocka_unit_test(test_no_second_relay),
		cmocka_unit_test(test_crc_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
