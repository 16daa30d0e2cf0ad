/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of a program in virtual time (core/run/programs.h).  What a program with clock c
 * sees of the fabric is what is there when every tick before c is over and none behind it has
 * begun; what arrives in tick t is seen from t + 1 on.
 */
#ifndef TORUS_CORE_CLOCK_H
#define TORUS_CORE_CLOCK_H

#include "core/nic/group.h"
#include "core/state/domain.h"

enum torus_clock_state {
	TORUS_CLOCK_RUNS,	/* the program computes: it may act at @now and behind */
	TORUS_CLOCK_LOOKS,	/* it waits until every tick before @now is over */
	TORUS_CLOCK_WAITS,	/* for what it wants to happen, or for @until */
	TORUS_CLOCK_LEAVES,	/* it leaves at @now */
	TORUS_CLOCK_GONE,
};

/* What a program may wait for; in masks a bit each. */
enum torus_happening {
	TORUS_HAPPENS_ARRIVAL,	/* a packet in a reception ring */
	TORUS_HAPPENS_ROOM,	/* a packet was taken from an injection ring */
	TORUS_HAPPENS_NOTICE,	/* word of packets that it has sent */
	TORUS_HAPPENINGS,
};

#define TORUS_WANT_ARRIVAL	(1u << TORUS_HAPPENS_ARRIVAL)
#define TORUS_WANT_ROOM		(1u << TORUS_HAPPENS_ROOM)
#define TORUS_WANT_NOTICE	(1u << TORUS_HAPPENS_NOTICE)

struct torus_clock;

/**
 * struct torus_clock_ops - what the owner of a clock does; the fabric is held, at rest
 * @look: every tick before the clock's is over: what the program has read until now is known
 *        to its rings from here on; @got is what has happened while it waited.  Return what it
 *        wants that is there, TORUS_WANT_*; with none it waits on
 * @resume: the program may go on, at the clock's tick
 * @leave: the program leaves in this tick: torus_nic_leave() for each of its groups
 */
struct torus_clock_ops {
	u32 (*look)(struct torus_clock *clock);
	void (*resume)(struct torus_clock *clock);
	void (*leave)(struct torus_clock *clock);
};

/**
 * struct torus_clock - a program's
 * @ops: its owner's
 * @next: of the fabric's
 * @state: enum torus_clock_state
 * @wants: TORUS_WANT_*; 0: it only looks
 * @now: ticks; never less than before
 * @until: WAITS: tick at which it waits no longer, ~0: none
 * @got: what it wanted and has happened; 0: its time was up
 * @woken: set within a run by the threads that run its nodes: what has happened
 * @read: it has looked since the fabric went on: its rings may have room
 */
struct torus_clock {
	const struct torus_clock_ops *ops;
	struct torus_clock *next;
	u32 state;
	u32 wants;
	u64 now;
	u64 until;
	u32 got;
	u8 woken[TORUS_HAPPENINGS];
	bool read;
};

/*
 * Something has happened at a group.  If its program waits for that, the run ends with this
 * tick: nothing may get ahead of what the program does next.
 */
torus_inline void torus_clock_happened(struct torus_domain *d, const struct torus_nic *nic,
				       u32 what)
{
	struct torus_clock *clock = nic->clock;

	if (torus_likely(!clock) || clock->state != TORUS_CLOCK_WAITS ||
	    !(clock->wants >> what & 1))
		return;
	torus_store(&clock->woken[what], 1);
	d->woke = true;
}

/**
 * torus_clock_forsake() - the client of a group that was left is no more
 * @f: the fabric, held
 * @node: number of the node
 * @group: FIFO group, behind torus_nic_leave(), with nothing left to be pulled
 *
 * When it is no more is a matter of chance.  So nothing changes: the group is held by nobody
 * in particular, who reads nothing, until torus_clock_reset().
 */
void torus_clock_forsake(struct torus_fabric *f, u32 node, u32 group);

/* Groups that were forsaken are free (held). */
void torus_clock_reset(struct torus_fabric *f);

#endif /* TORUS_CORE_CLOCK_H */
