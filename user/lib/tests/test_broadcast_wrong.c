// SPDX-License-Identifier: GPL-2.0
/*
 * Test broadcasts that are mixed with messages, damaged, lost or rejected, and broadcasts across
 * dead nodes.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/tests/says.h"
#include "caster.h"

/* ------------------------------------------------------- messages in between, garbage */

static void test_messages_in_between(void **state)
{
	static const char text[] = "a message in between";
	struct fake_config config = caster_shape(4, 3, 2, 0);
	struct torus_message_info info;
	struct caster machine;
	char data[64];
	unsigned int i;

	config.inject_chunks = 16;
	config.receive_chunks = 16;
	config.duplicate = 3;
	config.garbage = 2;
	caster_start(&machine, &config, NULL);
	for (i = 0; i < 24; i++) {
		assert_int_equal(torus_message_start(machine.job[i], (i + 5) % 24, 7, text,
						     sizeof(text), NULL), 0);
		caster_begin(&machine, i, 3, 7, 20000, 1);
		assert_int_equal(torus_message_start(machine.job[i], (i + 5) % 24, 8, text,
						     sizeof(text), NULL), 0);
	}
	caster_finish(&machine, 24);
	caster_settle(&machine);
	for (i = 0; i < 24; i++) {
		struct torus_job_counts counts;

		caster_verify(&machine, i, 20000, 1);
		assert_int_equal(torus_message_receive(machine.job[i], (i + 19) % 24, 7, data,
						       sizeof(data), &info, 0), 0);
		assert_int_equal(torus_message_receive(machine.job[i], TORUS_MESSAGE_ANY,
						       TORUS_MESSAGE_ANY, data, sizeof(data),
						       &info, 0), 0);
		assert_int_equal(info.tag, 8);
		assert_string_equal(data, text);
		counts = caster_counts(&machine, i);
		assert_int_equal(counts.received_packets, 2 + (i == 3 ? 0 : caster_packets(20000)));
		assert_int_equal(counts.damaged, 0);
		assert_int_equal(counts.memory, 0);
	}
	assert_true(machine.fake.duplicates > 0 && machine.fake.garbage > 0);
	caster_stop(&machine);
}

static void test_damage_is_reported_everywhere_behind_it(void **state)
{
	struct fake_config config = caster_shape(4, 1, 1, 0);
	struct caster machine;
	unsigned int i, bad = 0;

	config.corrupt = 3;
	caster_start(&machine, &config, NULL);
	for (i = 0; i < 4; i++)
		caster_begin(&machine, i, 1, 1, 3000, 1);
	while (machine.handle[0] || machine.handle[1] || machine.handle[2] || machine.handle[3]) {
		for (i = 0; i < 4; i++) {
			int ret;

			if (!machine.handle[i])
				continue;
			ret = torus_broadcast_test(machine.job[i], machine.handle[i]);
			if (!ret)
				continue;
			machine.handle[i] = NULL;
			bad += ret == -EBADMSG;
		}
		fake_step(&machine.fake);
	}
	/* the damaged packet was copied to all nodes of the line but the root */
	assert_int_equal(bad, 3);
	for (i = 0; i < 4; i++) {
		assert_int_equal(caster_counts(&machine, i).damaged, i != 1);
		free(machine.data[i]);
	}
	caster_stop(&machine);
}

static void test_lost_packet_ends_in_time(void **state)
{
	struct fake_config config = caster_shape(4, 1, 1, 0);
	struct caster machine;

	config.lose = 2;
	caster_start(&machine, &config, NULL);
	caster_begin(&machine, 0, 0, 1, 3000, 1);
	caster_begin(&machine, 2, 0, 1, 3000, 1);
	caster_finish(&machine, 1);
	caster_settle(&machine);
	assert_int_equal(torus_broadcast_wait(machine.job[2], machine.handle[2], 0), -EAGAIN);
	assert_int_equal(torus_broadcast_wait(machine.job[2], machine.handle[2], 20), -ETIMEDOUT);
	torus_broadcast_cancel(machine.job[2], machine.handle[2]);
	free(machine.data[0]);
	free(machine.data[2]);
	caster_stop(&machine);
}

static void test_lengths_that_differ(void **state)
{
	struct fake_config config = caster_shape(3, 1, 1, 0);
	struct caster machine;
	struct torus_broadcast *handle;
	unsigned char data[200];
	unsigned int step;
	int ret = 0;

	caster_start(&machine, &config, NULL);
	caster_begin(&machine, 1, 0, 1, 99, 0);
	caster_begin(&machine, 0, 0, 1, 100, 0);
	for (step = 0; !ret && step < 1000; step++) {
		caster_turn(&machine, 1);
		ret = torus_broadcast_test(machine.job[1], machine.handle[1]);
	}
	assert_int_equal(ret, -EMSGSIZE);
	assert_says(torus_error_text(), "broadcast 0 rank 99");
	caster_settle(&machine);
	assert_int_equal(torus_broadcast_start(machine.job[2], 0, 1, data, 200, &handle),
			 -EMSGSIZE);
	assert_says(torus_error_text(), "broadcast rank 0 100 200");
	/*
	 * the broadcast has ended at each rank, both at early and at late starters
	 */
	for (step = 0; step < 3; step++) {
		free(machine.data[step]);
		caster_begin(&machine, step, 0, 1, 50, 3);
	}
	caster_finish(&machine, 3);
	free(machine.data[2]);
	free(machine.data[0]);
	free(machine.data[1]);
	caster_stop(&machine);
}

/* ------------------------------------------------------------------- rejected broadcasts */

static void start_refused(struct torus_job *job, uint32_t root, uint32_t along, uint32_t length,
			  int error, const char *text)
{
	struct torus_broadcast *handle;
	static unsigned char data[64];

	assert_int_equal(torus_broadcast_start(job, root, along, data, length, &handle), error);
	assert_says(torus_error_text(), text);
}

/*
 * A child has left: the wait for a handle reports that, the handle stays valid, and
 * torus_broadcast() fails too.
 */
static void test_rank_below_has_left(void **state)
{
	struct fake_config config = caster_shape(2, 1, 1, 0);
	static unsigned char bytes[100000];
	struct torus_broadcast *handle;
	struct caster machine;
	int i;

	config.notices = true;
	caster_start(&machine, &config, NULL);
	caster_without_copies(&machine);
	machine.fake.node[1].absent = true;
	fake_run(&machine.fake);
	assert_int_equal(torus_broadcast_start(machine.job[0], 0, 1, bytes, sizeof(bytes),
					       &handle), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(torus_broadcast_wait(machine.job[0], handle, 60000), -ENOTCONN);
		assert_says(torus_error_text(), "broadcast 0 rank");
	}
	torus_broadcast_cancel(machine.job[0], handle);
	assert_int_equal(torus_broadcast(machine.job[0], 0, 1, bytes, 10, 60000), -ENOTCONN);
	caster_stop(&machine);
}

static void test_refused(void **state)
{
	/* 3x2x1: node 4 at 1,1,0 has no rank, and node 5 has one in the other group */
	static const struct torus_member members[] = {
		{ .node = 2 }, { .node = 1 }, { .node = 0 }, { .node = 3 },
		{ .node = 5, .group = 1 },
	};
	struct torus_job_config config = {
		.key = CASTER_KEY, .members = members, .count = 5, .length_max = 60,
		.unconnected = true,
	};
	struct fake_config fabric = caster_shape(3, 2, 1, 0);
	struct torus_broadcast *handle;
	unsigned char data[60] = { 0 };
	struct torus_job *job;
	struct fake fake;

	fake_start(&fake, &fabric);
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &config), 0);
	start_refused(job, 5, 1, 8, -EINVAL, "rank 5 job");
	start_refused(job, 2, 0, 8, -EINVAL, "dimension 0 1 0x7");
	start_refused(job, 2, 8, 8, -EINVAL, "dimension 0x8 1 0x7");
	start_refused(job, 2, 1, 61, -EMSGSIZE, "61 length_max 60");
	start_refused(job, 3, 1, 8, -EINVAL, "rank 3 node 4 1,1,0 group 0");
	start_refused(job, 2, 3, 8, -EINVAL, "rank 2 node 4 1,1,0 group 0");
	start_refused(job, 4, 3, 8, -EINVAL, "rank 4 group 1 2 0");
	/*
	 * In the column of rank 0, node 5 has no rank of this group; in the row and in the
	 * column of this rank, all nodes have ranks.
	 */
	start_refused(job, 0, 2, 8, -EINVAL, "rank 0 node 5 2,1,0 group");
	start_refused(job, 1, 4, 8, -EINVAL, "rank 1 2 0,0,0");
	assert_int_equal(torus_broadcast_start(job, 0, 1, data, 60, &handle), 0);
	assert_int_equal(torus_broadcast_start(job, 3, 2, data, 60, &handle), 0);
	/* alone in its line */
	assert_int_equal(torus_broadcast(job, 2, 4, data, 60, 1000), 0);
	/* close the job while broadcasts are open, for ASan */
	torus_job_close(job);
	fake_stop(&fake);
}

/* Broadcasts are rejected if a node on their lines is dead. */
static void test_nothing_dead_on_the_way(void **state)
{
	struct fake_config config = caster_shape(4, 3, 2, 0);
	struct torus_job_config job = { .unconnected = true, .key = CASTER_KEY };
	struct torus_job *one;
	struct fake fake;

	config.dead = 1 << 6;
	fake_start(&fake, &config);
	assert_int_equal(torus_job_open(&one, fake.node[4].context, &job), 0);
	start_refused(one, 4, 1, 8, -EHOSTUNREACH, "rank 4 link x+ node 5 dead");
	start_refused(one, 5, 7, 8, -EHOSTUNREACH, "rank 5 link y+ node 2 dead");
	start_refused(one, 6, 1, 8, -EHOSTUNREACH, "rank 6 link x+ node 5 dead");
	torus_job_close(one);
	assert_int_equal(torus_job_open(&one, fake.node[6].context, &job), 0);
	start_refused(one, 6, 4, 8, -EHOSTUNREACH, "rank 6 node dead");
	torus_job_close(one);
	fake_stop(&fake);
}

static void test_lines_beside_the_dead(void **state)
{
	struct fake_config config = caster_shape(4, 3, 2, 0);
	struct caster machine;

	config.dead = 1 << 6;
	caster_start(&machine, &config, NULL);
	caster_once(&machine, 9, 1, 3000, 1);
	caster_once(&machine, 21, 3, 3000, 2);
	caster_stop(&machine);
}

/* Count and discard invalid packets of a sender that knows the key. */
static void test_unlikely_packets_are_counted(void **state)
{
	struct torus_job_config job = {
		.unconnected = true, .key = CASTER_KEY, .length_max = 1000,
	};
	struct fake_config config = caster_shape(4, 3, 1, 0);
	struct torus_job_counts before, after;
	struct caster machine;

	caster_start(&machine, &config, NULL);
	torus_job_close(machine.job[1]);
	assert_int_equal(torus_job_open(&machine.job[1], machine.fake.node[1].context, &job), 0);
	before = caster_counts(&machine, 1);
	caster_begin(&machine, 0, 0, 1, 2000, 1);
	caster_finish(&machine, 1);
	caster_settle(&machine);
	after = caster_counts(&machine, 1);
	assert_int_equal(after.rejected_size - before.rejected_size, caster_packets(2000));
	assert_int_equal(after.memory, 0);
	free(machine.data[0]);
	/* Another job's. */
	torus_job_close(machine.job[1]);
	job.key ^= 1;
	assert_int_equal(torus_job_open(&machine.job[1], machine.fake.node[1].context, &job), 0);
	caster_begin(&machine, 0, 0, 1, 100, 1);
	caster_finish(&machine, 1);
	caster_settle(&machine);
	assert_int_equal(caster_counts(&machine, 1).rejected_key, caster_packets(100));
	assert_int_equal(caster_counts(&machine, 2).rejected_key, 0);
	free(machine.data[0]);
	caster_stop(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages_in_between),
		cmocka_unit_test(test_damage_is_reported_everywhere_behind_it),
		cmocka_unit_test(test_lost_packet_ends_in_time),
		cmocka_unit_test(test_lengths_that_differ),
		cmocka_unit_test(test_rank_below_has_left),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_nothing_dead_on_the_way),
		cmocka_unit_test(test_lines_beside_the_dead),
		cmocka_unit_test(test_unlikely_packets_are_counted),
	};

	return cmocka_run_group_tests_name("broadcast wrong", tests, NULL, NULL);
}
