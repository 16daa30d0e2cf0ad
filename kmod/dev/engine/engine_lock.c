// SPDX-License-Identifier: GPL-2.0
/*
 * The lock of an engine, and how to wake its leader.
 *
 * Locks, outermost first:
 *
 * - context.lock serializes the calls of a file that look up its fabric: ATTACH, GATES_OPEN.
 * - gates.lock serializes the calls of a file on its gates.
 * - engine.lock: while it is locked, no run of the fabric is in progress.
 * - context.map_lock protects the existence of the rings. A page fault acquires it below the
 *   kernel's mmap_lock, below which no task acquires engine.lock.
 * - torus_host_lock (port/device.c) protects the pointer to the host of the bus. The mutexes of the
 *   host are acquired below engine.lock, too.
 *
 * The locks of the registry, of the memory limits (base/memory_limit.c) and of engine.interrupts
 * are leaves: no other lock is acquired below them. The threads that run a fabric acquire the last
 * two.
 *
 * The leader acquires and releases engine.lock for each piece of work, and yields it now and then
 * to programs that wait for it.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/sched.h>

#include "engine.h"
#include "engine_lock.h"

/* How often, and for how long, the leader yields the lock to programs that wait for it. */
#define TORUS_TURN_NS		(2 * NSEC_PER_MSEC)
#define TORUS_TURN_WAIT_US	100

/**
 * torus_engine_lock_always() - lock an engine, even one whose fabric was deleted
 * @e: the engine
 *
 * A mutex is handed over to the task that has waited longest, even if a limit of its cgroup keeps
 * that task from the processor: no other task could lock the engine until it runs again.  So a
 * program acquires the mutex only while it runs, and waits for its turn outside.  The engine's own
 * threads, which have no such limit, wait for the mutex itself.
 */
void torus_engine_lock_always(struct torus_engine *e)
{
	if (current->flags & PF_KTHREAD) {
		mutex_lock(&e->lock.mutex);
		return;
	}
	might_lock(&e->lock.mutex);
	if (mutex_trylock(&e->lock.mutex))
		return;
	atomic_inc(&e->lock.waiting);
	wait_event(e->lock.turn, mutex_trylock(&e->lock.mutex));
	atomic_dec(&e->lock.waiting);
}

/**
 * torus_engine_lock_killable() - lock an engine for a request of the calling task
 * @e: the engine
 *
 * Wait like torus_engine_lock(), but give up if the task is killed. Not for the release of a file:
 * its task may have been killed already.
 *
 * Return: 0; -ENODEV if the fabric was deleted, -EINTR if the task was killed: then not locked.
 */
int torus_engine_lock_killable(struct torus_engine *e)
{
	int err = 0;

	might_lock(&e->lock.mutex);
	if (!mutex_trylock(&e->lock.mutex)) {
		atomic_inc(&e->lock.waiting);
		err = wait_event_killable(e->lock.turn, mutex_trylock(&e->lock.mutex));
		atomic_dec(&e->lock.waiting);
	}
	if (err)
		return -EINTR;
	if (e->fabric)
		return 0;
	torus_engine_unlock(e);
	return -ENODEV;
}

/**
 * torus_engine_lock() - lock an engine: no run is in progress until it is unlocked
 * @e: the engine
 *
 * Return: 0, or -ENODEV if the fabric was deleted; then the engine is not locked.
 */
int torus_engine_lock(struct torus_engine *e)
{
	torus_engine_lock_always(e);
	if (e->fabric)
		return 0;
	torus_engine_unlock(e);
	return -ENODEV;
}

/* Unlock an engine whose fabric got no new work. */
void torus_engine_unlock(struct torus_engine *e)
{
	mutex_unlock(&e->lock.mutex);
	/* Wake all tasks: a single one may be kept from the processor, and would wake no other. */
	if (wq_has_sleeper(&e->lock.turn))
		wake_up_all(&e->lock.turn);
}

/* Unlock an engine whose fabric may have got new work, and wake the leader. */
void torus_engine_unlock_kick(struct torus_engine *e)
{
	torus_engine_unlock(e);
	torus_engine_kick(e);
}

/**
 * torus_engine_yield_lock() - give programs that wait a chance to lock the engine
 * @e: the engine, not locked; called by its leader, which would lock it again at once
 *
 * The leader sleeps for at most TORUS_TURN_WAIT_US, once per TORUS_TURN_NS: the programs may be
 * kept from the processor.
 */
void torus_engine_yield_lock(struct torus_engine *e)
{
	u64 now;

	if (!atomic_read(&e->lock.waiting))
		return;
	now = ktime_get_ns();
	if (now - e->lock.yielded < TORUS_TURN_NS)
		return;
	usleep_range(TORUS_TURN_WAIT_US / 2, TORUS_TURN_WAIT_US);
	e->lock.yielded = ktime_get_ns();
}

/**
 * torus_engine_kick() - make the leader poll everything once more
 * @e: the engine
 */
void torus_engine_kick(struct torus_engine *e)
{
	WRITE_ONCE(e->sleep.kicked, true);
	/* wq_has_sleeper()'s barrier pairs with the one in prepare_to_wait(). */
	if (wq_has_sleeper(&e->sleep.wait))
		wake_up(&e->sleep.wait);
}
