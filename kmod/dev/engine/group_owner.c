// SPDX-License-Identifier: GPL-2.0
/* The process that owns a FIFO group or barrier gates, recorded while it owns them. */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

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
 * @owner: owner record of a context that is about to be freed
 */
void torus_group_owner_put(struct torus_group_owner *owner)
{
	put_pid(owner->pid);
	owner->pid = NULL;
}
