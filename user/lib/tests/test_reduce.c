// SPDX-License-Identifier: GPL-2.0
/*
 * Test reductions, gather and scatter with 1 to 8 ranks: every operation on integers, some on
 * floating-point numbers.
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
#include "core/tests/says.h"
#include "ranks.h"

#define COUNT	100	/* elements, several packets */

static __u64 element(uint32_t rank, uint32_t i)
{
	__u64 seed = rank * 1000003ull + i;

	return fake_random(&seed);
}

static __u64 word(enum torus_operation operation, bool wide, bool sign, __u64 a, __u64 b)
{
	__s64 sa = wide ? (__s64)a : (__s32)a, sb = wide ? (__s64)b : (__s32)b;

	if (!wide) {
		a = (uint32_t)a;
		b = (uint32_t)b;
	}
	switch (operation) {
	case TORUS_OPERATION_SUM:
		return a + b;
	case TORUS_OPERATION_MIN:
		return sign ? (sb < sa ? b : a) : (b < a ? b : a);
	case TORUS_OPERATION_MAX:
		return sign ? (sb > sa ? b : a) : (b > a ? b : a);
	case TORUS_OPERATION_AND:
		return a & b;
	case TORUS_OPERATION_OR:
		return a | b;
	default:
		return a ^ b;
	}
}

/* Reduce integers, whose result does not depend on the order. */
static void *program_integers(void *data)
{
	struct rank *rank = data;
	__u64 wide[COUNT], wide_out[COUNT];
	uint32_t narrow[COUNT], narrow_out[COUNT];
	uint32_t i, r, operation, root;
	int sign, ret;

	for (operation = 0; operation < 6; operation++)
		for (sign = 0; sign < 2; sign++) {
			root = (operation * 2 + sign) % rank->count;
			for (i = 0; i < COUNT; i++) {
				wide[i] = element(rank->number, i);
				narrow[i] = wide[i];
			}
			ret = torus_reduce(rank->job, root, sign ? TORUS_TYPE_S64 : TORUS_TYPE_U64,
					   operation, wide, wide_out, COUNT, 60000);
			MUST(!ret, ret);
			ret = torus_allreduce(rank->job, sign ? TORUS_TYPE_S32 : TORUS_TYPE_U32,
					      operation, narrow, narrow_out, COUNT, 60000);
			MUST(!ret, ret);
			for (i = 0; i < COUNT && !rank->failed; i++) {
				__u64 w = element(0, i), n = (uint32_t)w;

				for (r = 1; r < rank->count; r++) {
					w = word(operation, true, sign, w, element(r, i));
					n = word(operation, false, sign, n, element(r, i));
				}
				MUST(rank->number != root || wide_out[i] == w, i);
				MUST(narrow_out[i] == (uint32_t)n, i);
			}
		}
	return NULL;
}

/* Sum in the documented order: pairs, then pairs of pairs. */
static double tree_sum(const double *values, uint32_t count)
{
	uint32_t half = 1;

	if (count == 1)
		return *values;
	while (half * 2 < count)
		half *= 2;
	return tree_sum(values, half) + tree_sum(values + half, count - half);
}

static double fraction(uint32_t rank)
{
	return 1.0 / (3 + rank) * (rank % 2 ? 1e10 : 1);
}

static void *program_floats(void *data)
{
	struct rank *rank = data;
	double values[FAKE_NODES], mine = fraction(rank->number), sum = 0;
	float least = -(float)rank->number, most = 0;
	uint32_t root, i;
	int ret;

	for (root = 0; root < rank->count; root++) {
		for (i = 0; i < rank->count; i++)
			values[i] = fraction((root + i) % rank->count);
		ret = torus_reduce(rank->job, root, TORUS_TYPE_DOUBLE, TORUS_OPERATION_SUM, &mine,
				   rank->number == root ? &sum : NULL, 1, 60000);
		MUST(!ret, ret);
		if (rank->number == root) {
			values[0] = tree_sum(values, rank->count);
			MUST(!memcmp(&sum, values, sizeof(sum)), root);
		}
	}
	/* In place */
	ret = torus_allreduce(rank->job, TORUS_TYPE_FLOAT, TORUS_OPERATION_MIN, &least, &least, 1,
			      60000);
	MUST(!ret && least == -(float)(rank->count - 1), ret);
	ret = torus_allreduce(rank->job, TORUS_TYPE_FLOAT, TORUS_OPERATION_MAX, &least, &most, 0,
			      60000);
	MUST(!ret && most == 0, ret);
	return NULL;
}

#define PART	1000	/* bytes */

static void *program_gather(void *data)
{
	struct rank *rank = data;
	unsigned char *all = calloc(rank->count, PART), mine[PART];
	uint32_t root, i, r;
	int ret;

	if (!all)
		abort();
	for (root = 0; root < rank->count; root++) {
		memset(all, 0, rank->count * PART);
		for (i = 0; i < PART; i++)
			mine[i] = element(rank->number, i + root);
		ret = torus_gather(rank->job, root, mine, all, PART, 60000);
		MUST(!ret, ret);
		for (r = 0; r < rank->count && rank->number == root; r++)
			for (i = 0; i < PART; i++)
				MUST(all[r * PART + i] == (unsigned char)element(r, i + root), r);
		/* scatter the gathered parts again, with each byte doubled */
		for (i = 0; i < rank->count * PART; i++)
			all[i] *= 2;
		memset(mine, 0, sizeof(mine));
		ret = torus_scatter(rank->job, root, all, mine, PART, 60000);
		MUST(!ret, ret);
		for (i = 0; i < PART; i++)
			MUST(mine[i] == (unsigned char)(2 * element(rank->number, i + root)), i);
	}
	free(all);
	return NULL;
}

static void by_all(void *(*program)(void *))
{
	struct fake_config config = ranks_wild;
	struct rank ranks[FAKE_NODES];
	struct fake fake;
	unsigned int count;

	for (count = 1; count <= FAKE_NODES; count++) {
		config.nodes = count;
		ranks_run(&config, &ranks_dynamic, program, ranks, &fake);
		assert_int_equal(ranks[0].counts.memory, 0);
		fake_stop(&fake);
	}
}

static void test_integers(void **state)
{
	by_all(program_integers);
}

static void test_floats(void **state)
{
	by_all(program_floats);
}

static void test_gather_scatter(void **state)
{
	by_all(program_gather);
}

static void *program_wrong(void *data)
{
	struct rank *rank = data;
	uint32_t in[2] = { 1, 2 }, out[2];
	int ret;

	ret = torus_reduce(rank->job, 2, TORUS_TYPE_U32, TORUS_OPERATION_SUM, in, out, 1, 1000);
	MUST(ret == -EINVAL && says(torus_error_text(), "root 2 job"), ret);
	ret = torus_reduce(rank->job, 0, 6, TORUS_OPERATION_SUM, in, out, 1, 1000);
	MUST(ret == -EINVAL && says(torus_error_text(), "type 6"), ret);
	ret = torus_allreduce(rank->job, TORUS_TYPE_U32, 6, in, out, 1, 1000);
	MUST(ret == -EINVAL && says(torus_error_text(), "operation 6"), ret);
	ret = torus_allreduce(rank->job, TORUS_TYPE_FLOAT, TORUS_OPERATION_XOR, in, out, 1, 1000);
	MUST(ret == -EINVAL && says(torus_error_text(), "allreduce xor"), ret);
	ret = torus_allreduce(rank->job, TORUS_TYPE_U64, TORUS_OPERATION_XOR, in, out, 1u << 31,
			      1000);
	MUST(ret == -EINVAL && says(torus_error_text(), "536870911 8"), ret);
	/* rank 1 passes another count, which rank 0 detects */
	ret = torus_reduce(rank->job, 0, TORUS_TYPE_U32, TORUS_OPERATION_SUM, in, out,
			   1 + rank->number, 60000);
	MUST(rank->number ? !ret : ret == -EMSGSIZE, ret);
	if (!rank->number)
		MUST(says(torus_error_text(), "reduce rank 1 8 4"), ret);
	/* rank 1 does not call it at all */
	if (!rank->number) {
		ret = torus_gather(rank->job, 0, in, out, 4, 200);
		MUST(ret == -ETIMEDOUT && says(torus_error_text(), "reduction"),
		     ret);
	}
	return NULL;
}

static void test_wrong(void **state)
{
	struct rank ranks[FAKE_NODES];
	struct fake fake;

	ranks_run(&ranks_tiny, &ranks_ordered, program_wrong, ranks, &fake);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_floats),
		cmocka_unit_test(test_gather_scatter),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
