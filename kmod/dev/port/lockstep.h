/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Drivers in lockstep: a driver's clock in virtual time.
 *
 * On a fabric with `time virtual programs N` a driver is one of the N, from the end of its probe()
 * until it is unbound. Its clock waits until an episode begins (core/port/episode.h), and then
 * holds the fabric at this tick. When the episode has ended, the leader lets the fabric catch up
 * with the simulated time of the driver's accesses. On the way it shows the packets that the driver
 * has written, each at its tick. Interrupts that are sent meanwhile wait for the next episode.
 */
#ifndef TORUS_DEV_PORT_LOCKSTEP_H
#define TORUS_DEV_PORT_LOCKSTEP_H

#include <linux/spinlock.h>
#include <linux/wait.h>

#include "core/port/episode.h"
#include "dev/engine/client.h"

struct torus_error;
struct torus_port_device;

/**
 * struct torus_lockstep - a driver in virtual time
 * @clock: its clock (engine.lock)
 * @travels: the clock moves to a tick at which a doorbell is shown, or at which the last episode
 *	has ended (engine.lock)
 * @pd: its device
 * @wait: torus_wait() waits here
 * @lock: protects @episode; any context. No lock of an engine is acquired below it
 * @episode: its episodes
 */
struct torus_lockstep {
	struct torus_engine_clock clock;
	bool travels;
	struct torus_port_device *pd;
	wait_queue_head_t wait;
	spinlock_t lock;	/* episode */
	struct torus_port_episode episode;
};

/* Any context: calls of the driver, and of the thread that runs the fabric. */
u64 torus_lockstep_access(struct torus_lockstep *ls, u32 offset, bool write);
u64 torus_lockstep_tick(struct torus_lockstep *ls);
void torus_lockstep_written(struct torus_lockstep *ls, u32 offset, u32 value);
bool torus_lockstep_offer(struct torus_lockstep *ls, u32 queue, u32 tail);
bool torus_lockstep_interrupt(struct torus_lockstep *ls, u32 cause);
void torus_lockstep_release(struct torus_lockstep *ls, u32 cause);
bool torus_lockstep_delay(struct torus_lockstep *ls, u32 cause, u32 microseconds);
void torus_lockstep_busy(struct torus_lockstep *ls);
void torus_lockstep_idle(struct torus_lockstep *ls);

/* May sleep. */
struct torus_lockstep *torus_lockstep_create(struct torus_port_device *pd);
int torus_lockstep_wait(struct torus_lockstep *ls);

/* With the engine locked between two runs. */
int torus_lockstep_join(struct torus_lockstep *ls, struct torus_error *why);
void torus_lockstep_leave(struct torus_lockstep *ls);
void torus_lockstep_poll(struct torus_lockstep *ls);

#endif
