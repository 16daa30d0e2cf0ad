// SPDX-License-Identifier: GPL-2.0
/*
 * Queries of fabrics through an open file, permitted to any user: their names, machines and shapes,
 * and their free FIFO groups. Netlink reports more, but of the namespace that the process is in. A
 * file sees the namespace in which it was opened.
 */
#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "core/base/node_number.h"
#include "core/link/dead_node.h"
#include "core/link/fault.h"
#include "core/nic/group.h"
#include "dev/base/params.h"
#include "dev/engine/engine.h"
#include "dev/engine/engine_lifecycle.h"
#include "dev/engine/registry.h"
#include "dev/engine/rights.h"
#include "attach.h"
#include "context.h"
#include "gate_ioctl.h"
#include "query.h"

/* Maximum number of groups that are read while the engine is locked once. */
#define TORUS_QUERY_GROUPS	256u

static bool torus_query_named(const char *name)
{
	return strnlen(name, TORUS_NAME_MAX) < TORUS_NAME_MAX;
}

/*
 * Find the fabric that a file asks for, by name, or by number if @name is empty. A file that is
 * attached or has gates finds its own fabric only. @out: [out] the fabric's engine, with a
 * reference. @list: [out] generation of the list of fabrics; not set for a file of that kind.
 */
static int torus_query_engine(struct torus_ctx *ctx, const char *name, u32 index,
			      struct torus_engine **out, u32 *list)
{
	struct torus_engine *e = NULL;

	mutex_lock(&ctx->lock);
	if (ctx->attached || ctx->gates) {
		e = ctx->attached ? ctx->engine : torus_gates_engine(ctx);
		if (*name ? strcmp(name, e->name) : index)
			e = NULL;
		else
			torus_engine_get(e);
	} else {
		*list = torus_registry_generation(ctx->net);
		e = *name ? torus_registry_find(ctx->net, name) :
			    torus_registry_nth(ctx->net, index);
	}
	mutex_unlock(&ctx->lock);
	*out = e;
	return e ? 0 : -ENOENT;
}

static void torus_query_fill(struct torus_engine *e, struct torus_ioc_fabric *ask)
{
	const struct torus_arch *arch = e->arch;
	/* A machine without a check of packets has no FIFOs for programs. */
	bool fifos = arch->check;
	bool watched = torus_rights_watch(e, TORUS_NONE, current_euid()) ||
		       capable(CAP_NET_ADMIN);

	lockdep_assert_held(&e->lock.mutex);
	strscpy(ask->name, e->name, sizeof(ask->name));
	strscpy(ask->arch, arch->name, sizeof(ask->arch));
	ask->ndims = e->geo.ndims;
	ask->mesh = e->geo.mesh;
	memcpy(ask->dims, e->geo.dims, e->geo.ndims * sizeof(ask->dims[0]));
	ask->nshape = e->geo.nshape;
	memcpy(ask->shape, e->geo.shape, e->geo.nshape * sizeof(ask->shape[0]));
	ask->numbering = e->geo.numbering;
	ask->nodes = e->geo.nodes;
	ask->groups = arch->groups;
	ask->inject_fifos = fifos ? arch->inject_fifos : 0;
	ask->inject_priority = fifos ? arch->inject_priority : 0;
	ask->receive_fifos = fifos ? arch->receive_fifos : 0;
	ask->receive_priority = fifos ? arch->receive_priority : 0;
	ask->chunk_bytes = arch->chunk_bytes;
	ask->packet_chunks_max = arch->packet_chunks_max;
	ask->fifo_chunks = arch->fifo_chunks;
	ask->inject_chunks = torus_attach_chunks(arch, torus_param_inject_chunks());
	ask->receive_chunks = torus_attach_chunks(arch, torus_param_receive_chunks());
	ask->ring_chunks_max = TORUS_RING_CHUNKS_MAX;
	if (watched) {
		ask->attached = e->clients.attached;
		ask->clock = torus_fabric_clock(e->fabric);
	}
	ask->state = e->state;
	ask->hold = e->fabric->hold;
	ask->traffic = e->workload.state == TORUS_TRAFFIC_RUNNING;
	ask->tick_fs = e->tick_fs;
}

/*
 * The size must not differ for 32-bit programs: padding at the end would change the ioctl's number.
 */
static_assert(offsetofend(struct torus_ioc_info, reserved) == sizeof(struct torus_ioc_info));

static int torus_query_fabric(struct torus_ctx *ctx, struct torus_ioc_fabric __user *argp)
{
	struct torus_ioc_fabric ask, out = { 0 };
	struct torus_engine *e;
	int err;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) || ask.reserved0 ||
	    !torus_query_named(ask.name))
		return -EINVAL;
	err = torus_query_engine(ctx, ask.name, ask.index, &e, &out.list);
	if (err)
		return err;
	out.index = ask.index;
	err = torus_engine_lock_killable(e);
	if (!err) {
		torus_query_fill(e, &out);
		torus_engine_unlock(e);
	}
	torus_engine_put(e);
	if (!err && copy_to_user(argp, &out, sizeof(out)))
		err = -EFAULT;
	return err;
}

static void torus_query_group(struct torus_engine *e, u32 place, bool admin,
			      struct torus_group *out, u32 *owner)
{
	u32 node = place / e->arch->groups, group = place % e->arch->groups;
	const struct torus_nic *nic = torus_nic_get(e->fabric, node, group);
	const struct torus_port_slot *slot;
	kuid_t uid = current_euid();
	bool may = admin || torus_rights_attach(e, node, uid);

	*out = (struct torus_group){
		.node = torus_node_number(&e->geo, node),
		.group = group,
		.state = may ? TORUS_GROUP_FREE : TORUS_GROUP_FORBIDDEN,
	};
	*owner = 0;
	if (!may && !torus_rights_watch(e, node, uid))
		return;
	if (e->fabric->generation)
		*owner = e->fabric->generation[torus_group_index(e->fabric, node, group)];
	out->partition = torus_fabric_partition(e->fabric, node);
	if (torus_node_dead(e->fabric, node))
		out->flags |= TORUS_GROUP_DEAD;
	if (admin || torus_rights_owns(e, node, uid))
		out->flags |= TORUS_GROUP_PRIORITY;
	slot = torus_port_slot_at(e, node, group);
	if (slot && !slot->gone) {
		out->state = TORUS_GROUP_DRIVER;
		return;
	}
	/* In virtual time a group may have no client: its program has left. */
	if (nic && nic->ops && nic->client) {
		const struct torus_ctx *owner = nic->client;

		if (!owner->client.draining && !torus_group_owner_ended(&owner->client.owner))
			out->state = uid_eq(owner->client.owner.uid, uid) ? TORUS_GROUP_MINE :
								      TORUS_GROUP_HELD;
		else if (out->state == TORUS_GROUP_FREE)
			out->state = TORUS_GROUP_CLOSING;
	}
}

/* Copy groups from place @first on to the program, a few at a time: other tasks need the engine. */
static int torus_query_answer(struct torus_engine *e, u32 first, u32 *count,
			      struct torus_group __user *to, u32 __user *holders)
{
	u32 all = e->geo.nodes * e->arch->groups, copied = 0, some, i;
	bool admin = capable(CAP_NET_ADMIN);
	struct torus_group *list;
	u32 *numbers;
	int err = 0;

	list = kmalloc_array(TORUS_QUERY_GROUPS, sizeof(*list) + sizeof(*numbers), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	numbers = (u32 *)(list + TORUS_QUERY_GROUPS);
	while (!err && copied < *count && first < all) {
		some = min3(*count - copied, all - first, TORUS_QUERY_GROUPS);
		err = torus_engine_lock_killable(e);
		if (err)
			break;
		for (i = 0; i < some; i++)
			torus_query_group(e, first + i, admin, &list[i],
					  &numbers[i]);
		torus_engine_unlock(e);
		if (copy_to_user(to + copied, list, some * sizeof(*list)) ||
		    (holders &&
		     copy_to_user(holders + copied, numbers, some * sizeof(*numbers))))
			err = -EFAULT;
		first += some;
		copied += some;
		cond_resched();
	}
	kfree(list);
	*count = copied;
	return err;
}

static int torus_query_groups(struct torus_ctx *ctx, struct torus_ioc_groups __user *argp)
{
	struct torus_ioc_groups ask;
	struct torus_engine *e;
	u32 list;
	int err;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) || !torus_query_named(ask.fabric) ||
	    !*ask.fabric)
		return -EINVAL;
	err = torus_query_engine(ctx, ask.fabric, 0, &e, &list);
	if (err)
		return err;
	err = torus_query_answer(e, ask.first, &ask.count, u64_to_user_ptr(ask.groups),
				 u64_to_user_ptr(ask.holders));
	torus_engine_put(e);
	if (!err && copy_to_user(argp, &ask, sizeof(ask)))
		err = -EFAULT;
	return err;
}

/**
 * torus_query_ioctl() - TORUS_IOC_FABRIC, TORUS_IOC_GROUPS
 * @ctx: the open file's context, attached or not
 * @cmd: ioctl command
 * @argp: its argument
 *
 * Return: see <linux/torus.h>; -ENOTTY for any other command.
 */
long torus_query_ioctl(struct torus_ctx *ctx, unsigned int cmd, void __user *argp)
{
	switch (cmd) {
	case TORUS_IOC_FABRIC:
		return torus_query_fabric(ctx, argp);
	case TORUS_IOC_GROUPS:
		return torus_query_groups(ctx, argp);
	}
	return -ENOTTY;
}
