/* SPDX-License-Identifier: GPL-2.0 */
/* A context as a client of the NIC. */
#ifndef TORUS_DEV_CONTEXT_NIC_CLIENT_H
#define TORUS_DEV_CONTEXT_NIC_CLIENT_H

#include "context.h"

extern const struct torus_nic_ops torus_ctx_nic_ops;

void torus_ctx_wake_readers(struct torus_engine_client *client, bool sync);
__poll_t torus_ctx_ready(struct torus_ctx *ctx, __poll_t asked);
bool torus_ctx_lags(struct torus_engine_client *client);
void torus_ctx_reveal(struct torus_engine_client *client, u64 clock);
u32 torus_ctx_read(struct torus_engine_client *client);
void torus_ctx_vtime_wake(struct torus_ctx *ctx, u32 what);

#endif
