/* SPDX-License-Identifier: GPL-2.0 */
/* The doorbell call: run the fabric inline, or wake the leader. */
#ifndef TORUS_DEV_ENGINE_DOORBELL_H
#define TORUS_DEV_ENGINE_DOORBELL_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct torus_engine;
struct torus_engine_client;

/**
 * struct torus_doorbell - doorbells of an engine
 * @inline_run: a doorbell call does the work of the leader, which sleeps
 * @rung: another task has rung meanwhile
 * @timer: wakes the leader that was kicked for a program which may have more to send
 */
struct torus_doorbell {
	bool inline_run;
	bool rung;
	struct hrtimer timer;
};

void torus_doorbell_attach(struct torus_engine *e, kuid_t uid);
void torus_doorbell_detach(struct torus_engine *e);
void torus_doorbell_init(struct torus_engine *e);
void torus_doorbell_stop(struct torus_engine *e);
void torus_doorbell_idle(struct torus_engine *e);
void torus_doorbell_ring(struct torus_engine *e, struct torus_engine_client *client);

#endif
