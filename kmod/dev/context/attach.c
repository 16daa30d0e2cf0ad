// SPDX-License-Identifier: GPL-2.0
/*
 * Attach a context: allocate its rings, take a FIFO group of a node, and bind the context to the
 * fabric's engine until the file is closed.
 *
 * torus_rights_attach() decides who may attach. CAP_NET_ADMIN in the initial user namespace may
 * always. Priority packets may be injected by the owner of a node, and with CAP_NET_ADMIN.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/gfp.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sched/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <net/net_namespace.h>

#include "core/base/node_number.h"
#include "core/nic/record.h"
#include "dev/base/memory_limit.h"
#include "dev/base/pages.h"
#include "dev/base/params.h"
#include "dev/engine/engine.h"
#include "dev/engine/engine_lifecycle.h"
#include "dev/engine/registry.h"
#include "dev/engine/rights.h"
#include "dev/vtime/process.h"
#include "attach.h"
#include "context.h"
#include "nic_client.h"

/* ------------------------------------------------------------------ memory */

/* Assign memory to rings. Each ring begins on a page of its own. */
static void torus_ctx_carve(struct torus_ctx *ctx, struct torus_ring *rings, u32 count,
			    u32 chunks, u32 chunk_bytes, u8 **at, size_t bytes)
{
	u32 i;

	for (i = 0; i < count; i++) {
		rings[i] = (struct torus_ring){
			.data = *at,
			.chunks = chunks,
			.chunk_bytes = chunk_bytes,
		};
		*at += bytes;
	}
}

/* Assign memory to the arrays of ticks that belong to the rings. */
static void torus_ctx_carve_ticks(struct torus_ring *rings, u32 count, u8 **at, size_t bytes)
{
	u32 i;

	for (i = 0; i < count; i++, *at += bytes)
		rings[i].ticks = (u64 *)*at;
}

/* Charge the memory of the context's rings and requests to its user. */
static int torus_ctx_count(struct torus_ctx *ctx)
{
	int err = torus_budget_take_rings(ctx->rings_bytes + ctx->kept_bytes, &ctx->budget);

	if (!err)
		torus_budget_keep(ctx->kept_bytes);
	return err;
}

/**
 * torus_ctx_uncount() - uncharge the memory of a context's rings and requests
 * @ctx: the context, whose rings were freed
 */
void torus_ctx_uncount(struct torus_ctx *ctx)
{
	torus_budget_unkeep(ctx->kept_bytes);
	torus_budget_give_rings(ctx->rings_bytes + ctx->kept_bytes, ctx->budget);
}

/* Free the part of torus_ctx_alloc_memory() that was allocated. */
void torus_ctx_free_memory(struct torus_ctx *ctx)
{
	if (ctx->rings) {
		vfree(ctx->rings);
		torus_ctx_uncount(ctx);
	}
	ctx->rings = NULL;
	free_page((unsigned long)ctx->grave);
	free_page((unsigned long)ctx->control);
	free_page((unsigned long)ctx->client.status);
	ctx->grave = NULL;
	ctx->control = NULL;
	ctx->client.status = NULL;
}

/*
 * Allocate the rings and pages of a context. On an error the caller frees the part that was
 * allocated with torus_attach_undo().
 */
static int torus_ctx_alloc_memory(struct torus_ctx *ctx, const struct torus_arch *arch,
				  u32 inject_chunks, u32 receive_chunks, u32 notices,
				  bool virtual)
{
	gfp_t gfp = TORUS_GFP_USER | __GFP_ZERO;
	u8 *at;
	int err;

	ctx->inject_bytes = PAGE_ALIGN((size_t)inject_chunks * arch->chunk_bytes);
	ctx->receive_bytes = PAGE_ALIGN((size_t)receive_chunks * arch->chunk_bytes);
	ctx->notice_bytes = PAGE_ALIGN((size_t)notices * sizeof(struct torus_notice));
	if (virtual) {
		ctx->stamp_bytes = PAGE_ALIGN((size_t)inject_chunks * sizeof(u64));
		ctx->arrival_bytes = PAGE_ALIGN((size_t)receive_chunks * sizeof(u64));
	}
	ctx->rings_bytes = arch->inject_fifos * (ctx->inject_bytes + ctx->stamp_bytes) +
			   arch->receive_fifos * (ctx->receive_bytes + ctx->arrival_bytes) +
			   ctx->notice_bytes + PAGE_ALIGN(torus_nic_record_bytes(arch));
	ctx->kept_bytes = torus_nic_kept_bytes(arch);
	err = torus_ctx_count(ctx);
	if (err)
		return err;
	ctx->rings = __vmalloc(ctx->rings_bytes, gfp);
	if (!ctx->rings) {
		torus_ctx_uncount(ctx);
		return -ENOMEM;
	}
	ctx->client.status = (void *)__get_free_page(gfp);
	ctx->control = (void *)__get_free_page(gfp);
	ctx->grave = (void *)__get_free_page(gfp);
	if (!ctx->client.status || !ctx->control || !ctx->grave)
		return -ENOMEM;
	at = ctx->rings;
	torus_ctx_carve(ctx, ctx->inject, arch->inject_fifos, inject_chunks,
			arch->chunk_bytes, &at, ctx->inject_bytes);
	torus_ctx_carve(ctx, ctx->receive, arch->receive_fifos, receive_chunks,
			arch->chunk_bytes, &at, ctx->receive_bytes);
	ctx->notices = (struct torus_notice_ring){
		.data = (struct torus_notice *)at,
		.length = notices,
	};
	at += ctx->notice_bytes;
	if (virtual) {
		torus_ctx_carve_ticks(ctx->inject, arch->inject_fifos, &at, ctx->stamp_bytes);
		torus_ctx_carve_ticks(ctx->receive, arch->receive_fifos, &at, ctx->arrival_bytes);
	}
	if (torus_nic_record_bytes(arch))
		ctx->records = (struct torus_nic_records *)at;
	/* Ask for doorbells until the engine sets the flags: a needless doorbell does no harm. */
	WRITE_ONCE(*torus_status_flags(ctx->client.status),
		   TORUS_STATUS_DOORBELL | TORUS_STATUS_HEAD);
	WRITE_ONCE(*torus_status_state(ctx->client.status), TORUS_STATE_ALIVE);
	return 0;
}

/* --------------------------------------------------------------- attaching */

/* Return the default length of a ring in chunks: at least the longest packet fits. */
u32 torus_attach_chunks(const struct torus_arch *arch, u32 chunks)
{
	return max_t(u32, chunks, roundup_pow_of_two(arch->packet_chunks_max));
}

/*
 * Check the length of a ring: a power of two, at least a packet, at most TORUS_RING_CHUNKS_MAX.
 * Replace 0 by the default.
 */
static int torus_ctx_ring_chunks(const struct torus_arch *arch, u32 *chunks, u32 def)
{
	if (!*chunks)
		*chunks = torus_attach_chunks(arch, def);
	if (!is_power_of_2(*chunks) || *chunks < arch->packet_chunks_max ||
	    *chunks > TORUS_RING_CHUNKS_MAX)
		return -EINVAL;
	return 0;
}

/**
 * torus_attach_may() - check whether the current process may use a node
 * @e: the engine, locked
 * @node: index of the node
 * @flags: TORUS_ATTACH_*
 *
 * Return: 0; -EACCES if another user owns the node, or if it has no owner and key `attach` admits
 * owners only; -EPERM without the right to priority packets.
 */
int torus_attach_may(struct torus_engine *e, u32 node, u32 flags)
{
	lockdep_assert_held(&e->lock.mutex);
	if (torus_rights_owns(e, node, current_euid()))
		return 0;
	if (!torus_rights_attach(e, node, current_euid()) && !capable(CAP_NET_ADMIN))
		return -EACCES;
	if (flags & TORUS_ATTACH_PRIORITY && !capable(CAP_NET_ADMIN))
		return -EPERM;
	return 0;
}

/*
 * Check whether a group can be taken, with the engine locked. @node: [out] index of the node.
 * Return: 0; -EAGAIN if the group's owner has ended or has closed its file, and the fabric is not
 * paused while the group drains: the group will be free soon; or another error of ATTACH.
 */
static int torus_ctx_look(struct torus_engine *e, const struct torus_ioc_attach *ask, u32 *node)
{
	u32 index = torus_node_index(&e->geo, ask->node);
	const struct torus_port_slot *slot;
	struct torus_engine_client *owner;
	int err;

	if (index == TORUS_NONE || ask->group >= e->arch->groups)
		return -EINVAL;
	/*
	 * The machine has no packets of programs: reject before a workload is ended for the
	 * program.
	 */
	if (!e->arch->check)
		return -EOPNOTSUPP;
	*node = array_index_nospec(index, e->geo.nodes);
	err = torus_attach_may(e, *node, ask->flags);
	if (err)
		return err;
	if (e->workload.state == TORUS_TRAFFIC_RUNNING)
		return -EBUSY;
	err = torus_process_may_attach(e);
	if (err)
		return err;
	slot = torus_port_slot_at(e, *node, ask->group);
	if (slot && !slot->gone)
		return -EBUSY;
	owner = torus_engine_client_at(e, *node, ask->group);
	if (!owner)
		return 0;
	/* No packet leaves a draining context before the end of a pause. */
	if (owner->draining)
		return e->paused ? -EBUSY : -EAGAIN;
	return torus_group_owner_ended(&owner->owner) ? -EAGAIN : -EBUSY;
}

/*
 * Check the rights before memory is allocated. Otherwise a program without the right could keep
 * others out by repeated calls, each of which takes memory for a moment.
 */
static int torus_ctx_may_take(struct torus_engine *e, const struct torus_ioc_attach *ask)
{
	int err = torus_engine_lock_killable(e);
	u32 node;

	if (err)
		return err;
	err = torus_ctx_look(e, ask, &node);
	torus_engine_unlock(e);
	return err == -EAGAIN ? 0 : err;
}

/* Take the group, with the engine locked. */
static int torus_ctx_take(struct torus_ctx *ctx, struct torus_engine *e,
			  struct torus_ioc_attach *ask)
{
	u32 node;
	int err = torus_ctx_look(e, ask, &node);

	if (err)
		return err;
	ctx->client.node = node;
	ctx->client.group = ask->group;
	ctx->priority = ask->flags & TORUS_ATTACH_PRIORITY;
	err = torus_process_join(e, &ctx->client);
	if (err)
		return err;
	/* Last but one: end a workload only for a program that is not rejected afterwards. */
	err = torus_engine_keep_result(e) ?:
	      torus_nic_attach(e->fabric, node, ask->group, ctx->priority,
			       &torus_ctx_nic_ops, ctx, &ctx->generation, NULL);
	if (err) {
		torus_process_undo_join(e, &ctx->client);
		return err;
	}
	torus_process_add_group(e, &ctx->client);
	ctx->client.ops = &torus_ctx_client_ops;
	torus_engine_add_client(e, &ctx->client);
	return 0;
}

/*
 * Take the group. If its last owner still drains it, wait: a user who restarts a killed program
 * must not get -EBUSY because of the old one. It does get -EBUSY while the fabric is paused, and
 * after twice drain_ms, because in virtual time a group may drain without limit.
 */
static int torus_ctx_take_wait(struct torus_ctx *ctx, struct torus_engine *e,
			       struct torus_ioc_attach *ask)
{
	long left = 2 * torus_param_drain_jiffies() + 1;
	u32 drains;
	int err;

	for (;;) {
		err = torus_engine_lock_killable(e);
		if (err)
			return err;
		err = torus_ctx_take(ctx, e, ask);
		drains = e->clients.drains;
		if (err)
			torus_engine_unlock(e);
		else
			torus_engine_unlock_kick(e);
		if (err != -EAGAIN)
			return err;
		left = wait_event_interruptible_timeout(e->clients.drained,
							READ_ONCE(e->clients.drains) != drains,
							left);
		if (left <= 0)
			return left ?: -EBUSY;
	}
}

/* Undo a failed ATTACH: the file is as it was before the call. */
static void torus_attach_undo(struct torus_ctx *ctx)
{
	torus_group_owner_put(&ctx->client.owner);
	torus_ctx_free_memory(ctx);
	memset(&ctx->set_by_attach, 0, sizeof(ctx->set_by_attach));
}

static int torus_attach_context(struct torus_ctx *ctx, struct torus_engine *e,
				struct torus_ioc_attach *ask)
{
	u32 inject_chunks = ask->inject_chunks;
	u32 receive_chunks = ask->receive_chunks;
	u32 notices = ask->notices ?: TORUS_NOTICES;
	int err;

	if (!is_power_of_2(notices) || notices < TORUS_NOTICES_MIN || notices > TORUS_NOTICES_MAX)
		return -EINVAL;
	err = torus_ctx_ring_chunks(e->arch, &inject_chunks, torus_param_inject_chunks());
	if (!err)
		err = torus_ctx_ring_chunks(e->arch, &receive_chunks,
					    torus_param_receive_chunks());
	if (!err)
		err = torus_ctx_may_take(e, ask);
	if (err)
		return err;
	err = torus_ctx_alloc_memory(ctx, e->arch, inject_chunks, receive_chunks, notices,
				     e->vtime.enabled);
	if (!err) {
		ctx->engine = e;
		torus_group_owner_take(&ctx->client.owner);
		err = torus_ctx_take_wait(ctx, e, ask);
	}
	if (err) {
		torus_attach_undo(ctx);
		return err;
	}
	mmgrab(current->mm);
	ctx->mm = current->mm;
	smp_store_release(&ctx->attached, true);	/* Pairs with torus_ctx_alive(). */
	torus_group_owner_watch(&ctx->client.owner, &ctx->owner_end);
	return 0;
}

/**
 * torus_attach_find() - find the fabric that a request of an open file names
 * @ctx: the file's context, locked
 * @name: name of the fabric
 * @e: [out] the fabric's engine, with a reference for torus_attach_tie() or torus_capture_open()
 *
 * Return: 0; -EISCONN if the file is attached or has gates; -ENOENT if no fabric has that name in
 * the namespace where the file was opened.
 */
int torus_attach_find(struct torus_ctx *ctx, const char *name, struct torus_engine **e)
{
	lockdep_assert_held(&ctx->lock);
	if (ctx->attached || ctx->gates)
		return -EISCONN;
	*e = torus_registry_find(ctx->net, name);
	if (!*e)
		return -ENOENT;
	return 0;
}

/**
 * torus_attach_tie() - bind an open file to a fabric, or drop the reference to it
 * @ctx: the file's context, locked
 * @e: the engine from torus_attach_find()
 * @err: 0 to bind the file; else an errno: the reference is dropped
 */
void torus_attach_tie(struct torus_ctx *ctx, struct torus_engine *e, int err)
{
	lockdep_assert_held(&ctx->lock);
	if (err) {
		torus_engine_put(e);
		return;
	}
	/* A file that uses a fabric must not keep the fabric's namespace alive. */
	put_net(ctx->net);
	ctx->net = NULL;
}

/**
 * torus_attach_ioctl() - TORUS_IOC_ATTACH
 * @ctx: the open file's context
 * @argp: [in, out] request; generation of the group
 *
 * Return: 0, or
 * - -EISCONN: the file is attached or has gates;
 * - -ENOENT: no fabric has that name in the namespace where the file was opened;
 * - -EINVAL: bad node, group, flag, length of a ring or reserved field;
 * - -EACCES: as torus_attach_may();
 * - -EPERM: no right to priority packets;
 * - -EOPNOTSUPP: the machine has no packets of programs;
 * - -EBUSY: the group is taken, by a program or as a device, or the fabric runs a workload of its
 *   own, or is paused while the group drains;
 * - -ETIME: virtual time has started;
 * - -EDQUOT, -ENOSPC: max_user_bytes or max_bytes would be exceeded;
 * - -ENODEV: the fabric is being deleted;
 * - -EINTR: the task was killed while it waited for the engine;
 * - -ERESTARTSYS: a signal ended the wait for the group;
 * - -ENOMEM, -EFAULT.
 */
int torus_attach_ioctl(struct torus_ctx *ctx, struct torus_ioc_attach __user *argp)
{
	struct torus_ioc_attach ask;
	struct torus_engine *e;
	int err;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) ||
	    ask.flags & ~TORUS_ATTACH_PRIORITY ||
	    strnlen(ask.fabric, sizeof(ask.fabric)) == sizeof(ask.fabric))
		return -EINVAL;
	/* Check that the answer can be written before a group is taken. */
	if (copy_to_user(argp, &ask, sizeof(ask)))
		return -EFAULT;

	mutex_lock(&ctx->lock);
	err = torus_attach_find(ctx, ask.fabric, &e);
	if (!err) {
		err = torus_attach_context(ctx, e, &ask);
		torus_attach_tie(ctx, e, err);
	}
	if (!err)
		ask.generation = ctx->generation;
	mutex_unlock(&ctx->lock);
	if (!err && copy_to_user(argp, &ask, sizeof(ask)))
		err = -EFAULT;
	return err;
}
