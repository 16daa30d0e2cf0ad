/* SPDX-License-Identifier: GPL-2.0 */
/* The lock of an engine; and how to wake its leader. */
#ifndef TORUS_DEV_ENGINE_ENGINE_LOCK_H
#define TORUS_DEV_ENGINE_ENGINE_LOCK_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/wait.h>

struct torus_engine;

/**
 * struct torus_engine_lock - the lock of an engine
 * @mutex: called engine.lock in comments: while it is locked, no run is in progress
 * @turn: programs wait here for the mutex
 * @waiting: number of programs that wait for the mutex; some of them may be awake
 * @yielded: time when the leader last yielded the lock to programs, in ns
 */
struct torus_engine_lock {
	struct mutex mutex;	/* while it is locked, no run is in progress */
	wait_queue_head_t turn;
	atomic_t waiting;
	u64 yielded;
};

void torus_engine_lock_always(struct torus_engine *e);
int torus_engine_lock(struct torus_engine *e) __must_check;
int torus_engine_lock_killable(struct torus_engine *e) __must_check;
void torus_engine_yield_lock(struct torus_engine *e);
void torus_engine_unlock(struct torus_engine *e);
void torus_engine_unlock_kick(struct torus_engine *e);
void torus_engine_kick(struct torus_engine *e);

#endif
