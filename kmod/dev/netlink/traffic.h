/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands for the core's own workload. */
#ifndef TORUS_DEV_NETLINK_TRAFFIC_H
#define TORUS_DEV_NETLINK_TRAFFIC_H

#include "message.h"

int torus_netlink_traffic_start(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_traffic_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_traffic_stop(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_traffic_pairs(struct sk_buff *skb, struct genl_info *info);

void torus_netlink_traffic_leave(struct net *net, u32 portid);

#endif
