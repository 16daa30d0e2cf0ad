// SPDX-License-Identifier: GPL-2.0
/* Test sub-jobs with 8 ranks: their ranks, messages, collectives, splits of splits, and closing. */
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
#include "../job/member.h"
#include "ranks.h"

#define MS	60000
#define TAG	7
#define LONG	2000	/* bytes of a message of several packets */

static void split(struct rank *rank, struct torus_job *job, int color, int key,
		  struct torus_job **sub)
{
	int ret = torus_job_split(job, color, key, sub);

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
	run(&config, &ranks_ordered, program);
	config.notices = true;
	config.xt = false;
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

static struct torus_job *subs[FAKE_NODES], *nests[FAKE_NODES];

static void *program_split(void *data)
{
	struct rank *rank = data;

	split(rank, rank->job, rank->number % 2, 0, &subs[rank->number]);
	if (!rank->failed)
		split(rank, subs[rank->number], 0, 0, &nests[rank->number]);
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

/* A parent that is closed first stays until its sub-job closes; then the context is free. */
static void test_closing(void **state)
{
	struct rank ranks[FAKE_NODES];
	struct torus_job *job;
	struct fake fake;
	unsigned int i;

	/* ranks_run() closes the jobs */
	ranks_run(&ranks_wild, &ranks_dynamic, program_split, ranks, &fake);
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
		cmocka_unit_test(test_closing),
		cmocka_unit_test(test_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
