/* SPDX-License-Identifier: GPL-2.0 */
/* Attributes of the netlink family: their ranges, and the commands that accept each. */
#ifndef TORUS_DEV_NETLINK_ATTRS_H
#define TORUS_DEV_NETLINK_ATTRS_H

#include "message.h"

/**
 * struct torus_netlink_rule - attributes of a command
 * @need: required attributes: TORUS_A_*, ends with UNSPEC; NULL: none
 * @may: optional attributes
 * @dump_need: required attributes of a dump
 * @dump_may: optional attributes of a dump
 */
struct torus_netlink_rule {
	const u16 *need;
	const u16 *may;
	const u16 *dump_need;
	const u16 *dump_may;
};

extern const struct nla_policy torus_netlink_policy[TORUS_A_MAX + 1];
extern const struct torus_netlink_rule torus_netlink_rules[TORUS_CMD_MAX + 1];

bool torus_netlink_lists(const u16 *list, u32 attr);
int torus_netlink_check_attrs(struct sk_buff *skb, const struct nlmsghdr *nlh,
			      struct nlattr **attrs, const u16 *need, const u16 *may);

#endif
