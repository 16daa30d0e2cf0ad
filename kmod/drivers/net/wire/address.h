/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses of a node: its Ethernet address, and the IP addresses that lead to it. */
#ifndef TORUS_NET_ADDRESS_H
#define TORUS_NET_ADDRESS_H

#include "core/platform.h"

#define TORUS_NET_MAC_BYTES	6
#define TORUS_NET_IPV6_BYTES	16

void torus_net_mac(u32 node, u8 *mac);
bool torus_net_mac_node(const u8 *mac, u32 *node);
bool torus_net_ipv4_node(u32 address, u32 *node);
bool torus_net_ipv6_node(const u8 *address, u32 *node);

#endif
