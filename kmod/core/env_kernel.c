// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that a run of a fabric needs.  Who runs it may be a program that has rung: one
 * that is being killed, for which vmalloc() fails, or whose cgroup has no memory left.  Neither is
 * a reason for the fabric to fail, so a thread of the kernel takes the memory, as when the leader
 * runs.
 */
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "env.h"

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

static void torus_growth_take(struct work_struct *work)
{
	struct torus_growth *growth = container_of(work, struct torus_growth, work);

	growth->memory = torus_alloc(growth->bytes);
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
		return torus_alloc(bytes);
	INIT_WORK_ONSTACK(&growth.work, torus_growth_take);
	queue_work(system_unbound_wq, &growth.work);
	flush_work(&growth.work);
	destroy_work_on_stack(&growth.work);
	return growth.memory;
}
