// SPDX-License-Identifier: GPL-2.0
/*
 * The clocks of an engine in virtual time, those of processes (process.c) and those of drivers
 * (dev/port/lockstep.c): run the fabric by them, find one that stalls.
 */
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/minmax.h>

#include "dev/base/params.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "dev/engine/leader.h"
#include "dev/engine/pause.h"
#include "clock.h"

#define TORUS_STALL_TEXT	160

/**
 * torus_clock_add() - add a clock; virtual time starts with the last one
 * @e: the engine, locked
 * @clock: [out] the clock, at the tick of the fabric; must exist until torus_vtime_client_remove()
 * @ops: operations of its owner
 * @why: [out] reason of a failure
 *
 * Return: 0; -ETIME if virtual time has started.
 */
int torus_clock_add(struct torus_engine *e, struct torus_engine_clock *clock,
		    const struct torus_vtime_client_ops *ops, struct torus_error *why)
{
	int err = torus_vtime_client_add(e->fabric, &clock->core, ops, why);

	if (!err && torus_vtime_started(e->fabric))
		e->vtime.since = torus_pause_jiffies(e);
	return err;
}

/* Note that a clock has moved, or that its owner can continue. The engine is locked. */
void torus_clock_moved(struct torus_engine *e, struct torus_engine_clock *clock)
{
	clock->moved = torus_pause_jiffies(e);
	clock->named = false;
}

/**
 * torus_clock_last() - find the program or driver that virtual time waits for
 * @e: the engine, locked
 *
 * Return: a client of the running program or driver with the smallest clock; NULL if virtual time
 * has not started, or if all wait.
 */
struct torus_engine_client *torus_clock_last(struct torus_engine *e)
{
	struct torus_engine_client *client, *last = NULL;

	if (!torus_vtime_started(e->fabric))
		return NULL;
	list_for_each_entry(client, &e->clients.list, link) {
		if (!client->clock || client->draining ||
		    client->clock->core.state != TORUS_VTIME_RUNS)
			continue;
		if (!last || client->clock->core.now < last->clock->core.now)
			last = client;
	}
	return last;
}

/* Return the time since which a clock delays the others: never before virtual time starts. */
static unsigned long torus_clock_since(const struct torus_engine *e,
				       const struct torus_engine_clock *clock)
{
	return time_after(e->vtime.since, clock->moved) ? e->vtime.since : clock->moved;
}

/*
 * Return milliseconds since a clock last moved; time before the start of virtual time does not
 * count. The engine is locked.
 */
u64 torus_clock_stalled_ms(struct torus_engine *e, const struct torus_engine_clock *clock)
{
	return jiffies_to_msecs(torus_pause_jiffies(e) - torus_clock_since(e, clock));
}

static void torus_clock_report_deadlock(struct torus_engine *e)
{
	char text[TORUS_STALL_TEXT];

	e->vtime.stalled = true;
	scnprintf(text, sizeof(text), "all programs wait without a time-out, and %s",
		  torus_fabric_in_flight(e->fabric) ? "no packet in flight can move" :
						      "no packet is in flight");
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_STALL,
		.text = text,
	});
}

static void torus_clock_report_stall(struct torus_engine *e, struct torus_engine_client *client)
{
	char text[TORUS_STALL_TEXT];

	client->clock->named = true;
	if (client->process)
		scnprintf(text, sizeof(text),
			  "the clock has stopped at tick %llu: program %s does not advance its "
			  "clock and does not wait", client->clock->core.now,
			  client->owner.command);
	else
		scnprintf(text, sizeof(text),
			  "the clock has stopped at tick %llu: driver %s does not end its episode",
			  client->clock->core.now, client->owner.command);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_STALL,
		.node = &client->node,
		.group = &client->group,
		.owner = &client->owner,
		.text = text,
	});
}

/* Implement torus_vtime_ops.run. The engine's state reports a lack of memory. */
static bool torus_clock_run(struct torus_engine *e, u64 ticks)
{
	switch (torus_vtime_step(e->fabric, ticks)) {
	case TORUS_VTIME_MOVED:
		e->vtime.stalled = false;
		e->state = TORUS_FABRIC_RUNNING;
		return true;
	case TORUS_VTIME_COMPUTE:
		e->state = torus_fabric_in_flight(e->fabric) ? TORUS_FABRIC_RUNNING :
							       TORUS_FABRIC_IDLE;
		return false;
	case TORUS_VTIME_DEADLOCK:
		e->state = TORUS_FABRIC_DEADLOCKED;
		if (!e->vtime.stalled)
			torus_clock_report_deadlock(e);
		return false;
	case TORUS_VTIME_FAILED:
		break;
	}
	e->state = TORUS_FABRIC_FAILED;
	return false;
}

/* Implement torus_vtime_ops.computes. */
static bool torus_clock_computes(struct torus_engine *e)
{
	return torus_clock_last(e);
}

/* Implement torus_vtime_ops.rest: report a program or driver that stalls virtual time. */
static long torus_clock_rest(struct torus_engine *e, long timeout)
{
	unsigned long due, now = torus_pause_jiffies(e);
	struct torus_engine_client *client;

	client = torus_clock_last(e);
	if (!client || client->clock->named)
		return timeout;
	due = torus_clock_since(e, client->clock) + torus_param_virtual_stall_jiffies();
	if (time_before(now, due))
		return clamp_t(long, due - now, 1, timeout);
	torus_clock_report_stall(e, client);
	return timeout;
}

const struct torus_vtime_ops torus_clock_vtime_ops = {
	.run = torus_clock_run,
	.computes = torus_clock_computes,
	.rest = torus_clock_rest,
};
