// SPDX-License-Identifier: GPL-2.0
/*
 * Barrier gates that programs have: TORUS_IOC_GATES_* of <linux/torus.h>, on a machine's
 * struct torus_gate_ops.
 *
 * A program that waits polls again and again, while the leader needs the fabric to bring its
 * result about.  So each gate that starts chains has a flag, set by the thread that runs the
 * gate's domain when the result is there; as long as it is not, a poll does not ask for the
 * fabric.
 *
 * Locks: gates.lock, then the engine's.
 */
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>

#include "core/base/number.h"
#include "core/nic/gate.h"
#include "budget.h"
#include "file.h"
#include "gate.h"
#include "engine.h"
#include "holder.h"
#include "registry.h"

/**
 * struct torus_gate_end - a gate that starts and ends chains
 * @link: in its file's list
 * @id: its id
 * @running: an operation was started whose result is not taken
 * @done: the result may be there: the fabric is to be asked
 */
struct torus_gate_end {
	struct list_head link;
	u64 id;
	bool running;
	bool done;
};

/**
 * struct torus_gates - the gates of a file
 * @lock: one call at a time
 * @engine: the fabric's
 * @mm: of the process that opened them
 * @node: index of the node
 * @engines: of the node
 * @holder: the process, in the engine's list
 * @mine: of each engine, bit i: gate i
 * @ends: those that start and end chains
 */
struct torus_gates {
	struct mutex lock;	/* one call at a time */
	struct torus_engine *engine;
	struct mm_struct *mm;
	u32 node;
	u32 engines;
	struct torus_gate_holder holder;
	u64 mine[TORUS_ENGINES_MAX];
	struct list_head ends;
};

_Static_assert(TORUS_GATES * TORUS_ENGINES_MAX == TORUS_GATES_NODE, "all gates of a node");

static const struct torus_gate_ops *torus_gates_ops(const struct torus_engine *e)
{
	return e->arch->gates;
}

/* Where a fabric's table of ends has one. */
static unsigned long torus_gates_index(const struct torus_gate_place *at)
{
	return ((unsigned long)at->node * TORUS_ENGINES_MAX + at->engine) * TORUS_GATES + at->gate;
}

/* A chain has ended: torus_gate_done, in the thread of the node's domain. */
static void torus_gates_done(void *owner, u32 node, u64 id)
{
	struct torus_engine *e = owner;
	struct torus_gate_place at;
	struct torus_gate_end *end;

	torus_gates_ops(e)->place(e->fabric, id, &at);
	end = xa_load(&e->gate_ends, torus_gates_index(&at));
	if (end)
		WRITE_ONCE(end->done, true);
}

/**
 * torus_gates_restart() - the fabric was reset: operations that ran are forgotten
 * @e: the engine, held
 */
void torus_gates_restart(struct torus_engine *e)
{
	struct torus_gate_end *end;
	unsigned long index;

	lockdep_assert_held(&e->lock);
	/* so that who polls asks the fabric, and hears that nothing runs */
	xa_for_each(&e->gate_ends, index, end)
		WRITE_ONCE(end->done, true);
}

/* ------------------------------------------------------------------- opening */

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
	g->node = array_index_nospec(index, e->geo.nodes);
	err = torus_attach_may(e, g->node, 0);
	if (err)
		return err;
	if (e->workload == TORUS_TRAFFIC_RUNNING)
		return -EBUSY;
	if (!e->gates_open) {
		err = ops->open(e->fabric, torus_gates_done, e, &why);
		if (err)
			return err;
		e->gates_open = true;
	}
	if (e->workload == TORUS_TRAFFIC_DONE)
		torus_engine_end_workload(e);
	g->engines = ops->engines(e->fabric);
	e->gate_files++;
	e->holders++;
	g->holder.node = g->node;
	torus_holder_take(&g->holder.who);
	list_add_tail(&g->holder.link, &e->gate_holders);
	return 0;
}

static int torus_gates_open_at(struct torus_file *ctx, struct torus_engine *e,
			       struct torus_ioc_gates_open *ask)
{
	struct torus_gates *g = kzalloc(sizeof(*g), GFP_KERNEL_ACCOUNT);
	int err;

	if (!g)
		return -ENOMEM;
	mutex_init(&g->lock);
	INIT_LIST_HEAD(&g->ends);
	err = torus_engine_hold(e);
	if (!err) {
		err = torus_gates_take(g, e, ask);
		torus_engine_release(e);
	}
	if (err) {
		mutex_destroy(&g->lock);
		kfree(g);
		return err;
	}
	g->engine = e;
	mmgrab(current->mm);
	g->mm = current->mm;
	ask->engines = g->engines;
	memset(ask->coords, 0, sizeof(ask->coords));
	torus_geometry_coords(&e->geo, g->node, ask->coords);
	smp_store_release(&ctx->gates, g);	/* pairs with torus_gates_of() */
	return 0;
}

static int torus_gates_open(struct torus_file *ctx, struct torus_ioc_gates_open __user *argp)
{
	struct torus_ioc_gates_open ask;
	struct torus_engine *e;
	int err;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) ||
	    strnlen(ask.fabric, sizeof(ask.fabric)) == sizeof(ask.fabric))
		return -EINVAL;
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

/* ------------------------------------------------------------- whose gates */

static struct torus_gates *torus_gates_of(struct torus_file *ctx)
{
	return smp_load_acquire(&ctx->gates);	/* pairs with torus_gates_open_at() */
}

/**
 * torus_gates_engine() - the fabric that a file's gates are of
 * @ctx: the context of a file that has gates
 *
 * Return: its engine.
 */
struct torus_engine *torus_gates_engine(struct torus_file *ctx)
{
	return torus_gates_of(ctx)->engine;
}

/* Is a gate this file's? */
static bool torus_gates_mine(const struct torus_gates *g, u64 id, struct torus_gate_place *at)
{
	torus_gates_ops(g->engine)->place(g->engine->fabric, id, at);
	if (at->node != g->node)
		return false;
	at->engine = array_index_nospec(at->engine, TORUS_ENGINES_MAX);
	return g->mine[at->engine] >> at->gate & 1;
}

static struct torus_gate_end *torus_gates_end(struct torus_gates *g, u64 id)
{
	struct torus_gate_end *end;

	list_for_each_entry(end, &g->ends, link) {
		if (end->id == id)
			return end;
	}
	return NULL;
}

/* With the engine held: a gate is given back. */
static void torus_gates_give(struct torus_gates *g, u64 id)
{
	struct torus_gate_end *end = torus_gates_end(g, id);
	struct torus_gate_place at;

	if (!torus_gates_mine(g, id, &at))
		return;
	torus_gates_ops(g->engine)->free(g->engine->fabric, id);
	g->mine[at.engine] &= ~BIT_ULL(at.gate);
	if (!end)
		return;
	xa_erase(&g->engine->gate_ends, torus_gates_index(&at));
	list_del(&end->link);
	kfree(end);
}

/* -------------------------------------------------------------- allocating */

/* With the engine held: the first gates of an engine take memory, as the fabric's own. */
static int torus_gates_alloc_held(struct torus_gates *g, u32 engine, u32 count, u64 *ids)
{
	const struct torus_gate_ops *ops = torus_gates_ops(g->engine);
	struct torus_fabric *f = g->engine->fabric;
	bool made = ops->made(f, g->node, engine);
	struct torus_error why;
	int ret;

	if (!made) {
		ret = torus_budget_take(ops->engine_bytes(), &why);
		if (ret)
			return ret;
	}
	ret = ops->alloc(f, g->node, engine, count, ids, &why);
	if (!made && ops->made(f, g->node, engine))
		g->engine->bytes += ops->engine_bytes();
	else if (!made)
		torus_budget_give(ops->engine_bytes());
	return ret;
}

/* With the engine held: what was allocated is this file's, its first gate an end. */
static int torus_gates_enter(struct torus_gates *g, struct torus_gate_end *end, u32 count,
			     const u64 *ids)
{
	const struct torus_gate_ops *ops = torus_gates_ops(g->engine);
	struct torus_gate_place at;
	u32 i;

	ops->place(g->engine->fabric, ids[0], &at);
	if (xa_err(xa_store(&g->engine->gate_ends, torus_gates_index(&at), end, GFP_KERNEL))) {
		for (i = 0; i < count; i++)
			ops->free(g->engine->fabric, ids[i]);
		return -ENOMEM;
	}
	end->id = ids[0];
	list_add(&end->link, &g->ends);
	for (i = 0; i < count; i++) {
		ops->place(g->engine->fabric, ids[i], &at);
		g->mine[at.engine] |= BIT_ULL(at.gate);
	}
	return TORUS_GATE_FINE;
}

static long torus_gates_alloc(struct torus_gates *g, struct torus_ioc_gates __user *argp)
{
	u64 ids[TORUS_GATES];
	struct torus_gate_end *end;
	struct torus_ioc_gates ask;
	long ret;
	u32 i;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) || ask.engine >= g->engines ||
	    !ask.count || ask.count > TORUS_GATES)
		return -EINVAL;
	end = kzalloc(sizeof(*end), GFP_KERNEL_ACCOUNT);
	if (!end)
		return -ENOMEM;
	ret = torus_engine_hold(g->engine);
	if (!ret) {
		ret = torus_gates_alloc_held(g, array_index_nospec(ask.engine, TORUS_ENGINES_MAX),
					     ask.count, ids);
		if (!ret)
			ret = torus_gates_enter(g, end, ask.count, ids);
		torus_engine_release(g->engine);
	}
	if (ret) {
		kfree(end);
		return ret;
	}
	if (!copy_to_user(u64_to_user_ptr(ask.ids), ids, ask.count * sizeof(*ids)))
		return TORUS_GATE_FINE;
	if (!torus_engine_hold(g->engine)) {
		for (i = 0; i < ask.count; i++)
			torus_gates_give(g, ids[i]);
		torus_engine_release(g->engine);
	}
	return -EFAULT;
}

static long torus_gates_free(struct torus_gates *g, const struct torus_ioc_gates __user *argp)
{
	struct torus_gate_place at;
	struct torus_ioc_gates ask;
	u64 *ids;
	long ret;
	u32 i;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) || ask.engine || !ask.count ||
	    ask.count > TORUS_GATES_NODE)
		return -EINVAL;
	ids = memdup_user(u64_to_user_ptr(ask.ids), ask.count * sizeof(*ids));
	if (IS_ERR(ids))
		return PTR_ERR(ids);
	ret = torus_engine_hold(g->engine);
	if (!ret) {
		for (i = 0; i < ask.count && !ret; i++)
			ret = torus_gates_mine(g, ids[i], &at) ? 0 : TORUS_GATE_BAD_ID;
		for (i = 0; i < ask.count && !ret; i++)
			torus_gates_give(g, ids[i]);
		torus_engine_release(g->engine);
	}
	kfree(ids);
	return ret;
}

/* ----------------------------------------------------------------- setting */

static bool torus_gates_mine_or_none(const struct torus_gates *g, u64 id)
{
	struct torus_gate_place at;

	return id == TORUS_GATE_NONE || torus_gates_mine(g, id, &at);
}

/* With the engine held. */
static u32 torus_gates_judge(const struct torus_gates *g, const struct torus_gate_setting *setting)
{
	struct torus_gate_place at;

	if (!torus_gates_mine(g, setting->gate, &at) ||
	    !torus_gates_mine_or_none(g, setting->local_source) ||
	    !torus_gates_mine_or_none(g, setting->local_dest))
		return TORUS_GATE_BAD_ID;
	return torus_gates_ops(g->engine)->judge(g->engine->fabric, setting);
}

static long torus_gates_set_held(struct torus_gates *g, const struct torus_gate_setting *settings,
				 u32 count)
{
	struct torus_gate_end *end;
	long ret = 0;
	u32 i;

	for (i = 0; i < count && !ret; i++)
		ret = settings[i].reserved ? -EINVAL : torus_gates_judge(g, &settings[i]);
	for (i = 0; i < count && !ret; i++) {
		ret = torus_gates_ops(g->engine)->set(g->engine->fabric, &settings[i]);
		end = torus_gates_end(g, settings[i].gate);
		if (end)
			end->running = false;
	}
	return ret;
}

static long torus_gates_set(struct torus_gates *g, const struct torus_ioc_gates_set __user *argp)
{
	struct torus_gate_setting *settings;
	struct torus_ioc_gates_set ask;
	long ret;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) || !ask.count ||
	    ask.count > TORUS_GATES_NODE)
		return -EINVAL;
	settings = memdup_user(u64_to_user_ptr(ask.settings), ask.count * sizeof(*settings));
	if (IS_ERR(settings))
		return PTR_ERR(settings);
	ret = torus_engine_hold(g->engine);
	if (!ret) {
		ret = torus_gates_set_held(g, settings, ask.count);
		torus_engine_release(g->engine);
	}
	kfree(settings);
	return ret;
}

/* -------------------------------------------------------------- operations */

/* What is asked, and the gate that it is asked of. */
static long torus_gates_ask(struct torus_gates *g, const struct torus_ioc_gate __user *argp,
			    struct torus_ioc_gate *ask, struct torus_gate_end **end)
{
	if (copy_from_user(ask, argp, sizeof(*ask)))
		return -EFAULT;
	if (memchr_inv(ask->reserved, 0, sizeof(ask->reserved)))
		return -EINVAL;
	*end = torus_gates_end(g, ask->gate);
	return *end ? 0 : TORUS_GATE_BAD_ID;
}

static long torus_gates_start(struct torus_gates *g, const struct torus_ioc_gate __user *argp)
{
	struct torus_gate_end *end;
	struct torus_ioc_gate ask;
	long ret = torus_gates_ask(g, argp, &ask, &end);

	if (ret)
		return ret;
	ret = torus_engine_hold(g->engine);
	if (ret)
		return ret;
	if (!end->running)
		WRITE_ONCE(end->done, false);
	ret = torus_gates_ops(g->engine)->start(g->engine->fabric, &ask);
	if (!ret)
		end->running = true;
	torus_engine_release_kick(g->engine);
	return ret;
}

static long torus_gates_poll(struct torus_gates *g, struct torus_ioc_gate __user *argp)
{
	struct torus_gate_end *end;
	struct torus_ioc_gate ask;
	long ret = torus_gates_ask(g, argp, &ask, &end);

	if (ret)
		return ret;
	/* torus_engine_remove() clears @fabric; who finds it a moment later polls again */
	if (end->running && !READ_ONCE(end->done) && READ_ONCE(g->engine->fabric))
		return TORUS_GATE_RUNNING;
	ret = torus_engine_hold(g->engine);
	if (ret)
		return ret;
	ret = torus_gates_ops(g->engine)->poll(g->engine->fabric, &ask);
	if (ret != TORUS_GATE_RUNNING)
		end->running = false;
	torus_engine_release(g->engine);
	if (!ret && copy_to_user(argp, &ask, sizeof(ask)))
		ret = -EFAULT;
	return ret;
}

/**
 * torus_gates_ioctl() - TORUS_IOC_GATES_OPEN to TORUS_IOC_GATE_POLL
 * @ctx: the open file's context
 * @cmd: which
 * @argp: its argument
 *
 * Return: as <linux/torus.h> says; -ENOTTY for any other.
 */
long torus_gates_ioctl(struct torus_file *ctx, unsigned int cmd, void __user *argp)
{
	struct torus_gates *g = torus_gates_of(ctx);
	long ret = -ENOTTY;

	if (cmd == TORUS_IOC_GATES_OPEN)
		return torus_gates_open(ctx, argp);
	if (_IOC_NR(cmd) < _IOC_NR(TORUS_IOC_GATES_ALLOC) ||
	    _IOC_NR(cmd) > _IOC_NR(TORUS_IOC_GATE_POLL))
		return -ENOTTY;
	if (!g)
		return -ENOTCONN;
	if (g->mm != current->mm)
		return -ECHILD;
	mutex_lock(&g->lock);
	switch (cmd) {
	case TORUS_IOC_GATES_ALLOC:
		ret = torus_gates_alloc(g, argp);
		break;
	case TORUS_IOC_GATES_FREE:
		ret = torus_gates_free(g, argp);
		break;
	case TORUS_IOC_GATES_SET:
		ret = torus_gates_set(g, argp);
		break;
	case TORUS_IOC_GATE_START:
		ret = torus_gates_start(g, argp);
		break;
	case TORUS_IOC_GATE_POLL:
		ret = torus_gates_poll(g, argp);
		break;
	}
	mutex_unlock(&g->lock);
	return ret;
}

/* With the engine held, of a fabric that lives: all gates go back. */
static void torus_gates_give_all(struct torus_gates *g)
{
	const struct torus_gate_ops *ops = torus_gates_ops(g->engine);
	u32 engine, gate;
	u64 id;

	for (engine = 0; engine < g->engines; engine++) {
		for (gate = 0; gate < TORUS_GATES; gate++) {
			if (!(g->mine[engine] >> gate & 1))
				continue;
			id = ops->id(g->engine->fabric, g->node, engine, gate);
			torus_gates_give(g, id);
		}
	}
}

/**
 * torus_gates_close() - the file is closed: its gates are given back
 * @ctx: its context
 *
 * What its gates have sent arrives.
 */
void torus_gates_close(struct torus_file *ctx)
{
	struct torus_gates *g = ctx->gates;
	struct torus_gate_end *end, *next;

	if (!g)
		return;
	if (!torus_engine_hold(g->engine)) {
		torus_gates_give_all(g);
		g->engine->gate_files--;
		g->engine->holders++;
		list_del(&g->holder.link);
		torus_engine_release(g->engine);
	}
	/* Of a deleted fabric: nobody looks for them any more. */
	list_for_each_entry_safe(end, next, &g->ends, link)
		kfree(end);
	torus_holder_put(&g->holder.who);
	torus_engine_put(g->engine);
	mmdrop(g->mm);
	mutex_destroy(&g->lock);
	kfree(g);
	ctx->gates = NULL;
}
