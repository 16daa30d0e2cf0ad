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
#include "file.h"
#include "nic_client.h"
#include "sleep.h"

/* What TORUS_IOC_WAIT takes. */
#define TORUS_SLEEP_EVENTS \
	((__force u32)(EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDNORM | EPOLLWRNORM))

/* Whoever is woken looks at the time itself. */
static void torus_sleep_alarm(struct timer_list *timer)
{
	wake_up_interruptible(&container_of(timer, struct torus_sleep, alarm)->wait);
}

/**
 * torus_sleep_init() - nobody sleeps for a context yet
 * @sleep: of the context
 */
void torus_sleep_init(struct torus_sleep *sleep)
{
	init_waitqueue_head(&sleep->wait);
	timer_setup(&sleep->alarm, torus_sleep_alarm, 0);
}

/**
 * torus_sleep_end() - nobody can sleep for a context any more
 * @sleep: of the context, whose file is closed
 */
void torus_sleep_end(struct torus_sleep *sleep)
{
	timer_delete_sync(&sleep->alarm);
}

/* Somebody is about to sleep: who wakes it looks for what it asks for, and no more. */
static void torus_sleep_asks(struct torus_sleep *sleep, __poll_t asked)
{
	int bits = (__force int)asked;

	if (bits & ~atomic_read(&sleep->asked))
		atomic_fetch_or(bits, &sleep->asked);	/* before it is seen to wait */
}

/* Has the fabric stopped, for want of memory?  What a program waits for does not come then. */
static bool torus_sleep_vain(struct torus_file *ctx)
{
	return READ_ONCE(ctx->engine->state) == TORUS_FABRIC_FAILED;
}

/* What is there for somebody who has been added to the waiters, and sleeps if it is nothing? */
static __poll_t torus_sleep_wanted(struct torus_file *ctx, __poll_t asked)
{
	__poll_t ready = torus_file_ready(ctx, asked);

	if (!ready) {
		WRITE_ONCE(ctx->client.answered, true);
		torus_doorbell_idle(ctx->engine);
	}
	return ready;
}

/**
 * torus_sleep_poll() - poll() of an open file
 * @file: the file
 * @table: of poll()
 *
 * Return: what is there.
 */
__poll_t torus_sleep_poll(struct file *file, poll_table *table)
{
	struct torus_file *ctx = file->private_data;
	__poll_t asked = poll_requested_events(table), ready;

	torus_sleep_asks(&ctx->sleep, asked);
	poll_wait(file, &ctx->sleep.wait, table);
	smp_mb();	/* (H), see torus_file_wake() */
	switch (torus_file_alive(ctx)) {
	case 0:
		ready = torus_sleep_wanted(ctx, asked);
		return ready || !torus_sleep_vain(ctx) ? ready : EPOLLERR;
	case -ENODEV:
		return EPOLLHUP | EPOLLERR;
	}
	return EPOLLERR;
}

/*
 * The alarm goes at @deadline, or before.  The caller has been added to the waiters: an alarm that
 * goes while this looks at it wakes the caller, which looks again.
 */
static void torus_sleep_set_alarm(struct torus_sleep *sleep, unsigned long deadline)
{
	if (!timer_pending(&sleep->alarm) ||
	    time_before(deadline, READ_ONCE(sleep->alarm.expires)))
		timer_reduce(&sleep->alarm, deadline);
}

/*
 * poll() of this file alone: what looks at many files, and ends at a moment to the microsecond, is
 * left out, and the code is that of the doorbell, which was rung before.
 */
static long torus_sleep_for(struct torus_file *ctx, __poll_t asked, int timeout_ms)
{
	unsigned long deadline = 0;
	DEFINE_WAIT(wait);
	__poll_t ready;
	long ret;

	if (timeout_ms > 0)
		deadline = jiffies + msecs_to_jiffies(timeout_ms);
	torus_sleep_asks(&ctx->sleep, asked);
	for (;;) {
		/* (H), see torus_file_wake() */
		prepare_to_wait(&ctx->sleep.wait, &wait, TASK_INTERRUPTIBLE);
		ret = torus_file_alive(ctx);
		if (ret)
			break;
		ready = torus_sleep_wanted(ctx, asked) & asked;
		ret = (__force long)ready;
		if (ret)
			break;
		ret = torus_sleep_vain(ctx) ? -EIO : 0;
		if (ret || !timeout_ms)
			break;
		ret = -ERESTARTNOHAND;
		if (signal_pending(current))
			break;
		ret = 0;
		if (timeout_ms > 0) {
			if (time_after_eq(jiffies, deadline))
				break;
			torus_sleep_set_alarm(&ctx->sleep, deadline);
		}
		schedule();
	}
	finish_wait(&ctx->sleep.wait, &wait);
	return ret;
}

/**
 * torus_sleep_ioctl() - TORUS_IOC_WAIT
 * @ctx: an attached context
 * @argp: what the caller sleeps for
 *
 * Return: EPOLL* bits of what is there, 0 when the time is over; -EFAULT, -EINVAL, -ENODEV, and
 * -ERESTARTNOHAND by a signal.
 */
long torus_sleep_ioctl(struct torus_file *ctx, struct torus_ioc_wait __user *argp)
{
	struct torus_ioc_wait ask;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (!ask.events || ask.events & ~TORUS_SLEEP_EVENTS)
		return -EINVAL;
	return torus_sleep_for(ctx, (__force __poll_t)ask.events, ask.timeout_ms);
}
