/* SPDX-License-Identifier: GPL-2.0 */
/* The process that owns a FIFO group or barrier gates. */
#ifndef TORUS_DEV_ENGINE_GROUP_OWNER_H
#define TORUS_DEV_ENGINE_GROUP_OWNER_H

#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct pid;

/**
 * struct torus_group_owner - the process that has attached a context or opened gates
 * @pid: its thread group, with a reference
 * @uid: effective user at that time
 * @command: name of the program at that time
 * @signal: signal that killed the process; 0 while it lives, and if it exited by itself
 */
struct torus_group_owner {
	struct pid *pid;
	kuid_t uid;
	char command[TASK_COMM_LEN];
	u32 signal;
};

void torus_group_owner_take(struct torus_group_owner *owner);
void torus_group_owner_leave(struct torus_group_owner *owner);
void torus_group_owner_put(struct torus_group_owner *owner);

#endif
