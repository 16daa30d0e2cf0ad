// SPDX-License-Identifier: GPL-2.0
/* Test sub-jobs: ranks, messages, collectives, splits of splits, closing, keys, and dead nodes. */
#include <errno.h>
#include <sched.h>
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
#include "../job/crc.h"
#include "../job/forward.h"
#include "../job/job.h"
#include "../job/member.h"
#include "ranks.h"

#define MS	30000
#define TAG	7
#define LONG	2000	/* bytes of a message of several packets */

static void split(struct rank *rank, struct torus_job *job, int color, int key,
		  struct torus_job **sub)
{
	int ret = torus_job_split(job, color, key, sub, MS);

	MUST(!ret, ret);
	MUST(!*sub == (color < 0), color);
}

/* Sum of the node numbers of a job's ranks, by the job. */
static uint32_t nodes_sum(struct rank *rank, struct torus_job *job)
{
	uint32_t sum = 0;
	int ret = torus_allreduce(job, TORUS_TYPE_U32, TORUS_OPERATION_SUM,
				  (uint32_t[]){ rank->number }, &sum, 1, MS);

	MUST(!ret, ret);
	return sum;
}

/* Exchange a short and a long message with the neighbours of a ring in a job. */
static void ring_start(struct rank *rank, struct torus_job *job, const void *bytes)
{
	uint32_t next = (torus_job_rank(job) + 1) % torus_job_size(job);
	int ret;

	ret = torus_message_start(job, next, TAG, bytes, 4, NULL);
	MUST(!ret, ret);
	ret = torus_message_start(job, next, TAG, bytes, LONG, NULL);
	MUST(!ret, ret);
}

static void ring_end(struct rank *rank, struct torus_job *job, uint32_t id)
{
	uint32_t size = torus_job_size(job), from = (torus_job_rank(job) + size - 1) % size;
	uint32_t source = torus_job_member(job, from).node;
	struct torus_message_info info;
	unsigned char bytes[LONG];
	int ret;

	ret = torus_message_receive(job, from, TAG, bytes, LONG, &info, MS);
	MUST(!ret && info.length == 4 && ranks_content_right(bytes, source, 0, id, 4), ret);
	ret = torus_message_receive(job, TORUS_MESSAGE_ANY, TAG, bytes, LONG, &info, MS);
	MUST(!ret && info.source == from && info.length == LONG, ret);
	MUST(ranks_content_right(bytes, source, 0, id, LONG), ret);
}

/* Messages with equal tags are in flight in two jobs, and are received in the other order. */
static void *program_messages(void *data)
{
	struct rank *rank = data;
	void *mine[2] = {
		ranks_content(rank->number, 0, 1, LONG), ranks_content(rank->number, 0, 2, LONG),
	};
	struct torus_job *sub, *again;

	split(rank, rank->job, rank->number % 2, -(int)rank->number, &sub);
	if (rank->failed)
		return NULL;
	MUST(torus_job_size(sub) == (rank->count + !(rank->number % 2)) / 2, 0);
	/* keys are in the reverse order */
	MUST(torus_job_rank(sub) == torus_job_size(sub) - 1 - rank->number / 2, 0);
	MUST(torus_job_member(sub, torus_job_rank(sub)).node == rank->number, 0);
	ring_start(rank, rank->job, mine[0]);
	ring_start(rank, sub, mine[1]);
	ring_end(rank, sub, 2);
	ring_end(rank, rank->job, 1);
	/* the second split into the same ranks has other messages */
	split(rank, rank->job, rank->number % 2, -(int)rank->number, &again);
	if (rank->failed)
		return NULL;
	MUST(torus_job_rank(again) == torus_job_rank(sub), 0);
	ring_start(rank, sub, mine[0]);
	ring_start(rank, again, mine[1]);
	ring_end(rank, again, 2);
	ring_end(rank, sub, 1);
	MUST(!torus_message_flush(sub, MS) && !torus_job_barrier(rank->job, MS), 0);
	torus_job_close(sub);
	MUST(nodes_sum(rank, again) == nodes_sum(rank, again), 0);
	MUST(!torus_job_barrier(rank->job, MS), 0);
	torus_job_close(again);
	free(mine[0]);
	free(mine[1]);
	return NULL;
}

static void *program_collectives(void *data)
{
	struct rank *rank = data;
	uint32_t row = rank->number / 2, i, all[FAKE_NODES], in[2], out[2];
	struct torus_job *sub;
	int ret;

	split(rank, rank->job, row, 0, &sub);
	if (rank->failed)
		return NULL;
	for (i = 0; i < 20; i++) {
		MUST(nodes_sum(rank, sub) == 4 * row + 1, i);
		MUST(nodes_sum(rank, rank->job) == 28, i);
	}
	in[0] = 10 * rank->number;
	in[1] = in[0] + 1;
	ret = torus_alltoall(sub, in, out, sizeof(*in), NULL, MS);
	MUST(!ret && out[0] == 20 * row + rank->number % 2 &&
	     out[1] == 20 * row + 10 + rank->number % 2, ret);
	ret = torus_gather(sub, 1, in, all, sizeof(*in), MS);
	MUST(!ret && (torus_job_rank(sub) != 1 ||
		      (all[0] == 20 * row && all[1] == 20 * row + 10)), ret);
	ret = torus_scatter(sub, 0, all, out, 0, MS);
	MUST(!ret, ret);
	in[0] = torus_job_rank(sub) ? 0 : 77 + row;
	ret = torus_broadcast(sub, 0, TORUS_BROADCAST_X, in, sizeof(*in), MS);
	MUST(!ret && in[0] == 77 + row, ret);
	/* nodes of other rows have no rank of the sub-job */
	ret = torus_broadcast(sub, 0, TORUS_BROADCAST_Y, in, sizeof(*in), 1);
	MUST(ret == -EINVAL, ret);
	MUST(!torus_job_barrier(sub, MS) && !torus_job_barrier(rank->job, MS), 0);
	torus_job_close(sub);
	return NULL;
}

/* Ranks 0 to 5 are split in two, and each half again; ranks 6 and 7 have no color. */
static void *program_nested(void *data)
{
	struct rank *rank = data;
	bool in = rank->number < 6;
	struct torus_job *sub, *nested;

	split(rank, rank->job, in ? (int)rank->number / 3 : -1, 0, &sub);
	if (rank->failed)
		return NULL;
	if (in) {
		split(rank, sub, torus_job_rank(sub) == 1 ? -5 : 0x7fffffff,
		      torus_job_rank(sub) ? -0x7fffffff - 1 : 0x7fffffff, &nested);
		if (nested) {
			MUST(torus_job_size(nested) == 2, 0);
			MUST(torus_job_rank(nested) == !torus_job_rank(sub), 0);
			MUST(nodes_sum(rank, nested) == 6 * (rank->number / 3) + 2, 0);
		}
		MUST(torus_job_reroute(sub) == -EINVAL && says(torus_error_text(), "sub-job"), 0);
		MUST(!torus_job_barrier(sub, MS), 0);
		torus_job_close(nested);
		MUST(nodes_sum(rank, sub) == 9 * (rank->number / 3) + 3, 0);
		torus_job_close(sub);
	}
	MUST(nodes_sum(rank, rank->job) == 28, 0);
	return NULL;
}

static void run(const struct fake_config *config, const struct torus_job_config *how,
		void *(*program)(void *))
{
	struct rank ranks[FAKE_NODES];
	struct fake fake;

	ranks_run(config, how, program, ranks, &fake);
	fake_stop(&fake);
}

static void by_both_machines(void *(*program)(void *))
{
	struct fake_config config = ranks_wild;

	run(&config, &ranks_dynamic, program);
	run(&config, &ranks_ordered, program);
	config.xt = true;
	run(&config, &ranks_dynamic, program);
	config.shuffle = false;
	run(&config, &ranks_ordered, program);
	config = ranks_wild;
	config.notices = true;
	config.garbage = 0;
	config.duplicate = 0;
	run(&config, &ranks_dynamic, program);
}

static void test_messages(void **state)
{
	by_both_machines(program_messages);
}

static void test_collectives(void **state)
{
	by_both_machines(program_collectives);
}

static void test_nested(void **state)
{
	by_both_machines(program_nested);
}

/* Only rank 0 splits the job. */
static void *program_alone(void *data)
{
	struct rank *rank = data;
	struct torus_job *sub = rank->job;
	int ret;

	if (rank->number)
		return NULL;
	ret = torus_job_split(rank->job, 0, 0, &sub, 20);
	MUST(ret == -ETIMEDOUT && !sub && !rank->job->next, ret);
	return NULL;
}

static void test_timeout(void **state)
{
	run(&ranks_wild, &ranks_dynamic, program_alone);
}

static struct torus_job *subs[FAKE_NODES], *nests[FAKE_NODES];
static unsigned int counted;

/*
 * Rank 1 has messages of the opened job in its ring that it never takes, more than memory_max
 * allows.
 */
static void *program_split(void *data)
{
	struct rank *rank = data;
	int i, ret;

	split(rank, rank->job, rank->number % 2, 0, &subs[rank->number]);
	if (!rank->failed)
		split(rank, subs[rank->number], 0, 0, &nests[rank->number]);
	__atomic_add_fetch(&counted, 1, __ATOMIC_SEQ_CST);
	if (rank->number)
		return NULL;
	while (__atomic_load_n(&counted, __ATOMIC_SEQ_CST) < rank->count)
		sched_yield();
	for (i = 0; i < 3; i++) {
		ret = torus_message_send(rank->job, 1, TAG, "old", 4);
		MUST(!ret, ret);
	}
	ret = torus_message_flush(rank->job, MS);
	MUST(!ret, ret);
	return NULL;
}

static void *program_orphan(void *data)
{
	struct rank *rank = data;

	torus_job_close(subs[rank->number]);
	MUST(nodes_sum(rank, nests[rank->number]) == (rank->number % 2 ? 16 : 12), 0);
	MUST(!torus_job_barrier(nests[rank->number], MS), 0);
	return NULL;
}

/*
 * Sub-jobs work after the job that was opened and their parents are closed; after the last of them,
 * the context is free.
 */
static void test_closing(void **state)
{
	struct fake_config config = ranks_wild;
	/* in order, so that the second message of rank 0 is beyond memory_max */
	struct torus_job_config small = ranks_ordered;
	struct rank ranks[FAKE_NODES];
	struct torus_job *job;
	struct fake fake;
	unsigned int i;

	config.notices = true;
	config.garbage = 0;
	config.duplicate = 0;
	small.memory_max = 1;
	/* ranks_run() closes the jobs */
	ranks_run(&config, &small, program_split, ranks, &fake);
	for (i = 0; i < FAKE_NODES; i++)
		assert_int_equal(pthread_create(&ranks[i].thread, NULL, program_orphan, &ranks[i]),
				 0);
	for (i = 0; i < FAKE_NODES; i++) {
		pthread_join(ranks[i].thread, NULL);
		assert_null(ranks[i].failed);
	}
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &ranks_dynamic), -EBUSY);
	for (i = 0; i < FAKE_NODES; i++)
		torus_job_close(nests[i]);
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &ranks_dynamic), 0);
	torus_job_close(job);
	fake_stop(&fake);
}

static uint32_t crc_of(uint32_t a, uint32_t b)
{
	unsigned char words[8];

	torus_store_be32(words, a);
	torus_store_be32(words + 4, b);
	return torus_lib_crc32(0, words, sizeof(words));
}

/* Key that torus_job_split() derives first for color 0. */
static uint32_t first_key(uint32_t key)
{
	unsigned char color[4];

	torus_store_be32(color, 1);
	return torus_lib_crc32(crc_of(key, 0), color, sizeof(color));
}

static void *program_clash(void *data)
{
	struct rank *rank = data;
	void *mine[2] = {
		ranks_content(rank->number, 0, 1, LONG), ranks_content(rank->number, 0, 2, LONG),
	};
	struct torus_job *sub;

	split(rank, rank->job, 0, 0, &sub);
	if (rank->failed)
		return NULL;
	MUST(sub->config.key != first_key(rank->job->config.key), sub->config.key);
	ring_start(rank, rank->job, mine[0]);
	ring_start(rank, sub, mine[1]);
	ring_end(rank, sub, 2);
	ring_end(rank, rank->job, 1);
	MUST(!torus_job_barrier(rank->job, MS), 0);
	torus_job_close(sub);
	free(mine[0]);
	free(mine[1]);
	return NULL;
}

/* If packets of the first key could be taken for those of the parent, another key is used. */
static void test_clash(void **state)
{
	const struct msg_format narrow = { .narrow = true };
	struct torus_job_config job = ranks_dynamic;
	struct fake_config config = ranks_wild;

	while (!torus_msg_checks_clash(&narrow, crc_of(job.key, 0), crc_of(first_key(job.key), 0)))
		job.key++;
	config.xt = true;
	run(&config, &job, program_clash);
	/* the wide format contains the whole check */
	assert_false(torus_msg_checks_clash(&(struct msg_format) { .narrow = false },
					    crc_of(job.key, 0), crc_of(first_key(job.key), 0)));
}

/*
 * Find a key with which a rank would forward packets of one job as those of another: the library
 * must find the clash, too, but not find clashes everywhere.
 */
static void test_forward_clash(void **state)
{
	struct torus_job a, b = { .config.count = 1u << 20, .config.key = RANKS_KEY };
	unsigned char packet[FAKE_HEADER + FAKE_PAYLOAD] = { 0 };
	const struct torus_view view = {
		.chunks = 8, .bytes = sizeof(packet), .part = { packet, packet },
		.part_bytes = { sizeof(packet) },
	};
	const struct packet_fields fields = { .kind = KIND_DATA | KIND_RELAYED, .source = 5 };
	unsigned int keys = 0, clashes = 0;
	uint32_t dest;

	b.format = (struct msg_format) {
		.check_at = FAKE_CHECK_AT, .fields_at = FAKE_FIELDS_AT,
		.fields_bytes = FAKE_FIELDS, .header_bytes = FAKE_HEADER,
	};
	b.seal = b.config.key;
	a = b;
	do {
		a.seal = ++a.config.key;
		keys++;
		clashes += torus_forward_clashes(&a, &b);
		torus_msg_header_write(&b.format, packet, &fields, crc_of(a.seal, 99));
		assert_true(torus_forward_leads(&a, &view, &dest));
		assert_int_equal(dest, 99);
	} while (!torus_forward_leads(&b, &view, &dest));
	assert_true(torus_forward_clashes(&a, &b) && torus_forward_clashes(&b, &a));
	assert_in_range(keys, 100, 1000000);
	assert_in_range(clashes, 1, keys / 100);
}

#define LIVE	7	/* ranks at the nodes of 2x2x2 except the last, which is dead */

static void *program_relays(void *data)
{
	struct rank *rank = data;
	uint32_t i, sum = 0;
	struct torus_job *sub;
	int ret;

	split(rank, rank->job, 0, -(int)rank->number, &sub);
	if (rank->failed)
		return NULL;
	for (i = 1; i < LIVE; i++) {
		uint32_t to = (torus_job_rank(sub) + i) % LIVE;

		ret = torus_message_send(sub, to, TAG, &rank->number, sizeof(rank->number));
		MUST(!ret, ret);
		ret = torus_message_send(rank->job, LIVE - 1 - to, TAG, "long", 5);
		MUST(!ret, ret);
	}
	for (i = 1; i < LIVE; i++) {
		struct torus_message_info info;
		char text[5] = "";
		uint32_t from = 0;

		ret = torus_message_receive(sub, TORUS_MESSAGE_ANY, TAG, &from, sizeof(from), &info,
					    MS);
		MUST(!ret && info.source == LIVE - 1 - from, ret);
		sum += from;
		ret = torus_message_receive(rank->job, TORUS_MESSAGE_ANY, TAG, text, sizeof(text),
					    NULL, MS);
		MUST(!ret && !strcmp(text, "long"), ret);
	}
	MUST(sum + rank->number == LIVE * (LIVE - 1) / 2, sum);
	MUST(!torus_job_barrier(sub, MS) && !torus_job_barrier(rank->job, MS), 0);
	ret = torus_message_flush(sub, MS);
	MUST(!ret, ret);
	torus_job_counts(sub, &rank->counts);
	__atomic_add_fetch(&counted, rank->counts.relayed_packets, __ATOMIC_SEQ_CST);
	MUST(!torus_job_barrier(rank->job, MS), 0);
	torus_job_close(sub);
	return NULL;
}

/* Packets of a sub-job and of its parent are forwarded around a dead node. */
static void test_relays(void **state)
{
	struct fake_config config = ranks_wild;

	config.nodes = LIVE;
	config.dead = 1u << LIVE;
	counted = 0;
	run(&config, &ranks_ordered, program_relays);
	assert_true(counted);
}

/* A loss in a sub-job is reported by the sub-job alone, and not after it is closed. */
static void *program_loss(void *data)
{
	struct rank *rank = data;
	struct torus_job *sub, *kept;
	int ret;

	split(rank, rank->job, 0, 0, &sub);
	split(rank, rank->job, 0, 0, &kept);
	if (rank->failed)
		return NULL;
	MUST(!torus_job_barrier(rank->job, MS), 0);
	if (rank->number) {
		torus_job_close(sub);
		torus_job_close(kept);
		__atomic_store_n(&rank->fake->node[1].absent, true, __ATOMIC_SEQ_CST);
		return NULL;
	}
	while (!__atomic_load_n(&rank->fake->node[1].absent, __ATOMIC_SEQ_CST))
		;
	ret = torus_message_send(kept, 1, TAG, "x", 1);
	MUST(!ret, ret);
	ret = torus_message_flush(kept, MS);
	MUST(ret == -ENOTCONN && says(torus_error_text(), "rank 1 node 1,0,0"), ret);
	ret = torus_message_flush(sub, MS);
	MUST(!ret, ret);
	ret = torus_message_send(sub, 1, TAG, "x", 1);
	MUST(!ret, ret);
	torus_job_close(sub);
	ret = torus_message_flush(rank->job, MS);
	MUST(!ret, ret);
	torus_job_close(kept);
	return NULL;
}

static void test_loss(void **state)
{
	struct fake_config config = ranks_tiny;

	config.notices = true;
	run(&config, &ranks_ordered, program_loss);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_collectives),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_closing),
		cmocka_unit_test(test_clash),
		cmocka_unit_test(test_forward_clash),
		cmocka_unit_test(test_relays),
		cmocka_unit_test(test_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
