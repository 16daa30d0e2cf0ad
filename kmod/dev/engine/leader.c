// SPDX-License-Identifier: GPL-2.0
/*
 * The threads of an engine: a leader, which polls the rings and runs the fabric, and its workers.
 *
 * The leader polls the rings, runs the fabric for a number of ticks, and starts again. If it has
 * nothing to do, it spins for a moment, yields the processor a few times, and then sleeps until it
 * is kicked. Before it sleeps, it sets TORUS_STATUS_DOORBELL in the status pages: from then on,
 * programs must ring. Barrier (E) of <linux/torus.h> orders the store of this flag before the last
 * poll of the rings; barrier (F) is in user/lib. A doorbell that arrives before the leader sleeps
 * is not lost: @kicked is cleared before the flag is set.
 *
 * A task that changes a fabric in another way (attach, detach, netlink) locks the engine, and kicks
 * the leader after it has unlocked it.
 *
 * Workers take part in a run only if enough packets are in flight. The results are the same without
 * them.
 */
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/stat.h>

#include "core/run/virtual_time.h"
#include "core/run/windows.h"
#include "dev/base/pages.h"
#include "dev/base/params.h"
#include "client.h"
#include "engine.h"
#include "engine_lifecycle.h"
#include "events.h"
#include "leader.h"
#include "pause.h"
#include "paused_run.h"
#include "routes.h"
#include "watch.h"

/* Minimum number of packets in flight per thread before workers join a run. */
#define TORUS_SHARE_PACKETS	64

/*
 * Factor by which a run is longer with few packets in flight: a poll costs as much as some packets.
 */
#define TORUS_FEW_POLLS		8
/* Maximum of packets times ticks in a run. Other tasks wait for the engine until the run ends. */
#define TORUS_RUN_PACKET_TICKS	(1u << 22)
/*
 * With this number of events or more, runs do not get longer: each lap of the wheel takes time per
 * event.
 */
#define TORUS_FEW_EVENTS	4096

/* Steps after which the leader publishes fill levels while packets move. */
#define TORUS_PUBLISH_STEPS	8

/* Maximum windows in a piece of a workload, and the limits of the time that a piece should take. */
#define TORUS_BUDGET_MAX	1048576u
#define TORUS_PIECE_SHORT_NS	(2 * NSEC_PER_MSEC)
#define TORUS_PIECE_LONG_NS	(8ull * NSEC_PER_MSEC)

/* Time between two attempts to serve requests that wait for memory, while no packet moves. */
#define TORUS_WANTING_PERIOD	(HZ / 10)

/* Delay after which deferred wake-ups of readers follow the current run, while packets move. */
#define TORUS_WAKE_NS		(50 * NSEC_PER_USEC)

/* Limits of the leader's sleep while rx_stall applies: after each sleep the clock advances. */
#define TORUS_STALL_NS_MIN	(1 * NSEC_PER_MSEC)
#define TORUS_STALL_NS_MAX	(100 * NSEC_PER_MSEC)

static const struct torus_vtime_ops *torus_leader_vtime;

/**
 * torus_leader_set_vtime() - name the operations of virtual time
 * @ops: the operations; called before the first fabric is added, and never replaced
 */
void torus_leader_set_vtime(const struct torus_vtime_ops *ops)
{
	torus_leader_vtime = ops;
}

/* ----------------------------------------------------------------- running */

/*
 * Have the workers join the next run, unless it has too few packets for them. Return: the number of
 * threads to pass to this run.
 */
static u32 torus_leader_call_workers(struct torus_engine *e, u64 packets)
{
	if (e->threads.count == 1 || packets < (u64)e->threads.count * TORUS_SHARE_PACKETS)
		return 1;
	/* Pairs with torus_engine_worker_thread(). */
	smp_store_release(&e->threads.runs, e->threads.runs + 1);
	wake_up_all(&e->threads.work);
	return e->threads.count;
}

/**
 * torus_engine_worker_thread() - run a worker, until the engine stops it
 * @data: its engine
 *
 * Return: 0.
 */
int torus_engine_worker_thread(void *data)
{
	struct torus_engine *e = data;
	u32 index, seen = 0;

	for (index = 1; e->threads.workers[index] != current;)
		index++;
	for (;;) {
		wait_event_idle(e->threads.work, READ_ONCE(e->threads.runs) != seen ||
				kthread_should_stop());
		/* Pairs with torus_leader_call_workers(). */
		if (smp_load_acquire(&e->threads.runs) == seen)
			return 0;
		seen++;
		/* A run has begun: the fabric does not change until this worker has left it. */
		torus_fabric_work(READ_ONCE(e->fabric), index);
		/* Pairs with torus_engine_exchange(). */
		atomic_fetch_inc_release(&e->threads.left);
	}
}

/* Packets moved: mark the fabric as running, and discard the watchdog's findings. */
static void torus_leader_moved(struct torus_engine *e)
{
	e->state = TORUS_FABRIC_RUNNING;
	e->watchdog.checked = false;
	e->watchdog.rest_since = torus_pause_jiffies(e);
}

/**
 * torus_leader_poll() - poll the rings of all clients, and the ports that request it
 * @e: the engine, locked
 *
 * In virtual time, rings are not polled: draining clients are retired, and drivers continue.
 *
 * Return: true if a packet was taken, or a client is gone.
 */
bool torus_leader_poll(struct torus_engine *e)
{
	bool moved;

	torus_trace_poll(e);
	/* In virtual time, TORUS_IOC_CLOCK reveals the contents of a ring. */
	if (e->vtime.enabled) {
		torus_port_slots_poll(e);
		return torus_engine_retire(e, false);
	}
	e->steps.round++;
	torus_port_slots_poll(e);
	moved = torus_nic_poll(e->fabric);
	moved |= torus_engine_retire(e, false);
	if (moved)
		torus_leader_moved(e);
	return moved;
}

/**
 * torus_leader_look() - poll the rings of one client
 * @e: the engine, locked, not in virtual time
 * @client: the client whose rings are polled
 *
 * Return: true if a packet was taken.
 */
bool torus_leader_look(struct torus_engine *e, const struct torus_engine_client *client)
{
	torus_trace_poll(e);
	e->steps.round++;
	if (!torus_nic_look(e->fabric, client->node, client->group))
		return false;
	torus_leader_moved(e);
	return true;
}

/*
 * Publish the clock after each step. Fill levels cost more: publish them in virtual time, when no
 * packet moved, or after TORUS_PUBLISH_STEPS steps.
 */
static void torus_leader_publish_some(struct torus_engine *e, bool moved)
{
	if (e->vtime.enabled || !moved || ++e->steps.unpublished >= TORUS_PUBLISH_STEPS) {
		e->steps.unpublished = 0;
		torus_engine_publish_all(e, false);
		return;
	}
	torus_engine_tick(e);
}

/**
 * torus_leader_fail() - stop a fabric that has no memory left, and report that
 * @e: the engine, locked
 */
void torus_leader_fail(struct torus_engine *e)
{
	WRITE_ONCE(e->state, TORUS_FABRIC_FAILED);
	torus_engine_fail(e);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_WATCHDOG,
		.text = "out of memory: the fabric has stopped until it is reset",
	});
}

/**
 * torus_leader_run_virtual() - run a fabric in virtual time as far as the clocks permit
 * @e: the engine, locked
 * @ticks: maximum number of ticks
 *
 * Return: enum torus_leader_virtual.
 */
enum torus_leader_virtual torus_leader_run_virtual(struct torus_engine *e, u64 ticks)
{
	bool moved = torus_leader_vtime->run(e, ticks);

	if (e->state == TORUS_FABRIC_FAILED) {
		torus_leader_fail(e);
		return TORUS_LEADER_RESTS;
	}
	if (moved)
		return TORUS_LEADER_MOVED;
	return torus_leader_vtime->computes(e) ? TORUS_LEADER_COMPUTES : TORUS_LEADER_RESTS;
}

/* Virtual time: run as far as the clocks permit, but not for so long that other tasks wait. */
static bool torus_leader_run_programs(struct torus_engine *e)
{
	/* If no event is left, a single step leads to the next tick at which a program acts. */
	u64 ticks = torus_fabric_pending(e->fabric) ? 8 * torus_param_poll_ticks() :
						      TORUS_VTIME_STEP_MAX;

	return torus_leader_run_virtual(e, ticks) == TORUS_LEADER_MOVED;
}

/**
 * torus_leader_run() - run the fabric for a while
 * @e: the engine, locked
 *
 * With no packet in flight, only faults and sources wait for their ticks. With no event left, only
 * routing tables do. In both cases each run is twice as long as the last one, unless there are many
 * events.
 *
 * Return: true if there may be more to run.
 */
bool torus_leader_run(struct torus_engine *e)
{
	struct torus_fabric *f = e->fabric;
	u64 in_flight = torus_fabric_in_flight(f);
	u64 ticks = torus_param_poll_ticks();
	u64 from = torus_fabric_clock(f);
	enum torus_run run;

	if (e->vtime.enabled)
		return torus_leader_run_programs(e);
	if (in_flight < TORUS_FEW_PACKETS)
		ticks *= TORUS_FEW_POLLS;
	if (in_flight && torus_fabric_pending(f)) {
		e->steps.leap = 0;
		if (ticks * in_flight > TORUS_RUN_PACKET_TICKS)
			ticks = max_t(u64, div64_u64(TORUS_RUN_PACKET_TICKS, in_flight), 1);
	} else if (torus_fabric_events(f) < TORUS_FEW_EVENTS) {
		ticks <<= min(e->steps.leap++, 20u);
	}
	run = torus_fabric_run(f, from + ticks, 0, torus_leader_call_workers(e, in_flight));
	if (run == TORUS_RUN_FAILED) {
		torus_leader_fail(e);
		return false;
	}
	if (torus_fabric_clock(f) != from)
		e->watchdog.checked = false;
	if (run == TORUS_RUN_IDLE)
		return false;
	torus_leader_moved(e);
	return true;
}

/**
 * torus_leader_conclude() - note and report that the workload has ended
 * @e: the engine, locked
 *
 * If the workload has run out of memory, the fabric stops until it is reset. Otherwise, if packets
 * are left that cannot move, find out why.
 */
void torus_leader_conclude(struct torus_engine *e)
{
	e->workload.state = TORUS_TRAFFIC_DONE;
	e->state = TORUS_FABRIC_IDLE;
	if (torus_traffic_failed(e->fabric))
		torus_leader_fail(e);
	else if (!torus_fabric_pending(e->fabric) && torus_fabric_in_flight(e->fabric))
		torus_watch_check(e);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_TRAFFIC_DONE,
	});
}

/*
 * Run a piece of the core's own workload. The next piece is longer only if this one used all its
 * windows: a piece that ended with a phase of the measurement says nothing about the time that a
 * full one takes.
 */
static bool torus_leader_workload(struct torus_engine *e)
{
	struct torus_fabric *f = e->fabric;
	u64 from = ktime_get_ns();
	u32 threads = 1;
	bool more;
	u64 took;

	e->state = TORUS_FABRIC_RUNNING;
	torus_trace_poll(e);
	/* A loaded workload that has ended begins no run: workers would wait for it. */
	if (torus_traffic_runs(f))
		threads = torus_leader_call_workers(e, torus_fabric_in_flight(f));
	more = torus_traffic_step(f, e->workload.windows, threads);
	torus_trace_flush(e);
	took = ktime_get_ns() - from;
	if (took < TORUS_PIECE_SHORT_NS && torus_fabric_spent(f))
		e->workload.windows = min(e->workload.windows * 2, TORUS_BUDGET_MAX);
	else if (took > TORUS_PIECE_LONG_NS)
		e->workload.windows = max_t(u64, div64_u64(e->workload.windows *
							   TORUS_PIECE_LONG_NS, took),
					    TORUS_BUDGET_MIN);
	if (!more)
		torus_leader_conclude(e);
	return true;
}

/* Check that no leader or doorbell may run: paused, failed, or the workload has ended. */
bool torus_leader_stopped(const struct torus_engine *e)
{
	return e->paused || e->state == TORUS_FABRIC_FAILED ||
	       e->workload.state == TORUS_TRAFFIC_DONE;
}

/*
 * Wake readers after the run, if one of these holds:
 * - no packet moves any more,
 * - they have waited for TORUS_WAKE_NS,
 * - another task wants the processor.
 *
 * So a fabric that never rests delays no reader for longer than that and one run.
 */
static void torus_leader_wake_readers(struct torus_engine *e, bool moved)
{
	e->wakeups.defer = false;
	if (!e->wakeups.pending ||
	    (moved && !need_resched() && ktime_get_ns() - e->wakeups.since < TORUS_WAKE_NS))
		return;
	torus_engine_wake(e, false);
}

/* Do a piece of work, with the engine locked. Return: true if there may be more. */
static bool torus_leader_step(struct torus_engine *e)
{
	bool moved;

	torus_interrupts_report(e);
	torus_routes_count(e);
	if (torus_leader_stopped(e) || e->workload.state == TORUS_TRAFFIC_RUNNING)
		torus_leader_wake_readers(e, false);
	if (e->paused)
		torus_paused_run_stir(e);
	if (torus_leader_stopped(e))
		return torus_engine_retire(e, false);
	if (e->workload.state == TORUS_TRAFFIC_RUNNING)
		return torus_leader_workload(e);
	e->wakeups.defer = !e->vtime.enabled;
	moved = torus_leader_poll(e);
	moved |= torus_leader_run(e);
	torus_leader_wake_readers(e, moved);
	torus_trace_flush(e);
	if (!e->vtime.enabled)
		torus_watch_report_blocked(e);
	torus_leader_publish_some(e, moved);
	return moved;
}

/* ----------------------------------------------------------------- resting */

/*
 * Return rx_stall in nanoseconds, within limits, while a full ring blocks a packet; otherwise, in a
 * pause and in virtual time 0.
 */
static u64 torus_leader_stall_ns(struct torus_engine *e)
{
	u64 ticks;

	ticks = torus_fabric_config(e->fabric)->params[TORUS_P_RX_STALL];
	if (!ticks || e->paused || e->vtime.enabled || !torus_nic_blocked(e->fabric))
		return 0;
	/* A tick is some nanoseconds; the limits keep the product small. */
	ticks = min_t(u64, ticks, U32_MAX);
	return clamp_t(u64, div_u64(ticks * div_u64(e->tick_fs, 1000), 1000),
		       TORUS_STALL_NS_MIN, TORUS_STALL_NS_MAX);
}

/*
 * Advance the clock of an idle fabric by real time. Otherwise it would stand still, and rx_stall
 * would never elapse for a program that does not read its ring.
 */
static void torus_leader_pass_time(struct torus_engine *e, u64 ns)
{
	ns = min_t(u64, ns, 10 * TORUS_STALL_NS_MAX);
	if (!torus_fabric_pending(e->fabric))
		torus_fabric_idle_advance(e->fabric, div64_u64(ns * 1000000, e->tick_fs));
}

/*
 * Do the work that is due while a fabric is at rest: run the watchdog, free memory. Return: jiffies
 * that the leader may sleep.
 */
static long torus_leader_rest(struct torus_engine *e, u64 stall_ns)
{
	long timeout = torus_interrupts_report(e);
	unsigned long rest, now = torus_pause_jiffies(e);
	struct torus_engine_client *client;

	if (e->clients.draining && !e->paused) {
		list_for_each_entry(client, &e->clients.list, link) {
			if (client->draining && !e->vtime.enabled)
				timeout = clamp_t(long, client->drain_until - now, 1,
						  timeout);
		}
	}
	torus_engine_trim_gates(e);
	if (torus_leader_stopped(e))
		return timeout;
	if (e->vtime.enabled)
		return torus_leader_vtime->rest(e, timeout);
	/* Poll: memory that becomes free anywhere wakes no thread. */
	if (torus_nic_wants(e->fabric))
		timeout = min_t(long, timeout, TORUS_WANTING_PERIOD);
	if (!torus_fabric_in_flight(e->fabric)) {
		e->state = TORUS_FABRIC_IDLE;
		return timeout;
	}
	if (stall_ns) {
		/* No check by the watchdog is needed: the cause is a reader that does not read. */
		e->state = TORUS_FABRIC_WAITING;
		return min_t(long, timeout, nsecs_to_jiffies(stall_ns) + 1);
	}
	if (!e->watchdog.checked) {
		rest = torus_param_watchdog_jiffies();
		if (time_after_eq(now, e->watchdog.rest_since + rest))
			torus_watch_check(e);
		if (!e->watchdog.checked)
			timeout = clamp_t(long, e->watchdog.rest_since + rest - now, 1,
					  timeout);
	}
	return timeout;
}

/* Poll the rings for spin_us, unless another task wants the processor or the engine. */
static bool torus_leader_spin(struct torus_engine *e)
{
	u64 until = ktime_get_ns() + (u64)torus_param_spin_us() * NSEC_PER_USEC;

	while (single_task_running() && !atomic_read(&e->lock.waiting) && ktime_get_ns() < until) {
		if (torus_leader_poll(e))
			return true;
		cpu_relax();
	}
	return false;
}

/*
 * Set the status flags. A leader that is awake needs no doorbell. A leader that sleeps needs one
 * when a program stores a tail, or stores a head and so makes space for a waiting packet.
 */
static void torus_leader_flag(struct torus_engine *e, bool asleep)
{
	struct torus_engine_client *client;
	u32 flags;

	list_for_each_entry(client, &e->clients.list, link) {
		flags = asleep ? TORUS_STATUS_DOORBELL : 0;
		if (asleep && client->ops->lags(client))
			flags |= TORUS_STATUS_HEAD;
		WRITE_ONCE(*torus_status_flags(client->status), flags);
	}
}

/* Sleep until there is work. Called with the engine locked; returns with it unlocked. */
static void torus_leader_sleep(struct torus_engine *e)
{
	u64 stall_ns, since;
	u32 pauses;
	long timeout;

	/*
	 * If the leader was kicked since its last sleep, do a whole step first. While the leader
	 * yielded, the task that kicked may have changed a workload, a register or a fault, which
	 * only a step inspects.
	 */
	if (xchg(&e->sleep.kicked, false)) {
		torus_engine_unlock(e);
		return;
	}
	torus_leader_flag(e, true);
	smp_mb();	/* (E): store the flags before the last poll of the rings */
	if (!torus_leader_stopped(e) && torus_leader_poll(e)) {
		torus_leader_flag(e, false);
		torus_engine_unlock(e);
		return;
	}
	stall_ns = torus_leader_stall_ns(e);
	timeout = torus_leader_rest(e, stall_ns);
	torus_engine_publish_all(e, true);
	e->sleep.asleep = true;
	pauses = e->pause.count;
	torus_engine_unlock(e);

	since = ktime_get_ns();
	wait_event_idle_timeout(e->sleep.wait, READ_ONCE(e->sleep.kicked) || kthread_should_stop(),
				timeout);

	if (torus_engine_lock(e))
		return;
	e->sleep.asleep = false;
	/* A pause has no real time, and has ended the sleep. */
	if (stall_ns && pauses == e->pause.count)
		torus_leader_pass_time(e, ktime_get_ns() - since);
	e->steps.leap = 0;
	torus_leader_flag(e, false);
	torus_engine_unlock(e);
}

/*
 * Spin, yield, then sleep. A stopped fabric, one in virtual time, and one with the module parameter
 * yields=0 only sleeps. Called with the engine locked and no work; returns with it unlocked.
 */
static void torus_leader_idle(struct torus_engine *e)
{
	u32 i = torus_leader_stopped(e) || e->vtime.enabled ? 0 : torus_param_yields();

	if (i && torus_leader_spin(e)) {
		torus_engine_unlock(e);
		return;
	}
	for (; i; i--) {
		torus_engine_unlock(e);
		schedule();
		if (torus_engine_lock(e))
			return;
		if (torus_leader_stopped(e))
			break;
		if (torus_leader_poll(e)) {
			torus_engine_unlock(e);
			return;
		}
	}
	torus_leader_sleep(e);
}

/**
 * torus_engine_leader_thread() - run the leader, until the engine stops it
 * @data: its engine
 *
 * Return: 0.
 */
int torus_engine_leader_thread(void *data)
{
	struct torus_engine *e = data;

	while (!kthread_should_stop()) {
		cond_resched();
		torus_engine_yield_lock(e);
		if (torus_engine_lock(e)) {
			/* The fabric is being deleted: wait for kthread_stop(). */
			wait_event_idle(e->sleep.wait, kthread_should_stop());
			break;
		}
		if (torus_leader_step(e))
			torus_engine_unlock(e);
		else
			torus_leader_idle(e);
	}
	return 0;
}
