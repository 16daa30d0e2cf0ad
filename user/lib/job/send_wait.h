/* SPDX-License-Identifier: GPL-2.0 */
/* Wait until a message is sent. */
#ifndef TORUS_LIB_SEND_WAIT_H
#define TORUS_LIB_SEND_WAIT_H

#include <stdint.h>

#include "../context/wait.h"
#include "job.h"
#include "peer_exit.h"

/**
 * struct sending - a wait for a message to be sent
 * @send: the message
 * @waiter: the wait
 * @watch: check that the receiver's process still exists
 * @index: number of packets of the message that were sent when @patient_ns was set
 * @patient_ns: time at which the wait fails unless more packets are sent; 0: reception has not
 *              stopped
 */
struct sending {
	const struct torus_send *send;
	struct torus_waiter waiter;
	struct peer_exit watch;
	uint32_t index;
	__u64 patient_ns;
};

void torus_send_wait_start(struct torus_job *job, struct sending *sending,
			   const struct torus_send *send, int timeout_ms);
int torus_send_wait_wait(struct torus_job *job, struct sending *sending);

#endif /* TORUS_LIB_SEND_WAIT_H */
