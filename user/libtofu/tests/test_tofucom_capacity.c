// SPDX-License-Identifier: GPL-2.0
/* Test the limits of a VCQ: blocks that wait to be posted, and notices that wait to be polled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/tests/says.h"
#include "../api.h"
#include "../vcq.h"
#include "fake.h"

static utofu_vcq_hdl_t vcq;
static utofu_vcq_id_t peer;

static int set_up(void **state)
{
	uint8_t at[6] = { 1, 2, 3, 1, 2, 1 };

	setenv("TORUS_FABRIC", "tf", 1);
	setenv("TORUS_NODE", "0", 1);
	memset(&fake, 0, sizeof(fake));
	fake.arch = "tofu";
	return utofu_create_vcq_with_cmp_id(2, 5, 0, &vcq) ||
	       utofu_construct_vcq_id(at, 3, 9, 4, &peer);
}

static int tear_down(void **state)
{
	return utofu_free_vcq(vcq);
}

static int stride(size_t blocks, unsigned long flags)
{
	return utofu_put_stride(vcq, peer, 0, 0, 1, 1, blocks, 0, flags, NULL);
}

/* An operation that is rejected is not posted in part. */
static void test_blocks(void **state)
{
	void *cbdata;

	assert_int_equal(stride(TOFU_RECORDS_MAX + 1ul, 0), UTOFU_ERR_OUT_OF_RESOURCE);
	assert_int_equal(stride(SIZE_MAX, 0), UTOFU_ERR_OUT_OF_RESOURCE);
	fake.free_records = 1000;
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), UTOFU_ERR_NOT_FOUND);
	assert_int_equal(fake.posted, 0);
	fake.free_records = 0;
	assert_int_equal(stride(TOFU_RECORDS_MAX, 0), 0);
	assert_int_equal(stride(2, 0), UTOFU_ERR_BUSY);
	fake.free_records = 1 << 20;
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), UTOFU_ERR_NOT_FOUND);
	assert_int_equal(fake.posted, TOFU_RECORDS_MAX);
}

/*
 * Operations with DELAY_START fill the VCQ.  An operation without it, which releases them, is
 * accepted nevertheless.
 */
static void test_delayed(void **state)
{
	fake.free_records = 1 << 20;
	assert_int_equal(stride(TOFU_RECORDS_MAX - 1, UTOFU_ONESIDED_FLAG_DELAY_START), 0);
	assert_int_equal(stride(1, UTOFU_ONESIDED_FLAG_DELAY_START), 0);
	assert_int_equal(stride(1, UTOFU_ONESIDED_FLAG_DELAY_START), UTOFU_ERR_OUT_OF_RESOURCE);
	assert_int_equal(fake.posted, 0);
	assert_int_equal(stride(1, 0), 0);
	assert_int_equal(fake.posted, TOFU_RECORDS_MAX + 1);
	assert_int_equal(stride(1, UTOFU_ONESIDED_FLAG_DELAY_START), 0);
}

/* If prepared operations are stored end to end, one call posts all of them or none. */
static void test_prepared(void **state)
{
	unsigned char descs[128] __attribute__((aligned(8)));
	size_t size;

	fake.free_records = 1 << 20;
	assert_int_equal(utofu_prepare_nop(vcq, 0, descs, &size), 0);
	assert_int_equal(utofu_prepare_get_stride(vcq, peer, 0, 0, 1, 1, TOFU_RECORDS_MAX, 0, 0,
						  descs + size, &size), 0);
	assert_int_equal(utofu_post_toq(vcq, descs, sizeof(descs), NULL),
			 UTOFU_ERR_OUT_OF_RESOURCE);
	assert_int_equal(fake.posted, 0);
	assert_int_equal(utofu_prepare_get_stride(vcq, peer, 0, 0, 1, 1, TOFU_RECORDS_MAX - 1, 0,
						  0, descs + size, &size), 0);
	assert_int_equal(utofu_post_toq(vcq, descs, sizeof(descs), NULL), 0);
	assert_int_equal(fake.posted, TOFU_RECORDS_MAX);
}

/*
 * A list of notices that is not polled has a limit.  It does not block notices of other VCQs, and a
 * poll reports the discarded notices once.
 */
static void test_notices(void **state)
{
	struct utofu_mrq_notice notice;
	utofu_vcq_hdl_t other;
	void *cbdata;
	size_t count;
	int i;

	assert_int_equal(utofu_create_vcq_with_cmp_id(2, 6, 0, &other), 0);
	fake.notice = (struct torus_tofu_notice){ .type = TORUS_TOFU_TCQ, .vcq = 5 };
	fake.pending = TOFU_NOTICES_MAX + 7;
	assert_int_equal(utofu_poll_tcq(other, 0, &cbdata), UTOFU_ERR_NOT_FOUND);
	assert_int_equal(fake.pending, 0);
	fake.notice = (struct torus_tofu_notice){ .type = TORUS_TOFU_LCL_PUT, .vcq = 5 };
	fake.pending = TOFU_NOTICES_MAX + 1;
	assert_int_equal(utofu_query_num_unread_mrq(vcq, &count), 0);
	assert_int_equal(count, TOFU_NOTICES_MAX);
	for (i = 0; i < TOFU_NOTICES_MAX; i++) {
		assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), 0);
		assert_int_equal(utofu_poll_mrq(vcq, 0, &notice), 0);
	}
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), UTOFU_ERR_TCQ_OTHER);
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), UTOFU_ERR_NOT_FOUND);
	assert_int_equal(utofu_poll_mrq(vcq, 0, &notice), UTOFU_ERR_MRQ_OTHER);
	assert_int_equal(utofu_poll_mrq(vcq, 0, &notice), UTOFU_ERR_NOT_FOUND);
	fake.pending = 1;
	assert_int_equal(utofu_poll_mrq(vcq, 0, &notice), 0);
	assert_int_equal(utofu_free_vcq(other), 0);
}

/* A forked child cannot free its parent's VCQ. */
static void test_forked(void **state)
{
	unsigned char desc[64] __attribute__((aligned(8)));
	char said[1024] = "";
	size_t size;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		if (utofu_free_vcq(vcq) != UTOFU_ERR_FATAL)
			_exit(1);
		utofu_get_last_error(said);
		if (!says(said, "forked"))
			_exit(2);
		if (utofu_prepare_nop(vcq, 0, desc, &size) != UTOFU_ERR_FATAL)
			_exit(3);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_blocks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_delayed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_prepared, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_notices, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_forked, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
