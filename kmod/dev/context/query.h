/* SPDX-License-Identifier: GPL-2.0 */
/* Queries of fabrics through an open file, permitted to any user. */
#ifndef TORUS_DEV_CONTEXT_QUERY_H
#define TORUS_DEV_CONTEXT_QUERY_H

struct torus_ctx;
struct torus_ioc_fabric;
struct torus_ioc_groups;

int torus_query_fabric(struct torus_ctx *ctx, struct torus_ioc_fabric __user *argp);
int torus_query_groups(struct torus_ctx *ctx, struct torus_ioc_groups __user *argp);

#endif
