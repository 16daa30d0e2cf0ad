// SPDX-License-Identifier: GPL-2.0
/*
 * Sleep until an event for a context: poll(), TORUS_IOC_WAIT.
 *
 * Most sleeps with a time-out end long before it.  So the timer of a context stays set when a sleep
 * is over, and the next sleep, which may last longer, does not set it again.  The timer then wakes
 * the sleeper too early, once, and only then is it set to the end of that sleep.  A program that
 * receives thousands of messages within one time-out sets it once.
 */
#include <linux/jiffies.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "dev/compat/timer.h"
#include "dev/engine/doorbell.h"
#include "dev/engine/engine.h"
#include "context.h"
#include "nic_client.h"
#include "poll.h"

/* Events that TORUS_IOC_WAIT accepts. */
#define TORUS_POLL_EVENTS \
	((__force u32)(EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDNORM | EPOLLWRNORM))

/* Wake the sleepers. Each checks the time itself. */
static void torus_poll_alarm(struct timer_list *timer)
{
	wake_up_interruptible(&container_of(timer, struct torus_poll, alarm)->wait);
}

/**
 * torus_poll_init() - set up the wait queue and the timer of a new context
 * @poll: [out] tasks of the context
 */
void torus_poll_init(struct torus_poll *poll)
{
	init_waitqueue_head(&poll->wait);
	timer_setup(&poll->alarm, torus_poll_alarm, 0);
}

/**
 * torus_poll_destroy() - stop the timer of a context for which no task can wait any more
 * @poll: tasks of the context, whose file is closed
 */
void torus_poll_destroy(struct torus_poll *poll)
{
	timer_delete_sync(&poll->alarm);
}

/*
 * Record the events that a task will sleep for, before the task is added to the wait queue: a waker
 * checks only these.
 */
static void torus_poll_request(struct torus_poll *poll, __poll_t asked)
{
	int bits = (__force int)asked;

	if (bits & ~atomic_read(&poll->asked))
		atomic_fetch_or(bits, &poll->asked);	/* pairs with torus_ctx_wake_readers() */
}

/* Check whether the fabric has stopped, for want of memory: no event will arrive. */
static bool torus_poll_fabric_failed(struct torus_ctx *ctx)
{
	return READ_ONCE(ctx->engine->state) == TORUS_FABRIC_FAILED;
}

/* Find the events for a task that was added to the wait queue, and sleeps if there is none. */
static __poll_t torus_poll_ready(struct torus_ctx *ctx, __poll_t asked)
{
	__poll_t ready = torus_ctx_ready(ctx, asked);

	if (!ready) {
		WRITE_ONCE(ctx->client.answered, true);
		torus_doorbell_idle(ctx->engine);
	}
	return ready;
}

/**
 * torus_poll_file() - poll() of an open file
 * @file: the file
 * @table: of poll()
 *
 * Return: EPOLL* bits of the events.
 */
__poll_t torus_poll_file(struct file *file, poll_table *table)
{
	struct torus_ctx *ctx = file->private_data;
	__poll_t asked = poll_requested_events(table), ready;

	torus_poll_request(&ctx->poll, asked);
	poll_wait(file, &ctx->poll.wait, table);
	smp_mb();	/* (H), see torus_ctx_wake_readers() */
	switch (torus_ctx_alive(ctx)) {
	case 0:
		ready = torus_poll_ready(ctx, asked);
		return ready || !torus_poll_fabric_failed(ctx) ? ready : EPOLLERR;
	case -ENODEV:
		return EPOLLHUP | EPOLLERR;
	}
	return EPOLLERR;
}

/*
 * Make sure that the alarm expires at @deadline, or before.  The caller was added to the wait
 * queue: an alarm that expires during this function wakes the caller, which checks again.
 */
static void torus_poll_set_alarm(struct torus_poll *poll, unsigned long deadline)
{
	if (!timer_pending(&poll->alarm) ||
	    time_before(deadline, READ_ONCE(poll->alarm.expires)))
		timer_reduce(&poll->alarm, deadline);
}

/*
 * poll() of this file alone. It omits the tables for many files and the timer of high resolution,
 * and runs the code of the doorbell call, which the processor has just run.
 */
static long torus_poll_wait(struct torus_ctx *ctx, __poll_t asked, int timeout_ms)
{
	unsigned long deadline = 0;
	DEFINE_WAIT(wait);
	__poll_t ready;
	long ret;

	if (timeout_ms > 0)
		deadline = jiffies + msecs_to_jiffies(timeout_ms);
	torus_poll_request(&ctx->poll, asked);
	for (;;) {
		/* (H), see torus_ctx_wake_readers() */
		prepare_to_wait(&ctx->poll.wait, &wait, TASK_INTERRUPTIBLE);
		ret = torus_ctx_alive(ctx);
		if (ret)
			break;
		ready = torus_poll_ready(ctx, asked) & asked;
		ret = (__force long)ready;
		if (ret)
			break;
		ret = torus_poll_fabric_failed(ctx) ? -EIO : 0;
		if (ret || !timeout_ms)
			break;
		ret = -ERESTARTNOHAND;
		if (signal_pending(current))
			break;
		ret = 0;
		if (timeout_ms > 0) {
			if (time_after_eq(jiffies, deadline))
				break;
			torus_poll_set_alarm(&ctx->poll, deadline);
		}
		schedule();
	}
	finish_wait(&ctx->poll.wait, &wait);
	return ret;
}

/**
 * torus_poll_ioctl() - TORUS_IOC_WAIT
 * @ctx: an attached context
 * @argp: events and time-out
 *
 * Return: EPOLL* bits of the events, 0 after the time-out; -EFAULT, -EINVAL, -ENODEV, -EIO if the
 * fabric has stopped, and -ERESTARTNOHAND after a signal.
 */
long torus_poll_ioctl(struct torus_ctx *ctx, struct torus_ioc_wait __user *argp)
{
	struct torus_ioc_wait ask;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (!ask.events || ask.events & ~TORUS_POLL_EVENTS)
		return -EINVAL;
	return torus_poll_wait(ctx, (__force __poll_t)ask.events, ask.timeout_ms);
}
