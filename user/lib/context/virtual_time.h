/* SPDX-License-Identifier: GPL-2.0 */
/* Virtual time: the clock of this process on a fabric, and the time for its time-outs. */
#ifndef TORUS_LIB_VIRTUAL_TIME_H
#define TORUS_LIB_VIRTUAL_TIME_H

#include "context.h"

int torus_vtime_attach(struct torus_context *context, bool priority);
void torus_vtime_detach(struct torus_context *context);
int torus_vtime_sync(struct torus_context *context, unsigned int what);
void torus_vtime_poll_failed(struct torus_context *context, unsigned int what);
void torus_vtime_inject(struct torus_context *context, unsigned int fifo, unsigned int chunks);
void torus_vtime_receive(struct torus_context *context, unsigned int chunks);
__u64 torus_context_now_ns(const struct torus_context *context);
int torus_vtime_wait(struct torus_context *context, short events, __u64 deadline_ns);

#endif /* TORUS_LIB_VIRTUAL_TIME_H */
