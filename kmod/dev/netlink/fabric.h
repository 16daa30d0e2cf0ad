/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands for fabrics. */
#ifndef TORUS_DEV_NETLINK_FABRIC_H
#define TORUS_DEV_NETLINK_FABRIC_H

#include "message.h"

bool torus_netlink_name_good(const char *name);
int torus_netlink_fabric_add(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_fabric_del(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_fabric_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_fabric_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_fabric_set(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_fabric_reset(struct sk_buff *skb, struct genl_info *info);
void torus_netlink_fabric_leave(struct net *net, u32 portid);

#endif
