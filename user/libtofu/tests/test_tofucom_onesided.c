// SPDX-License-Identifier: GPL-2.0
/* Test one-sided communication without a kernel: VCQs, posted records, and notices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>

#include "../api.h"
#include "../vcq.h"
#include "fake.h"

static utofu_vcq_hdl_t vcq;
static utofu_vcq_id_t peer;
static struct torus_tofu_command posted;

static int set_up(void **state)
{
	uint8_t at[6] = { 1, 2, 3, 1, 2, 1 };

	setenv("TORUS_FABRIC", "tf", 1);
	setenv("TORUS_NODE", "0", 1);
	setenv("TORUS_GROUP", "1", 1);
	memset(&fake, 0, sizeof(fake));
	fake.arch = "tofu";
	fake.free_records = 100;
	return utofu_create_vcq_with_cmp_id(2, 5, 0, &vcq) ||
	       utofu_construct_vcq_id(at, 3, 9, 4, &peer);
}

static int tear_down(void **state)
{
	return utofu_free_vcq(vcq);
}

static void look(void)
{
	memcpy(&posted, fake.record + TORUS_TOFU_HEADER_BYTES, sizeof(posted));
}

/* This must be the first test: the process keeps the node that it finds. */
static void test_group(void **state)
{
	utofu_vcq_id_t id, want;
	uint8_t at[6] = { 0 };

	setenv("TORUS_FABRIC", "tf", 1);
	unsetenv("TORUS_NODE");
	unsetenv("TORUS_GROUP");
	setenv("TORUS_MEMBERS", "7 0/1", 1);
	setenv("PMIX_RANK", "1", 1);
	assert_int_equal(utofu_create_vcq(0, 0, &vcq), 0);
	assert_int_equal(fake.group, 1);
	assert_int_equal(utofu_query_vcq_id(vcq, &id), 0);
	assert_int_equal(utofu_construct_vcq_id(at, 0, 3, 0, &want), 0);
	assert_true(id == want);
	assert_int_equal(utofu_free_vcq(vcq), 0);
}

static void test_vcqs(void **state)
{
	uint8_t at[6] = { 0 };
	utofu_vcq_hdl_t more[8];
	utofu_vcq_id_t id, same;
	int i;

	assert_int_equal(utofu_create_vcq_with_cmp_id(2, 5, 0, &more[0]), UTOFU_ERR_USED);
	assert_int_equal(utofu_create_vcq_with_cmp_id(2, 8, 0, &more[0]), UTOFU_ERR_INVALID_CMP_ID);
	assert_int_equal(utofu_create_vcq(4, 0, &more[0]), UTOFU_ERR_INVALID_TNI_ID);
	assert_int_equal(utofu_create_vcq(0, 8, &more[0]), UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_create_vcq(0, 0, NULL), UTOFU_ERR_INVALID_POINTER);
	for (i = 0; i < 7; i++)
		assert_int_equal(utofu_create_vcq(2, UTOFU_VCQ_FLAG_THREAD_SAFE, &more[i]), 0);
	assert_int_equal(utofu_create_vcq(2, 0, &more[7]), UTOFU_ERR_FULL);
	for (i = 0; i < 7; i++)
		assert_int_equal(utofu_free_vcq(more[i]), 0);
	assert_int_equal(utofu_free_vcq(more[0]), UTOFU_ERR_INVALID_VCQ_HDL);
	/* the error of attaching to the FIFO group determines the code */
	fake.attach_result = -EBUSY;
	assert_int_equal(utofu_create_vcq(0, 0, &more[0]), UTOFU_ERR_NOT_AVAILABLE);
	fake.attach_result = -ENOMEM;
	assert_int_equal(utofu_create_vcq(0, 0, &more[0]), UTOFU_ERR_OUT_OF_MEMORY);
	fake.attach_result = -ENOSPC;
	assert_int_equal(utofu_create_vcq(0, 0, &more[0]), UTOFU_ERR_OUT_OF_RESOURCE);
	fake.attach_result = -EDQUOT;
	assert_int_equal(utofu_create_vcq(0, 0, &more[0]), UTOFU_ERR_OUT_OF_RESOURCE);
	fake.attach_result = -EACCES;
	assert_int_equal(utofu_create_vcq(0, 0, &more[0]), UTOFU_ERR_FATAL);
	/* the same bits as a composed id */
	assert_int_equal(utofu_query_vcq_id(vcq, &id), 0);
	assert_int_equal(utofu_construct_vcq_id(at, 2, 3, 5, &same), 0);
	assert_true(id == same);
	assert_int_equal(utofu_query_vcq_id(vcq, NULL), UTOFU_ERR_INVALID_POINTER);
}

static void test_put(void **state)
{
	const uint8_t header[8] = { 1, 2, 3, 1 << 7 | 2 << 5 | 1 << 4 | 6 << 1 | 1,
				    11 << 4 | 1 << 2, 2, 2, 0 };

	assert_int_equal(utofu_put(vcq, peer, 100, 200, 16777215, 255,
				   UTOFU_ONESIDED_FLAG_TCQ_NOTICE |
				   UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE |
				   UTOFU_ONESIDED_FLAG_SPS(9), &vcq), 0);
	look();
	assert_memory_equal(fake.record, header, 8);
	assert_int_equal(posted.op, TORUS_TOFU_PUT);
	assert_int_equal(posted.vcq, 5);
	assert_int_equal(posted.peer_engine, 3);
	assert_int_equal(posted.peer_vcq, 4);
	assert_int_equal(posted.edata, 255);
	assert_int_equal(posted.steps, 9);
	assert_int_equal(posted.flags, TORUS_TOFU_TELL_TCQ | TORUS_TOFU_TELL_REMOTE);
	assert_int_equal(posted.length, 16777215);
	assert_int_equal(posted.local, 100);
	assert_int_equal(posted.remote, 200);
	assert_true(posted.cookie == (uintptr_t)&vcq);
	assert_int_equal(utofu_put(vcq, peer, 1, 2, 3, 0, UTOFU_ONESIDED_FLAG_PATH(1), NULL), 0);
	assert_int_equal(fake.record[4] >> 4, 0);
}

static void test_wrong(void **state)
{
	uint8_t beyond[6] = { 0, 0, 4, 0, 0, 0 };
	utofu_vcq_id_t nobody;

	/* operations that the engine would reject without a notice */
	assert_int_equal(utofu_get(vcq, peer, 0, 0, 1, 0, UTOFU_ONESIDED_FLAG_SPS(1), NULL),
			 UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_nop(vcq, UTOFU_ONESIDED_FLAG_SPS(1), NULL), UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_construct_vcq_id(beyond, 3, 0, 0, &nobody), 0);
	assert_int_equal(utofu_put(vcq, nobody, 0, 0, 1, 0, 0, NULL), UTOFU_ERR_INVALID_VCQ_ID);
	beyond[2] = 3;
	assert_int_equal(utofu_construct_vcq_id(beyond, 4, 0, 0, &nobody), 0);
	assert_int_equal(utofu_put(vcq, nobody, 0, 0, 1, 0, 0, NULL), UTOFU_ERR_INVALID_VCQ_ID);
	assert_int_equal(utofu_put(vcq, peer, 0, 0, 0, 0, 0, NULL), UTOFU_ERR_INVALID_SIZE);
	assert_int_equal(utofu_get(vcq, peer, 0, 0, 16777216, 0, 0, NULL), UTOFU_ERR_INVALID_SIZE);
	assert_int_equal(utofu_put(vcq, peer, 0, 0, 1, 256, 0, NULL), UTOFU_ERR_INVALID_EDATA);
	assert_int_equal(utofu_put(vcq, peer, 0, 0, 1, 0, 1 << 4, NULL), UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_put(vcq, 1, 0, 0, 1, 0, 0, NULL), UTOFU_ERR_INVALID_VCQ_ID);
	assert_int_equal(utofu_put(vcq + 1, peer, 0, 0, 1, 0, 0, NULL), UTOFU_ERR_INVALID_VCQ_HDL);
	assert_int_equal(utofu_put(vcq, peer, 0, 0, 1, 0, UTOFU_ONESIDED_FLAG_PATH(13), NULL),
			 UTOFU_ERR_INVALID_PATH_ID);
	assert_int_equal(utofu_put_stride(vcq, peer, 0, 0, 1, 1, 0, 0, 0, NULL),
			 UTOFU_ERR_INVALID_NUMBER);
	assert_int_equal(utofu_put_gap(vcq, peer, 0, 0, 1, 0, 0, 1921, 0, NULL),
			 UTOFU_ERR_INVALID_SIZE);
	assert_int_equal(utofu_put_piggyback8(vcq, peer, 0, 0, 9, 0, 0, NULL),
			 UTOFU_ERR_INVALID_SIZE);
	assert_int_equal(utofu_put_piggyback(vcq, peer, NULL, 0, 9, 0, 0, NULL),
			 UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_put_piggyback(vcq, peer, &peer, 0, 33, 0, 0, NULL),
			 UTOFU_ERR_INVALID_SIZE);
	assert_int_equal(utofu_armw8(vcq, peer, 6, 0, 0, 0, 0, NULL), UTOFU_ERR_INVALID_OP);
	assert_int_equal(utofu_armw4(vcq, peer, UTOFU_ARMW_OP_ADD, 0, 2, 0, 0, NULL),
			 UTOFU_ERR_INVALID_STADD);
	assert_int_equal(fake.posted, 0);
	/* memory at an odd address: only the remote engine knows its alignment */
	assert_int_equal(utofu_armw4(vcq, peer, UTOFU_ARMW_OP_ADD, 0,
				     (256ull << TORUS_STADD_BITS) + 3, 0, 0, NULL), 0);
	assert_int_equal(fake.posted, 1);
}

static void test_full_and_delayed(void **state)
{
	fake.free_records = 3;
	/* five blocks, two of which wait: the next operation is rejected */
	assert_int_equal(utofu_put_stride(vcq, peer, 10, 20, 4, 100, 5, 0, 0, NULL), 0);
	assert_int_equal(fake.posted, 3);
	look();
	assert_int_equal(posted.local, 210);
	assert_int_equal(posted.remote, 220);
	assert_int_equal(utofu_nop(vcq, 0, NULL), UTOFU_ERR_BUSY);
	fake.free_records = 100;
	assert_int_equal(utofu_nop(vcq, UTOFU_ONESIDED_FLAG_DELAY_START, NULL), 0);
	assert_int_equal(fake.posted, 5);
	assert_int_equal(utofu_nop(vcq, 0, NULL), 0);
	assert_int_equal(fake.posted, 7);
}

/*
 * Blocks that wait for free space are posted when any VCQ of the TNI is polled.  An operation of
 * one record is rejected if the ring is full.
 */
static void test_full_ring(void **state)
{
	unsigned char desc[64] __attribute__((aligned(8)));
	utofu_vcq_hdl_t other;
	void *cbdata;
	size_t size;

	assert_int_equal(utofu_create_vcq(2, 0, &other), 0);
	assert_int_equal(utofu_prepare_put(vcq, peer, 1, 2, 3, 0, 0, desc, &size), 0);
	fake.free_records = 0;
	assert_int_equal(utofu_put(vcq, peer, 1, 2, 3, 0, 0, NULL), UTOFU_ERR_BUSY);
	assert_int_equal(utofu_put_stride(vcq, peer, 1, 2, 3, 4, 1, 0, 0, NULL), UTOFU_ERR_BUSY);
	assert_int_equal(utofu_nop(vcq, 0, NULL), UTOFU_ERR_BUSY);
	assert_int_equal(utofu_post_toq(vcq, desc, size, NULL), UTOFU_ERR_BUSY);
	fake.free_records = 100;
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), UTOFU_ERR_NOT_FOUND);
	assert_int_equal(fake.posted, 0);
	fake.free_records = 1;
	assert_int_equal(utofu_put_stride(vcq, peer, 1, 2, 3, 4, 3, 0, 0, NULL), 0);
	fake.free_records = 100;
	assert_int_equal(utofu_poll_tcq(other, 0, &cbdata), UTOFU_ERR_NOT_FOUND);
	assert_int_equal(fake.posted, 3);
	assert_int_equal(utofu_free_vcq(other), 0);
}

static void test_prepared(void **state)
{
	unsigned char descs[128] __attribute__((aligned(8)));
	size_t one, two;

	assert_int_equal(utofu_prepare_armw8(vcq, peer, UTOFU_ARMW_OP_XOR, 77, 8, 3, 0, descs,
					     &one), 0);
	assert_int_equal(one, 64);
	assert_int_equal(utofu_prepare_cswap4(vcq, peer, 5, 6, 12, 3, 0, descs + one, &two), 0);
	assert_int_equal(utofu_post_toq(vcq, descs, one + two, NULL), 0);
	assert_int_equal(utofu_post_toq(vcq, descs, one + two, NULL), 0);
	assert_int_equal(fake.posted, 4);
	look();
	assert_int_equal(posted.op, TORUS_TOFU_ATOMIC);
	assert_int_equal(posted.atomic, TORUS_ATOMIC_CSWAP);
	assert_int_equal(posted.size, 4);
	assert_int_equal(posted.data[0], 6);
	assert_int_equal(posted.data[1], 5);
	assert_int_equal(utofu_post_toq(vcq, descs, one, NULL), 0);
	look();
	assert_int_equal(posted.atomic, TORUS_ATOMIC_XOR);
	assert_int_equal(posted.data[0], 77);
	assert_int_equal(utofu_post_toq(vcq, descs, one + 1, NULL), UTOFU_ERR_INVALID_DESC);
	assert_int_equal(utofu_post_toq(vcq, NULL, one, NULL), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_prepare_nop(vcq, 0, NULL, &one), UTOFU_ERR_INVALID_POINTER);
	fake.free_records = 1;
	assert_int_equal(utofu_post_toq(vcq, descs, one + two, NULL), 0);
	assert_int_equal(utofu_post_toq(vcq, descs, one, NULL), UTOFU_ERR_BUSY);
	fake.free_records = 100;
	descs[offsetof(struct tofu_operation, op)] = TORUS_TOFU_OPS;
	assert_int_equal(utofu_post_toq(vcq, descs, one, NULL), UTOFU_ERR_INVALID_DESC);
	descs[offsetof(struct tofu_operation, op)] = TORUS_TOFU_ATOMIC;
	memset(descs + offsetof(struct tofu_operation, peer), 0, 8);
	assert_int_equal(utofu_post_toq(vcq, descs, one, NULL), UTOFU_ERR_INVALID_DESC);
	memset(descs, 0, sizeof(descs));
	assert_int_equal(utofu_post_toq(vcq, descs, 64, NULL), UTOFU_ERR_INVALID_DESC);
}

static void test_notices(void **state)
{
	struct utofu_mrq_notice notice;
	utofu_vcq_id_t id;
	uint8_t at[6] = { 1, 2, 3, 1, 1, 1 };
	void *cbdata;
	size_t count;

	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), UTOFU_ERR_NOT_FOUND);
	assert_int_equal(utofu_poll_mrq(vcq, 0, &notice), UTOFU_ERR_NOT_FOUND);
	/* a record that the kernel rejects has no notice, and is reported once */
	fake.refused = 2;
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), UTOFU_ERR_FATAL);
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), UTOFU_ERR_NOT_FOUND);
	fake.notice = (struct torus_tofu_notice) {
		.type = TORUS_TOFU_TCQ, .vcq = 5, .cookie = (uintptr_t)&vcq,
	};
	/* another program's packet has the same content, but another header */
	fake.pending = 1;
	fake.foreign = 1;
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), UTOFU_ERR_NOT_FOUND);
	assert_int_equal(fake.pending, 0);
	fake.foreign = 0;
	fake.pending = 2;
	assert_int_equal(utofu_query_num_unread_tcq(vcq, &count), 0);
	assert_int_equal(count, 2);
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), 0);
	assert_ptr_equal(cbdata, &vcq);
	fake.notice.code = TORUS_TOFU_LENGTH;
	fake.pending = 1;
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), 0);
	assert_int_equal(utofu_poll_tcq(vcq, 0, &cbdata), UTOFU_ERR_TCQ_LENGTH);
	fake.notice = (struct torus_tofu_notice) {
		.type = TORUS_TOFU_RMT_ATOMIC, .vcq = 5, .peer_engine = 3, .peer_vcq = 4,
		.peer_group = 3, .edata = 9, .peer_node = 12 + 48 + 216 + 1 + 2 + 6,
		.remote = 88,
	};
	fake.pending = 1;
	assert_int_equal(utofu_poll_mrq(vcq, 0, &notice), 0);
	assert_int_equal(utofu_construct_vcq_id(at, 3, 9, 4, &id), 0);
	assert_true(notice.vcq_id == id);
	assert_int_equal(notice.notice_type, UTOFU_MRQ_TYPE_RMT_ARMW);
	assert_int_equal(notice.edata, 9);
	assert_int_equal(notice.rmt_value, 88);
	assert_int_equal(notice.rmt_stadd, 88);
	fake.notice.type = TORUS_TOFU_LCL_PUT;
	fake.notice.code = TORUS_TOFU_STADD;
	fake.notice.remote_code = 1;
	fake.pending = 1;
	assert_int_equal(utofu_poll_mrq(vcq, 0, &notice), UTOFU_ERR_MRQ_RMT_STADD);
	assert_int_equal(notice.notice_type, UTOFU_MRQ_TYPE_LCL_PUT);
	fake.notice.code = TORUS_TOFU_LOST;
	fake.notice.remote_code = 0;
	fake.pending = 1;
	assert_int_equal(utofu_poll_mrq(vcq, 0, &notice), UTOFU_ERR_MRQ_PEER);
	fake.notice.code = TORUS_TOFU_BUSY;
	fake.notice.remote_code = 1;
	fake.pending = 1;
	assert_int_equal(utofu_poll_mrq(vcq, 0, &notice), UTOFU_ERR_MRQ_OTHER);
	assert_int_equal(utofu_poll_mrq(vcq, 1, &notice), UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_query_num_unread_mrq(vcq, NULL), UTOFU_ERR_INVALID_POINTER);
}

static void test_memory(void **state)
{
	static char bytes[512] __attribute__((aligned(256)));
	utofu_stadd_t stadd;

	assert_int_equal(utofu_reg_mem(vcq, bytes, 5, UTOFU_REG_MEM_FLAG_READ_ONLY, &stadd), 0);
	assert_true(stadd == 1ull << 50);
	assert_int_equal(utofu_reg_mem(vcq, bytes, 0, 0, &stadd), UTOFU_ERR_INVALID_SIZE);
	assert_int_equal(utofu_reg_mem(vcq, bytes, 5, 2, &stadd), UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_reg_mem(vcq, bytes, 5, 0, NULL), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_reg_mem_with_stag(vcq, bytes, 5, 256, 0, &stadd),
			 UTOFU_ERR_INVALID_STAG);
	assert_int_equal(utofu_reg_mem_with_stag(vcq, bytes + 1, 5, 1, 0, &stadd),
			 UTOFU_ERR_INVALID_ADDRESS);
	fake.answer = -EADDRINUSE;
	assert_int_equal(utofu_reg_mem_with_stag(vcq, bytes, 5, 1, 0, &stadd), UTOFU_ERR_USED);
	fake.answer = -ENOENT;
	assert_int_equal(utofu_dereg_mem(vcq, 5, 0), UTOFU_ERR_INVALID_STADD);
	assert_int_equal(utofu_dereg_mem(vcq, 5, 1), UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_query_stadd(peer, 7, &stadd), 0);
	assert_true(stadd == 7ull << TORUS_STADD_BITS);
	assert_int_equal(utofu_query_stadd(peer, 256, &stadd), UTOFU_ERR_INVALID_STAG);
	assert_int_equal(utofu_query_stadd(0, 7, &stadd), UTOFU_ERR_INVALID_VCQ_ID);
	assert_int_equal(utofu_query_stadd(peer, 7, NULL), UTOFU_ERR_INVALID_POINTER);
	fake.answer = 0;
}

/* Memory is registered and deregistered at the process's clock. */
static void test_memory_clock(void **state)
{
	utofu_stadd_t stadd;
	static char bytes[8];
	int before = fake.registered;
	unsigned int clocks = fake.clocks, vain = fake.vain;

	assert_int_equal(utofu_reg_mem(vcq, bytes, 8, 0, &stadd), 0);
	assert_int_equal(fake.clocks, clocks + 1);
	/* if waiting for the clock fails, no memory is registered or deregistered */
	fake.clock = -ENODEV;
	assert_int_equal(utofu_dereg_mem(vcq, stadd, 0), UTOFU_ERR_FATAL);
	assert_int_equal(utofu_reg_mem(vcq, bytes, 8, 0, &stadd), UTOFU_ERR_FATAL);
	assert_int_equal(fake.registered, before + 1);
	fake.clock = 0;
	assert_int_equal(utofu_dereg_mem(vcq, stadd, 0), 0);
	assert_int_equal(fake.registered, before);
	assert_int_equal(fake.clocks, clocks + 4);
	assert_int_equal(fake.vain, vain);
}

/*
 * A freed VCQ leaves its memory registered.  A new VCQ with its component id deregisters the
 * memory.  Posted operations continue.
 */
static void test_memory_left(void **state)
{
	utofu_stadd_t stadd[3];
	utofu_vcq_hdl_t other;
	static char bytes[8];
	int before, i;

	assert_int_equal(utofu_create_vcq_with_cmp_id(1, 3, 0, &other), 0);
	before = fake.registered;
	for (i = 0; i < 3; i++)
		assert_int_equal(utofu_reg_mem(i == 1 ? vcq : other, bytes, 8, 0, &stadd[i]), 0);
	assert_int_equal(utofu_dereg_mem(other, stadd[0], 0), 0);
	assert_int_equal(utofu_free_vcq(other), 0);
	assert_int_equal(fake.registered, before + 2);
	assert_int_equal(utofu_create_vcq_with_cmp_id(1, 3, 0, &other), 0);
	assert_int_equal(fake.registered, before + 1);
	assert_int_equal(utofu_free_vcq(other), 0);
	assert_int_equal(utofu_create_vcq_with_cmp_id(1, 3, 0, &other), 0);
	assert_int_equal(fake.registered, before + 1);
	assert_int_equal(utofu_free_vcq(other), 0);
	assert_int_equal(utofu_dereg_mem(vcq, stadd[1], 0), 0);
	assert_int_equal(fake.registered, before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group),
		cmocka_unit_test_setup_teardown(test_vcqs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_put, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_wrong, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_and_delayed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_ring, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_prepared, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_notices, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_memory_clock, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_memory_left, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
