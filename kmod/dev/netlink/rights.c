// SPDX-License-Identifier: GPL-2.0
/*
 * The right to observe a fabric through netlink: the key `watch`.
 *
 * It is checked for the user who opened the socket. A setuid program may be made to write a request
 * into the socket of another user, who then reads the answer: the rights of the writer must not
 * count. Every user may read the configuration of a fabric.
 */
#include <linux/capability.h>
#include <net/sock.h>

#include "core/base/node_number.h"
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
 * torus_netlink_sees() - check whether the sender of a request may observe a node
 * @skb: the request
 * @e: the engine, locked
 * @node: index of the node; TORUS_NONE: the fabric as a whole
 *
 * Return: true if so.
 */
bool torus_netlink_sees(const struct sk_buff *skb, const struct torus_engine *e, u32 node)
{
	return torus_rights_watch(e, node, torus_netlink_uid(skb)) ||
	       netlink_capable(skb, CAP_NET_ADMIN);
}

/* Check whether the sender of a request may observe a job: at least one of its nodes. */
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
 * torus_netlink_watches() - check whether the sender may observe the object of a request
 * @skb: the request
 * @attrs: its attributes: they name a node, a job, or only the fabric
 * @e: the engine, locked
 * @watched: [out] the fabric's key `watch`
 *
 * Return: true if so; if not, the caller rejects the request with torus_netlink_no_watch().
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
 * torus_netlink_no_watch() - reject a request whose sender may not observe its object
 * @skb: the request
 * @nlh: its header
 * @attrs: its attributes
 * @e: the engine, not locked: the sender may have to wait long for the memory of the answer
 * @watched: the fabric's key `watch`
 *
 * Return: the value that the handler must return.
 */
int torus_netlink_no_watch(struct sk_buff *skb, const struct nlmsghdr *nlh, struct nlattr **attrs,
			   const struct torus_engine *e, enum torus_rights watched)
{
	const struct nlattr *attr = attrs[TORUS_A_NODE] ?: attrs[TORUS_A_JOB];
	bool owner = watched == TORUS_RIGHTS_OWNER;

	return torus_netlink_refuse(skb, nlh, attr, -EACCES,
				    "fabric %s has watch=%s: %s%s", e->name,
				    owner ? "owner" : "admin",
				    !owner || !attr ? "" : "this user does not own the node or "
							   "job, so ",
				    "this command requires CAP_NET_ADMIN in the initial user "
				    "namespace");
}

/**
 * torus_netlink_may_dump() - check whether the sender may start a dump
 * @skb: the request
 * @nlh: its header
 * @attrs: its attributes
 * @e: the engine, not locked
 * @cmd: the command
 *
 * A dump of nodes or links reports only those that the user of @skb may observe. It is rejected if
 * there are none. Pending faults belong to the fabric as a whole. The names of registers belong to
 * the machine, and may be read by all users.
 *
 * Return: 0, or the value that the handler must return.
 */
int torus_netlink_may_dump(struct sk_buff *skb, const struct nlmsghdr *nlh, struct nlattr **attrs,
			   struct torus_engine *e, u32 cmd)
{
	enum torus_rights watched;
	bool may;

	if (cmd == TORUS_CMD_REG_GET && !attrs[TORUS_A_NODE] && !attrs[TORUS_A_CHANGED])
		return 0;
	/* If the fabric was deleted, the dump itself reports that. */
	if (torus_engine_lock_killable(e))
		return 0;
	may = torus_netlink_watches(skb, attrs, e, &watched) ||
	      (!attrs[TORUS_A_NODE] && cmd != TORUS_CMD_FAULT_GET &&
	       watched == TORUS_RIGHTS_OWNER &&
	       torus_rights_owns_any(e, torus_netlink_uid(skb)));
	torus_engine_unlock(e);
	return may ? 0 : torus_netlink_no_watch(skb, nlh, attrs, e, watched);
}
