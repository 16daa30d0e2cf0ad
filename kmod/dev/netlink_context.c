// SPDX-License-Identifier: GPL-2.0
/* Netlink command about contexts: who holds the FIFO groups of a fabric. */
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "file.h"
#include "netlink.h"

/* A process that the reader's namespace does not have goes without its number. */
static int torus_netlink_fill_context(struct torus_netlink_msg *msg,
				      const struct torus_file *ctx)
{
	const struct torus_engine *e = ctx->engine;
	const struct torus_holder *holder = &ctx->holder;
	u32 pid = pid_nr_ns(holder->pid, task_active_pid_ns(current));

	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	return torus_netlink_end(msg,
				 torus_netlink_put_node(msg, e, TORUS_A_NODE, ctx->node) &&
				 !nla_put_u32(msg->skb, TORUS_A_GROUP, ctx->group) &&
				 !nla_put_u32(msg->skb, TORUS_A_UID,
					      from_kuid_munged(&init_user_ns, holder->uid)) &&
				 !nla_put_string(msg->skb, TORUS_A_COMMAND, holder->command) &&
				 (!pid || !nla_put_u32(msg->skb, TORUS_A_PID, pid)));
}

/*
 * TORUS_CMD_CONTEXT_GET.  Contexts come and go between two pieces of the dump: the
 * next is found by its place, and who reads asks again.
 */
int torus_netlink_context_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	const struct torus_file *ctx;
	struct torus_netlink_msg msg;
	u32 place = 0;
	int err;

	err = torus_netlink_hold(cb);
	if (err)
		return err;
	/* A group that is taken or given back counts as a change of the configuration. */
	cb->seq = dump->engine->generation + dump->engine->holders;
	torus_netlink_into_dump(&msg, skb, cb);
	list_for_each_entry(ctx, &dump->engine->contexts, link) {
		if (place++ < dump->next)
			continue;
		if (!dump->one || ctx->node == dump->node)
			err = torus_netlink_fill_context(&msg, ctx);
		if (err)
			break;
		dump->next = place;
	}
	torus_engine_release(dump->engine);
	return skb->len ?: err;
}
