// SPDX-License-Identifier: GPL-2.0
/* Test the smaller shapes that figures about Blue Gene/L use without --full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "../bgl_work.h"
#include "../paper.h"

static void shape_is(u32 limit, u32 x, u32 y, u32 z, u32 to_x, u32 to_y, u32 to_z)
{
	const struct paper_request request = { .nodes = limit };
	const u32 paper[3] = { x, y, z };
	u32 dims[3];

	paper_bgl_shape(&request, 1 << 16, paper, dims);
	assert_int_equal(dims[0], to_x);
	assert_int_equal(dims[1], to_y);
	assert_int_equal(dims[2], to_z);
}

/* Lengths above 3 are halved, until the nodes are few enough or no length is above 3. */
static void test_halved(void **state)
{
	/* a shape that is never small enough would be halved indefinitely */
	alarm(20);
	shape_is(0, 32, 32, 32, 32, 32, 32);
	shape_is(4096, 32, 32, 32, 16, 16, 16);
	shape_is(4095, 32, 32, 32, 8, 8, 8);
	shape_is(1, 32, 32, 32, 2, 2, 2);
	shape_is(1, 24, 12, 6, 3, 3, 3);
	shape_is(8, 6, 8, 3, 3, 2, 3);
	alarm(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_halved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
