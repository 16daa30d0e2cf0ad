// SPDX-License-Identifier: GPL-2.0
/* Barrier gates of a file: open, revoke and close them. */
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "core/base/node_number.h"
#include "dev/engine/engine_lifecycle.h"
#include "dev/engine/rights.h"
#include "dev/vtime/process.h"
#include "attach.h"
#include "gate_context.h"
#include "gate_ioctl.h"
#include "gate_private.h"

/**
 * torus_gates_lock() - lock the engine of gates that were not revoked
 * @g: the gates of a file
 *
 * Return: 0; -ENODEV if the fabric was deleted or the gates revoked: the engine is not locked.
 */
int torus_gates_lock(struct torus_gates *g)
{
	int err = torus_engine_lock(g->engine);

	if (!err && g->evicted) {
		torus_engine_unlock(g->engine);
		err = -ENODEV;
	}
	return err;
}

/**
 * torus_gates_lock_running() - lock the engine of gates that were not revoked, if its fabric runs
 * @g: the gates of a file
 *
 * Return: 0; -ENODEV as torus_gates_lock(); -EIO if the fabric has stopped, for want of memory. On
 * an error the engine is not locked.
 */
int torus_gates_lock_running(struct torus_gates *g)
{
	int err = torus_gates_lock(g);

	if (!err && g->engine->state == TORUS_FABRIC_FAILED) {
		torus_engine_unlock(g->engine);
		err = -EIO;
	}
	return err;
}

static const struct torus_gate_client_ops torus_gates_client_ops;

/* Register a file's gates with the engine, which must be locked. */
static int torus_gates_take(struct torus_gates *g, struct torus_engine *e,
			    struct torus_ioc_gates_open *ask)
{
	const struct torus_gate_ops *ops = torus_gates_ops(e);
	u32 index = torus_node_index(&e->geo, ask->node);
	struct torus_error why;
	int err;

	if (index == TORUS_NONE)
		return -EINVAL;
	if (!ops)
		return -EOPNOTSUPP;
	g->client.node = array_index_nospec(index, e->geo.nodes);
	err = torus_attach_may(e, g->client.node, 0);
	if (err)
		return err;
	if (e->workload.state == TORUS_TRAFFIC_RUNNING)
		return -EBUSY;
	if (!e->gates.open) {
		err = ops->open(e->fabric, torus_gates_done, e, &why);
		if (err)
			return err;
		e->gates.open = true;
	}
	/* Last: end a workload only for a program that is not rejected afterwards. */
	err = torus_engine_keep_result(e);
	if (err)
		return err;
	g->engines = ops->engines(e->fabric);
	e->gates.files++;
	e->clients.holders++;
	g->client.ops = &torus_gates_client_ops;
	torus_group_owner_take(&g->client.owner);
	list_add_tail(&g->client.link, &e->gates.list);
	return 0;
}

static int torus_gates_open_at(struct torus_ctx *ctx, struct torus_engine *e,
			       struct torus_ioc_gates_open *ask)
{
	struct torus_gates *g = kzalloc(sizeof(*g), TORUS_GFP_USER);
	int err;

	if (!g)
		return -ENOMEM;
	mutex_init(&g->lock);
	INIT_LIST_HEAD(&g->ends);
	/* Set before the fabric knows the gates: it may revoke them at once. */
	g->engine = e;
	mmgrab(current->mm);
	g->mm = current->mm;
	err = torus_engine_lock(e);
	if (!err) {
		err = torus_gates_take(g, e, ask);
		torus_engine_unlock(e);
	}
	if (err) {
		mmdrop(g->mm);
		mutex_destroy(&g->lock);
		kfree(g);
		return err;
	}
	ask->engines = g->engines;
	memset(ask->coords, 0, sizeof(ask->coords));
	torus_geometry_coords(&e->geo, g->client.node, ask->coords);
	smp_store_release(&ctx->gates, g);	/* Pairs with torus_gates_of(). */
	torus_group_owner_watch(&g->client.owner, &ctx->owner_end);
	return 0;
}

/**
 * torus_gates_open() - TORUS_IOC_GATES_OPEN
 * @ctx: the open file's context
 * @argp: [in, out] fabric and node; number of engines and coordinates
 *
 * Return: see <linux/torus.h>.
 */
long torus_gates_open(struct torus_ctx *ctx, struct torus_ioc_gates_open __user *argp)
{
	struct torus_ioc_gates_open ask;
	struct torus_engine *e;
	int err;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) ||
	    strnlen(ask.fabric, sizeof(ask.fabric)) == sizeof(ask.fabric))
		return -EINVAL;
	/* Check that the answer can be written before the file gets gates. */
	if (copy_to_user(argp, &ask, sizeof(ask)))
		return -EFAULT;
	mutex_lock(&ctx->lock);
	err = torus_attach_find(ctx, ask.fabric, &e);
	if (!err) {
		err = torus_gates_open_at(ctx, e, &ask);
		torus_attach_tie(ctx, e, err);
	}
	mutex_unlock(&ctx->lock);
	if (!err && copy_to_user(argp, &ask, sizeof(ask)))
		err = -EFAULT;
	return err;
}

/* Give all gates of a file back. The engine must be locked, and the fabric exist. */
static void torus_gates_free_all(struct torus_gates *g)
{
	const struct torus_gate_ops *ops = torus_gates_ops(g->engine);
	u32 engine, gate;
	u64 id;

	for (engine = 0; engine < g->engines; engine++) {
		for (gate = 0; gate < TORUS_GATES; gate++) {
			if (!(g->mine[engine] >> gate & 1))
				continue;
			id = ops->id(g->engine->fabric, g->client.node, engine, gate);
			torus_gates_free(g, id);
		}
	}
}

/* Give all gates of a file back, and remove the file from the engine's list. Engine locked. */
static void torus_gates_leave(struct torus_gates *g)
{
	torus_gates_free_all(g);
	torus_engine_trim_gates(g->engine);
	g->engine->gates.files--;
	g->engine->clients.holders++;
	list_del(&g->client.link);
}

/* Free gates that neither their file nor the engine's list refers to any more. */
static void torus_gates_destroy(struct torus_gates *g)
{
	struct torus_gate_end *end, *next;
	u32 engine;

	for (engine = 0; engine < TORUS_ENGINES_MAX; engine++)
		torus_gates_uncount(g, engine);
	list_for_each_entry_safe(end, next, &g->ends, link)
		kfree(end);
	torus_group_owner_put(&g->client.owner);
	torus_engine_put(g->engine);
	mmdrop(g->mm);
	mutex_destroy(&g->lock);
	kfree(g);
}

/*
 * Revoke the gates of a file, with the engine locked. If the file is closed, free them. If it is
 * open, it stays without gates.
 */
static void torus_gates_revoke(struct torus_gates *g)
{
	struct torus_gate_end *end;

	torus_gates_leave(g);
	if (g->closed) {
		/* The caller has a reference of its own to the engine. */
		torus_gates_destroy(g);
		return;
	}
	g->evicted = true;
	/* A program that polls then locks the engine, and gets the error. */
	list_for_each_entry(end, &g->ends, link)
		WRITE_ONCE(end->done, true);
}

static void torus_gates_evict(struct torus_gate_client *client)
{
	torus_gates_revoke(container_of(client, struct torus_gates, client));
}

static void torus_gates_depart(struct torus_gate_client *client, const struct mm_struct *mm,
			       bool all)
{
	struct torus_gates *g = container_of(client, struct torus_gates, client);

	if (g->mm == mm && (all || g->closed || torus_group_owner_ended(&client->owner)))
		torus_gates_revoke(g);
}

static const struct torus_gate_client_ops torus_gates_client_ops = {
	.reset = torus_gates_reset,
	.evict = torus_gates_evict,
	.depart = torus_gates_depart,
};

/**
 * torus_gates_close() - give the gates of a closed file back
 * @ctx: context of the file
 *
 * Packets that the gates have sent still arrive. In virtual time, the gates of a process that exits
 * leave together with its clock: so other processes learn of it at the same tick in each run.
 */
void torus_gates_close(struct torus_ctx *ctx)
{
	struct torus_gates *g = ctx->gates;
	struct torus_engine *e;

	if (!g)
		return;
	ctx->gates = NULL;
	e = g->engine;
	if (!torus_gates_lock(g)) {
		if (g->mm != current->mm && torus_process_has_clock(e, g->mm)) {
			g->closed = true;
			torus_engine_unlock(e);
			return;
		}
		torus_gates_leave(g);
		torus_engine_unlock(e);
	}
	torus_gates_destroy(g);
}

/**
 * torus_gates_orphan() - revoke the gates of an open file whose owner has ended
 * @ctx: context of the file, which is not released before this function returns
 *
 * In virtual time they leave together with the clock of their process, as in torus_gates_close().
 */
void torus_gates_orphan(struct torus_ctx *ctx)
{
	struct torus_gates *g = ctx->gates;

	if (torus_gates_lock(g))
		return;
	if (!torus_process_has_clock(g->engine, g->mm))
		torus_gates_revoke(g);
	torus_engine_unlock(g->engine);
}
