/* SPDX-License-Identifier: GPL-2.0 */
/* Barrier gates of programs: TORUS_IOC_GATES_* of <linux/torus.h>. */
#ifndef TORUS_DEV_CONTEXT_GATE_IOCTL_H
#define TORUS_DEV_CONTEXT_GATE_IOCTL_H

#include <linux/types.h>
#include "gate_private.h"

struct torus_engine;
struct torus_ctx;

long torus_gates_ioctl(struct torus_ctx *ctx, unsigned int cmd, void __user *argp);
struct torus_engine *torus_gates_engine(struct torus_ctx *ctx);

void torus_gates_reset(struct torus_gate_client *client);
void torus_gates_done(void *owner, u32 node, u64 id);
void torus_gates_free(struct torus_gates *g, u64 id);
void torus_gates_uncount(struct torus_gates *g, u32 engine);

#endif
