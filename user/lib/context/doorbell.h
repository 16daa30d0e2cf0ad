/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of an attached context into the device: ring the doorbell, and sleep. */
#ifndef TORUS_LIB_DOORBELL_H
#define TORUS_LIB_DOORBELL_H

#include "context.h"

int torus_device_doorbell(struct torus_context *context);
int torus_device_poll(struct torus_context *context, short events, int timeout_ms);

#endif /* TORUS_LIB_DOORBELL_H */
