/* SPDX-License-Identifier: GPL-2.0 */
/* Ending a wait for a rank whose process has left. */
#ifndef TORUS_LIB_PEER_EXIT_H
#define TORUS_LIB_PEER_EXIT_H

#include "job.h"

/**
 * struct peer_exit - during a wait: is the rank that is waited for still there?
 * @waiter: the wait
 * @source: rank, or TORUS_MESSAGE_ANY
 * @ranks: by rank, not 0: all of these are waited for, whatever @source is; may be NULL
 * @until_ns: end of the wait, 0: none
 * @over: a rank that is waited for has left, and nothing is on its way
 * @gone: the rank, or the first of them
 * @missed: checks since it was there
 * @pause_ms: until the next check
 * @packets: received when @over was found
 */
struct peer_exit {
	struct torus_waiter *waiter;
	int source;
	const unsigned char *ranks;
	__u64 until_ns;
	bool over;
	__u32 gone;
	unsigned int missed;
	unsigned int pause_ms;
	__u64 packets;
};

void torus_peer_exit_learn(struct torus_job *job);
void torus_peer_exit_start(struct torus_job *job, struct peer_exit *watch,
			   struct torus_waiter *waiter, int source, const unsigned char *ranks);
int torus_peer_exit_check(struct torus_job *job, struct peer_exit *watch);

#endif /* TORUS_LIB_PEER_EXIT_H */
