// SPDX-License-Identifier: GPL-2.0
/* The header of a fragment, and the lengths of fragments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drivers/net/wire/fragment.h"

static void check(const struct torus_net_fragment *in)
{
	u8 bytes[TORUS_NET_FRAGMENT_HEADER];
	struct torus_net_fragment out;

	torus_net_fragment_pack(in, bytes);
	assert_true(torus_net_fragment_unpack(&out, bytes));
	assert_int_equal(out.source, in->source);
	assert_int_equal(out.id, in->id);
	assert_int_equal(out.index, in->index);
	assert_int_equal(out.last, in->last);
	assert_int_equal(out.ipv6, in->ipv6);
	assert_int_equal(out.length, in->length);
}

static void test_fields(void **state)
{
	static const struct torus_net_fragment some[] = {
		{ .length = 1 }, { .length = TORUS_NET_MTU_MAX }, { .length = 1, .ipv6 = true },
		{ .length = 1, .id = 0xffff }, { .length = 1, .source = 0xfffffffe },
		{ .index = 1 }, { .index = 0x1ff, .id = 0xffff, .source = 1 },
		{ .index = 1, .last = true },
	};
	u32 i;

	for (i = 0; i < sizeof(some) / sizeof(*some); i++)
		check(&some[i]);
}

static void test_invalid(void **state)
{
	/* length 0, a length that no interface sends, index 0, an unused bit */
	static const u8 second[][4] = {
		{ 0x80, 0, 0, 0 }, { 0xbf, 0xff, 0, 0 }, { 0, 0, 0, 1 }, { 0x02, 1, 0, 0 },
	};
	u8 bytes[TORUS_NET_FRAGMENT_HEADER] = { 0 };
	struct torus_net_fragment out;
	u32 i;

	for (i = 0; i < sizeof(second) / sizeof(*second); i++) {
		memcpy(bytes + 4, second[i], 4);
		assert_false(torus_net_fragment_unpack(&out, bytes));
	}
}

/* The fragments of each datagram, on each machine, have its bytes, and numbers that fit. */
static void test_lengths(void **state)
{
	static const u32 sizes[] = { 56, 240, 488 };
	u32 i, k, length, sum, count;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		for (length = 1; length <= TORUS_NET_MTU_MAX; length++) {
			count = torus_net_fragments(length, sizes[i]);
			assert_true(count <= 0x200);
			for (sum = 0, k = 0; k < count; k++)
				sum += torus_net_fragment_bytes(length, sizes[i], k);
			assert_int_equal(sum, length);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
