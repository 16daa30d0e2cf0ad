// SPDX-License-Identifier: GPL-2.0
/* Who holds a FIFO group: known while it is held, told when it is taken and given back. */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "file.h"
#include "engine.h"
#include "events.h"
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

/**
 * torus_holder_tell() - tell whoever listens that a group was taken, or given back
 * @ctx: the context, its engine held
 * @attached: which of the two
 */
void torus_holder_tell(struct torus_file *ctx, bool attached)
{
	const struct torus_holder *holder = &ctx->holder;
	u32 signal = attached ? 0 : holder->signal;

	torus_event_send_held(ctx->engine, &(struct torus_event_note){
		.event = attached ? TORUS_EVENT_ATTACH : TORUS_EVENT_DETACH,
		.node = &ctx->node,
		.group = &ctx->group,
		.holder = holder,
		.signal = signal,
	});
}
