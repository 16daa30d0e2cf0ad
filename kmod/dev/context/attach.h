/* SPDX-License-Identifier: GPL-2.0 */
/* Attach a context to a FIFO group. */
#ifndef TORUS_DEV_CONTEXT_ATTACH_H
#define TORUS_DEV_CONTEXT_ATTACH_H

#include "file.h"

int torus_attach_may(struct torus_engine *e, u32 node, u32 flags);
int torus_attach_find(struct torus_file *ctx, const char *name, struct torus_engine **e);
void torus_attach_tie(struct torus_file *ctx, struct torus_engine *e, int err);
u32 torus_attach_chunks(const struct torus_arch *arch, u32 chunks);
int torus_attach_ioctl(struct torus_file *ctx, struct torus_ioc_attach __user *argp);
void torus_file_uncount(struct torus_file *ctx);
void torus_file_free_memory(struct torus_file *ctx);

#endif
