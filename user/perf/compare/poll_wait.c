// SPDX-License-Identifier: GPL-2.0
/* Wait by polling. Also set the error message of a rank. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include "perf.h"
#include "transport.h"
#include "poll_wait.h"

/**
 * poll_wait_begin - start a new wait after a successful poll
 * @rank: the waiting process
 */
void poll_wait_begin(struct perf_rank *rank)
{
	rank->looks = 0;
}

/**
 * poll_wait_more - continue a wait after an unsuccessful poll: spin, and later yield the processor
 * @rank: the waiting process
 */
void poll_wait_more(struct perf_rank *rank)
{
	if (rank->looks++ < SPINS) {
#if __has_builtin(__builtin_ia32_pause)
		__builtin_ia32_pause();
#endif
		return;
	}
	sched_yield();
}

/**
 * poll_wait_failed - set the error message of a rank
 * @rank: the process
 * @what: name of the call
 * @error: negative errno
 *
 * Return: @error.
 */
int poll_wait_failed(struct perf_rank *rank, const char *what, int error)
{
	snprintf(rank->why, sizeof(rank->why), "%s: %s: %s",
		 transports[rank->way.transport].name, what, strerror(-error));
	return error;
}
