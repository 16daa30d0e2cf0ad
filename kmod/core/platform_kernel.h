/* SPDX-License-Identifier: GPL-2.0 */
/* Kernel build of platform.h. */
#ifndef TORUS_CORE_PLATFORM_KERNEL_H
#define TORUS_CORE_PLATFORM_KERNEL_H

#include <linux/types.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/vmalloc.h>
#include <linux/bug.h>
#include <asm/barrier.h>
#include <asm/processor.h>

/*
 * Flags for memory that a user's request takes. It is charged to the user's memory cgroup. If the
 * cgroup or the machine has no memory, the request fails with -ENOMEM, and no process is killed.
 */
#define TORUS_GFP_USER	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * torus_alloc_size() - compute the memory that an allocation occupies
 * @bytes: requested size
 *
 * Return: size in bytes: a power of two of at least a cache line, or whole pages.
 */
static inline size_t torus_alloc_size(size_t bytes)
{
	if (bytes > PAGE_SIZE)
		return PAGE_ALIGN(bytes);
	return roundup_pow_of_two(bytes > 64 ? bytes : 64);
}

/*
 * Allocate zeroed memory of torus_alloc_size() bytes, aligned to a cache line as torus_align
 * requires. Process context only. kmalloc() aligns a size that is a power of two to that size, and
 * rounds other sizes up. vmalloc_huge() rounds up to 2 MiB: use it only if that adds little to the
 * size.
 */
static inline void *torus_alloc_how(size_t bytes, gfp_t gfp)
{
	size_t size;
	void *p;

	/* the kernel warns about larger sizes */
	if (bytes > INT_MAX)
		return NULL;
	size = torus_alloc_size(bytes);
	if (is_power_of_2(size))
		p = kvzalloc(size, gfp);
	else if (ALIGN(size, PMD_SIZE) - size <= size / 32)
		p = vmalloc_huge(size, gfp | __GFP_ZERO);
	else
		p = __vmalloc(size, gfp | __GFP_ZERO);
	WARN_ON_ONCE(!IS_ALIGNED((unsigned long)p, 64));
	return p;
}

static inline void *torus_alloc(size_t bytes)
{
	return torus_alloc_how(bytes, TORUS_GFP_USER);
}

/*
 * Allocate memory during a run. It is charged to no memory cgroup, so that a cgroup's limit kills
 * no process.
 */
void *torus_grow(size_t bytes);

/**
 * struct torus_growth_ops - limit of the memory that the runs of all fabrics may take
 * @take: reserve memory before an allocation; false if the limit is reached
 * @give: return a reservation after a free or a failed allocation
 * @spare: check whether @bytes are free for a request that can wait
 */
struct torus_growth_ops {
	bool (*take)(u64 bytes);
	void (*give)(u64 bytes);
	bool (*spare)(u64 bytes);
};

/*
 * Allocation during a run, limited by struct torus_growth_ops. Use it for memory whose total has no
 * other bound. Set the limit before the first fabric exists.
 */
void torus_growth_limit(const struct torus_growth_ops *ops);
void *torus_grow_counted(size_t bytes);
void torus_free_counted(void *p, size_t bytes);
bool torus_growth_spare(u64 bytes);

static inline void torus_free(void *p, size_t bytes)
{
	kvfree(p);
}

#define torus_assert(cond)	WARN_ON_ONCE(!(cond))
#define torus_relax()		cpu_relax()

/* Count the bits set, by the processor's instruction if it exists. */
static inline unsigned int torus_popcount(u64 x)
{
	return (unsigned int)hweight64(x);
}

static inline unsigned int torus_popcount32(u32 x)
{
	return hweight32(x);
}

#define torus_yield()		cond_resched()
/* Check whether the calling task is being killed; its request may then fail with any error. */
#define torus_cancelled()	fatal_signal_pending(current)
/*
 * Reschedule between two windows, or between two polled clients, in kernel threads only. A program
 * that runs the fabric itself does not yield in its short run. It might not get a processor again
 * for a long time, and all other programs of the fabric would have to wait.
 */
#define torus_breathe()		do { if (current->flags & PF_KTHREAD) cond_resched(); } while (0)

#define torus_load_acquire(p)	smp_load_acquire(p)
#define torus_store_release(p, v) smp_store_release(p, v)
#define torus_load(p)		READ_ONCE(*(p))
#define torus_store(p, v)	WRITE_ONCE(*(p), v)
#define torus_fetch_add(p, v)	__atomic_fetch_add(p, v, __ATOMIC_ACQ_REL)
#define torus_fetch_or(p, v)	__atomic_fetch_or(p, v, __ATOMIC_ACQ_REL)
#define torus_fetch_and(p, v)	__atomic_fetch_and(p, v, __ATOMIC_ACQ_REL)
#define torus_exchange(p, v)	__atomic_exchange_n(p, v, __ATOMIC_ACQ_REL)

#endif
