/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink commands for jobs. */
#ifndef TORUS_DEV_NETLINK_JOB_H
#define TORUS_DEV_NETLINK_JOB_H

#include "message.h"

int torus_netlink_job_add(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_job_del(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_job_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_job_dump(struct sk_buff *skb, struct netlink_callback *cb);

#endif
