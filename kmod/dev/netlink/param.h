/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink command for the parameters of a machine. */
#ifndef TORUS_DEV_NETLINK_PARAM_H
#define TORUS_DEV_NETLINK_PARAM_H

#include "message.h"

int torus_netlink_check_arch(struct sk_buff *skb, const struct nlmsghdr *nlh,
			     const struct nlattr *arch);
int torus_netlink_param_dump(struct sk_buff *skb, struct netlink_callback *cb);

#endif
