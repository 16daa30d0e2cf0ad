// SPDX-License-Identifier: GPL-2.0
/*
 * The nodes that an interface reaches, and the IP addresses that lead to them.
 *
 * No protocol has to find the Ethernet address of a node: it follows from the IP address. Senders
 * to any other address get EHOSTUNREACH at once, not after a time-out.
 */
#include <linux/in.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <net/dst.h>
#include <net/neighbour.h>

#include "reach.h"

/**
 * torus_net_reachable() - check that there is another node with a number
 * @tn: the interface
 * @node: the number
 *
 * Return: false if no node has the number, or if it is the interface's own node.
 */
bool torus_net_reachable(const struct torus_net *tn, u32 node)
{
	u32 coords[TORUS_DIMS_MAX];

	return node != tn->node && torus_net_coords(&tn->numbering, node, coords);
}

/* dst_link_failure() notifies a connected socket, or the sender of a forwarded packet. */
static int reach_not(struct neighbour *neighbour, struct sk_buff *skb)
{
	dst_link_failure(skb);
	kfree_skb(skb);
	return -EHOSTUNREACH;
}

static const struct neigh_ops reach_not_ops = {
	.output = reach_not,
	.connected_output = reach_not,
};

/* Find the node of a neighbour. Return: false if there is none. */
static bool reach_node(const struct torus_net *tn, const struct neighbour *neighbour, u32 *node)
{
	const u8 *key = neighbour->primary_key;

	if (neighbour->type != RTN_UNICAST)
		return false;
	if (neighbour->tbl->family == AF_INET)
		return torus_net_ipv4_node(ntohl(*(const __be32 *)key), node) &&
		       torus_net_reachable(tn, *node);
	return torus_net_ipv6_node(key, node) && torus_net_reachable(tn, *node);
}

/**
 * torus_net_neighbour() - net_device_ops.ndo_neigh_construct
 * @dev: the interface
 * @neighbour: [in, out] an IP address that a datagram is sent to, IPv4 or IPv6
 *
 * Return: 0.
 */
int torus_net_neighbour(struct net_device *dev, struct neighbour *neighbour)
{
	u32 node;

	if (reach_node(netdev_priv(dev), neighbour, &node)) {
		torus_net_mac(node, neighbour->ha);
		return 0;
	}
	neighbour->ops = &reach_not_ops;
	neighbour->output = reach_not;
	return 0;
}
