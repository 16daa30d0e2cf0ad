/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers.
 *
 * Linux 6.2 (and 6.1.84) renamed del_timer_sync() to timer_delete_sync(); 6.15 removed the old
 * name.  Linux 6.13 added hrtimer_setup(), which takes the callback; 6.15 removed
 * hrtimer_init().
 */
#ifndef TORUS_DEV_COMPAT_TIMER_H
#define TORUS_DEV_COMPAT_TIMER_H

#include <linux/hrtimer.h>
#include <linux/timer.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#endif
