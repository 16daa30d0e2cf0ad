// SPDX-License-Identifier: GPL-2.0
/*
 * A context: an open file of /dev/torus.
 *
 * Opening costs nothing; what makes it a client of a fabric is in attach.c.
 * Mappings hold the file open, so the release of the file is the end of every one
 * that might write into the rings.  It gives the group back at once, or, when the
 * program has left packets in its injection rings, leaves the context to the
 * engine, which takes them first (torus_ctx_retire()).
 *
 * Deleting the fabric goes the other way round, and so does eviction: torus_ctx_kill()
 * unties a context that is still open; its calls then answer ENODEV.
 */
#include <linux/capability.h>
#include <linux/compat.h>
#include <linux/idr.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <net/net_namespace.h>

#include "core/base/number.h"
#include "dev/base/pages.h"
#include "dev/base/params.h"
#include "dev/engine/doorbell.h"
#include "dev/engine/engine.h"
#include "dev/engine/engine_lifecycle.h"
#include "dev/trace/capture.h"
#include "dev/vtime/process.h"
#include "attach.h"
#include "context.h"
#include "gate_context.h"
#include "gate_ioctl.h"
#include "mmap.h"
#include "nic_client.h"
#include "poll.h"
#include "query.h"
#include "status.h"

static DEFINE_IDA(torus_ctx_ids);

/**
 * torus_ctx_alive() - does the program have a fabric?
 * @ctx: its context
 *
 * Return: 0, -ENOTCONN before ATTACH, -ENODEV when the fabric was deleted, or the context
 * evicted from it.
 */
int torus_ctx_alive(struct torus_ctx *ctx)
{
	if (!smp_load_acquire(&ctx->attached))	/* pairs with torus_attach_context() */
		return -ENOTCONN;
	/* Pairs with torus_ctx_kill(). */
	return smp_load_acquire(&ctx->client.dead) ? -ENODEV : 0;
}

/**
 * torus_ctx_usable() - may this process use the context's rings?
 * @ctx: the context
 *
 * Return: 0; -ECHILD when another process attached it, the parent of this one perhaps; and
 * as torus_ctx_alive().
 */
int torus_ctx_usable(struct torus_ctx *ctx)
{
	return torus_ctx_alive(ctx) ?: ctx->mm == current->mm ? 0 : -ECHILD;
}

/**
 * torus_ctx_lock() - hold the fabric of a context that is attached to it
 * @ctx: the context
 *
 * Return: 0, or -ENODEV when it is so no more; then nothing is held.
 */
int torus_ctx_lock(struct torus_ctx *ctx)
{
	return torus_engine_lock_client(ctx->engine, &ctx->client);
}

/* ------------------------------------------------------------------ the end */

/**
 * torus_ctx_free() - the end of a context
 * @ctx: closed, and not attached any more
 */
void torus_ctx_free(struct torus_ctx *ctx)
{
	torus_poll_destroy(&ctx->poll);
	torus_gates_close(ctx);
	torus_process_free(&ctx->client);
	if (ctx->engine)
		torus_engine_put(ctx->engine);
	if (ctx->net)
		put_net(ctx->net);
	torus_group_owner_put(&ctx->client.owner);
	if (ctx->mm)
		mmdrop(ctx->mm);
	torus_memory_destroy(&ctx->memories);
	torus_ctx_free_memory(ctx);
	ida_free(&torus_ctx_ids, ctx->id);
	mutex_destroy(&ctx->lock);
	kfree(ctx);
}

/* Untie the context from the fabric, with the engine held. */
static void torus_ctx_detach(struct torus_ctx *ctx)
{
	lockdep_assert_held(&ctx->engine->lock.mutex);
	torus_process_detach(ctx->engine, &ctx->client);
	list_del(&ctx->client.link);
	ctx->engine->clients.attached--;
	ctx->engine->clients.holders++;
	torus_doorbell_detach(ctx->engine);
}

/* Has the kernel taken everything out of the injection rings? */
static bool torus_ctx_empty(struct torus_ctx *ctx)
{
	u32 i;

	for (i = 0; i < ctx->engine->arch->inject_fifos; i++) {
		if (!torus_ring_empty(&ctx->inject[i], torus_control_inject(ctx->control, i)))
			return false;
	}
	return true;
}

/* The engine, held, has one closed context less to empty. */
static void torus_ctx_forget(struct torus_engine *e)
{
	e->clients.draining--;
	WRITE_ONCE(e->clients.drains, e->clients.drains + 1);
	wake_up_all(&e->clients.drained);
}

/* Free a closed context, with the engine locked. */
static void torus_ctx_drop(struct torus_ctx *ctx)
{
	struct torus_engine *e = ctx->engine;

	torus_engine_report_owner(e, &ctx->client, false);
	torus_ctx_detach(ctx);
	torus_ctx_forget(e);
	/* The caller has a reference of its own to the engine. */
	torus_ctx_free(ctx);
}

/* Has a closed context packets that its injection rings may still give to the engine? */
static bool torus_ctx_drains(struct torus_ctx *ctx)
{
	if (ctx->client.process)
		return !torus_process_has_left(&ctx->client) || !torus_ctx_empty(ctx);
	return !torus_ctx_empty(ctx) && time_before(jiffies, ctx->client.drain_until);
}

static bool torus_ctx_retire(struct torus_engine_client *client, bool now)
{
	struct torus_ctx *ctx = container_of(client, struct torus_ctx, client);

	if (!now && torus_ctx_drains(ctx))
		return false;
	torus_ctx_drop(ctx);
	return true;
}

static void torus_ctx_kill(struct torus_engine_client *client)
{
	struct torus_ctx *ctx = container_of(client, struct torus_ctx, client);
	LIST_HEAD(gone);

	torus_memory_drop(ctx, &gone);
	torus_memory_release(ctx, &gone);
	torus_ctx_detach(ctx);
	if (ctx->client.draining) {
		torus_ctx_free(ctx);
		return;
	}
	torus_status_kill(ctx);
	torus_mmap_revoke(ctx);
	/* Last: who gets ENODEV, or EPOLLHUP, finds nothing but zeros in the rings. */
	smp_store_release(&ctx->client.dead, true);	/* pairs with torus_ctx_alive() */
	wake_up_poll(&ctx->poll.wait, EPOLLHUP | EPOLLERR);
	torus_process_wake(client);
}

static void torus_ctx_evict(struct torus_engine_client *client)
{
	struct torus_ctx *ctx = container_of(client, struct torus_ctx, client);

	torus_engine_report_owner(ctx->engine, client, false);
	torus_process_evict(client);
	if (client->draining)
		torus_ctx_forget(ctx->engine);
	torus_ctx_kill(client);
}

static bool torus_ctx_publish(struct torus_engine_client *client)
{
	return torus_status_publish(container_of(client, struct torus_ctx, client));
}

static void torus_ctx_fail(struct torus_engine_client *client)
{
	torus_process_wake(client);
	wake_up_poll(&container_of(client, struct torus_ctx, client)->poll.wait, EPOLLERR);
}

const struct torus_engine_client_ops torus_ctx_client_ops = {
	.retire = torus_ctx_retire,
	.publish = torus_ctx_publish,
	.lags = torus_ctx_lags,
	.wake = torus_ctx_wake_readers,
	.fail = torus_ctx_fail,
	.kill = torus_ctx_kill,
	.evict = torus_ctx_evict,
	.reveal = torus_ctx_reveal,
	.look = torus_ctx_read,
};

/*
 * The file is closed and nothing maps it: no program can write into the rings
 * any more.  Return: true if the engine shall empty them, and owns the context.
 *
 * The caller has a reference of its own to @e.  The context's is the engine's with the context:
 * the leader, or who deletes the fabric, may drop it as soon as the engine is released.
 */
static bool torus_ctx_leave(struct torus_ctx *ctx, struct torus_engine *e)
{
	LIST_HEAD(gone);

	/* An error: the fabric was deleted or the context evicted, which has untied it. */
	if (torus_ctx_lock(ctx))
		return false;
	torus_group_owner_leave(&ctx->client.owner);
	/* before the memory goes: nobody hears that it is unknown where the program is gone */
	if (!ctx->client.process)
		torus_nic_leave(e->fabric, ctx->client.node, ctx->client.group);
	torus_memory_drop(ctx, &gone);
	if (!list_empty(&gone)) {
		/* it may take long, and nobody else shall wait for it */
		torus_engine_unlock(e);
		torus_memory_release(ctx, &gone);
		if (torus_ctx_lock(ctx))
			return false;
	}
	if (ctx->client.process ? !torus_process_close(&ctx->client) : torus_ctx_empty(ctx)) {
		torus_engine_report_owner(e, &ctx->client, false);
		torus_ctx_detach(ctx);
		torus_engine_unlock_kick(e);
		return false;
	}
	ctx->file = NULL;
	ctx->client.draining = true;
	ctx->client.drain_until = jiffies + torus_param_drain_jiffies();
	e->clients.draining++;
	torus_engine_unlock_kick(e);
	return true;
}

/* --------------------------------------------------------------- the others */

static int torus_file_info(struct torus_ctx *ctx, struct torus_ioc_info __user *argp)
{
	const struct torus_engine *e = ctx->engine;
	const struct torus_arch *arch = e->arch;
	struct torus_ioc_info info;

	memset(&info, 0, sizeof(info));		/* holes too */
	info.abi_version = TORUS_ABI_VERSION;
	info.ndims = e->geo.ndims;
	info.features = TORUS_FEATURE_WANT | TORUS_FEATURE_TICKS | TORUS_FEATURE_INTERRUPT |
			TORUS_FEATURE_NOTICE | TORUS_FEATURE_HEAD | TORUS_FEATURE_WAIT;
	if (arch->command)
		info.features |= TORUS_FEATURE_MEMORY;
	torus_process_info(&ctx->client, &info);
	if (ctx->priority)
		info.features |= TORUS_FEATURE_PRIORITY;
	strscpy(info.fabric, e->name, sizeof(info.fabric));
	strscpy(info.arch, arch->name, sizeof(info.arch));
	memcpy(info.dims, e->geo.dims, e->geo.ndims * sizeof(info.dims[0]));
	info.mesh = e->geo.mesh;
	info.numbering = e->geo.numbering;
	info.nshape = e->geo.nshape;
	memcpy(info.shape, e->geo.shape, e->geo.nshape * sizeof(info.shape[0]));
	torus_geometry_coords(&e->geo, ctx->client.node, info.coords);
	info.nodes = e->geo.nodes;
	info.node = torus_node_number(&e->geo, ctx->client.node);
	info.group = ctx->client.group;
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
	info.notices = ctx->notices.length;
	info.fifo_chunks = arch->fifo_chunks;
	info.tick_fs = e->tick_fs;
	torus_status_layout(&info);
	return copy_to_user(argp, &info, sizeof(info)) ? -EFAULT : 0;
}

static int torus_file_locate(struct torus_ctx *ctx, struct torus_ioc_locate __user *argp)
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
		ask.node = torus_node_number(geo, torus_geometry_node(geo, ask.coords));
		break;
	case TORUS_LOCATE_COORDS:
		i = torus_node_index(geo, ask.node);
		if (i == TORUS_NONE)
			return -EINVAL;
		memset(ask.coords, 0, sizeof(ask.coords));
		torus_geometry_coords(geo, i, ask.coords);
		break;
	default:
		return -EINVAL;
	}
	return copy_to_user(argp, &ask, sizeof(ask)) ? -EFAULT : 0;
}

/*
 * TORUS_IOC_CAPTURE, of a file that is not attached. Only an administrator may read what programs
 * send each other.
 */
static int torus_file_capture(struct torus_ctx *ctx, struct torus_ioc_capture __user *argp)
{
	struct torus_ioc_capture ask;
	struct torus_engine *e;
	int err, fd;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (strnlen(ask.fabric, sizeof(ask.fabric)) == sizeof(ask.fabric) ||
	    memchr_inv(ask.reserved, 0, sizeof(ask.reserved)))
		return -EINVAL;
	mutex_lock(&ctx->lock);
	err = torus_attach_find(ctx, ask.fabric, &e);
	mutex_unlock(&ctx->lock);
	if (err)
		return err;
	fd = torus_capture_open(e, &ask);
	if (fd < 0)
		return fd;
	/* From here on the descriptor is the program's, even if this fails. */
	return put_user(fd, &argp->fd);
}

static long torus_file_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct torus_ctx *ctx = file->private_data;
	void __user *argp = (void __user *)arg;
	int err;

	switch (cmd) {
	case TORUS_IOC_ATTACH:
		return torus_attach_ioctl(ctx, argp);
	case TORUS_IOC_INFO:
		err = torus_ctx_alive(ctx);
		return err ?: torus_file_info(ctx, argp);
	case TORUS_IOC_DOORBELL:
		err = torus_ctx_usable(ctx);
		if (!err)
			torus_doorbell_ring(ctx->engine, &ctx->client);
		return err;
	case TORUS_IOC_WAIT:
		err = torus_ctx_usable(ctx);
		return err ?: torus_poll_ioctl(ctx, argp);
	case TORUS_IOC_LOCATE:
		err = torus_ctx_alive(ctx);
		return err ?: torus_file_locate(ctx, argp);
	case TORUS_IOC_FABRIC:
		return torus_query_fabric(ctx, argp);
	case TORUS_IOC_GROUPS:
		return torus_query_groups(ctx, argp);
	case TORUS_IOC_CLOCK:
		err = torus_ctx_usable(ctx);
		return err ?: torus_process_ioctl(&ctx->client, argp);
	case TORUS_IOC_CAPTURE:
		return torus_file_capture(ctx, argp);
	case TORUS_IOC_REGISTER:
		err = torus_ctx_usable(ctx);
		return err ?: torus_memory_register(ctx, argp);
	case TORUS_IOC_UNREGISTER:
		err = torus_ctx_usable(ctx);
		return err ?: torus_memory_unregister(ctx, argp);
	}
	return torus_gates_ioctl(ctx, cmd, argp);
}

static int torus_file_open(struct inode *inode, struct file *file)
{
	struct torus_ctx *ctx;
	int id;

	ctx = kzalloc(sizeof(*ctx), TORUS_GFP_USER);
	if (!ctx)
		return -ENOMEM;
	id = ida_alloc_max(&torus_ctx_ids, TORUS_MAP_ID_MAX, TORUS_GFP_USER);
	if (id < 0) {
		kfree(ctx);
		return id == -ENOSPC ? -EMFILE : id;
	}
	ctx->id = id;
	ctx->file = file;
	ctx->net = get_net(current->nsproxy->net_ns);
	mutex_init(&ctx->lock);
	torus_poll_init(&ctx->poll);
	init_rwsem(&ctx->map_lock);
	torus_memory_init(&ctx->memories);
	file->private_data = ctx;
	return nonseekable_open(inode, file);
}

static int torus_file_release(struct inode *inode, struct file *file)
{
	struct torus_ctx *ctx = file->private_data;
	struct torus_engine *e = ctx->engine;

	if (!ctx->attached) {
		torus_ctx_free(ctx);
		return 0;
	}
	torus_engine_get(e);
	if (!torus_ctx_leave(ctx, e))
		torus_ctx_free(ctx);
	torus_engine_put(e);
	return 0;
}

const struct file_operations torus_file_ops = {
	.owner = THIS_MODULE,
	.open = torus_file_open,
	.release = torus_file_release,
	.unlocked_ioctl = torus_file_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = torus_mmap_file,
	.poll = torus_poll_file,
};
