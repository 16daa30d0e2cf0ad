// SPDX-License-Identifier: GPL-2.0
/*
 * Pause and resume a fabric.
 *
 * While a fabric is paused, neither its leader nor a doorbell call runs it or polls its rings, so
 * the leader sleeps. Doorbells are ignored: after the pause, the leader polls all rings. Requests
 * work as always: each locks the engine, and needs no leader.
 *
 * Limits of real time (drain_ms, virtual_stall_ms, the watchdog) are counted in jiffies without
 * pauses, see torus_pause_jiffies().
 */
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/string.h>

#include "client.h"
#include "engine.h"
#include "events.h"
#include "pause.h"

/**
 * torus_pause_jiffies() - read the real time that counts for a fabric
 * @e: the engine, locked
 *
 * Return: jiffies without those for which the fabric was paused. Compare it only with other results
 * for the same engine.
 */
unsigned long torus_pause_jiffies(const struct torus_engine *e)
{
	return (e->paused ? e->pause.since : jiffies) - e->pause.before;
}

/**
 * torus_pause_begin() - pause a fabric for the calling process, or take over its pause
 * @e: the engine, locked
 * @why: reason why the fabric has stopped, until torus_pause_report(); copied
 *
 * The caller kicks the leader after it has unlocked the engine: a leader that sleeps because of
 * rx_stall must not advance the clock after its sleep.
 */
void torus_pause_begin(struct torus_engine *e, const char *why)
{
	lockdep_assert_held(&e->lock.mutex);
	strscpy(e->pause.why, why, sizeof(e->pause.why));
	if (e->paused)
		torus_group_owner_put(&e->pause.by);
	torus_group_owner_take(&e->pause.by);
	if (e->paused)
		return;
	e->pause.since = jiffies;
	e->pause.count++;
	e->paused = true;
	/* ATTACH must not wait for a group that is given back only after the pause. */
	torus_engine_wake_attach(e);
}

/**
 * torus_pause_report() - report to listeners that a paused fabric has stopped
 * @e: the engine, locked; its fabric is paused
 * @why: reason, also for later requests; copied
 */
void torus_pause_report(struct torus_engine *e, const char *why)
{
	lockdep_assert_held(&e->lock.mutex);
	strscpy(e->pause.why, why, sizeof(e->pause.why));
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_FABRIC_PAUSE,
		.owner = &e->pause.by,
		.text = e->pause.why,
	});
}

/**
 * torus_pause_end() - let a paused fabric run again
 * @e: the engine, locked; the caller kicks the leader after it has unlocked the engine
 */
void torus_pause_end(struct torus_engine *e)
{
	lockdep_assert_held(&e->lock.mutex);
	e->pause.before += jiffies - e->pause.since;
	e->paused = false;
	torus_group_owner_put(&e->pause.by);
}
