// SPDX-License-Identifier: GPL-2.0
/* Addresses of nodes: Ethernet, IPv4, IPv6. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drivers/net/wire/address.h"

static const u32 numbers[] = { 0, 1, 0xfe, 0xff, 0x123456, 0xfffffe };

static void test_mac(void **state)
{
	static const u8 expected[TORUS_NET_MAC_BYTES] = { 2, 0, 0x12, 0x34, 0x56, 0x78 };
	u8 mac[TORUS_NET_MAC_BYTES];
	u32 node;

	torus_net_mac(0x12345678, mac);
	assert_memory_equal(mac, expected, sizeof(mac));
	assert_true(torus_net_mac_node(mac, &node));
	assert_int_equal(node, 0x12345678);
	mac[1] = 1;
	assert_false(torus_net_mac_node(mac, &node));
	mac[1] = 0;
	mac[0] = 3;	/* a group address */
	assert_false(torus_net_mac_node(mac, &node));
	memset(mac, 0xff, sizeof(mac));
	assert_false(torus_net_mac_node(mac, &node));
}

static void test_ipv4(void **state)
{
	u32 i, node;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		assert_true(torus_net_ipv4_node(0x0a000000 + numbers[i] + 1, &node));
		assert_int_equal(node, numbers[i]);
	}
	assert_false(torus_net_ipv4_node(0x0a000000, &node));
}

static void test_ipv6(void **state)
{
	u8 address[TORUS_NET_IPV6_BYTES] = { 0xfd, [14] = 1, [15] = 0 };
	u32 node;

	assert_true(torus_net_ipv6_node(address, &node));
	assert_int_equal(node, 0xff);
	memset(address + 12, 0xff, 4);
	assert_true(torus_net_ipv6_node(address, &node));
	assert_int_equal(node, 0xfffffffe);
	memset(address + 12, 0, 4);
	assert_false(torus_net_ipv6_node(address, &node));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mac),
		cmocka_unit_test(test_ipv4),
		cmocka_unit_test(test_ipv6),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
