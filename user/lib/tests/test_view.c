// SPDX-License-Identifier: GPL-2.0
/* The view of a job: ranks, places and neighbours. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/message.h>
#include "../job.h"

static const __u32 lengths[] = { 4, 3, 2 };

/* Every rank has a place of its own, the first axis fastest, and neighbours one step away. */
static void test_places(void **state)
{
	struct torus_job job = { .config.count = 24 };
	__u32 rank, axis, dir, found[TORUS_DIMS_MAX] = { 0 }, at[TORUS_DIMS_MAX];

	assert_int_equal(torus_job_take_view(&job, 3, lengths), 0);
	assert_int_equal(torus_job_view(&job, found), 3);
	assert_memory_equal(found, lengths, sizeof(lengths));
	assert_int_equal(torus_job_view(&job, NULL), 3);
	for (rank = 0; rank < 24; rank++) {
		assert_int_equal(torus_job_coords(&job, rank, at), 0);
		assert_int_equal(at[0] + 4 * (at[1] + 3 * at[2]), rank);
		assert_int_equal(torus_job_rank_of(&job, at), rank);
		for (dir = 0; dir < 6; dir++) {
			__u32 next = torus_job_neighbor(&job, rank, dir), there[TORUS_DIMS_MAX];

			assert_int_equal(torus_job_coords(&job, next, there), 0);
			for (axis = 0; axis < 3; axis++) {
				__u32 step = axis != dir / 2 ? 0 :
					     dir % 2 ? lengths[axis] - 1 : 1;

				assert_int_equal((at[axis] + step) % lengths[axis], there[axis]);
			}
			assert_int_equal(torus_job_neighbor(&job, next, dir ^ 1), rank);
		}
	}
}

static void test_beyond(void **state)
{
	const __u32 outside[] = { 0, 3, 0 };
	struct torus_job job = { .config.count = 24 };
	__u32 at[TORUS_DIMS_MAX];

	assert_int_equal(torus_job_take_view(&job, 3, lengths), 0);
	assert_int_equal(torus_job_coords(&job, 24, at), -ERANGE);
	assert_string_equal(torus_error_text(), "rank 24: the job has 24");
	assert_int_equal(torus_job_rank_of(&job, outside), TORUS_RANK_NONE);
	assert_int_equal(torus_job_neighbor(&job, 24, 0), TORUS_RANK_NONE);
	assert_int_equal(torus_job_neighbor(&job, 0, 6), TORUS_RANK_NONE);
}

/* Without a view: a ring. */
static void test_ring_of_all(void **state)
{
	struct torus_job job = { .config.count = 5 };
	__u32 length;

	assert_int_equal(torus_job_take_view(&job, 0, NULL), 0);
	assert_int_equal(torus_job_view(&job, &length), 1);
	assert_int_equal(length, 5);
	assert_int_equal(torus_job_neighbor(&job, 4, 0), 0);
	assert_int_equal(torus_job_neighbor(&job, 0, 1), 4);
}

static void test_refused(void **state)
{
	static const __u32 huge[] = { 65536, 65536, 65536, 65536, 1 };
	struct torus_job job = { .config.count = 25 };

	assert_int_equal(torus_job_take_view(&job, 3, lengths), -EINVAL);
	assert_string_equal(torus_error_text(),
			    "a view whose lengths do not make the job's 25 ranks");
	/* 2^64 is not 0 */
	job.config.count = 0;
	assert_int_equal(torus_job_take_view(&job, 5, huge), -EINVAL);
	assert_int_equal(torus_job_take_view(&job, TORUS_DIMS_MAX + 1, huge), -EINVAL);
	assert_string_equal(torus_error_text(), "a view of 11 axes: at most 10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_beyond),
		cmocka_unit_test(test_ring_of_all),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
