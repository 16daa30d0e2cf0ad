/* SPDX-License-Identifier: GPL-2.0 */
/* Find processes that have left, and end a wait for a rank whose process has left. */
#ifndef TORUS_LIB_PEER_EXIT_H
#define TORUS_LIB_PEER_EXIT_H

#include <stdint.h>

#include "job.h"

/**
 * struct holder - owner of a FIFO group
 * @held: the group's generation + 1; 0: no owner
 * @closing: the owner's process has ended, and the kernel still sends its packets
 */
struct holder {
	uint32_t held;
	bool closing;
};

/**
 * struct holders - owners of the fabric's FIFO groups
 * @groups: number of groups of a node
 * @last: greatest number of a node
 * @of: by number of node and group
 */
struct holders {
	uint32_t groups;
	uint32_t last;
	struct holder *of;
};

/**
 * struct peer_exit - check, during a wait, that the awaited rank's process still exists
 * @waiter: the wait
 * @source: awaited rank, or TORUS_MESSAGE_ANY
 * @ranks: array by rank, not 0 for each rank that the wait needs, in place of @source; may be NULL
 * @until_ns: end of the wait, 0: none
 * @over: an awaited rank has left, and no packet is under way, or too many checks have found the
 *        fabric not idle: the wait fails unless more packets arrive
 * @gone: the first awaited rank that has left
 * @missed: number of consecutive checks that found the awaited rank's process gone, but the fabric
 *          not idle
 * @pause_ms: time until the next check
 * @packets: number of packets received at the last check that missed a process, or later check
 *           with @over
 */
struct peer_exit {
	struct torus_waiter *waiter;
	int source;
	const unsigned char *ranks;
	__u64 until_ns;
	bool over;
	uint32_t gone;
	unsigned int missed;
	unsigned int pause_ms;
	__u64 packets;
};

int torus_holders_ask(struct torus_job *job, struct holders *holders);
bool torus_holders_have(struct torus_job *job, const struct holders *holders, uint32_t rank);
void torus_peer_exit_learn(struct torus_job *job);
void torus_peer_exit_start(struct torus_job *job, struct peer_exit *watch,
			   struct torus_waiter *waiter, int source, const unsigned char *ranks);
int torus_peer_exit_check(struct torus_job *job, struct peer_exit *watch);

#endif /* TORUS_LIB_PEER_EXIT_H */
