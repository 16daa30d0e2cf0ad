// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time: the clock of this process on a fabric, shared by all its contexts there.
 *
 * The clock advances by the ticks that the program reports with torus_compute(), and by the
 * fabric's parameters for the cost of a packet or of a poll that found nothing.  A wait advances it
 * to the awaited event or to the deadline.  Values that the kernel writes are loaded only after
 * TORUS_CLOCK_WAIT, while the fabric's time equals this clock.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "inject.h"
#include "recorder.h"
#include "virtual_time.h"

#define FS_PER_NS	1000000u
#define CLOCK_STEP_MAX	(1ull << 40)	/* largest step in ticks that the kernel accepts */

static struct torus_clock *clocks;
static pthread_mutex_t clocks_lock = PTHREAD_MUTEX_INITIALIZER;

static int clock_error(const struct torus_context *context, int error)
{
	switch (error) {
	case ENODEV:
		return torus_error_dead(context);
	case EINTR:
		return torus_error_plain(-EINTR, TORUS_SAY_SIGNAL);
	case EBUSY:
		return torus_error_set(-EBUSY, "clock %llu: another thread of this process waits",
				       context->clock->now);
	case EIO:
		return torus_error_set(-EIO, "clock %llu: fabric %s has stopped because it is out "
				       "of memory",
				       context->clock->now, context->info.fabric);
	case ERANGE:
		return torus_error_set(-ERANGE,
				       "clock %llu: must advance by at most 2^40 ticks, and stay "
				       "below 2^60",
				       context->clock->now);
	default:
		return torus_error_set(-error, "clock %llu: %s", context->clock->now,
				       strerror(error));
	}
}

/*
 * Report the clock to the kernel.  @got: [out] if @op waits: TORUS_CLOCK_* events that happened;
 * may be NULL.
 */
static int clock_report(struct torus_context *context, uint32_t op, uint32_t wants, __u64 until,
			uint32_t *got)
{
	struct torus_ioc_clock ask = {
		.op = op, .wants = wants, .clock = context->clock->now, .until = until,
	};
	int error;

	if (torus_context_forked(context))
		return torus_error_dead(context);
	/*
	 * publish packets first: the kernel rejects a packet whose stamp is before the reported
	 * clock
	 */
	error = torus_inject_publish(context);
	if (error)
		return error;
	if (op == TORUS_CLOCK_WAIT)
		torus_record_look(context);
	error = torus_record_check();
	if (error)
		return error;
	if (ioctl(context->fd, TORUS_IOC_CLOCK, &ask)) {
		error = errno;
		/*
		 * after a signal the kernel still counts this process as waiting: TORUS_CLOCK_MOVE
		 * ends that
		 */
		ask.op = TORUS_CLOCK_MOVE;
		ask.wants = 0;
		if (error == EINTR && !ioctl(context->fd, TORUS_IOC_CLOCK, &ask))
			context->clock->now = ask.clock;
		return clock_error(context, error);
	}
	context->clock->now = ask.clock;
	context->clock->vain = 0;
	context->clock->looked = op == TORUS_CLOCK_WAIT ? ask.clock : ~0ull;
	if (got)
		*got = ask.got;
	return 0;
}

/**
 * torus_vtime_attach() - give a newly attached context the clock of its fabric
 * @context: the context, with its info
 * @priority: the context has the right to inject priority packets
 *
 * Does nothing unless the fabric is in virtual time.
 *
 * Return: 0, -ENOMEM, or the error of writing the file that TORUS_RECORD names (recorder.c).
 */
int torus_vtime_attach(struct torus_context *context, bool priority)
{
	const struct torus_ioc_info *info = &context->info;
	struct torus_clock *clock;

	if (!(info->features & TORUS_FEATURE_CLOCK))
		return 0;
	pthread_mutex_lock(&clocks_lock);
	for (clock = clocks; clock; clock = clock->next)
		if (clock->forks == torus_forks && !strcmp(clock->fabric, info->fabric))
			break;
	if (!clock) {
		clock = calloc(1, sizeof(*clock));
		if (clock) {
			memcpy(clock->fabric, info->fabric, sizeof(clock->fabric));
			clock->forks = torus_forks;
			clock->looked = ~0ull;
			clock->next = clocks;
			clocks = clock;
		}
	}
	if (clock)
		clock->contexts++;
	pthread_mutex_unlock(&clocks_lock);
	context->clock = clock;
	if (clock)
		return torus_record_attach(context, priority);
	return torus_error_set(-ENOMEM, "out of memory for a clock of fabric %s", info->fabric);
}

/**
 * torus_vtime_detach() - report the clock, and drop a context's reference to it
 * @context: a context that is about to be detached
 */
void torus_vtime_detach(struct torus_context *context)
{
	struct torus_clock *clock = context->clock, **at;

	if (!clock)
		return;
	if (!torus_context_forked(context))
		clock_report(context, TORUS_CLOCK_MOVE, 0, 0, NULL);
	pthread_mutex_lock(&clocks_lock);
	torus_record_detach(context, clock->contexts == 1);
	if (!--clock->contexts) {
		for (at = &clocks; *at != clock; at = &(*at)->next)
			;
		*at = clock->next;
		free(clock);
	}
	pthread_mutex_unlock(&clocks_lock);
	context->clock = NULL;
}

/**
 * torus_vtime_sync() - wait until the fabric's time equals this process's clock
 * @context: the context
 * @what: TORUS_LOOK_* flag of the values that the caller is about to load
 *
 * Call this before loading values that the kernel writes.  If the last poll for @what found nothing
 * at this clock, the clock advances by look_ticks first, so that polling loops end.
 *
 * Return: 0; -EINTR, -ENODEV; -EBUSY (another thread waits; the clock has not moved); or another
 * error of TORUS_IOC_CLOCK or of the file that TORUS_RECORD names.
 */
int torus_vtime_sync(struct torus_context *context, unsigned int what)
{
	struct torus_clock *clock = context->clock;
	__u64 before;
	int ret;

	if (!clock)
		return 0;
	before = clock->now;
	if (clock->looked == clock->now) {
		if (!(clock->vain & what))
			return 0;
		clock->now += context->info.look_ticks;
	}
	ret = clock_report(context, TORUS_CLOCK_WAIT, 0, 0, NULL);
	if (ret == -EBUSY)
		clock->now = before;
	return ret;
}

/**
 * torus_vtime_poll_failed() - note that a poll found nothing
 * @context: the context
 * @what: TORUS_LOOK_* flag of the values that were polled
 */
void torus_vtime_poll_failed(struct torus_context *context, unsigned int what)
{
	if (context->clock)
		context->clock->vain |= what;
}

/* Advance the clock by the cost of injecting a packet, and stamp the packet with the new time. */
void torus_vtime_inject(struct torus_context *context, unsigned int fifo, unsigned int chunks)
{
	struct torus_inject_fifo *to = &context->inject[fifo];

	if (!context->clock)
		return;
	context->clock->now += context->info.inject_packet_ticks +
			       (__u64)chunks * context->info.inject_chunk_ticks;
	__atomic_store_n(&to->stamps[to->tail & (to->chunks - 1)], context->clock->now,
			 __ATOMIC_RELAXED);
}

/* Advance the clock by the cost of taking a packet of @chunks chunks out of a reception ring. */
void torus_vtime_receive(struct torus_context *context, unsigned int chunks)
{
	if (context->clock)
		context->clock->now += context->info.receive_packet_ticks +
				       (__u64)chunks * context->info.receive_chunk_ticks;
}

/*
 * Time in nanoseconds for time-outs: of the program's clock in virtual time, else CLOCK_MONOTONIC.
 */
__u64 torus_context_now_ns(const struct torus_context *context)
{
	if (!context->clock)
		return torus_now_ns();
	__u64 now = context->clock->now, tick = context->info.tick_fs;

	/*
	 * The product of clock and tick length may exceed 64 bits: multiply in two parts.  A tick
	 * is shorter than 2^43 fs.
	 */
	return now / FS_PER_NS * tick + now % FS_PER_NS * tick / FS_PER_NS;
}

/* Convert nanoseconds of torus_context_now_ns() to ticks, rounded up. */
static __u64 clock_tick(const struct torus_context *context, __u64 ns)
{
	__u64 tick = context->info.tick_fs;

	return ns / tick * FS_PER_NS + (ns % tick * FS_PER_NS + tick - 1) / tick;
}

/**
 * torus_vtime_wait() - wait for an event in virtual time
 * @context: the context
 * @events: POLLIN for a packet, or a notice if the program has requested one; POLLOUT for free
 *          space in an injection ring
 * @deadline_ns: time of torus_context_now_ns() at which the wait ends; 0: none
 *
 * Return: 0 if the caller shall poll again, -ETIMEDOUT, or an error of torus_vtime_sync().
 */
int torus_vtime_wait(struct torus_context *context, short events, __u64 deadline_ns)
{
	__u64 until = deadline_ns ? clock_tick(context, deadline_ns) : ~0ull;
	__u64 begin = context->clock->now;
	uint32_t wants = 0, got = 0;
	bool named = false, more = false;
	int ret;

	if (context->clock->now >= until)
		return torus_error_plain(-ETIMEDOUT, TORUS_SAY_TIME);
	if (events & POLLIN)
		wants |= TORUS_CLOCK_ARRIVAL;
	if (events & POLLIN && context->notices &&
	    (context->notice_control->want || context->notice_control->completed))
		wants |= TORUS_CLOCK_NOTICE;
	if (events & POLLOUT) {
		wants |= TORUS_CLOCK_ROOM;
		named = torus_inject_wait_begin(context, &more);
	}
	ret = clock_report(context, TORUS_CLOCK_WAIT, wants, until, &got);
	if (named)
		torus_inject_wait_end(context);
	/*
	 * clear the request for completions: it must not end other waits, and torus_inject_ended()
	 * repeats it
	 */
	if (context->notices)
		__atomic_store_n(&context->notice_control->completed, 0, __ATOMIC_RELAXED);
	/*
	 * the wait ended without advancing the clock: advance it, or a loop that waits for another
	 * event never ends
	 */
	if (!ret && got && context->clock->now == begin)
		context->clock->now += context->info.look_ticks;
	return ret;
}

/**
 * torus_compute() - advance the program's clock by computing time
 * @context: a context
 * @ticks: computing time in ticks of info.tick_fs femtoseconds
 *
 * In virtual time this advances the clock of all contexts of this process on the fabric.  Otherwise
 * it does nothing.
 *
 * Return: 0; -ERANGE for more than 2^40 ticks, or a clock beyond 2^60; -EBUSY (another thread of
 * the process waits; the clock has not moved); -EIO (the fabric has stopped because it has no
 * memory); -ENODEV; or an errno of writing the file that TORUS_RECORD names.
 */
int torus_compute(struct torus_context *context, __u64 ticks)
{
	int ret;

	if (!context->clock)
		return torus_context_check(context);
	if (ticks > CLOCK_STEP_MAX)
		return clock_error(context, ERANGE);
	context->clock->now += ticks;
	ret = clock_report(context, TORUS_CLOCK_MOVE, 0, 0, NULL);
	if (ret == -ERANGE || ret == -EBUSY)
		context->clock->now -= ticks;
	return ret;
}
