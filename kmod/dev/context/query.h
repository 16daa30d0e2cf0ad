/* SPDX-License-Identifier: GPL-2.0 */
/* Queries of fabrics through an open file, permitted to any user. */
#ifndef TORUS_DEV_CONTEXT_QUERY_H
#define TORUS_DEV_CONTEXT_QUERY_H

struct torus_ctx;

long torus_query_ioctl(struct torus_ctx *ctx, unsigned int cmd, void __user *argp);

#endif
