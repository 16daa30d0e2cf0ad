// SPDX-License-Identifier: GPL-2.0
/*
 * Test numbers of nodes: the orders of the machines, gaps, and jobs whose ranks differ from the
 * numbers.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/collective.h>
#include "core/tests/says.h"
#include "../context/node_number.h"
#include "fake.h"

#define GAP	5

/* Check that all coordinates have different numbers, and no other number has coordinates. */
static void expect_numbering(const struct torus_numbering *numbering, uint32_t ndims,
			     const uint32_t *dims)
{
	uint32_t at[TORUS_DIMS_MAX] = { 0 }, back[TORUS_DIMS_MAX], nodes = 1, found = 0, dim, node;
	unsigned char *taken = calloc(numbering->last + 1ull, 1);

	for (dim = 0; dim < ndims; dim++)
		nodes *= dims[dim];
	for (;;) {
		node = torus_numbering_number(numbering, ndims, dims, at);
		assert_in_range(node, 0, numbering->last);
		assert_false(taken[node]++);
		assert_true(torus_numbering_place(numbering, ndims, dims, node, back));
		assert_memory_equal(at, back, ndims * sizeof(*at));
		for (dim = 0; dim < ndims && ++at[dim] == dims[dim]; dim++)
			at[dim] = 0;
		if (dim == ndims)
			break;
	}
	for (node = 0; node <= numbering->last; node++)
		found += torus_numbering_place(numbering, ndims, dims, node, back);
	assert_int_equal(found, nodes);
	assert_false(torus_numbering_place(numbering, ndims, dims, numbering->last + 1, back));
	free(taken);
}

static void test_x_fastest(void **state)
{
	const uint32_t dims[] = { 4, 5, 6 };
	const struct torus_numbering numbering = {
		.last = 119, .split = { 4, 5, 6 }, .stride = { 1, 4, 20 },
	};

	expect_numbering(&numbering, 3, dims);
}

/* Tofu: groups of 12, x fastest, and within a group a + 2 (b + 3 c) */
static void test_group_major(void **state)
{
	const uint32_t dims[] = { 3, 2, 2, 2, 3, 2 };
	const struct torus_numbering numbering = {
		.last = 143, .split = { 3, 2, 2, 2, 3, 2 }, .stride = { 12, 36, 72, 1, 2, 6 },
	};

	expect_numbering(&numbering, 6, dims);
}

/* The XT's NIDs: z fastest within a region of 4 x, and regions that begin 4096 apart */
static void test_regions(void **state)
{
	const uint32_t dims[] = { 10, 3, 5 };
	const struct torus_numbering numbering = {
		.last = 2 * 4096 + 15 + 10 + 4, .split = { 4, 3, 5 }, .stride = { 15, 5, 1 },
		.jump = { 4096 },
	};
	uint32_t at[3];

	expect_numbering(&numbering, 3, dims);
	assert_true(torus_numbering_place(&numbering, 3, dims, 4096 + 15 + 5 + 1, at));
	assert_int_equal(at[0], 5);
	assert_int_equal(at[1], 1);
	assert_int_equal(at[2], 1);
	assert_false(torus_numbering_place(&numbering, 3, dims, 60, at));
}

static void test_names_of_gaps(void **state)
{
	const struct torus_fabric_info fabric = {
		.name = "gaps", .arch = "bgl", .ndims = 3, .dims = { 2, 2, 2 }, .nodes = 8,
		.numbering = { .last = 7 + GAP, .split = { 2, 2, 2 }, .stride = { 1, 2, 4 + GAP } },
	};
	uint32_t nodes[8], node;

	torus_fabric_nodes(&fabric, nodes);
	assert_int_equal(nodes[3], 3);
	assert_int_equal(nodes[4], 4 + GAP);
	assert_int_equal(nodes[7], 7 + GAP);
	assert_int_equal(torus_fabric_node(&fabric, "1,1,1", &node), 0);
	assert_int_equal(node, 7 + GAP);
	assert_int_equal(torus_fabric_node(&fabric, "9", &node), 0);
	assert_int_equal(node, 9);
	assert_int_equal(torus_fabric_node(&fabric, "8", &node), -ERANGE);
	assert_says(torus_error_text(), "node 8 12");
}

/* Let all ranks progress in one thread until no packet moves any more. */
static void settle(struct fake *fake, struct torus_job **jobs, unsigned int count)
{
	unsigned int i;
	bool moved;

	do {
		moved = fake_step(fake);
		for (i = 0; i < count; i++)
			moved |= torus_job_progress(jobs[i]) > 0;
	} while (moved);
}

static void test_job_over_gaps(void **state)
{
	static const struct fake_config config = {
		.nodes = 8, .inject_chunks = 64, .receive_chunks = 64, .gap = GAP,
	};
	const struct torus_job_config how = {
		.unconnected = true, .key = 1, .route = TORUS_ROUTE_ORDERED,
	};
	struct torus_broadcast *handles[8];
	uint32_t data[8] = { 0 }, got;
	struct torus_job *jobs[8];
	struct fake fake;
	unsigned int i;

	fake_start(&fake, &config);
	for (i = 0; i < 8; i++) {
		assert_int_equal(torus_job_open(&jobs[i], fake.node[i].context, &how), 0);
		assert_int_equal(torus_job_rank(jobs[i]), i);
		assert_int_equal(torus_job_size(jobs[i]), 8);
	}
	assert_int_equal(torus_job_rank_at(jobs[0], 7 + GAP), 7);
	assert_int_equal(torus_job_rank_at(jobs[0], 4), TORUS_RANK_NONE);
	for (i = 1; i < 8; i++)
		assert_int_equal(torus_message_start(jobs[0], i, i, &data[i], sizeof(data[i]),
						     NULL), 0);
	settle(&fake, jobs, 8);
	for (i = 1; i < 8; i++)
		assert_int_equal(torus_message_receive(jobs[i], 0, i, &got, sizeof(got), NULL, 0),
				 0);
	data[7] = 42;
	for (i = 0; i < 8; i++)
		assert_int_equal(torus_broadcast_start(jobs[i], 7, TORUS_BROADCAST_CUBE, &data[i],
						       sizeof(data[i]), &handles[i]), 0);
	settle(&fake, jobs, 8);
	for (i = 0; i < 8; i++) {
		assert_int_equal(torus_broadcast_test(jobs[i], handles[i]), 1);
		assert_int_equal(data[i], 42);
		torus_job_close(jobs[i]);
	}
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x_fastest),
		cmocka_unit_test(test_group_major),
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_names_of_gaps),
		cmocka_unit_test(test_job_over_gaps),
	};

	return cmocka_run_group_tests_name("node numbers", tests, NULL, NULL);
}
