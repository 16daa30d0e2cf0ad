// SPDX-License-Identifier: GPL-2.0
/* Test the view of a job: ranks, coordinates and neighbours. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/message.h>
#include "core/tests/says.h"
#include "../context/node_number.h"
#include "../job/job.h"
#include "../job/view.h"

static const uint32_t lengths[] = { 4, 3, 2 };

/* Each rank has its own coordinates, the first axis fastest, and neighbours one step away. */
static void test_places(void **state)
{
	struct torus_job job = { .config.count = 24 };
	uint32_t rank, axis, dir, found[TORUS_DIMS_MAX] = { 0 }, at[TORUS_DIMS_MAX];

	assert_int_equal(torus_job_take_view(&job, 3, lengths), 0);
	assert_int_equal(torus_job_view(&job, found), 3);
	assert_memory_equal(found, lengths, sizeof(lengths));
	assert_int_equal(torus_job_view(&job, NULL), 3);
	for (rank = 0; rank < 24; rank++) {
		assert_int_equal(torus_job_coords(&job, rank, at), 0);
		assert_int_equal(at[0] + 4 * (at[1] + 3 * at[2]), rank);
		assert_int_equal(torus_job_rank_of(&job, at), rank);
		for (dir = 0; dir < 6; dir++) {
			uint32_t next = torus_job_neighbor(&job, rank, dir), there[TORUS_DIMS_MAX];

			assert_int_equal(torus_job_coords(&job, next, there), 0);
			for (axis = 0; axis < 3; axis++) {
				uint32_t step = axis != dir / 2 ? 0 :
					     dir % 2 ? lengths[axis] - 1 : 1;

				assert_int_equal((at[axis] + step) % lengths[axis], there[axis]);
			}
			assert_int_equal(torus_job_neighbor(&job, next, dir ^ 1), rank);
		}
	}
}

static void test_beyond(void **state)
{
	const uint32_t outside[] = { 0, 3, 0 };
	struct torus_job job = { .config.count = 24 };
	uint32_t at[TORUS_DIMS_MAX];

	assert_int_equal(torus_job_take_view(&job, 3, lengths), 0);
	assert_int_equal(torus_job_coords(&job, 24, at), -ERANGE);
	assert_says(torus_error_text(), "rank 24 job");
	assert_int_equal(torus_job_rank_of(&job, outside), TORUS_RANK_NONE);
	assert_int_equal(torus_job_neighbor(&job, 24, 0), TORUS_RANK_NONE);
	assert_int_equal(torus_job_neighbor(&job, 0, 6), TORUS_RANK_NONE);
}

/* A job without a configured view, on a fabric whose second dimension is a mesh. */
struct plain {
	struct torus_context context;
	struct torus_member members[48];
	struct torus_job job;
};

static void plain_init(struct plain *plain, const uint32_t *dims)
{
	struct torus_ioc_info *info = &plain->context.info;
	uint32_t dim, nodes = 1;

	memset(plain, 0, sizeof(*plain));
	info->ndims = 3;
	info->mesh = 2;
	for (dim = 0; dim < 3; dim++) {
		info->dims[dim] = dims[dim];
		info->numbering.split[dim] = dims[dim];
		info->numbering.stride[dim] = nodes;
		nodes *= dims[dim];
	}
	info->numbering.last = nodes - 1;
	info->nodes = nodes;
	plain->job.context = &plain->context;
}

static void plain_add(struct plain *plain, uint32_t x, uint32_t y, uint32_t z, uint32_t group)
{
	const struct torus_ioc_info *info = &plain->context.info;
	const uint32_t at[] = { x, y, z };

	plain->members[plain->job.config.count++] = (struct torus_member){
		.node = torus_numbering_number(&info->numbering, 3, info->dims, at),
		.group = group,
	};
	plain->job.config.members = plain->members;
}

/* Make the nodes of a box the members, x fastest. */
static void plain_box(struct plain *plain, const uint32_t *at, const uint32_t *shape,
		      uint32_t group)
{
	const uint32_t *dims = plain->context.info.dims;
	uint32_t x, y, z;

	for (z = at[2]; z < at[2] + shape[2]; z++)
		for (y = at[1]; y < at[1] + shape[1]; y++)
			for (x = at[0]; x < at[0] + shape[0]; x++)
				plain_add(plain, x % dims[0], y % dims[1], z % dims[2], group);
}

static void assert_shape(struct plain *plain, const uint32_t *shape)
{
	uint32_t found[TORUS_DIMS_MAX] = { 0 };

	assert_int_equal(torus_job_take_view(&plain->job, 0, NULL), 0);
	assert_int_equal(torus_job_view(&plain->job, found), 3);
	assert_memory_equal(found, shape, 3 * sizeof(*shape));
}

static void assert_ring(struct plain *plain)
{
	uint32_t count = plain->job.config.count, length = 0;

	assert_int_equal(torus_job_take_view(&plain->job, 0, NULL), 0);
	assert_int_equal(torus_job_view(&plain->job, &length), 1);
	assert_int_equal(length, count);
	assert_int_equal(torus_job_neighbor(&plain->job, count - 1, 0), 0);
	assert_int_equal(torus_job_neighbor(&plain->job, 0, 1), count - 1);
}

/* Check the neighbours of a rank in the six directions. */
static void assert_next(const struct plain *plain, uint32_t rank, const uint32_t *next)
{
	uint32_t dir;

	for (dir = 0; dir < 6; dir++)
		assert_int_equal(torus_job_neighbor(&plain->job, rank, dir), next[dir]);
}

#define NONE TORUS_RANK_NONE

/* All nodes of the fabric, with and without a list of members. */
static void test_fabric(void **state)
{
	static const uint32_t origin[3];
	struct plain plain;

	plain_init(&plain, lengths);
	plain.job.config.count = 24;
	assert_shape(&plain, lengths);
	assert_next(&plain, 0, (const uint32_t[]){ 1, 3, 4, NONE, 12, 12 });
	assert_next(&plain, 23, (const uint32_t[]){ 20, 22, NONE, 19, 11, 11 });
	plain.job.config.count = 0;
	plain_box(&plain, origin, lengths, 0);
	assert_shape(&plain, lengths);
	assert_next(&plain, 7, (const uint32_t[]){ 4, 6, 11, 3, 19, 19 });
}

/*
 * On an axis of length 1 that is a ring, a rank is its own neighbour.  On a mesh of length 1 it has
 * none.
 */
static void test_short(void **state)
{
	struct plain plain;

	plain_init(&plain, (const uint32_t[]){ 5, 1, 1 });
	plain.job.config.count = 5;
	assert_shape(&plain, (const uint32_t[]){ 5, 1, 1 });
	assert_next(&plain, 4, (const uint32_t[]){ 0, 3, NONE, NONE, 4, 4 });
}

static void test_box(void **state)
{
	static const uint32_t at[] = { 3, 1, 1 }, shape[] = { 2, 2, 1 };
	struct plain plain;

	/* a box that wraps around in x from 3 to 0 is no ring, because it does not fill x */
	plain_init(&plain, lengths);
	plain_box(&plain, at, shape, 1);
	assert_shape(&plain, shape);
	assert_next(&plain, 0, (const uint32_t[]){ 1, NONE, 2, NONE, NONE, NONE });
	assert_next(&plain, 3, (const uint32_t[]){ NONE, 2, NONE, 1, NONE, NONE });
	/* a box of all nodes in x, which starts at the second node */
	plain_init(&plain, lengths);
	plain_box(&plain, (const uint32_t[]){ 1, 0, 0 }, (const uint32_t[]){ 4, 2, 1 }, 0);
	assert_shape(&plain, (const uint32_t[]){ 4, 2, 1 });
	assert_next(&plain, 3, (const uint32_t[]){ 0, 2, 7, NONE, NONE, NONE });
}

/* Ranks whose nodes are no box, or in another order. */
static void test_ring_of_all(void **state)
{
	struct plain plain;

	plain_init(&plain, lengths);
	plain.job.config.count = 5;
	assert_ring(&plain);
	/* y first */
	plain_init(&plain, lengths);
	plain_add(&plain, 0, 0, 0, 0);
	plain_add(&plain, 0, 1, 0, 0);
	plain_add(&plain, 1, 0, 0, 0);
	plain_add(&plain, 1, 1, 0, 0);
	assert_ring(&plain);
	/* the box would extend beyond the edge of the mesh */
	plain_init(&plain, lengths);
	plain_add(&plain, 0, 2, 0, 0);
	plain_add(&plain, 0, 0, 0, 0);
	assert_ring(&plain);
	/* the number of nodes equals that of a box, but one node is elsewhere */
	plain_init(&plain, lengths);
	plain_add(&plain, 0, 0, 0, 0);
	plain_add(&plain, 1, 0, 0, 0);
	plain_add(&plain, 0, 1, 0, 0);
	plain_add(&plain, 1, 2, 0, 0);
	assert_ring(&plain);
}

/* Two ranks per node.  Ranks count the groups of a node first, or all nodes first. */
static void test_two_per_node(void **state)
{
	static const uint32_t origin[3];
	struct plain plain;
	uint32_t x;

	plain_init(&plain, lengths);
	for (x = 0; x < 8; x++)
		plain_add(&plain, x / 2, 0, 0, x % 2);
	assert_ring(&plain);
	plain_init(&plain, lengths);
	plain_box(&plain, origin, lengths, 0);
	plain_box(&plain, origin, lengths, 1);
	assert_ring(&plain);
}

static void test_refused(void **state)
{
	static const uint32_t huge[] = { 65536, 65536, 65536, 65536, 1 };
	struct torus_job job = { .config.count = 25 };

	assert_int_equal(torus_job_take_view(&job, 3, lengths), -EINVAL);
	assert_says(torus_error_text(), "view 25 rank");
	/* a product of 2^64 must not pass for 0 */
	job.config.count = 0;
	assert_int_equal(torus_job_take_view(&job, 5, huge), -EINVAL);
	assert_int_equal(torus_job_take_view(&job, TORUS_DIMS_MAX + 1, huge), -EINVAL);
	assert_says(torus_error_text(), "view 11 10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_beyond),
		cmocka_unit_test(test_fabric),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_box),
		cmocka_unit_test(test_ring_of_all),
		cmocka_unit_test(test_two_per_node),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
