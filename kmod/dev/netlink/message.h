/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of the netlink family. */
#ifndef TORUS_DEV_NETLINK_MESSAGE_H
#define TORUS_DEV_NETLINK_MESSAGE_H

#include <linux/netlink.h>
#include <linux/torus.h>
#include <net/genetlink.h>

struct torus_engine;
struct torus_group_owner;

/* Size of the largest message but a job with its nodes: a fabric with all its parameters. */
#define TORUS_NETLINK_BYTES	8192

#define TORUS_NETLINK_PARAM_TEXT	64	/* size of any parameter's value as text */

/**
 * struct torus_netlink_msg - a message that is being filled
 * @skb: buffer of the message
 * @cb: the dump that it belongs to, or NULL
 * @portid: port of the receiving socket
 * @seq: sequence number of the request
 * @cmd: TORUS_CMD_*
 * @hdr: header, set by torus_netlink_begin()
 */
struct torus_netlink_msg {
	struct sk_buff *skb;
	struct netlink_callback *cb;
	u32 portid;
	u32 seq;
	u8 cmd;
	void *hdr;
};

__printf(5, 6)
int torus_netlink_refuse(struct sk_buff *skb, const struct nlmsghdr *nlh, const struct nlattr *attr,
			 int err, const char *fmt, ...);
int torus_netlink_begin(struct torus_netlink_msg *msg);
int torus_netlink_end(struct torus_netlink_msg *msg, bool fits);
int torus_netlink_new_reply(struct torus_netlink_msg *msg, struct genl_info *info);
int torus_netlink_send_reply(struct torus_netlink_msg *msg, struct genl_info *info, int err);
void torus_netlink_into_dump(struct torus_netlink_msg *msg, struct sk_buff *skb,
			     struct netlink_callback *cb);
bool torus_netlink_put_u64(struct torus_netlink_msg *msg, int attr, u64 value);
bool torus_netlink_put_node(struct torus_netlink_msg *msg, const struct torus_engine *e, int attr,
			    u32 node);
bool torus_netlink_put_process(struct torus_netlink_msg *msg,
			       const struct torus_group_owner *process);
bool torus_netlink_put_owner(struct torus_netlink_msg *msg, const struct torus_engine *e,
			     u32 node, const u32 *group, const struct torus_group_owner *owner);

#endif
