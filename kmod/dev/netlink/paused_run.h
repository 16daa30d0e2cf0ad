/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands that run a paused fabric. */
#ifndef TORUS_DEV_NETLINK_PAUSED_RUN_H
#define TORUS_DEV_NETLINK_PAUSED_RUN_H

#include <net/genetlink.h>

int torus_netlink_no_run(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_run_begin(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_run_next(struct sk_buff *skb, struct genl_info *info);

#endif
