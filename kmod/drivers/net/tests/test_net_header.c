// SPDX-License-Identifier: GPL-2.0
/* The packet headers that torus_net writes, compared with what the machines read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/bgl/header.h"
#include "arch/tofu/header.h"
#include "arch/xt/header.h"
#include "drivers/net/wire/header.h"

static const struct torus_net_machine *machine(const char *name, u32 bytes)
{
	const struct torus_net_machine *found = torus_net_machine_find(name);

	assert_non_null(found);
	assert_string_equal(found->name, name);
	assert_int_equal(found->header_bytes, bytes);
	return found;
}

static void test_bgl(void **state)
{
	const u32 dest[TORUS_DIMS_MAX] = { 255, 7, 130 };
	u8 bytes[TORUS_BGL_HEADER_BYTES];
	struct bgl_header h;
	u32 group, chunks;

	for (group = 0; group < 2; group++) {
		for (chunks = 1; chunks <= 8; chunks++) {
			machine("bgl", sizeof(bytes))->header(bytes, dest, 9, group, chunks);
			bgl_header_unpack(&h, bytes);
			assert_int_equal(h.dest[0], 255);
			assert_int_equal(h.dest[1], 7);
			assert_int_equal(h.dest[2], 130);
			assert_int_equal(h.pid, group);
			assert_int_equal(h.chunks, chunks);
			assert_int_equal(h.vc, TORUS_BGL_BN);
			assert_int_equal(h.csum_skip, 4);
			assert_false(h.dynamic || h.hints || h.dp || h.sk);
		}
	}
}

static void test_xt(void **state)
{
	const u32 dest[TORUS_DIMS_MAX] = { 1 };
	u8 bytes[TORUS_XT_HEADER_BYTES];
	struct xt_header h;
	u32 group, flits;

	for (group = 0; group < 2; group++) {
		for (flits = 1; flits <= 9; flits++) {
			machine("xt", sizeof(bytes))->header(bytes, dest, 0x7abc, group, flits);
			xt_header_unpack(&h, bytes);
			assert_int_equal(h.nid, 0x7abc);
			assert_int_equal(h.group, group);
			assert_int_equal(h.flits, flits);
			assert_int_equal(h.tail, flits == 1);
			assert_false(h.vc || h.reserved);
		}
	}
}

static void test_tofu(void **state)
{
	const u32 dest[TORUS_DIMS_MAX] = { 200, 3, 255, 1, 2, 1 };
	u8 bytes[TORUS_TOFU_HEADER_BYTES];
	struct tofu_header h;
	u32 group;

	for (group = 0; group < TORUS_TOFU_GROUPS; group++) {
		machine("tofu", sizeof(bytes))->header(bytes, dest, 9, group, 16);
		tofu_header_unpack(&h, bytes);
		assert_memory_equal(h.dest, dest, sizeof(h.dest));
		assert_int_equal(h.group, group);
		assert_int_equal(h.chunks, 16);
		assert_int_equal(h.path, TORUS_TOFU_PATH_FIXED);
		assert_false(h.fifo || h.reserved);
	}
}

static void test_other(void **state)
{
	assert_null(torus_net_machine_find("kncube"));
	assert_null(torus_net_machine_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bgl),
		cmocka_unit_test(test_xt),
		cmocka_unit_test(test_tofu),
		cmocka_unit_test(test_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
