// SPDX-License-Identifier: GPL-2.0
/* Messages of the netlink family: replies, parts of dumps, and rejections with a reason. */
#include <linux/pid_namespace.h>
#include <linux/stdarg.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <net/sock.h>

#include "core/base/number.h"
#include "dev/engine/engine.h"
#include "dev/engine/group_owner.h"
#include "family.h"
#include "message.h"

/* Bytes of a reason, with its NUL. */
#define TORUS_NETLINK_TEXT	192

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
		/* while the fabric is held: as torus_event_send_locked() */
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

/**
 * torus_netlink_put_node() - a node's number into a message
 * @msg: the message
 * @e: the engine
 * @attr: NODE, or another attribute that names a node
 * @node: index of the node; TORUS_NONE goes out as it is
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
 * torus_netlink_put_owner() - a process, and what it holds
 * @msg: the message
 * @e: the engine, held
 * @node: index of the node
 * @group: the FIFO group, NULL for who has gates
 * @owner: the process; one that the reader's namespace does not have goes without its number
 *
 * Return: false when it does not fit.
 */
bool torus_netlink_put_owner(struct torus_netlink_msg *msg, const struct torus_engine *e,
			     u32 node, const u32 *group, const struct torus_group_owner *owner)
{
	u32 pid = pid_nr_ns(owner->pid, task_active_pid_ns(current));

	return torus_netlink_put_node(msg, e, TORUS_A_NODE, node) &&
	       (!group || !nla_put_u32(msg->skb, TORUS_A_GROUP, *group)) &&
	       !nla_put_u32(msg->skb, TORUS_A_UID, from_kuid_munged(&init_user_ns, owner->uid)) &&
	       !nla_put_string(msg->skb, TORUS_A_COMMAND, owner->command) &&
	       (!pid || !nla_put_u32(msg->skb, TORUS_A_PID, pid));
}
