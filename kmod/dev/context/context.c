// SPDX-License-Identifier: GPL-2.0
/*
 * The context of an open file of /dev/torus: creation, release, and the calls of its engine.
 *
 * An open file belongs to no fabric; attach.c makes it a client of one.  A mapping keeps its file
 * open, so no program can write into the rings when the file is released.  If the
 * injection rings are empty then, the release gives the group back at once.  If they still have
 * packets, the engine keeps the context with its group until it has taken the packets or the time
 * to drain is over (torus_ctx_retire()).
 *
 * The group belongs to the process that attached the context. If another process keeps the file
 * open when that process ends, torus_ctx_owner_ended() gives the group back in the same way, and
 * the context ends like an evicted one. A child of vfork() may still write into the rings while
 * the context drains: then it drains for drain_ms at most.
 *
 * If the fabric is deleted, or the context is evicted, torus_ctx_kill() detaches a context that is
 * still open.  Its calls then return -ENODEV.
 */
#include <linux/idr.h>
#include <linux/jiffies.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <net/net_namespace.h>

#include "core/base/node_number.h"
#include "dev/base/pages.h"
#include "dev/base/params.h"
#include "dev/engine/engine.h"
#include "dev/engine/engine_lifecycle.h"
#include "dev/engine/pause.h"
#include "dev/vtime/process.h"
#include "attach.h"
#include "context.h"
#include "gate_context.h"
#include "mmap.h"
#include "nic_client.h"
#include "poll.h"
#include "status.h"

static DEFINE_IDA(torus_ctx_ids);

/**
 * torus_ctx_alive() - check whether a context has a fabric
 * @ctx: the context
 *
 * Return: 0; -ENOTCONN before ATTACH; -ENODEV if the fabric was deleted, or the context evicted.
 */
int torus_ctx_alive(struct torus_ctx *ctx)
{
	if (!smp_load_acquire(&ctx->attached))	/* Pairs with torus_attach_context(). */
		return -ENOTCONN;
	/* Pairs with torus_ctx_kill(). */
	return smp_load_acquire(&ctx->client.dead) ? -ENODEV : 0;
}

/**
 * torus_ctx_usable() - check whether the calling process may use the context's rings
 * @ctx: the context
 *
 * Return: 0; -ECHILD if another process attached the context, for example the parent, or if the
 * process that attached it has ended; or the error of torus_ctx_alive().
 */
int torus_ctx_usable(struct torus_ctx *ctx)
{
	int err = torus_ctx_alive(ctx);

	if (!err && (ctx->mm != current->mm || READ_ONCE(ctx->client.draining)))
		err = -ECHILD;
	return err;
}

/**
 * torus_ctx_lock() - lock the engine of a context that is attached to it
 * @ctx: the context
 *
 * Return: 0; -ENODEV if the context is no longer attached, -ECHILD if the process that attached it
 * has ended: then the engine is not locked.
 */
int torus_ctx_lock(struct torus_ctx *ctx)
{
	int err = torus_engine_lock_client(ctx->engine, &ctx->client);

	if (!err && ctx->client.draining) {
		torus_engine_unlock(ctx->engine);
		err = -ECHILD;
	}
	return err;
}

/* ---------------------------------------------------------------- detach and free */

/**
 * torus_ctx_free() - free a context
 * @ctx: the context, closed and detached
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

/* Detach the context from the fabric, with the engine locked, and wake tasks that wait for it. */
static void torus_ctx_detach(struct torus_ctx *ctx)
{
	struct torus_engine *e = ctx->engine;

	lockdep_assert_held(&e->lock.mutex);
	torus_process_detach(e, &ctx->client);
	torus_engine_del_client(e, &ctx->client);
	e->clients.draining -= ctx->client.draining;
	torus_engine_wake_attach(e);
}

/* Check whether the engine has taken all packets out of the injection rings. */
static bool torus_ctx_empty(struct torus_ctx *ctx)
{
	u32 i;

	for (i = 0; i < ctx->engine->arch->inject_fifos; i++) {
		if (!torus_ring_empty(&ctx->inject[i], torus_control_inject(ctx->control, i)))
			return false;
	}
	return true;
}

/*
 * Check whether a draining context must stay: while its injection rings have packets, at most until
 * drain_until. In virtual time it stays without a limit of time, until the program has left virtual
 * time and the rings are empty.
 */
static bool torus_ctx_drains(struct torus_ctx *ctx)
{
	if (ctx->client.process)
		return !torus_process_has_left(&ctx->client) || !torus_ctx_empty(ctx);
	return !torus_ctx_empty(ctx) &&
	       time_before(torus_pause_jiffies(ctx->engine), ctx->client.drain_until);
}

static void torus_ctx_kill(struct torus_engine_client *client)
{
	struct torus_ctx *ctx = container_of(client, struct torus_ctx, client);
	LIST_HEAD(gone);

	torus_memory_drop(ctx, &gone);
	torus_memory_release(ctx, &gone);
	torus_ctx_detach(ctx);
	if (!ctx->file) {
		/* The caller has a reference of its own to the engine. */
		torus_ctx_free(ctx);
		return;
	}
	torus_status_kill(ctx);
	torus_mmap_revoke(ctx);
	/* Last: a program that gets -ENODEV or EPOLLHUP must find only zeros in the rings. */
	smp_store_release(&ctx->client.dead, true);	/* Pairs with torus_ctx_alive(). */
	wake_up_poll(&ctx->poll.wait, EPOLLHUP | EPOLLERR);
	torus_process_wake(client);
}

static void torus_ctx_evict(struct torus_engine_client *client)
{
	struct torus_ctx *ctx = container_of(client, struct torus_ctx, client);

	torus_engine_report_owner(ctx->engine, client, false);
	torus_process_evict(client);
	torus_ctx_kill(client);
}

static bool torus_ctx_retire(struct torus_engine_client *client, bool now)
{
	if (!now && torus_ctx_drains(container_of(client, struct torus_ctx, client)))
		return false;
	torus_ctx_evict(client);
	return true;
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

/* Let the engine keep the attached context until its packets are taken. Engine locked. */
static void torus_ctx_drain(struct torus_ctx *ctx)
{
	struct torus_engine *e = ctx->engine;

	WRITE_ONCE(ctx->client.draining, true);
	ctx->client.drain_until = torus_pause_jiffies(e) + torus_param_drain_jiffies();
	e->clients.draining++;
	/* ATTACH may wait since the owner has ended. During a pause it must not wait longer. */
	torus_engine_wake_attach(e);
}

/*
 * Report to the peers that the program has left, with the engine locked. Before its memory is
 * unregistered: they must not get the notice that the memory is unknown. In virtual time the peers
 * learn it at the tick at which the program's clock leaves (torus_process_leave()).
 */
static void torus_ctx_notify_peers(struct torus_ctx *ctx)
{
	if (!ctx->client.process)
		torus_nic_leave(ctx->engine->fabric, ctx->client.node, ctx->client.group);
}

/*
 * Detach a context whose file was closed. No mapping is left, so no program can write into the
 * rings any more. Return: true if the rings still have packets, if the program has yet to leave
 * virtual time, or if the context already drains: the engine then owns the context, and empties the
 * rings.
 *
 * The caller has a reference of its own to @e. The context's reference belongs to the engine
 * together with the context: as soon as the engine is unlocked, the leader or the deletion of the
 * fabric may drop both.
 */
static bool torus_ctx_leave(struct torus_ctx *ctx, struct torus_engine *e)
{
	LIST_HEAD(gone);

	/* On an error the fabric was deleted or the context evicted: it is already detached. */
	if (torus_engine_lock_client(e, &ctx->client))
		return false;
	if (ctx->client.draining) {
		/* The process that attached the context ended before the file was closed. */
		ctx->file = NULL;
		torus_engine_unlock_kick(e);
		return true;
	}
	torus_group_owner_leave(&ctx->client.owner);
	torus_ctx_notify_peers(ctx);
	torus_memory_drop(ctx, &gone);
	if (!list_empty(&gone)) {
		/* Unlock: unpinning may take long, and no other task should wait for it. */
		torus_engine_unlock(e);
		torus_memory_release(ctx, &gone);
		if (torus_engine_lock_client(e, &ctx->client))
			return false;
	}
	if (ctx->client.process ? !torus_process_close(&ctx->client) : torus_ctx_empty(ctx)) {
		torus_engine_report_owner(e, &ctx->client, false);
		torus_ctx_detach(ctx);
		torus_engine_unlock_kick(e);
		return false;
	}
	ctx->file = NULL;
	torus_ctx_drain(ctx);
	torus_engine_unlock_kick(e);
	return true;
}

/*
 * Give the group back after the process that attached the context has ended, although another
 * process has the file open. The release of the file waits until this function has returned.
 */
static void torus_ctx_orphan(struct torus_ctx *ctx)
{
	struct torus_engine *e = ctx->engine;
	LIST_HEAD(gone);
	bool leaves = true;

	if (torus_ctx_lock(ctx))
		return;
	torus_ctx_notify_peers(ctx);
	torus_memory_drop(ctx, &gone);
	if (ctx->client.process)
		leaves = torus_process_close(&ctx->client);
	torus_ctx_drain(ctx);
	torus_ctx_retire(&ctx->client, !leaves);
	torus_engine_unlock_kick(e);
	torus_memory_release(ctx, &gone);
}

static void torus_ctx_owner_ended(struct work_struct *work)
{
	struct torus_ctx *ctx = container_of(work, struct torus_ctx, owner_end);

	if (ctx->gates)
		torus_gates_orphan(ctx);
	else
		torus_ctx_orphan(ctx);
}

/* --------------------------------------------------------- creation, release */

/**
 * torus_ctx_create() - create the context of an open file
 * @file: the file
 * @out: [out] the context, freed by torus_ctx_release()
 *
 * Return: 0, -ENOMEM, or -EMFILE if there are too many contexts.
 */
int torus_ctx_create(struct file *file, struct torus_ctx **out)
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
	INIT_WORK(&ctx->owner_end, torus_ctx_owner_ended);
	torus_poll_init(&ctx->poll);
	init_rwsem(&ctx->map_lock);
	torus_memory_init(&ctx->memories);
	*out = ctx;
	return 0;
}

/**
 * torus_ctx_release() - release the context of a file that was closed
 * @ctx: the context; the engine keeps it if packets are left in its injection rings, or if its
 *	program has yet to leave virtual time
 */
void torus_ctx_release(struct torus_ctx *ctx)
{
	struct torus_engine *e = ctx->engine;

	torus_group_owner_unwatch(ctx->gates ? &ctx->gates->client.owner : &ctx->client.owner);
	if (!ctx->attached) {
		torus_ctx_free(ctx);
		return;
	}
	torus_engine_get(e);
	if (!torus_ctx_leave(ctx, e))
		torus_ctx_free(ctx);
	torus_engine_put(e);
}
