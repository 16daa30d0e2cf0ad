/* SPDX-License-Identifier: GPL-2.0 */
/* Reception rings: consume and publish chunks, and wait for packets. */
#ifndef TORUS_LIB_RECEIVE_H
#define TORUS_LIB_RECEIVE_H

#include <stdint.h>

#include "context.h"

void torus_receive_consume(struct torus_context *context, const struct torus_view *view);
int torus_receive_publish(struct torus_context *context);
bool torus_receive_wait_begin(struct torus_context *context, uint32_t coming);
void torus_receive_wait_end(struct torus_context *context);

#endif /* TORUS_LIB_RECEIVE_H */
