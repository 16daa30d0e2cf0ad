// SPDX-License-Identifier: GPL-2.0
/* Test the Cray XT's header flit bit by bit. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <torus/xt.h>
#include "core/tests/says.h"
#include "../context/context.h"

static __u64 bits(const struct torus_xt_header *header)
{
	unsigned char bytes[8];
	__u64 word = 0;
	unsigned int i;

	assert_int_equal(torus_xt_header_build(bytes, header), 0);
	for (i = 0; i < 8; i++)
		word = word << 8 | bytes[i];
	return word;
}

/* Bits as in <linux/torus.h>, "Cray XT": bit 0 is the most significant of word 0. */
static void test_xt_header_bits(void **state)
{
	struct torus_xt_header h;

	torus_xt_header_init(&h, 0x7fff, 0, 8);
	assert_true(bits(&h) == (0x7fffull << 49 | 1ull << 34));
	torus_xt_header_init(&h, 0, 1, 9);
	assert_true(bits(&h) == (1ull << 33 | 1ull << 28));
	torus_xt_header_init(&h, 0, 0, 72);
	h.vc = TORUS_XT_SECOND;
	assert_true(bits(&h) == (2ull << 35 | 8ull << 28));
	h.software = 0xfff;
	assert_true(bits(&h) == (2ull << 35 | 8ull << 28 | 0xfffull << 16));
	assert_int_equal(TORUS_XT_FIFO(h.vc), 1);
}

static void test_xt_header_parse(void **state)
{
	const unsigned char bytes[8] = { 0x20, 0x03, 0xff, 0xd2, 0x85, 0x67, 0x89, 0xab };
	struct torus_xt_header h;

	torus_xt_header_parse(bytes, &h);
	assert_int_equal(h.node, 0x1001);
	assert_int_equal(h.age, 0x7ff & 0x03ffd2 >> 6);
	assert_int_equal(h.vc, 2);
	assert_int_equal(h.group, 1);
	assert_int_equal(h.flits, 9);
	assert_int_equal(h.software, 0x567);
	assert_int_equal(h.sequence, 0x89);
	assert_int_equal(h.crc, 0xab);
}

static void refused(struct torus_xt_header h, const char *text)
{
	unsigned char bytes[8];

	assert_int_equal(torus_xt_header_build(bytes, &h), -ERANGE);
	assert_says(torus_error_text(), text);
}

static void test_xt_header_refused(void **state)
{
	refused((struct torus_xt_header){ .node = 0x8000, .flits = 1 }, "NID 32768 0 32767");
	refused((struct torus_xt_header){ .flits = 0 }, "0 flit 1 9");
	refused((struct torus_xt_header){ .flits = 10 }, "10 flit 1 9");
	refused((struct torus_xt_header){ .flits = 1, .group = 2 }, "group 2 0 1");
	refused((struct torus_xt_header){ .flits = 1, .vc = 1 }, "VC 1 0 2");
	refused((struct torus_xt_header){ .flits = 1, .software = 0x1000 }, "0x1000 12");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_xt_header_bits),
		cmocka_unit_test(test_xt_header_parse),
		cmocka_unit_test(test_xt_header_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
