// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time: this process's clock on a fabric, which its contexts there share.
 *
 * The clock moves by what the program says that it computes, and by what the fabric's
 * parameters say that a packet or a vain look costs.  What the kernel shows is loaded right
 * behind a look, when the fabric stands at this clock, and at no other moment.
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
#define CLOCK_STEP_MAX	(1ull << 40)	/* ticks by which the kernel lets a clock move at once */

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
		return torus_error_set(-EIO, "clock %llu: fabric %s has stopped for want of memory",
				       context->clock->now, context->info.fabric);
	case ERANGE:
		return torus_error_set(-ERANGE,
				       "clock %llu: it may move by 2^40 ticks at once, and to 2^60",
				       context->clock->now);
	default:
		return torus_error_set(-error, "clock %llu: %s", context->clock->now,
				       strerror(error));
	}
}

/* Tell the kernel the clock; with an op that waits, @got is what has happened. */
static int clock_report(struct torus_context *context, __u32 op, __u32 wants, __u64 until,
			__u32 *got)
{
	struct torus_ioc_clock ask = {
		.op = op, .wants = wants, .clock = context->clock->now, .until = until,
	};
	int error;

	if (torus_context_forked(context))
		return torus_error_dead(context);
	/* what was put in at an earlier clock cannot be shown later */
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
		/* it still waits in the kernel, which is to know that it does not */
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
 * torus_vtime_attach() - a context has been attached: it may go by a clock
 * @context: the context, its info there
 * @priority: it has asked for the right to inject priority packets
 *
 * Return: 0, -ENOMEM, or why no record can be written (recorder.c).
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
	return torus_error_set(-ENOMEM, "no memory for a clock of fabric %s", info->fabric);
}

/**
 * torus_vtime_detach() - a context is about to go: it does so at its clock
 * @context: the context
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
 * torus_vtime_sync() - before the kernel's words are loaded: they are those of this clock
 * @context: the context
 * @what: what is looked for: TORUS_LOOK_*
 *
 * Who has looked for that in vain, and has done nothing since, looks again a little later.  So
 * loops that look come to an end; a wait begins at the first of its looks.
 *
 * Return: 0; -EINTR, -ENODEV; -EBUSY when another thread waits, and the clock has not moved.
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
 * torus_vtime_poll_failed() - the program has looked, and there was nothing
 * @context: the context
 * @what: TORUS_LOOK_*
 */
void torus_vtime_poll_failed(struct torus_context *context, unsigned int what)
{
	if (context->clock)
		context->clock->vain |= what;
}

/* A packet of so many chunks goes into an injection ring: it is stamped. */
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

/* A packet of so many chunks was taken out of a reception ring. */
void torus_vtime_receive(struct torus_context *context, unsigned int chunks)
{
	if (context->clock)
		context->clock->now += context->info.receive_packet_ticks +
				       (__u64)chunks * context->info.receive_chunk_ticks;
}

/* Nanoseconds as a wait counts them: of the program's clock where it has one. */
__u64 torus_context_now_ns(const struct torus_context *context)
{
	if (!context->clock)
		return torus_now_ns();
	__u64 now = context->clock->now, tick = context->info.tick_fs;

	/* The product of two of these may exceed 64 bits; a tick is shorter than 2^43 fs. */
	return now / FS_PER_NS * tick + now % FS_PER_NS * tick / FS_PER_NS;
}

/* The tick that such a nanosecond is in, or the next. */
static __u64 clock_tick(const struct torus_context *context, __u64 ns)
{
	__u64 tick = context->info.tick_fs;

	return ns / tick * FS_PER_NS + (ns % tick * FS_PER_NS + tick - 1) / tick;
}

/**
 * torus_vtime_wait() - a wait goes on, in virtual time
 * @context: the context
 * @events: POLLIN for a packet or a notice, POLLOUT for room to inject
 * @deadline_ns: of torus_context_now_ns(); 0: none
 *
 * Return: 0 to look again, -ETIMEDOUT, -EINTR, -ENODEV; -EBUSY when another thread waits.
 */
int torus_vtime_wait(struct torus_context *context, short events, __u64 deadline_ns)
{
	__u64 until = deadline_ns ? clock_tick(context, deadline_ns) : ~0ull;
	__u64 begin = context->clock->now;
	__u32 wants = 0, got;
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
	/* who waits for packets to end asks again; nobody else is to be woken for it */
	if (context->notices)
		__atomic_store_n(&context->notice_control->completed, 0, __ATOMIC_RELAXED);
	/* something is there, and it is not what the program waits for: time goes on */
	if (!ret && got && context->clock->now == begin)
		context->clock->now += context->info.look_ticks;
	return ret;
}

/**
 * torus_compute() - this program has computed for a while
 * @context: a context
 * @ticks: how long, of info.tick_fs femtoseconds each
 *
 * In virtual time its clock moves by so much, and that of its other contexts on the fabric; where
 * time is free nothing happens.
 *
 * Return: 0; -ERANGE for more than 2^40 ticks, or a clock beyond 2^60; -EBUSY when another thread
 * of the process waits, and the clock has not moved; -EIO when the fabric has
 * stopped for want of memory; -ENODEV.
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
