/* SPDX-License-Identifier: GPL-2.0 */
/* Wait in steps: spin briefly, then yield, then sleep in poll(2). */
#ifndef TORUS_LIB_WAIT_H
#define TORUS_LIB_WAIT_H

#include <stdint.h>

#include "context.h"

/**
 * struct torus_waiter - state of one wait: spin, then yield, then sleep
 * @context: context whose events end the wait
 * @step: spins and yields done so far
 * @slept: the wait has slept until more free space was there than needed, or more than one packet
 * @coming: chunks of packets still to arrive, as far as they are known
 * @sleep_ms: limit in milliseconds of the next sleep that poll(2) may not end in time
 * @deadline_ns: CLOCK_MONOTONIC, or the program's clock in virtual time; 0: none
 * @within_ms: limit of torus_waiter_within() in milliseconds; 0: none
 * @moved: number of sleeps and packet moves since torus_waiter_within()
 * @idle: number of returns of poll(2) with an event since the last restart of the wait
 */
struct torus_waiter {
	struct torus_context *context;
	unsigned int step;
	bool slept;
	uint32_t coming;
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
int torus_doorbell_check(struct torus_context *context, uint32_t wanted);

#endif /* TORUS_LIB_WAIT_H */
