// SPDX-License-Identifier: GPL-2.0
/*
 * A program that sleeps until something is there for its context: poll(), TORUS_IOC_WAIT.
 *
 * Most sleeps that have a time-out end long before it.  So the timer of a context stays set when
 * a sleep is over, and the next one, which may last longer, does not set it anew: it wakes who
 * sleeps too early once, and only then is it set to when that sleep ends.  A program that
 * receives thousands of messages in the time of one time-out sets it once.
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

/* What TORUS_IOC_WAIT takes. */
#define TORUS_POLL_EVENTS \
	((__force u32)(EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDNORM | EPOLLWRNORM))

/* Whoever is woken looks at the time itself. */
static void torus_poll_alarm(struct timer_list *timer)
{
	wake_up_interruptible(&container_of(timer, struct torus_poll, alarm)->wait);
}

/**
 * torus_poll_init() - nobody sleeps for a context yet
 * @poll: of the context
 */
void torus_poll_init(struct torus_poll *poll)
{
	init_waitqueue_head(&poll->wait);
	timer_setup(&poll->alarm, torus_poll_alarm, 0);
}

/**
 * torus_poll_destroy() - nobody can sleep for a context any more
 * @poll: of the context, whose file is closed
 */
void torus_poll_destroy(struct torus_poll *poll)
{
	timer_delete_sync(&poll->alarm);
}

/* Somebody is about to sleep: who wakes it looks for what it asks for, and no more. */
static void torus_poll_request(struct torus_poll *poll, __poll_t asked)
{
	int bits = (__force int)asked;

	if (bits & ~atomic_read(&poll->asked))
		atomic_fetch_or(bits, &poll->asked);	/* before it is seen to wait */
}

/* Has the fabric stopped, for want of memory?  What a program waits for does not come then. */
static bool torus_poll_fabric_failed(struct torus_ctx *ctx)
{
	return READ_ONCE(ctx->engine->state) == TORUS_FABRIC_FAILED;
}

/* What is there for somebody who has been added to the waiters, and sleeps if it is nothing? */
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
 * Return: what is there.
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
 * The alarm goes at @deadline, or before.  The caller has been added to the waiters: an alarm that
 * goes while this looks at it wakes the caller, which looks again.
 */
static void torus_poll_set_alarm(struct torus_poll *poll, unsigned long deadline)
{
	if (!timer_pending(&poll->alarm) ||
	    time_before(deadline, READ_ONCE(poll->alarm.expires)))
		timer_reduce(&poll->alarm, deadline);
}

/*
 * poll() of this file alone: what looks at many files, and ends at a moment to the microsecond, is
 * left out, and the code is that of the doorbell, which was rung before.
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
 * @argp: what the caller sleeps for
 *
 * Return: EPOLL* bits of what is there, 0 when the time is over; -EFAULT, -EINVAL, -ENODEV, and
 * -ERESTARTNOHAND by a signal.
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
