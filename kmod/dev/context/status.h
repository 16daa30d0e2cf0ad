/* SPDX-License-Identifier: GPL-2.0 */
/* The contents of a context's status page. */
#ifndef TORUS_DEV_CONTEXT_STATUS_H
#define TORUS_DEV_CONTEXT_STATUS_H

#include <linux/types.h>

struct torus_ctx;
struct torus_ioc_info;

void torus_status_layout(struct torus_ioc_info *info);
bool torus_status_publish(struct torus_ctx *ctx);
void torus_status_kill(struct torus_ctx *ctx);

#endif
