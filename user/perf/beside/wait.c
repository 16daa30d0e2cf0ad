// SPDX-License-Identifier: GPL-2.0
/* How a process that polls waits, and what is said of what failed. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include "beside.h"
#include "transport.h"
#include "wait.h"

/**
 * wait_begin - something came
 * @rank: who waits
 */
void wait_begin(struct rank *rank)
{
	rank->looks = 0;
}

/**
 * wait_more - a look was in vain: spin, then give the processor away
 * @rank: who waits
 */
void wait_more(struct rank *rank)
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
 * wait_failed - say what failed
 * @rank: where
 * @what: the call
 * @error: the negative errno
 *
 * Return: @error.
 */
int wait_failed(struct rank *rank, const char *what, int error)
{
	snprintf(rank->why, sizeof(rank->why), "%s: %s: %s",
		 transports[rank->way.transport].name, what, strerror(-error));
	return error;
}
