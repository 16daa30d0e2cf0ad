/* SPDX-License-Identifier: GPL-2.0 */
/* Requests of the netlink family, and dumps that take several messages. */
#ifndef TORUS_DEV_NETLINK_REQUEST_H
#define TORUS_DEV_NETLINK_REQUEST_H

#include <linux/build_bug.h>
#include <linux/netlink.h>
#include <net/genetlink.h>

#include "dev/compat/genetlink.h"

struct torus_engine;

/* genl_ops.internal_flags */
#define TORUS_NETLINK_ADMIN	BIT(0)	/* needs CAP_NET_ADMIN */
#define TORUS_NETLINK_HOLD	BIT(1)	/* lock FABRIC for the command */
#define TORUS_NETLINK_CHANGE	BIT(2)	/* the command changes FABRIC */
#define TORUS_NETLINK_WATCH	BIT(3)	/* shows the traffic of FABRIC: see rights.c */

/**
 * struct torus_netlink_dump - position and filter of a dump (netlink_callback.ctx)
 * @engine: engine of the fabric, with a reference; NULL for a dump of fabrics or parameters
 * @node: index of the next node
 * @next: next direction or register of @node, next fabric, or position in another list
 * @last: index after the last node
 * @one: the request names a node
 * @filter: report only links whose sender has state @sender
 * @sender: TORUS_A_LINK_SENDER
 * @changed: report only objects that differ from a new fabric's
 * @held_since: ktime_get_ns() when the engine was last locked
 */
struct torus_netlink_dump {
	struct torus_engine *engine;
	u32 node;
	u32 next;
	u32 last;
	bool one;
	bool filter;
	u32 sender;
	bool changed;
	u64 held_since;
};

static inline struct torus_netlink_dump *torus_netlink_dump(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct torus_netlink_dump) > sizeof(cb->ctx));
	return (struct torus_netlink_dump *)cb->ctx;
}

/* Return the engine that pre_doit has locked. The command must have TORUS_NETLINK_HOLD. */
static inline struct torus_engine *torus_netlink_engine(struct genl_info *info)
{
	return info->user_ptr[0];
}

int torus_netlink_pre_doit(const struct torus_genl_op *ops, struct sk_buff *skb,
			   struct genl_info *info);
void torus_netlink_post_doit(const struct torus_genl_op *ops, struct sk_buff *skb,
			     struct genl_info *info);
int torus_netlink_start(struct netlink_callback *cb);
int torus_netlink_done(struct netlink_callback *cb);
int torus_netlink_node(struct sk_buff *skb, struct genl_info *info, u32 *node);
int torus_netlink_dir(struct sk_buff *skb, struct genl_info *info, u32 *dir);
int torus_netlink_lock(struct netlink_callback *cb);
int torus_netlink_breathe(struct netlink_callback *cb);

#endif
