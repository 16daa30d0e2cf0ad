/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands for links. */
#ifndef TORUS_DEV_NETLINK_LINK_H
#define TORUS_DEV_NETLINK_LINK_H

#include "message.h"

/* Fill in a message about one link. Return: 0 or -EMSGSIZE. */
typedef int (*torus_netlink_fill_link)(struct torus_netlink_msg *msg, struct torus_engine *e,
				       u32 node, u32 dir);

int torus_netlink_dump_links(struct sk_buff *skb, struct netlink_callback *cb,
			     torus_netlink_fill_link fill);
int torus_netlink_link_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_link_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_link_set(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_link_check(struct sk_buff *skb, struct netlink_callback *cb);

int torus_netlink_fault_dump(struct sk_buff *skb, struct netlink_callback *cb);

#endif
