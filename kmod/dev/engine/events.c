// SPDX-License-Identifier: GPL-2.0
/* Events of a fabric: pass them to the notifier, which sends them to listeners. */
#include <linux/lockdep.h>

#include "core/run/fabric.h"
#include "engine.h"
#include "events.h"
#include "interrupts.h"

static torus_event_notifier_t *torus_event_notifier;

/**
 * torus_event_set_notifier() - name the function that reports events to listeners
 * @notifier: the function; called before the first fabric is added, and never replaced
 */
void torus_event_set_notifier(torus_event_notifier_t *notifier)
{
	torus_event_notifier = notifier;
}

/**
 * torus_event_send() - report an event to the listeners in the fabric's namespace
 * @e: the fabric's engine, not locked: the fabric was just added or deleted
 * @note: the event
 *
 * Delivery is not guaranteed: a listener whose socket buffer is full gets ENOBUFS, as always with
 * multicast.
 */
void torus_event_send(const struct torus_engine *e, const struct torus_event_note *note)
{
	torus_event_notifier(e, note, NULL, GFP_KERNEL);
}

/**
 * torus_event_send_locked() - report an event with its tick to the listeners in the namespace
 * @e: the fabric's engine, locked
 * @note: the event; without a clock, it gets the fabric's, and noted interrupts are sent first
 */
void torus_event_send_locked(struct torus_engine *e, const struct torus_event_note *note)
{
	u64 clock = torus_fabric_clock(e->fabric);

	lockdep_assert_held(&e->lock.mutex);
	if (!note->clock)
		torus_interrupts_flush(e);
	/*
	 * Do not sleep for memory while the engine is locked: a program at the processor limit of
	 * its cgroup could be kept from running here, and all other users of the fabric with it.
	 */
	torus_event_notifier(e, note, note->clock ?: &clock, GFP_ATOMIC);
}
