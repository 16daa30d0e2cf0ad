// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that a run of a fabric needs.  Who runs it may be a program that has rung: one
 * that is being killed, for which vmalloc() fails, or whose cgroup has no memory left.  Neither is
 * a reason for the fabric to fail, so a thread of the kernel takes the memory, as when the leader
 * runs.  Where there is none the fabric fails; the kernel is not to kill for it what it finds.
 */
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "env.h"

static const struct torus_growth_ops *torus_growth_ops;

#define TORUS_GROW	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct torus_growth - memory that somebody waits for
 * @work: who takes it
 * @bytes: how much
 * @memory: out
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
 * torus_grow() - torus_alloc() in the middle of a run
 * @bytes: how much
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
 * torus_growth_limit() - there is a limit to what runs may take
 * @ops: who knows it, for good; set once, before there is a fabric
 */
void torus_growth_limit(const struct torus_growth_ops *ops)
{
	torus_growth_ops = ops;
}

/**
 * torus_grow_counted() - torus_grow() of what may become any number of pieces
 * @bytes: how much
 *
 * Return: the memory, zeroed, or NULL, also where fabrics are not to have so much.
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
 * @bytes: how much
 *
 * Return: false if what is left is kept for requests that cannot wait.
 */
bool torus_growth_spare(u64 bytes)
{
	return torus_growth_ops->spare(bytes);
}

/**
 * torus_free_counted() - give back what torus_grow_counted() gave
 * @p: the memory; may be NULL
 * @bytes: how much it is
 */
void torus_free_counted(void *p, size_t bytes)
{
	if (!p)
		return;
	torus_free(p, bytes);
	torus_growth_ops->give(torus_alloc_size(bytes));
}
