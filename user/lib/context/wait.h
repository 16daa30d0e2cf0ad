/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting: spin briefly, then yield, then sleep in poll(2). */
#ifndef TORUS_LIB_WAIT_H
#define TORUS_LIB_WAIT_H

#include "context.h"

/**
 * struct torus_waiter - one wait: spin, then yield, then sleep
 * @context: whose events
 * @step: spins and yields done so far
 * @slept: it has slept for more room than it lacks, or for more packets than one
 * @coming: chunks of packets of which others have come
 * @sleep_ms: length of the next sleep when it must not be trusted to end by itself
 * @deadline_ns: CLOCK_MONOTONIC; 0: none
 * @within_ms: torus_waiter_within(); 0: none
 * @moved: how often it has slept or moved something since
 * @idle: immediate returns of poll in a row
 */
struct torus_waiter {
	struct torus_context *context;
	unsigned int step;
	bool slept;
	__u32 coming;
	unsigned int sleep_ms;
	__u64 deadline_ns;
	unsigned int within_ms;
	unsigned int moved;
	unsigned int idle;
};

void torus_waiter_init(struct torus_waiter *waiter, struct torus_context *context,
		       int timeout_ms);
int torus_waiter_step(struct torus_waiter *waiter, short events);
void torus_waiter_within(struct torus_waiter *waiter, unsigned int ms);
void torus_waiter_restart(struct torus_waiter *waiter);
bool torus_waiter_expired(struct torus_waiter *waiter);
int torus_doorbell_check(struct torus_context *context, __u32 wanted);

#endif /* TORUS_LIB_WAIT_H */
