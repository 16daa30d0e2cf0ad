// SPDX-License-Identifier: GPL-2.0
/*
 * Test broadcasts on the fake kernel: every shape and root, full rings, overtaking packets, and
 * early packets.
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
#include "caster.h"

/* Broadcast from every root along all sets of dimensions, with different sizes. */
static void every_root(const struct fake_config *config)
{
	static const uint32_t lengths[] = { 0, 1, 220, 221, 5 * PAYLOAD, 7 * PAYLOAD + 13 };
	struct caster machine;
	uint32_t root, along, round = 0;

	caster_start(&machine, config, NULL);
	for (root = 0; root < machine.nodes; root++)
		for (along = 1; along < 8; along++, round++)
			caster_once(&machine, root, along, lengths[round % 6], round);
	caster_stop(&machine);
}

static void test_every_shape_and_root(void **state)
{
	static const uint32_t meshes[] = { 0, 7, 2, 5 };
	struct fake_config config;
	uint32_t x, y, z, i;

	for (x = 1; x <= 4; x++)
		for (y = 1; y <= 3; y++)
			for (z = 1; z <= 2; z++)
				for (i = 0; i < 4; i++) {
					config = caster_shape(x, y, z, meshes[i]);
					every_root(&config);
				}
}

/* Rings and queues of one packet: injection is always full. */
static void test_full_fifos(void **state)
{
	static const enum torus_route routes[] = {
		TORUS_ROUTE_DYNAMIC, TORUS_ROUTE_ORDERED, TORUS_ROUTE_PRIORITY,
	};
	static const uint32_t roots[] = { 0, 23, 10 };
	unsigned int i, j;

	for (i = 0; i < 3; i++)
		for (j = 0; j < 3; j++) {
			struct fake_config config = caster_shape(4, 3, 2, j == 2 ? 5 : 0);
			struct torus_job_config job = {
				.unconnected = true, .key = CASTER_KEY, .route = routes[i],
			};
			struct caster machine;

			config.inject_chunks = 8;
			config.receive_chunks = 8;
			config.queue_max = 1;
			caster_start(&machine, &config, &job);
			caster_once(&machine, roots[j], 7, 100000, i);
			caster_once(&machine, roots[j], 3, 20000, i);
			caster_once(&machine, roots[j], 4, 20000, i);
			caster_stop(&machine);
		}
}

static void test_cube_of_64(void **state)
{
	struct fake_config config = caster_shape(4, 4, 4, 0);
	struct caster machine;

	caster_start(&machine, &config, NULL);
	caster_once(&machine, 37, TORUS_BROADCAST_CUBE, 100000, 1);
	caster_stop(&machine);
}

/* The root sends each packet once, on the link of the packet's colour. */
static void test_root_sends_each_packet_once(void **state)
{
	static const uint32_t alongs[] = { 1, 3, 7 };
	struct fake_config config = caster_shape(4, 3, 2, 0);
	struct caster machine;
	unsigned int i;
	__u64 before;

	caster_start(&machine, &config, NULL);
	for (i = 0; i < 3; i++) {
		before = caster_counts(&machine, 5).sent_packets;
		caster_once(&machine, 5, alongs[i], 30000, i);
		assert_int_equal(caster_counts(&machine, 5).sent_packets - before,
				 caster_packets(30000));
	}
	caster_stop(&machine);
}

/* ------------------------------------------------------------- early packets */

/* Only the root has started the broadcast.  Its packets nevertheless reach the far corner. */
static void test_early_packets_are_kept_and_sent_on(void **state)
{
	struct fake_config config = caster_shape(4, 3, 2, 0);
	struct caster machine;
	unsigned int i, round;

	caster_start(&machine, &config, NULL);
	for (round = 0; round < 3; round++) {
		caster_begin(&machine, 7, 7, 7, 5000 + round, round);
		caster_finish(&machine, 1);
		free(machine.data[7]);
	}
	caster_settle(&machine);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < machine.nodes; i++) {
			if (i == 7)
				continue;
			assert_true(caster_counts(&machine, i).memory >= 5000);
			caster_begin(&machine, i, 7, 7, 5000 + round, round);
			assert_int_equal(torus_broadcast_test(machine.job[i], machine.handle[i]),
					 1);
			machine.handle[i] = NULL;
			caster_verify(&machine, i, 5000 + round, round);
		}
	}
	for (i = 0; i < machine.nodes; i++)
		assert_int_equal(caster_counts(&machine, i).memory, 0);
	assert_int_equal(caster_counts(&machine, 0).broadcasts, 3);
	caster_stop(&machine);
}

/*
 * A rank starts the broadcast late: it gets the bytes that have arrived early, and then the rest.
 */
static void test_asked_for_late(void **state)
{
	struct fake_config config = caster_shape(4, 3, 2, 0);
	struct caster machine;
	unsigned int i, step, running = 24;

	config.inject_chunks = 16;
	caster_start(&machine, &config, NULL);
	caster_begin(&machine, 0, 0, 7, 50000, 9);
	for (step = 0; running && step < CASTER_STEPS_MAX; step++) {
		if (step % 4 == 3 && step / 4 < 23)
			caster_begin(&machine, step / 4 + 1, 0, 7, 50000, 9);
		running -= caster_turn(&machine, 1);
	}
	assert_int_equal(running, 0);
	for (i = 0; i < machine.nodes; i++)
		caster_verify(&machine, i, 50000, 9);
	/* the last rank to start had some packets in memory */
	assert_in_range(caster_counts(&machine, 23).memory_peak, 50000, 60000);
	caster_stop(&machine);
}

static void test_memory_is_bounded(void **state)
{
	struct torus_job_config job = {
		.unconnected = true, .key = CASTER_KEY, .memory_max = 20000,
	};
	struct fake_config config = caster_shape(2, 1, 1, 0);
	struct caster machine;

	config.queue_max = 4;
	caster_start(&machine, &config, &job);
	caster_begin(&machine, 0, 0, 1, 10000, 0);
	caster_finish(&machine, 1);
	caster_settle(&machine);
	free(machine.data[0]);
	/* the first broadcast waits in memory, the second exceeds memory_max, and its root waits */
	caster_begin(&machine, 0, 0, 1, 10000, 1);
	while (torus_job_progress(machine.job[0]) + torus_job_progress(machine.job[1]) > 0 ||
	       fake_step(&machine.fake))
		;
	assert_int_equal(torus_broadcast_test(machine.job[0], machine.handle[0]), 0);
	assert_int_equal(torus_job_progress(machine.job[1]), -ENOBUFS);
	assert_in_range(caster_counts(&machine, 1).memory, 10000, 20000);
	caster_begin(&machine, 1, 0, 1, 10000, 0);
	assert_int_equal(torus_broadcast_test(machine.job[1], machine.handle[1]), 1);
	caster_verify(&machine, 1, 10000, 0);
	caster_begin(&machine, 1, 0, 1, 10000, 1);
	caster_finish(&machine, 2);
	caster_verify(&machine, 0, 10000, 1);
	caster_verify(&machine, 1, 10000, 1);
	caster_stop(&machine);
}

/* Broadcast along all lines in x at once, each from another root, and along the plane z = 1. */
static void test_many_at_a_time(void **state)
{
	struct fake_config config = caster_shape(4, 3, 2, 0);
	struct torus_broadcast *plane[24];
	unsigned char *bytes[24];
	struct caster machine;
	unsigned int i, running = 24;
	uint32_t step;

	config.inject_chunks = 16;
	config.receive_chunks = 16;
	caster_start(&machine, &config, NULL);
	for (i = 0; i < 24; i++) {
		uint32_t line = i / 4, root = 4 * line + line % 4;

		caster_begin(&machine, i, root, 1, 30000, line);
		bytes[i] = calloc(1, 10000);
		if (i == 13)
			caster_fill(bytes[i], 99, 10000);
		if (i / 12 == 1)
			assert_int_equal(torus_broadcast_start(machine.job[i], 13, 3, bytes[i],
							       10000, &plane[i]), 0);
	}
	for (step = 0; running && step < CASTER_STEPS_MAX; step++)
		running -= caster_turn(&machine, 1);
	assert_int_equal(running, 0);
	for (i = 12; i < 24; i++)
		machine.handle[i] = plane[i];
	caster_finish(&machine, 12);
	for (i = 0; i < 24; i++) {
		caster_verify(&machine, i, 30000, i / 4);
		machine.data[i] = bytes[i];
		if (i >= 12)
			caster_verify(&machine, i, 10000, 99);
		else
			free(bytes[i]);
	}
	caster_stop(&machine);
}

/*
 * ---------------------------------------------------------- machines whose packets leave no copies
 */

static void test_tree_of_every_root(void **state)
{
	static const uint32_t lengths[] = { 0, 1, 220, 221, 5 * PAYLOAD, 7 * PAYLOAD + 13 };
	struct fake_config config = caster_shape(4, 3, 2, 5);
	struct caster machine;
	uint32_t root, along, round = 0;

	caster_start(&machine, &config, NULL);
	caster_without_copies(&machine);
	for (root = 0; root < machine.nodes; root++)
		for (along = 1; along < 8; along++, round++)
			caster_once(&machine, root, along, lengths[round % 6], round);
	caster_stop(&machine);
}

static void test_tree_of_64(void **state)
{
	struct fake_config config = caster_shape(4, 4, 4, 0);
	struct caster machine;

	config.inject_chunks = 8;
	config.receive_chunks = 8;
	config.queue_max = 1;
	caster_start(&machine, &config, NULL);
	caster_without_copies(&machine);
	caster_once(&machine, 37, TORUS_BROADCAST_CUBE, 30000, 1);
	/* the root sends the bytes to at most four children */
	assert_true(caster_counts(&machine, 37).sent_packets <= 4 * caster_packets(30000));
	caster_stop(&machine);
}

/* A tree's messages wait until the rank starts the broadcast, and are forwarded then. */
static void test_tree_asked_for_late(void **state)
{
	struct fake_config config = caster_shape(4, 3, 2, 0);
	struct caster machine;
	unsigned int i;

	caster_start(&machine, &config, NULL);
	caster_without_copies(&machine);
	caster_begin(&machine, 5, 5, 7, 10000, 3);
	caster_settle(&machine);
	for (i = 0; i < machine.nodes; i++)
		if (i != 5)
			caster_begin(&machine, i, 5, 7, 10000, 3);
	caster_finish(&machine, machine.nodes);
	for (i = 0; i < machine.nodes; i++) {
		assert_int_equal(caster_counts(&machine, i).memory, 0);
		caster_verify(&machine, i, 10000, 3);
	}
	caster_stop(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_shape_and_root),
		cmocka_unit_test(test_full_fifos),
		cmocka_unit_test(test_cube_of_64),
		cmocka_unit_test(test_root_sends_each_packet_once),
		cmocka_unit_test(test_early_packets_are_kept_and_sent_on),
		cmocka_unit_test(test_asked_for_late),
		cmocka_unit_test(test_memory_is_bounded),
		cmocka_unit_test(test_many_at_a_time),
		cmocka_unit_test(test_tree_of_every_root),
		cmocka_unit_test(test_tree_of_64),
		cmocka_unit_test(test_tree_asked_for_late),
	};

	return cmocka_run_group_tests_name("broadcast", tests, NULL, NULL);
}
