/* SPDX-License-Identifier: GPL-2.0 */
/* Who holds a FIFO group: the process that has attached to it. */
#ifndef TORUS_DEV_ENGINE_GROUP_OWNER_H
#define TORUS_DEV_ENGINE_GROUP_OWNER_H

#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct pid;

/**
 * struct torus_group_owner - the process that has attached a context
 * @pid: its own, with a reference
 * @uid: who it acts for
 * @command: what it was called
 * @signal: which killed it, 0 while it lives and when it went by itself
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
