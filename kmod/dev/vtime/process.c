// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time: a program is a process, with one clock for all its contexts
 * (core/run/virtual_time.h).
 *
 * A program reports its clock with TORUS_IOC_CLOCK. From this call on, the engine knows the packets
 * that the program has put into its rings, each with the tick at which it enters. The engine learns
 * how far the program has read its rings only at the tick of a poll or a wait. Between two calls
 * the engine learns nothing of a program. So results do not depend on when the scheduler runs the
 * program.
 *
 * A context that was closed, or whose process has ended, stays, as a draining client, until the
 * program has left at its clock and its rings are empty. A program leaves when its last context is
 * closed.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "core/base/node_number.h"
#include "dev/base/params.h"
#include "dev/engine/client.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "dev/engine/leader.h"
#include "dev/engine/pause.h"
#include "clock.h"
#include "process.h"

/* ---------------------------------------------------------------- attach and close */

/* Return the process of the calling task; NULL if the task's process has no open context. */
static struct torus_process *torus_process_current(struct torus_engine *e)
{
	struct torus_process *process;

	lockdep_assert_held(&e->lock.mutex);
	list_for_each_entry(process, &e->vtime.processes, link) {
		if (process->mm == current->mm && process->open)
			return process;
	}
	return NULL;
}

/**
 * torus_process_may_attach() - check whether the calling process may attach a context
 * @e: the engine, locked
 *
 * Return: 0; -ETIME if virtual time has started, unless this process has an open context and has
 * not reported its clock yet.
 */
int torus_process_may_attach(struct torus_engine *e)
{
	struct torus_process *mine;

	if (!e->vtime.enabled || !torus_vtime_started(e->fabric))
		return 0;
	mine = torus_process_current(e);
	return mine && !mine->clock_reported ? 0 : -ETIME;
}

static const struct torus_vtime_client_ops torus_process_clock_ops;

/**
 * torus_process_join() - give a context the clock of the calling process
 * @client: the context
 * @e: the engine, locked
 *
 * Does nothing if the fabric has no virtual time.
 *
 * Return: 0, -ENOMEM, -ETIME.
 */
int torus_process_join(struct torus_engine *e, struct torus_engine_client *client)
{
	struct torus_process *process;
	int err;

	if (!e->vtime.enabled)
		return 0;
	process = torus_process_current(e);
	if (process) {
		refcount_inc(&process->ref);
	} else {
		process = kzalloc(sizeof(*process), TORUS_GFP_USER);
		if (!process)
			return -ENOMEM;
		err = torus_clock_add(e, &process->clock, &torus_process_clock_ops, NULL);
		if (err) {
			kfree(process);
			return err;
		}
		refcount_set(&process->ref, 1);
		process->engine = e;
		process->mm = current->mm;
		process->known = process->clock.core.now;
		init_waitqueue_head(&process->wait);
		list_add_tail(&process->link, &e->vtime.processes);
	}
	torus_clock_moved(e, &process->clock);
	process->open++;
	client->process = process;
	client->clock = &process->clock;
	return 0;
}

/* Undo torus_process_join(). The engine must have been locked since then. */
void torus_process_undo_join(struct torus_engine *e, struct torus_engine_client *client)
{
	struct torus_process *process = client->process;

	if (!process)
		return;
	client->process = NULL;
	client->clock = NULL;
	process->open--;
	if (!refcount_dec_and_test(&process->ref))
		return;
	list_del(&process->link);
	torus_vtime_client_undo_add(e->fabric, &process->clock.core);
	kfree(process);
}

/* Bind the clock to the FIFO group that the context took. The engine must be locked. */
void torus_process_add_group(struct torus_engine *e, struct torus_engine_client *client)
{
	if (!client->process)
		return;
	torus_vtime_client_bind(e->fabric, &client->clock->core, client->node, client->group);
	client->process->held++;
}

/**
 * torus_process_close() - close a context of a process
 * @client: the context; its file was closed or its owner has ended, and the engine is locked
 *
 * A program that closes its last context before the others have attached still counts as a program
 * that attached. Otherwise the results would depend on which happens first.
 *
 * Return: true if the context stays until the program has left; false if the process has not
 * reported its clock, and virtual time has not started.
 */
bool torus_process_close(struct torus_engine_client *client)
{
	struct torus_process *process = client->process;

	process->open--;
	if (!process->clock_reported && !torus_vtime_started(process->engine->fabric))
		return false;
	client->ops->reveal(client, process->known);
	if (!process->open)
		torus_vtime_client_leave(process->engine->fabric, &process->clock.core);
	return true;
}

/**
 * torus_process_evict() - take a context away from its program
 * @client: the context; the engine is locked
 *
 * The file of an evicted context may stay open. If it was the last context, the clock leaves now,
 * so that time does not wait until the file is closed.
 */
void torus_process_evict(struct torus_engine_client *client)
{
	struct torus_process *process = client->process;

	if (!process || client->draining)
		return;
	if (!--process->open &&
	    (process->clock_reported || torus_vtime_started(process->engine->fabric)))
		torus_vtime_client_leave(process->engine->fabric, &process->clock.core);
}

/**
 * torus_process_has_clock() - check whether a process has a clock that has not left virtual time
 * @e: the engine, locked
 * @mm: address space of the process
 *
 * Return: true if it has: torus_engine_depart() is called when the clock leaves, or is removed.
 */
bool torus_process_has_clock(struct torus_engine *e, const struct mm_struct *mm)
{
	struct torus_process *process;

	lockdep_assert_held(&e->lock.mutex);
	list_for_each_entry(process, &e->vtime.processes, link) {
		if (process->mm == mm && process->clock.core.state != TORUS_VTIME_GONE)
			return true;
	}
	return false;
}

/* Check whether the program has left virtual time. */
bool torus_process_has_left(const struct torus_engine_client *client)
{
	return client->process->clock.core.state == TORUS_VTIME_GONE;
}

/* Give the context's FIFO group back. The engine must be locked. */
void torus_process_detach(struct torus_engine *e, struct torus_engine_client *client)
{
	if (client->process && torus_process_has_left(client))
		torus_vtime_client_orphan(e->fabric, client->node, client->group);
	else
		torus_nic_detach(e->fabric, client->node, client->group);
	/* Remove the clock with its last group, while the fabric still exists. */
	if (client->process && !--client->process->held) {
		list_del(&client->process->link);
		torus_vtime_client_remove(e->fabric, &client->process->clock.core);
		torus_engine_depart(e, client->process->mm, false);
	}
}

/* Drop the context's reference to its process. */
void torus_process_free(struct torus_engine_client *client)
{
	if (client->process && refcount_dec_and_test(&client->process->ref))
		kfree(client->process);
	client->process = NULL;
	client->clock = NULL;
}

/* Wake the threads that wait, so that they check whether the fabric still exists. */
void torus_process_wake(struct torus_engine_client *client)
{
	if (client->process)
		wake_up_all(&client->process->wait);
}

/* Fill in the fields of TORUS_IOC_INFO for virtual time. */
void torus_process_info(const struct torus_engine_client *client, struct torus_ioc_info *info)
{
	const u64 *params;

	if (!client->process || torus_engine_lock(client->process->engine))
		return;
	params = torus_fabric_config(client->process->engine->fabric)->params;
	info->features |= TORUS_FEATURE_CLOCK;
	info->look_ticks = params[TORUS_P_LOOK];
	info->inject_packet_ticks = params[TORUS_P_INJECT_PACKET];
	info->inject_chunk_ticks = params[TORUS_P_INJECT_CHUNK];
	info->receive_packet_ticks = params[TORUS_P_RECEIVE_PACKET];
	info->receive_chunk_ticks = params[TORUS_P_RECEIVE_CHUNK];
	torus_engine_unlock(client->process->engine);
}

/* -------------------------------------------------------------------- the clock */

static u32 torus_process_read(struct torus_vtime_client *clock)
{
	struct torus_process *process = container_of(clock, struct torus_process, clock.core);
	struct torus_engine_client *client;
	u32 got = 0;

	list_for_each_entry(client, &process->engine->clients.list, link) {
		if (client->process == process && !client->draining)
			got |= client->ops->look(client);
	}
	return got & clock->wants;
}

static void torus_process_resume(struct torus_vtime_client *clock)
{
	struct torus_process *process = container_of(clock, struct torus_process, clock.core);

	process->known = clock->now;
	torus_clock_moved(process->engine, &process->clock);
	process->over_clock = clock->now;
	process->over_got = clock->got;
	WRITE_ONCE(process->over, process->begun);
	wake_up_all(&process->wait);
}

static void torus_process_leave(struct torus_vtime_client *clock)
{
	struct torus_process *process = container_of(clock, struct torus_process, clock.core);
	struct torus_engine *e = process->engine;
	struct torus_engine_client *client;

	list_for_each_entry(client, &e->clients.list, link) {
		if (client->process == process)
			torus_nic_leave(e->fabric, client->node, client->group);
	}
	torus_engine_depart(e, process->mm, true);
}

static const struct torus_vtime_client_ops torus_process_clock_ops = {
	.poll = torus_process_read,
	.resume = torus_process_resume,
	.leave = torus_process_leave,
};

static_assert(TORUS_CLOCK_ARRIVAL == TORUS_WANT_ARRIVAL && TORUS_CLOCK_ROOM == TORUS_WANT_ROOM &&
	      TORUS_CLOCK_NOTICE == TORUS_WANT_NOTICE);

/* Check whether a call repeats a wait that a signal interrupted. */
static bool torus_process_retries(const struct torus_process *process,
				  const struct torus_ioc_clock *ask)
{
	return process->waits && ask->op == TORUS_CLOCK_WAIT &&
	       ask->clock == process->ask.clock && ask->until == process->ask.until &&
	       ask->wants == process->ask.wants;
}

/*
 * Check whether a thread sleeps in a wait that has not ended. A thread that a signal has woken does
 * not.
 */
static bool torus_process_sleeps(const struct torus_process *process)
{
	return process->sleepers && process->over != process->begun;
}

/* Advance the clock and begin a wait. The engine must be locked. */
static int torus_process_set_clock(struct torus_process *process, const struct torus_ioc_clock *ask)
{
	struct torus_fabric *f = process->engine->fabric;
	struct torus_engine_client *client;
	int err;

	err = torus_vtime_client_advance(f, &process->clock.core, ask->clock, NULL);
	if (err)
		return err;
	list_for_each_entry(client, &process->engine->clients.list, link) {
		if (client->process == process && !client->draining)
			client->ops->reveal(client, max(process->known, ask->clock));
	}
	process->known = process->clock.core.now;
	torus_clock_moved(process->engine, &process->clock);
	process->clock_reported = true;
	process->waits = ask->op == TORUS_CLOCK_WAIT;
	process->ask = *ask;
	/* A wait that a signal interrupted is given up. */
	WRITE_ONCE(process->over, process->begun);
	if (process->waits) {
		process->begun++;
		process->sleepers = 0;
		torus_vtime_client_wait(f, &process->clock.core, ask->wants, ask->until);
	}
	return 0;
}

/*
 * Start the call of TORUS_IOC_CLOCK, with the engine locked. @wait: [out] number of the wait that
 * the call belongs to.
 *
 * A wait ends for all its threads at once, and only its end wakes them. While one sleeps, another
 * thread may join the wait. It may neither move the clock nor wait for other events.
 */
static int torus_process_begin_call(struct torus_engine_client *client, struct torus_ioc_clock *ask,
				    u32 *wait)
{
	struct torus_process *process = client->process;
	int err;

	/* The process that attached the context has ended: the caller is its vfork() child. */
	if (client->draining)
		return -ECHILD;
	if (client->process->engine->state == TORUS_FABRIC_FAILED)
		return -EIO;
	if (!torus_process_retries(process, ask)) {
		if (torus_process_sleeps(process))
			return -EBUSY;
		err = torus_process_set_clock(process, ask);
		if (err)
			return err;
	}
	if (ask->op == TORUS_CLOCK_WAIT)
		process->sleepers++;
	*wait = process->begun;
	ask->clock = process->clock.core.now;
	ask->got = 0;
	return 0;
}

/* Check whether a wait has ended. Later waits may have ended, too. */
static bool torus_process_wait_over(const struct torus_process *process, u32 wait)
{
	return (s32)(READ_ONCE(process->over) - wait) >= 0;
}

/* Sleep until the program's wait has ended, and return its result in @ask. */
static int torus_process_sleep(struct torus_engine_client *client, struct torus_ioc_clock *ask,
			       u32 wait)
{
	struct torus_process *process = client->process;
	struct torus_engine *e = process->engine;
	bool signal;
	int err = 0;

	signal = wait_event_interruptible(process->wait, torus_process_wait_over(process, wait) ||
					  READ_ONCE(e->state) == TORUS_FABRIC_FAILED ||
					  /* Pairs with the store in torus_ctx_kill(). */
					  smp_load_acquire(&client->dead));
	/*
	 * Lock even if this context was evicted: other contexts of the program may still be
	 * attached.
	 */
	if (torus_engine_lock(e))
		return -ENODEV;
	if (wait == process->begun)
		process->sleepers--;
	if (client->dead) {
		err = -ENODEV;
	} else if (!torus_process_wait_over(process, wait)) {
		/* The wait continues: the program repeats the call or moves its clock. */
		err = signal ? -ERESTARTSYS : -EIO;
	} else {
		if (wait == process->begun)
			process->waits = false;
		ask->clock = process->over_clock;
		ask->got = process->over_got;
	}
	torus_engine_unlock(e);
	return err;
}

/**
 * torus_process_ioctl() - TORUS_IOC_CLOCK
 * @client: a context of the process
 * @argp: [in, out] new clock and events to wait for; result
 *
 * Return: 0; -EOPNOTSUPP if the fabric has no virtual time; -EINVAL; -ERANGE; -EBUSY if another
 * thread of the process waits; -ERESTARTSYS; -ENODEV; -ECHILD; -EIO if the fabric has stopped;
 * -EFAULT.
 */
int torus_process_ioctl(struct torus_engine_client *client, struct torus_ioc_clock __user *argp)
{
	struct torus_ioc_clock ask;
	u32 wait;
	int err;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) || ask.op > TORUS_CLOCK_WAIT ||
	    ask.wants & ~(TORUS_CLOCK_ARRIVAL | TORUS_CLOCK_ROOM | TORUS_CLOCK_NOTICE))
		return -EINVAL;
	if (!client->process)
		return -EOPNOTSUPP;
	err = torus_engine_lock_client(client->process->engine, client);
	if (err)
		return err;
	err = torus_process_begin_call(client, &ask, &wait);
	torus_engine_unlock_kick(client->process->engine);
	if (!err && ask.op == TORUS_CLOCK_WAIT)
		err = torus_process_sleep(client, &ask, wait);
	if (err)
		return err;
	return copy_to_user(argp, &ask, sizeof(ask)) ? -EFAULT : 0;
}

/* ------------------------------------------------------------------ calls of the engine */

/**
 * torus_process_open_contexts() - count the open contexts, which prevent a reset
 * @e: the engine, locked
 *
 * If none is open, detach all closed contexts: they may wait for a tick that never comes.
 *
 * Drivers keep their groups in a reset.
 *
 * Return: number of open contexts.
 */
u32 torus_process_open_contexts(struct torus_engine *e)
{
	u32 open = e->clients.attached - e->clients.draining - e->ports.bound;

	if (!open)
		torus_engine_retire(e, true);
	return open;
}
