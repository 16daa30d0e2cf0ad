/* SPDX-License-Identifier: GPL-2.0 */
/* The doorbell. */
#ifndef TORUS_DEV_ENGINE_BELL_H
#define TORUS_DEV_ENGINE_BELL_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct torus_engine;
struct torus_engine_client;

/**
 * struct torus_doorbell - doorbells of an engine
 * @lent: a task that rang does the work of the leader, which sleeps
 * @rung: another task has rung meanwhile
 * @late: wakes the leader that was kicked for a program which may have more to send
 */
struct torus_doorbell {
	bool lent;
	bool rung;
	struct hrtimer late;
};

void torus_bell_comes(struct torus_engine *e, kuid_t uid);
void torus_bell_goes(struct torus_engine *e);
void torus_bell_init(struct torus_engine *e);
void torus_bell_stop(struct torus_engine *e);
void torus_bell_sleeps(struct torus_engine *e);
void torus_bell_ring(struct torus_engine *e, struct torus_engine_client *client);

#endif
