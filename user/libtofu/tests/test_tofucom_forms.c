// SPDX-License-Identifier: GPL-2.0
/*
 * Test the command that each posting function makes.  Test also that its prepared variant makes the
 * same command each time it is posted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../api.h"
#include "../vcq.h"
#include "fake.h"

#define LCL	0x1000u
#define RMT	0x2000u
#define LEN	40u
#define STRIDE	100u
#define BLOCKS	3u
#define EDATA	17u
#define FLAGS	(UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_STRONG_ORDER)
#define CBDATA	((void *)&vcq)

static utofu_vcq_hdl_t vcq;
static utofu_vcq_id_t peer;
static uint8_t bytes[32];

/* A function that posts an operation, and its prepared variant. */
struct form {
	const char *name;
	int (*post)(void);
	int (*prepare)(void *desc, size_t *size);
	struct torus_tofu_command want;	/* expected command of the last block */
	unsigned int blocks;
};

#define FORM(name, ...)									\
	static int post_##name(void)							\
	{										\
		return utofu_##name(vcq, __VA_ARGS__, CBDATA);				\
	}										\
	static int prepare_##name(void *desc, size_t *size)				\
	{										\
		return utofu_prepare_##name(vcq, __VA_ARGS__, desc, size);		\
	}

#define MTU	1920
#define GAP	255

FORM(put, peer, LCL, RMT, LEN, EDATA, FLAGS)
FORM(put_gap, peer, LCL, RMT, LEN, EDATA, FLAGS, MTU, GAP)
FORM(put_stride, peer, LCL, RMT, LEN, STRIDE, BLOCKS, EDATA, FLAGS)
FORM(put_stride_gap, peer, LCL, RMT, LEN, STRIDE, BLOCKS, EDATA, FLAGS, MTU, GAP)
FORM(put_piggyback, peer, bytes, RMT, 31, EDATA, FLAGS)
FORM(put_piggyback8, peer, 0x1122334455667788ull, RMT, 5, EDATA, FLAGS)
FORM(get, peer, LCL, RMT, LEN, EDATA, FLAGS)
FORM(get_gap, peer, LCL, RMT, LEN, EDATA, FLAGS, MTU, GAP)
FORM(get_stride, peer, LCL, RMT, LEN, STRIDE, BLOCKS, EDATA, FLAGS)
FORM(get_stride_gap, peer, LCL, RMT, LEN, STRIDE, BLOCKS, EDATA, FLAGS, MTU, GAP)
FORM(armw4, peer, UTOFU_ARMW_OP_OR, 0x80000001u, RMT, EDATA, FLAGS)
FORM(armw8, peer, UTOFU_ARMW_OP_SWAP, 1ull << 63, RMT, EDATA, FLAGS)
FORM(cswap4, peer, 5, 0xfffffffeu, RMT, EDATA, FLAGS)
FORM(cswap8, peer, 6, 1ull << 62, RMT, EDATA, FLAGS)

static int post_nop(void)
{
	return utofu_nop(vcq, FLAGS, CBDATA);
}

static int prepare_nop(void *desc, size_t *size)
{
	return utofu_prepare_nop(vcq, FLAGS, desc, size);
}

#define MOVES(op_)	.op = (op_), .length = LEN, .local = LCL, .remote = RMT
#define STRIDES(op_)	.op = (op_), .length = LEN, \
			.local = LCL + (BLOCKS - 1) * STRIDE, \
			.remote = RMT + (BLOCKS - 1) * STRIDE
#define WORD(size_, atomic_) .op = TORUS_TOFU_ATOMIC, .size = (size_), .atomic = (atomic_), \
			.remote = RMT
#define NAMED(name_)	.name = #name_, .post = post_##name_, .prepare = prepare_##name_

static const struct form forms[] = {
	{ NAMED(put), { MOVES(TORUS_TOFU_PUT) }, 1 },
	{ NAMED(put_gap), { MOVES(TORUS_TOFU_PUT) }, 1 },
	{ NAMED(put_stride), { STRIDES(TORUS_TOFU_PUT) }, BLOCKS },
	{ NAMED(put_stride_gap), { STRIDES(TORUS_TOFU_PUT) }, BLOCKS },
	{ NAMED(put_piggyback), { .op = TORUS_TOFU_PIGGYBACK, .length = 31, .remote = RMT,
	  .data = { 0x0706050403020100, 0x0f0e0d0c0b0a0908, 0x1716151413121110,
		    0x001e1d1c1b1a1918 } }, 1 },
	{ NAMED(put_piggyback8), { .op = TORUS_TOFU_PIGGYBACK, .length = 5, .remote = RMT,
	  .data = { 0x4455667788 } }, 1 },
	{ NAMED(get), { MOVES(TORUS_TOFU_GET) }, 1 },
	{ NAMED(get_gap), { MOVES(TORUS_TOFU_GET) }, 1 },
	{ NAMED(get_stride), { STRIDES(TORUS_TOFU_GET) }, BLOCKS },
	{ NAMED(get_stride_gap), { STRIDES(TORUS_TOFU_GET) }, BLOCKS },
	{ NAMED(armw4), { WORD(4, TORUS_ATOMIC_OR), .data = { 0x80000001 } }, 1 },
	{ NAMED(armw8), { WORD(8, TORUS_ATOMIC_SWAP), .data = { 1ull << 63 } }, 1 },
	{ NAMED(cswap4), { WORD(4, TORUS_ATOMIC_CSWAP), .data = { 0xfffffffe, 5 } }, 1 },
	{ NAMED(cswap8), { WORD(8, TORUS_ATOMIC_CSWAP), .data = { 1ull << 62, 6 } }, 1 },
	{ NAMED(nop), { .op = TORUS_TOFU_NOP }, 1 },
};

#define FORMS	(sizeof(forms) / sizeof(forms[0]))

static int set_up(void **state)
{
	uint8_t at[6] = { 1, 2, 3, 1, 2, 1 };
	unsigned int i;

	setenv("TORUS_FABRIC", "tf", 1);
	setenv("TORUS_NODE", "0", 1);
	setenv("TORUS_GROUP", "0", 1);
	memset(&fake, 0, sizeof(fake));
	fake.arch = "tofu";
	fake.free_records = 1000;
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	return utofu_create_vcq_with_cmp_id(2, 5, 0, &vcq) ||
	       utofu_construct_vcq_id(at, 3, 6, 4, &peer);
}

static int tear_down(void **state)
{
	return utofu_free_vcq(vcq);
}

/* Check that the record posted last is the expected one. */
static void check_posted(const struct form *f, unsigned int posted)
{
	struct torus_tofu_command got, want = f->want;

	want.vcq = 5;
	want.cookie = (uintptr_t)CBDATA;
	if (want.op != TORUS_TOFU_NOP) {
		want.flags = TORUS_TOFU_TELL_LOCAL;
		want.edata = EDATA;
		want.peer_engine = 3;
		want.peer_vcq = 4;
	}
	memcpy(&got, fake.record + TORUS_TOFU_HEADER_BYTES, sizeof(got));
	/* the bytes of a piggyback after its length are undefined */
	if (want.op == TORUS_TOFU_PIGGYBACK)
		memset((char *)got.data + want.length, 0, sizeof(got.data) - want.length);
	if (memcmp(&got, &want, sizeof(got)))
		fail_msg("%s makes another command", f->name);
	assert_int_equal(fake.posted, posted);
}

static void test_forms(void **state)
{
	unsigned char desc[64] __attribute__((aligned(8)));
	unsigned int i, posted = 0;
	size_t size;

	for (i = 0; i < FORMS; i++) {
		size = 0;
		assert_int_equal(forms[i].post(), 0);
		check_posted(&forms[i], posted += forms[i].blocks);
		assert_int_equal(forms[i].prepare(desc, &size), 0);
		assert_int_equal(size, sizeof(desc));
		memset(fake.record, 0, sizeof(fake.record));
		assert_int_equal(utofu_post_toq(vcq, desc, size, CBDATA), 0);
		check_posted(&forms[i], posted += forms[i].blocks);
		memset(fake.record, 0, sizeof(fake.record));
		assert_int_equal(utofu_post_toq(vcq, desc, size, CBDATA), 0);
		check_posted(&forms[i], posted += forms[i].blocks);
	}
}

/* Post all prepared operations, stored end to end, by one call. */
static void test_together(void **state)
{
	unsigned char descs[FORMS][64] __attribute__((aligned(8)));
	unsigned int i, posted = 0;
	size_t size;

	for (i = 0; i < FORMS; i++) {
		assert_int_equal(forms[i].prepare(descs[i], &size), 0);
		posted += forms[i].blocks;
	}
	assert_int_equal(utofu_post_toq(vcq, descs, sizeof(descs), CBDATA), 0);
	check_posted(&forms[FORMS - 1], posted);
}

#define REFUSED(code, call)	assert_int_equal(call, UTOFU_ERR_INVALID_##code)

/* Arguments that a function rejects are rejected by its prepared variant, too. */
static void test_wrong_forms(void **state)
{
	char d[64] __attribute__((aligned(8)));
	size_t n;

	REFUSED(SIZE, utofu_put_stride_gap(vcq, peer, 0, 0, 1, 2, 3, 0, 0, 1, 256, NULL));
	REFUSED(SIZE, utofu_get_gap(vcq, peer, 0, 0, 1, 0, 0, 1921, 0, NULL));
	REFUSED(SIZE, utofu_get_stride_gap(vcq, peer, 0, 0, 1, 2, 3, 0, 0, 1, 256, NULL));
	REFUSED(SIZE, utofu_prepare_put_gap(vcq, peer, 0, 0, 1, 0, 0, 1, 256, d, &n));
	REFUSED(SIZE, utofu_prepare_put_stride_gap(vcq, peer, 0, 0, 1, 2, 3, 0, 0, 1921, 0, d, &n));
	REFUSED(SIZE, utofu_prepare_get_gap(vcq, peer, 0, 0, 1, 0, 0, 1, 256, d, &n));
	REFUSED(SIZE, utofu_prepare_get_stride_gap(vcq, peer, 0, 0, 1, 2, 3, 0, 0, 1921, 0, d, &n));
	REFUSED(NUMBER, utofu_get_stride(vcq, peer, 0, 0, 1, 2, 0, 0, 0, NULL));
	REFUSED(NUMBER, utofu_prepare_put_stride(vcq, peer, 0, 0, 1, 2, 0, 0, 0, d, &n));
	REFUSED(NUMBER, utofu_prepare_get_stride(vcq, peer, 0, 0, 1, 2, 0, 0, 0, d, &n));
	REFUSED(SIZE, utofu_prepare_put_piggyback(vcq, peer, bytes, 0, 33, 0, 0, d, &n));
	REFUSED(SIZE, utofu_prepare_put_piggyback8(vcq, peer, 1, 0, 9, 0, 0, d, &n));
	REFUSED(OP, utofu_prepare_armw4(vcq, peer, 0, 1, 0, 0, 0, d, &n));
	REFUSED(STADD, utofu_cswap4(vcq, peer, 1, 2, 2, 0, 0, NULL));
	REFUSED(STADD, utofu_prepare_cswap8(vcq, peer, 1, 2, 4, 0, 0, d, &n));
	REFUSED(SIZE, utofu_prepare_get(vcq, peer, 0, 0, 0, 0, 0, d, &n));
	assert_int_equal(fake.posted, 0);
}

/*
 * In session mode, the record of each block has the flag SESSION and the number of steps of its
 * operation.
 */
static void test_session(void **state)
{
	struct torus_tofu_command got;
	utofu_vcq_hdl_t session;
	unsigned int flags = TORUS_TOFU_SESSION | TORUS_TOFU_TELL_REMOTE;

	assert_int_equal(utofu_create_vcq(1, UTOFU_VCQ_FLAG_SESSION_MODE, &session), 0);
	assert_int_equal(utofu_put_stride(session, peer, LCL, RMT, LEN, STRIDE, BLOCKS, 0,
					  UTOFU_ONESIDED_FLAG_SPS(1), NULL), 0);
	assert_int_equal(fake.posted, BLOCKS);
	memcpy(&got, fake.record + TORUS_TOFU_HEADER_BYTES, sizeof(got));
	assert_int_equal(got.flags, TORUS_TOFU_SESSION);
	assert_int_equal(got.steps, 1);
	assert_int_equal(utofu_put(session, peer, LCL, RMT, LEN, 0, UTOFU_ONESIDED_FLAG_SPS(15) |
				   UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE, NULL), 0);
	memcpy(&got, fake.record + TORUS_TOFU_HEADER_BYTES, sizeof(got));
	assert_int_equal(got.flags, flags);
	assert_int_equal(got.steps, 15);
	/* a record of a VCQ without session mode does not have the flag */
	assert_int_equal(utofu_nop(vcq, 0, NULL), 0);
	memcpy(&got, fake.record + TORUS_TOFU_HEADER_BYTES, sizeof(got));
	assert_int_equal(got.flags, 0);
	assert_int_equal(utofu_free_vcq(session), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_forms, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_together, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_wrong_forms, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_session, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
