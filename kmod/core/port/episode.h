/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The episode of a driver in virtual time: from an interrupt, or torus_busy(), until the driver has
 * dealt with it.
 *
 * While an episode is in progress the fabric stands still. Each access of the driver adds its cost
 * to a sum, and each offer of the driver has the tick of its access. The bus, which has the
 * driver's clock, begins episodes, and shows the offers when the clock is there.
 *
 * All functions are called with a lock of the bus held. Functions that return "report" return true
 * if the driver's clock can continue: an episode has ended, or shall begin.
 */
#ifndef TORUS_CORE_PORT_EPISODE_H
#define TORUS_CORE_PORT_EPISODE_H

#include "core/port/doorbell.h"

/* Doorbells of an episode that have a tick of their own. Later ones count at its end. */
#define TORUS_PORT_EPISODE_DOORBELLS	256
/* Maximum duration of an episode in ticks. */
#define TORUS_PORT_EPISODE_MAX		(1ull << 39)
#define TORUS_PORT_NO_TICK		(~0ull)

/**
 * struct torus_port_doorbell - packets or descriptors that the driver has offered
 * @tick: tick of the access
 * @queue: queue of the port
 * @tail: end of what was offered
 */
struct torus_port_doorbell {
	u64 tick;
	u32 queue;
	u32 tail;
};

/**
 * struct torus_port_episode - the episodes of a driver
 * @cost: simulated time of an access in ticks, by enum torus_port_cost; constant
 * @joined: the driver takes part in virtual time
 * @left: it takes no part any more
 * @active: an episode is in progress
 * @start: tick at which the last episode began
 * @sum: simulated time of its accesses, in ticks
 * @end: tick at which it has ended; not before @start
 * @number: number of episodes that have begun
 * @pending: causes whose interrupt is sent when an episode begins
 * @owed: causes whose interrupt was sent, and which the driver must acknowledge and enable again
 * @unacknowledged: causes that were not acknowledged since their interrupt was sent
 * @enable: register ENABLE
 * @busy: calls of torus_busy() without torus_idle()
 * @waiters: calls of torus_wait(), whose tasks are busy again when the next episode begins
 * @due: by cause: tick at which a moderated interrupt is due, or TORUS_PORT_NO_TICK
 * @first: index of the first doorbell that was not shown yet
 * @count: number of doorbells
 * @late: bit i: queue i was offered up to @last[i] after @doorbell was full
 * @last: see @late
 * @doorbell: doorbells of the episode, in the order of their ticks
 */
struct torus_port_episode {
	u32 cost[TORUS_PORT_COSTS_MAX];
	bool joined;
	bool left;
	bool active;
	u64 start;
	u64 sum;
	u64 end;
	u32 number;
	u32 pending;
	u32 owed;
	u32 unacknowledged;
	u32 enable;
	u32 busy;
	u32 waiters;
	u64 due[TORUS_PORT_CAUSE_EVENTS];
	u32 first;
	u32 count;
	u64 late;
	u32 last[TORUS_PORT_QUEUES];
	struct torus_port_doorbell doorbell[TORUS_PORT_EPISODE_DOORBELLS];
};

/* Initialize the episodes of a driver that takes no part yet. @cost: as in the structure */
void torus_port_episode_init(struct torus_port_episode *ep, const u32 cost[TORUS_PORT_COSTS_MAX]);

/* ------------------------------------------------- calls of the driver, and of the port */

/* Return the tick that the driver has reached; TORUS_PORT_NO_TICK outside an episode. */
torus_inline u64 torus_port_episode_tick(const struct torus_port_episode *ep)
{
	return ep->active ? ep->start + ep->sum : TORUS_PORT_NO_TICK;
}

/* Add the cost of an access that begins. Outside an episode, it has none. */
void torus_port_episode_access(struct torus_port_episode *ep, u32 offset, bool write);

/*
 * A write has changed a register of the port. A cause that is acknowledged or disabled before its
 * interrupt was sent sends none. Return: report.
 */
bool torus_port_episode_written(struct torus_port_episode *ep, u32 offset, u32 value);

/* torus_port_ops.offer. Return: true if torus_port_episode_show() shows it later. */
bool torus_port_episode_offer(struct torus_port_episode *ep, u32 queue, u32 tail);

/**
 * torus_port_episode_interrupt() - the port sends an interrupt
 * @ep: the episodes
 * @cause: enum torus_port_cause; a handler is installed
 * @held: [out] the interrupt is sent when an episode begins; false: send it now, because the driver
 *	takes no part
 *
 * Return: report.
 */
bool torus_port_episode_interrupt(struct torus_port_episode *ep, u32 cause, bool *held);

/* The driver has freed the interrupt of a cause, and owes nothing for it. Return: report. */
bool torus_port_episode_release(struct torus_port_episode *ep, u32 cause);

/* torus_busy(), torus_idle(). A reset of the port ends all calls of the first. Return: report. */
bool torus_port_episode_busy(struct torus_port_episode *ep);
bool torus_port_episode_idle(struct torus_port_episode *ep);

/*
 * torus_wait() begins: the caller is not busy until @number has changed. A driver that takes no
 * part yet waits until it does. Return: report.
 */
bool torus_port_episode_wait(struct torus_port_episode *ep);

/* Give up a wait that began at @number, or the episode that has ended it. Return: report. */
bool torus_port_episode_give_up(struct torus_port_episode *ep, u32 number);

/* ------------------------------------------- calls of the clock; the fabric is locked */

/*
 * Let the driver take part. If it is busy or waits, or owes something since its probe(), an episode
 * begins.
 */
void torus_port_episode_join(struct torus_port_episode *ep, u64 now);

/* The driver takes no part any more. The fabric may take all that was offered. */
void torus_port_episode_leave(struct torus_port_episode *ep, struct torus_port *port);

/* The fabric is reset, and its clock is 0. An episode in progress continues. */
void torus_port_episode_reset(struct torus_port_episode *ep, struct torus_port *port);

/* Check whether an episode shall begin. */
torus_inline bool torus_port_episode_wanted(const struct torus_port_episode *ep)
{
	return ep->pending || ep->busy || ep->waiters;
}

/**
 * torus_port_episode_show() - show the doorbells that are due
 * @ep: the episodes; none is in progress
 * @port: port of the driver
 * @now: tick of the fabric
 *
 * Return: tick of the next doorbell, or of the end of the last episode; up to @now if all is done.
 */
u64 torus_port_episode_show(struct torus_port_episode *ep, struct torus_port *port, u64 now);

/**
 * torus_port_episode_begin() - begin an episode if the driver has something to do
 * @ep: the episodes; none is in progress
 * @now: tick of the fabric
 * @cause: [out] cause whose interrupt the caller sends, or TORUS_PORT_CAUSES
 *
 * An episode begins with one interrupt; others wait for the next one. So a driver with several
 * handlers runs them in the same order each time.
 *
 * Return: true if an episode has begun.
 */
bool torus_port_episode_begin(struct torus_port_episode *ep, u64 now, u32 *cause);

#endif
