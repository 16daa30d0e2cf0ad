// SPDX-License-Identifier: GPL-2.0
/*
 * The doorbell.
 *
 * Who rings while the leader sleeps runs the fabric itself, as far as that is little: to wake the
 * leader for a packet, and to be woken by it for the answer, takes two switches, which cost more
 * than the packet.  Otherwise the leader is woken, which looks at everything; a little later where
 * somebody sends many packets one after the other, so that it does not take each by itself.
 *
 * Who runs the fabric holds it, and may be kept from the processor at any moment: by a limit of
 * its cgroup, by its priority.  So it does that only while everybody who would have to wait is
 * the same user as itself.
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

/* What is little, with TORUS_FEW_PACKETS: contexts whose status pages are written, and steps. */
#define TORUS_DOORBELL_CONTEXTS	64
#define TORUS_DOORBELL_STEPS	4

/* Who sends many at a time has so long for the next of them before the leader takes them. */
#define TORUS_DOORBELL_DELAY_NS	(50 * NSEC_PER_USEC)

/**
 * torus_doorbell_attach() - a context was attached: are they all of one user?
 * @e: the engine, held
 * @uid: whose it is
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
 * torus_doorbell_detach() - a context is attached no more: those that stay may be one user's
 * @e: the engine, held
 */
void torus_doorbell_detach(struct torus_engine *e)
{
	const struct torus_engine_client *client;
	kuid_t uid = INVALID_UID;

	lockdep_assert_held(&e->lock.mutex);
	if (uid_valid(e->clients.user) && e->clients.attached)
		return;
	list_for_each_entry(client, &e->clients.list, link) {
		if (uid_valid(uid) && !uid_eq(client->holder.uid, uid)) {
			e->clients.user = INVALID_UID;
			return;
		}
		uid = client->holder.uid;
	}
	e->clients.user = uid;
}

/*
 * Are all contexts those of the user who rings?  Its own program may act for somebody else by
 * now, or may have been started by who can stop it.
 */
static bool torus_doorbell_one_user(const struct torus_engine *e)
{
	const struct cred *cred = current_cred();

	return e->clients.attached <= TORUS_DOORBELL_CONTEXTS && uid_valid(e->clients.user) &&
	       uid_eq(cred->uid, e->clients.user) && uid_eq(cred->euid, e->clients.user);
}

/* May who rings run the fabric, while the leader sleeps? */
static bool torus_doorbell_may_run(const struct torus_engine *e)
{
	return !e->gates.files && !e->clients.draining && !e->vtime.enabled &&
	       !torus_leader_stopped(e) && e->workload.state != TORUS_TRAFFIC_RUNNING &&
	       torus_doorbell_one_user(e) && torus_fabric_in_flight(e->fabric) < TORUS_FEW_PACKETS;
}

/* Who rings again and has neither slept nor got anything since has much to send. */
static bool torus_doorbell_repeated(struct torus_engine_client *client)
{
	bool answered = READ_ONCE(client->answered);

	WRITE_ONCE(client->answered, false);
	return !answered;
}

/* Is nothing in any modelled FIFO, nor waiting for memory? */
static bool torus_doorbell_fabric_idle(const struct torus_engine *e)
{
	return !torus_fabric_in_flight(e->fabric) && !torus_nic_blocked(e->fabric) &&
	       !torus_nic_wants(e->fabric);
}

/**
 * struct torus_inline_run - what who rings does in the leader's place
 * @e: the engine, held
 * @rang: whose rings alone need a look: everybody else rings for its own; NULL: all
 * @rested: nothing was in any modelled FIFO before
 * @lent: programs can see that somebody does it
 */
struct torus_inline_run {
	struct torus_engine *e;
	struct torus_engine_client *rang;
	bool rested;
	bool lent;
};

/*
 * Set INLINE_RUN in the flags: the fabric is not at rest, though the leader asks for doorbells.  A
 * run of a single step is over before a program would poll the flags.
 */
static void torus_inline_run_show(struct torus_inline_run *bell)
{
	if (bell->lent)
		return;
	bell->lent = true;
	/* whose packets find no room meanwhile are looked at by the leader */
	torus_engine_flag(bell->e, TORUS_STATUS_DOORBELL | TORUS_STATUS_INLINE_RUN |
			(bell->rested ? 0 : TORUS_STATUS_HEAD));
}

static bool torus_inline_run_poll(const struct torus_inline_run *bell)
{
	return bell->rang ? torus_leader_look(bell->e, bell->rang) : torus_leader_poll(bell->e);
}

/*
 * A bounded piece of the leader's work.  The leader has asked for doorbells, and that stays so:
 * who puts in something behind the look at its rings will ring.
 *
 * Return: true if nothing is left to be run, nor in a ring that was looked at.
 */
static bool torus_inline_run_steps(struct torus_inline_run *bell)
{
	struct torus_engine *e = bell->e;
	bool moved, more = false;
	u32 i;

	e->steps.leap = 0;
	for (i = 0; i < TORUS_DOORBELL_STEPS && !torus_leader_stopped(e); i++) {
		moved = torus_inline_run_poll(bell);
		if (!moved && !more)
			return true;
		if (torus_fabric_in_flight(e->fabric) >= TORUS_FEW_PACKETS ||
		    fatal_signal_pending(current))
			return false;
		more = torus_leader_run(e);
		if (!more && !torus_nic_left(e->fabric))
			return !torus_leader_stopped(e);
		torus_inline_run_show(bell);
	}
	return false;
}

/* What status pages say of FIFOs has not changed where all were empty before, and are again. */
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
 * Return: true if nothing is left that the leader is needed for.
 */
static bool torus_doorbell_run(struct torus_engine *e, struct torus_engine_client *rang)
{
	struct torus_inline_run bell = {
		.e = e, .rang = rang, .rested = torus_doorbell_fabric_idle(e),
	};
	bool done;

	if (!bell.rested)
		torus_inline_run_show(&bell);
	e->wakeups.defer = true;
	done = torus_inline_run_steps(&bell);
	e->wakeups.defer = false;
	torus_routes_count(e);
	torus_watch_ran(e);
	/* a packet that waits for room in a ring needs who tells its reader to ring for heads */
	done = done && torus_doorbell_fabric_idle(e) && !READ_ONCE(e->interrupts.count);
	if (done)
		e->state = TORUS_FABRIC_IDLE;
	torus_doorbell_publish(e, bell.rested && done, done);
	if (bell.lent || !done)
		torus_engine_flag(e, TORUS_STATUS_DOORBELL | (done ? 0 : TORUS_STATUS_HEAD));
	if (e->wakeups.pending)
		torus_engine_wake(e, done);
	return done;
}

/*
 * Do the leader's work for @rang, also for those who ring meanwhile: they find the fabric held, and
 * lent, and leave it at that.
 *
 * Return: true if nothing is left that the leader is needed for.
 */
static bool torus_doorbell_serve(struct torus_engine *e, struct torus_engine_client *rang)
{
	bool done, again;
	u32 i = 0;

	do {
		/*
		 * A context may have rung since the engine was locked.  If its call loads @lent
		 * after the store below, it relies on this run: poll all rings.
		 */
		if (xchg(&e->doorbell.rung, false))
			rang = NULL;
		/* pairs with torus_doorbell_ring(): a ring from here on finds the fabric lent */
		smp_store_mb(e->doorbell.inline_run, true);
		done = torus_doorbell_run(e, rang);
		/* pairs with torus_doorbell_ring(): who rings sees that it is over, or is seen */
		smp_store_mb(e->doorbell.inline_run, false);
		again = READ_ONCE(e->doorbell.rung);
		rang = NULL;
	} while (done && again && ++i < TORUS_DOORBELL_STEPS);
	return done && !again;
}

static enum hrtimer_restart torus_doorbell_timeout(struct hrtimer *late)
{
	struct torus_engine *e = container_of(late, struct torus_engine, doorbell.timer);

	wake_up(&e->sleep.wait);
	return HRTIMER_NORESTART;
}

/* Before there is a leader, who could be woken late. */
void torus_doorbell_init(struct torus_engine *e)
{
	hrtimer_setup(&e->doorbell.timer, torus_doorbell_timeout, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL);
}

/* The fabric is gone, and nobody rings any more. */
void torus_doorbell_stop(struct torus_engine *e)
{
	hrtimer_cancel(&e->doorbell.timer);
}

/*
 * The leader takes what somebody sends in one go: when its ring is full, or it waits, or in a
 * moment.  From here on nobody needs to ring: kicked, the leader will look whoever wakes it.
 */
static void torus_doorbell_wake_later(struct torus_engine *e)
{
	torus_engine_flag(e, 0);
	WRITE_ONCE(e->sleep.kicked, true);
	hrtimer_start(&e->doorbell.timer, ns_to_ktime(TORUS_DOORBELL_DELAY_NS), HRTIMER_MODE_REL);
}

/**
 * torus_doorbell_idle() - a program is about to sleep: what it has sent waits no longer
 * @e: its engine
 */
void torus_doorbell_idle(struct torus_engine *e)
{
	if (READ_ONCE(e->sleep.kicked) && wq_has_sleeper(&e->sleep.wait))
		wake_up(&e->sleep.wait);
}

/**
 * torus_doorbell_ring() - a client's doorbell
 * @e: the engine
 * @client: the client, attached
 *
 * Never waits for the fabric: who holds it looks again, or the kick tells the leader to.
 */
void torus_doorbell_ring(struct torus_engine *e, struct torus_engine_client *client)
{
	bool done = false;

	if (mutex_trylock(&e->lock.mutex)) {
		bool again = torus_doorbell_repeated(client);

		if (e->fabric && !client->dead && e->sleep.asleep && !READ_ONCE(e->sleep.kicked)) {
			if (again)
				torus_doorbell_wake_later(e);
			done = again || (torus_doorbell_may_run(e) &&
					 torus_doorbell_serve(e, client));
		}
		torus_engine_release(e);
	} else {
		smp_store_mb(e->doorbell.rung, true);	/* pairs with torus_doorbell_serve() */
		done = READ_ONCE(e->doorbell.inline_run);
	}
	if (!done)
		torus_engine_kick(e);
}
