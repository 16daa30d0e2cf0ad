// SPDX-License-Identifier: GPL-2.0
/*
 * Test messages over a network that reorders, duplicates, damages and loses packets, and adds
 * random ones.
 */
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
#include "ranks.h"

/* ------------------------------------------------------------ two ranks, every length */

static const uint32_t lengths[] = {
	0, 1, 2, 27, 28, 29, 31, 32, 33, 219, 220, 221, 223, 224, 225, 443, 444, 445, 448, 449,
	1000, 4096, 65535, 65536, 1000003,
};

#define LENGTHS	ARRAY_SIZE(lengths)

/* Both ranks send all messages first; with rings of two packets, sending must drain reception. */
static void *program_lengths(void *data)
{
	struct rank *rank = data;
	uint32_t other = 1 - rank->number;
	struct torus_message_info info;
	unsigned int i;
	void *bytes;
	int ret;

	for (i = 0; i < LENGTHS; i++) {
		bytes = ranks_content(rank->number, other, i, lengths[i]);
		ret = torus_message_send(rank->job, other, i, bytes, lengths[i]);
		MUST(!ret, ret);
		free(bytes);
	}
	for (i = 0; i < LENGTHS; i++) {
		ret = torus_message_take(rank->job, TORUS_MESSAGE_ANY, TORUS_MESSAGE_ANY, &bytes,
					 &info, 60000);
		MUST(!ret, ret);
		if (rank->failed)
			break;
		MUST(info.source == other && info.tag == i && info.length == lengths[i], i);
		MUST(ranks_content_right(bytes, other, rank->number, i, info.length), i);
		free(bytes);
	}
	ret = torus_message_flush(rank->job, 60000);
	MUST(!ret, ret);
	return NULL;
}

static void lengths_by(const struct fake_config *config, const struct torus_job_config *job)
{
	struct rank ranks[FAKE_NODES];
	struct fake fake;

	ranks_run(config, job, program_lengths, ranks, &fake);
	assert_int_equal(ranks[0].counts.received_messages, LENGTHS);
	assert_int_equal(ranks[0].counts.damaged, 0);
	assert_int_equal(ranks[0].counts.rejected_key, 0);
	assert_int_equal(ranks[0].counts.memory, 0);
	assert_int_equal(fake.missed, 0);
	fake_stop(&fake);
}

static void test_every_length_in_order(void **state)
{
	lengths_by(&ranks_tiny, &ranks_ordered);
}

static void test_every_length_dynamic(void **state)
{
	struct fake_config config = ranks_tiny;

	config.shuffle = true;
	lengths_by(&config, &ranks_dynamic);
}

static void test_every_length_priority(void **state)
{
	lengths_by(&ranks_tiny, &ranks_priority);
}

/* -------------------------------------------------------------- a message and its answer */

/*
 * Lengths of messages that are taken one at a time.  A message reuses the memory of the last
 * message if that is large enough.  So the lengths grow and shrink, and some messages have several
 * packets.
 */
static const uint32_t echoes[] = { 1, 1, 200, 0, 220, 5000, 3, 219, 1000, 100 };

static void *program_echoes(void *data)
{
	struct rank *rank = data;
	uint32_t other = 1 - rank->number, i;
	struct torus_message_info info;
	unsigned char bytes[5000];
	void *sent;
	int ret;

	for (i = 0; i < ARRAY_SIZE(echoes) && !rank->failed; i++) {
		sent = ranks_content(rank->number, other, i, echoes[i]);
		if (!rank->number) {
			ret = torus_message_send(rank->job, other, i, sent, echoes[i]);
			MUST(!ret, ret);
		}
		ret = torus_message_receive(rank->job, other, i, bytes, sizeof(bytes), &info,
					    60000);
		MUST(!ret, ret);
		MUST(info.length == echoes[i], i);
		MUST(ranks_content_right(bytes, other, rank->number, i, info.length), i);
		if (rank->number) {
			ret = torus_message_send(rank->job, other, i, sent, echoes[i]);
			MUST(!ret, ret);
		}
		free(sent);
	}
	ret = torus_message_flush(rank->job, 60000);
	MUST(!ret, ret);
	return NULL;
}

static void test_echoes(void **state)
{
	struct rank ranks[FAKE_NODES];
	struct fake fake;

	ranks_run(&ranks_tiny, &ranks_ordered, program_echoes, ranks, &fake);
	assert_int_equal(ranks[1].counts.received_messages, ARRAY_SIZE(echoes));
	assert_int_equal(ranks[1].counts.memory, 0);
	fake_stop(&fake);
}

/* ------------------------------------------------------------------ all to all, wild */

#define ROUNDS	12

static uint32_t wild_length(uint32_t source, uint32_t dest, uint32_t round)
{
	__u64 seed = source * 1000003ull + dest * 1009ull + round;

	return fake_random(&seed) % (1u << fake_random(&seed) % 15);
}

static void *program_wild(void *data)
{
	struct rank *rank = data;
	void *out[ROUNDS][FAKE_NODES];
	unsigned int round, i;
	int ret;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < rank->count; i++) {
			uint32_t length = wild_length(rank->number, i, round);

			out[round][i] = ranks_content(rank->number, i, round, length);
			ret = torus_message_start(rank->job, i, round, out[round][i], length,
						  NULL);
			MUST(!ret, ret);
		}
		if (round % 4 == 3) {
			ret = torus_job_barrier(rank->job, 60000);
			MUST(!ret, ret);
		}
	}
	/* receive from the highest rank first, all its messages before those of the next */
	for (i = rank->count; i--;) {
		for (round = 0; round < ROUNDS; round++) {
			struct torus_message_info info;
			void *bytes;

			/* ask for half of the messages by tag, for half in order */
			ret = torus_message_take(rank->job, i, i & 1 ? round : TORUS_MESSAGE_ANY,
						 &bytes, &info, 60000);
			MUST(!ret, ret);
			if (ret)
				return NULL;
			MUST(info.tag == round, info.tag);
			MUST(info.length == wild_length(i, rank->number, round), info.length);
			MUST(ranks_content_right(bytes, i, rank->number, round, info.length),
			     round);
			free(bytes);
		}
	}
	ret = torus_message_flush(rank->job, 60000);
	MUST(!ret, ret);
	ret = torus_job_barrier(rank->job, 60000);
	MUST(!ret, ret);
	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < rank->count; i++)
			free(out[round][i]);
	return NULL;
}

static void wild_by(const struct torus_job_config *job)
{
	struct rank ranks[FAKE_NODES];
	struct torus_job_counts sum = { 0 };
	struct fake fake;
	unsigned int i;

	ranks_run(&ranks_wild, job, program_wild, ranks, &fake);
	for (i = 0; i < ranks_wild.nodes; i++) {
		sum.received_messages += ranks[i].counts.received_messages;
		sum.sent_messages += ranks[i].counts.sent_messages;
		sum.received_packets += ranks[i].counts.received_packets;
		sum.sent_packets += ranks[i].counts.sent_packets;
		sum.rejected_key += ranks[i].counts.rejected_key;
		sum.rejected_duplicate += ranks[i].counts.rejected_duplicate;
		assert_int_equal(ranks[i].counts.damaged, 0);
		assert_int_equal(ranks[i].counts.lost, 0);
		assert_int_equal(ranks[i].counts.memory, 0);
	}
	assert_int_equal(sum.sent_messages, sum.received_messages);
	assert_int_equal(sum.sent_packets, sum.received_packets);
	/* the last random packets may still be under way */
	assert_true(sum.rejected_key > fake.garbage / 2 && sum.rejected_key <= fake.garbage);
	assert_true(sum.rejected_duplicate > fake.duplicates / 2 &&
		    sum.rejected_duplicate <= fake.duplicates);
	assert_int_equal(fake.missed, 0);
	fake_stop(&fake);
}

static void test_all_to_all_dynamic_with_garbage(void **state)
{
	wild_by(&ranks_dynamic);
}

static void test_all_to_all_in_order_with_garbage(void **state)
{
	wild_by(&ranks_ordered);
}

static void *program_barrier(void *data)
{
	static unsigned int arrived;
	struct rank *rank = data;
	unsigned int i;
	int ret;

	for (i = 0; i < 50; i++) {
		__atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
		ret = torus_job_barrier(rank->job, 60000);
		MUST(!ret, ret);
		MUST(__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) >= (i + 1) * rank->count, i);
	}
	return NULL;
}

static void test_barrier_of_seven(void **state)
{
	struct fake_config config = ranks_wild;
	struct rank ranks[FAKE_NODES];
	struct fake fake;

	config.nodes = 7;
	ranks_run(&config, &ranks_dynamic, program_barrier, ranks, &fake);
	fake_stop(&fake);
}

static void *program_until_dead(void *data)
{
	struct rank *rank = data;
	static const char zeros[10000];
	int ret = 0;

	/*
	 * rank 0 waits for a message that never arrives, rank 1 sends to a rank that does not read
	 */
	if (!rank->number)
		ret = torus_message_receive(rank->job, 1, 1, NULL, 0, NULL, -1);
	while (!ret)
		ret = torus_message_send(rank->job, 2, 0, zeros, sizeof(zeros));
	MUST(ret == -ENODEV, ret);
	return NULL;
}

static void *killer(void *data)
{
	usleep(100000);
	fake_kill(data);
	return NULL;
}

static void *program_death(void *data)
{
	struct rank *rank = data;

	return rank->number == 2 ? killer(rank->fake) : program_until_dead(data);
}

static void test_fabric_dies_under_waits(void **state)
{
	struct fake_config config = ranks_tiny;
	struct rank ranks[FAKE_NODES];
	struct fake fake;

	config.nodes = 3;
	ranks_run(&config, &ranks_ordered, program_death, ranks, &fake);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_length_in_order),
		cmocka_unit_test(test_every_length_dynamic),
		cmocka_unit_test(test_every_length_priority),
		cmocka_unit_test(test_echoes),
		cmocka_unit_test(test_all_to_all_dynamic_with_garbage),
		cmocka_unit_test(test_all_to_all_in_order_with_garbage),
		cmocka_unit_test(test_barrier_of_seven),
		cmocka_unit_test(test_fabric_dies_under_waits),
	};

	return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
