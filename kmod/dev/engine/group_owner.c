// SPDX-License-Identifier: GPL-2.0
/*
 * The process that owns a FIFO group or barrier gates, recorded while it owns them, and its end.
 *
 * The file of a context may outlive its owner: a forked child keeps it open, a child of vfork()
 * even keeps the mappings, and the descriptor may have been passed on. So the end of the process is
 * watched, too. The kernel wakes the wait queue of a struct pid, on which pidfd_poll() sleeps, when
 * the last thread of the process has ended: before its parent's wait() returns, and after the
 * process has closed its own files. A process that executes another program keeps its struct pid;
 * mmap.c reports it, because its mappings end. Gates have no mappings, so they stay until their
 * file is closed or the process ends.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "group_owner.h"

/**
 * torus_group_owner_take() - record the calling process, which attaches a context or opens gates
 * @owner: [out] owner record of the context or gates
 */
void torus_group_owner_take(struct torus_group_owner *owner)
{
	*owner = (struct torus_group_owner){
		.pid = get_task_pid(current, PIDTYPE_TGID),
		.uid = current_euid(),
	};
	get_task_comm(owner->command, current->group_leader);
}

/**
 * torus_group_owner_end() - schedule the work that follows the end of the owner
 * @owner: owner record, watched
 *
 * Callable in any context. Does nothing after the first call.
 */
void torus_group_owner_end(struct torus_group_owner *owner)
{
	if (READ_ONCE(owner->ended))
		return;
	smp_store_release(&owner->ended, true);	/* Pairs with torus_group_owner_ended(). */
	/* Not the system's shared queue: the work may wait for the engine and unpin memory. */
	queue_work(system_unbound_wq, owner->on_end);
}

/**
 * torus_group_owner_ended() - check whether the owner has ended
 * @owner: owner record of the context or gates
 *
 * Return: true if it has; @owner->signal is then valid.
 */
bool torus_group_owner_ended(const struct torus_group_owner *owner)
{
	return smp_load_acquire(&owner->ended);	/* Pairs with torus_group_owner_end(). */
}

/*
 * Called with tasklist_lock locked, so @task->signal exists. A traced thread group leader that ends
 * before its threads wakes the queue, too: then the process has not ended.
 */
static int torus_group_owner_wake(wait_queue_entry_t *entry, unsigned int mode, int flags,
				  void *key)
{
	struct torus_group_owner *owner = container_of(entry, struct torus_group_owner, end);
	struct task_struct *task;
	bool ended = true;

	rcu_read_lock();
	task = pid_task(owner->pid, PIDTYPE_TGID);
	if (task) {
		ended = task->exit_state && thread_group_empty(task);
		if (ended && !READ_ONCE(owner->ended))
			owner->signal = (task->signal->flags & SIGNAL_GROUP_EXIT ?
					 task->signal->group_exit_code : task->exit_code) & 0x7f;
	}
	rcu_read_unlock();
	if (ended)
		torus_group_owner_end(owner);
	return 0;
}

/**
 * torus_group_owner_watch() - schedule work when the owner ends
 * @owner: owner record of the calling process; must not move from now on
 * @on_end: the work, initialized
 */
void torus_group_owner_watch(struct torus_group_owner *owner, struct work_struct *on_end)
{
	owner->on_end = on_end;
	init_waitqueue_func_entry(&owner->end, torus_group_owner_wake);
	add_wait_queue(&owner->pid->wait_pidfd, &owner->end);
}

/**
 * torus_group_owner_unwatch() - stop watching the owner, whose work neither runs nor will run again
 * @owner: owner record; its file is closed, and the caller has locked nothing
 */
void torus_group_owner_unwatch(struct torus_group_owner *owner)
{
	if (!owner->on_end)
		return;
	remove_wait_queue(&owner->pid->wait_pidfd, &owner->end);
	cancel_work_sync(owner->on_end);
	owner->on_end = NULL;
}

/**
 * torus_group_owner_leave() - record why the calling process closes a context
 * @owner: owner record of the context or gates
 *
 * An exiting process closes its files itself. Its exit code, with the signal that killed it, is
 * known by then.
 */
void torus_group_owner_leave(struct torus_group_owner *owner)
{
	if (owner->pid && current->flags & PF_EXITING && task_tgid(current) == owner->pid)
		owner->signal = current->exit_code & 0x7f;
}

/**
 * torus_group_owner_put() - drop the reference to the process
 * @owner: owner record that is not used any more; its process may be NULL
 */
void torus_group_owner_put(struct torus_group_owner *owner)
{
	put_pid(owner->pid);
	owner->pid = NULL;
}
