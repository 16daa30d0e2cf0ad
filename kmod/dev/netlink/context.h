/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink command for the owners of FIFO groups and gates. */
#ifndef TORUS_DEV_NETLINK_CONTEXT_H
#define TORUS_DEV_NETLINK_CONTEXT_H

#include "message.h"

int torus_netlink_context_dump(struct sk_buff *skb, struct netlink_callback *cb);

#endif
