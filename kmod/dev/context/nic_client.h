/* SPDX-License-Identifier: GPL-2.0 */
/* A context as a client of the NIC. */
#ifndef TORUS_DEV_CONTEXT_NIC_CLIENT_H
#define TORUS_DEV_CONTEXT_NIC_CLIENT_H

#include "file.h"

extern const struct torus_nic_ops torus_file_nic_ops;

void torus_file_wake(struct torus_engine_client *client, bool sync);
__poll_t torus_file_ready(struct torus_file *ctx, __poll_t asked);
bool torus_file_lags(struct torus_engine_client *client);
void torus_file_reveal(struct torus_engine_client *client, u64 clock);
u32 torus_file_read(struct torus_engine_client *client);
void torus_file_happened(struct torus_file *ctx, u32 what);

#endif
