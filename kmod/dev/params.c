// SPDX-License-Identifier: GPL-2.0
/*
 * The module's parameters.  All may be changed at any time below
 * /sys/module/torus/parameters; whoever reads one gets a value that is in range.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "context.h"
#include "params.h"

static unsigned int spin_us = 200;
module_param(spin_us, uint, 0644);
MODULE_PARM_DESC(spin_us,
		 "Microseconds that an engine with nothing to do keeps looking at its rings, "
		 "unless another task wants the processor (default 200, at most 10000)");

static unsigned int yields = 2;
module_param(yields, uint, 0644);
MODULE_PARM_DESC(yields,
		 "Times that it then gives way and looks again before it asks for doorbells and "
		 "sleeps (default 2, at most 1000)");

static unsigned int poll_ticks = 512;
module_param(poll_ticks, uint, 0644);
MODULE_PARM_DESC(poll_ticks,
		 "Ticks that a fabric runs between two looks at its rings (default 512, 16 to "
		 "65536)");

static unsigned int threads;
module_param(threads, uint, 0644);
MODULE_PARM_DESC(threads,
		 "Most threads of a fabric made from now on, which never has more than domains "
		 "(default 0: as many as processors)");

static unsigned int watchdog_ms = 100;
module_param(watchdog_ms, uint, 0644);
MODULE_PARM_DESC(watchdog_ms,
		 "Milliseconds of rest with packets in flight before the watchdog looks why "
		 "(default 100)");

static unsigned int drain_ms = 1000;
module_param(drain_ms, uint, 0644);
MODULE_PARM_DESC(drain_ms,
		 "Milliseconds that what a closed context has left in its injection rings may take "
		 "to enter the network (default 1000)");

static unsigned int inject_chunks = 512;
module_param(inject_chunks, uint, 0644);
MODULE_PARM_DESC(inject_chunks,
		 "Chunks of an injection ring for programs that do not say (default 512, rounded "
		 "up to a power of two)");

static unsigned int receive_chunks = 2048;
module_param(receive_chunks, uint, 0644);
MODULE_PARM_DESC(receive_chunks,
		 "Chunks of a reception ring for programs that do not say (default 2048, rounded "
		 "up to a power of two)");

static unsigned long max_bytes;
module_param(max_bytes, ulong, 0644);
MODULE_PARM_DESC(max_bytes,
		 "Bytes that all fabrics at rest and all rings together may take (default 0: half "
		 "of the memory)");

u32 torus_param_spin_us(void)
{
	return min(READ_ONCE(spin_us), 10000u);
}

u32 torus_param_yields(void)
{
	return min(READ_ONCE(yields), 1000u);
}

u32 torus_param_poll_ticks(void)
{
	return clamp(READ_ONCE(poll_ticks), 16u, 65536u);
}

u32 torus_param_threads(void)
{
	u32 cpus = num_online_cpus();
	u32 want = READ_ONCE(threads);

	return want ? min(want, cpus) : cpus;
}

unsigned long torus_param_watchdog_jiffies(void)
{
	return msecs_to_jiffies(clamp(READ_ONCE(watchdog_ms), 1u, 3600000u));
}

unsigned long torus_param_drain_jiffies(void)
{
	return msecs_to_jiffies(min(READ_ONCE(drain_ms), 60000u));
}

static u32 torus_param_ring(unsigned int chunks)
{
	return roundup_pow_of_two(clamp(chunks, 1u, TORUS_RING_CHUNKS_MAX));
}

u32 torus_param_inject_chunks(void)
{
	return torus_param_ring(READ_ONCE(inject_chunks));
}

u32 torus_param_receive_chunks(void)
{
	return torus_param_ring(READ_ONCE(receive_chunks));
}

/**
 * torus_param_max_bytes() - what all fabrics and rings together may take
 *
 * Return: bytes.
 */
u64 torus_param_max_bytes(void)
{
	unsigned long bytes = READ_ONCE(max_bytes);

	return bytes ? bytes : (u64)totalram_pages() * PAGE_SIZE / 2;
}
