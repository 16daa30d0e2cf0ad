// SPDX-License-Identifier: GPL-2.0
/* Messages of the netlink family: replies, parts of dumps, and error messages. */
#include <linux/pid_namespace.h>
#include <linux/stdarg.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <net/sock.h>

#include "core/base/node_number.h"
#include "dev/engine/engine.h"
#include "dev/engine/group_owner.h"
#include "family.h"
#include "message.h"

/* Size of an error message, with its NUL. */
#define TORUS_NETLINK_TEXT	192

/**
 * torus_netlink_refuse() - reject a request with an errno and an error message
 * @skb: the request
 * @nlh: its header
 * @attr: the invalid attribute, or NULL
 * @err: negative errno
 * @fmt: error message, with the invalid value
 *
 * In Linux 6.1 the text of an extack must outlive the handler of the request, so it cannot be
 * formatted in the handler. Therefore this function sends the answer while the text exists. The
 * return value -EINTR makes netlink send no other answer.
 *
 * Return: the value that the handler must return.
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
	/* netlink_ack() only reads the header. */
	netlink_ack(skb, (struct nlmsghdr *)nlh, err, &extack);
	return -EINTR;
}

/**
 * torus_netlink_begin() - begin a message
 * @msg: the message, with all fields set but @hdr
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
 * @fits: all attributes fitted; if false, the message is removed
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
 * torus_netlink_new_reply() - allocate the answer to a request
 * @msg: [out] the message
 * @info: info of the request
 *
 * Return: 0 or -ENOMEM.
 */
int torus_netlink_new_reply(struct torus_netlink_msg *msg, struct genl_info *info)
{
	*msg = (struct torus_netlink_msg){
		/*
		 * The engine is locked: do not sleep for memory first, as in
		 * torus_event_send_locked().
		 */
		.skb = genlmsg_new(TORUS_NETLINK_BYTES, GFP_ATOMIC | __GFP_NOWARN) ?:
		       genlmsg_new(TORUS_NETLINK_BYTES, GFP_KERNEL),
		.portid = info->snd_portid,
		.seq = info->snd_seq,
		.cmd = info->genlhdr->cmd,
	};
	return msg->skb ? 0 : -ENOMEM;
}

/* Send a reply, or, if filling it failed with @err, free it and return @err. */
int torus_netlink_send_reply(struct torus_netlink_msg *msg, struct genl_info *info, int err)
{
	if (err) {
		nlmsg_free(msg->skb);
		return err;
	}
	return genlmsg_reply(msg->skb, info);
}

/* Set up @msg to add messages to a dump's @skb. */
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

/* Add a u64. Return: false if it does not fit. */
bool torus_netlink_put_u64(struct torus_netlink_msg *msg, int attr, u64 value)
{
	return !nla_put_u64_64bit(msg->skb, attr, value, TORUS_A_PAD);
}

/**
 * torus_netlink_put_node() - add the number of a node
 * @msg: the message
 * @e: the engine
 * @attr: NODE, or another attribute that names a node
 * @node: index of the node; TORUS_NONE is sent unchanged
 *
 * Return: false if it does not fit.
 */
bool torus_netlink_put_node(struct torus_netlink_msg *msg, const struct torus_engine *e, int attr,
			    u32 node)
{
	return !nla_put_u32(msg->skb, attr, node == TORUS_NONE ? node :
			    torus_node_number(&e->geo, node));
}

/**
 * torus_netlink_put_process() - add a process, or a driver
 * @msg: the message
 * @process: the process, or a driver, which has no PID. A process has none in the message if the
 *	reader's PID namespace does not contain it
 *
 * Return: false if it does not fit.
 */
bool torus_netlink_put_process(struct torus_netlink_msg *msg,
			       const struct torus_group_owner *process)
{
	u32 pid = pid_nr_ns(process->pid, task_active_pid_ns(current));

	return !nla_put_u32(msg->skb, TORUS_A_UID,
			    from_kuid_munged(&init_user_ns, process->uid)) &&
	       !nla_put_string(msg->skb, TORUS_A_COMMAND, process->command) &&
	       (process->pid || !nla_put_u32(msg->skb, TORUS_A_DRIVER, 1)) &&
	       (!pid || !nla_put_u32(msg->skb, TORUS_A_PID, pid));
}

/**
 * torus_netlink_put_owner() - add a process, and the group or gates that it owns
 * @msg: the message
 * @e: the engine, locked
 * @node: index of the node
 * @group: the FIFO group; NULL for an owner of gates
 * @owner: the process, or a driver, as torus_netlink_put_process() adds it
 *
 * Return: false if it does not fit.
 */
bool torus_netlink_put_owner(struct torus_netlink_msg *msg, const struct torus_engine *e,
			     u32 node, const u32 *group, const struct torus_group_owner *owner)
{
	return torus_netlink_put_node(msg, e, TORUS_A_NODE, node) &&
	       (!group || !nla_put_u32(msg->skb, TORUS_A_GROUP, *group)) &&
	       torus_netlink_put_process(msg, owner);
}
