/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands for counters. */
#ifndef TORUS_DEV_NETLINK_COUNTER_H
#define TORUS_DEV_NETLINK_COUNTER_H

#include "message.h"

bool torus_netlink_put_tnis(struct torus_netlink_msg *msg, struct torus_engine *e, u32 node);

int torus_netlink_counter_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_counter_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_counter_reset(struct sk_buff *skb, struct genl_info *info);

#endif
