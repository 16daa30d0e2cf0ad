// SPDX-License-Identifier: GPL-2.0
/*
 * The module's parameters. All may be changed at any time in /sys/module/torus/parameters. A value
 * outside a parameter's range is rejected with -ERANGE; max_bytes and max_user_bytes have no range.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "core/state/config.h"
#include "params.h"

/**
 * struct torus_ranged - a parameter with a range
 * @value: current value, always within the range
 * @min: smallest value
 * @max: largest value
 */
struct torus_ranged {
	unsigned int value;
	unsigned int min;
	unsigned int max;
};

static int torus_ranged_set(const char *text, const struct kernel_param *kp)
{
	struct torus_ranged *param = kp->arg;
	unsigned int value;
	int err = kstrtouint(text, 0, &value);

	if (!err && (value < param->min || value > param->max))
		err = -ERANGE;
	if (err) {
		pr_err("torus: %s=%.*s: must be a number from %u to %u\n", kp->name,
		       (int)strcspn(text, "\n"), text, param->min, param->max);
		return err;
	}
	WRITE_ONCE(param->value, value);
	return 0;
}

static int torus_ranged_get(char *text, const struct kernel_param *kp)
{
	struct torus_ranged *param = kp->arg;

	return sysfs_emit(text, "%u\n", READ_ONCE(param->value));
}

static const struct kernel_param_ops torus_ranged_ops = {
	.set = torus_ranged_set,
	.get = torus_ranged_get,
};

static struct torus_ranged spin_us = { .value = 200, .max = 10000 };
module_param_cb(spin_us, &torus_ranged_ops, &spin_us, 0644);
__MODULE_PARM_TYPE(spin_us, "uint");
MODULE_PARM_DESC(spin_us,
		 "Microseconds that an idle engine polls its rings, unless another task needs the "
		 "processor (default 200; 0 to 10000)");

static struct torus_ranged yields = { .value = 2, .max = 1000 };
module_param_cb(yields, &torus_ranged_ops, &yields, 0644);
__MODULE_PARM_TYPE(yields, "uint");
MODULE_PARM_DESC(yields,
		 "Number of times that an idle engine then yields the processor and polls again "
		 "before it requests doorbells and sleeps (default 2; 0 to 1000)");

static struct torus_ranged poll_ticks = { .value = 512, .min = 16, .max = 65536 };
module_param_cb(poll_ticks, &torus_ranged_ops, &poll_ticks, 0644);
__MODULE_PARM_TYPE(poll_ticks, "uint");
MODULE_PARM_DESC(poll_ticks,
		 "Ticks that a fabric runs between two polls of its rings; eight times as many if "
		 "few packets are in flight (default 512; 16 to 65536)");

static struct torus_ranged threads = { .max = TORUS_DOMAINS_MAX };
module_param_cb(threads, &torus_ranged_ops, &threads, 0644);
__MODULE_PARM_TYPE(threads, "uint");
MODULE_PARM_DESC(threads,
		 "Maximum number of threads of each new fabric, which never has more threads than "
		 "domains or processors; 0: the number of processors (default 0; 0 to 64)");

static struct torus_ranged watchdog_ms = { .value = 100, .min = 1, .max = 3600000 };
module_param_cb(watchdog_ms, &torus_ranged_ops, &watchdog_ms, 0644);
__MODULE_PARM_TYPE(watchdog_ms, "uint");
MODULE_PARM_DESC(watchdog_ms,
		 "Milliseconds without progress, with packets in flight, after which the watchdog "
		 "reports the cause (default 100; 1 to 3600000)");

static struct torus_ranged drain_ms = { .value = 1000, .max = 60000 };
module_param_cb(drain_ms, &torus_ranged_ops, &drain_ms, 0644);
__MODULE_PARM_TYPE(drain_ms, "uint");
MODULE_PARM_DESC(drain_ms,
		 "Milliseconds after which packets in the injection rings of a closed context are "
		 "discarded (default 1000; 0 to 60000)");

static struct torus_ranged virtual_stall_ms = { .value = 5000, .min = 1, .max = 3600000 };
module_param_cb(virtual_stall_ms, &torus_ranged_ops, &virtual_stall_ms, 0644);
__MODULE_PARM_TYPE(virtual_stall_ms, "uint");
MODULE_PARM_DESC(virtual_stall_ms,
		 "Milliseconds after which a program in virtual time is reported if its clock does "
		 "not advance and it does not wait (default 5000; 1 to 3600000)");

static struct torus_ranged inject_chunks = {
	.value = 512, .min = 1, .max = TORUS_RING_CHUNKS_MAX,
};
module_param_cb(inject_chunks, &torus_ranged_ops, &inject_chunks, 0644);
__MODULE_PARM_TYPE(inject_chunks, "uint");
MODULE_PARM_DESC(inject_chunks,
		 "Default length of an injection ring in chunks, rounded up to a power of two "
		 "(default 512; 1 to 65536)");

static struct torus_ranged receive_chunks = {
	.value = 2048, .min = 1, .max = TORUS_RING_CHUNKS_MAX,
};
module_param_cb(receive_chunks, &torus_ranged_ops, &receive_chunks, 0644);
__MODULE_PARM_TYPE(receive_chunks, "uint");
MODULE_PARM_DESC(receive_chunks,
		 "Default length of a reception ring in chunks, rounded up to a power of two "
		 "(default 2048; 1 to 65536)");

static unsigned long max_bytes;
module_param(max_bytes, ulong, 0644);
MODULE_PARM_DESC(max_bytes,
		 "Maximum bytes of all fabrics, with their packets in flight, and all rings "
		 "together; 0: half of the memory (default 0)");

static unsigned long max_user_bytes;
module_param(max_user_bytes, ulong, 0644);
MODULE_PARM_DESC(max_user_bytes,
		 "Maximum bytes of the rings of a user without CAP_SYS_RESOURCE; 0: half of the "
		 "part of max_bytes that fabrics and other users' rings do not use (default 0)");

u32 torus_param_spin_us(void)
{
	return READ_ONCE(spin_us.value);
}

u32 torus_param_yields(void)
{
	return READ_ONCE(yields.value);
}

u32 torus_param_poll_ticks(void)
{
	return READ_ONCE(poll_ticks.value);
}

u32 torus_param_threads(void)
{
	u32 cpus = num_online_cpus();
	u32 want = READ_ONCE(threads.value);

	return want ? min(want, cpus) : cpus;
}

unsigned long torus_param_watchdog_jiffies(void)
{
	return msecs_to_jiffies(READ_ONCE(watchdog_ms.value));
}

unsigned long torus_param_drain_jiffies(void)
{
	return msecs_to_jiffies(READ_ONCE(drain_ms.value));
}

unsigned long torus_param_virtual_stall_jiffies(void)
{
	return msecs_to_jiffies(READ_ONCE(virtual_stall_ms.value));
}

u32 torus_param_inject_chunks(void)
{
	return roundup_pow_of_two(READ_ONCE(inject_chunks.value));
}

u32 torus_param_receive_chunks(void)
{
	return roundup_pow_of_two(READ_ONCE(receive_chunks.value));
}

/**
 * torus_param_max_bytes() - limit of all charged memory: fabrics, rings, gates, uploads, captures,
 * devices
 *
 * Return: bytes; half of the machine's memory by default.
 */
u64 torus_param_max_bytes(void)
{
	unsigned long bytes = READ_ONCE(max_bytes);

	return bytes ? bytes : (u64)totalram_pages() * PAGE_SIZE / 2;
}

/**
 * torus_param_max_user_bytes() - limit of the memory of one user's rings, gates and reserves
 *
 * Return: bytes; 0 for the default of memory_limit.c.
 */
u64 torus_param_max_user_bytes(void)
{
	return READ_ONCE(max_user_bytes);
}
