// SPDX-License-Identifier: GPL-2.0
/* Netlink commands for nodes: their owners, partitions, states and devices. */
#include <linux/mm.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "core/base/node_number.h"
#include "core/link/dead_node.h"
#include "core/nic/fifo_status.h"
#include "core/run/node_state.h"
#include "dev/engine/client.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "dev/engine/job.h"
#include "dev/port/device.h"
#include "dev/port/inject.h"
#include "counter.h"
#include "message.h"
#include "node.h"
#include "request.h"
#include "rights.h"

/* Return the number of the node's FIFO groups that are taken. */
static u32 torus_netlink_node_contexts(struct torus_engine *e, u32 node)
{
	const struct torus_nic *nic;
	u32 group, taken = 0;

	for (group = 0; group < e->arch->groups; group++) {
		nic = torus_nic_get(e->fabric, node, group);
		taken += nic && nic->ops;
	}
	return taken;
}

/* Add the counters of the FIFOs of all groups that have been used, group by group. */
static bool torus_netlink_put_fifos(struct torus_netlink_msg *msg, struct torus_engine *e,
				    u32 node)
{
	const struct torus_arch *arch = e->arch;
	u32 fifos = arch->inject_fifos + arch->receive_fifos, used = 0, group, i;
	struct torus_fifo_counters *at;
	struct nlattr *attr;

	for (group = 0; group < arch->groups; group++)
		used += !!torus_nic_get(e->fabric, node, group);
	if (!used)
		return true;
	attr = nla_reserve_64bit(msg->skb, TORUS_A_FIFOS, used * fifos * sizeof(*at), TORUS_A_PAD);
	if (!attr)
		return false;
	at = nla_data(attr);
	for (group = 0; group < arch->groups; group++) {
		if (!torus_nic_get(e->fabric, node, group))
			continue;
		for (i = 0; i < fifos; i++) {
			bool receive = i >= arch->inject_fifos;

			torus_nic_counters(e->fabric, node, group, receive,
					   receive ? i - arch->inject_fifos : i, at++);
		}
	}
	return true;
}

static int torus_netlink_fill_node(struct torus_netlink_msg *msg, struct torus_engine *e, u32 node,
				   bool counters)
{
	u32 coords[TORUS_DIMS_MAX];
	bool fits;

	torus_geometry_coords(&e->geo, node, coords);
	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	fits = torus_netlink_put_node(msg, e, TORUS_A_NODE, node) &&
	       !nla_put(msg->skb, TORUS_A_COORDS, e->geo.ndims * sizeof(u32), coords) &&
	       !nla_put_u32(msg->skb, TORUS_A_PARTITION, torus_fabric_partition(e->fabric, node)) &&
	       !nla_put_u32(msg->skb, TORUS_A_CONTEXTS, torus_netlink_node_contexts(e, node)) &&
	       !nla_put_u32(msg->skb, TORUS_A_NODE_STATE, torus_node_state(e->fabric, node));
	if (fits && e->nodes.owners && uid_valid(e->nodes.owners[node]))
		fits = !nla_put_u32(msg->skb, TORUS_A_UID,
				    from_kuid(&init_user_ns, e->nodes.owners[node]));
	fits = fits && (!counters || (torus_netlink_put_fifos(msg, e, node) &&
				      torus_netlink_put_tnis(msg, e, node)));
	return torus_netlink_end(msg, fits);
}

/* TORUS_CMD_NODE_GET: one node. */
int torus_netlink_node_get(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_netlink_msg msg;
	u32 node;
	int err;

	err = torus_netlink_node(skb, info, &node);
	if (err)
		return err;
	err = torus_netlink_new_reply(&msg, info);
	if (err)
		return err;
	err = torus_netlink_fill_node(&msg, torus_netlink_engine(info), node, true);
	return torus_netlink_send_reply(&msg, info, err);
}

static bool torus_netlink_node_changed(struct torus_engine *e, u32 node)
{
	return torus_fabric_partition(e->fabric, node) || torus_node_dead(e->fabric, node) ||
	       (e->nodes.owners && uid_valid(e->nodes.owners[node]));
}

/* TORUS_CMD_NODE_GET, dump: all nodes. */
int torus_netlink_node_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	struct torus_netlink_msg msg;
	int err;

	err = torus_netlink_lock(cb);
	if (err)
		return err;
	torus_netlink_into_dump(&msg, skb, cb);
	while (dump->node < dump->last) {
		if (torus_netlink_breathe(cb))
			return skb->len ?: -ENODEV;
		if ((dump->changed && !torus_netlink_node_changed(dump->engine, dump->node)) ||
		    !torus_netlink_sees(cb->skb, dump->engine, dump->node)) {
			dump->node++;
			continue;
		}
		err = torus_netlink_fill_node(&msg, dump->engine, dump->node, false);
		if (err)
			break;
		dump->node++;
	}
	torus_engine_unlock(dump->engine);
	return skb->len ?: err;
}

/* Allocate the array of owners, if the request sets the first one. */
static int torus_netlink_owners(struct sk_buff *skb, struct genl_info *info,
				struct torus_engine *e)
{
	const struct nlattr *attr = info->attrs[TORUS_A_UID];
	u32 i;

	if (!attr || e->nodes.owners || !uid_valid(make_kuid(&init_user_ns, nla_get_u32(attr))))
		return 0;
	e->nodes.owners = kvmalloc_array(e->geo.nodes, sizeof(*e->nodes.owners), TORUS_GFP_USER);
	if (!e->nodes.owners)
		return torus_netlink_refuse(skb, info->nlhdr, attr, -ENOMEM,
					    "no memory for the owners of nodes");
	for (i = 0; i < e->geo.nodes; i++)
		e->nodes.owners[i] = INVALID_UID;
	return 0;
}

/* Make groups of the node devices, or take the devices away: all, or none. */
static int torus_netlink_node_driver(struct sk_buff *skb, struct genl_info *info,
				     struct torus_engine *e, u32 node)
{
	const struct nlattr *group = info->attrs[TORUS_A_GROUP];
	const struct nlattr *driver = info->attrs[TORUS_A_DRIVER];
	u32 number = group ? nla_get_u32(group) : 0;
	struct torus_error why;
	int err = torus_port_devices_switch(e, node, group ? &number : NULL, nla_get_u32(driver),
					    &why);

	return err ? torus_netlink_refuse(skb, info->nlhdr, driver, err, "%s", why.text) : 0;
}

/* Make all changes of the request, or none. */
static int torus_netlink_node_change(struct sk_buff *skb, struct genl_info *info,
				     struct torus_engine *e, u32 node)
{
	const struct nlattr *partition = info->attrs[TORUS_A_PARTITION];
	const struct nlattr *state = info->attrs[TORUS_A_NODE_STATE];
	u32 before = torus_fabric_partition(e->fabric, node);
	struct torus_error why;
	int err = torus_netlink_owners(skb, info, e);

	if (err)
		return err;
	if (partition) {
		err = torus_fabric_partition_set(e->fabric, node, nla_get_u32(partition), &why);
		if (err)
			return torus_netlink_refuse(skb, info->nlhdr, partition, err, "%s",
						    why.text);
	}
	if (state) {
		err = torus_node_set(e->fabric, node, nla_get_u32(state), &why);
		if (err && partition)
			torus_fabric_partition_set(e->fabric, node, before, NULL);
		if (err)
			return torus_netlink_refuse(skb, info->nlhdr, state, err, "%s", why.text);
	}
	if (info->attrs[TORUS_A_DRIVER]) {
		err = torus_netlink_node_driver(skb, info, e, node);
		if (err)
			return err;
	}
	if (info->attrs[TORUS_A_UID] && e->nodes.owners)
		e->nodes.owners[node] = make_kuid(&init_user_ns,
						  nla_get_u32(info->attrs[TORUS_A_UID]));
	return 0;
}

/*
 * TORUS_CMD_NODE_SET. UID is a user of the initial user namespace; 2^32 - 1 removes the owner.
 * Programs that are attached stay attached, even if the node dies. With EVICT, those of other users
 * than the owner are detached.
 */
int torus_netlink_node_set(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	const struct torus_job_nodes *job;
	u32 node;
	int err;

	err = torus_netlink_node(skb, info, &node);
	if (err)
		return err;
	if (!info->attrs[TORUS_A_UID] && !info->attrs[TORUS_A_PARTITION] &&
	    !info->attrs[TORUS_A_NODE_STATE] && !info->attrs[TORUS_A_EVICT] &&
	    !info->attrs[TORUS_A_DRIVER])
		return torus_netlink_refuse(skb, info->nlhdr, NULL, -EINVAL,
					    "requires one of UID, PARTITION, NODE_STATE, EVICT "
					    "and DRIVER");
	if (info->attrs[TORUS_A_DRIVER] && (info->attrs[TORUS_A_PARTITION] ||
					    info->attrs[TORUS_A_NODE_STATE]))
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_DRIVER], -EINVAL,
					    "DRIVER requires a request without PARTITION and "
					    "NODE_STATE");
	if (info->attrs[TORUS_A_GROUP] && !info->attrs[TORUS_A_DRIVER])
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_GROUP], -EINVAL,
					    "GROUP requires DRIVER");
	if (info->attrs[TORUS_A_PARTITION]) {
		job = torus_job_at(e, node);
		if (job)
			return torus_netlink_refuse(skb, info->nlhdr,
						    info->attrs[TORUS_A_PARTITION], -EBUSY,
						    "node %u belongs to job %s in partition %u",
						    torus_node_number(&e->geo, node), job->name,
						    job->partition);
		job = torus_job_of(e, nla_get_u32(info->attrs[TORUS_A_PARTITION]));
		if (job)
			return torus_netlink_refuse(skb, info->nlhdr,
						    info->attrs[TORUS_A_PARTITION], -EBUSY,
						    "partition %u belongs to job %s",
						    job->partition, job->name);
	}
	err = torus_netlink_node_change(skb, info, e, node);
	if (err)
		return err;
	if (info->attrs[TORUS_A_EVICT])
		torus_engine_evict(e, node);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_NODE_SET,
		.request = info->nlhdr,
	});
	return 0;
}

/* TORUS_CMD_NODE_INJECT. */
int torus_netlink_node_inject(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *fault = info->attrs[TORUS_A_INJECT];
	const struct nlattr *value = info->attrs[TORUS_A_VALUE];
	const struct nlattr *group = info->attrs[TORUS_A_GROUP];
	u64 number = value ? nla_get_u64(value) : 0;
	struct torus_error why;
	u32 node;
	int err;

	err = torus_netlink_node(skb, info, &node);
	if (err)
		return err;
	err = torus_port_inject(torus_netlink_engine(info), node, group ? nla_get_u32(group) : 0,
				nla_data(fault), value ? &number : NULL, &why);
	return err ? torus_netlink_refuse(skb, info->nlhdr, fault, err, "%s", why.text) : 0;
}
