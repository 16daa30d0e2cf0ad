/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A client of virtual time, which has the clock of a program (core/run/virtual_time.h), or of a
 * driver (dev/port/lockstep.h). A program with clock c sees the fabric after all ticks before c,
 * and before tick c begins. It sees a packet that arrives in tick t from t + 1 on.
 */
#ifndef TORUS_CORE_NIC_VTIME_CLIENT_H
#define TORUS_CORE_NIC_VTIME_CLIENT_H

#include "core/nic/group.h"
#include "core/state/domain.h"

enum torus_vtime_state {
	TORUS_VTIME_RUNS,	/* the program computes: it may act at @now or later */
	TORUS_VTIME_POLLS,	/* waits until all ticks before @now have been simulated */
	TORUS_VTIME_WAITS,	/* waits for an event of @wants, or for @until */
	TORUS_VTIME_LEAVES,	/* leaves at @now */
	TORUS_VTIME_GONE,
};

/* Events for which a program may wait; one bit each in masks. */
enum torus_vtime_event {
	TORUS_VTIME_EVENT_ARRIVAL,	/* a packet in a reception ring */
	TORUS_VTIME_EVENT_ROOM,	/* a packet was taken from an injection ring */
	TORUS_VTIME_EVENT_NOTICE,	/* a notice about packets that the program sent */
	TORUS_VTIME_EVENTS,
};

#define TORUS_WANT_ARRIVAL	(1u << TORUS_VTIME_EVENT_ARRIVAL)
#define TORUS_WANT_ROOM		(1u << TORUS_VTIME_EVENT_ROOM)
#define TORUS_WANT_NOTICE	(1u << TORUS_VTIME_EVENT_NOTICE)

struct torus_vtime_client;

/**
 * struct torus_vtime_client_ops - operations of the owner, called with the fabric locked and idle
 * @poll: all ticks before the clock have been simulated: load how far the program has read its
 *   rings, so that the core can use the freed space; @got has the events of the wait. Return the
 *   events that the program wants and that are present, TORUS_WANT_*; if 0, the program keeps
 *   waiting
 * @resume: let the program continue, at the clock's tick
 * @leave: detach the program in this tick: torus_nic_leave() for each of its groups
 * @reset: may be NULL; the fabric is being reset, and the clock is 0: choose the client's new
 *   state. Without it, a wait ends by @resume
 */
struct torus_vtime_client_ops {
	u32 (*poll)(struct torus_vtime_client *client);
	void (*resume)(struct torus_vtime_client *client);
	void (*leave)(struct torus_vtime_client *client);
	void (*reset)(struct torus_vtime_client *client);
};

/**
 * struct torus_vtime_client - a program's clock
 * @ops: the owner's operations
 * @next: next client of the fabric
 * @state: enum torus_vtime_state
 * @wants: TORUS_WANT_*; 0 to poll without waiting
 * @now: the clock, in ticks; never decreases
 * @until: WAITS: tick that ends the wait, ~0 for none
 * @got: wanted events that happened; 0 after a time-out
 * @woken: events of this run, set by the threads that run the program's nodes
 * @passive: the client acts only on events, as a driver does. If all others have left, its wait is
 *   no deadlock. Events that it wants are also reported in their ticks before it polls
 * @read: the program has polled since the last tick, so it may have freed space in its rings
 */
struct torus_vtime_client {
	const struct torus_vtime_client_ops *ops;
	struct torus_vtime_client *next;
	u32 state;
	u32 wants;
	u64 now;
	u64 until;
	u32 got;
	u8 woken[TORUS_VTIME_EVENTS];
	bool passive;
	bool read;
};

/*
 * Report event @what at a group. If its program waits for the event, wake the program, and end the
 * run with this tick: the fabric must not pass the tick of the program's next action.
 */
torus_inline void torus_vtime_client_wake(struct torus_domain *d, const struct torus_nic *nic,
					  u32 what)
{
	struct torus_vtime_client *client = nic->vtime;

	if (torus_likely(!client) || client->state != TORUS_VTIME_WAITS ||
	    !(client->wants >> what & 1))
		return;
	torus_store(&client->woken[what], 1);
	d->woke = true;
}

/**
 * torus_vtime_client_orphan() - replace the client of a group whose program has left
 * @f: the fabric, locked
 * @node: index of the node
 * @group: FIFO group, after torus_nic_leave(), with all its packets pulled
 *
 * The tick at which the program's file is closed depends on the scheduler, so the network must not
 * depend on it. Therefore a client that discards all packets keeps the group until
 * torus_vtime_client_free_orphans().
 */
void torus_vtime_client_orphan(struct torus_fabric *f, u32 node, u32 group);

/* Detach all orphaned groups (fabric locked). */
void torus_vtime_client_free_orphans(struct torus_fabric *f);

#endif /* TORUS_CORE_NIC_VTIME_CLIENT_H */
