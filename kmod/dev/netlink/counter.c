// SPDX-License-Identifier: GPL-2.0
/* Netlink commands for counters. */
#include <linux/slab.h>

#include "core/base/node_number.h"
#include "core/state/tni.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "counter.h"
#include "link.h"
#include "message.h"
#include "request.h"

static int torus_netlink_fill_link_counters(struct torus_netlink_msg *msg, struct torus_engine *e,
					    u32 node, u32 dir)
{
	struct torus_link_counters counters;
	struct torus_link_view view;

	torus_link_view(e->fabric, node, dir, &view);
	if (view.peer == TORUS_NONE)
		return 0;
	torus_link_counters(e->fabric, node, dir, &counters);
	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	return torus_netlink_end(msg, torus_netlink_put_node(msg, e, TORUS_A_NODE, node) &&
				 !nla_put_u32(msg->skb, TORUS_A_DIR, dir) &&
				 torus_netlink_put_node(msg, e, TORUS_A_LINK_PEER, view.peer) &&
				 !nla_put_64bit(msg->skb, TORUS_A_COUNTERS, sizeof(counters),
						&counters, TORUS_A_PAD));
}

/**
 * torus_netlink_put_tnis() - add the counters of TNIs, if the machine has any
 * @msg: the message
 * @e: the engine
 * @node: index of the node; TORUS_NONE: for each TNI the sum over all nodes
 *
 * Return: false if they do not fit.
 */
bool torus_netlink_put_tnis(struct torus_netlink_msg *msg, struct torus_engine *e, u32 node)
{
	u32 tnis = e->fabric->router->ports, i;
	struct torus_tni_counters *at;
	struct nlattr *attr;

	if (!tnis)
		return true;
	attr = nla_reserve_64bit(msg->skb, TORUS_A_TNIS, tnis * sizeof(*at), TORUS_A_PAD);
	if (!attr)
		return false;
	at = nla_data(attr);
	for (i = 0; i < tnis; i++)
		torus_tni_counters(e->fabric, node, i, at++);
	return true;
}

static int torus_netlink_fill_fabric_counters(struct torus_netlink_msg *msg,
					      struct torus_engine *e)
{
	struct torus_fabric_counters *counters = kzalloc(sizeof(*counters), GFP_KERNEL);
	int err;

	if (!counters)
		return -ENOMEM;
	torus_fabric_counters(e->fabric, counters);
	counters->refused += atomic64_read(&e->clients.refused) - e->clients.refused_base;
	err = torus_netlink_begin(msg);
	if (!err)
		err = torus_netlink_end(msg, !nla_put_string(msg->skb, TORUS_A_FABRIC, e->name) &&
					!nla_put_64bit(msg->skb, TORUS_A_COUNTERS,
						       sizeof(*counters), counters, TORUS_A_PAD) &&
					torus_netlink_put_tnis(msg, e, TORUS_NONE));
	kfree(counters);
	return err;
}

static int torus_netlink_one_link(struct sk_buff *skb, struct genl_info *info,
				  struct torus_netlink_msg *msg)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_link_view view;
	u32 node, dir;
	int err;

	if (!info->attrs[TORUS_A_NODE] || !info->attrs[TORUS_A_DIR])
		return torus_netlink_refuse(skb, info->nlhdr, NULL, -EINVAL,
					    "a link requires both NODE and DIR");
	err = torus_netlink_node(skb, info, &node) ?: torus_netlink_dir(skb, info, &dir);
	if (err)
		return err;
	torus_link_view(e->fabric, node, dir, &view);
	if (view.peer == TORUS_NONE)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_DIR], -ENOLINK,
					    "node %u has no link in direction %u",
					    torus_node_number(&e->geo, node), dir);
	return torus_netlink_fill_link_counters(msg, e, node, dir);
}

/* TORUS_CMD_COUNTER_GET: counters of a fabric, or of one link. */
int torus_netlink_counter_get(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_netlink_msg msg;
	int err;

	err = torus_netlink_new_reply(&msg, info);
	if (err)
		return err;
	if (info->attrs[TORUS_A_NODE] || info->attrs[TORUS_A_DIR])
		err = torus_netlink_one_link(skb, info, &msg);
	else
		err = torus_netlink_fill_fabric_counters(&msg, torus_netlink_engine(info));
	return torus_netlink_send_reply(&msg, info, err);
}

/* TORUS_CMD_COUNTER_GET, dump: counters of all links. */
int torus_netlink_counter_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return torus_netlink_dump_links(skb, cb, torus_netlink_fill_link_counters);
}

int torus_netlink_counter_reset(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);

	torus_fabric_counters_reset(e->fabric);
	e->clients.refused_base = atomic64_read(&e->clients.refused);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_COUNTER_RESET,
		.request = info->nlhdr,
	});
	return 0;
}
