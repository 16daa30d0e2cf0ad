/* SPDX-License-Identifier: GPL-2.0 */
/* The process that owns a FIFO group or barrier gates. */
#ifndef TORUS_DEV_ENGINE_GROUP_OWNER_H
#define TORUS_DEV_ENGINE_GROUP_OWNER_H

#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

struct pid;
struct work_struct;

/**
 * struct torus_group_owner - the process that has attached a context or opened gates
 * @pid: its thread group, with a reference
 * @uid: effective user at that time
 * @command: name of the program at that time
 * @signal: signal that killed the process; 0 while it lives, and if it exited by itself
 * @ended: the process has ended, or executes another program; set once, with release semantics
 * @on_end: scheduled when @ended is set; NULL: the end is not watched
 * @end: entry in the wait queue of @pid while the end is watched
 */
struct torus_group_owner {
	struct pid *pid;
	kuid_t uid;
	char command[TASK_COMM_LEN];
	u32 signal;
	bool ended;
	struct work_struct *on_end;
	wait_queue_entry_t end;
};

void torus_group_owner_take(struct torus_group_owner *owner);
void torus_group_owner_watch(struct torus_group_owner *owner, struct work_struct *on_end);
void torus_group_owner_unwatch(struct torus_group_owner *owner);
void torus_group_owner_end(struct torus_group_owner *owner);
bool torus_group_owner_ended(const struct torus_group_owner *owner);
void torus_group_owner_leave(struct torus_group_owner *owner);
void torus_group_owner_put(struct torus_group_owner *owner);

#endif
