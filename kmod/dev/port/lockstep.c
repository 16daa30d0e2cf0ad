// SPDX-License-Identifier: GPL-2.0
/* Drivers in lockstep: a driver's clock in virtual time. */
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "core/nic/inject.h"
#include "core/port/causes.h"
#include "dev/base/pages.h"
#include "dev/engine/engine.h"
#include "dev/vtime/clock.h"
#include "device.h"
#include "lockstep.h"

#define TORUS_FS_PER_NS		1000000ull
#define TORUS_FS_PER_US		1000000000ull

static_assert(TORUS_PORT_EPISODE_MAX < TORUS_VTIME_STEP_MAX);

/**
 * torus_lockstep_create() - create the clock of a driver that is being bound
 * @pd: the device; its engine need not be locked
 *
 * Return: the clock, which kfree() frees after torus_lockstep_leave(), or NULL: no memory.
 */
struct torus_lockstep *torus_lockstep_create(struct torus_port_device *pd)
{
#define COST(name, ns, meaning)		[TORUS_PORT_COST_##name] = (ns),
	static const u32 ns[] = { TORUS_PORT_COSTS(COST) };
#undef COST
	struct torus_lockstep *ls = kzalloc(sizeof(*ls), TORUS_GFP_USER);
	u32 cost[TORUS_PORT_COSTS_MAX], i;

	if (!ls)
		return NULL;
	for (i = 0; i < TORUS_PORT_COSTS_MAX; i++)
		cost[i] = DIV64_U64_ROUND_UP(ns[i] * TORUS_FS_PER_NS, pd->engine->tick_fs);
	ls->pd = pd;
	init_waitqueue_head(&ls->wait);
	spin_lock_init(&ls->lock);
	torus_port_episode_init(&ls->episode, cost);
	return ls;
}

/* ------------------------------------------------------------- calls in any context */

/* Have the leader continue the driver's clock if the call under the lock has returned "report". */
static void lockstep_report(struct torus_lockstep *ls, bool report)
{
	if (report)
		torus_port_slot_request(ls->pd->engine, &ls->pd->slot);
}

/**
 * torus_lockstep_access() - add the cost of an access that begins
 * @ls: the clock
 * @offset: offset of the register
 * @write: the access is a write
 *
 * Return: the tick that the driver has reached; TORUS_PORT_NO_TICK outside an episode.
 */
u64 torus_lockstep_access(struct torus_lockstep *ls, u32 offset, bool write)
{
	unsigned long flags;
	u64 tick;

	spin_lock_irqsave(&ls->lock, flags);
	torus_port_episode_access(&ls->episode, offset, write);
	tick = torus_port_episode_tick(&ls->episode);
	spin_unlock_irqrestore(&ls->lock, flags);
	return tick;
}

/* Return the tick that the driver has reached; TORUS_PORT_NO_TICK outside an episode. */
u64 torus_lockstep_tick(struct torus_lockstep *ls)
{
	unsigned long flags;
	u64 tick;

	spin_lock_irqsave(&ls->lock, flags);
	tick = torus_port_episode_tick(&ls->episode);
	spin_unlock_irqrestore(&ls->lock, flags);
	return tick;
}

/* A write has changed a register of the port. */
void torus_lockstep_written(struct torus_lockstep *ls, u32 offset, u32 value)
{
	unsigned long flags;
	bool report;

	spin_lock_irqsave(&ls->lock, flags);
	report = torus_port_episode_written(&ls->episode, offset, value);
	spin_unlock_irqrestore(&ls->lock, flags);
	lockstep_report(ls, report);
}

/* torus_port_ops.offer. */
bool torus_lockstep_offer(struct torus_lockstep *ls, u32 queue, u32 tail)
{
	unsigned long flags;
	bool later;

	spin_lock_irqsave(&ls->lock, flags);
	later = torus_port_episode_offer(&ls->episode, queue, tail);
	spin_unlock_irqrestore(&ls->lock, flags);
	return later;
}

/* The port sends an interrupt. Return: true if it is sent when an episode begins. */
bool torus_lockstep_interrupt(struct torus_lockstep *ls, u32 cause)
{
	unsigned long flags;
	bool report, held;

	spin_lock_irqsave(&ls->lock, flags);
	report = torus_port_episode_interrupt(&ls->episode, cause, &held);
	spin_unlock_irqrestore(&ls->lock, flags);
	lockstep_report(ls, report);
	return held;
}

/* The driver has freed the interrupt of a cause. */
void torus_lockstep_release(struct torus_lockstep *ls, u32 cause)
{
	unsigned long flags;
	bool report;

	spin_lock_irqsave(&ls->lock, flags);
	report = torus_port_episode_release(&ls->episode, cause);
	spin_unlock_irqrestore(&ls->lock, flags);
	lockstep_report(ls, report);
}

/**
 * torus_lockstep_delay() - torus_port_ops.delay
 * @ls: the clock; called by the thread that runs the node's domain
 * @cause: cause whose status bit is delayed
 * @microseconds: longest delay, in simulated time
 *
 * Return: false if the driver takes no part.
 */
bool torus_lockstep_delay(struct torus_lockstep *ls, u32 cause, u32 microseconds)
{
	const struct torus_port_device *pd = ls->pd;
	unsigned long flags;
	bool joined;
	u64 due;

	due = torus_nic_clock(pd->engine->fabric, pd->slot.client.node) +
	      DIV64_U64_ROUND_UP(microseconds * TORUS_FS_PER_US, pd->engine->tick_fs);
	spin_lock_irqsave(&ls->lock, flags);
	joined = ls->episode.joined;
	if (joined)
		ls->episode.due[cause] = min(ls->episode.due[cause], due);
	spin_unlock_irqrestore(&ls->lock, flags);
	lockstep_report(ls, joined);
	return joined;
}

/* Implement torus_busy(). */
void torus_lockstep_busy(struct torus_lockstep *ls)
{
	unsigned long flags;
	bool report;

	spin_lock_irqsave(&ls->lock, flags);
	report = torus_port_episode_busy(&ls->episode);
	spin_unlock_irqrestore(&ls->lock, flags);
	lockstep_report(ls, report);
}

/* Implement torus_idle(). */
void torus_lockstep_idle(struct torus_lockstep *ls)
{
	unsigned long flags;
	bool report;

	spin_lock_irqsave(&ls->lock, flags);
	report = torus_port_episode_idle(&ls->episode);
	spin_unlock_irqrestore(&ls->lock, flags);
	lockstep_report(ls, report);
}

/* Check whether the wait that began at episode @number is over. */
static bool lockstep_wait_over(struct torus_lockstep *ls, u32 number)
{
	return READ_ONCE(ls->episode.number) != number || READ_ONCE(ls->episode.left);
}

/**
 * torus_lockstep_wait() - implement torus_wait()
 * @ls: the clock; may sleep
 *
 * Return: 0 if a new episode has begun in which the caller is busy, or if the driver takes no part
 * any more; -EINTR if the task was killed, or is a kernel thread that shall stop: the caller is not
 * busy any more.
 */
int torus_lockstep_wait(struct torus_lockstep *ls)
{
	bool report = false, left;
	int err = 0;
	u32 number;

	spin_lock_irq(&ls->lock);
	left = ls->episode.left;
	number = ls->episode.number;
	if (!left)
		report = torus_port_episode_wait(&ls->episode);
	spin_unlock_irq(&ls->lock);
	if (left) {
		cond_resched();
		return 0;
	}
	lockstep_report(ls, report);
	if (wait_event_killable(ls->wait, lockstep_wait_over(ls, number) ||
				(current->flags & PF_KTHREAD && kthread_should_stop())))
		err = -EINTR;
	else if (!lockstep_wait_over(ls, number))
		err = -EINTR;
	if (!err)
		return 0;
	spin_lock_irq(&ls->lock);
	report = torus_port_episode_give_up(&ls->episode, number);
	spin_unlock_irq(&ls->lock);
	lockstep_report(ls, report);
	return err;
}

/* ----------------------------------------------------------------- the clock */

/* Return the first tick at which a moderated interrupt is due. */
static u64 lockstep_due(struct torus_lockstep *ls)
{
	u64 first = TORUS_PORT_NO_TICK;
	u32 cause;

	spin_lock_irq(&ls->lock);
	for (cause = 0; cause < TORUS_PORT_CAUSE_EVENTS; cause++)
		first = min(first, ls->episode.due[cause]);
	spin_unlock_irq(&ls->lock);
	return first;
}

/* Send the moderated interrupts that are due. */
static void lockstep_expire(struct torus_lockstep *ls, u64 now)
{
	u32 cause;
	bool due;

	for (cause = 0; cause < TORUS_PORT_CAUSE_EVENTS; cause++) {
		spin_lock_irq(&ls->lock);
		due = ls->episode.due[cause] <= now;
		if (due)
			ls->episode.due[cause] = TORUS_PORT_NO_TICK;
		spin_unlock_irq(&ls->lock);
		/* torus_port_expired() may send the interrupt, which acquires the lock. */
		if (due)
			torus_port_expired(ls->pd->port, cause);
	}
}

/* Begin an episode if the driver has something to do. */
static bool lockstep_begin(struct torus_lockstep *ls, u64 now)
{
	struct torus_port_device *pd = ls->pd;
	bool begins;
	u32 cause;

	spin_lock_irq(&ls->lock);
	begins = torus_port_episode_begin(&ls->episode, now, &cause);
	spin_unlock_irq(&ls->lock);
	if (!begins)
		return false;
	torus_clock_moved(pd->engine, &ls->clock);
	wake_up_all(&ls->wait);
	if (cause < TORUS_PORT_CAUSES)
		pd->host->interrupt(pd->owner, cause);
	return true;
}

/*
 * Continue at the clock's tick, which the fabric has reached; no episode is in progress. The clock
 * moves on to the next tick of the last episode, holds the fabric for the next episode, or waits.
 * The driver may have made space for packets that wait.
 */
static void lockstep_continue(struct torus_lockstep *ls)
{
	struct torus_vtime_client *core = &ls->clock.core;
	struct torus_port_device *pd = ls->pd;
	struct torus_fabric *f = pd->engine->fabric;
	u64 now = core->now, next;

	core->read = true;
	spin_lock_irq(&ls->lock);
	next = torus_port_episode_show(&ls->episode, pd->port, now);
	spin_unlock_irq(&ls->lock);
	torus_port_wake(pd->port, f);
	lockstep_expire(ls, now);
	ls->travels = next > now && !torus_vtime_client_advance(f, core, next, NULL);
	if (!ls->travels && lockstep_begin(ls, now))
		return;
	/* All events are wanted, so that runs end with each tick in which any can happen. */
	torus_vtime_client_wait(f, core, TORUS_WANT_ARRIVAL | TORUS_WANT_ROOM | TORUS_WANT_NOTICE,
				lockstep_due(ls));
}

static struct torus_lockstep *lockstep_of(struct torus_vtime_client *core)
{
	return container_of(core, struct torus_lockstep, clock.core);
}

/* Implement torus_vtime_client_ops.poll: any event ends the wait if there is something to do. */
static u32 lockstep_poll_clock(struct torus_vtime_client *core)
{
	struct torus_lockstep *ls = lockstep_of(core);
	bool wanted;

	spin_lock_irq(&ls->lock);
	wanted = ls->travels || torus_port_episode_wanted(&ls->episode);
	spin_unlock_irq(&ls->lock);
	return wanted ? TORUS_WANT_ARRIVAL : 0;
}

static void lockstep_resume_clock(struct torus_vtime_client *core)
{
	lockstep_continue(lockstep_of(core));
}

/* Never called: the clock is removed before its state could be TORUS_VTIME_LEAVES. */
static void lockstep_leave_clock(struct torus_vtime_client *core)
{
}

/* A driver keeps its port in a reset of the fabric. */
static void lockstep_reset_clock(struct torus_vtime_client *core)
{
	struct torus_lockstep *ls = lockstep_of(core);

	spin_lock_irq(&ls->lock);
	torus_port_episode_reset(&ls->episode, ls->pd->port);
	spin_unlock_irq(&ls->lock);
	ls->pd->port->woken = 0;
	ls->travels = false;
	if (core->state != TORUS_VTIME_RUNS)
		torus_vtime_client_wait(ls->pd->engine->fabric, core, TORUS_WANT_ARRIVAL, 0);
}

static const struct torus_vtime_client_ops lockstep_clock_ops = {
	.poll = lockstep_poll_clock,
	.resume = lockstep_resume_clock,
	.leave = lockstep_leave_clock,
	.reset = lockstep_reset_clock,
};

/**
 * torus_lockstep_join() - let a driver take part in virtual time from now on
 * @ls: the clock; the driver's probe() has returned. The engine is locked
 * @why: [out] reason of a failure
 *
 * Return: 0; -ETIME if virtual time has started.
 */
int torus_lockstep_join(struct torus_lockstep *ls, struct torus_error *why)
{
	struct torus_engine_client *client = &ls->pd->slot.client;
	struct torus_engine *e = ls->pd->engine;
	bool active;
	int err;

	err = torus_clock_add(e, &ls->clock, &lockstep_clock_ops, why);
	if (err)
		return err;
	ls->clock.core.passive = true;
	torus_vtime_client_bind(e->fabric, &ls->clock.core, client->node, client->group);
	client->clock = &ls->clock;
	torus_clock_moved(e, &ls->clock);
	spin_lock_irq(&ls->lock);
	torus_port_episode_join(&ls->episode, ls->clock.core.now);
	active = ls->episode.active;
	spin_unlock_irq(&ls->lock);
	wake_up_all(&ls->wait);
	if (!active)
		lockstep_continue(ls);
	return 0;
}

/**
 * torus_lockstep_leave() - the driver does not hold the fabric any more
 * @ls: the clock; the driver may take no part, or may have left already. The engine is locked
 *
 * In virtual time that has started, the driver still counts as one of the programs.
 */
void torus_lockstep_leave(struct torus_lockstep *ls)
{
	struct torus_engine_client *client = &ls->pd->slot.client;

	spin_lock_irq(&ls->lock);
	torus_port_episode_leave(&ls->episode, ls->pd->port);
	spin_unlock_irq(&ls->lock);
	wake_up_all(&ls->wait);
	if (!client->clock)
		return;
	torus_vtime_client_remove(ls->pd->engine->fabric, &ls->clock.core);
	client->clock = NULL;
}

/*
 * Check whether the clock waits at a tick that the fabric has reached. The core may not have polled
 * it yet, for instance because time has not started.
 */
static bool lockstep_rests(const struct torus_fabric *f, const struct torus_vtime_client *core)
{
	return core->state == TORUS_VTIME_WAITS ||
	       (core->state == TORUS_VTIME_POLLS && core->now <= torus_fabric_clock(f));
}

/**
 * torus_lockstep_poll() - do what the driver has requested
 * @ls: the clock; the engine is locked
 *
 * While the clock moves to a later tick, nothing is to do before it is there.
 */
void torus_lockstep_poll(struct torus_lockstep *ls)
{
	struct torus_vtime_client *core = &ls->clock.core;
	struct torus_fabric *f = ls->pd->engine->fabric;

	if (!ls->pd->slot.client.clock)
		torus_port_wake(ls->pd->port, f);
	else if (lockstep_rests(f, core) &&
		 !torus_vtime_client_advance(f, core, torus_fabric_clock(f), NULL))
		lockstep_continue(ls);
	else if (core->state == TORUS_VTIME_RUNS &&
		 torus_lockstep_tick(ls) == TORUS_PORT_NO_TICK)
		lockstep_continue(ls);
}
