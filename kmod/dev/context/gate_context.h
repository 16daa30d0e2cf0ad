/* SPDX-License-Identifier: GPL-2.0 */
/* Barrier gates of a file: open, revoke and close them. */
#ifndef TORUS_DEV_CONTEXT_GATE_CONTEXT_H
#define TORUS_DEV_CONTEXT_GATE_CONTEXT_H

#include "gate_ioctl.h"
#include "gate_private.h"

void torus_gates_close(struct torus_ctx *ctx);
void torus_gates_orphan(struct torus_ctx *ctx);

int torus_gates_lock(struct torus_gates *g) __must_check;
int torus_gates_lock_running(struct torus_gates *g) __must_check;
long torus_gates_open(struct torus_ctx *ctx, struct torus_ioc_gates_open __user *argp);

#endif
