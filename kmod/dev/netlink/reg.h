/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands for the registers of nodes. */
#ifndef TORUS_DEV_NETLINK_REG_H
#define TORUS_DEV_NETLINK_REG_H

#include "message.h"

struct torus_arch;
struct torus_reg;

const struct torus_reg *torus_netlink_named_reg(const struct torus_arch *arch, const char *name);
int torus_netlink_reg_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_reg_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_reg_set(struct sk_buff *skb, struct genl_info *info);

#endif
