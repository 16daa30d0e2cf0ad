// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that a fabric needs during a run. The caller may be a program that runs the fabric in its
 * doorbell call. If that program is being killed, vmalloc() fails; its cgroup may be full. Neither
 * may stop the fabric. Therefore a kernel worker allocates the memory for a program. A kernel
 * thread, such as the leader, allocates it itself. If the system has no memory, the fabric fails;
 * the OOM killer is not invoked.
 */
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "platform.h"

static const struct torus_growth_ops *torus_growth_ops;

#define TORUS_GROW	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct torus_growth - an allocation that a kernel worker does for a program
 * @work: work item that allocates
 * @bytes: size
 * @memory: [out] the memory, or NULL
 */
struct torus_growth {
	struct work_struct work;
	size_t bytes;
	void *memory;
};

static void torus_grow_work(struct work_struct *work)
{
	struct torus_growth *growth = container_of(work, struct torus_growth, work);

	growth->memory = torus_alloc_how(growth->bytes, TORUS_GROW);
}

/**
 * torus_grow() - allocate memory during a run
 * @bytes: size
 *
 * Return: the memory, zeroed, or NULL.
 */
void *torus_grow(size_t bytes)
{
	struct torus_growth growth = { .bytes = bytes };

	if (current->flags & PF_KTHREAD)
		return torus_alloc_how(bytes, TORUS_GROW);
	INIT_WORK_ONSTACK(&growth.work, torus_grow_work);
	queue_work(system_unbound_wq, &growth.work);
	flush_work(&growth.work);
	destroy_work_on_stack(&growth.work);
	return growth.memory;
}

/**
 * torus_growth_limit() - register the limit of the memory that runs may take
 * @ops: implementation of the limit; set once, before the first fabric exists
 */
void torus_growth_limit(const struct torus_growth_ops *ops)
{
	torus_growth_ops = ops;
}

/**
 * torus_grow_counted() - allocate memory during a run, subject to the limit
 * @bytes: size
 *
 * For pools, which may grow to any number of pieces.
 *
 * Return: the memory, zeroed, or NULL, also if the limit for all fabrics is reached.
 */
void *torus_grow_counted(size_t bytes)
{
	size_t size = torus_alloc_size(bytes);
	void *p;

	if (!torus_growth_ops->take(size))
		return NULL;
	p = torus_grow(bytes);
	if (!p)
		torus_growth_ops->give(size);
	return p;
}

/**
 * torus_growth_spare() - check whether a request that can wait may take memory
 * @bytes: size
 *
 * Return: false if the remaining memory is reserved for requests that cannot wait.
 */
bool torus_growth_spare(u64 bytes)
{
	return torus_growth_ops->spare(bytes);
}

/**
 * torus_free_counted() - free memory of torus_grow_counted()
 * @p: the memory; may be NULL
 * @bytes: size at allocation
 */
void torus_free_counted(void *p, size_t bytes)
{
	if (!p)
		return;
	torus_free(p, bytes);
	torus_growth_ops->give(torus_alloc_size(bytes));
}
