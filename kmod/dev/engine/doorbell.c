// SPDX-License-Identifier: GPL-2.0
/*
 * The doorbell call: run the fabric inline, or wake the leader.
 *
 * A task that rings while the leader sleeps runs the fabric itself if there is little to do.  To
 * wake the leader for a packet, and to be woken by it for the answer, takes two context switches,
 * which cost more than the packet.  Otherwise the call wakes the leader, which polls all rings.  If
 * a program sends many packets one after the other, the leader is woken a little later, so that it
 * does not take each packet by itself.
 *
 * A task that runs the fabric has locked the engine, and may lose the processor at any moment: by a
 * limit of its cgroup, or by its priority.  So it runs the fabric only while all programs that
 * would have to wait belong to its own user, and no driver has a port.
 */
#include <linux/cred.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>

#include "core/run/fabric.h"
#include "dev/compat/timer.h"
#include "client.h"
#include "doorbell.h"
#include "engine.h"
#include "leader.h"
#include "routes.h"

/* Limits of an inline run, with TORUS_FEW_PACKETS: contexts to publish, and steps. */
#define TORUS_DOORBELL_CONTEXTS	64
#define TORUS_DOORBELL_STEPS	4

/* A program that sends many packets has this long for the next ones before the leader polls. */
#define TORUS_DOORBELL_DELAY_NS	(50 * NSEC_PER_USEC)

/**
 * torus_doorbell_attach() - update the common user of all contexts after one was attached
 * @e: the engine, locked
 * @uid: user of the new context
 */
void torus_doorbell_attach(struct torus_engine *e, kuid_t uid)
{
	lockdep_assert_held(&e->lock.mutex);
	if (e->clients.attached == 1)
		e->clients.user = uid;
	else if (!uid_eq(e->clients.user, uid))
		e->clients.user = INVALID_UID;
}

/**
 * torus_doorbell_detach() - update the common user of all contexts: one was detached
 * @e: the engine, locked
 */
void torus_doorbell_detach(struct torus_engine *e)
{
	const struct torus_engine_client *client;
	kuid_t uid = INVALID_UID;

	lockdep_assert_held(&e->lock.mutex);
	if (uid_valid(e->clients.user) && e->clients.attached)
		return;
	list_for_each_entry(client, &e->clients.list, link) {
		if (uid_valid(uid) && !uid_eq(client->owner.uid, uid)) {
			e->clients.user = INVALID_UID;
			return;
		}
		uid = client->owner.uid;
	}
	e->clients.user = uid;
}

/*
 * Check whether there are few contexts, and all belong to the user of the calling task.  The task
 * may act for another user by now (euid), or may have been started by a user who can stop it (uid).
 */
static bool torus_doorbell_one_user(const struct torus_engine *e)
{
	const struct cred *cred = current_cred();

	return e->clients.attached <= TORUS_DOORBELL_CONTEXTS && uid_valid(e->clients.user) &&
	       uid_eq(cred->uid, e->clients.user) && uid_eq(cred->euid, e->clients.user);
}

/* Check whether the calling task may run the fabric while the leader sleeps. */
static bool torus_doorbell_may_run(const struct torus_engine *e)
{
	return !e->gates.files && !e->ports.bound && !e->clients.draining && !e->vtime.enabled &&
	       !torus_leader_stopped(e) && e->workload.state != TORUS_TRAFFIC_RUNNING &&
	       torus_doorbell_one_user(e) && torus_fabric_in_flight(e->fabric) < TORUS_FEW_PACKETS;
}

/*
 * Check whether a program has much to send: it rings again, and since its last doorbell it neither
 * slept nor received a packet.
 */
static bool torus_doorbell_repeated(struct torus_engine_client *client)
{
	bool answered = READ_ONCE(client->answered);

	WRITE_ONCE(client->answered, false);
	return !answered;
}

/* Check that no packet is in flight or in a modelled FIFO, and that none waits for memory. */
static bool torus_doorbell_fabric_idle(const struct torus_engine *e)
{
	return !torus_fabric_in_flight(e->fabric) && !torus_nic_blocked(e->fabric) &&
	       !torus_nic_wants(e->fabric);
}

/**
 * struct torus_inline_run - run of the fabric in a doorbell call, in place of the leader's
 * @e: the engine, locked
 * @rang: client whose rings are polled: all others ring for their own; NULL: poll all rings
 * @rested: the fabric was idle before
 * @shown: the status flags say INLINE_RUN
 */
struct torus_inline_run {
	struct torus_engine *e;
	struct torus_engine_client *rang;
	bool rested;
	bool shown;
};

/*
 * Set INLINE_RUN in the flags: the fabric is not at rest, though the leader asks for doorbells.  A
 * run of a single step is over before a program would poll the flags.
 */
static void torus_inline_run_show(struct torus_inline_run *run)
{
	if (run->shown)
		return;
	run->shown = true;
	/* The leader polls for readers whose packets find no space in a ring meanwhile. */
	torus_engine_flag(run->e, TORUS_STATUS_DOORBELL | TORUS_STATUS_INLINE_RUN |
			  (run->rested ? 0 : TORUS_STATUS_HEAD));
}

static bool torus_inline_run_poll(const struct torus_inline_run *run)
{
	return run->rang ? torus_leader_look(run->e, run->rang) : torus_leader_poll(run->e);
}

/*
 * Do a bounded piece of the leader's work.  The flags continue to ask for doorbells: a program that
 * stores a tail after its rings were polled will ring.
 *
 * Return: true if nothing is left to run, and nothing in a ring that was polled.
 */
static bool torus_inline_run_steps(struct torus_inline_run *run)
{
	struct torus_engine *e = run->e;
	bool moved, more = false;
	u32 i;

	e->steps.leap = 0;
	for (i = 0; i < TORUS_DOORBELL_STEPS && !torus_leader_stopped(e); i++) {
		moved = torus_inline_run_poll(run);
		if (!moved && !more)
			return true;
		if (torus_fabric_in_flight(e->fabric) >= TORUS_FEW_PACKETS ||
		    fatal_signal_pending(current))
			return false;
		more = torus_leader_run(e);
		if (!more && !torus_nic_left(e->fabric))
			return !torus_leader_stopped(e);
		torus_inline_run_show(run);
	}
	return false;
}

/*
 * Publish all status pages. @same: all modelled FIFOs were empty before, and are empty again, so
 * their fill levels in the pages are still valid.
 */
static void torus_doorbell_publish(struct torus_engine *e, bool same, bool all)
{
	struct torus_engine_client *client;

	list_for_each_entry(client, &e->clients.list, link) {
		client->quiet |= same;
		torus_engine_publish(e, client, all && !same);
	}
}

/*
 * Run the fabric while the leader sleeps.
 *
 * Return: true if the leader need not be woken.
 */
static bool torus_doorbell_run(struct torus_engine *e, struct torus_engine_client *rang)
{
	struct torus_inline_run run = {
		.e = e, .rang = rang, .rested = torus_doorbell_fabric_idle(e),
	};
	bool done;

	if (!run.rested)
		torus_inline_run_show(&run);
	e->wakeups.defer = true;
	done = torus_inline_run_steps(&run);
	e->wakeups.defer = false;
	torus_routes_count(e);
	torus_trace_flush(e);
	/* If a packet waits for space in a ring, the leader asks its reader to ring for heads. */
	done = done && torus_doorbell_fabric_idle(e) && !READ_ONCE(e->interrupts.count);
	if (done)
		e->state = TORUS_FABRIC_IDLE;
	torus_doorbell_publish(e, run.rested && done, done);
	if (run.shown || !done)
		torus_engine_flag(e, TORUS_STATUS_DOORBELL | (done ? 0 : TORUS_STATUS_HEAD));
	if (e->wakeups.pending)
		torus_engine_wake(e, done);
	return done;
}

/*
 * Do the leader's work for @rang, and for tasks that ring meanwhile: these find the engine locked
 * and @inline_run set, and return.
 *
 * Return: true if the leader need not be woken.
 */
static bool torus_doorbell_serve(struct torus_engine *e, struct torus_engine_client *rang)
{
	bool done, again;
	u32 i = 0;

	do {
		/*
		 * A context may have rung since the engine was locked.  If its call loads
		 * @inline_run after the store below, it relies on this run: poll all rings.
		 */
		if (xchg(&e->doorbell.rung, false))
			rang = NULL;
		/* Pairs with torus_doorbell_ring(): a task that rings now relies on this run. */
		smp_store_mb(e->doorbell.inline_run, true);
		done = torus_doorbell_run(e, rang);
		/* Pairs with torus_doorbell_ring(): the task sees the end, or @rung is seen. */
		smp_store_mb(e->doorbell.inline_run, false);
		again = READ_ONCE(e->doorbell.rung);
		rang = NULL;
	} while (done && again && ++i < TORUS_DOORBELL_STEPS);
	return done && !again;
}

static enum hrtimer_restart torus_doorbell_timeout(struct hrtimer *timer)
{
	struct torus_engine *e = container_of(timer, struct torus_engine, doorbell.timer);

	wake_up(&e->sleep.wait);
	return HRTIMER_NORESTART;
}

/* Set up the doorbell of a new engine, before its leader runs. */
void torus_doorbell_init(struct torus_engine *e)
{
	hrtimer_setup(&e->doorbell.timer, torus_doorbell_timeout, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL);
}

/* Cancel the timer: the fabric was deleted, and no task can ring any more. */
void torus_doorbell_stop(struct torus_engine *e)
{
	hrtimer_cancel(&e->doorbell.timer);
}

/*
 * Let the leader take all packets that a program sends at once: when the program sleeps, or
 * after TORUS_DOORBELL_DELAY_NS.  No program needs to ring meanwhile: @kicked is set, so the leader
 * polls all rings when it is woken.
 */
static void torus_doorbell_wake_later(struct torus_engine *e)
{
	torus_engine_flag(e, 0);
	WRITE_ONCE(e->sleep.kicked, true);
	hrtimer_start(&e->doorbell.timer, ns_to_ktime(TORUS_DOORBELL_DELAY_NS), HRTIMER_MODE_REL);
}

/**
 * torus_doorbell_idle() - wake the leader for packets of a program that is about to sleep
 * @e: engine of the program's fabric
 */
void torus_doorbell_idle(struct torus_engine *e)
{
	if (READ_ONCE(e->sleep.kicked) && wq_has_sleeper(&e->sleep.wait))
		wake_up(&e->sleep.wait);
}

/**
 * torus_doorbell_ring() - run the fabric for a client that rings, or wake the leader
 * @e: the engine
 * @client: the client, attached
 *
 * Never waits for the lock: the task that has it polls again, or the leader does after the kick.
 */
void torus_doorbell_ring(struct torus_engine *e, struct torus_engine_client *client)
{
	bool done = false;

	if (mutex_trylock(&e->lock.mutex)) {
		bool again = torus_doorbell_repeated(client);

		if (e->fabric && !client->dead && e->sleep.asleep && !READ_ONCE(e->sleep.kicked)) {
			/* After the pause, the leader polls all rings. */
			if (again && !e->paused)
				torus_doorbell_wake_later(e);
			done = again || e->paused || (torus_doorbell_may_run(e) &&
					 torus_doorbell_serve(e, client));
		}
		torus_engine_unlock(e);
	} else {
		smp_store_mb(e->doorbell.rung, true);	/* Pairs with torus_doorbell_serve(). */
		done = READ_ONCE(e->doorbell.inline_run);
	}
	if (!done)
		torus_engine_kick(e);
}
