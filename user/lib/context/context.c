// SPDX-License-Identifier: GPL-2.0
/* The state of a context: alive, deleted, or in a forked child; and the time. */
#include <pthread.h>
#include <time.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"

unsigned int torus_forks;

static void context_forked(void)
{
	torus_forks++;
}

static void context_fork_handler(void)
{
	pthread_atfork(NULL, NULL, context_forked);
}

/**
 * torus_context_watch_forks() - count the forks of this process from now on
 */
void torus_context_watch_forks(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, context_fork_handler);
}

/**
 * torus_now_ns() - the time
 *
 * Return: nanoseconds, CLOCK_MONOTONIC.
 */
__u64 torus_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/**
 * torus_context_dead() - was the fabric deleted, or is this a forked child?
 * @context: the context
 *
 * If not, all that was read from its mappings before this call was real.
 *
 * Return: true if so.
 */
bool torus_context_dead(const struct torus_context *context)
{
	const __u32 *state = (const __u32 *)(context->status + context->info.status_state_offset);

	if (torus_context_forked(context))
		return true;
	/* (J) What was read before, then the state. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(state, __ATOMIC_RELAXED) != TORUS_STATE_ALIVE;
}

/**
 * torus_context_check() - is the fabric still there?
 * @context: the context
 *
 * Return: 0, -ENODEV when it was deleted, -ECHILD in a forked child.
 */
int torus_context_check(const struct torus_context *context)
{
	return torus_context_dead(context) ? torus_error_dead(context) : 0;
}
