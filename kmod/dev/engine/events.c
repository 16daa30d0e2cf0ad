// SPDX-License-Identifier: GPL-2.0
/* Events of a fabric, which a notifier passes on to listeners. */
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
 * @e: the fabric's engine, not held: a fabric that has just come or gone
 * @note: what happened
 *
 * Nobody can rely on hearing everything: a listener whose buffer is full gets
 * ENOBUFS, as always with multicast.
 */
void torus_event_send(const struct torus_engine *e, const struct torus_event_note *note)
{
	torus_event_notifier(e, note, NULL, GFP_KERNEL);
}

/**
 * torus_event_send_locked() - the same, with the tick when it happened
 * @e: the fabric's engine, held
 * @note: what happened
 */
void torus_event_send_locked(struct torus_engine *e, const struct torus_event_note *note)
{
	u64 clock = torus_fabric_clock(e->fabric);

	lockdep_assert_held(&e->lock.mutex);
	if (!note->clock)
		torus_interrupts_flush(e);
	/*
	 * An event is no reason to sleep while the fabric is held: a program that is at its limit
	 * of processor time would be kept from going on there, and everybody else with it.
	 */
	torus_event_notifier(e, note, note->clock ?: &clock, GFP_ATOMIC);
}
