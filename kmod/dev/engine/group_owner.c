// SPDX-License-Identifier: GPL-2.0
/* The process that holds a FIFO group or gates: known while it holds them. */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "group_owner.h"

/**
 * torus_group_owner_take() - the calling process attaches
 * @owner: of its context
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
 * torus_group_owner_leave() - the context's file was closed by the calling process
 * @owner: of the context
 *
 * A process that ends closes its files on its way out, when it is known why.
 */
void torus_group_owner_leave(struct torus_group_owner *owner)
{
	if (owner->pid && current->flags & PF_EXITING && task_tgid(current) == owner->pid)
		owner->signal = current->exit_code & 0x7f;
}

/**
 * torus_group_owner_put() - forget who it was
 * @owner: of a context that is going
 */
void torus_group_owner_put(struct torus_group_owner *owner)
{
	put_pid(owner->pid);
	owner->pid = NULL;
}
