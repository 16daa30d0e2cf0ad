/* SPDX-License-Identifier: GPL-2.0 */
/* Attach a context to a FIFO group. */
#ifndef TORUS_DEV_CONTEXT_ATTACH_H
#define TORUS_DEV_CONTEXT_ATTACH_H

#include "context.h"

int torus_attach_may(struct torus_engine *e, u32 node, u32 flags);
int torus_attach_find(struct torus_ctx *ctx, const char *name, struct torus_engine **e);
void torus_attach_tie(struct torus_ctx *ctx, struct torus_engine *e, int err);
u32 torus_attach_chunks(const struct torus_arch *arch, u32 chunks);
int torus_attach_ioctl(struct torus_ctx *ctx, struct torus_ioc_attach __user *argp);
void torus_ctx_uncount(struct torus_ctx *ctx);
void torus_ctx_free_memory(struct torus_ctx *ctx);

#endif
