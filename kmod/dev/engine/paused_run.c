// SPDX-License-Identifier: GPL-2.0
/*
 * Runs of a paused fabric.
 *
 * The request of a client runs the fabric for a bounded piece, with the engine locked, and in place
 * of the leader. The client repeats the request until the run has ended. So no thread needs to be
 * stopped when the client leaves: the fabric stays paused.
 *
 * Results do not depend on the pieces. The rings of programs are polled in each tick in which
 * anything can happen, whether a run is as long as a tick or not. The clock also moves if nothing
 * is pending.
 */
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/torus_port.h>

#include "core/base/node_number.h"
#include "core/port/machine_registers.h"
#include "core/port/registers.h"
#include "core/run/virtual_time.h"
#include "core/run/windows.h"
#include "core/state/interrupt.h"
#include "dev/base/params.h"
#include "client.h"
#include "engine.h"
#include "interrupts.h"
#include "leader.h"
#include "pause.h"
#include "paused_run.h"
#include "routes.h"

/* Duration of a piece, comparable to a piece of a workload, and events after which it ends. */
#define TORUS_PAUSED_RUN_NS		(4 * NSEC_PER_MSEC)
#define TORUS_PAUSED_RUN_RECORDS	1024u
/* Windows of a run of the core, if events are not recorded and the core notes the stop event. */
#define TORUS_PAUSED_RUN_WINDOWS	64u
/* Maximum duration of a request that waits for a program. */
#define TORUS_PAUSED_RUN_WAIT		(HZ / 20)

/* Set up the runs of a new engine. */
void torus_paused_run_init(struct torus_engine *e)
{
	torus_packet_records_init(&e->run.records);
	torus_stop_notes_init(&e->run.notes);
	init_waitqueue_head(&e->run.wait);
}

/**
 * torus_paused_run_begin() - begin a run
 * @e: the engine, locked; its fabric is paused, has not failed and has no run in progress
 * @portid: port of the client's socket
 * @until: tick at which the run ends, not before the clock; or TORUS_PAUSED_RUN_NO_TICK
 * @stop: event after whose tick the run ends; no events: none. Its nodes are taken over
 * @reg: accesses to registers that count, if this event is an access
 * @recorded: record the events of packets
 */
void torus_paused_run_begin(struct torus_engine *e, u32 portid, u64 until,
			    const struct torus_stop *stop, const struct torus_stop_register *reg,
			    bool recorded)
{
	struct torus_paused_run *run = &e->run;

	lockdep_assert_held(&e->lock.mutex);
	WRITE_ONCE(run->portid, portid);
	run->state = TORUS_PAUSED_RUN_MORE;
	run->until = until;
	run->stop = *stop;
	run->recorded = recorded;
	torus_stop_notes_begin(&run->notes, stop, reg);
}

/* Called by the task that has locked the engine. Without records, the hook serves a stop event. */
static void paused_run_event(struct torus_engine *e, const struct torus_domain *d, u32 what,
			     u32 node, u32 dir, u32 vc, u64 about, const struct torus_packet *p)
{
	if (e->run.recorded)
		torus_packet_records_add(e, &e->run.records, d, what, node, dir, vc, about, p);
}

/* Check whether anything is polled between two runs: rings, or ports. */
static bool paused_run_polls(const struct torus_engine *e)
{
	return e->clients.attached || e->gates.files || e->ports.bound;
}

/*
 * Return the tick before which the next run of the core ends: if rings or ports are polled, one
 * tick after the first pending event. Nothing changes in the ticks before this event.
 */
static u64 paused_run_until(const struct torus_engine *e)
{
	u64 clock = torus_fabric_clock(e->fabric);
	u64 until = e->run.until == TORUS_PAUSED_RUN_NO_TICK ? clock + TORUS_VTIME_STEP_MAX :
							       e->run.until;
	u64 next = paused_run_polls(e) ? torus_fabric_next(e->fabric) : until;

	return next >= until ? until : max(next, clock) + 1;
}

/*
 * Return the windows of a run of the core: one, if events are recorded, or if events that the core
 * does not note may end the run.
 */
static u64 paused_run_windows(const struct torus_engine *e)
{
	return e->run.recorded || e->run.notes.events ? 1 : TORUS_PAUSED_RUN_WINDOWS;
}

static enum torus_paused_run_state paused_run_free(struct torus_engine *e)
{
	u64 windows = paused_run_windows(e);
	bool through = e->run.until != TORUS_PAUSED_RUN_NO_TICK;
	struct torus_fabric *f = e->fabric;
	enum torus_run run;

	torus_leader_poll(e);
	run = torus_fabric_run_through(f, paused_run_until(e), windows, through);
	if (run == TORUS_RUN_FAILED) {
		torus_leader_fail(e);
		return TORUS_PAUSED_RUN_FAILED;
	}
	e->state = torus_fabric_in_flight(f) ? TORUS_FABRIC_RUNNING : TORUS_FABRIC_IDLE;
	return run == TORUS_RUN_IDLE ? TORUS_PAUSED_RUN_NOTHING : TORUS_PAUSED_RUN_MORE;
}

static enum torus_paused_run_state paused_run_workload(struct torus_engine *e)
{
	u64 windows = paused_run_windows(e);
	struct torus_fabric *f = e->fabric;
	bool more;

	torus_trace_poll(e);
	if (e->run.until != TORUS_PAUSED_RUN_NO_TICK)
		torus_traffic_pause(f, e->run.until);
	more = torus_traffic_step(f, windows, 1);
	torus_traffic_pause(f, 0);
	if (more)
		return TORUS_PAUSED_RUN_MORE;
	torus_leader_conclude(e);
	return TORUS_PAUSED_RUN_WORKLOAD;
}

static enum torus_paused_run_state paused_run_virtual(struct torus_engine *e)
{
	struct torus_fabric *f = e->fabric;
	u64 ticks = torus_fabric_pending(f) ? 8 * torus_param_poll_ticks() : TORUS_VTIME_STEP_MAX;

	torus_leader_poll(e);
	if (!torus_vtime_started(f))
		return TORUS_PAUSED_RUN_PROGRAMS;
	if (e->run.notes.events && torus_fabric_pending(f))
		ticks = 1;
	if (e->run.until != TORUS_PAUSED_RUN_NO_TICK)
		ticks = min(ticks, e->run.until - torus_fabric_clock(f));
	switch (torus_leader_run_virtual(e, ticks)) {
	case TORUS_LEADER_MOVED:
		return TORUS_PAUSED_RUN_MORE;
	case TORUS_LEADER_COMPUTES:
		return TORUS_PAUSED_RUN_WAITS;
	case TORUS_LEADER_RESTS:
		break;
	}
	if (e->state == TORUS_FABRIC_FAILED)
		return TORUS_PAUSED_RUN_FAILED;
	if (e->run.until == TORUS_PAUSED_RUN_NO_TICK)
		return TORUS_PAUSED_RUN_NOTHING;
	/* No program runs, and no event is due: the clock moves alone. */
	torus_fabric_idle_advance(f, ticks);
	return TORUS_PAUSED_RUN_MORE;
}

/* Run the fabric for a moment. Return: the new state of the run. */
static enum torus_paused_run_state paused_run_some(struct torus_engine *e)
{
	enum torus_paused_run_state state;

	/* Between two pieces, an accessor of registers may have met the condition. */
	if (torus_stop_notes_met(&e->run.notes, &e->run.stopped))
		return TORUS_PAUSED_RUN_EVENT;
	/* Another request may have stopped the workload between two pieces. */
	if (e->state == TORUS_FABRIC_FAILED)
		return TORUS_PAUSED_RUN_FAILED;
	if (e->workload.state == TORUS_TRAFFIC_DONE)
		return TORUS_PAUSED_RUN_WORKLOAD;
	if (e->workload.state == TORUS_TRAFFIC_RUNNING)
		state = paused_run_workload(e);
	else if (e->vtime.enabled)
		state = paused_run_virtual(e);
	else
		state = paused_run_free(e);
	if (state == TORUS_PAUSED_RUN_FAILED)
		return state;
	if (torus_stop_met(e->fabric, &e->run.stopped)) {
		e->run.stopped.cause = TORUS_CAUSE_KIND(e->run.stopped.cause);
		return TORUS_PAUSED_RUN_EVENT;
	}
	if (torus_stop_notes_met(&e->run.notes, &e->run.stopped))
		return TORUS_PAUSED_RUN_EVENT;
	if (torus_fabric_clock(e->fabric) >= e->run.until)
		return TORUS_PAUSED_RUN_TICK;
	return state;
}

/* After a piece: do for programs and observers what the leader does after its runs. */
static void paused_run_publish(struct torus_engine *e)
{
	e->wakeups.defer = false;
	e->watchdog.checked = false;
	torus_routes_count(e);
	torus_trace_flush(e);
	torus_interrupts_report(e);
	torus_engine_publish_all(e, true);
	if (e->wakeups.pending)
		torus_engine_wake(e, false);
}

/**
 * torus_paused_run_piece() - continue a run for a few milliseconds
 * @e: the engine, locked, with a run in progress and no recorded events left
 *
 * The result is in e->run.state. In TORUS_PAUSED_RUN_WAITS, torus_paused_run_wait() can follow.
 */
void torus_paused_run_piece(struct torus_engine *e)
{
	struct torus_paused_run *run = &e->run;
	u64 since = ktime_get_ns();

	lockdep_assert_held(&e->lock.mutex);
	if (torus_fabric_clock(e->fabric) >= run->until) {
		run->state = TORUS_PAUSED_RUN_TICK;
		return;
	}
	if (run->recorded || run->stop.events)
		e->trace.record = paused_run_event;
	if (run->stop.events)
		torus_stop_set(e->fabric, &run->stop);
	e->wakeups.defer = !e->vtime.enabled;
	do {
		run->state = paused_run_some(e);
		cond_resched();
	} while (run->state == TORUS_PAUSED_RUN_MORE &&
		 run->records.count < TORUS_PAUSED_RUN_RECORDS && !signal_pending(current) &&
		 ktime_get_ns() - since < TORUS_PAUSED_RUN_NS);
	torus_stop_set(e->fabric, NULL);
	e->trace.record = NULL;
	torus_trace_poll(e);
	paused_run_publish(e);
}

/**
 * torus_paused_run_wait() - wait until a program may have moved its virtual clock
 * @e: the engine, locked; unlocked meanwhile
 *
 * Return: 0 also after a moment, or for a signal; -ENODEV if the fabric was deleted. The engine is
 * locked in both cases.
 */
int torus_paused_run_wait(struct torus_engine *e)
{
	u32 stirs = e->run.stirs;

	torus_engine_unlock(e);
	wait_event_interruptible_timeout(e->run.wait, READ_ONCE(e->run.stirs) != stirs,
					 TORUS_PAUSED_RUN_WAIT);
	torus_engine_lock_always(e);
	return e->fabric ? 0 : -ENODEV;
}

/* Wake a client that waits for a program: the leader was woken. The engine is locked. */
void torus_paused_run_stir(struct torus_engine *e)
{
	WRITE_ONCE(e->run.stirs, e->run.stirs + 1);
	/* wq_has_sleeper()'s barrier pairs with the one in prepare_to_wait(). */
	if (wq_has_sleeper(&e->run.wait))
		wake_up_all(&e->run.wait);
}

/**
 * torus_paused_run_register() - the name of the register whose access has ended a run
 * @e: the engine, locked; the event of the last run was an access
 *
 * Return: the name, without the index of an element; "" if the register has none.
 */
const char *torus_paused_run_register(const struct torus_engine *e)
{
	u32 offset = e->run.notes.offset;
	const struct torus_reg *reg;

	if (offset >= TORUS_PORT_MACHINE_BYTES)
		return torus_port_register_name(offset);
	reg = torus_machine_register(e->arch, offset / 4);
	return reg ? reg->name : "";
}

/* Describe the event that has ended a run. */
static void paused_run_event_text(const struct torus_engine *e, char *text, size_t size)
{
	const struct torus_stopped *stopped = &e->run.stopped;
	const char *name = torus_stop_name(stopped->event);
	u32 node = torus_node_number(&e->geo, stopped->node);

	if (stopped->event == TORUS_STOP_INTERRUPT)
		scnprintf(text, size, "event %s %s at node %u", name,
			  torus_stop_cause_name(stopped->cause), node);
	else if (stopped->event == TORUS_STOP_ACCESS)
		scnprintf(text, size, "event %s %s=0x%x at node %u", name,
			  torus_paused_run_register(e), e->run.notes.value, node);
	else
		scnprintf(text, size, "event %s at node %u", name, node);
}

/* Describe why a run has ended. */
static void paused_run_text(const struct torus_engine *e, char *text, size_t size)
{
	static const char * const reasons[] = {
		[TORUS_PAUSED_RUN_NOTHING] = "nothing is pending",
		[TORUS_PAUSED_RUN_WORKLOAD] = "the workload has ended",
		[TORUS_PAUSED_RUN_PROGRAMS] = "virtual time has not started: programs are missing",
		[TORUS_PAUSED_RUN_FAILED] = "out of memory",
		[TORUS_PAUSED_RUN_LEFT] = "the run was interrupted",
	};

	if (e->run.state == TORUS_PAUSED_RUN_TICK)
		scnprintf(text, size, "tick %llu is reached", e->run.until);
	else if (e->run.state == TORUS_PAUSED_RUN_EVENT)
		paused_run_event_text(e, text, size);
	else
		strscpy(text, reasons[e->run.state], size);
}

/* Free the memory of a run. The engine is locked; the fabric may be about to be deleted. */
void torus_paused_run_drop(struct torus_engine *e)
{
	lockdep_assert_held(&e->lock.mutex);
	torus_packet_records_free(&e->run.records);
	torus_stop_notes_end(&e->run.notes);
	kvfree(e->run.stop.nodes);
	e->run.stop = (struct torus_stop){ .events = 0 };
	WRITE_ONCE(e->run.portid, 0);
	torus_paused_run_stir(e);
}

/**
 * torus_paused_run_end() - end a run, and report why; the fabric stays paused
 * @e: the engine, locked, with a run whose state says that it has ended
 */
void torus_paused_run_end(struct torus_engine *e)
{
	char text[TORUS_PAUSE_TEXT];

	paused_run_text(e, text, sizeof(text));
	torus_paused_run_drop(e);
	torus_pause_report(e, text);
}

/**
 * torus_paused_run_leave() - end the run of a socket that was closed
 * @e: the engine, not locked
 * @portid: port of the socket
 */
void torus_paused_run_leave(struct torus_engine *e, u32 portid)
{
	if (READ_ONCE(e->run.portid) != portid || torus_engine_lock(e))
		return;
	if (e->run.portid == portid) {
		e->run.state = TORUS_PAUSED_RUN_LEFT;
		torus_paused_run_end(e);
	}
	torus_engine_unlock(e);
}
