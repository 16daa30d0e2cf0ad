// SPDX-License-Identifier: GPL-2.0
/*
 * torus_clock_test: set jiffies forward, so that a selftest need not wait for time-outs. All timers
 * of the kernel that are due by then expire. The test first switches off the kernel's own detectors
 * of stalls.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/stop_machine.h>

static unsigned int seconds = 3600;
module_param(seconds, uint, 0444);
MODULE_PARM_DESC(seconds, "by which jiffies are set forward");

/* No processor counts a tick meanwhile. */
static int clock_forward(void *data)
{
	jiffies_64 += (u64)seconds * HZ;
	return 0;
}

static int __init clock_test_init(void)
{
	return stop_machine(clock_forward, NULL, NULL);
}
module_init(clock_test_init);

static void __exit clock_test_exit(void)
{
}
module_exit(clock_test_exit);

MODULE_DESCRIPTION("Set jiffies forward for selftests");
MODULE_LICENSE("GPL");
