/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands for routing tables. */
#ifndef TORUS_DEV_NETLINK_ROUTE_H
#define TORUS_DEV_NETLINK_ROUTE_H

#include "message.h"

int torus_netlink_route_load(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_route_get(struct sk_buff *skb, struct genl_info *info);

#endif
