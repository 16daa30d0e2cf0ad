// SPDX-License-Identifier: GPL-2.0
/* The process that holds a FIFO group or gates: known while it holds them. */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "holder.h"

/**
 * torus_holder_take() - the calling process attaches
 * @holder: of its context
 */
void torus_holder_take(struct torus_holder *holder)
{
	*holder = (struct torus_holder){
		.pid = get_task_pid(current, PIDTYPE_TGID),
		.uid = current_euid(),
	};
	get_task_comm(holder->command, current->group_leader);
}

/**
 * torus_holder_leave() - the context's file was closed by the calling process
 * @holder: of the context
 *
 * A process that ends closes its files on its way out, when it is known why.
 */
void torus_holder_leave(struct torus_holder *holder)
{
	if (holder->pid && current->flags & PF_EXITING && task_tgid(current) == holder->pid)
		holder->signal = current->exit_code & 0x7f;
}

/**
 * torus_holder_put() - forget who it was
 * @holder: of a context that is going
 */
void torus_holder_put(struct torus_holder *holder)
{
	put_pid(holder->pid);
	holder->pid = NULL;
}
