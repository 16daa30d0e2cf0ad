// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of the netlink family. Before a command is called, its rights and attributes are
 * checked, and its fabric is found and locked.
 *
 * A command that changes something needs CAP_NET_ADMIN in the initial user namespace, for a fabric
 * in any network namespace: a fabric takes threads and memory of the whole machine. This file
 * checks the capability, and not GENL_ADMIN_PERM, because that rejects a request without an error
 * message.
 */
#include <linux/nospec.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <net/sock.h>

#include "core/base/node_number.h"
#include "dev/engine/engine.h"
#include "dev/engine/engine_lifecycle.h"
#include "dev/engine/registry.h"
#include "attrs.h"
#include "message.h"
#include "param.h"
#include "request.h"
#include "rights.h"

/*
 * Time for which a dump keeps the fabric locked before other tasks get their turn, comparable to a
 * piece of a workload.
 */
#define TORUS_NETLINK_TURN_NS	(4 * NSEC_PER_MSEC)

static int torus_netlink_no_fabric(struct sk_buff *skb, const struct nlmsghdr *nlh,
				   const struct nlattr *attr)
{
	return torus_netlink_refuse(skb, nlh, attr, -ENOENT,
				    "fabric %s does not exist in this network namespace",
				    (const char *)nla_data(attr));
}

static int torus_netlink_find_node(struct sk_buff *skb, const struct nlmsghdr *nlh,
				   const struct nlattr *attr, const struct torus_engine *e,
				   u32 *node)
{
	const struct torus_geometry *g = &e->geo;
	u32 number = nla_get_u32(attr);
	char text[TORUS_NUMBER_TEXT];

	*node = torus_node_index(g, number);
	if (*node == TORUS_NONE)
		return torus_netlink_refuse(skb, nlh, attr, -EINVAL, "%s",
					    torus_number_text(g, number, text, sizeof(text)));
	*node = array_index_nospec(*node, g->nodes);
	return 0;
}

/**
 * torus_netlink_node() - find the node that a request names
 * @skb: the request
 * @info: its info, with the fabric found
 * @node: [out] index of the node
 *
 * Return: 0, or the value that the handler must return.
 */
int torus_netlink_node(struct sk_buff *skb, struct genl_info *info, u32 *node)
{
	return torus_netlink_find_node(skb, info->nlhdr, info->attrs[TORUS_A_NODE],
				       torus_netlink_engine(info), node);
}

/* Find the direction that a request names; @dir: [out]. Return: as torus_netlink_node(). */
int torus_netlink_dir(struct sk_buff *skb, struct genl_info *info, u32 *dir)
{
	const struct nlattr *attr = info->attrs[TORUS_A_DIR];
	u32 dirs = 2 * torus_netlink_engine(info)->geo.ndims;

	*dir = nla_get_u32(attr);
	if (*dir >= dirs)
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "direction %u: must be 0 to %u", *dir, dirs - 1);
	*dir = array_index_nospec(*dir, dirs);
	return 0;
}

/* Implement genl_family.pre_doit: check rights and attributes, find and lock the fabric. */
int torus_netlink_pre_doit(const struct torus_genl_op *ops, struct sk_buff *skb,
			   struct genl_info *info)
{
	const struct torus_netlink_rule *rule = &torus_netlink_rules[ops->cmd];
	struct torus_engine *e;
	enum torus_rights watched;
	bool watches;
	int err;

	if (ops->internal_flags & TORUS_NETLINK_ADMIN && !netlink_capable(skb, CAP_NET_ADMIN))
		return torus_netlink_refuse(skb, info->nlhdr, NULL, -EPERM,
					    "this command requires CAP_NET_ADMIN in the initial "
					    "user namespace");
	err = torus_netlink_check_attrs(skb, info->nlhdr, info->attrs, rule->need, rule->may);
	if (err)
		return err;
	if (!(ops->internal_flags & TORUS_NETLINK_HOLD))
		return 0;

	e = torus_registry_find(genl_info_net(info), nla_data(info->attrs[TORUS_A_FABRIC]));
	if (!e)
		return torus_netlink_no_fabric(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC]);
	err = torus_engine_lock_killable(e);
	if (err) {
		torus_engine_put(e);
		if (err == -EINTR)
			return err;
		/* The fabric was deleted after it was found. */
		return torus_netlink_no_fabric(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC]);
	}
	watches = !(ops->internal_flags & TORUS_NETLINK_WATCH) ||
		  torus_netlink_watches(skb, info->attrs, e, &watched);
	if (!watches) {
		torus_engine_unlock(e);
		err = torus_netlink_no_watch(skb, info->nlhdr, info->attrs, e, watched);
		torus_engine_put(e);
		return err;
	}
	info->user_ptr[0] = e;
	return 0;
}

/* Implement genl_family.post_doit: unlock the fabric, and wake its leader after a change. */
void torus_netlink_post_doit(const struct torus_genl_op *ops, struct sk_buff *skb,
			     struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);

	if (!(ops->internal_flags & TORUS_NETLINK_HOLD))
		return;
	if (ops->internal_flags & TORUS_NETLINK_CHANGE) {
		if (!++e->generation)
			e->generation = 1;
		torus_engine_unlock_kick(e);
	} else {
		torus_engine_unlock(e);
	}
	torus_engine_put(e);
}

/* Implement genl_ops.start: check the request of a dump, and find its fabric. */
int torus_netlink_start(struct netlink_callback *cb)
{
	const struct genl_dumpit_info *info = genl_dumpit_info(cb);
	const struct torus_netlink_rule *rule = &torus_netlink_rules[info->op.cmd];
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	struct nlattr **attrs = torus_genl_dump_attrs(cb);
	const struct nlmsghdr *nlh = cb->nlh;
	struct torus_engine *e;
	int err;

	err = torus_netlink_check_attrs(cb->skb, nlh, attrs, rule->dump_need, rule->dump_may);
	if (err)
		return err;
	cb->min_dump_alloc = TORUS_NETLINK_BYTES;
	if (torus_netlink_lists(rule->dump_need, TORUS_A_ARCH))
		return torus_netlink_check_arch(cb->skb, nlh, attrs[TORUS_A_ARCH]);
	if (!torus_netlink_lists(rule->dump_need, TORUS_A_FABRIC))
		return 0;

	e = torus_registry_find(sock_net(cb->skb->sk), nla_data(attrs[TORUS_A_FABRIC]));
	if (!e)
		return torus_netlink_no_fabric(cb->skb, nlh, attrs[TORUS_A_FABRIC]);
	dump->last = e->geo.nodes;
	if (attrs[TORUS_A_NODE]) {
		err = torus_netlink_find_node(cb->skb, nlh, attrs[TORUS_A_NODE], e, &dump->node);
		if (err) {
			torus_engine_put(e);
			return err;
		}
		dump->last = dump->node + 1;
		dump->one = true;
	}
	if (attrs[TORUS_A_LINK_SENDER]) {
		dump->filter = true;
		dump->sender = nla_get_u32(attrs[TORUS_A_LINK_SENDER]);
	}
	dump->changed = attrs[TORUS_A_CHANGED];
	if (info->op.internal_flags & TORUS_NETLINK_WATCH) {
		err = torus_netlink_may_dump(cb->skb, nlh, attrs, e, info->op.cmd);
		if (err) {
			torus_engine_put(e);
			return err;
		}
	}
	dump->engine = e;
	return 0;
}

/* Implement genl_ops.done: drop the reference to the engine. */
int torus_netlink_done(struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);

	if (dump->engine)
		torus_engine_put(dump->engine);
	return 0;
}

/**
 * torus_netlink_lock() - lock the engine for the next part of a dump
 * @cb: the dump
 *
 * Return: 0; -ENODEV if the fabric was deleted; -EINTR if the task was killed.
 */
int torus_netlink_lock(struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	int err = torus_engine_lock_killable(dump->engine);

	if (err) {
		NL_SET_ERR_MSG(cb->extack, "the fabric has been deleted");
		return err;
	}
	cb->seq = dump->engine->generation;
	dump->held_since = ktime_get_ns();
	return 0;
}

/**
 * torus_netlink_breathe() - let other tasks have the engine and the processor during a dump
 * @cb: the dump, with its engine locked
 *
 * A part of a dump may visit a million nodes and report none, but netlink checks for signals only
 * between two parts.
 *
 * The engine is unlocked before the processor is yielded: this task may not run again for long. It
 * is unlocked at most once per TORUS_NETLINK_TURN_NS. Each turn of the other tasks may take as
 * long, so a dump that did one link per turn would take hours.
 *
 * Return: 0; -ENODEV; -EINTR if the task is killed. On an error the engine is not locked.
 */
int torus_netlink_breathe(struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);

	if (fatal_signal_pending(current)) {
		torus_engine_unlock(dump->engine);
		return -EINTR;
	}
	if (!need_resched() || ktime_get_ns() - dump->held_since < TORUS_NETLINK_TURN_NS)
		return 0;
	torus_engine_unlock(dump->engine);
	cond_resched();
	return torus_netlink_lock(cb);
}
