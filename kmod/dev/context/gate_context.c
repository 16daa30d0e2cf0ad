// SPDX-License-Identifier: GPL-2.0
/* Barrier gates of a file: opened, taken away, closed. */
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "core/base/number.h"
#include "dev/engine/engine_lifecycle.h"
#include "dev/engine/rights.h"
#include "dev/vtime/process.h"
#include "attach.h"
#include "gate_context.h"
#include "gate_ioctl.h"
#include "gate_private.h"

/**
 * torus_gates_lock() - hold the fabric of gates that were not taken away
 * @g: the gates of a file
 *
 * Return: 0, or -ENODEV: nothing is held.
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
 * torus_gates_lock_running() - hold the fabric of gates that were not taken away, if it runs
 * @g: the gates of a file
 *
 * Return: 0, -ENODEV, or -EIO when the fabric has stopped, for want of memory: nothing is held.
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

/* With the engine held. */
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
	/* last: a workload makes way for nobody who is then rejected */
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
	/* before the fabric knows them: they may be taken away at once */
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
	smp_store_release(&ctx->gates, g);	/* pairs with torus_gates_of() */
	return 0;
}

/**
 * torus_gates_open() - TORUS_IOC_GATES_OPEN
 * @ctx: the open file's context
 * @argp: of which node
 *
 * Return: as <linux/torus.h> says.
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
	/* before the file has gates that the caller could not be told of */
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

/* With the engine held, of a fabric that lives: all gates go back. */
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

/* With the engine held: the file has no gates any more. */
static void torus_gates_leave(struct torus_gates *g)
{
	torus_gates_free_all(g);
	torus_engine_trim_gates(g->engine);
	g->engine->gates.files--;
	g->engine->clients.holders++;
	list_del(&g->client.link);
}

/* The last of gates that their file and the engine's list have let go of. */
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

/* With the engine held: take the gates of a file away, which is closed, or stays without them. */
static void torus_gates_revoke(struct torus_gates *g)
{
	struct torus_gate_end *end;

	torus_gates_leave(g);
	if (g->closed) {
		/* The engine's caller has a reference of its own. */
		torus_gates_destroy(g);
		return;
	}
	g->evicted = true;
	/* so that who polls asks the fabric, and hears of it */
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

	if (g->mm == mm && (all || g->closed))
		torus_gates_revoke(g);
}

static const struct torus_gate_client_ops torus_gates_client_ops = {
	.reset = torus_gates_reset,
	.evict = torus_gates_evict,
	.depart = torus_gates_depart,
};

/**
 * torus_gates_close() - the file is closed: its gates are given back
 * @ctx: its context
 *
 * What its gates have sent arrives.  In virtual time the gates of a process that ends leave when
 * its clock does, so that others hear of it at the same tick in each run.
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
