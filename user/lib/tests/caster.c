// SPDX-License-Identifier: GPL-2.0
/* Run the broadcasts of all nodes in one thread: see caster.h. */
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

struct fake_config caster_shape(uint32_t x, uint32_t y, uint32_t z, uint32_t mesh)
{
	return (struct fake_config) {
		.nodes = x * y * z, .dims = { x, y, z }, .mesh = mesh,
		.inject_chunks = 64, .receive_chunks = 64, .shuffle = true,
	};
}

void caster_start(struct caster *machine, const struct fake_config *config,
		  const struct torus_job_config *how)
{
	struct torus_job_config job = { .unconnected = true, .key = CASTER_KEY };
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

/*
 * Give all contexts a machine without the deposit feature, so that broadcasts use a tree of
 * messages.
 */
void caster_without_copies(struct caster *machine)
{
	unsigned int i;

	machine->plain = *machine->fake.node[0].context->machine;
	machine->plain.can &= ~TORUS_MACHINE_CAN(TORUS_MACHINE_DEPOSIT);
	for (i = 0; i < machine->nodes; i++)
		machine->fake.node[i].context->machine = &machine->plain;
}

void caster_stop(struct caster *machine)
{
	unsigned int i;

	for (i = 0; i < machine->nodes; i++)
		torus_job_close(machine->job[i]);
	fake_stop(&machine->fake);
}

static unsigned char caster_content(uint32_t seed, uint32_t at)
{
	__u64 state = (__u64)seed << 32 | at / 8;

	return fake_random(&state) >> at % 8 * 8;
}

void caster_fill(unsigned char *bytes, uint32_t seed, uint32_t length)
{
	uint32_t i;

	for (i = 0; i < length; i++)
		bytes[i] = caster_content(seed, i);
}

struct torus_job_counts caster_counts(struct caster *machine, unsigned int node)
{
	struct torus_job_counts counts;

	torus_job_counts(machine->job[node], &counts);
	return counts;
}

bool caster_takes_part(struct caster *machine, uint32_t root, uint32_t along, uint32_t node)
{
	const struct torus_ioc_info *info = torus_context_info(machine->fake.node[root].context);
	struct broadcast_box box = { .along = along };

	memcpy(box.dims, info->dims, sizeof(box.dims));
	memcpy(box.root, info->coords, sizeof(box.root));
	return torus_broadcast_inside(&box,
				      torus_context_info(machine->fake.node[node].context)->coords);
}

/*
 * Start the broadcast at one rank.  Its buffer has exactly @length bytes, so that ASan finds an
 * access outside.
 */
void caster_begin(struct caster *machine, unsigned int node, uint32_t root, uint32_t along,
		  uint32_t length, uint32_t seed)
{
	machine->data[node] = malloc(length);
	if (node == root)
		caster_fill(machine->data[node], seed, length);
	else
		memset(machine->data[node], 0, length);
	if (torus_broadcast_start(machine->job[node], root, along, machine->data[node], length,
				  &machine->handle[node]))
		fail_msg("start: %s", torus_error_text());
}

/* Let each rank progress once.  Return: number of broadcasts that have ended. */
unsigned int caster_turn(struct caster *machine, int expected)
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

void caster_settle(struct caster *machine)
{
	unsigned int i;
	bool moved;

	do {
		moved = fake_step(&machine->fake);
		for (i = 0; i < machine->nodes; i++)
			moved |= torus_job_progress(machine->job[i]) > 0;
	} while (moved);
}

void caster_finish(struct caster *machine, unsigned int running)
{
	unsigned int step;

	for (step = 0; running && step < CASTER_STEPS_MAX; step++)
		running -= caster_turn(machine, 1);
	assert_int_equal(running, 0);
}

void caster_verify(struct caster *machine, unsigned int node, uint32_t length, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < length; i++)
		if (machine->data[node][i] != caster_content(seed, i))
			fail_msg("node %u: byte %u of %u is wrong", node, i, length);
	free(machine->data[node]);
	machine->data[node] = NULL;
}

uint32_t caster_packets(uint32_t length)
{
	return (length + 4 + PAYLOAD - 1) / PAYLOAD;
}

/* Run one broadcast, and check the bytes at each node and that each packet arrived once. */
void caster_once(struct caster *machine, uint32_t root, uint32_t along, uint32_t length,
		 uint32_t seed)
{
	__u64 received[FAKE_NODES_MAX], deposits = machine->fake.deposits;
	unsigned int i, inside = 0;

	for (i = 0; i < machine->nodes; i++) {
		received[i] = caster_counts(machine, i).received_packets;
		if (!caster_takes_part(machine, root, along, i))
			continue;
		caster_begin(machine, i, root, along, length, seed);
		inside++;
	}
	caster_finish(machine, inside);
	caster_settle(machine);
	for (i = 0; i < machine->nodes; i++) {
		struct torus_job_counts counts = caster_counts(machine, i);
		bool part = caster_takes_part(machine, root, along, i);

		if (part)
			caster_verify(machine, i, length, seed);
		assert_int_equal(counts.received_packets - received[i],
				 part && i != root ? caster_packets(length) : 0);
		assert_int_equal(counts.rejected_duplicate, 0);
		assert_int_equal(counts.rejected_key, 0);
		assert_int_equal(counts.rejected_mismatch, 0);
		assert_int_equal(counts.memory, 0);
	}
	assert_int_equal(machine->fake.deposits - deposits,
			 machine->plain.can ? 0 : (inside - 1) * caster_packets(length));
}
