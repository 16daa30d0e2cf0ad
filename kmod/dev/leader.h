/* SPDX-License-Identifier: GPL-2.0 */
/* Pieces of the leader's work, which who rings can do in its place. */
#ifndef TORUS_DEV_LEADER_H
#define TORUS_DEV_LEADER_H

#include <linux/types.h>

struct torus_engine;

/* Windows of a workload's piece: at first, and at least. */
#define TORUS_BUDGET_MIN	1u

/* With fewer packets in flight there is little to run: longer at a time, and by who rings. */
#define TORUS_FEW_PACKETS	64

bool torus_leader_poll(struct torus_engine *e);
bool torus_leader_look(struct torus_engine *e, struct torus_file *ctx);
bool torus_leader_run(struct torus_engine *e);
bool torus_leader_stopped(const struct torus_engine *e);
void torus_leader_publish(struct torus_engine *e, bool all);

#endif
