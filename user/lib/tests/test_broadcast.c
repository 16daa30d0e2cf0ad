// SPDX-License-Identifier: GPL-2.0
/*
 * Broadcasts over the stand-in for the kernel: every shape and root, full rings,
 * overtaking packets, messages in between, and what is refused.
 *
 * Most of it runs in one thread, all ranks in turn, so that a rank which waits for
 * another inside a call would stand still for ever.
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
#include <torus/collective.h>
#include "../broadcast_schedule.h"
#include "fake.h"

#define KEY		0xb0adca57u
#define PAYLOAD		FAKE_PAYLOAD
#define STEPS_MAX	10000000	/* then it hangs */

/**
 * struct machine - a job on all nodes of a fabric, in this thread
 */
struct machine {
	struct fake fake;
	unsigned int nodes;
	struct torus_job *job[FAKE_NODES_MAX];
	unsigned char *data[FAKE_NODES_MAX];
	struct torus_broadcast *handle[FAKE_NODES_MAX];
};

static struct fake_config shape(__u32 x, __u32 y, __u32 z, __u32 mesh)
{
	return (struct fake_config) {
		.nodes = x * y * z, .dims = { x, y, z }, .mesh = mesh,
		.inject_chunks = 64, .receive_chunks = 64, .shuffle = true,
	};
}

static void machine_start(struct machine *machine, const struct fake_config *config,
			  const struct torus_job_config *how)
{
	struct torus_job_config job = { .key = KEY };
	unsigned int i;

	if (how)
		job = *how;
	memset(machine, 0, sizeof(*machine));
	fake_start(&machine->fake, config);
	machine->nodes = config->nodes;
	for (i = 0; i < machine->nodes; i++) {
		if (torus_job_open(&machine->job[i], machine->fake.node[i].context, &job))
			fail_msg("open: %s", torus_error_text());
	}
}

static void machine_stop(struct machine *machine)
{
	unsigned int i;

	for (i = 0; i < machine->nodes; i++)
		torus_job_close(machine->job[i]);
	fake_stop(&machine->fake);
}

static unsigned char content(__u32 seed, __u32 at)
{
	__u64 state = (__u64)seed << 32 | at / 8;

	return fake_random(&state) >> at % 8 * 8;
}

static void fill(unsigned char *bytes, __u32 seed, __u32 length)
{
	__u32 i;

	for (i = 0; i < length; i++)
		bytes[i] = content(seed, i);
}

static struct torus_job_counts counts_of(struct machine *machine, unsigned int node)
{
	struct torus_job_counts counts;

	torus_job_counts(machine->job[node], &counts);
	return counts;
}

static bool takes_part(struct machine *machine, __u32 root, __u32 along, __u32 node)
{
	const struct torus_ioc_info *info = torus_context_info(machine->fake.node[root].context);
	struct broadcast_box box = { .along = along };

	memcpy(box.dims, info->dims, sizeof(box.dims));
	memcpy(box.root, info->coords, sizeof(box.root));
	return torus_broadcast_inside(&box,
				      torus_context_info(machine->fake.node[node].context)->coords);
}

/* Exactly as long as they are, so that ASan sees an access outside. */
static void begin(struct machine *machine, unsigned int node, __u32 root, __u32 along,
		  __u32 length, __u32 seed)
{
	machine->data[node] = malloc(length);
	if (node == root)
		fill(machine->data[node], seed, length);
	else
		memset(machine->data[node], 0, length);
	if (torus_broadcast_start(machine->job[node], root, along, machine->data[node], length,
				  &machine->handle[node]))
		fail_msg("start: %s", torus_error_text());
}

/* Move on, all ranks once: how many broadcasts have ended. */
static unsigned int turn(struct machine *machine, int expected)
{
	unsigned int i, ended = 0;

	for (i = 0; i < machine->nodes; i++) {
		int ret;

		if (!machine->handle[i]) {
			torus_job_progress(machine->job[i]);
			continue;
		}
		ret = torus_broadcast_test(machine->job[i], machine->handle[i]);
		if (!ret)
			continue;
		if (ret != expected)
			fail_msg("node %u: %d: %s", i, ret, torus_error_text());
		machine->handle[i] = NULL;
		ended++;
	}
	fake_step(&machine->fake);
	return ended;
}

static void settle(struct machine *machine)
{
	unsigned int i;
	bool moved;

	do {
		moved = fake_step(&machine->fake);
		for (i = 0; i < machine->nodes; i++)
			moved |= torus_job_progress(machine->job[i]) > 0;
	} while (moved);
}

static void finish(struct machine *machine, unsigned int running)
{
	unsigned int step;

	for (step = 0; running && step < STEPS_MAX; step++)
		running -= turn(machine, 1);
	assert_int_equal(running, 0);
}

static void verify(struct machine *machine, unsigned int node, __u32 length, __u32 seed)
{
	__u32 i;

	for (i = 0; i < length; i++)
		if (machine->data[node][i] != content(seed, i))
			fail_msg("node %u: byte %u of %u is wrong", node, i, length);
	free(machine->data[node]);
	machine->data[node] = NULL;
}

static __u32 packets_of(__u32 length)
{
	return (length + 4 + PAYLOAD - 1) / PAYLOAD;
}

/* One broadcast: right at each node, and exactly one copy of each packet there. */
static void broadcast_once(struct machine *machine, __u32 root, __u32 along, __u32 length,
			   __u32 seed)
{
	__u64 received[FAKE_NODES_MAX], deposits = machine->fake.deposits;
	unsigned int i, inside = 0;

	for (i = 0; i < machine->nodes; i++) {
		received[i] = counts_of(machine, i).received_packets;
		if (!takes_part(machine, root, along, i))
			continue;
		begin(machine, i, root, along, length, seed);
		inside++;
	}
	finish(machine, inside);
	settle(machine);
	for (i = 0; i < machine->nodes; i++) {
		struct torus_job_counts counts = counts_of(machine, i);
		bool part = takes_part(machine, root, along, i);

		if (part)
			verify(machine, i, length, seed);
		assert_int_equal(counts.received_packets - received[i],
				 part && i != root ? packets_of(length) : 0);
		assert_int_equal(counts.rejected_duplicate, 0);
		assert_int_equal(counts.rejected_key, 0);
		assert_int_equal(counts.rejected_mismatch, 0);
		assert_int_equal(counts.memory, 0);
	}
	assert_int_equal(machine->fake.deposits - deposits, (inside - 1) * packets_of(length));
}

/* The shapes' own number makes sizes differ from one to the next. */
static void every_root(const struct fake_config *config)
{
	static const __u32 lengths[] = { 0, 1, 220, 221, 5 * PAYLOAD, 7 * PAYLOAD + 13 };
	struct machine machine;
	__u32 root, along, round = 0;

	machine_start(&machine, config, NULL);
	for (root = 0; root < machine.nodes; root++)
		for (along = 1; along < 8; along++, round++)
			broadcast_once(&machine, root, along, lengths[round % 6], round);
	machine_stop(&machine);
}

static void test_every_shape_and_root(void **state)
{
	static const __u32 meshes[] = { 0, 7, 2, 5 };
	struct fake_config config;
	__u32 x, y, z, i;

	for (x = 1; x <= 4; x++)
		for (y = 1; y <= 3; y++)
			for (z = 1; z <= 2; z++)
				for (i = 0; i < 4; i++) {
					config = shape(x, y, z, meshes[i]);
					every_root(&config);
				}
}

/* Rings of one packet, queues of one: injection is full all the time. */
static void test_full_fifos(void **state)
{
	static const enum torus_route routes[] = {
		TORUS_ROUTE_DYNAMIC, TORUS_ROUTE_ORDERED, TORUS_ROUTE_PRIORITY,
	};
	static const __u32 roots[] = { 0, 23, 10 };
	unsigned int i, j;

	for (i = 0; i < 3; i++)
		for (j = 0; j < 3; j++) {
			struct fake_config config = shape(4, 3, 2, j == 2 ? 5 : 0);
			struct torus_job_config job = { .key = KEY, .route = routes[i] };
			struct machine machine;

			config.inject_chunks = 8;
			config.receive_chunks = 8;
			config.queue_max = 1;
			machine_start(&machine, &config, &job);
			broadcast_once(&machine, roots[j], 7, 100000, i);
			broadcast_once(&machine, roots[j], 3, 20000, i);
			broadcast_once(&machine, roots[j], 4, 20000, i);
			machine_stop(&machine);
		}
}

static void test_cube_of_64(void **state)
{
	struct fake_config config = shape(4, 4, 4, 0);
	struct machine machine;

	machine_start(&machine, &config, NULL);
	broadcast_once(&machine, 37, TORUS_BROADCAST_CUBE, 100000, 1);
	machine_stop(&machine);
}

/* Each colour has its share: the root sends packets / colours on each link. */
static void test_root_sends_each_packet_once(void **state)
{
	static const __u32 alongs[] = { 1, 3, 7 };
	struct fake_config config = shape(4, 3, 2, 0);
	struct machine machine;
	unsigned int i;
	__u64 before;

	machine_start(&machine, &config, NULL);
	for (i = 0; i < 3; i++) {
		before = counts_of(&machine, 5).sent_packets;
		broadcast_once(&machine, 5, alongs[i], 30000, i);
		assert_int_equal(counts_of(&machine, 5).sent_packets - before, packets_of(30000));
	}
	machine_stop(&machine);
}

/* ------------------------------------------------------------- what comes early */

/* Nobody but the root has asked, and it reaches the far corner all the same. */
static void test_early_packets_are_kept_and_sent_on(void **state)
{
	struct fake_config config = shape(4, 3, 2, 0);
	struct machine machine;
	unsigned int i, round;

	machine_start(&machine, &config, NULL);
	for (round = 0; round < 3; round++) {
		begin(&machine, 7, 7, 7, 5000 + round, round);
		finish(&machine, 1);
		free(machine.data[7]);
	}
	settle(&machine);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < machine.nodes; i++) {
			if (i == 7)
				continue;
			assert_true(counts_of(&machine, i).memory >= 5000);
			begin(&machine, i, 7, 7, 5000 + round, round);
			assert_int_equal(torus_broadcast_test(machine.job[i], machine.handle[i]),
					 1);
			machine.handle[i] = NULL;
			verify(&machine, i, 5000 + round, round);
		}
	}
	for (i = 0; i < machine.nodes; i++)
		assert_int_equal(counts_of(&machine, i).memory, 0);
	assert_int_equal(counts_of(&machine, 0).broadcasts, 3);
	machine_stop(&machine);
}

/* Asked for in the middle of it: what came early is taken over, the rest follows. */
static void test_asked_for_late(void **state)
{
	struct fake_config config = shape(4, 3, 2, 0);
	struct machine machine;
	unsigned int i, step, running = 24;

	config.inject_chunks = 16;
	machine_start(&machine, &config, NULL);
	begin(&machine, 0, 0, 7, 50000, 9);
	for (step = 0; running && step < STEPS_MAX; step++) {
		if (step % 4 == 3 && step / 4 < 23)
			begin(&machine, step / 4 + 1, 0, 7, 50000, 9);
		running -= turn(&machine, 1);
	}
	assert_int_equal(running, 0);
	for (i = 0; i < machine.nodes; i++)
		verify(&machine, i, 50000, 9);
	/* The last to ask had some of it by then. */
	assert_in_range(counts_of(&machine, 23).memory_peak, 50000, 60000);
	machine_stop(&machine);
}

static void test_memory_is_bounded(void **state)
{
	struct torus_job_config job = { .key = KEY, .memory_max = 20000 };
	struct fake_config config = shape(2, 1, 1, 0);
	struct machine machine;

	config.queue_max = 4;
	machine_start(&machine, &config, &job);
	begin(&machine, 0, 0, 1, 10000, 0);
	finish(&machine, 1);
	settle(&machine);
	free(machine.data[0]);
	/* The first waits in memory, the second does not fit, and its root waits. */
	begin(&machine, 0, 0, 1, 10000, 1);
	while (torus_job_progress(machine.job[0]) + torus_job_progress(machine.job[1]) > 0 ||
	       fake_step(&machine.fake))
		;
	assert_int_equal(torus_broadcast_test(machine.job[0], machine.handle[0]), 0);
	assert_int_equal(torus_job_progress(machine.job[1]), -ENOBUFS);
	assert_in_range(counts_of(&machine, 1).memory, 10000, 20000);
	begin(&machine, 1, 0, 1, 10000, 0);
	assert_int_equal(torus_broadcast_test(machine.job[1], machine.handle[1]), 1);
	verify(&machine, 1, 10000, 0);
	begin(&machine, 1, 0, 1, 10000, 1);
	finish(&machine, 2);
	verify(&machine, 0, 10000, 1);
	verify(&machine, 1, 10000, 1);
	machine_stop(&machine);
}

/* All lines of the machine at once, each from another root, and planes across them. */
static void test_many_at_a_time(void **state)
{
	struct fake_config config = shape(4, 3, 2, 0);
	struct torus_broadcast *plane[24];
	unsigned char *bytes[24];
	struct machine machine;
	unsigned int i, running = 24;
	__u32 step;

	config.inject_chunks = 16;
	config.receive_chunks = 16;
	machine_start(&machine, &config, NULL);
	for (i = 0; i < 24; i++) {
		__u32 line = i / 4, root = 4 * line + line % 4;

		begin(&machine, i, root, 1, 30000, line);
		bytes[i] = calloc(1, 10000);
		if (i == 13)
			fill(bytes[i], 99, 10000);
		if (i / 12 == 1)
			assert_int_equal(torus_broadcast_start(machine.job[i], 13, 3, bytes[i],
							       10000, &plane[i]), 0);
	}
	for (step = 0; running && step < STEPS_MAX; step++)
		running -= turn(&machine, 1);
	assert_int_equal(running, 0);
	for (i = 12; i < 24; i++)
		machine.handle[i] = plane[i];
	finish(&machine, 12);
	for (i = 0; i < 24; i++) {
		verify(&machine, i, 30000, i / 4);
		machine.data[i] = bytes[i];
		if (i >= 12)
			verify(&machine, i, 10000, 99);
		else
			free(bytes[i]);
	}
	machine_stop(&machine);
}

/* ------------------------------------------------------- messages in between, garbage */

static void test_messages_in_between(void **state)
{
	static const char text[] = "a message in between";
	struct fake_config config = shape(4, 3, 2, 0);
	struct torus_message_info info;
	struct machine machine;
	char data[64];
	unsigned int i;

	config.inject_chunks = 16;
	config.receive_chunks = 16;
	config.duplicate = 3;
	config.garbage = 2;
	machine_start(&machine, &config, NULL);
	for (i = 0; i < 24; i++) {
		assert_int_equal(torus_message_start(machine.job[i], (i + 5) % 24, 7, text,
						     sizeof(text), NULL), 0);
		begin(&machine, i, 3, 7, 20000, 1);
		assert_int_equal(torus_message_start(machine.job[i], (i + 5) % 24, 8, text,
						     sizeof(text), NULL), 0);
	}
	finish(&machine, 24);
	settle(&machine);
	for (i = 0; i < 24; i++) {
		struct torus_job_counts counts;

		verify(&machine, i, 20000, 1);
		assert_int_equal(torus_message_receive(machine.job[i], (i + 19) % 24, 7, data,
						       sizeof(data), &info, 0), 0);
		assert_int_equal(torus_message_receive(machine.job[i], TORUS_MESSAGE_ANY,
						       TORUS_MESSAGE_ANY, data, sizeof(data),
						       &info, 0), 0);
		assert_int_equal(info.tag, 8);
		assert_string_equal(data, text);
		counts = counts_of(&machine, i);
		assert_int_equal(counts.received_packets, 2 + (i == 3 ? 0 : packets_of(20000)));
		assert_int_equal(counts.damaged, 0);
		assert_int_equal(counts.memory, 0);
	}
	assert_true(machine.fake.duplicates > 0 && machine.fake.garbage > 0);
	machine_stop(&machine);
}

static void test_damage_is_reported_everywhere_behind_it(void **state)
{
	struct fake_config config = shape(4, 1, 1, 0);
	struct machine machine;
	unsigned int i, bad = 0;

	config.corrupt = 3;
	machine_start(&machine, &config, NULL);
	for (i = 0; i < 4; i++)
		begin(&machine, i, 1, 1, 3000, 1);
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
	/* It was one packet of a line, of which all but the root have a copy. */
	assert_int_equal(bad, 3);
	for (i = 0; i < 4; i++) {
		assert_int_equal(counts_of(&machine, i).damaged, i != 1);
		free(machine.data[i]);
	}
	machine_stop(&machine);
}

static void test_lost_packet_ends_in_time(void **state)
{
	struct fake_config config = shape(4, 1, 1, 0);
	struct machine machine;

	config.lose = 2;
	machine_start(&machine, &config, NULL);
	begin(&machine, 0, 0, 1, 3000, 1);
	begin(&machine, 2, 0, 1, 3000, 1);
	finish(&machine, 1);
	settle(&machine);
	assert_int_equal(torus_broadcast_wait(machine.job[2], machine.handle[2], 0), -EAGAIN);
	assert_int_equal(torus_broadcast_wait(machine.job[2], machine.handle[2], 20), -ETIMEDOUT);
	torus_broadcast_cancel(machine.job[2], machine.handle[2]);
	free(machine.data[0]);
	free(machine.data[2]);
	machine_stop(&machine);
}

static void test_lengths_that_differ(void **state)
{
	struct fake_config config = shape(3, 1, 1, 0);
	struct machine machine;
	struct torus_broadcast *handle;
	unsigned char data[200];
	unsigned int step;
	int ret = 0;

	machine_start(&machine, &config, NULL);
	begin(&machine, 1, 0, 1, 99, 0);
	begin(&machine, 0, 0, 1, 100, 0);
	for (step = 0; !ret && step < 1000; step++) {
		turn(&machine, 1);
		ret = torus_broadcast_test(machine.job[1], machine.handle[1]);
	}
	assert_int_equal(ret, -EMSGSIZE);
	assert_string_equal(torus_error_text(), "broadcast 0 from rank 0: it does not have 99 bytes");
	settle(&machine);
	assert_int_equal(torus_broadcast_start(machine.job[2], 0, 1, data, 200, &handle),
			 -EMSGSIZE);
	assert_string_equal(torus_error_text(), "broadcast from rank 0: it has 100 bytes, not 200");
	free(machine.data[0]);
	free(machine.data[1]);
	machine_stop(&machine);
}

/* ------------------------------------------------------------------- what is refused */

static void start_refused(struct torus_job *job, __u32 root, __u32 along, __u32 length,
			  int error, const char *text)
{
	struct torus_broadcast *handle;
	static unsigned char data[64];

	assert_int_equal(torus_broadcast_start(job, root, along, data, length, &handle), error);
	assert_string_equal(torus_error_text(), text);
}

static void test_refused(void **state)
{
	/* 3x2x1, of which node 4 at 1,1,0 is missing and node 5 is in the other group */
	static const struct torus_member members[] = {
		{ .node = 2 }, { .node = 1 }, { .node = 0 }, { .node = 3 },
		{ .node = 5, .group = 1 },
	};
	struct torus_job_config config = {
		.key = KEY, .members = members, .count = 5, .length_max = 60,
	};
	struct fake_config fabric = shape(3, 2, 1, 0);
	struct torus_broadcast *handle;
	unsigned char data[60] = { 0 };
	struct torus_job *job;
	struct fake fake;

	fake_start(&fake, &fabric);
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &config), 0);
	start_refused(job, 5, 1, 8, -EINVAL, "rank 5: the job has 5");
	start_refused(job, 2, 0, 8, -EINVAL, "broadcast along dimensions 0: 1 to 0x7");
	start_refused(job, 2, 8, 8, -EINVAL, "broadcast along dimensions 0x8: 1 to 0x7");
	start_refused(job, 2, 1, 61, -EMSGSIZE, "broadcast of 61 bytes, length_max is 60");
	start_refused(job, 3, 1, 8, -EINVAL,
		      "broadcast from rank 3: the job has no rank at node 4 (1,1,0), FIFO group 0");
	start_refused(job, 2, 3, 8, -EINVAL,
		      "broadcast from rank 2: the job has no rank at node 4 (1,1,0), FIFO group 0");
	start_refused(job, 4, 3, 8, -EINVAL,
		      "broadcast from rank 4, which is in FIFO group 1: rank 2 is in group 0");
	/* Its own row and column are covered. */
	start_refused(job, 0, 2, 8, -EINVAL,
		      "broadcast from rank 0: the job has no rank at node 5 (2,1,0), FIFO group 0");
	start_refused(job, 1, 4, 8, -EINVAL,
		      "broadcast from rank 1: rank 2 is at 0,0,0, not in its line or plane");
	assert_int_equal(torus_broadcast_start(job, 0, 1, data, 60, &handle), 0);
	assert_int_equal(torus_broadcast_start(job, 3, 2, data, 60, &handle), 0);
	/* Alone in its line. */
	assert_int_equal(torus_broadcast(job, 2, 4, data, 60, 1000), 0);
	/* Closed while they are open, for ASan. */
	torus_job_close(job);
	fake_stop(&fake);
}

/* Rows go straight on; those without anything dead are as before. */
static void test_nothing_dead_on_the_way(void **state)
{
	struct fake_config config = shape(4, 3, 2, 0);
	struct torus_job_config job = { .key = KEY };
	struct torus_job *one;
	struct fake fake;

	config.dead = 1 << 6;
	fake_start(&fake, &config);
	assert_int_equal(torus_job_open(&one, fake.node[4].context, &job), 0);
	start_refused(one, 4, 1, 8, -EHOSTUNREACH, "broadcast from rank 4: link x+ of node 5 is dead");
	start_refused(one, 5, 7, 8, -EHOSTUNREACH, "broadcast from rank 5: link y+ of node 2 is dead");
	start_refused(one, 6, 1, 8, -EHOSTUNREACH, "broadcast from rank 6: link x+ of node 5 is dead");
	torus_job_close(one);
	assert_int_equal(torus_job_open(&one, fake.node[6].context, &job), 0);
	start_refused(one, 6, 4, 8, -EHOSTUNREACH, "broadcast from rank 6: node 6 is dead");
	torus_job_close(one);
	fake_stop(&fake);
}

static void test_lines_beside_the_dead(void **state)
{
	struct fake_config config = shape(4, 3, 2, 0);
	struct machine machine;

	config.dead = 1 << 6;
	machine_start(&machine, &config, NULL);
	broadcast_once(&machine, 9, 1, 3000, 1);
	broadcast_once(&machine, 21, 3, 3000, 2);
	machine_stop(&machine);
}

/* What somebody who knows the key might send. */
static void test_unlikely_packets_are_counted(void **state)
{
	struct torus_job_config job = { .key = KEY, .length_max = 1000 };
	struct fake_config config = shape(4, 3, 1, 0);
	struct torus_job_counts before, after;
	struct machine machine;

	machine_start(&machine, &config, NULL);
	torus_job_close(machine.job[1]);
	assert_int_equal(torus_job_open(&machine.job[1], machine.fake.node[1].context, &job), 0);
	before = counts_of(&machine, 1);
	begin(&machine, 0, 0, 1, 2000, 1);
	finish(&machine, 1);
	settle(&machine);
	after = counts_of(&machine, 1);
	assert_int_equal(after.rejected_size - before.rejected_size, packets_of(2000));
	assert_int_equal(after.memory, 0);
	free(machine.data[0]);
	/* Another job's. */
	torus_job_close(machine.job[1]);
	job.key ^= 1;
	assert_int_equal(torus_job_open(&machine.job[1], machine.fake.node[1].context, &job), 0);
	begin(&machine, 0, 0, 1, 100, 1);
	finish(&machine, 1);
	settle(&machine);
	assert_int_equal(counts_of(&machine, 1).rejected_key, packets_of(100));
	assert_int_equal(counts_of(&machine, 2).rejected_key, 0);
	free(machine.data[0]);
	machine_stop(&machine);
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
		cmocka_unit_test(test_messages_in_between),
		cmocka_unit_test(test_damage_is_reported_everywhere_behind_it),
		cmocka_unit_test(test_lost_packet_ends_in_time),
		cmocka_unit_test(test_lengths_that_differ),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_nothing_dead_on_the_way),
		cmocka_unit_test(test_lines_beside_the_dead),
		cmocka_unit_test(test_unlikely_packets_are_counted),
	};

	return cmocka_run_group_tests_name("broadcast", tests, NULL, NULL);
}
