// SPDX-License-Identifier: GPL-2.0
/*
 * Wait in steps: spin briefly, then yield the processor, then sleep in poll(2).
 *
 * Waiting programs share their processors with the engine that they wait for.  Three spinning
 * processes on two processors make 60 round trips a second; with sched_yield() they make tens of
 * thousands.  So the spin is short; torus_wait_tune() sets its length.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <time.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "inject.h"
#include "receive.h"
#include "virtual_time.h"
#include "wait.h"

#define SLEEP_FIRST_MS	2
#define SLEEP_LAST_MS	16
#define PATIENCE_MAX	2	/* doublings of SLEEP_FIRST_MS */
#define IDLE_MAX	4
#define STEPS_A_LOOK	64	/* spins or yields between two checks of the deadline */
/* sleeps and moves before the time is read for torus_waiter_within() */
#define MOVED_MAX	4

static void waiter_relax(void)
{
#if __has_builtin(__builtin_ia32_pause)
	__builtin_ia32_pause();
#endif
}

/**
 * torus_wait_tune() - set how the calls of a context wait
 * @context: the context
 * @spins: polls of the rings before the first yield; default 20
 * @yields: sched_yield() calls before the first sleep; default 2
 */
void torus_wait_tune(struct torus_context *context, unsigned int spins, unsigned int yields)
{
	context->spins = spins;
	context->yields = yields;
}

/**
 * torus_doorbell_check() - wake the engine if it sleeps
 * @context: a context whose index was just stored
 * @wanted: TORUS_STATUS_DOORBELL after a tail, TORUS_STATUS_HEAD after a head
 *
 * Return: 0, -ENODEV (the fabric was deleted), or another error of the operation doorbell.
 */
int torus_doorbell_check(struct torus_context *context, uint32_t wanted)
{
	const uint32_t *flags =
		(const uint32_t *)(context->status + context->info.status_flags_offset);

	if (torus_context_forked(context))
		return torus_error_dead(context);
	/* In virtual time the engine reads the indices when the clock is reported. */
	if (context->clock)
		return torus_context_dead(context) ? torus_error_dead(context) : 0;
	if (!(context->info.features & TORUS_FEATURE_HEAD))
		wanted = TORUS_STATUS_DOORBELL;
	/* (F) Store the index before loading the flag. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(flags, __ATOMIC_RELAXED) & wanted)
		return context->ops->doorbell(context);
	return torus_context_dead(context) ? torus_error_dead(context) : 0;
}

static __u64 waiter_deadline(const struct torus_waiter *waiter, unsigned int ms)
{
	return torus_context_now_ns(waiter->context) + ms * 1000000ull;
}

/**
 * torus_waiter_init() - start a wait
 * @waiter: [out] the wait
 * @context: context whose events end the wait
 * @timeout_ms: milliseconds; 0 or less: no limit.  So a caller that must not wait checks for 0
 */
void torus_waiter_init(struct torus_waiter *waiter, struct torus_context *context,
		       int timeout_ms)
{
	waiter->context = context;
	waiter->coming = 0;
	waiter->within_ms = 0;
	waiter->moved = 0;
	waiter->deadline_ns = timeout_ms > 0 ? waiter_deadline(waiter, timeout_ms) : 0;
	torus_waiter_restart(waiter);
}

/**
 * torus_waiter_restart() - spin again before the next sleep, because packets have moved
 * @waiter: the wait; its deadline stays
 */
void torus_waiter_restart(struct torus_waiter *waiter)
{
	struct torus_context *context = waiter->context;

	/*
	 * The last sleep for many packets timed out, but packets have arrived since: sleep longer
	 * next time.
	 */
	if (context->timed && context->patience < PATIENCE_MAX)
		context->patience++;
	context->timed = false;
	waiter->step = 0;
	waiter->slept = false;
	waiter->sleep_ms = SLEEP_FIRST_MS;
	waiter->idle = 0;
}

/**
 * torus_waiter_within() - make a wait without limit end with -ETIMEDOUT once, after some time
 * @waiter: a started wait
 * @ms: least time until the wait ends, in milliseconds; the greatest time is (MOVED_MAX + 1) * @ms
 *
 * Reading the time is slow, so the deadline is set only after some sleeps and moves.  Most waits
 * end before.
 */
void torus_waiter_within(struct torus_waiter *waiter, unsigned int ms)
{
	waiter->moved = 0;
	waiter->within_ms = ms;
	/*
	 * in virtual time a wait advances the clock to its deadline, so the deadline must be known
	 * at once
	 */
	waiter->deadline_ns = waiter->context->clock ? waiter_deadline(waiter, ms) : 0;
}

/* Count a sleep or a move.  After MOVED_MAX of them, set the deadline of torus_waiter_within(). */
static void waiter_moved(struct torus_waiter *waiter)
{
	if (waiter->within_ms && !waiter->deadline_ns && waiter->moved++ >= MOVED_MAX)
		waiter->deadline_ns = waiter_deadline(waiter, waiter->within_ms);
}

/**
 * torus_waiter_expired() - check the deadline after packets have moved
 * @waiter: the wait
 *
 * Return: true if the deadline has passed; always false for a wait without limit and without
 * torus_waiter_within().
 */
bool torus_waiter_expired(struct torus_waiter *waiter)
{
	waiter_moved(waiter);
	return waiter->deadline_ns &&
	       torus_context_now_ns(waiter->context) >= waiter->deadline_ns;
}

static int waiter_sleep(struct torus_waiter *waiter, short events)
{
	struct torus_context *context = waiter->context;
	struct timespec pause = { .tv_nsec = waiter->sleep_ms * 1000000l };
	bool named = false, more = !waiter->slept, many = false, much, whole;
	int timeout_ms = waiter->within_ms ? (int)waiter->within_ms : -1, pause_ms;
	int ret;

	waiter_moved(waiter);
	/*
	 * The last sleep for many packets timed out, and no packet has arrived since: sleep for a
	 * shorter time.
	 */
	if (context->timed)
		context->patience = 0;
	context->timed = false;
	if (waiter->deadline_ns) {
		__u64 now = torus_now_ns();

		if (now >= waiter->deadline_ns)
			return torus_error_plain(-ETIMEDOUT, TORUS_SAY_TIME);
		timeout_ms = (waiter->deadline_ns - now + 999999) / 1000000;
	}
	if (events & POLLIN && more)
		many = torus_receive_wait_begin(context, waiter->coming);
	if (events & POLLOUT)
		named = torus_inject_wait_begin(context, &more);
	more = more && named;
	much = more || many;
	waiter->slept |= much;
	/*
	 * A sleep for packets ends with a packet in any FIFO, which need not be the FIFO that the
	 * caller waits for.  So poll(2) may return at once repeatedly.  After IDLE_MAX such
	 * returns, limit the sleep to a few milliseconds.  Limit it also if:
	 * - the sleep waits for free space, and the rings that lack it are not known,
	 * - the sleep waits for more space than is needed, or for more than one packet.
	 */
	whole = !waiter->deadline_ns && waiter->within_ms;
	if ((events & POLLOUT && !named) || much || waiter->idle >= IDLE_MAX) {
		whole = false;
		pause_ms = much ? SLEEP_FIRST_MS << context->patience : (int)waiter->sleep_ms;
		if (timeout_ms < 0 || timeout_ms > pause_ms)
			timeout_ms = pause_ms;
		if (waiter->sleep_ms < SLEEP_LAST_MS)
			waiter->sleep_ms *= 2;
	}
	/*
	 * After IDLE_MAX returns of poll(2) without the awaited event, stop waiting for the event
	 * that caused them.  This is POLLIN if the sleep names the rings that lack space, else
	 * POLLOUT.
	 */
	if (waiter->idle >= IDLE_MAX)
		events &= named ? ~POLLIN : ~POLLOUT;
	if (waiter->idle >= 2 * IDLE_MAX || !events)
		ret = nanosleep(&pause, NULL) ? torus_error_plain(-EINTR, TORUS_SAY_SIGNAL) : 0;
	else
		ret = context->ops->poll(context, events, timeout_ms);
	context->timed = much && !ret;
	if (named)
		torus_inject_wait_end(context);
	if (many)
		torus_receive_wait_end(context);
	/*
	 * Clear the request for completions: it must not end other waits, and torus_inject_ended()
	 * repeats it.
	 */
	if (context->notices)
		__atomic_store_n(&context->notice_control->completed, 0, __ATOMIC_RELAXED);
	if (ret < 0)
		return ret;
	if (ret & (POLLHUP | POLLERR | POLLNVAL))
		return torus_error_dead(context);
	if (ret)
		waiter->idle++;
	else if (whole)
		return torus_error_plain(-ETIMEDOUT, TORUS_SAY_TIME);
	return 0;
}

/**
 * torus_waiter_step() - do one step of a wait
 * @waiter: the wait
 * @events: POLLIN for a packet, POLLOUT for free space in an injection ring, or both
 *
 * The caller checks after each step whether the condition that it waits for is true.
 *
 * Return: 0 if the caller shall poll again, -ETIMEDOUT, -EINTR (signal), -ENODEV (the fabric was
 * deleted), or another error of the operation poll; in virtual time an error of torus_vtime_wait().
 */
int torus_waiter_step(struct torus_waiter *waiter, short events)
{
	struct torus_context *context = waiter->context;

	if (torus_context_dead(context))
		return torus_error_dead(context);
	if (context->clock)
		return torus_vtime_wait(context, events, waiter->deadline_ns);
	/*
	 * Check the deadline only every STEPS_A_LOOK steps, because reading the time costs as much
	 * as several steps.  Without a check, the spins and yields could last longer than the wait.
	 */
	if (waiter->step % STEPS_A_LOOK == STEPS_A_LOOK - 1 && waiter->deadline_ns &&
	    torus_now_ns() >= waiter->deadline_ns)
		return torus_error_plain(-ETIMEDOUT, TORUS_SAY_TIME);
	if (waiter->step < context->spins) {
		waiter->step++;
		waiter_relax();
		return 0;
	}
	if (waiter->step - context->spins < context->yields) {
		waiter->step++;
		sched_yield();
		return 0;
	}
	return waiter_sleep(waiter, events);
}
