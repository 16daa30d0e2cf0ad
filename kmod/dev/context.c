// SPDX-License-Identifier: GPL-2.0
/*
 * A context: an open file of /dev/torus.
 *
 * Opening costs nothing.  TORUS_IOC_ATTACH makes the rings, takes the FIFO group
 * and ties the context to its engine for good.  Mappings hold the file open, so
 * the release of the file is the end of every one that might write into the
 * rings.  It gives the group back at once, or, when the program has left packets
 * in its injection rings, leaves the context to the engine, which takes them
 * first (torus_context_drained()).
 *
 * Deleting the fabric goes the other way round: torus_context_kill() unties a
 * context that is still open; its calls then answer ENODEV.
 *
 * Who may attach: to a node without an owner everybody, otherwise the owner, and
 * CAP_NET_ADMIN in the initial user namespace.  The right to inject priority
 * packets has the owner of a node that has one, and CAP_NET_ADMIN.
 */
#include <linux/capability.h>
#include <linux/compat.h>
#include <linux/cred.h>
#include <linux/gfp.h>
#include <linux/idr.h>
#include <linux/jiffies.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/nsproxy.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <net/net_namespace.h>

#include "budget.h"
#include "context.h"
#include "engine.h"
#include "map.h"
#include "params.h"
#include "registry.h"
#include "status.h"

static DEFINE_IDA(torus_context_ids);

/* ------------------------------------------------ the core's client (nic.h) */

static u32 torus_context_pull(void *client, u32 fifo, u32 room, u8 *bytes)
{
	struct torus_context *ctx = client;
	struct torus_ring *ring = &ctx->inject[fifo];

	switch (torus_ring_pull(ring, torus_control_inject(ctx->control, fifo),
				torus_status_inject(ctx->status, fifo), ctx->engine->arch->size,
				ctx->engine->round, room, bytes)) {
	case TORUS_PULL_PACKET:
		ctx->quiet = false;
		return ring->pending;
	case TORUS_PULL_BAD:
		/* The core has not seen it. */
		atomic64_inc(&ctx->engine->refused);
		break;
	case TORUS_PULL_NONE:
		break;
	}
	return 0;
}

static void torus_context_refused(void *client, u32 fifo, u32 code)
{
	struct torus_context *ctx = client;

	torus_ring_refuse(&ctx->inject[fifo], torus_status_inject(ctx->status, fifo), code);
}

static void torus_context_accepted(void *client, u32 fifo)
{
	struct torus_context *ctx = client;

	torus_ring_accept(&ctx->inject[fifo], torus_status_inject(ctx->status, fifo));
}

static bool torus_context_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct torus_context *ctx = client;

	ctx->quiet = false;
	/* Nobody will read it, and what it blocks is not the dead program's. */
	if (ctx->draining)
		return true;
	return torus_ring_push(&ctx->receive[fifo], torus_control_receive(ctx->control, fifo),
			       torus_status_receive(ctx->status, fifo), bytes, chunks);
}

/*
 * poll() sleeps without losing a packet:
 *
 *	engine                          poll()
 *
 *	STORE ring index                add to ctx->wait
 *	smp_mb            (G)           smp_mb           (H)
 *	LOAD ctx->wait empty?           LOAD ring index
 *
 * Without either, both may load what was before the other's store: the engine
 * sees nobody to wake, poll() sees nothing to read.  (G) is in wq_has_sleeper().
 */
static void torus_context_notify(void *client)
{
	struct torus_context *ctx = client;
	__poll_t ready;

	if (!wq_has_sleeper(&ctx->wait))	/* (G) */
		return;
	ready = torus_context_ready(ctx);
	if (ready)
		wake_up_interruptible_poll(&ctx->wait, ready);
}

static const struct torus_nic_ops torus_context_nic_ops = {
	.pull = torus_context_pull,
	.refused = torus_context_refused,
	.accepted = torus_context_accepted,
	.push = torus_context_push,
	.notify = torus_context_notify,
};

/**
 * torus_context_ready() - what poll() would say
 * @ctx: an attached context
 *
 * Return: EPOLL* bits.
 */
__poll_t torus_context_ready(struct torus_context *ctx)
{
	const struct torus_arch *arch = ctx->engine->arch;
	__poll_t ready = 0;
	u32 i;

	for (i = 0; i < arch->receive_fifos; i++) {
		if (torus_ring_readable(&ctx->receive[i], torus_control_receive(ctx->control, i),
					arch->packet_chunks_max)) {
			ready |= EPOLLIN | EPOLLRDNORM;
			break;
		}
	}
	for (i = 0; i < arch->inject_fifos; i++) {
		if (!(arch->inject_priority & BIT(i)) &&
		    torus_ring_writable(&ctx->inject[i], torus_control_inject(ctx->control, i),
					arch->packet_chunks_max)) {
			ready |= EPOLLOUT | EPOLLWRNORM;
			break;
		}
	}
	return ready;
}

/* ------------------------------------------------------------------ memory */

/* Each ring begins on a page of its own. */
static void torus_context_carve(struct torus_context *ctx, struct torus_ring *rings, u32 count,
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

static void torus_context_free_memory(struct torus_context *ctx)
{
	if (ctx->rings) {
		vfree(ctx->rings);
		torus_budget_give(ctx->rings_bytes);
	}
	ctx->rings = NULL;
	free_page((unsigned long)ctx->grave);
	free_page((unsigned long)ctx->control);
	free_page((unsigned long)ctx->status);
	ctx->grave = NULL;
	ctx->control = NULL;
	ctx->status = NULL;
}

static int torus_context_alloc_memory(struct torus_context *ctx, const struct torus_arch *arch,
				      u32 inject_chunks, u32 receive_chunks)
{
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO;
	u8 *at;
	int err;

	ctx->inject_bytes = PAGE_ALIGN((size_t)inject_chunks * arch->chunk_bytes);
	ctx->receive_bytes = PAGE_ALIGN((size_t)receive_chunks * arch->chunk_bytes);
	ctx->rings_bytes = arch->inject_fifos * ctx->inject_bytes +
			   arch->receive_fifos * ctx->receive_bytes;
	err = torus_budget_take(ctx->rings_bytes, NULL);
	if (err)
		return err;
	ctx->rings = __vmalloc(ctx->rings_bytes, gfp | __GFP_NOWARN);
	if (!ctx->rings) {
		torus_budget_give(ctx->rings_bytes);
		return -ENOMEM;
	}
	ctx->status = (void *)__get_free_page(gfp);
	ctx->control = (void *)__get_free_page(gfp);
	ctx->grave = (void *)__get_free_page(gfp);
	if (!ctx->status || !ctx->control || !ctx->grave) {
		torus_context_free_memory(ctx);
		return -ENOMEM;
	}
	at = ctx->rings;
	torus_context_carve(ctx, ctx->inject, arch->inject_fifos, inject_chunks,
			    arch->chunk_bytes, &at, ctx->inject_bytes);
	torus_context_carve(ctx, ctx->receive, arch->receive_fifos, receive_chunks,
			    arch->chunk_bytes, &at, ctx->receive_bytes);
	/* Until the engine says otherwise: a doorbell too many does no harm. */
	WRITE_ONCE(*torus_status_flags(ctx->status), TORUS_STATUS_DOORBELL);
	WRITE_ONCE(*torus_status_state(ctx->status), TORUS_STATE_ALIVE);
	return 0;
}

/**
 * torus_context_free() - the end of a context
 * @ctx: closed, and not attached any more
 */
void torus_context_free(struct torus_context *ctx)
{
	if (ctx->engine)
		torus_engine_put(ctx->engine);
	if (ctx->net)
		put_net(ctx->net);
	torus_context_free_memory(ctx);
	ida_free(&torus_context_ids, ctx->id);
	mutex_destroy(&ctx->lock);
	kfree(ctx);
}

/* -------------------------------------------------- attaching and detaching */

/* A power of two that holds a packet and is not excessive; 0: the default. */
static int torus_context_ring_chunks(const struct torus_arch *arch, u32 *chunks, u32 def)
{
	if (!*chunks)
		*chunks = max_t(u32, def, roundup_pow_of_two(arch->packet_chunks_max));
	if (!is_power_of_2(*chunks) || *chunks < arch->packet_chunks_max ||
	    *chunks > TORUS_RING_CHUNKS_MAX)
		return -EINVAL;
	return 0;
}

static bool torus_context_is_owner(struct torus_engine *e, u32 node)
{
	return e->owners && uid_valid(e->owners[node]) && uid_eq(e->owners[node], current_euid());
}

static int torus_context_may_attach(struct torus_engine *e, const struct torus_ioc_attach *ask)
{
	bool owned = e->owners && uid_valid(e->owners[ask->node]);

	lockdep_assert_held(&e->lock);
	if (torus_context_is_owner(e, ask->node))
		return 0;
	if (owned && !capable(CAP_NET_ADMIN))
		return -EACCES;
	if (ask->flags & TORUS_ATTACH_PRIORITY && !capable(CAP_NET_ADMIN))
		return -EPERM;
	return 0;
}

static struct torus_context *torus_context_holder(struct torus_engine *e, u32 node, u32 group)
{
	struct torus_context *ctx;

	lockdep_assert_held(&e->lock);
	list_for_each_entry(ctx, &e->contexts, link) {
		if (ctx->node == node && ctx->group == group)
			return ctx;
	}
	return NULL;
}

/* With the engine held: take the group.  -EAGAIN: it is about to become free. */
static int torus_context_take(struct torus_context *ctx, struct torus_engine *e,
			      struct torus_ioc_attach *ask)
{
	struct torus_context *holder;
	int err;

	if (ask->node >= e->geo.nodes || ask->group >= e->arch->groups)
		return -EINVAL;
	ask->node = array_index_nospec(ask->node, e->geo.nodes);
	err = torus_context_may_attach(e, ask);
	if (err)
		return err;
	if (e->workload == TORUS_WORKLOAD_RUNNING)
		return -EBUSY;
	if (e->workload == TORUS_WORKLOAD_DONE)
		torus_engine_end_workload(e);
	holder = torus_context_holder(e, ask->node, ask->group);
	if (holder)
		return holder->draining ? -EAGAIN : -EBUSY;

	ctx->node = ask->node;
	ctx->group = ask->group;
	ctx->priority = ask->flags & TORUS_ATTACH_PRIORITY;
	err = torus_nic_attach(e->fabric, ask->node, ask->group, ctx->priority,
			       &torus_context_nic_ops, ctx, &ctx->generation, NULL);
	if (err)
		return err;
	list_add_tail(&ctx->link, &e->contexts);
	e->attached++;
	torus_status_publish(ctx, true);
	return 0;
}

/*
 * Whoever starts a killed program again shall not see its ghost: wait while a
 * closed context drains.
 */
static int torus_context_take_patiently(struct torus_context *ctx, struct torus_engine *e,
					struct torus_ioc_attach *ask)
{
	long patience = 2 * torus_param_drain_jiffies() + 1;
	u32 drains;
	int err;

	for (;;) {
		err = torus_engine_hold(e);
		if (err)
			return err;
		err = torus_context_take(ctx, e, ask);
		drains = e->drains;
		if (err)
			torus_engine_release(e);
		else
			torus_engine_release_kick(e);
		if (err != -EAGAIN)
			return err;
		patience = wait_event_interruptible_timeout(e->drained,
							    READ_ONCE(e->drains) != drains,
							    patience);
		if (patience <= 0)
			return patience ?: -EBUSY;
	}
}

static int torus_context_attach_to(struct torus_context *ctx, struct torus_engine *e,
				   struct torus_ioc_attach *ask)
{
	u32 inject_chunks = ask->inject_chunks;
	u32 receive_chunks = ask->receive_chunks;
	int err;

	err = torus_context_ring_chunks(e->arch, &inject_chunks, torus_param_inject_chunks());
	if (!err)
		err = torus_context_ring_chunks(e->arch, &receive_chunks,
						torus_param_receive_chunks());
	if (err)
		return err;
	err = torus_context_alloc_memory(ctx, e->arch, inject_chunks, receive_chunks);
	if (err)
		return err;
	ctx->engine = e;
	err = torus_context_take_patiently(ctx, e, ask);
	if (err) {
		ctx->engine = NULL;
		torus_context_free_memory(ctx);
		return err;
	}
	smp_store_release(&ctx->attached, true);	/* pairs with torus_context_alive() */
	return 0;
}

static int torus_context_attach(struct torus_context *ctx, struct torus_ioc_attach __user *argp)
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

	mutex_lock(&ctx->lock);
	err = -EISCONN;
	if (ctx->attached)
		goto unlock;
	err = -ENOENT;
	e = torus_registry_find(ctx->net, ask.fabric);
	if (!e)
		goto unlock;
	err = torus_context_attach_to(ctx, e, &ask);
	if (err) {
		torus_engine_put(e);
		goto unlock;
	}
	/* A fabric shall not keep its namespace alive by who uses it. */
	put_net(ctx->net);
	ctx->net = NULL;
	ask.generation = ctx->generation;
unlock:
	mutex_unlock(&ctx->lock);
	if (!err && copy_to_user(argp, &ask, sizeof(ask)))
		err = -EFAULT;
	return err;
}

/* Does the program have a fabric?  0, -ENOTCONN or -ENODEV. */
int torus_context_alive(struct torus_context *ctx)
{
	if (!smp_load_acquire(&ctx->attached))	/* pairs with torus_context_attach_to() */
		return -ENOTCONN;
	/* Pairs with torus_context_kill(). */
	return smp_load_acquire(&ctx->dead) ? -ENODEV : 0;
}

/* Untie the context from the fabric, with the engine held. */
static void torus_context_detach(struct torus_context *ctx)
{
	lockdep_assert_held(&ctx->engine->lock);
	torus_nic_detach(ctx->engine->fabric, ctx->node, ctx->group);
	list_del(&ctx->link);
	ctx->engine->attached--;
}

/* Has the kernel taken everything out of the injection rings? */
static bool torus_context_empty(struct torus_context *ctx)
{
	u32 i;

	for (i = 0; i < ctx->engine->arch->inject_fifos; i++) {
		if (!torus_ring_empty(&ctx->inject[i], torus_control_inject(ctx->control, i)))
			return false;
	}
	return true;
}

/**
 * torus_context_drained() - let go of a closed context when nothing is left in it
 * @ctx: a draining context; the engine is held
 *
 * Return: true if the context is no more.
 */
bool torus_context_drained(struct torus_context *ctx)
{
	struct torus_engine *e = ctx->engine;

	if (!torus_context_empty(ctx) && time_before(jiffies, ctx->drain_until))
		return false;
	torus_context_detach(ctx);
	e->draining--;
	WRITE_ONCE(e->drains, e->drains + 1);
	wake_up_all(&e->drained);
	/* The caller has a reference of its own to the engine. */
	torus_context_free(ctx);
	return true;
}

/**
 * torus_context_kill() - the context's fabric is being deleted
 * @ctx: an attached context; the engine is held
 */
void torus_context_kill(struct torus_context *ctx)
{
	torus_context_detach(ctx);
	if (ctx->draining) {
		torus_context_free(ctx);
		return;
	}
	torus_status_kill(ctx);
	torus_map_bury(ctx);
	/* Last: who gets ENODEV, or EPOLLHUP, finds nothing but zeros in the rings. */
	smp_store_release(&ctx->dead, true);	/* pairs with torus_context_alive() */
	wake_up_poll(&ctx->wait, EPOLLHUP | EPOLLERR);
}

/*
 * The file is closed and nothing maps it: no program can write into the rings
 * any more.  Return: true if the engine shall empty them, and owns the context.
 */
static bool torus_context_leave(struct torus_context *ctx)
{
	struct torus_engine *e = ctx->engine;

	/* An error is the end of the fabric, which has untied the context. */
	if (torus_engine_hold(e))
		return false;
	if (torus_context_empty(ctx)) {
		torus_context_detach(ctx);
		torus_engine_release_kick(e);
		return false;
	}
	ctx->file = NULL;
	ctx->draining = true;
	ctx->drain_until = jiffies + torus_param_drain_jiffies();
	e->draining++;
	torus_engine_release_kick(e);
	return true;
}

/* --------------------------------------------------------------- the others */

static int torus_context_info(struct torus_context *ctx, struct torus_ioc_info __user *argp)
{
	const struct torus_engine *e = ctx->engine;
	const struct torus_arch *arch = e->arch;
	struct torus_ioc_info info;

	memset(&info, 0, sizeof(info));		/* holes too */
	info.abi_version = TORUS_ABI_VERSION;
	info.ndims = e->geo.ndims;
	info.features = ctx->priority ? TORUS_FEATURE_PRIORITY : 0;
	strscpy(info.fabric, e->name, sizeof(info.fabric));
	strscpy(info.arch, arch->name, sizeof(info.arch));
	memcpy(info.dims, e->geo.dims, e->geo.ndims * sizeof(info.dims[0]));
	info.mesh = e->geo.mesh;
	torus_geometry_coords(&e->geo, ctx->node, info.coords);
	info.nodes = e->geo.nodes;
	info.node = ctx->node;
	info.group = ctx->group;
	info.groups = arch->groups;
	info.generation = ctx->generation;
	info.chunk_bytes = arch->chunk_bytes;
	info.packet_chunks_max = arch->packet_chunks_max;
	info.header_bytes = arch->header_bytes;
	info.inject_fifos = arch->inject_fifos;
	info.inject_priority = arch->inject_priority;
	info.receive_fifos = arch->receive_fifos;
	info.receive_priority = arch->receive_priority;
	info.inject_chunks = ctx->inject[0].chunks;
	info.receive_chunks = ctx->receive[0].chunks;
	info.fifo_chunks = arch->fifo_chunks;
	info.tick_fs = arch->tick_fs;
	torus_status_layout(&info);
	return copy_to_user(argp, &info, sizeof(info)) ? -EFAULT : 0;
}

static int torus_context_locate(struct torus_context *ctx, struct torus_ioc_locate __user *argp)
{
	const struct torus_geometry *geo = &ctx->engine->geo;
	struct torus_ioc_locate ask;
	u32 i;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)))
		return -EINVAL;
	switch (ask.direction) {
	case TORUS_LOCATE_NODE:
		for (i = 0; i < TORUS_DIMS_MAX; i++) {
			if (ask.coords[i] >= (i < geo->ndims ? geo->dims[i] : 1))
				return -EINVAL;
		}
		ask.node = torus_geometry_node(geo, ask.coords);
		break;
	case TORUS_LOCATE_COORDS:
		if (ask.node >= geo->nodes)
			return -EINVAL;
		memset(ask.coords, 0, sizeof(ask.coords));
		torus_geometry_coords(geo, ask.node, ask.coords);
		break;
	default:
		return -EINVAL;
	}
	return copy_to_user(argp, &ask, sizeof(ask)) ? -EFAULT : 0;
}

static long torus_context_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct torus_context *ctx = file->private_data;
	void __user *argp = (void __user *)arg;
	int err;

	switch (cmd) {
	case TORUS_IOC_ATTACH:
		return torus_context_attach(ctx, argp);
	case TORUS_IOC_INFO:
		err = torus_context_alive(ctx);
		return err ?: torus_context_info(ctx, argp);
	case TORUS_IOC_DOORBELL:
		err = torus_context_alive(ctx);
		if (!err)
			torus_engine_kick(ctx->engine);
		return err;
	case TORUS_IOC_LOCATE:
		err = torus_context_alive(ctx);
		return err ?: torus_context_locate(ctx, argp);
	}
	return -ENOTTY;
}

static __poll_t torus_context_poll(struct file *file, poll_table *wait)
{
	struct torus_context *ctx = file->private_data;

	poll_wait(file, &ctx->wait, wait);
	smp_mb();	/* (H), see torus_context_notify() */
	switch (torus_context_alive(ctx)) {
	case 0:
		return torus_context_ready(ctx);
	case -ENODEV:
		return EPOLLHUP | EPOLLERR;
	}
	return EPOLLERR;
}

static int torus_context_open(struct inode *inode, struct file *file)
{
	struct torus_context *ctx;
	int id;

	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return -ENOMEM;
	id = ida_alloc_max(&torus_context_ids, TORUS_MAP_ID_MAX, GFP_KERNEL_ACCOUNT);
	if (id < 0) {
		kfree(ctx);
		return id == -ENOSPC ? -EMFILE : id;
	}
	ctx->id = id;
	ctx->file = file;
	ctx->net = get_net(current->nsproxy->net_ns);
	INIT_LIST_HEAD(&ctx->link);
	mutex_init(&ctx->lock);
	init_waitqueue_head(&ctx->wait);
	init_rwsem(&ctx->map_lock);
	file->private_data = ctx;
	return nonseekable_open(inode, file);
}

static int torus_context_release(struct inode *inode, struct file *file)
{
	struct torus_context *ctx = file->private_data;

	if (!ctx->attached || !torus_context_leave(ctx))
		torus_context_free(ctx);
	return 0;
}

const struct file_operations torus_context_fops = {
	.owner = THIS_MODULE,
	.open = torus_context_open,
	.release = torus_context_release,
	.unlocked_ioctl = torus_context_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = torus_map_file,
	.poll = torus_context_poll,
	.llseek = no_llseek,
};
