/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands for nodes. */
#ifndef TORUS_DEV_NETLINK_NODE_H
#define TORUS_DEV_NETLINK_NODE_H

#include "message.h"

int torus_netlink_node_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_node_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_node_set(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_node_inject(struct sk_buff *skb, struct genl_info *info);

#endif
