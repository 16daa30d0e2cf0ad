// SPDX-License-Identifier: GPL-2.0
/* Find packets that do not move, and report why: a deadlock, parked links, dead links. */
#include <linux/bits.h>
#include <linux/jiffies.h>
#include <linux/sched.h>

#include "core/nic/completion_report.h"
#include "core/run/watchdog.h"
#include "engine.h"
#include "events.h"
#include "pause.h"
#include "watch.h"

/* Time between two reports of packets that dead links block, while other packets move. */
#define TORUS_WAITING_PERIOD	HZ

/* Report parked links, whose senders have given up, that were not reported yet. */
static void watch_report_parked(struct torus_engine *e)
{
	u32 dirs = torus_fabric_dirs(e->fabric);
	struct torus_link_view view;
	u32 node, dir;

	for (node = 0; node < e->geo.nodes; node++) {
		for (dir = 0; dir < dirs; dir++) {
			torus_link_view(e->fabric, node, dir, &view);
			if (view.peer == TORUS_NONE || !view.parked) {
				e->watchdog.parked[node] &= ~BIT(dir);
				continue;
			}
			if (e->watchdog.parked[node] & BIT(dir))
				continue;
			e->watchdog.parked[node] |= BIT(dir);
			torus_event_send_locked(e, &(struct torus_event_note){
				.event = TORUS_EVENT_LINK_PARKED,
				.node = &node,
				.dir = &dir,
			});
		}
		if (!(node & 0xff))
			cond_resched();
	}
}

/**
 * torus_watch_check() - find out why packets in flight do not move
 * @e: the engine, locked
 *
 * Reports a deadlock, parked links and blocked packets. If the check runs out of memory, it is
 * repeated after another watchdog period.
 */
void torus_watch_check(struct torus_engine *e)
{
	int verdict = torus_watchdog_check(e->fabric, &e->watchdog.cycle);
	u32 was = e->state;

	e->watchdog.rest_since = torus_pause_jiffies(e);
	if (verdict < 0)
		return;
	e->watchdog.checked = true;
	e->state = verdict == TORUS_VERDICT_DEADLOCK ? TORUS_FABRIC_DEADLOCKED :
						       TORUS_FABRIC_WAITING;
	if (e->state == TORUS_FABRIC_DEADLOCKED && was != TORUS_FABRIC_DEADLOCKED)
		torus_event_send_locked(e, &(struct torus_event_note){
			.event = TORUS_EVENT_WATCHDOG,
			.text = e->watchdog.cycle.text,
		});
	watch_report_parked(e);
	torus_completions_report_blocked(e->fabric);
}

/**
 * torus_watch_report_blocked() - report packets that dead links block in a fabric that never rests
 * @e: the engine, locked
 *
 * Does nothing if the last report is not TORUS_WAITING_PERIOD old.
 */
void torus_watch_report_blocked(struct torus_engine *e)
{
	unsigned long now = torus_pause_jiffies(e);

	if (time_before(now, e->watchdog.waiting_reported + TORUS_WAITING_PERIOD))
		return;
	e->watchdog.waiting_reported = now;
	torus_completions_report_blocked(e->fabric);
}
