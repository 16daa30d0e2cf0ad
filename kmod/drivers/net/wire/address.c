// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of a node. All follow from the number of the node, so no protocol has to find them.
 * The IP addresses begin with 1, because an address whose host part is 0 is that of a network.
 */
#include "address.h"

#define MAC_LOCAL	0x02	/* the address is not assigned by a manufacturer */
#define IPV4_MASK	0xffffffu

static u32 address_load(const u8 *bytes)
{
	return (u32)bytes[0] << 24 | (u32)bytes[1] << 16 | (u32)bytes[2] << 8 | bytes[3];
}

/**
 * torus_net_mac() - make the Ethernet address of a node: 02:00, and the number in four bytes
 * @node: number of the node
 * @mac: [out] six bytes
 */
void torus_net_mac(u32 node, u8 *mac)
{
	mac[0] = MAC_LOCAL;
	mac[1] = 0;
	mac[2] = (u8)(node >> 24);
	mac[3] = (u8)(node >> 16);
	mac[4] = (u8)(node >> 8);
	mac[5] = (u8)node;
}

/**
 * torus_net_mac_node() - find the node of an Ethernet address
 * @mac: six bytes
 * @node: [out] number, which may belong to no node
 *
 * Return: false if the address is not that of a node.
 */
bool torus_net_mac_node(const u8 *mac, u32 *node)
{
	*node = address_load(mac + 2);
	return mac[0] == MAC_LOCAL && !mac[1];
}

/**
 * torus_net_ipv4_node() - find the node of an IPv4 address: its low 24 bits minus 1
 * @address: the address in the processor's byte order
 * @node: [out] number, which may belong to no node
 *
 * Return: false if the address is not that of a node.
 */
bool torus_net_ipv4_node(u32 address, u32 *node)
{
	*node = (address & IPV4_MASK) - 1;
	return address & IPV4_MASK;
}

/**
 * torus_net_ipv6_node() - find the node of an IPv6 address: its low 32 bits minus 1
 * @address: 16 bytes
 * @node: [out] number, which may belong to no node
 *
 * Return: false if the address is not that of a node.
 */
bool torus_net_ipv6_node(const u8 *address, u32 *node)
{
	u32 low = address_load(address + TORUS_NET_IPV6_BYTES - 4);

	*node = low - 1;
	return low;
}
