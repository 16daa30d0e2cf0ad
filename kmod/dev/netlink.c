// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "torus": what commands there are, who may give them,
 * and what all of them share.
 *
 * A command that changes something wants CAP_NET_ADMIN in the initial user
 * namespace, from whatever network namespace it comes, because a fabric costs
 * threads and memory of the whole machine.  This is asked here and not by
 * GENL_ADMIN_PERM, whose refusal has no words.
 *
 * Requests run in parallel (parallel_ops): what a request does is protected by
 * the registry's and the engine's locks, and a fabric that is slow to release
 * must not hold up the other families.
 */
#include <linux/nospec.h>
#include <linux/notifier.h>
#include <linux/sched/signal.h>
#include <linux/stdarg.h>
#include <linux/string.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "events.h"
#include "netlink.h"
#include "registry.h"

#define TORUS_NETLINK_TEXT	192

/* A dump holds the fabric for at most this long at a time, as a piece of a workload does. */
#define TORUS_NETLINK_TURN_NS	(4 * NSEC_PER_MSEC)

/* genl_ops.internal_flags */
#define TORUS_NETLINK_ADMIN	BIT(0)	/* wants CAP_NET_ADMIN */
#define TORUS_NETLINK_HOLD	BIT(1)	/* hold FABRIC for the command */
#define TORUS_NETLINK_CHANGE	BIT(2)	/* which changes it */
#define TORUS_NETLINK_WATCH	BIT(3)	/* tells what goes on in FABRIC: netlink_rights.c */

/* ---------------------------------------------------------------- refusing */

/**
 * torus_netlink_refuse() - answer a request with an errno and the reason
 * @skb: the request
 * @nlh: its header
 * @attr: the attribute at fault, or NULL
 * @err: negative errno
 * @fmt: the reason, naming the value
 *
 * In 6.1 the words of an extack must outlive the request's handler, so they cannot
 * be formatted there.  So the answer is sent from here, while they exist; -EINTR
 * is what tells netlink that the request needs no other.
 *
 * Return: what the handler must return.
 */
int torus_netlink_refuse(struct sk_buff *skb, const struct nlmsghdr *nlh, const struct nlattr *attr,
			 int err, const char *fmt, ...)
{
	struct netlink_ext_ack extack = { .bad_attr = attr };
	char text[TORUS_NETLINK_TEXT];
	va_list args;

	va_start(args, fmt);
	vscnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	extack._msg = text;
	/* It only reads the header. */
	netlink_ack(skb, (struct nlmsghdr *)nlh, err, &extack);
	return -EINTR;
}

static int torus_netlink_no_fabric(struct sk_buff *skb, const struct nlmsghdr *nlh,
				   const struct nlattr *attr)
{
	return torus_netlink_refuse(skb, nlh, attr, -ENOENT,
				    "there is no fabric %s in this network namespace",
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
 * torus_netlink_node() - the node that a request names
 * @skb: the request
 * @info: its info, with the fabric found
 * @node: out: its index
 *
 * Return: 0, or what the handler must return.
 */
int torus_netlink_node(struct sk_buff *skb, struct genl_info *info, u32 *node)
{
	return torus_netlink_find_node(skb, info->nlhdr, info->attrs[TORUS_A_NODE],
				       torus_netlink_engine(info), node);
}

/* The same for a direction. */
int torus_netlink_dir(struct sk_buff *skb, struct genl_info *info, u32 *dir)
{
	const struct nlattr *attr = info->attrs[TORUS_A_DIR];
	u32 dirs = 2 * torus_netlink_engine(info)->geo.ndims;

	*dir = nla_get_u32(attr);
	if (*dir >= dirs)
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "direction %u is outside of 0..%u", *dir, dirs - 1);
	*dir = array_index_nospec(*dir, dirs);
	return 0;
}

/* ------------------------------------------------------ before and behind */

static int torus_netlink_pre_doit(const struct torus_genl_op *ops, struct sk_buff *skb,
				  struct genl_info *info)
{
	const struct torus_netlink_rule *rule = &torus_netlink_rules[ops->cmd];
	struct torus_engine *e;
	enum torus_rights watched;
	bool watches;
	int err;

	if (ops->internal_flags & TORUS_NETLINK_ADMIN && !netlink_capable(skb, CAP_NET_ADMIN))
		return torus_netlink_refuse(skb, info->nlhdr, NULL, -EPERM,
					    "this needs CAP_NET_ADMIN in the initial "
					    "user namespace");
	err = torus_netlink_check_attrs(skb, info->nlhdr, info->attrs, rule->need, rule->may);
	if (err)
		return err;
	if (!(ops->internal_flags & TORUS_NETLINK_HOLD))
		return 0;

	e = torus_registry_find(genl_info_net(info), nla_data(info->attrs[TORUS_A_FABRIC]));
	if (!e)
		return torus_netlink_no_fabric(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC]);
	err = torus_engine_hold_killable(e);
	if (err) {
		torus_engine_put(e);
		if (err == -EINTR)
			return err;
		/* It was deleted in between. */
		return torus_netlink_no_fabric(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC]);
	}
	watches = !(ops->internal_flags & TORUS_NETLINK_WATCH) ||
		  torus_netlink_watches(skb, info->attrs, e, &watched);
	if (!watches) {
		torus_engine_release(e);
		err = torus_netlink_no_watch(skb, info->nlhdr, info->attrs, e, watched);
		torus_engine_put(e);
		return err;
	}
	info->user_ptr[0] = e;
	return 0;
}

static void torus_netlink_post_doit(const struct torus_genl_op *ops, struct sk_buff *skb,
				    struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);

	if (!(ops->internal_flags & TORUS_NETLINK_HOLD))
		return;
	if (ops->internal_flags & TORUS_NETLINK_CHANGE) {
		if (!++e->generation)
			e->generation = 1;
		torus_engine_release_kick(e);
	} else {
		torus_engine_release(e);
	}
	torus_engine_put(e);
}

/* ---------------------------------------------------------------- messages */

/**
 * torus_netlink_begin() - begin a message
 * @msg: with everything but its header
 *
 * Return: 0 or -EMSGSIZE.
 */
int torus_netlink_begin(struct torus_netlink_msg *msg)
{
	msg->hdr = genlmsg_put(msg->skb, msg->portid, msg->seq, &torus_netlink_family,
			       msg->cb ? NLM_F_MULTI : 0, msg->cmd);
	if (!msg->hdr)
		return -EMSGSIZE;
	if (msg->cb)
		genl_dump_check_consistent(msg->cb, msg->hdr);
	return 0;
}

/**
 * torus_netlink_end() - end a message
 * @msg: a message that was begun
 * @fits: all of its attributes found room; if not, it is taken back
 *
 * Return: 0 or -EMSGSIZE.
 */
int torus_netlink_end(struct torus_netlink_msg *msg, bool fits)
{
	if (!fits) {
		genlmsg_cancel(msg->skb, msg->hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(msg->skb, msg->hdr);
	return 0;
}

/**
 * torus_netlink_new_reply() - make room for the answer to a request
 * @msg: to be filled
 * @info: the request's
 *
 * Return: 0 or -ENOMEM.
 */
int torus_netlink_new_reply(struct torus_netlink_msg *msg, struct genl_info *info)
{
	*msg = (struct torus_netlink_msg){
		/* while the fabric is held: as torus_event_send_held() */
		.skb = genlmsg_new(TORUS_NETLINK_BYTES, GFP_ATOMIC | __GFP_NOWARN) ?:
		       genlmsg_new(TORUS_NETLINK_BYTES, GFP_KERNEL),
		.portid = info->snd_portid,
		.seq = info->snd_seq,
		.cmd = info->genlhdr->cmd,
	};
	return msg->skb ? 0 : -ENOMEM;
}

/* Send it, unless filling it ended with @err. */
int torus_netlink_send_reply(struct torus_netlink_msg *msg, struct genl_info *info, int err)
{
	if (err) {
		nlmsg_free(msg->skb);
		return err;
	}
	return genlmsg_reply(msg->skb, info);
}

/* Messages of a dump go into @skb. */
void torus_netlink_into_dump(struct torus_netlink_msg *msg, struct sk_buff *skb,
			     struct netlink_callback *cb)
{
	*msg = (struct torus_netlink_msg){
		.skb = skb,
		.cb = cb,
		.portid = NETLINK_CB(cb->skb).portid,
		.seq = cb->nlh->nlmsg_seq,
		.cmd = genl_dumpit_info(cb)->op.cmd,
	};
}

/* True if there was room for a u64. */
bool torus_netlink_put_u64(struct torus_netlink_msg *msg, int attr, u64 value)
{
	return !nla_put_u64_64bit(msg->skb, attr, value, TORUS_A_PAD);
}

/* ------------------------------------------------------------------- dumps */

static int torus_netlink_start(struct netlink_callback *cb)
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

static int torus_netlink_done(struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);

	if (dump->engine)
		torus_engine_put(dump->engine);
	return 0;
}

/**
 * torus_netlink_hold() - hold the fabric of a dump for the next piece of it
 * @cb: the dump
 *
 * Return: 0; -ENODEV; -EINTR if the task was killed.
 */
int torus_netlink_hold(struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	int err = torus_engine_hold_killable(dump->engine);

	if (err) {
		NL_SET_ERR_MSG(cb->extack, "the fabric was deleted");
		return err;
	}
	cb->seq = dump->engine->generation;
	dump->held_since = ktime_get_ns();
	return 0;
}

/**
 * torus_netlink_breathe() - let others have the fabric and the processor, within a piece of a dump
 * @cb: the dump, its fabric held
 *
 * A piece may be empty after a million nodes, and netlink checks for signals between two pieces.
 * The processor is given up without the fabric: this program may not get it again for long. The
 * fabric is given up at most every TORUS_NETLINK_TURN_NS: each turn of the others may take as
 * long, and a dump that did one link per turn would take hours.
 *
 * Return: 0; -ENODEV or, if the task is killed, -EINTR: the fabric is not held any more.
 */
int torus_netlink_breathe(struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);

	if (fatal_signal_pending(current)) {
		torus_engine_release(dump->engine);
		return -EINTR;
	}
	if (!need_resched() || ktime_get_ns() - dump->held_since < TORUS_NETLINK_TURN_NS)
		return 0;
	torus_engine_release(dump->engine);
	cond_resched();
	return torus_netlink_hold(cb);
}

/* ------------------------------------------------------------------ family */

#define GET	TORUS_NETLINK_HOLD
#define WATCH	TORUS_NETLINK_WATCH
#define SET	(TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD | TORUS_NETLINK_CHANGE)
#define DUMP	.start = torus_netlink_start, .done = torus_netlink_done

static const struct genl_ops torus_netlink_ops[] = {
	{
		.cmd = TORUS_CMD_FABRIC_ADD,
		.internal_flags = TORUS_NETLINK_ADMIN,
		.doit = torus_netlink_fabric_add,
	}, {
		.cmd = TORUS_CMD_FABRIC_DEL,
		.internal_flags = TORUS_NETLINK_ADMIN,
		.doit = torus_netlink_fabric_del,
	}, {
		.cmd = TORUS_CMD_FABRIC_GET,
		.internal_flags = GET,
		.doit = torus_netlink_fabric_get,
		DUMP, .dumpit = torus_netlink_fabric_dump,
	}, {
		.cmd = TORUS_CMD_FABRIC_SET,
		.internal_flags = SET,
		.doit = torus_netlink_fabric_set,
	}, {
		.cmd = TORUS_CMD_FABRIC_RESET,
		.internal_flags = SET,
		.doit = torus_netlink_fabric_reset,
	}, {
		.cmd = TORUS_CMD_NODE_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_node_get,
		DUMP, .dumpit = torus_netlink_node_dump,
	}, {
		.cmd = TORUS_CMD_NODE_SET,
		.internal_flags = SET,
		.doit = torus_netlink_node_set,
	}, {
		.cmd = TORUS_CMD_REG_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_reg_get,
		DUMP, .dumpit = torus_netlink_reg_dump,
	}, {
		.cmd = TORUS_CMD_REG_SET,
		.internal_flags = SET,
		.doit = torus_netlink_reg_set,
	}, {
		.cmd = TORUS_CMD_LINK_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_link_get,
		DUMP, .dumpit = torus_netlink_link_dump,
	}, {
		.cmd = TORUS_CMD_LINK_SET,
		.internal_flags = SET,
		.doit = torus_netlink_link_set,
	}, {
		.cmd = TORUS_CMD_LINK_CHECK,
		.internal_flags = WATCH,
		DUMP, .dumpit = torus_netlink_link_check,
	}, {
		.cmd = TORUS_CMD_COUNTER_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_counter_get,
		DUMP, .dumpit = torus_netlink_counter_dump,
	}, {
		.cmd = TORUS_CMD_COUNTER_RESET,
		.internal_flags = SET,
		.doit = torus_netlink_counter_reset,
	}, {
		.cmd = TORUS_CMD_TRAFFIC_START,
		.internal_flags = SET,
		.doit = torus_netlink_traffic_start,
	}, {
		.cmd = TORUS_CMD_TRAFFIC_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_traffic_get,
	}, {
		.cmd = TORUS_CMD_TRAFFIC_STOP,
		.internal_flags = SET,
		.doit = torus_netlink_traffic_stop,
	}, {
		.cmd = TORUS_CMD_TRAFFIC_TABLE,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_traffic_table,
	}, {
		.cmd = TORUS_CMD_FAULT_GET,
		.internal_flags = WATCH,
		DUMP, .dumpit = torus_netlink_fault_dump,
	}, {
		.cmd = TORUS_CMD_CONTEXT_GET,
		.internal_flags = WATCH,
		DUMP, .dumpit = torus_netlink_context_dump,
	}, {
		.cmd = TORUS_CMD_PARAM_GET,
		DUMP, .dumpit = torus_netlink_param_dump,
	}, {
		.cmd = TORUS_CMD_ROUTE_LOAD,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_route_load,
	}, {
		.cmd = TORUS_CMD_ROUTE_GET,
		.internal_flags = GET,
		.doit = torus_netlink_route_get,
	}, {
		.cmd = TORUS_CMD_STATE_SAVE,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_state_save,
	}, {
		.cmd = TORUS_CMD_STATE_GET,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_state_get,
	}, {
		.cmd = TORUS_CMD_STATE_PUT,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_state_put,
	}, {
		.cmd = TORUS_CMD_STATE_LOAD,
		.internal_flags = SET,
		.doit = torus_netlink_state_load,
	}, {
		.cmd = TORUS_CMD_JOB_ADD,
		.internal_flags = SET,
		.doit = torus_netlink_job_add,
	}, {
		.cmd = TORUS_CMD_JOB_DEL,
		.internal_flags = SET,
		.doit = torus_netlink_job_del,
	}, {
		.cmd = TORUS_CMD_JOB_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_job_get,
		DUMP, .dumpit = torus_netlink_job_dump,
	},
};

static const struct genl_multicast_group torus_netlink_groups[] = {
	[TORUS_NETLINK_EVENTS] = { .name = TORUS_GENL_MCGRP_EVENTS },
	[TORUS_NETLINK_EVENTS_ADMIN] = {
		.name = TORUS_GENL_MCGRP_EVENTS_ADMIN,
		.flags = GENL_MCAST_CAP_NET_ADMIN,
	},
};

struct genl_family torus_netlink_family = {
	.name = TORUS_GENL_NAME,
	.version = TORUS_GENL_VERSION,
	.module = THIS_MODULE,
	.netnsok = true,
	.parallel_ops = true,
	.maxattr = TORUS_A_MAX,
	.policy = torus_netlink_policy,
	.ops = torus_netlink_ops,
	.n_ops = ARRAY_SIZE(torus_netlink_ops),
	.resv_start_op = TORUS_CMD_UNSPEC + 1,
	.mcgrps = torus_netlink_groups,
	.n_mcgrps = ARRAY_SIZE(torus_netlink_groups),
	.pre_doit = torus_netlink_pre_doit,
	.post_doit = torus_netlink_post_doit,
};

/* A socket was closed. */
static int torus_netlink_notify(struct notifier_block *block, unsigned long event, void *data)
{
	const struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE && notify->protocol == NETLINK_GENERIC && notify->portid) {
		torus_netlink_traffic_leave(notify->net, notify->portid);
		torus_netlink_fabric_leave(notify->net, notify->portid);
	}
	return NOTIFY_DONE;
}

static struct notifier_block torus_netlink_notifier = {
	.notifier_call = torus_netlink_notify,
};

/* Show the family to the world. */
int __init torus_netlink_init(void)
{
	int err;

	torus_event_set_notifier(torus_netlink_event);
	err = netlink_register_notifier(&torus_netlink_notifier);
	if (err)
		return err;
	err = genl_register_family(&torus_netlink_family);
	if (err)
		netlink_unregister_notifier(&torus_netlink_notifier);
	return err;
}

void torus_netlink_exit(void)
{
	genl_unregister_family(&torus_netlink_family);
	netlink_unregister_notifier(&torus_netlink_notifier);
}
