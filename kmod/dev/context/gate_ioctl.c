// SPDX-License-Identifier: GPL-2.0
/*
 * Barrier gates of programs: TORUS_IOC_GATES_* of <linux/torus.h>, on top of a machine's struct
 * torus_gate_ops.
 *
 * A waiting program polls again and again, while the leader needs the lock of the engine to
 * complete the operation. So each gate that starts chains has a flag. The thread that runs the
 * gate's domain, or a call that completes the operation, sets the flag when the result is
 * available. Until then a poll does not lock the engine.
 *
 * Lock order: gates.lock, then engine.lock.
 */
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <net/net_namespace.h>

#include "core/base/node_number.h"
#include "core/nic/gate.h"
#include "dev/base/memory_limit.h"
#include "dev/engine/engine.h"
#include "dev/engine/engine_lifecycle.h"
#include "context.h"
#include "gate_context.h"
#include "gate_ioctl.h"
#include "gate_private.h"

_Static_assert(TORUS_GATES * TORUS_ENGINES_MAX == TORUS_GATES_NODE, "all gates of a node");

/*
 * Note the end of a chain (torus_gate_done). Called by the thread of the node's domain, or with the
 * engine locked.
 */
void torus_gates_done(void *owner, u32 node, u64 id)
{
	struct torus_engine *e = owner;
	struct torus_gate_end *end = torus_gates_ops(e)->end(e->fabric, id);

	if (end)
		WRITE_ONCE(end->done, true);
}

/**
 * torus_gates_reset() - make polls check their operations: the fabric was reset, or has failed
 * @client: the client of gates; the engine is locked
 *
 * A program that polls then locks the engine, and learns that no operation is in progress, or that
 * the fabric has failed.
 */
void torus_gates_reset(struct torus_gate_client *client)
{
	struct torus_gates *g = container_of(client, struct torus_gates, client);
	struct torus_gate_end *end;

	list_for_each_entry(end, &g->ends, link)
		WRITE_ONCE(end->done, true);
}

/* ------------------------------------------------------------- owners of gates */

/**
 * torus_gates_engine() - return the engine whose gates a file has
 * @ctx: context of a file that has gates
 *
 * Return: the engine, without a new reference.
 */
struct torus_engine *torus_gates_engine(struct torus_ctx *ctx)
{
	return torus_gates_of(ctx)->engine;
}

/* Check whether a gate belongs to this file. @at: [out] place of the gate. */
static bool torus_gates_mine(const struct torus_gates *g, u64 id, struct torus_gate_place *at)
{
	torus_gates_ops(g->engine)->place(g->engine->fabric, id, at);
	if (at->node != g->client.node)
		return false;
	at->engine = array_index_nospec(at->engine, TORUS_ENGINES_MAX);
	return g->mine[at->engine] >> at->gate & 1;
}

/*
 * Return the memory that is charged for the gates of one engine of the node, with packets that may
 * wait for them.
 */
static u64 torus_gates_bytes(const struct torus_gates *g)
{
	return torus_alloc_size(torus_gates_ops(g->engine)->engine_bytes());
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

/**
 * torus_gates_uncount() - uncharge an engine of which the file has no gates any more
 * @g: the gates of a file
 * @engine: number of the engine within the node
 *
 * The engine's memory is freed when no file has gates of it, and their packets have left.
 */
void torus_gates_uncount(struct torus_gates *g, u32 engine)
{
	if (g->budget[engine])
		torus_budget_give_rings(torus_gates_bytes(g), g->budget[engine]);
	g->budget[engine] = NULL;
}

/**
 * torus_gates_free() - give a gate back to the fabric
 * @g: the gates of a file; the fabric's engine is locked
 * @id: ID of the gate
 */
void torus_gates_free(struct torus_gates *g, u64 id)
{
	struct torus_gate_place at;

	if (!torus_gates_mine(g, id, &at))
		return;
	torus_gates_ops(g->engine)->free(g->engine->fabric, id);
	g->mine[at.engine] &= ~BIT_ULL(at.gate);
	if (!g->mine[at.engine])
		torus_gates_uncount(g, at.engine);
}

/* Give a gate back and free its end, with the fabric's engine locked, in a call of the program. */
static void torus_gates_drop(struct torus_gates *g, u64 id)
{
	struct torus_gate_end *end = torus_gates_end(g, id);

	torus_gates_free(g, id);
	if (!end)
		return;
	list_del(&end->link);
	kfree(end);
}

/* -------------------------------------------------------------- allocating */

/*
 * Reserve memory for gates of an engine, charged to the calling user and its cgroup. Called before
 * the fabric's engine is locked: a program that its cgroup keeps waiting for memory then delays no
 * other program.
 */
static int torus_gates_reserve(struct torus_gates *g, u32 engine, struct torus_gate_memory *supply)
{
	bool first = !g->budget[engine];
	int err = 0;

	*supply = (struct torus_gate_memory){ 0 };
	supply->end = kzalloc(sizeof(struct torus_gate_end), TORUS_GFP_USER);
	if (!supply->end)
		return -ENOMEM;
	if (first)
		err = torus_budget_take_rings(torus_gates_bytes(g), &g->budget[engine]);
	/* If this file has other gates of the engine, the engine's memory exists already. */
	if (!err && first) {
		supply->memory = torus_alloc(torus_gates_ops(g->engine)->engine_bytes());
		err = supply->memory ? 0 : -ENOMEM;
		if (err)
			torus_gates_uncount(g, engine);
	}
	if (err)
		kfree(supply->end);
	return err;
}

/*
 * Note that allocated gates belong to this file, and that the first of them is an end. The engine
 * is locked.
 */
static void torus_gates_enter(struct torus_gates *g, struct torus_gate_end *end, u32 count,
			      const u64 *ids)
{
	struct torus_gate_place at;
	u32 i;

	end->id = ids[0];
	list_add(&end->link, &g->ends);
	for (i = 0; i < count; i++) {
		torus_gates_ops(g->engine)->place(g->engine->fabric, ids[i], &at);
		g->mine[at.engine] |= BIT_ULL(at.gate);
	}
}

static long torus_gates_alloc(struct torus_gates *g, struct torus_ioc_gates __user *argp)
{
	struct torus_gate_memory supply;
	struct torus_ioc_gates ask;
	u64 ids[TORUS_GATES];
	u32 engine, i;
	long ret;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) || ask.engine >= g->engines ||
	    !ask.count || ask.count > TORUS_GATES)
		return -EINVAL;
	engine = array_index_nospec(ask.engine, TORUS_ENGINES_MAX);
	ret = torus_gates_reserve(g, engine, &supply);
	if (ret)
		return ret;
	ret = torus_gates_lock_running(g);
	if (!ret) {
		ret = torus_gates_ops(g->engine)->alloc(g->engine->fabric, g->client.node, engine,
							ask.count, &supply, ids);
		if (!ret)
			torus_gates_enter(g, supply.end, ask.count, ids);
		torus_engine_unlock(g->engine);
	}
	torus_free(supply.memory, torus_gates_bytes(g));
	if (ret) {
		kfree(supply.end);
		if (!g->mine[engine])
			torus_gates_uncount(g, engine);
		return ret;
	}
	if (!copy_to_user(u64_to_user_ptr(ask.ids), ids, ask.count * sizeof(*ids)))
		return TORUS_GATE_FINE;
	if (!torus_gates_lock(g)) {
		for (i = 0; i < ask.count; i++)
			torus_gates_drop(g, ids[i]);
		torus_engine_unlock(g->engine);
	}
	return -EFAULT;
}

static long torus_gates_free_ioctl(struct torus_gates *g, const struct torus_ioc_gates __user *argp)
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
	ret = torus_gates_lock(g);
	if (!ret) {
		for (i = 0; i < ask.count && !ret; i++)
			ret = torus_gates_mine(g, ids[i], &at) ? 0 : TORUS_GATE_BAD_ID;
		for (i = 0; i < ask.count && !ret; i++)
			torus_gates_drop(g, ids[i]);
		torus_engine_trim_gates(g->engine);
		torus_engine_unlock(g->engine);
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

/* Check a gate's setting, with the fabric's engine locked. Return: TORUS_GATE_*. */
static u32 torus_gates_judge(const struct torus_gates *g, const struct torus_gate_setting *setting)
{
	struct torus_gate_place at;

	if (!torus_gates_mine(g, setting->gate, &at) ||
	    !torus_gates_mine_or_none(g, setting->local_source) ||
	    !torus_gates_mine_or_none(g, setting->local_dest))
		return TORUS_GATE_BAD_ID;
	return torus_gates_ops(g->engine)->judge(g->engine->fabric, setting);
}

static long torus_gates_set_locked(struct torus_gates *g, const struct torus_gate_setting *settings,
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
	ret = torus_gates_lock_running(g);
	if (!ret) {
		ret = torus_gates_set_locked(g, settings, ask.count);
		torus_engine_unlock(g->engine);
	}
	kfree(settings);
	return ret;
}

/* -------------------------------------------------------------- operations */

/* Copy a request from the program, and find the gate that it names. */
static long torus_gates_ask(struct torus_gates *g, const struct torus_ioc_gate __user *argp,
			    struct torus_ioc_gate *ask, struct torus_gate_end **end)
{
	if (copy_from_user(ask, argp, sizeof(*ask)))
		return -EFAULT;
	if (ask->node || memchr_inv(ask->reserved, 0, sizeof(ask->reserved)))
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
	ret = torus_gates_lock_running(g);
	if (ret)
		return ret;
	if (!end->running)
		WRITE_ONCE(end->done, false);
	ret = torus_gates_ops(g->engine)->start(g->engine->fabric, &ask);
	if (!ret)
		end->running = true;
	torus_engine_unlock_kick(g->engine);
	return ret;
}

static long torus_gates_poll(struct torus_gates *g, struct torus_ioc_gate __user *argp)
{
	struct torus_gate_end *end;
	struct torus_ioc_gate ask;
	long ret = torus_gates_ask(g, argp, &ask, &end);

	if (ret)
		return ret;
	/*
	 * torus_engine_remove() clears @fabric and sets no flag. The program sees it at its next
	 * poll.
	 */
	if (end->running && !READ_ONCE(end->done) && READ_ONCE(g->engine->fabric))
		return TORUS_GATE_RUNNING;
	/* Check that the answer can be written before the result is taken out of the gate. */
	if (copy_to_user(argp, &ask, sizeof(ask)))
		return -EFAULT;
	ret = torus_gates_lock_running(g);
	if (ret)
		return ret;
	ret = torus_gates_ops(g->engine)->poll(g->engine->fabric, &ask);
	if (ret != TORUS_GATE_RUNNING)
		end->running = false;
	torus_engine_unlock(g->engine);
	if ((!ret || ret == TORUS_GATE_LEFT) && copy_to_user(argp, &ask, sizeof(ask)))
		ret = -EFAULT;
	return ret;
}

/**
 * torus_gates_ioctl() - TORUS_IOC_GATES_OPEN to TORUS_IOC_GATE_POLL
 * @ctx: the open file's context
 * @cmd: ioctl command
 * @argp: its argument
 *
 * Return: see <linux/torus.h>; -ENOTTY for any other command.
 */
long torus_gates_ioctl(struct torus_ctx *ctx, unsigned int cmd, void __user *argp)
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
		ret = torus_gates_free_ioctl(g, argp);
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
