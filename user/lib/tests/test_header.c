// SPDX-License-Identifier: GPL-2.0
/* Test packet headers bit by bit, the texts that name nodes, and the CRC. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <torus/bgl.h>
#include "core/tests/says.h"
#include "../context/context.h"
#include "../job/crc.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* Place a value into bits @first to @last; bit 0 is the most significant bit of word 0. */
static __u64 field(unsigned int first, unsigned int last, __u64 value)
{
	assert_true(value < 1ull << (last - first + 1));
	return value << (63 - last);
}

static __u64 header_bits(const struct torus_bgl_header *header)
{
	unsigned char bytes[8];
	__u64 bits = 0;
	unsigned int i;

	assert_int_equal(torus_bgl_header_build(bytes, header), 0);
	for (i = 0; i < 8; i++)
		bits = bits << 8 | bytes[i];
	return bits;
}

static void test_header_build_bits(void **state)
{
	const struct torus_bgl_header base = { .chunks = 1 };
	struct torus_bgl_header h;

#define CHECK(member, set, bits) do {			\
		h = base;				\
		h.member = (set);			\
		assert_int_equal(header_bits(&h), bits);\
	} while (0)
	assert_int_equal(header_bits(&base), 0);
	CHECK(csum_skip, 0x5b, field(0, 6, 0x5b));
	CHECK(skip, true, field(7, 7, 1));
	CHECK(hints, TORUS_BGL_HINT_XP, field(8, 8, 1));
	CHECK(hints, TORUS_BGL_HINT_XM, field(9, 9, 1));
	CHECK(hints, TORUS_BGL_HINT_YP, field(10, 10, 1));
	CHECK(hints, TORUS_BGL_HINT_YM, field(11, 11, 1));
	CHECK(hints, TORUS_BGL_HINT_ZP, field(12, 12, 1));
	CHECK(hints, TORUS_BGL_HINT_ZM, field(13, 13, 1));
	CHECK(deposit, true, field(14, 14, 1));
	CHECK(group, 1, field(15, 15, 1));
	CHECK(chunks, 8, field(16, 18, 7));
	CHECK(software, 3, field(19, 20, 3));
	CHECK(dynamic, true, field(21, 21, 1));
	CHECK(vc, TORUS_BGL_BP, field(22, 23, 3));
	CHECK(dest[0], 0xa5, field(24, 31, 0xa5));
	CHECK(dest[1], 0xa5, field(32, 39, 0xa5));
	CHECK(dest[2], 0xa5, field(40, 47, 0xa5));
	CHECK(sequence, 0xa5, field(48, 55, 0xa5));
	CHECK(crc, 0xa5, field(56, 63, 0xa5));
#undef CHECK
}

static void test_header_parse_is_build_undone(void **state)
{
	unsigned char bytes[8], again[8];
	struct torus_bgl_header h;
	unsigned int i, j;

	for (i = 0; i < 64; i++) {
		memset(bytes, 0, sizeof(bytes));
		bytes[i / 8] |= 0x80 >> i % 8;
		for (j = 0; j < 2; j++) {
			torus_bgl_header_parse(bytes, &h);
			assert_int_equal(torus_bgl_header_build(again, &h), 0);
			assert_memory_equal(bytes, again, 8);
			memset(bytes, 0xff, sizeof(bytes));
			bytes[i / 8] &= ~(0x80 >> i % 8);
		}
	}
}

static void test_header_build_ranges(void **state)
{
	const struct torus_bgl_header base = { .chunks = 1 };
	struct torus_bgl_header h;
	unsigned char bytes[8];

#define REFUSED(member, set) do {						\
		h = base;						\
		h.member = (set);					\
		assert_int_equal(torus_bgl_header_build(bytes, &h), -ERANGE);\
	} while (0)
	REFUSED(csum_skip, 128);
	REFUSED(hints, 64);
	REFUSED(group, 2);
	REFUSED(chunks, 0);
	REFUSED(chunks, 9);
	REFUSED(software, 4);
	REFUSED(vc, 4);
#undef REFUSED
	assert_says(torus_error_text(), "VC 4 0 3");
}

static void test_header_defaults(void **state)
{
	const uint32_t dest[3] = { 1, 2, 3 };
	struct torus_bgl_header h;

	torus_bgl_header_init(&h, TORUS_ROUTE_DYNAMIC, dest, 1, 33);
	assert_true(h.dynamic);
	assert_int_equal(h.vc, TORUS_BGL_D0);
	assert_int_equal(h.hints, 0);
	assert_int_equal(h.chunks, 2);
	assert_int_equal(h.group, 1);
	assert_int_equal(h.csum_skip, 4);
	assert_int_equal(h.dest[2], 3);
	torus_bgl_header_init(&h, TORUS_ROUTE_ORDERED, dest, 0, 256);
	assert_false(h.dynamic);
	assert_int_equal(h.vc, TORUS_BGL_BN);
	assert_int_equal(h.chunks, 8);
	torus_bgl_header_init(&h, TORUS_ROUTE_PRIORITY, dest, 0, 32);
	assert_false(h.dynamic);
	assert_int_equal(h.vc, TORUS_BGL_BP);
}

static void test_crc_check_value(void **state)
{
	assert_int_equal(torus_lib_crc32(0, "123456789", 9), 0xcbf43926);
	assert_int_equal(torus_lib_crc32(torus_lib_crc32(0, "12345", 5), "6789", 4),
			 0xcbf43926);
	assert_int_equal(torus_lib_crc32(0, NULL, 0), 0);
}

static const struct torus_fabric_info fabric = {
	.name = "demo", .arch = "bgl", .ndims = 3, .dims = { 4, 5, 6 }, .nodes = 120,
	.numbering = { .last = 119, .split = { 4, 5, 6 }, .stride = { 1, 4, 20 } },
};

static void test_fabric_node_numbers(void **state)
{
	uint32_t node;

	assert_int_equal(torus_fabric_node(&fabric, "1,2,3", &node), 0);
	assert_int_equal(node, 1 + 4 * (2 + 5 * 3));
	assert_int_equal(torus_fabric_node(&fabric, "0,0,0", &node), 0);
	assert_int_equal(node, 0);
	assert_int_equal(torus_fabric_node(&fabric, "119", &node), 0);
	assert_int_equal(node, 119);
}

static void test_fabric_node_refused(void **state)
{
	static const char * const bad[] = {
		"", ",", "1,", "1,2", "1,2,3,", "1,2,3,4", ",1,2", "1,,2", "x", "1,2,z", "-1",
		" 1", "1 ", "0x1", "+1,2,3",
	};
	uint32_t node;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(torus_fabric_node(&fabric, bad[i], &node), -EINVAL);
	assert_int_equal(torus_fabric_node(&fabric, "1,2,9", &node), -ERANGE);
	assert_says(torus_error_text(), "node 1,2,9 z 6");
	assert_int_equal(torus_fabric_node(&fabric, "120", &node), -ERANGE);
	assert_says(torus_error_text(), "node 120 119");
	assert_int_equal(torus_fabric_node(&fabric, "99999999999999999999", &node), -ERANGE);
}

static void test_error_strings(void **state)
{
	const char *unknown = torus_error_refuse(TORUS_REFUSE_MAX);
	const char *lost = torus_error_drop(TORUS_DROP_MAX);
	unsigned int i;

	for (i = 0; i < TORUS_REFUSE_MAX; i++)
		assert_string_not_equal(torus_error_refuse(i), unknown);
	assert_says(unknown, "refused reason");
	for (i = 0; i <= TORUS_DROP_ECC; i++)
		assert_string_not_equal(torus_error_drop(i), lost);
	assert_says(torus_error_drop(TORUS_DROP_MACHINE), "machine");
	assert_says(lost, "dropped reason");
}

static void test_attach_without_device(void **state)
{
	const struct torus_attach_config config = { .device = "/nonexistent/torus" };
	struct torus_context *context;

	assert_int_equal(torus_context_attach(&context, "demo", 0, &config), -ENOENT);
	assert_says(torus_error_text(), "module torus");
	assert_int_equal(torus_context_attach(&context, "a name that is much too long for a fabric",
					      0, NULL), -ENAMETOOLONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header_build_bits),
		cmocka_unit_test(test_header_parse_is_build_undone),
		cmocka_unit_test(test_header_build_ranges),
		cmocka_unit_test(test_header_defaults),
		cmocka_unit_test(test_crc_check_value),
		cmocka_unit_test(test_fabric_node_numbers),
		cmocka_unit_test(test_fabric_node_refused),
		cmocka_unit_test(test_error_strings),
		cmocka_unit_test(test_attach_without_device),
	};

	return cmocka_run_group_tests_name("header", tests, NULL, NULL);
}
