/* SPDX-License-Identifier: GPL-2.0 */
/* Sleep until an event for a context: poll(), TORUS_IOC_WAIT. */
#ifndef TORUS_DEV_CONTEXT_POLL_H
#define TORUS_DEV_CONTEXT_POLL_H

#include <linux/poll.h>
#include <linux/timer.h>
#include <linux/wait.h>

struct torus_ctx;
struct torus_ioc_wait;

/**
 * struct torus_poll - tasks that sleep for a context
 * @wait: wait queue of these tasks
 * @asked: EPOLL* bits that a task has slept for: other events are not checked
 * @alarm: wakes tasks whose sleep has a time-out, at that time or earlier
 */
struct torus_poll {
	wait_queue_head_t wait;
	atomic_t asked;
	struct timer_list alarm;
};

void torus_poll_init(struct torus_poll *poll);
void torus_poll_destroy(struct torus_poll *poll);
__poll_t torus_poll_file(struct file *file, poll_table *table);
long torus_poll_ioctl(struct torus_ctx *ctx, struct torus_ioc_wait __user *argp);

#endif
