/* SPDX-License-Identifier: GPL-2.0 */
/* The right to observe a fabric through netlink: the key `watch`. */
#ifndef TORUS_DEV_NETLINK_RIGHTS_H
#define TORUS_DEV_NETLINK_RIGHTS_H

#include "core/state/param.h"
#include "message.h"

struct torus_job_nodes;

bool torus_netlink_sees(const struct sk_buff *skb, const struct torus_engine *e, u32 node);
bool torus_netlink_sees_job(const struct sk_buff *skb, const struct torus_engine *e,
			    const struct torus_job_nodes *job);
bool torus_netlink_watches(const struct sk_buff *skb, struct nlattr **attrs,
			   const struct torus_engine *e, enum torus_rights *watched);
int torus_netlink_no_watch(struct sk_buff *skb, const struct nlmsghdr *nlh, struct nlattr **attrs,
			   const struct torus_engine *e, enum torus_rights watched);
int torus_netlink_may_dump(struct sk_buff *skb, const struct nlmsghdr *nlh, struct nlattr **attrs,
			   struct torus_engine *e, u32 cmd);

#endif
