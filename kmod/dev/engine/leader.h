/* SPDX-License-Identifier: GPL-2.0 */
/* Pieces of the leader's work, which who rings can do in its place. */
#ifndef TORUS_DEV_ENGINE_LEADER_H
#define TORUS_DEV_ENGINE_LEADER_H

#include <linux/types.h>
#include "engine.h"

struct torus_engine;
struct torus_engine_client;

/**
 * struct torus_vtime_ops - how an engine whose time is that of programs runs; it is locked
 * @run: simulate as far as the programs let it, but at most @ticks.
 *	Return: true if there may be more to run
 * @rest: time stands still: find the program that holds it up.
 *	Return: jiffies that the leader may sleep, at most @timeout
 */
struct torus_vtime_ops {
	bool (*run)(struct torus_engine *e, u64 ticks);
	long (*rest)(struct torus_engine *e, long timeout);
};

/* Windows of a workload's piece: at first, and at least. */
#define TORUS_BUDGET_MIN	1u

/* With fewer packets in flight there is little to run: longer at a time, and by who rings. */
#define TORUS_FEW_PACKETS	64

bool torus_leader_poll(struct torus_engine *e);
bool torus_leader_look(struct torus_engine *e, const struct torus_engine_client *client);
bool torus_leader_run(struct torus_engine *e);
void torus_leader_set_vtime(const struct torus_vtime_ops *ops);
bool torus_leader_stopped(const struct torus_engine *e);

int torus_engine_lead(void *data);
int torus_engine_assist(void *data);

#endif
