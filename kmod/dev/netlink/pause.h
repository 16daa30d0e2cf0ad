/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands that pause and resume a fabric. */
#ifndef TORUS_DEV_NETLINK_PAUSE_H
#define TORUS_DEV_NETLINK_PAUSE_H

#include <net/genetlink.h>

struct torus_engine;
struct torus_netlink_msg;

int torus_netlink_fabric_pause(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_fabric_resume(struct sk_buff *skb, struct genl_info *info);
bool torus_netlink_put_paused(struct torus_netlink_msg *msg, const struct torus_engine *e);

#endif
