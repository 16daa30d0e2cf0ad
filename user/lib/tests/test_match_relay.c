// SPDX-License-Identifier: GPL-2.0
/*
 * Test that a packet of <torus/match.h> which is lost after another rank has forwarded it around a
 * dead node is reported to the receiver, as if it had been lost on the way from its sender.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/bgl.h>
#include "../job/peer.h"
#include "match_pair.h"

#define RANKS	7u		/* one rank at each node of 2x2x2 except the last, which is dead */
#define FROM	4u		/* packets of this rank to rank TO need a relay */
#define TO	3u
#define LONG	50000u		/* announced, not sent at once */

static const struct fake_config machine = {
	.nodes = RANKS, .inject_chunks = 256, .receive_chunks = 256, .dead = 1u << RANKS,
	.notices = true,
};

static struct {
	struct fake fake;
	struct torus_job *jobs[RANKS];
	unsigned int relay;
	struct torus_match *a;
	struct torus_match *b;
	struct torus_match_counts counts;
	struct torus_match_event event;
	unsigned char sent[LONG];
	unsigned char got[LONG];
} world;

static int mark[2];

static void world_start(void)
{
	struct torus_member members[RANKS] = { 0 };
	const struct torus_job_config config = {
		.unconnected = true, .key = RANKS_KEY, .route = TORUS_ROUTE_ORDERED,
		.count = RANKS, .members = members,
	};
	struct torus_bgl_header header;
	struct peer *peer;
	unsigned int i;

	memset(&world, 0, sizeof(world));
	fake_start(&world.fake, &machine);
	for (i = 0; i < RANKS; i++)
		members[i].node = i;
	for (i = 0; i < RANKS; i++)
		assert_int_equal(torus_job_open(&world.jobs[i], world.fake.node[i].context,
						&config), 0);
	assert_int_equal(torus_match_open(&world.a, world.jobs[FROM], NULL), 0);
	assert_int_equal(torus_match_open(&world.b, world.jobs[TO], NULL), 0);
	assert_int_equal(torus_job_peer(world.jobs[FROM], TO, &peer), 0);
	assert_true(peer->relayed);
	torus_bgl_header_parse(peer->header, &header);
	world.relay = fake_number(&world.fake, (uint32_t[]){
		header.dest[0], header.dest[1], header.dest[2] });
	assert_int_not_equal(world.relay, TO);
	for (i = 0; i < LONG; i++)
		world.sent[i] = i * 2654435761u >> 24;
}

static void world_stop(void)
{
	unsigned int i;

	torus_match_close(world.a);
	torus_match_close(world.b);
	for (i = 0; i < RANKS; i++)
		torus_job_close(world.jobs[i]);
	fake_stop(&world.fake);
}

static void step(struct torus_match *match)
{
	match->losses_ns = 0;
	assert_true(torus_match_progress(match) >= 0);
	while (fake_step(&world.fake))
		;
}

static void step_relay(void)
{
	assert_true(torus_job_progress(world.jobs[world.relay]) >= 0);
	while (fake_step(&world.fake))
		;
}

static void settle(void)
{
	unsigned int round, i;

	for (round = 0; round < 32; round++) {
		step(world.a);
		step(world.b);
		for (i = 0; i < RANKS; i++)
			if (i != FROM && i != TO)
				assert_true(torus_job_progress(world.jobs[i]) >= 0);
	}
}

static void send_bytes(__u64 tag, uint32_t length, unsigned int flags, void *context)
{
	struct iovec part = { world.sent, length };
	const struct torus_match_send send = {
		.context = context, .parts = &part, .count = 1, .dest = TO, .tag = tag,
		.flags = TORUS_MATCH_TAGGED | flags,
	};

	assert_int_equal(torus_match_send(world.a, &send), 0);
}

static void post_bytes(__u64 tag, uint32_t length, void *context)
{
	struct iovec part = { world.got, length };
	const struct torus_match_receive receive = {
		.context = context, .parts = &part, .count = 1, .source = FROM, .tag = tag,
		.flags = TORUS_MATCH_TAGGED,
	};

	assert_int_equal(torus_match_receive(world.b, &receive), 0);
}

/* Lose the packet after @skip packets that the relay forwards next. */
static void lose_forwarded(unsigned int skip)
{
	step(world.a);
	world.fake.config.lose = world.fake.packets + skip + 1;
	step_relay();
	assert_true(world.fake.packets >= world.fake.config.lose);
}

static void expect(struct torus_match *match, const void *context, int error)
{
	assert_int_equal(torus_match_events(match, &world.event, 1), 1);
	assert_ptr_equal(world.event.context, context);
	assert_int_equal(world.event.error, error);
}

/* Messages arrive as before. */
static void expect_message(__u64 tag, uint32_t length)
{
	send_bytes(tag, length, TORUS_MATCH_SILENT | TORUS_MATCH_INJECT, NULL);
	memset(world.got, 0, LONG);
	post_bytes(tag, length, &mark[1]);
	settle();
	expect(world.b, &mark[1], 0);
	assert_memory_equal(world.got, world.sent, length);
}

/* A message of five packets loses one: its receive fails. */
static void test_message(void **state)
{
	unsigned int lost;

	for (lost = 1; lost < 5; lost++) {
		world_start();
		send_bytes(1, 1000, TORUS_MATCH_SILENT | TORUS_MATCH_INJECT, NULL);
		lose_forwarded(lost);
		settle();
		post_bytes(1, 1000, &mark[0]);
		expect(world.b, &mark[0], -EIO);
		expect_message(2, LONG);
		world_stop();
	}
}

/* A message loses its first packet: it is skipped, and its sender does not wait for credit. */
static void test_head(void **state)
{
	world_start();
	send_bytes(1, 1000, TORUS_MATCH_SILENT | TORUS_MATCH_INJECT, NULL);
	lose_forwarded(0);
	settle();
	torus_match_counts(world.b, &world.counts);
	assert_int_equal(world.counts.skipped, 1);
	assert_int_equal(world.a->peers[TO]->used, 0);
	expect_message(1, 1000);
	world_stop();
}

/* An announcement is lost: its send ends with an error. */
static void test_announcement(void **state)
{
	world_start();
	send_bytes(1, LONG, 0, &mark[0]);
	lose_forwarded(0);
	settle();
	expect(world.a, &mark[0], -EIO);
	expect_message(1, LONG);
	world_stop();
}

/* Data of an announced message loses a packet: its receive fails. */
static void test_data(void **state)
{
	unsigned int i;

	world_start();
	post_bytes(1, LONG, &mark[0]);
	send_bytes(1, LONG, TORUS_MATCH_SILENT, NULL);
	step(world.a);
	step_relay();
	step(world.b);
	for (i = 0; i < RANKS; i++)
		if (i != FROM && i != TO)
			assert_true(torus_job_progress(world.jobs[i]) >= 0);
	while (fake_step(&world.fake))
		;
	lose_forwarded(5);
	settle();
	expect(world.b, &mark[0], -EIO);
	expect_message(2, LONG);
	world_stop();
}

/* The relay's report is lost a few times: the relay repeats it. */
static void test_report(void **state)
{
	unsigned int i;

	world_start();
	post_bytes(1, 1000, &mark[0]);
	send_bytes(1, 1000, TORUS_MATCH_SILENT | TORUS_MATCH_INJECT, NULL);
	lose_forwarded(4);
	for (i = 0; i < 5; i++) {
		world.fake.config.lose = world.fake.packets + 1;
		step_relay();
		assert_int_equal(world.fake.packets, world.fake.config.lose);
	}
	assert_int_equal(torus_match_events(world.b, &world.event, 1), 0);
	settle();
	expect(world.b, &mark[0], -EIO);
	world_stop();
}

/* The receiver has left: the sender learns it from the relay. */
static void test_gone(void **state)
{
	struct peer *peer;

	world_start();
	send_bytes(1, 8, TORUS_MATCH_SILENT | TORUS_MATCH_INJECT, NULL);
	step(world.a);
	world.fake.node[TO].absent = true;
	step_relay();
	step_relay();
	step(world.a);
	assert_int_equal(torus_job_peer(world.jobs[FROM], TO, &peer), 0);
	assert_true(peer->gone);
	world.fake.node[TO].absent = false;
	world_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_message),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_announcement),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_gone),
	};

	return cmocka_run_group_tests_name("match relay", tests, NULL, NULL);
}
