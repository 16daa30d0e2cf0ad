// SPDX-License-Identifier: GPL-2.0
/*
 * Who may ask what goes on in a fabric: the key `watch` for netlink.
 *
 * The user is who opened the socket: a program that lends its rights to who calls it may be
 * made to write a request, and does not get to see the answer.  A fabric's configuration is
 * everybody's to read.
 */
#include <linux/capability.h>
#include <net/sock.h>

#include "core/base/number.h"
#include "dev/engine/engine.h"
#include "dev/engine/job.h"
#include "dev/engine/rights.h"
#include "message.h"
#include "request.h"
#include "rights.h"

static kuid_t torus_netlink_uid(const struct sk_buff *skb)
{
	return sock_i_uid(NETLINK_CB(skb).sk);
}

/**
 * torus_netlink_sees() - may who asks see what goes on at a node?
 * @skb: the request
 * @e: the engine, held
 * @node: index of the node; TORUS_NONE: in the fabric as a whole
 *
 * Return: true if so.
 */
bool torus_netlink_sees(const struct sk_buff *skb, const struct torus_engine *e, u32 node)
{
	return torus_rights_watch(e, node, torus_netlink_uid(skb)) ||
	       netlink_capable(skb, CAP_NET_ADMIN);
}

/* The same for a job, which is for those to see who may see any of its nodes. */
bool torus_netlink_sees_job(const struct sk_buff *skb, const struct torus_engine *e,
			    const struct torus_job_nodes *job)
{
	u32 rank;

	for (rank = 0; rank < job->count; rank++) {
		if (torus_rights_watch(e, job->node[rank], torus_netlink_uid(skb)))
			return true;
	}
	return netlink_capable(skb, CAP_NET_ADMIN);
}

/**
 * torus_netlink_watches() - may a request be answered?
 * @skb: the request
 * @attrs: its attributes: of a node, of a job, or of the fabric as a whole
 * @e: the engine, held
 * @watched: out: whom the fabric may be watched by
 *
 * Return: true if so; otherwise it is to be refused by torus_netlink_no_watch().
 */
bool torus_netlink_watches(const struct sk_buff *skb, struct nlattr **attrs,
			   const struct torus_engine *e, enum torus_rights *watched)
{
	const struct nlattr *attr = attrs[TORUS_A_NODE] ?: attrs[TORUS_A_JOB];
	const struct torus_job_nodes *job = NULL;
	u32 node = TORUS_NONE;

	*watched = torus_rights_watched(e);
	if (attrs[TORUS_A_NODE])
		node = torus_node_index(&e->geo, nla_get_u32(attr));
	else if (attrs[TORUS_A_JOB])
		job = torus_job_find(e, nla_data(attr));
	return job ? torus_netlink_sees_job(skb, e, job) : torus_netlink_sees(skb, e, node);
}

/**
 * torus_netlink_no_watch() - the answer to a request that torus_netlink_watches() is false of
 * @skb: the request
 * @nlh: its header
 * @attrs: its attributes
 * @e: the engine, released: to answer takes memory, and who asks may have to wait for it long
 * @watched: whom the fabric may be watched by
 *
 * Return: what the handler must return.
 */
int torus_netlink_no_watch(struct sk_buff *skb, const struct nlmsghdr *nlh, struct nlattr **attrs,
			   const struct torus_engine *e, enum torus_rights watched)
{
	const struct nlattr *attr = attrs[TORUS_A_NODE] ?: attrs[TORUS_A_JOB];
	bool owner = watched == TORUS_RIGHTS_OWNER;

	return torus_netlink_refuse(skb, nlh, attr, -EACCES,
				    "fabric %s has watch=%s: %s%s", e->name,
				    owner ? "owner" : "admin",
				    !owner || !attr ? "" : "this user owns none of it, and ",
				    "this needs CAP_NET_ADMIN in the initial user namespace");
}

/**
 * torus_netlink_may_dump() - may a dump begin?
 * @skb: the request
 * @nlh: its header
 * @attrs: its attributes
 * @e: the engine, not held
 * @cmd: the command
 *
 * Of nodes and links those are told that @skb's user may see: it must be some.  Pending faults
 * are the fabric's, names of registers the machine's.
 *
 * Return: 0, or what the handler must return.
 */
int torus_netlink_may_dump(struct sk_buff *skb, const struct nlmsghdr *nlh, struct nlattr **attrs,
			   struct torus_engine *e, u32 cmd)
{
	enum torus_rights watched;
	bool may;

	if (cmd == TORUS_CMD_REG_GET && !attrs[TORUS_A_NODE] && !attrs[TORUS_A_CHANGED])
		return 0;
	/* Of one that was deleted the dump itself says so. */
	if (torus_engine_lock_killable(e))
		return 0;
	may = torus_netlink_watches(skb, attrs, e, &watched) ||
	      (!attrs[TORUS_A_NODE] && cmd != TORUS_CMD_FAULT_GET &&
	       watched == TORUS_RIGHTS_OWNER &&
	       torus_rights_owns_any(e, torus_netlink_uid(skb)));
	torus_engine_unlock(e);
	return may ? 0 : torus_netlink_no_watch(skb, nlh, attrs, e, watched);
}
