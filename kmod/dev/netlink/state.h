/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands for snapshots of a fabric. */
#ifndef TORUS_DEV_NETLINK_STATE_H
#define TORUS_DEV_NETLINK_STATE_H

#include "message.h"

int torus_netlink_state_save(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_state_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_state_write(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_state_commit(struct sk_buff *skb, struct genl_info *info);

#endif
